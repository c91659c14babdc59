//! How conditions are looked at without changing anything: files, processes and environment are real, windows are not looked at.

use std::fs;
use std::io;

use spec::condition::Test;

use crate::failure::Failure;
use crate::process::first_running;
use crate::world::{Observation, SET_EMPTY};

/// Looks at a condition at a time of the simulated clock, in microseconds; the second callback reads an environment variable.
pub type Look<'a> = Box<dyn FnMut(&Test, u64, &dyn Fn(&str) -> Option<String>) -> Result<Observation, Failure> + 'a>;

/// The largest file whose text is looked through, in bytes.
const SEARCHED_BYTES: u64 = 64 << 20;

/// Looks at the real file system, processes and environment.
///
/// # Errors
/// When it cannot be told, for instance without permission.
pub fn look(test: &Test, _now_us: u64, variable: &dyn Fn(&str) -> Option<String>) -> Result<Observation, Failure> {
    match test {
        Test::FileExists { path } => {
            let found = metadata(path)?;
            Ok(observation(found.is_some(), found.as_ref().map_or("not found".to_owned(), described)))
        }
        Test::FileAbsent { path } => {
            let found = metadata(path)?;
            Ok(observation(found.is_none(), found.as_ref().map_or("not found".to_owned(), described)))
        }
        Test::FileSizeGt { path, bytes } => {
            let found = metadata(path)?;
            let larger =
                found.as_ref().is_some_and(|found| found.is_file() && i128::from(found.len()) > i128::from(*bytes));
            Ok(observation(larger, found.as_ref().map_or("not found".to_owned(), described)))
        }
        Test::FileContains { path, text } => file_contains(path, text),
        Test::EnvVar { name } => Ok(match variable(name) {
            None => observation(false, "not set".to_owned()),
            Some(value) if value.is_empty() => observation(true, SET_EMPTY.to_owned()),
            Some(_) => observation(true, "set".to_owned()),
        }),
        Test::Always { value } => Ok(observation(*value, if *value { "always" } else { "never" }.to_owned())),
        Test::ProcessRunning { name } => match first_running(name) {
            Ok(Some(pid)) => Ok(observation(true, format!("process {pid}"))),
            Ok(None) => Ok(observation(false, "no such process".to_owned())),
            Err(error) => Err(Failure::step(error.to_string())),
        },
        // Looking would need a display.
        Test::WindowExists { .. } => Ok(observation(true, "not looked at (dry run)".to_owned())),
    }
}

fn file_contains(path: &str, text: &str) -> Result<Observation, Failure> {
    let Some(found) = metadata(path)? else { return Ok(observation(false, "not found".to_owned())) };
    if !found.is_file() {
        return Ok(observation(false, described(&found)));
    }
    if found.len() > SEARCHED_BYTES {
        return Err(Failure::step(format!("`{path}` is larger than {} MiB", SEARCHED_BYTES >> 20)));
    }
    let content = fs::read(expanded(path)).map_err(|error| unreadable(path, &error))?;
    let holds = content.windows(text.len().max(1)).any(|part| part == text.as_bytes());
    Ok(observation(holds, if holds { "found" } else { "not in the file" }.to_owned()))
}

fn metadata(path: &str) -> Result<Option<fs::Metadata>, Failure> {
    match fs::metadata(expanded(path)) {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(unreadable(path, &error)),
    }
}

fn expanded(path: &str) -> std::path::PathBuf {
    match (path.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => std::path::Path::new(&home).join(rest),
        (Some(_) | None, _) => path.into(),
    }
}

fn described(found: &fs::Metadata) -> String {
    if found.is_dir() {
        "a directory".to_owned()
    } else if found.is_file() {
        format!("{} bytes", found.len())
    } else {
        "neither a file nor a directory".to_owned()
    }
}

fn unreadable(path: &str, error: &io::Error) -> Failure {
    Failure::step(format!("cannot look at `{path}`: {}", error.kind()))
}

fn observation(holds: bool, seen: String) -> Observation {
    Observation { holds, seen }
}

#[cfg(test)]
mod tests {
    use spec::condition::Test;

    use crate::simulated::look;

    fn seen(test: Test) -> (bool, String) {
        let variable = |name: &str| (name == "EMPTY").then(String::new);
        let observed = look(&test, 0, &variable).unwrap();
        (observed.holds, observed.seen)
    }

    #[test]
    fn conditions_are_really_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        std::fs::write(path("ten"), "0123456789").unwrap();
        let exists = |name: &str| seen(Test::FileExists { path: path(name) });
        assert_eq!(exists("ten"), (true, "10 bytes".to_owned()));
        assert_eq!(exists("nine"), (false, "not found".to_owned()));
        assert_eq!(exists("ten/below"), (false, "not found".to_owned()));
        let larger = |path: String, bytes| seen(Test::FileSizeGt { path, bytes });
        assert_eq!(larger(path("ten"), 9), (true, "10 bytes".to_owned()));
        assert_eq!(larger(path("ten"), 10), (false, "10 bytes".to_owned()));
        assert_eq!(larger(path(""), 0), (false, "a directory".to_owned()));
        assert!(!seen(Test::FileAbsent { path: path("ten") }).0);
        let contains = |text: &str| seen(Test::FileContains { path: path("ten"), text: text.to_owned() }).0;
        assert!(contains("345") && !contains("354"));
        assert_eq!(seen(Test::EnvVar { name: "EMPTY".to_owned() }), (true, "set (empty)".to_owned()));
        assert_eq!(seen(Test::EnvVar { name: "NONE".to_owned() }), (false, "not set".to_owned()));
        assert!(!seen(Test::ProcessRunning { name: "no such process at all".to_owned() }).0);
    }
}
