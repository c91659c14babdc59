use std::fs;

use proptest::prelude::*;
use spec::artifact::Capability;
use vm::need::Need;

use crate::args::PolicyArgs;
use crate::policy::read_with;

fn judged(file: &str, text: &str, capability: Capability, name: &str) -> Result<bool, String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(file);
    fs::write(&path, text).unwrap();
    let args = PolicyArgs { policy: Some(path), ..PolicyArgs::default() };
    let policy = read_with(&args, None).map_err(|trouble| trouble.message)?.unwrap();
    Ok(policy.judge(&Need::named(capability, name)).is_ok())
}

#[test]
fn both_languages_say_the_same() {
    let toml = "run = [\"ls\", \"c*\"]\nread = \"/etc/**\"\nenv = true\nhost = false\ntype = true\nclick = false\n";
    let yaml = "run: [ls, c*]\nread: /etc/**\nenv: true\nhost: false\ntype: true\nclick: false\n";
    for (file, text) in [("p.toml", toml), ("p.yaml", yaml), ("p.TOML", toml), ("p", yaml)] {
        let allows = |capability, name| judged(file, text, capability, name).unwrap();
        assert!(allows(Capability::Run, "cat") && !allows(Capability::Run, "rm"), "{file}");
        assert!(allows(Capability::Read, "/etc/x") && !allows(Capability::Write, "/etc/x"), "{file}");
        assert!(allows(Capability::Env, "X") && !allows(Capability::Host, "h"), "{file}");
        assert!(
            allows(Capability::Type, "") && !allows(Capability::Click, "") && !allows(Capability::Model, ""),
            "{file}"
        );
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (file, text, at, words) in [
        ("p.toml", "run = [\"ls\"]\nwrit = \"/x\"\n", "p.toml:2:1", "did you mean `write`?"),
        ("p.toml", "run = [\n", "p.toml:", ""),
        ("p.toml", "type = \"x\"\n", "p.toml:1:8", "takes no pattern"),
        ("p.toml", "run = [1]\n", "p.toml:1:7", "something else than texts"),
        ("p.toml", "run = 1\n", "p.toml:1:7", "`run` must be a pattern"),
        ("p.toml", "write = [\"/a\", \"/b/[c\"]\n", "p.toml:1:16", "is no pattern"),
        ("p.toml", "dangerous = \"yes\"\n", "p.toml:1:13", "`true` or `false`"),
        ("p.yaml", "run: ls\nwindow: *\n", "p.yaml:2:", ""),
        ("p.yaml", "run: ls\nrun: cat\n", "p.yaml:2:1", ""),
        ("p.yaml", "- run\n", "p.yaml:1:1", "a policy is a mapping"),
        ("p.yaml", "read: {a: b}\n", "p.yaml:1:7", "a mapping"),
        ("p.yaml", "", "p.yaml", ""),
    ] {
        let message = judged(file, text, Capability::Run, "ls").unwrap_err();
        assert!(message.contains(at) && message.contains(words), "{text:?}: {message}");
    }
    assert!(judged("p.toml", "", Capability::Run, "ls").is_ok_and(|allowed| !allowed));
}

#[test]
fn flags_add_to_a_file_and_the_variable_takes_away() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let file = path("a.toml", "run = \"a\"\n");
    let limit = path("b.toml", "run = [\"a\", \"c\"]\n").into_os_string();
    let args = PolicyArgs { policy: Some(file), allow: vec!["run=b,run=c".to_owned()], yes: false };
    let allowed = |args: &PolicyArgs, variable| {
        let policy = read_with(args, variable).unwrap().unwrap();
        ["a", "b", "c", "d"].map(|name| policy.judge(&Need::named(Capability::Run, name)).is_ok())
    };
    assert_eq!(allowed(&args, None), [true, true, true, false]);
    assert_eq!(allowed(&args, Some(limit.clone())), [true, false, true, false]);
    assert_eq!(allowed(&PolicyArgs::default(), Some(limit)), [true, false, true, false]);
    assert!(read_with(&PolicyArgs::default(), None).unwrap().is_none());
    assert!(read_with(&PolicyArgs::default(), Some("".into())).unwrap().is_none());
    assert!(read_with(&PolicyArgs::default(), Some("/no/such/file".into())).is_err());
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,80}") {
        for file in ["p.toml", "p.yaml"] {
            let _ = judged(file, &text, Capability::Run, "ls");
        }
    }
}
