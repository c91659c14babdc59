//! What the system knows of the process of an application that does not answer.

use std::fs;
use std::io::Read;

/// Most bytes of a command line that are looked at.
const COMMAND: u64 = 4_096;

/// The process of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    /// Whether it is stopped, by a signal or a debugger: it answers nothing until it goes on.
    pub stopped: bool,
    /// Whether its name or command line is that of one that is looked for.
    pub meant: bool,
}

impl Process {
    /// Looks at a process; one that is not known may be any.
    pub fn look(pid: Option<u32>, wanted: &dyn Fn(&str) -> bool) -> Self {
        let Some(pid) = pid else { return Self { stopped: false, meant: true } };
        Self { stopped: stopped(pid), meant: name(pid).is_some_and(|name| wanted(&name)) || wanted(&command(pid)) }
    }
}

/// The name of a process.
pub fn name(pid: u32) -> Option<String> {
    fs::read_to_string(format!("/proc/{pid}/comm")).ok().map(|name| name.trim().to_owned())
}

fn stopped(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name, in parentheses, may have blanks and parentheses of its own.
    stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['T', 't']))
}

fn command(pid: u32) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = fs::File::open(format!("/proc/{pid}/cmdline")) {
        let _ = file.take(COMMAND).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).replace('\0', " ")
}
