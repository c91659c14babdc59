//! What a call leaves in the system: its document, the processes it started, the memory it took.

use std::fs;
use std::path::Path;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::harness::{Outcome, Place};

/// Long enough for a busy machine, and shorter than every sleep in these tests.
pub const SOON: Duration = Duration::from_secs(25);

/// Where the program is.
pub const MACROCLI: &str = env!("CARGO_BIN_EXE_macrocli");

/// A place with the macro `m.yaml` of these lines after its name.
pub fn with(rest: &str) -> Place {
    Place::new().file("m.yaml", format!("name: m\n{rest}"))
}

/// The document of `run m.yaml --json` with more words, which exits with `status`.
pub fn document(place: &Place, more: &[&str], status: i32) -> Value {
    let words: Vec<&str> = ["run", "m.yaml", "--json"].iter().chain(more).copied().collect();
    place.call(&words).status(status).json()
}

/// The outcome of a script for `/bin/sh`, in which `$0` is macrocli.
pub fn scripted(place: &Place, script: &str) -> Outcome {
    place.call_as(Path::new("/bin/sh"), &["-c", script, MACROCLI]).run()
}

/// The report of a step.
pub fn step<'a>(document: &'a Value, id: &str) -> &'a Value {
    let steps = document["steps"].as_array().unwrap();
    steps.iter().find(|step| step["id"] == id).unwrap_or_else(|| panic!("no step {id:?} in {document:#}"))
}

/// Each step's id and status.
pub fn statuses(document: &Value) -> Vec<(&str, &str)> {
    let steps = document["steps"].as_array().unwrap().iter();
    steps.map(|step| (step["id"].as_str().unwrap(), step["status"].as_str().unwrap())).collect()
}

/// Waits until something is so.
pub fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < SOON, "never came: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for a file.
pub fn appears(place: &Place, path: &str) {
    eventually(path, || place.path(path).exists().then_some(()));
}

/// A process of a test, killed when the test ends.
pub struct Process(pub i32);

impl Process {
    /// The process whose number is, or will be, on a line of a file.
    pub fn noted(place: &Place, path: &str) -> Self {
        let read = || fs::read_to_string(place.path(path)).ok().filter(|text| text.ends_with('\n'));
        Process(eventually(path, read).trim().parse().unwrap())
    }

    /// The fields of its `stat` behind the name: state, parent, group, session; none when it is gone.
    pub fn stat(&self) -> Option<Vec<String>> {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.0)).ok()?;
        Some(text.rsplit_once(')')?.1.split_whitespace().map(str::to_owned).collect())
    }

    /// Whether it runs; one that waits to be collected does not.
    pub fn runs(&self) -> bool {
        self.stat().is_some_and(|fields| fields[0] != "Z" && fields[0] != "X")
    }

    /// Waits until it does not run any more.
    pub fn ends(&self) {
        eventually("the end of a process", || (!self.runs()).then_some(()));
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.runs() {
            let _ = kill_process(Pid::from_raw(self.0).unwrap(), Signal::KILL);
        }
    }
}

/// Sends a signal to a call.
pub fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// Waits until a run has called its display and sleeps: for a while none of its threads has done anything.
pub fn rests(run: &Child) {
    let id = run.id();
    let calls = || {
        let links = fs::read_dir(format!("/proc/{id}/fd")).ok()?.flatten();
        links.filter_map(|link| fs::read_link(link.path()).ok()).find(|to| to.to_string_lossy().starts_with("socket:"))
    };
    let switches = || -> Option<String> {
        let threads = fs::read_dir(format!("/proc/{id}/task")).ok()?.flatten();
        let status = |thread: fs::DirEntry| fs::read_to_string(thread.path().join("status")).ok();
        let told = threads.filter_map(status).collect::<String>();
        let told: Vec<&str> =
            told.lines().filter(|line| line.contains("ctxt_switches") || line.starts_with("State")).collect();
        told.iter().all(|line| !line.starts_with("State") || line.contains("sleeping")).then(|| told.join("\n"))
    };
    eventually("a run that waits", || {
        calls()?;
        let before = switches()?;
        thread::sleep(Duration::from_millis(60));
        (switches()? == before).then_some(())
    });
}

/// Follows the most memory a call has had, in KiB, until it ends.
pub fn peak(child: &Child) -> thread::JoinHandle<u64> {
    let path = format!("/proc/{}/status", child.id());
    thread::spawn(move || {
        let mut peak = 0;
        while let Ok(text) = fs::read_to_string(&path) {
            let Some(line) = text.lines().find_map(|line| line.strip_prefix("VmHWM:")) else { break };
            peak = line.trim().trim_end_matches("kB").trim().parse().unwrap();
            thread::sleep(Duration::from_millis(5));
        }
        peak
    })
}
