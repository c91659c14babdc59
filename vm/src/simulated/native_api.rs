//! Pretended `native_api`: every program succeeds, says nothing and has no process.

use spec::action::{Action, arguments, outputs};
use spec::value::Value;

use crate::failure::Failure;
use crate::simulated::Simulated;
use crate::simulated::trace::Traced;
use crate::world::{Call, NativeApi};

impl NativeApi for Simulated<'_> {
    fn run_command(
        &mut self,
        arguments: &arguments::RunCommand,
        call: &Call<'_>,
    ) -> Result<outputs::RunCommand, Failure> {
        self.pretend(Action::RunCommand, &arguments.traced(), call)?;
        Ok(outputs::RunCommand {
            returncode: arguments.ok_exit_codes.first().copied().unwrap_or(0),
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
        self.pretend(Action::StartProcess, &arguments.traced(), call)?;
        Ok(outputs::StartProcess { pid: 0, command: arguments.command.iter().cloned().map(Value::String).collect() })
    }

    fn find_executable(
        &mut self,
        arguments: &arguments::FindExecutable,
        call: &Call<'_>,
    ) -> Result<outputs::FindExecutable, Failure> {
        self.pretend(Action::FindExecutable, &arguments.traced(), call)?;
        Ok(outputs::FindExecutable {
            executable: pretended(arguments),
            name: arguments.name.clone().unwrap_or_else(|| pretended(arguments)),
        })
    }
}

fn pretended(arguments: &arguments::FindExecutable) -> String {
    let first = arguments.candidates.as_ref().and_then(|candidates| candidates.first()).or(arguments.name.as_ref());
    first.cloned().unwrap_or_default()
}
