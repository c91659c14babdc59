//! Programs in a dry run: looked for, and neither run nor started.
//!
//! A command whose program, folder or log is missing fails as it would in a real run. What an earlier step of the same
//! dry run would have made in the files counts as made; a program that an earlier command would have installed does not.

use std::path::{Path, PathBuf};

use spec::action::{arguments, outputs};

use crate::backends::native_api::find::find;
use crate::backends::native_api::outcome::refused;
use crate::backends::native_api::{folder, path, words};
use crate::edit::file::Observation;
use crate::failure::Failure;
use crate::files::{Files, OverlayFiles};
use crate::process::Command;
use crate::stop::Stop;
use crate::world::{Call, NativeApi};

/// The backend of a dry run.
#[derive(Clone, Debug, Default)]
pub struct PretendedNativeApi {
    files: OverlayFiles,
}

impl PretendedNativeApi {
    /// The backend beside `files`, in which folders, logs and programs may have been made.
    pub fn new(files: OverlayFiles) -> Self {
        Self { files }
    }

    fn check(
        &self,
        argv: &[String],
        cwd: Option<PathBuf>,
        env: Option<&Vec<(String, Option<String>)>>,
    ) -> Result<(), Failure> {
        let file = cwd.as_deref().unwrap_or(Path::new("")).join(argv.first().map_or("", String::as_str));
        let made = |path: &Path| !path.exists() && self.files.observe(path).exists() == Some(true);
        let names_a_file = argv.first().is_some_and(|name| name.contains('/'));
        let mut command = Command { env: env.cloned().unwrap_or_default(), ..Command::new(argv.iter().cloned()) };
        if names_a_file && made(&file) {
            // Whether a file that is not there yet can be run shows only in a real run; the rest is checked.
            command.argv[0] = "sh".to_owned();
        }
        command.cwd = cwd.filter(|cwd| !(made(cwd) && self.files.observe(cwd) == Observation::Directory));
        command.program().map(drop).map_err(|error| refused(&error))
    }
}

impl NativeApi for PretendedNativeApi {
    fn run_command(
        &mut self,
        arguments: &arguments::RunCommand,
        call: &Call<'_>,
    ) -> Result<outputs::RunCommand, Failure> {
        Stop::new(call).check()?;
        self.check(&arguments.command, folder(arguments.cwd.as_deref())?, arguments.env.as_ref())?;
        let success = if arguments.ok_exit_codes.contains(&0) { Some(&0) } else { arguments.ok_exit_codes.first() };
        Ok(outputs::RunCommand {
            returncode: success.copied().unwrap_or(0),
            stdout: arguments.capture_stdout.then(String::new),
            stderr: String::new(),
            truncated: false,
            stdout_bytes: 0,
            stderr_bytes: 0,
        })
    }

    fn start_process(
        &mut self,
        arguments: &arguments::StartProcess,
        call: &Call<'_>,
    ) -> Result<outputs::StartProcess, Failure> {
        Stop::new(call).check()?;
        self.check(&arguments.command, folder(arguments.cwd.as_deref())?, arguments.env.as_ref())?;
        let log = path(&arguments.log_file)?;
        // A terminal or a pipe serves as a log too.
        if !matches!(self.files.observe(&log), Observation::Special(_)) {
            let failed = |error| Failure::step(format!("cannot write the log file: {error}"));
            self.files.check_writable(&log).map_err(failed)?;
        }
        // No process has the number 0.
        Ok(outputs::StartProcess { pid: 0, command: words(&arguments.command) })
    }

    fn find_executable(
        &mut self,
        arguments: &arguments::FindExecutable,
        call: &Call<'_>,
    ) -> Result<outputs::FindExecutable, Failure> {
        Stop::new(call).check()?;
        find(arguments)
    }
}
