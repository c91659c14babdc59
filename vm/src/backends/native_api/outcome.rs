//! What became of a program, as outputs or as a failure.

use spec::action::{arguments, outputs};
use spec::value::Value;

use crate::failure::{Failure, FailureKind};
use crate::process::{Captured, CommandError, Exit, Finished, ProcessError, StartError};
use crate::stop::{Stop, interrupted};

/// How many of the last lines of standard error a message shows, and how many bytes of them at most.
const SHOWN: (usize, usize) = (5, 1000);

/// How many bytes of the end of an output that was not captured a failure keeps.
const TAIL: usize = 4096;

/// A program that ended by itself: a success when its exit code is one of those allowed.
pub(crate) fn finished(arguments: &arguments::RunCommand, ended: Finished) -> Result<outputs::RunCommand, Failure> {
    let stderr = ended.stderr.text();
    let program = program(&arguments.command);
    let message = match ended.status {
        Exit::Code(code) if arguments.ok_exit_codes.contains(&i64::from(code)) => {
            let truncated = ended.stderr.truncated || (arguments.capture_stdout && ended.stdout.truncated);
            let (stdout_bytes, stderr_bytes) = (total(&ended.stdout), total(&ended.stderr));
            let stdout = arguments.capture_stdout.then(|| ended.stdout.into_text());
            let returncode = i64::from(code);
            return Ok(outputs::RunCommand { returncode, stdout, stderr, truncated, stdout_bytes, stderr_bytes });
        }
        Exit::Code(code) => format!("`{program}` exited with code {code}{}", allowed(&arguments.ok_exit_codes)),
        Exit::Signal(_) => format!("`{program}` was ended by {}", ended.status),
    };
    let failure = Failure::step(format!("{message}{}", last_lines(&stderr)));
    let code = i64::from(ended.status.shell_code());
    Err(with_outputs(arguments, failure, Some(code), &ended.stdout, &ended.stderr))
}

/// A program that was not started or was stopped.
pub(crate) fn not_finished(arguments: &arguments::RunCommand, error: ProcessError, stop: &Stop<'_>) -> Failure {
    match error {
        ProcessError::Command(error) => refused(&error),
        ProcessError::TimedOut { partial, .. } => {
            with_outputs(arguments, stop.timed_out(), None, &partial.stdout, &partial.stderr)
        }
        ProcessError::Interrupted { signal, partial } => {
            with_outputs(arguments, interrupted(signal), None, &partial.stdout, &partial.stderr)
        }
        ProcessError::System { .. } => Failure::step(format!("`{}`: {error}", program(&arguments.command))),
    }
}

/// A program that should have gone on by itself and does not.
pub(crate) fn not_started(error: StartError, stop: &Stop<'_>) -> Failure {
    match error {
        StartError::Command(error) => refused(&error),
        StartError::TimedOut { .. } => stop.timed_out(),
        StartError::Interrupted { signal } => interrupted(signal),
        StartError::Log { .. } | StartError::EndedAtOnce { .. } | StartError::System { .. } => {
            Failure::step(error.to_string())
        }
    }
}

/// A command that cannot be started as it is.
pub(crate) fn refused(error: &CommandError) -> Failure {
    match error {
        CommandError::Empty
        | CommandError::NulInArgument { .. }
        | CommandError::BadVariableName { .. }
        | CommandError::BadVariableValue { .. } => Failure::new(FailureKind::BadArgument, error.to_string()),
        CommandError::Folder { .. } | CommandError::Lookup(_) | CommandError::Spawn { .. } => {
            Failure::step(error.to_string())
        }
        CommandError::Unsupported => Failure::new(FailureKind::Unavailable, error.to_string()),
    }
}

fn program(command: &[String]) -> &str {
    command.first().map_or("", String::as_str)
}

/// What was allowed, unless that is only 0.
fn allowed(codes: &[i64]) -> String {
    if codes == [0] {
        return String::new();
    }
    let codes: Vec<String> = codes.iter().map(i64::to_string).collect();
    format!(" (allowed: {})", codes.join(", "))
}

fn last_lines(stderr: &str) -> String {
    let (lines, bytes) = SHOWN;
    let text = stderr.trim_end();
    let from = text.rmatch_indices('\n').nth(lines - 1).map_or(0, |(at, _)| at + 1);
    let lines = &text[from..];
    let shown = end(lines, bytes);
    // The mark is for whoever looks for a secret: a part of one may be behind it.
    let cut = if shown.len() < lines.len() { "…" } else { "" };
    if shown.is_empty() { String::new() } else { format!("; its standard error ends with:\n{cut}{shown}") }
}

/// The last `bytes` bytes of a text, without a character cut in two.
fn end(text: &str, bytes: usize) -> &str {
    let mut from = text.len().saturating_sub(bytes);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

fn with_outputs(
    arguments: &arguments::RunCommand,
    failure: Failure,
    code: Option<i64>,
    stdout: &Captured,
    stderr: &Captured,
) -> Failure {
    let failure = match code {
        Some(code) => failure.partial("returncode", Value::Integer(code)),
        None => failure,
    };
    let text = stdout.text();
    let kept = if arguments.capture_stdout { text } else { end(&text, TAIL).to_owned() };
    let truncated = stdout.truncated || stderr.truncated || kept.len() < stdout.bytes.len();
    failure
        .partial("stdout", Value::String(kept))
        .partial("stderr", Value::String(stderr.text()))
        .partial("truncated", Value::Boolean(truncated))
        .partial("stdout_bytes", Value::Integer(total(stdout)))
        .partial("stderr_bytes", Value::Integer(total(stderr)))
}

fn total(captured: &Captured) -> i64 {
    i64::try_from(captured.total).unwrap_or(i64::MAX)
}
