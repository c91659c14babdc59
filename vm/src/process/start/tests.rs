use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::process::testing::{Folder, Killed, eventually, is_alive, state};
use crate::process::{Deadline, Exit, Interrupt, Reaper, Start, StartError, Started, start};

fn begin(what: &Start, reaper: &Reaper) -> Result<Started, StartError> {
    start(what, Deadline::after(Duration::from_secs(120)), &Interrupt::new().unwrap(), reaper)
}

fn sh(script: &str, log: Option<PathBuf>) -> Start {
    Start { log_file: log, ..Start::new(["sh", "-c", script]) }
}

fn link(pid: u32, fd: u32) -> PathBuf {
    fs::read_link(format!("/proc/{pid}/fd/{fd}")).unwrap()
}

#[test]
fn it_runs_in_a_session_of_its_own_with_nothing_of_ours() {
    let dir = Folder::new();
    let lock = rustix::io::dup(fs::File::open(dir.file("lock", "")).unwrap()).unwrap();
    let reaper = Reaper::default();
    let started = begin(&Start::new(["sleep", "600"]), &reaper).unwrap();
    let _killed = Killed(started.pid);
    drop(lock);
    assert_eq!(started.exit, None);
    let stat = fs::read_to_string(format!("/proc/{}/stat", started.pid)).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    // After the state and the parent: process group, session, terminal.
    assert_eq!(fields[2..5], [started.pid.to_string(), started.pid.to_string(), "0".to_owned()]);
    for fd in 0..3 {
        assert_eq!(link(started.pid, fd), Path::new("/dev/null"));
    }
    assert_eq!(fs::read_dir(format!("/proc/{}/fd", started.pid)).unwrap().count(), 3);
    assert_eq!(reaper.alive(), 1);
}

#[test]
fn a_bad_end_within_the_grace_is_a_failure() {
    let reaper = Reaper::default();
    let error = begin(&Start::new(["false"]), &reaper).unwrap_err();
    assert_eq!(error.to_string(), "`false` ended at once with exit code 1");
    let error = begin(&sh("kill -9 $$", None), &reaper).unwrap_err();
    assert!(matches!(error, StartError::EndedAtOnce { status: Exit::Signal(9), .. }), "{error}");
    let done = begin(&Start::new(["true"]), &reaper).unwrap();
    assert_eq!((done.exit, reaper.alive()), (Some(Exit::Code(0)), 0));
    assert_eq!(state(done.pid), None);
}

#[test]
fn the_failure_shows_the_end_of_the_log() {
    let dir = Folder::new();
    let log = dir.file("log", "of an earlier run\n");
    let error = begin(&sh("echo out; echo bad port >&2; exit 7", Some(log.clone())), &Reaper::default()).unwrap_err();
    assert_eq!(error.to_string(), "`sh` ended at once with exit code 7; its log ends with:\nout\nbad port");
    assert_eq!(dir.read("log"), "of an earlier run\nout\nbad port\n");
    let long = "i=0; while [ $i -lt 2000 ]; do printf é; i=$((i+1)); done; exit 1";
    let error = begin(&sh(long, Some(log)), &Reaper::default()).unwrap_err();
    let StartError::EndedAtOnce { log_tail, .. } = error else { panic!("{error}") };
    let shown = log_tail.strip_prefix('…').unwrap();
    assert!(!shown.is_empty() && shown.len() <= 2048 && shown.chars().all(|c| c == 'é'));
}

#[test]
fn a_log_that_cannot_be_written_is_named() {
    let dir = Folder::new();
    let pipe = dir.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for log in [PathBuf::from("/nowhere/x.log"), dir.path().to_path_buf()] {
        let error = begin(&sh("sleep 600", Some(log.clone())), &Reaper::default()).unwrap_err();
        assert!(error.to_string().contains(&format!("`{}`", log.display())), "{error}");
    }
    // Opened for reading and writing a pipe has a reader, this process, until the program runs.
    let began = Instant::now();
    let started = begin(&sh("exec sleep 600", Some(pipe)), &Reaper::default());
    let _killed = started.map(|started| Killed(started.pid));
    assert!(began.elapsed() < Duration::from_secs(60));
}

#[test]
fn what_does_not_exist_is_not_started() {
    let error = begin(&Start::new(["nosuchprogram"]), &Reaper::default()).unwrap_err();
    assert!(error.to_string().starts_with("program `nosuchprogram` not found"), "{error}");
    let dir = Folder::new();
    let lost = dir.copy_program(&dir.file("lost.text", "#!/nowhere/interpreter\n"), "lost");
    let error = begin(&Start::new([lost.to_str().unwrap()]), &Reaper::default()).unwrap_err();
    assert!(error.to_string().contains("interpreter"), "{error}");
}

#[test]
fn the_dead_do_not_stay() {
    let reaper = Reaper::default();
    let started: Vec<u32> = (0..3).map(|_| begin(&Start::new(["sleep", "0.5"]), &reaper).unwrap().pid).collect();
    eventually("all are collected", || started.iter().all(|pid| state(*pid).is_none()));
    eventually("the reaper knows", || reaper.alive() == 0);
}

#[test]
fn folder_and_variables_are_those_given() {
    let dir = Folder::new();
    let what = Start {
        cwd: Some(dir.path().into()),
        env: vec![("WORD".into(), Some("hi".into())), ("HOME".into(), None)],
        ..sh("echo $WORD ${HOME-gone} > said", None)
    };
    begin(&what, &Reaper::default()).unwrap();
    eventually("it wrote", || dir.read("said") == "hi gone\n");
}

#[test]
fn an_interrupt_ends_the_watching_and_not_the_program() {
    let interrupt = Interrupt::new().unwrap();
    let reaper = Reaper::default();
    let started =
        start(&Start::new(["sleep", "600"]), Deadline::after(Duration::from_millis(140)), &interrupt, &reaper);
    let pid = Killed(started.unwrap().pid);
    assert!(is_alive(pid.0));
    interrupt.raise(2);
    let error = start(&Start::new(["sleep", "600"]), Deadline::never(), &interrupt, &reaper).unwrap_err();
    assert!(matches!(error, StartError::Interrupted { signal: 2 }));
    interrupt.clear();
    let error = start(&Start::new(["sleep", "600"]), Deadline::after(Duration::ZERO), &interrupt, &reaper).unwrap_err();
    assert!(matches!(error, StartError::TimedOut { .. }));
}
