//! Every condition on real files and processes.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use spec::condition::Test;
use spec::value::Value;

use crate::backends::testing::{IntoValue, observe};
use crate::desktop::SharedDesktop;
use crate::failure::FailureKind;
use crate::files::RealFiles;
use crate::process::Interrupt;
use crate::process::testing::{Folder, Killed, eventually};
use crate::real::RealWorld;
use crate::world::{Call, Warnings};

fn look(name: &str, given: &[Value]) -> (bool, String) {
    let observation = observe(&mut RealWorld::new(), name, given).unwrap();
    (observation.holds, observation.seen)
}

fn is(holds: bool, seen: &str) -> (bool, String) {
    (holds, seen.to_owned())
}

#[test]
fn files_on_odd_paths() {
    let dir = Folder::new();
    let at = |name: &str| dir.path().join(name).as_path().into_value();
    dir.folder("d");
    dir.file("ten", "0123456789");
    dir.file("a ", "x");
    symlink("ten", dir.path().join("link")).unwrap();
    symlink("nothing", dir.path().join("dangling")).unwrap();
    symlink("loop", dir.path().join("loop")).unwrap();

    assert_eq!(look("file_exists", &[at("ten")]), is(true, "a file of 10 bytes"));
    assert_eq!(look("file_exists", &[at("d")]), is(true, "a directory"));
    assert!(look("file_exists", &[at("link")]).0);
    assert_eq!(look("file_exists", &[at("dangling")]), is(false, "not found: a symbolic link to nothing"));
    assert_eq!(look("file_exists", &[at("none")]), is(false, "not found"));
    assert!(look("file_exists", &[at("a ")]).0);
    assert!(!look("file_exists", &[at("a")]).0);
    assert_eq!(look("file_exists", &["/dev/null".into_value()]), is(true, "a device"));

    let size = |name: &str, bytes: i64| look("file_size_gt", &[at(name), Value::Integer(bytes)]);
    assert_eq!(size("d", 0), is(false, "a directory"));
    assert!(!size("dangling", 0).0);
    assert_eq!(size("link", 9), is(true, "a file of 10 bytes"));
    assert!(!size("link", 10).0);
    assert_eq!(size("none", 0), is(false, "not found"));

    assert_eq!(look("file_absent", &[at("none")]), is(true, "not found"));
    assert!(look("file_absent", &[at("ten/x")]).0);
    assert!(!look("file_absent", &[at("ten")]).0);
    assert!(!look("file_absent", &[at("d")]).0);
    assert_eq!(look("file_absent", &[at("dangling")]), is(false, "a symbolic link to nothing"));
    assert!(!look("file_absent", &[at("loop")]).0);

    let contains = |name: &str, text: &str| look("file_contains", &[at(name), text.into_value()]);
    assert_eq!(contains("link", "567"), is(true, "a file of 10 bytes with the text"));
    assert_eq!(contains("ten", "76"), is(false, "a file of 10 bytes without the text"));
    assert_eq!(contains("none", "x"), is(false, "not found"));
    assert_eq!(contains("d", "x"), is(false, "a directory"));
}

#[test]
fn what_may_not_be_looked_at_is_no_answer() {
    // Only where modes bind: they do not bind root.
    let secret = Path::new("/proc/1/root/x");
    if fs::metadata(secret).is_err_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied) {
        for name in ["file_exists", "file_absent"] {
            let failure = observe(&mut RealWorld::new(), name, &[secret.into_value()]).unwrap_err();
            assert_eq!(failure.message, "`/proc/1/root/x`: permission denied");
        }
    }
}

#[test]
fn the_home_folder_is_expanded() {
    let home = std::env::var("HOME").unwrap_or_default();
    if Path::new(&home).is_dir() {
        assert_eq!(look("file_exists", &["~/".into_value()]), is(true, "a directory"));
    }
    assert_eq!(look("file_exists", &["~no-such-user/x".into_value()]), is(false, "not found"));
}

#[test]
fn processes_by_their_exact_name() {
    let dir = Folder::new();
    let sleep = crate::process::resolve("sleep", None, None).unwrap();
    let program = dir.copy_program(&fs::canonicalize(sleep).unwrap(), "sleeper-under-test");
    // Some systems have one program for many names, which goes by the first word.
    let mut child = std::process::Command::new(program).arg("600").spawn().unwrap();
    let running = Killed(child.id());
    let name = |name: &str| look("process_running", &[name.into_value()]);
    if child.try_wait().unwrap().is_none() {
        eventually("it is seen", || name("sleeper-under-test") == is(true, &format!("process {}", running.0)));
    }
    assert_eq!(name("sleeper-under"), is(false, "no such process"));
    let failure = observe(&mut RealWorld::new(), "process_running", &["a/b".into_value()]).unwrap_err();
    assert_eq!(failure.kind, FailureKind::BadArgument);
    drop(running);
    let _ = child.wait();
}

#[test]
fn variables_and_constants() {
    let told = |value: Option<&str>| crate::backends::conditions::variable(value.map(str::as_ref)).seen;
    assert_eq!([told(None), told(Some("")), told(Some("x"))], ["not set", "set (empty)", "set"]);
    assert_eq!(look("env_var", &["PATH".into_value()]), is(true, "set"));
    assert_eq!(look("env_var", &["MACROCLI_NO_SUCH_VARIABLE".into_value()]), is(false, "not set"));
    assert!(look("always", &[true.into_value()]).0);
    assert!(!look("always", &["false".into_value()]).0);
}

#[test]
fn windows_cannot_be_seen_without_a_display() {
    let desktop = SharedDesktop::absent("no DISPLAY", "start one");
    let interrupt = Interrupt::new().unwrap();
    let warnings = Warnings::default();
    let remaining = Duration::from_secs(60);
    let call = Call {
        remaining,
        interrupt: &interrupt,
        streams: &[],
        images: &[],
        warnings: &warnings,
        macro_name: "m",
        step: "s",
    };
    let test = Test::WindowExists { title: "x".to_owned() };
    let failure = crate::backends::conditions::observe(&RealFiles, &desktop, &test, &call).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unavailable);
    assert_eq!(failure.message, "windows cannot be seen: no DISPLAY");
    assert_eq!(failure.hint.as_deref(), Some("start one"));
}
