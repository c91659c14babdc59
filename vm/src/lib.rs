//! Artifact bytes in, report out: loader, verifier, machine and backends.

pub mod process;
