//! Programs of the system.
//!
//! A leading `~/` of `cwd` and `log_file` is the home folder; words of the command are passed as they are.

mod find;
mod outcome;
mod pretended;
#[cfg(test)]
#[cfg(unix)]
mod tests;

use std::path::PathBuf;

use spec::action::{arguments, outputs};
use spec::value::Value;

pub use crate::backends::native_api::pretended::PretendedNativeApi;

use crate::backends::native_api::find::find;
use crate::backends::native_api::outcome::{finished, not_finished, not_started};
use crate::edit::file::expand;
use crate::failure::Failure;
use crate::process::{Command, Reaper, Start, run, start};
use crate::stop::Stop;
use crate::world::{Call, NativeApi};

/// The backend that runs programs. Those it started are collected as soon as they end, and are never stopped by it.
#[derive(Clone, Debug, Default)]
pub struct RealNativeApi {
    reaper: Reaper,
}

impl NativeApi for RealNativeApi {
    fn run_command(
        &mut self,
        arguments: &arguments::RunCommand,
        call: &Call<'_>,
    ) -> Result<outputs::RunCommand, Failure> {
        let stop = Stop::new(call);
        stop.check()?;
        let command = command(arguments)?;
        match run(&command, stop.deadline(), stop.interrupt()) {
            Ok(ended) => finished(arguments, ended),
            Err(error) => Err(not_finished(arguments, error, &stop)),
        }
    }

    fn start_process(
        &mut self,
        arguments: &arguments::StartProcess,
        call: &Call<'_>,
    ) -> Result<outputs::StartProcess, Failure> {
        let stop = Stop::new(call);
        stop.check()?;
        let what = Start {
            argv: arguments.command.clone(),
            cwd: folder(arguments.cwd.as_deref())?,
            env: arguments.env.clone().unwrap_or_default(),
            log_file: Some(path(&arguments.log_file)?),
        };
        match start(&what, stop.deadline(), stop.interrupt(), &self.reaper) {
            Ok(started) => {
                Ok(outputs::StartProcess { pid: i64::from(started.pid), command: words(&arguments.command) })
            }
            Err(error) => Err(not_started(error, &stop)),
        }
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

fn command(arguments: &arguments::RunCommand) -> Result<Command, Failure> {
    Ok(Command {
        cwd: folder(arguments.cwd.as_deref())?,
        env: arguments.env.clone().unwrap_or_default(),
        stdin: arguments.stdin.as_ref().map(|text| text.clone().into_bytes()),
        ..Command::new(arguments.command.iter().cloned())
    })
}

fn folder(cwd: Option<&str>) -> Result<Option<PathBuf>, Failure> {
    cwd.map(path).transpose()
}

fn path(path: &str) -> Result<PathBuf, Failure> {
    expand(path).map_err(|error| Failure::step(error.to_string()))
}

fn words(command: &[String]) -> Vec<Value> {
    command.iter().cloned().map(Value::String).collect()
}
