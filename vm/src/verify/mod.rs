//! The verifier: the only maker of programs.
//!
//! `spec/artifact.md` lists the rules. A program that keeps them can be run without asking again: every index names something, every
//! jump stays in its macro and goes forwards except where a loop, a try or a verification repeats, the stack never underflows, and steps,
//! tries, loops and the `finally` block open and close in order.

mod code;
mod debug;
mod flow;
mod macros;
mod manifest;
mod media;
mod operand;
mod state;
mod steps;
#[cfg(test)]
mod tests;

use spec::artifact::{Artifact, DEPTH_LIMIT, LoadError, Section, TableFault};

use crate::program::Program;

/// The most values on the stack of one macro.
pub const STACK_LIMIT: u32 = 4096;

/// The most parameters of a macro.
pub const PARAMETER_LIMIT: u64 = 256;

/// The longest timeout or pause, in microseconds: a thousand days.
pub const TIME_LIMIT_US: u64 = 86_400_000_000_000;

/// The most retries of a step.
pub const RETRY_LIMIT: u32 = 1_000_000;

/// Makes a program of an artifact that keeps every rule.
///
/// # Errors
/// The first rule it breaks, and where.
pub fn verify(artifact: Artifact) -> Result<Program, LoadError> {
    artifact
        .constants
        .check(DEPTH_LIMIT)
        .map_err(|index| LoadError::table(Section::Constants, index, TableFault::Constant))?;
    macros::check(&artifact)?;
    steps::check(&artifact)?;
    media::check(&artifact)?;
    debug::check(&artifact)?;
    code::check(&artifact)?;
    manifest::check(&artifact)?;
    Ok(Program::verified(artifact))
}

/// `index` must be below `count`.
fn in_range(what: &'static str, index: u32, count: usize) -> Result<(), TableFault> {
    if (index as usize) < count {
        return Ok(());
    }
    Err(TableFault::OutOfRange { what, index: u64::from(index), count: count as u64 })
}

/// No more than `limit`.
fn at_most(what: &'static str, found: u64, limit: u64) -> Result<(), TableFault> {
    if found <= limit { Ok(()) } else { Err(TableFault::TooMany { what, found, limit }) }
}

/// No name twice.
fn distinct<'a>(what: &'static str, names: impl Iterator<Item = &'a str>) -> Result<(), TableFault> {
    let mut seen = std::collections::HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(TableFault::Duplicate { what, name: name.to_owned() });
        }
    }
    Ok(())
}
