//! Artifact bytes in, report out: loader, verifier, machine and backends.

pub mod edit;
pub mod failure;
pub mod json_text;
pub mod process;
pub mod program;
pub mod report;
pub mod world;
