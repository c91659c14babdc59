//! Tests of the program as a whole, and of the rules its sources keep; one binary, so that it links once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod harness;

mod bundled;
mod cli_build;
mod cli_check;
mod cli_documents;
mod cli_macros;
mod cli_parameters;
mod cli_run;
mod documents;

mod layering;
mod tidy;
