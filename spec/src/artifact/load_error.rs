//! Why bytes are no program: damaged, foreign, too new, or against the rules.

use std::fmt;

use crate::artifact::{CodeFault, Section, TableFault};

/// Why an artifact was refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// The byte of the file, where it is known.
    pub at: Option<u64>,
    /// The section, where it is known.
    pub section: Option<Section>,
    /// What is wrong.
    pub reason: LoadErrorKind,
}

/// What is wrong with an artifact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadErrorKind {
    /// The file is something else.
    NotAnArtifact(Found),
    /// The file is of another version of the format.
    Version {
        /// Its version.
        found: u16,
        /// The version that can be read.
        supported: u16,
    },
    /// Flags are set that this version does not know.
    Flags(u16),
    /// The file ends too early.
    Truncated {
        /// The bytes it should have, where it still says so.
        expected: Option<u64>,
        /// The bytes it has.
        found: u64,
    },
    /// Bytes follow the end of the artifact.
    Trailing {
        /// The bytes it should have.
        expected: u64,
        /// The bytes it has.
        found: u64,
    },
    /// The content is not what was written.
    HashMismatch,
    /// More of something than is allowed.
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How much there is.
        found: u64,
        /// The most allowed.
        limit: u64,
    },
    /// Too many or too few sections.
    SectionCount {
        /// How many the file has.
        found: u32,
    },
    /// A section this version does not know.
    UnknownSection {
        /// Its number.
        number: u16,
    },
    /// A section that is missing, repeated or in the wrong place of the table.
    SectionOrder {
        /// The section found.
        found: Section,
        /// The section whose turn it is.
        expected: Section,
    },
    /// A section that does not begin right after the one before it.
    SectionOffset {
        /// Where it begins.
        found: u64,
        /// Where it has to begin.
        expected: u64,
    },
    /// A section that reaches past the end of the file.
    SectionLength {
        /// Its length.
        found: u64,
        /// The bytes that are left for it.
        available: u64,
    },
    /// Bytes that must be zero are not.
    Padding,
    /// Bytes of a section that cannot be read as what they should be.
    Malformed {
        /// What they should be.
        what: &'static str,
    },
    /// A record that is against the rules.
    Table {
        /// The record's place in its table.
        index: u32,
        /// The rule.
        fault: TableFault,
    },
    /// An instruction that is against the rules.
    Code {
        /// The instruction's place in the code.
        index: u32,
        /// Its mnemonic.
        mnemonic: &'static str,
        /// The rule.
        fault: CodeFault,
    },
}

/// What a file that is no artifact is instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It is empty.
    Nothing,
    /// It is text, as a macro's source is.
    Text,
    /// It was an artifact until its line ends were changed.
    CopiedAsText,
    /// It is something else.
    Other,
}

impl LoadError {
    /// `reason`, at a byte of the file.
    pub fn at(at: usize, reason: LoadErrorKind) -> Self {
        Self { at: Some(at as u64), section: None, reason }
    }

    /// A record that is against the rules.
    pub fn table(section: Section, index: usize, fault: TableFault) -> Self {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        Self { at: None, section: Some(section), reason: LoadErrorKind::Table { index, fault } }
    }

    /// An instruction that is against the rules.
    pub fn code(index: u32, mnemonic: &'static str, fault: CodeFault) -> Self {
        Self { at: None, section: Some(Section::Code), reason: LoadErrorKind::Code { index, mnemonic, fault } }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.reason)?;
        match (self.section, self.at) {
            (Some(section), Some(at)) => write!(f, " (section `{section}`, byte {at})"),
            (Some(section), None) => write!(f, " (section `{section}`)"),
            (None, Some(at)) if at > 0 => write!(f, " (byte {at})"),
            (None, Some(_) | None) => Ok(()),
        }
    }
}

impl fmt::Display for LoadErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadErrorKind::NotAnArtifact(Found::Nothing) => f.write_str("not an artifact: the file is empty"),
            LoadErrorKind::NotAnArtifact(Found::Text) => {
                f.write_str("not an artifact: the file is text; give a macro's source the ending `.yaml`")
            }
            LoadErrorKind::NotAnArtifact(Found::CopiedAsText) => {
                f.write_str("the artifact was copied as text, which changed its line ends; copy it as binary")
            }
            LoadErrorKind::NotAnArtifact(Found::Other) => f.write_str("not an artifact: it does not begin as one"),
            LoadErrorKind::Version { found, supported } => {
                write!(
                    f,
                    "the artifact has format version {found}, this program reads version {supported}; build it again"
                )
            }
            LoadErrorKind::Flags(flags) => write!(f, "the artifact has flags {flags:#06x}, which are not known"),
            LoadErrorKind::Truncated { expected: Some(expected), found } => {
                write!(f, "the artifact is cut off: {found} of {expected} bytes are there")
            }
            LoadErrorKind::Truncated { expected: None, found } => {
                write!(f, "the artifact is cut off after {found} bytes, inside its header")
            }
            LoadErrorKind::Trailing { expected, found } => {
                write!(f, "{} bytes follow the end of the artifact", found.saturating_sub(*expected))
            }
            LoadErrorKind::HashMismatch => {
                f.write_str("the artifact is damaged: its content is not what was written; build it again")
            }
            LoadErrorKind::TooLarge { what, found, limit } => {
                write!(f, "{what}: found {found}, at most {limit} allowed")
            }
            LoadErrorKind::SectionCount { found } => {
                write!(f, "the artifact has {found} sections, expected {}", Section::ALL.len())
            }
            LoadErrorKind::UnknownSection { number } => write!(f, "section number {number} is not known"),
            LoadErrorKind::SectionOrder { found, expected } => {
                write!(f, "section `{found}` stands where section `{expected}` must stand")
            }
            LoadErrorKind::SectionOffset { found, expected } => {
                write!(f, "the section begins at byte {found}, expected {expected}")
            }
            LoadErrorKind::SectionLength { found, available } => {
                write!(f, "the section has {found} bytes, only {available} are left")
            }
            LoadErrorKind::Padding => f.write_str("bytes that must be zero are not"),
            LoadErrorKind::Malformed { what } => write!(f, "expected {what}, found something else"),
            LoadErrorKind::Table { index, fault } => write!(f, "record {index}: {fault}"),
            LoadErrorKind::Code { index, mnemonic, fault } => write!(f, "instruction {index} `{mnemonic}`: {fault}"),
        }
    }
}

impl std::error::Error for LoadError {}
