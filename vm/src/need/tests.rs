use spec::action::{Action, Arguments};
use spec::artifact::{Capability, Event, EventKind, Stream};
use spec::condition::Condition;
use spec::value::{Dict, Value};

use crate::need::{Need, kept_decisions, of_action, of_condition};

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn arguments(action: Action, given: &[(&str, Value)]) -> Arguments {
    let one = |name: &str| given.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
    action.parameters().iter().map(|parameter| one(parameter.name)).collect()
}

fn needs(action: Action, given: &[(&str, Value)]) -> Vec<(Capability, String)> {
    let found = of_action(action, &arguments(action, given), &[]);
    found.into_iter().map(|need| (need.capability, need.name)).collect()
}

#[test]
fn a_command_needs_its_program() {
    let command = |words: &[&str]| ("command", Value::List(words.iter().map(|word| text(word)).collect()));
    assert_eq!(needs(Action::RunCommand, &[command(&["ls", "-l"])]), [(Capability::Run, "ls".to_owned())]);
    let found = needs(Action::RunCommand, &[command(&["./tool"]), ("cwd", text("/opt"))]);
    assert_eq!(found, [(Capability::Run, "/opt/./tool".to_owned())]);
    // A PATH of its own decides which file it is.
    let env = Value::Dict(Dict::from_iter([("PATH".to_owned(), text("/usr/bin:/bin"))]));
    let found = needs(Action::RunCommand, &[command(&["sh"]), ("env", env)]);
    assert!(found[0].1.ends_with("/sh"), "{found:?}");
    assert_eq!(found[1..], [(Capability::Env, "PATH".to_owned())]);
    for action in [Action::RunCommand, Action::StartProcess] {
        let env = [("LD_PRELOAD".to_owned(), text("x.so")), ("GIT_DIR".to_owned(), Value::Null)];
        let found = needs(action, &[command(&["ls"]), ("env", Value::Dict(Dict::from_iter(env)))]);
        let set = ["LD_PRELOAD", "GIT_DIR"].map(|name| (Capability::Env, name.to_owned()));
        assert_eq!(found[1..3], set, "{action:?}");
    }
    let found = needs(Action::StartProcess, &[command(&["ls"]), ("log_file", text("log"))]);
    assert_eq!(found, [(Capability::Run, "ls".to_owned()), (Capability::Write, "log".to_owned())]);
}

#[test]
fn files_are_read_and_written() {
    let given = [("input_file", text("a")), ("path", text("k")), ("value", Value::Integer(1))];
    assert_eq!(
        needs(Action::JsonSet, &given),
        [(Capability::Read, "a".to_owned()), (Capability::Write, "a".to_owned())]
    );
    let copied = of_action(
        Action::CopyFile,
        &arguments(Action::CopyFile, &[("src", text("/x/a.txt")), ("dst", text("out"))]),
        &[],
    );
    assert_eq!(copied[1], Need { inside: Some("a.txt".to_owned()), ..Need::named(Capability::Write, "out") });
    let found = of_condition(Condition::FileContains, &[text("/x"), text("y")]);
    assert_eq!(found, [Need::named(Capability::Read, "/x")]);
    assert_eq!(of_condition(Condition::EnvVar, &[text("A")]), [Need::named(Capability::Env, "A")]);
    assert_eq!(of_condition(Condition::ProcessRunning, &[text("sh")]), []);
}

#[test]
fn devices_are_needed_when_they_are_used() {
    let devices = |action: Action, given: &[(&str, Value)]| -> Vec<Capability> {
        needs(action, given).into_iter().map(|(capability, _)| capability).collect()
    };
    assert_eq!(devices(Action::UiTypeText, &[("text", text("x"))]), [Capability::Type]);
    assert_eq!(devices(Action::ClickImage, &[("template", text("a.png"))]), [Capability::Click, Capability::Capture]);
    assert_eq!(devices(Action::Scroll, &[]), [Capability::Click]);
    assert_eq!(devices(Action::Scroll, &[("template", text("a.png"))]), [Capability::Click, Capability::Capture]);
    let field = [("label", text("a")), ("app_name", text("w"))];
    for action in [Action::ButtonClick, Action::Toggle, Action::Select, Action::MenuClick] {
        assert_eq!(devices(action, &field), [Capability::Window, Capability::Click], "{action:?}");
    }
    for action in [Action::CloseWindow, Action::MoveWindow] {
        let found = devices(action, &[("title_contains", text("w"))]);
        assert_eq!(found, [Capability::Window, Capability::Click], "{action:?}");
    }
    assert_eq!(devices(Action::SetText, &field), [Capability::Window, Capability::Type]);
    assert_eq!(devices(Action::GetText, &field), [Capability::Window]);
    let controls = |given: &[(&str, Value)]| needs(Action::GetControls, given);
    assert_eq!(controls(&[("window_title", text("w"))]), [(Capability::Window, "w".to_owned())]);
    for given in [&[][..], &[("window_title", text(""))]] {
        assert_eq!(controls(given), [(Capability::Window, String::new())]);
    }
    let asked = [("description", text("x")), ("base_url", text("http://h/"))];
    let all = [Capability::Host, Capability::Type, Capability::Click, Capability::Capture, Capability::Model];
    assert_eq!(devices(Action::Instruct, &asked), all);
}

#[test]
fn a_recording_needs_what_its_events_do() {
    let event = |kind: EventKind, text: u32| Event {
        at_us: 0,
        kind,
        button: 0,
        modifiers: 0,
        x: 0,
        y: 0,
        value: 0,
        text,
        step: 0,
        duration_ms: 0,
    };
    let stream = Stream {
        path: "r.json".to_owned(),
        events: vec![event(EventKind::Text, 1), event(EventKind::WaitFile, 2), event(EventKind::Move, 0)],
        texts: vec!["hello".to_owned()],
        blanks: vec!["${file}".to_owned()],
        ..Stream::default()
    };
    let given = [("macro_file", text("r.json")), ("texts", Value::List(vec![text("/tmp/x")]))];
    let found = of_action(Action::Replay, &arguments(Action::Replay, &given), std::slice::from_ref(&stream));
    assert_eq!(
        found,
        [
            Need::named(Capability::Read, "/tmp/x"),
            Need::named(Capability::Type, ""),
            Need::named(Capability::Click, "")
        ]
    );
}

#[test]
fn kept_decisions_are_written_wherever_the_folder_is_named() {
    let named = |value: Option<&str>, variable: Option<&str>| {
        let value = value.map(text);
        let environment = |name: &str| variable.filter(|_| name == "MACROCLI_CACHE").map(str::to_owned);
        kept_decisions(Action::Instruct, "cache", value.as_ref(), &environment)
    };
    let write = |path: &str| Some(Need::named(Capability::Write, path));
    assert_eq!(named(None, Some("/c")), write("/c"));
    assert_eq!(named(Some(" "), Some("/c")), write("/c"));
    // A folder of the step's own is told as every file that is written.
    assert_eq!(named(Some("/d"), Some("/c")), None);
    assert_eq!(named(None, None), None);
    assert_eq!(kept_decisions(Action::Instruct, "model", None, &|_| Some("/c".to_owned())), None);
    let given = [("description", text("x")), ("cache", text("/d"))];
    assert!(needs(Action::Instruct, &given).contains(&(Capability::Write, "/d".to_owned())));
}
