//! The debug table: every instruction and every step has its place.

use spec::artifact::{Artifact, LoadError, Section, TableFault};

use crate::verify::in_range;

/// Checks the whole table.
pub fn check(artifact: &Artifact) -> Result<(), LoadError> {
    let debug = &artifact.debug;
    let fail = |index, fault| LoadError::table(Section::Debug, index, fault);
    if debug.code.len() != artifact.code.len() || debug.steps.len() != artifact.steps.len() {
        return Err(fail(0, TableFault::Mismatch { what: "the places and the instructions and steps" }));
    }
    for (index, place) in debug.places.iter().enumerate() {
        in_range("file", place.file, debug.files.len()).map_err(|fault| fail(index, fault))?;
    }
    for (index, place) in debug.code.iter().chain(&debug.steps).enumerate() {
        in_range("place", *place, debug.places.len()).map_err(|fault| fail(index, fault))?;
    }
    Ok(())
}
