//! Artifact bytes in, report out: loader, verifier, machine and backends.

pub mod failure;
pub mod process;
pub mod program;
pub mod report;
pub mod world;
pub mod edit;
pub mod json_text;
