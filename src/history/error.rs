//! Why the store cannot be used.

use rusqlite::ErrorCode;
use thiserror::Error;

/// Why the store cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Others write, and go on writing.
    #[error("the history is busy")]
    Busy,
    /// It is not what was written.
    #[error("the history is damaged: {0}")]
    Damaged(String),
    /// It is of a later version of macrocli.
    #[error("the history has version {found}, and this macrocli knows only {known}")]
    Newer {
        /// Its version.
        found: i64,
        /// The last one that is known.
        known: i64,
    },
    /// It is a database of another program.
    #[error("`{0}` is a database of another program")]
    Foreign(String),
    /// The system refuses it.
    #[error("{0}")]
    Unusable(String),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let Some(code) = error.sqlite_error_code() else { return StoreError::Damaged(words(&error)) };
        match code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreError::Busy,
            // What is not as we wrote it: tables and columns are missing, or of other types.
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown | ErrorCode::TypeMismatch => {
                StoreError::Damaged(words(&error))
            }
            ErrorCode::InternalMalfunction
            | ErrorCode::PermissionDenied
            | ErrorCode::OperationAborted
            | ErrorCode::OutOfMemory
            | ErrorCode::ReadOnly
            | ErrorCode::OperationInterrupted
            | ErrorCode::SystemIoFailure
            | ErrorCode::NotFound
            | ErrorCode::DiskFull
            | ErrorCode::CannotOpen
            | ErrorCode::FileLockingProtocolFailed
            | ErrorCode::SchemaChanged
            | ErrorCode::TooBig
            | ErrorCode::ConstraintViolation
            | ErrorCode::ApiMisuse
            | ErrorCode::NoLargeFileSupport
            | ErrorCode::AuthorizationForStatementDenied
            | ErrorCode::ParameterOutOfRange => StoreError::Unusable(words(&error)),
            // The enum is open.
            #[allow(clippy::wildcard_enum_match_arm)]
            _ => StoreError::Unusable(words(&error)),
        }
    }
}

fn words(error: &rusqlite::Error) -> String {
    error.to_string().to_lowercase()
}
