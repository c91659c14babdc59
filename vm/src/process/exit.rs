//! How a program ended.

use std::fmt;
use std::process::ExitStatus;

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It returned this code; 0 means success.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
}

impl Exit {
    /// Whether it returned 0.
    pub fn is_success(self) -> bool {
        self == Self::Code(0)
    }

    /// The code as a shell shows it: the code itself, or 128 and the number of the signal.
    pub fn shell_code(self) -> i32 {
        match self {
            Self::Code(code) => code,
            Self::Signal(signal) => signal.saturating_add(128),
        }
    }
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Self {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Self::Signal(signal);
        }
        // Without a signal there is a code on every system.
        Self::Code(status.code().unwrap_or(-1))
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => write!(f, "{}", SignalName(*signal)),
        }
    }
}

/// Shows a signal as `signal 15 (SIGTERM)`.
pub(crate) struct SignalName(pub(crate) i32);

impl fmt::Display for SignalName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "signal {}", self.0)?;
        #[cfg(unix)]
        if let Some(name) = signal_hook::low_level::signal_name(self.0) {
            write!(f, " ({name})")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::process::exit::Exit;

    #[test]
    fn shows_code_or_signal() {
        assert_eq!(Exit::Code(3).to_string(), "exit code 3");
        assert!(Exit::Signal(15).to_string().starts_with("signal 15"));
        assert_eq!((Exit::Code(3).shell_code(), Exit::Signal(15).shell_code()), (3, 143));
        assert!(Exit::Code(0).is_success() && !Exit::Code(1).is_success() && !Exit::Signal(0).is_success());
    }
}
