//! The language from text to artifact: what is accepted, what is refused and with which words.

// Everything here is a test: what is not as expected may stop it. Trees of the YAML oracle have more kinds than matter.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::wildcard_enum_match_arm)]

mod cases;
mod golden;
mod hostile;
mod manifests;
mod page;
mod recordings;
mod secrets;
mod support;
