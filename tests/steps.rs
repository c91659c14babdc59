//! Steps run for real in a folder: what one of them gave, or why it failed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::{Outcome, Place};

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_macrocli");

/// Why a step, or the macro before it, was refused.
#[derive(Debug)]
pub struct Refusal {
    /// The exit code.
    pub exit: i32,
    /// The whole message, diagnostics included.
    pub message: String,
}

impl Refusal {
    /// The message has all of these.
    pub fn says(&self, parts: &[&str]) {
        for part in parts {
            assert!(self.message.contains(part), "no {part:?} in {self:#?}");
        }
    }
}

/// A step of `file_transform`.
pub fn step(action: &str, params: &Value) -> Value {
    json!({"backend": "file_transform", "action": action, "params": params})
}

/// A macro of these steps, as text: JSON is YAML.
pub fn of_steps(steps: &[Value]) -> String {
    json!({"name": "under_test", "steps": steps}).to_string()
}

/// Runs one action of `file_transform` and gives its output.
///
/// # Errors
/// The refusal; one of the step names it.
pub fn act(place: &Place, action: &str, params: Value) -> Result<Value, Refusal> {
    place.write("under_test.yaml", of_steps(&[step(action, &params)]));
    output(&place.call(&["--json", "run", "./under_test.yaml"]).run())
}

/// The output of a run's first step.
///
/// # Errors
/// The refusal.
pub fn output(outcome: &Outcome) -> Result<Value, Refusal> {
    let document = outcome.json();
    assert_eq!(document["exit_code"], outcome.status, "{outcome:#?}");
    assert_eq!(document["success"], outcome.status == 0, "{outcome:#?}");
    if outcome.status == 0 {
        return Ok(document["steps"][0]["output"].clone());
    }
    let mut message = document["error"].as_str().unwrap().to_owned();
    if outcome.status == 1 {
        assert!(message.contains("step `step_0`"), "{outcome:#?}");
    }
    if let Some(diagnostics) = document.get("diagnostics") {
        message.push_str(&diagnostics.to_string());
    }
    Err(Refusal { exit: outcome.status, message })
}

/// What a reader outside this project makes of something, when Python is there: the script's standard output.
pub fn python(script: &str, arguments: &[&Path]) -> Option<String> {
    let output = Command::new("python3").arg("-c").arg(script).args(arguments).output().ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

/// What must stay equal of a file that is not touched: bytes, number, mode, and time of change.
#[cfg(unix)]
pub fn stamp(path: &Path) -> (Vec<u8>, u64, u32, i64, i64) {
    use std::os::unix::fs::MetadataExt;
    let found = fs::metadata(path).unwrap();
    (fs::read(path).unwrap(), found.ino(), found.mode(), found.mtime(), found.mtime_nsec())
}

/// Everything below a folder, sorted: paths, links' texts, sizes and bytes of files.
pub fn tree(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut ahead = vec![folder.to_owned()];
    while let Some(folder) = ahead.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            let content = if metadata.is_symlink() {
                format!("-> {}", fs::read_link(&path).unwrap().display())
            } else if metadata.is_dir() {
                ahead.push(path.clone());
                "folder".to_owned()
            } else {
                format!("{:?} {:?}", metadata.modified().unwrap(), fs::read(&path).unwrap())
            };
            found.push((path, content));
        }
    }
    found.sort();
    found
}

/// A call through `sh`, which can set limits and masks first: `"$0" "$@"` is the call.
pub fn shell(place: &Place, script: &str, words: &[&str]) -> Outcome {
    let mut all = vec!["-c", script, PROGRAM];
    all.extend(words);
    place.call_as(Path::new("sh"), &all).run()
}

/// A call without root's rights, in a folder that everyone may write to.
#[cfg(unix)]
pub fn as_nobody(place: &Place, words: &[&str]) -> Outcome {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let root = fs::metadata("/proc/self").is_ok_and(|found| found.uid() == 0);
    if !root {
        return place.call(words).run();
    }
    fs::set_permissions(place.path(""), fs::Permissions::from_mode(0o777)).unwrap();
    // The built program may lie where only its owner can go.
    let program = place.path("macrocli-under-test");
    if !program.exists() {
        fs::copy(PROGRAM, &program).unwrap();
    }
    let mut all = vec!["--reuid=65534", "--regid=65534", "--clear-groups", program.to_str().unwrap()];
    all.extend(words);
    // macrocli's own folder belongs to whoever runs the tests.
    place.call_as(Path::new("setpriv"), &all).env("MACROCLI_HISTORY", "off").run()
}
