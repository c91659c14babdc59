//! Where each instruction and step was written.

use wincode::{SchemaRead, SchemaWrite};

/// A table from instructions and steps to places in source files.
#[derive(Clone, Debug, Default, PartialEq, Eq, SchemaWrite, SchemaRead)]
pub struct Debug {
    /// Source files, relative to the folder of the macro that runs.
    pub files: Vec<String>,
    /// The places.
    pub places: Vec<Place>,
    /// For each instruction, an index into `places`.
    pub code: Vec<u32>,
    /// For each step, an index into `places`.
    pub steps: Vec<u32>,
}

/// A range in a source file: lines and columns from 1, columns in characters, the end exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, SchemaWrite, SchemaRead)]
pub struct Place {
    /// An index into the table's files.
    pub file: u32,
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// One past the last column.
    pub end_column: u32,
}
