//! A program with its arguments, folder and environment.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process;

use thiserror::Error;

use crate::process::capture::DEFAULT_LIMIT;
use crate::process::lookup::{self, LookupError};

/// A program to run to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program and its arguments. The program is found as [`lookup::resolve`] does, by the PATH it will run with.
    pub argv: Vec<String>,
    /// The folder it runs in; ours when `None`.
    pub cwd: Option<PathBuf>,
    /// Changes to our environment, in order: a value, or `None` to leave the variable out.
    pub env: Vec<(String, Option<String>)>,
    /// What it reads on its standard input; without it that is `/dev/null`.
    pub stdin: Option<Vec<u8>>,
    /// How many bytes of each output stream are kept.
    pub limit: usize,
}

impl Command {
    /// A command with our folder and environment, no input and the default limit.
    pub fn new<S: Into<String>>(argv: impl IntoIterator<Item = S>) -> Self {
        let argv = argv.into_iter().map(Into::into).collect();
        Self { argv, cwd: None, env: Vec::new(), stdin: None, limit: DEFAULT_LIMIT }
    }

    /// The file it would run, after every check that a run makes before its start.
    ///
    /// # Errors
    /// It cannot be started as it is.
    pub fn program(&self) -> Result<PathBuf, CommandError> {
        let invocation = Invocation { argv: &self.argv, cwd: self.cwd.as_deref(), env: &self.env };
        invocation.prepare().map(|(_, program)| program)
    }
}

/// Why a command cannot be started.
#[derive(Debug, Error)]
pub enum CommandError {
    /// There is no program.
    #[error("the command is empty, it needs at least a program")]
    Empty,
    /// No argument can hold a NUL.
    #[error("word {index} of the command holds a NUL character, which no program can be given")]
    NulInArgument {
        /// Which word, the program being 0.
        index: usize,
    },
    /// No such name can be in an environment.
    #[error("`{}` cannot be the name of an environment variable: it is empty or holds `=` or NUL", .name.escape_debug())]
    BadVariableName {
        /// The name.
        name: String,
    },
    /// The value holds a NUL. It is not shown, as it may be a secret.
    #[error("the value of environment variable `{name}` holds a NUL character")]
    BadVariableValue {
        /// The name.
        name: String,
    },
    /// The folder cannot be used.
    #[error("cannot run in the folder `{}`: {source}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The name means no program.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// The system refuses to start it.
    #[error("cannot start `{}`: {source}{}", .program.display(), spawn_hint(.source))]
    Spawn {
        /// The file.
        program: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// This system has no such thing.
    #[error("programs cannot be run on this system yet")]
    Unsupported,
}

/// The parts of a command that are the same however it is started.
pub(crate) struct Invocation<'a> {
    pub(crate) argv: &'a [String],
    pub(crate) cwd: Option<&'a Path>,
    pub(crate) env: &'a [(String, Option<String>)],
}

impl Invocation<'_> {
    /// Checks everything that can be checked before the start, and returns the command with the file it will run.
    pub(crate) fn prepare(&self) -> Result<(process::Command, PathBuf), CommandError> {
        let [name, arguments @ ..] = self.argv else { return Err(CommandError::Empty) };
        if let Some(index) = self.argv.iter().position(|word| word.contains('\0')) {
            return Err(CommandError::NulInArgument { index });
        }
        check_variables(self.env)?;
        self.cwd.map(check_folder).transpose()?;
        let program = lookup::resolve(name, self.cwd, self.path().as_deref())?;
        let mut command = process::Command::new(&program);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::arg0(&mut command, name);
        command.args(arguments);
        if let Some(cwd) = self.cwd {
            command.current_dir(lookup::within(None, cwd));
        }
        for (name, value) in self.env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        Ok((command, program))
    }

    /// The PATH that the program will have.
    fn path(&self) -> Option<OsString> {
        match self.env.iter().rfind(|(name, _)| name == "PATH") {
            Some((_, value)) => value.as_deref().map(OsStr::new).map(OsStr::to_owned),
            None => env::var_os("PATH"),
        }
    }
}

fn check_variables(env: &[(String, Option<String>)]) -> Result<(), CommandError> {
    for (name, value) in env {
        if name.is_empty() || name.contains(['=', '\0']) {
            return Err(CommandError::BadVariableName { name: name.clone() });
        }
        if value.as_ref().is_some_and(|value| value.contains('\0')) {
            return Err(CommandError::BadVariableValue { name: name.clone() });
        }
    }
    Ok(())
}

/// The system names only the program when it cannot enter the folder, so the folder is looked at first.
fn check_folder(cwd: &Path) -> Result<(), CommandError> {
    let refuse = |source| CommandError::Folder { path: cwd.to_path_buf(), source };
    let meta = std::fs::metadata(cwd).map_err(refuse)?;
    if !meta.is_dir() {
        return Err(refuse(io::ErrorKind::NotADirectory.into()));
    }
    #[cfg(unix)]
    rustix::fs::access(cwd, rustix::fs::Access::EXEC_OK).map_err(|error| refuse(error.into()))?;
    Ok(())
}

/// What the bare reason of the system leaves out. The file itself was there and executable a moment ago.
fn spawn_hint(source: &io::Error) -> &'static str {
    if is_format_error(source) {
        "; it is neither a program for this machine nor a script with a `#!` line"
    } else if source.kind() == io::ErrorKind::NotFound {
        "; the interpreter named in its first line is missing"
    } else if source.kind() == io::ErrorKind::ArgumentListTooLong {
        "; pass long data through a file or `stdin`"
    } else {
        ""
    }
}

#[cfg(unix)]
fn is_format_error(source: &io::Error) -> bool {
    source.raw_os_error() == Some(libc::ENOEXEC)
}

#[cfg(not(unix))]
fn is_format_error(_: &io::Error) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use crate::process::command::{Command, CommandError, Invocation};

    fn refusal(command: &Command) -> CommandError {
        Invocation { argv: &command.argv, cwd: command.cwd.as_deref(), env: &command.env }.prepare().unwrap_err()
    }

    #[test]
    fn impossible_commands_are_refused_before_the_start() {
        assert!(matches!(refusal(&Command::new(Vec::<String>::new())), CommandError::Empty));
        assert!(matches!(refusal(&Command::new(["sh", "a\0"])), CommandError::NulInArgument { index: 1 }));
        for name in ["", "X=Y", "A\0"] {
            let command = Command { env: vec![(name.into(), Some("1".into()))], ..Command::new(["sh"]) };
            assert!(matches!(refusal(&command), CommandError::BadVariableName { .. }), "{name:?}");
        }
        let command = Command { env: vec![("A".into(), Some("top\0secret".into()))], ..Command::new(["sh"]) };
        assert!(!refusal(&command).to_string().contains("secret"));
    }

    #[test]
    fn a_bad_folder_is_named() {
        let command = Command { cwd: Some("/nowhere/at/all".into()), ..Command::new(["sh"]) };
        assert!(refusal(&command).to_string().starts_with("cannot run in the folder `/nowhere/at/all`: "));
    }
}
