//! Command lines one after another, from a script and from a terminal.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::{Deserializer, Value, json};

use crate::harness::Place;

const PATIENCE: Duration = Duration::from_secs(40);

const ECHO: &str = "name: m\nparameters: {n: {type: string, default: x}, password: string}\noutputs: [{name: said, value: \"${n}\"}]\nsteps: [{id: say, action: run_command, params: {command: [echo, \"${n}\"]}}]\n";

/// A program on a terminal of its own.
struct Terminal {
    master: File,
    child: Child,
    shown: Arc<Mutex<String>>,
    /// What was looked at.
    seen: usize,
}

impl Terminal {
    fn new(place: &Place, words: &[&str]) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let end = OpenOptions::new().read(true).write(true).open(name).unwrap();
        let mut command = Command::new("setsid");
        command.arg("--ctty").arg(env!("CARGO_BIN_EXE_macrocli")).args(words).current_dir(place.path("")).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", place.path("")).env("TERM", "xterm");
        command.env("MACROCLI_HOME", place.own()).env("NO_COLOR", "1");
        command.stdin(end.try_clone().unwrap()).stdout(end.try_clone().unwrap()).stderr(end);
        let child = command.spawn().unwrap();
        drop(command);
        let master = File::from(master);
        let shown = Arc::new(Mutex::new(String::new()));
        let (mut from, to) = (master.try_clone().unwrap(), Arc::clone(&shown));
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = from.read(&mut bytes) {
                to.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        });
        Self { master, child, shown, seen: 0 }
    }

    fn keys(&mut self, text: &str) {
        self.master.write_all(text.as_bytes()).unwrap();
    }

    /// Waits until this is shown after all that was waited for before.
    fn shows(&mut self, text: &str) {
        let began = Instant::now();
        loop {
            let shown = self.shown.lock().unwrap().clone();
            if let Some(place) = shown[self.seen..].find(text) {
                self.seen += place + text.len();
                return;
            }
            assert!(began.elapsed() < PATIENCE, "{text:?} is not in {:?}", &shown[self.seen..]);
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn prompt(&mut self) {
        self.shows("macrocli> ");
    }

    fn ends(&mut self) -> Option<i32> {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(began.elapsed() < PATIENCE, "it does not end: {:?}", self.shown.lock().unwrap());
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_script_has_a_document_for_each_line() {
    let place = Place::new().file("m.yaml", ECHO).file("two words.yaml", ECHO);
    let script = "run m.yaml -p 'n=a b'\n\n# a comment\nlast.output.said\nlast.output.nothing\nrun nope\nno-such-verb\nsay 'this\n  run \"two words.yaml\" --dry-run\nmacro run m.yaml\nlast.telemetry.session_id\nsession status\nrepl\nexit\nlist\n";
    let outcome = place.call(&["--json", "repl", "--session-id", "s"]).stdin(script).status(2);
    let told: Vec<Value> = Deserializer::from_str(&outcome.stdout).into_iter().map(Result::unwrap).collect();
    let brief: Vec<Value> = told
        .iter()
        .map(|told| if told["schema"].is_null() { told.clone() } else { json!([told["schema"], told["exit_code"]]) })
        .collect();
    assert_eq!(told.len(), 11, "{told:#?}");
    assert_eq!(brief[0], json!(["macrocli.run/1", 0]));
    assert_eq!(brief[1], "a b");
    for refused in [2, 4, 5, 10] {
        assert_eq!(brief[refused], json!(["macrocli.error/1", 2]), "{refused}");
    }
    assert_eq!(brief[3], json!(["macrocli.run/1", 2]));
    assert_eq!((&brief[6], &told[6]["telemetry"]["dry_run"]), (&json!(["macrocli.run/1", 0]), &json!(true)));
    assert_eq!((&brief[7], &brief[8]), (&json!(["macrocli.run/1", 0]), &json!("s")));
    assert_eq!(told[9]["runs"], 3);
}

#[test]
fn the_exit_code_is_that_of_the_last_line() {
    let place = Place::new().file("m.yaml", ECHO);
    for (script, status) in
        [("", 0), ("run nope\nrun m.yaml\n", 0), ("run m.yaml\nrun nope", 2), ("explain E9999\nexit\nlist\n", 2)]
    {
        place.call(&["repl"]).stdin(script).status(status);
    }
    let outcome = place.call(&["repl"]).stdin("run m.yaml -p n=äö\nlast.output\nlast.output.said\n").status(0);
    assert_eq!(outcome.stdout, "said: äö\n{\"said\":\"äö\"}\näö\n");
    // What is no line ends nothing.
    let long = "x".repeat(1 << 20);
    let outcome = place.call(&["repl", "--json"]).stdin(&format!("{long}{long}\nlast\nrun m.yaml\n")).status(0);
    assert_eq!(Deserializer::from_str(&outcome.stdout).into_iter::<Value>().count(), 3);
    // A command may read what follows.
    let outcome = place.call(&["repl"]).stdin("run - --params-json '{\"n\": \"last\"}'\nname: inner\nparameters: {n: string}\nsteps: []\noutputs: [{name: o, value: \"${n:-}\"}]\n").status(0);
    assert_eq!(outcome.stdout, "o: last\n");
}

#[test]
fn without_a_terminal_a_command_is_missing() {
    let place = Place::new();
    place.call(&[]).stdin("list\n").status(2).tells("Usage");
    assert_eq!(place.call(&["--json"]).status(2).json()["error_code"], "usage");
}

#[test]
fn a_terminal_has_a_line_editor() {
    let place = Place::new().file("m.yaml", ECHO).file("sub/long_name.yaml", ECHO);
    let mut terminal = Terminal::new(&place, &[]);
    terminal.shows("`help` shows the commands");
    terminal.prompt();
    terminal.keys("insp\t");
    terminal.shows("inspect ");
    terminal.keys("sub/lo\t\r");
    terminal.shows("sub/long_name.yaml");
    terminal.shows("content_hash");
    terminal.prompt();
    // A line that is not finished is left.
    terminal.keys("run m.ya\u{3}");
    terminal.prompt();
    terminal.keys("run m.yaml -p n=first\r");
    terminal.shows("said: first");
    terminal.prompt();
    terminal.keys("run m.yaml --param password=hunter2\r");
    terminal.shows("said: x");
    terminal.prompt();
    terminal.keys("run nope\r");
    terminal.shows("unknown macro `nope`");
    terminal.prompt();
    // The line before the last is there again.
    terminal.keys("\u{1b}[A\u{1b}[A\r");
    terminal.shows("said: first");
    terminal.prompt();
    terminal.keys("help\r");
    terminal.shows("Here also:");
    terminal.prompt();
    terminal.keys("\u{4}");
    assert_eq!(terminal.ends(), Some(0));
    let file = place.own().join("repl_history");
    let kept = fs::read_to_string(&file).unwrap();
    assert!(kept.contains("n=first") && kept.contains("run nope") && !kept.contains("hunter2"), "{kept}");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let mut terminal = Terminal::new(&place, &["repl"]);
    terminal.prompt();
    terminal.keys("\u{1b}[A");
    terminal.shows("help");
    terminal.keys("\u{3}");
    terminal.prompt();
    terminal.keys("exit\r");
    assert_eq!(terminal.ends(), Some(0));
}

#[test]
fn lines_that_may_have_a_secret_are_not_kept_whatever_becomes_of_them() {
    let secret = "name: m\nparameters: {code: {type: string, secret: true}}\nsteps: []\n";
    let place = Place::new().file("m.yaml", ECHO).file("s.yaml", secret);
    let place = place.file("bad.yaml", format!("{secret}nonsense: 1\n"));
    let place = place.file("danger.yaml", format!("{secret}agent_hints: {{danger_level: dangerous}}\n"));
    let mut terminal = Terminal::new(&place, &[]);
    for (line, shown) in [
        ("run s.yaml -p code=47110", "secret, and the command line"),
        ("run s.yaml -p code=47111 --nonsense", "--nonsense"),
        ("run nope -p code=47112", "unknown macro `nope`"),
        ("run bad.yaml -p code=47113", "nonsense"),
        ("run danger.yaml -p code=47114 --json", "\"refused\""),
        ("run s.yaml -p cdoe=47115", "cdoe"),
        ("run s.yaml -p 'code=47116", "a quote is not closed"),
        ("run m.yaml -p n=open", "said: open"),
    ] {
        terminal.prompt();
        terminal.keys(&format!("{line}\r"));
        terminal.shows("\n");
        terminal.shows(shown);
    }
    terminal.prompt();
    terminal.keys("\u{4}");
    assert_eq!(terminal.ends(), Some(0));
    let kept = fs::read_to_string(place.own().join("repl_history")).unwrap();
    assert!(kept.contains("n=open") && !kept.contains("4711"), "{kept}");
}

#[test]
fn ctrl_c_stops_the_macro_and_nothing_else() {
    let text = "name: m\nsteps: [{id: s, action: run_command, params: {command: [sh, -c, 'echo x >> begun; sleep 61']}}]\nfinally: [{id: f, action: run_command, params: {command: [touch, ended]}}]\n";
    let place = Place::new().file("m.yaml", text);
    let mut terminal = Terminal::new(&place, &[]);
    terminal.prompt();
    for turn in 1..=2 {
        terminal.keys("run m.yaml\r");
        let began = Instant::now();
        while fs::read_to_string(place.path("begun")).unwrap_or_default().len() < 2 * turn {
            assert!(began.elapsed() < PATIENCE);
            thread::sleep(Duration::from_millis(5));
        }
        terminal.keys("\u{3}");
        terminal.shows("interrupted by signal 2 (SIGINT)");
        terminal.prompt();
        terminal.keys("last.exit_code\r");
        terminal.shows("\n130");
        terminal.prompt();
        fs::remove_file(place.path("ended")).unwrap();
    }
    terminal.keys("exit\r");
    assert_eq!(terminal.ends(), Some(0));
}

#[test]
fn a_history_that_is_a_link_is_not_followed() {
    let place = Place::new().file("victim", "untouched");
    std::os::unix::fs::symlink(place.path("victim"), place.own().join("repl_history")).unwrap();
    let mut terminal = Terminal::new(&place, &[]);
    terminal.prompt();
    terminal.keys("explain E0101\r");
    terminal.shows("E0101");
    terminal.prompt();
    terminal.keys("exit\r");
    assert_eq!((terminal.ends(), &*place.read("victim")), (Some(0), "untouched"));
}
