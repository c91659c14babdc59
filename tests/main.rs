//! Tests of the program as a whole, and of the rules its sources keep; one binary, so that it links once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cases_artifact;
mod cases_file_conditions;
mod cases_json;
mod cases_text_files;
mod cases_xml;
mod harness;
#[cfg(target_os = "linux")]
mod witness;

// These look at processes through /proc.
#[cfg(target_os = "linux")]
mod cases_processes;
#[cfg(target_os = "linux")]
mod cases_recovery;
#[cfg(target_os = "linux")]
mod cases_secrets;
#[cfg(target_os = "linux")]
mod cases_stopping;
#[cfg(target_os = "linux")]
mod cases_surroundings;

mod cases_language;
mod cases_parameters;
mod cases_results;

// These start a display of their own.
#[cfg(target_os = "linux")]
mod display;
#[cfg(target_os = "linux")]
mod display_accessibility;
#[cfg(target_os = "linux")]
mod display_captures;
#[cfg(target_os = "linux")]
mod display_demo;
#[cfg(target_os = "linux")]
mod display_ends;
#[cfg(target_os = "linux")]
mod display_images;
#[cfg(target_os = "linux")]
mod display_keyboard;
#[cfg(target_os = "linux")]
mod display_pointer;
#[cfg(target_os = "linux")]
mod display_replay;
#[cfg(target_os = "linux")]
mod display_replay_keys;
#[cfg(target_os = "linux")]
mod display_smoke;
#[cfg(target_os = "linux")]
mod display_turns;
#[cfg(target_os = "linux")]
mod display_windows;

// These play a model's server, and most of them start a display.
#[cfg(target_os = "linux")]
mod agent;
#[cfg(target_os = "linux")]
mod agent_course;
#[cfg(target_os = "linux")]
mod agent_server;
#[cfg(target_os = "linux")]
mod assist;
#[cfg(target_os = "linux")]
mod model;

mod bundled;
mod cli_build;
mod cli_check;
mod cli_documents;
mod cli_dry_run;
mod cli_macros;
mod cli_parameters;
mod cli_run;
mod diff;
mod documents;
#[cfg(unix)]
mod events;
#[cfg(target_os = "linux")]
mod mcp;

#[cfg(unix)]
mod history;
#[cfg(unix)]
mod history_spool;
#[cfg(target_os = "linux")]
mod repl;
mod session;
mod skill;

mod layering;
mod policy;
mod secrets;
mod steps;
mod tidy;
