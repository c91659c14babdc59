use std::process::{Child, Command, Stdio};

use crate::process::testing::{Folder, eventually, state};
use crate::process::{ProcessListError, first_running, is_running};

/// A child that is killed and collected at the end of the test.
struct Sleeper(Child);

impl Sleeper {
    fn new(command: &mut Command) -> Self {
        Self(command.spawn().unwrap())
    }

    fn pid(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A program of a given name that sleeps; `stem` and the number of this process make it unlike all others.
fn sleeper(dir: &Folder, stem: &str, length: usize) -> (String, Sleeper) {
    let mut name = format!("{stem}{}", std::process::id());
    while name.len() < length {
        name.push('x');
    }
    let sleep = crate::process::resolve("sleep", None, std::env::var_os("PATH").as_deref()).unwrap();
    let path = dir.copy_program(&sleep.canonicalize().unwrap(), &name);
    let sleeper = Sleeper::new(Command::new(path).arg("600"));
    (name, sleeper)
}

#[test]
fn names_of_every_length_are_found_exactly() {
    let dir = Folder::new();
    for length in [12, 14, 15, 16, 40] {
        let (name, process) = sleeper(&dir, "mcp", length);
        // The name changes a moment after the start has succeeded.
        eventually(&name, || is_running(&name).unwrap() == [process.pid()]);
        assert_eq!(first_running(&name).unwrap(), Some(process.pid()));
        for wrong in [&name[1..], &name[..name.len() - 1], &format!("{name}y"), &name[..name.len().min(15) - 1]] {
            assert!(is_running(wrong).unwrap().is_empty(), "{wrong} is not {name}");
        }
        if length > 15 {
            assert!(is_running(&name[..15]).unwrap().is_empty());
        }
    }
}

#[test]
fn a_script_with_a_long_name_is_found() {
    let dir = Folder::new();
    let name = format!("a-script-with-a-long-name-{}", std::process::id());
    // It waits for the end of its input, which this process holds open, and starts no other program.
    let path = dir.script(&name, "read line");
    let mut process = Sleeper::new(Command::new(path).stdin(Stdio::piped()));
    eventually("it is found", || is_running(&name).unwrap() == [process.pid()]);
    drop(process.0.stdin.take());
    process.0.wait().unwrap();
    assert!(is_running(&name).unwrap().is_empty());
}

#[test]
fn zombies_and_this_process_do_not_count() {
    let dir = Folder::new();
    let (name, mut process) = sleeper(&dir, "mcz", 12);
    eventually("it runs", || is_running(&name).unwrap().len() == 1);
    process.0.kill().unwrap();
    eventually("it is a zombie", || state(process.pid()) == Some('Z'));
    assert!(is_running(&name).unwrap().is_empty());
    let own = std::env::current_exe().unwrap();
    let own = own.file_name().unwrap().to_str().unwrap();
    assert!(!is_running(own).unwrap().contains(&std::process::id()));
}

#[test]
fn impossible_names_are_refused() {
    for name in ["", "/bin/sh", "a\0"] {
        assert!(matches!(is_running(name), Err(ProcessListError::BadName { .. })), "{name:?}");
    }
    assert!(is_running("no process has this name").unwrap().is_empty());
    assert_eq!(first_running("[").unwrap(), None);
}
