//! Artifact bytes in, report out: loader, verifier, machine and backends.

pub mod accessibility;
mod backends;
pub mod capture;
pub mod desktop;
pub mod dry_run;
mod edit;
pub mod failure;
mod files;
pub mod guard;
pub mod json_text;
pub mod load;
pub mod locate;
pub mod machine;
pub mod model;
pub mod need;
pub mod picture;
pub mod policy;
pub mod process;
pub mod program;
pub mod real;
mod recording;
pub mod report;
pub mod sight;
pub mod simulated;
pub mod stop;
pub mod verify;
pub mod world;
