//! Tests of the program as a whole, and of the rules its sources keep; one binary, so that it links once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cases_artifact;
mod cases_file_conditions;
mod cases_json;
mod cases_text_files;
mod cases_xml;
mod harness;

mod cli_build;
mod cli_check;
mod cli_documents;
mod cli_macros;
mod cli_parameters;
mod cli_run;

mod layering;
mod tidy;
mod steps;
