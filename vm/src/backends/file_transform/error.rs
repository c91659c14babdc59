//! Errors of edits as failures of a step; each names the file it is about.

use crate::edit::file::{FileError, FileErrorKind};
use crate::edit::json::JsonEditError;
use crate::edit::text::TextError;
use crate::edit::xml::error::XmlEditError;
use crate::failure::{Failure, FailureKind};
use crate::stop::Stop;

/// A file could not be read or written.
pub(crate) fn file(error: &FileError, stop: &Stop<'_>) -> Failure {
    match error.kind {
        FileErrorKind::Cancelled => stop.failure(),
        FileErrorKind::EmptyPath => Failure::new(FailureKind::BadArgument, error.to_string()),
        FileErrorKind::NotFound
        | FileErrorKind::Dangling
        | FileErrorKind::LinkLoop
        | FileErrorKind::MissingFolder(_)
        | FileErrorKind::TooLong
        | FileErrorKind::NotAFolder
        | FileErrorKind::PermissionDenied
        | FileErrorKind::ReadOnly
        | FileErrorKind::NoSpace
        | FileErrorKind::Directory
        | FileErrorKind::Special(_)
        | FileErrorKind::TooLarge { .. }
        | FileErrorKind::SameFile(_)
        | FileErrorKind::Exists
        | FileErrorKind::NoHome
        | FileErrorKind::Other(_) => Failure::step(error.to_string()),
    }
}

/// The file, as the macro names it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct About<'a>(pub(crate) &'a str);

impl About<'_> {
    /// A JSON document was not read or edited.
    pub(crate) fn json(self, error: JsonEditError) -> Failure {
        let bad = matches!(error, JsonEditError::EmptyPath | JsonEditError::WouldBeTooDeep { .. });
        self.failure(bad, &error)
    }

    /// An XML document was not read or edited.
    pub(crate) fn xml(self, error: XmlEditError) -> Failure {
        let bad = matches!(
            error,
            XmlEditError::XPath(_)
                | XmlEditError::AttributeName { .. }
                | XmlEditError::Character { .. }
                | XmlEditError::NotNodes { .. }
        );
        self.failure(bad, &error)
    }

    /// A text was not edited.
    pub(crate) fn text(self, error: TextError, stop: &Stop<'_>) -> Failure {
        match error {
            TextError::Cancelled => stop.failure(),
            TextError::EmptyFind | TextError::Pattern(_) | TextError::UnknownGroup { .. } => self.failure(true, &error),
            TextError::TooLarge | TextError::NoMemory { .. } => self.failure(false, &error),
        }
    }

    /// `bad`: the argument is wrong whatever the file holds, and another try cannot help.
    fn failure(self, bad: bool, error: &dyn std::error::Error) -> Failure {
        let kind = if bad { FailureKind::BadArgument } else { FailureKind::Step };
        Failure::new(kind, format!("`{}`: {error}", self.0))
    }
}
