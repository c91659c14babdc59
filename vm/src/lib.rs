//! Artifact bytes in, report out: loader, verifier, machine and backends.

pub mod failure;
pub mod process;
pub mod report;
pub mod world;
