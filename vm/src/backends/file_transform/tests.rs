//! Every action on real files.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::Duration;

use spec::value::Value;

use crate::backends::testing::{Left, act, act_within, given, text};
use crate::failure::{Failure, FailureKind};
use crate::process::Interrupt;
use crate::real::RealWorld;

struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.at(name), bytes).unwrap();
        self.at(name)
    }
}

fn run(action: &str, given: &[(&str, Value)]) -> Result<Left, Failure> {
    act(&mut RealWorld::new(), &format!("file_transform.{action}"), given)
}

fn read(path: &PathBuf) -> String {
    fs::read_to_string(path).unwrap()
}

/// What must stay when a file is left untouched.
fn stamp(path: &PathBuf) -> (u64, i64, i64) {
    let metadata = fs::metadata(path).unwrap();
    (metadata.ino(), metadata.mtime(), metadata.mtime_nsec())
}

#[test]
fn json_values_keep_their_types_and_digits() {
    let files = Files::new();
    let f = files.file("a.json", r#"{"a":null,"b":{"c":false},"h":123456789012345678901234567890}"#);
    let get = |path: &str| run("json_get", given! {"input_file": f.as_path(), "path": path});
    assert_eq!(get("a").unwrap()["value"], Value::Null);
    assert_eq!(get("b.c").unwrap()["value"], Value::Boolean(false));
    assert_eq!(get("h").unwrap()["value"], Value::Number("123456789012345678901234567890".into()));
    assert_eq!(get("b.c").unwrap()["path"], Value::String("b.c".into()));
    let failure = get("b.d").unwrap_err();
    assert!(failure.message.starts_with(&format!("`{}`: `b.d` does not exist: `b` has no key `d`", f.display())));
    assert_eq!(failure.kind, FailureKind::Step);
    assert_eq!(get("a..b").unwrap_err().kind, FailureKind::BadArgument);
}

#[test]
fn json_set_changes_one_value_and_tells_it() {
    let files = Files::new();
    let f = files.file("a.json", "{\n  \"id\": 1.0,\n  \"name\": \"x\"\n}\n");
    let left = run("json_set", given! {"input_file": f.as_path(), "path": "name", "value": "y"}).unwrap();
    assert_eq!((text(&left, "path"), text(&left, "value")), ("name", "y"));
    assert_eq!(read(&f), "{\n  \"id\": 1.0,\n  \"name\": \"y\"\n}\n");
    let before = stamp(&f);
    run("json_set", given! {"input_file": f.as_path(), "path": "name", "value": "y"}).unwrap();
    assert_eq!(stamp(&f), before);
    let out = files.at("b.json");
    run("json_set", given! {"input_file": f.as_path(), "output_file": out.as_path(), "path": "name", "value": "y"})
        .unwrap();
    assert_eq!(read(&out), read(&f));
}

#[test]
fn json_set_refuses_what_it_cannot_edit() {
    let files = Files::new();
    let set = |file: &PathBuf, path: &str| {
        run("json_set", given! {"input_file": file.as_path(), "path": path, "value": 1}).unwrap_err().message
    };
    let missing = files.at("missing.json");
    assert_eq!(set(&missing, "a"), format!("`{}` does not exist", missing.display()));
    assert!(!missing.exists());
    let empty = files.file("empty.json", "");
    assert!(set(&empty, "a").contains("empty.json`: 1:1:"), "{}", set(&empty, "a"));
    let scalar = files.file("s.json", r#"{"theme":"dark"}"#);
    assert!(set(&scalar, "theme.name").contains("`theme` is a string"));
    assert_eq!(read(&scalar), r#"{"theme":"dark"}"#);
    let out = files.at("no/such/out.json");
    let given = given! {"input_file": scalar.as_path(), "output_file": out.as_path(), "path": "x", "value": 1};
    assert!(run("json_set", given).unwrap_err().message.contains("no/such` does not exist"));
}

#[test]
fn a_document_can_be_begun_from_nothing() {
    let files = Files::new();
    let out = files.at("new.json");
    run("json_set", given! {"input_file": "/dev/null", "output_file": out.as_path(), "path": "a.b", "value": 1})
        .unwrap();
    let left = run("json_get", given! {"input_file": out.as_path(), "path": "a.b"}).unwrap();
    assert_eq!(left["value"], Value::Integer(1));
    let failure = run("json_get", given! {"input_file": "/dev/null", "path": "a"}).unwrap_err();
    assert!(failure.message.contains("does not exist"), "{failure}");
    let left = run("text_replace", given! {"input_file": "/dev/null", "find": "a", "replace": "b"}).unwrap();
    assert_eq!(left["replacements"], Value::Integer(0));
}

#[test]
fn json_delete_tells_whether_anything_was_there() {
    let files = Files::new();
    let f = files.file("a.json", r#"{"a":1,"b":2}"#);
    let left = run("json_delete", given! {"input_file": f.as_path(), "path": "a"}).unwrap();
    assert_eq!(left["deleted"], Value::String("a".into()));
    assert_eq!(read(&f), r#"{"b":2}"#);
    let before = stamp(&f);
    let left = run("json_delete", given! {"input_file": f.as_path(), "path": "x.y"}).unwrap();
    assert_eq!((&left["deleted"], stamp(&f)), (&Value::Boolean(false), before));
}

#[test]
fn xml_attributes_and_texts() {
    let files = Files::new();
    let f = files.file("a.xml", "<r><i k=\"1\"/><i k='2'>t</i><i k=\"1\"/></r>");
    let set = |xpath: &str, value: &str| {
        run("xml_set_attr", given! {"input_file": f.as_path(), "xpath": xpath, "attr": "k", "value": value})
    };
    assert_eq!(set("//i[@k='1']", "é\n").unwrap()["matched"], Value::Integer(2));
    assert_eq!(read(&f), "<r><i k=\"é&#10;\"/><i k='2'>t</i><i k=\"é&#10;\"/></r>");
    let left = run("xml_get_attr", given! {"input_file": f.as_path(), "xpath": "//i", "attr": "k"}).unwrap();
    assert_eq!((text(&left, "attr"), &left["values"]), ("k", &list(["é\n", "2", "é\n"])));
    let left = run("xml_set_text", given! {"input_file": f.as_path(), "xpath": "//i[2]", "value": "u"}).unwrap();
    assert_eq!(left["matched"], Value::Integer(1));
    let left = run("xml_get_text", given! {"input_file": f.as_path(), "xpath": "//i[2]"}).unwrap();
    assert_eq!(left["values"], list(["u"]));
    let before = stamp(&f);
    let malformed = set("//i[", "x").unwrap_err();
    assert_eq!(malformed.kind, FailureKind::BadArgument);
    assert!(malformed.message.starts_with("`xpath` is not XPath 1.0: ") && malformed.message.ends_with("column 5"));
    let nothing = set("//none", "x").unwrap_err();
    assert_eq!(nothing.kind, FailureKind::Step);
    assert!(nothing.message.starts_with(&format!("`{}`: xpath `//none` matches nothing", f.display())), "{nothing}");
    assert_eq!(set("count(//i)", "x").unwrap_err().kind, FailureKind::BadArgument);
    assert_eq!(set("//i", "\u{1}").unwrap_err().kind, FailureKind::BadArgument);
    assert_eq!(stamp(&f), before);
}

#[test]
fn texts_are_replaced_byte_for_byte() {
    let files = Files::new();
    let f = files.file("a.txt", b"\xEF\xBB\xBFa=1\r\nb=\xE9\r\nc=1\n\0end");
    let replace = |find: &str| run("text_replace", given! {"input_file": f.as_path(), "find": find, "replace": "a=2"});
    assert_eq!(replace("a=1").unwrap()["replacements"], Value::Integer(1));
    assert_eq!(fs::read(&f).unwrap(), b"\xEF\xBB\xBFa=2\r\nb=\xE9\r\nc=1\n\0end");
    let before = stamp(&f);
    assert_eq!(replace("a=2\nb").unwrap()["replacements"], Value::Integer(0));
    assert_eq!(stamp(&f), before);
    let out = files.at("copy.txt");
    let given = given! {"input_file": f.as_path(), "output_file": out.as_path(), "find": "none", "replace": ""};
    assert_eq!(run("text_replace", given).unwrap()["replacements"], Value::Integer(0));
    assert_eq!(fs::read(&out).unwrap(), fs::read(&f).unwrap());
}

#[test]
fn patterns_are_replaced_with_groups() {
    let files = Files::new();
    let f = files.file("a.txt", "v1.2 v3.4");
    let replace = |find: &str, replace: &str| {
        run("regex_replace", given! {"input_file": f.as_path(), "find": find, "replace": replace})
    };
    assert_eq!(replace(r"v(\d)\.(?<b>\d)", "$b-$1").unwrap()["replacements"], Value::Integer(2));
    assert_eq!(read(&f), "2-1 4-3");
    for (find, with) in [("(", ""), (r"(a)\1", ""), ("a", "$x"), ("", "")] {
        let failure = replace(find, with).unwrap_err();
        assert_eq!(failure.kind, FailureKind::BadArgument, "{find}: {failure}");
    }
}

#[test]
fn files_are_copied_written_and_deleted() {
    let files = Files::new();
    let f = files.file("a", "12345");
    let folder = files.at("x/y");
    let left = run("make_dir", given! {"path": folder.as_path()}).unwrap();
    assert_eq!((text(&left, "path"), &left["created"]), (folder.to_str().unwrap(), &Value::Boolean(true)));
    assert_eq!(run("make_dir", given! {"path": folder.as_path()}).unwrap()["created"], Value::Boolean(false));
    let left = run("copy_file", given! {"src": f.as_path(), "dst": folder.as_path()}).unwrap();
    assert_eq!((text(&left, "src"), &left["size"]), (f.to_str().unwrap(), &Value::Integer(5)));
    assert_eq!(text(&left, "dst"), folder.join("a").to_str().unwrap());
    assert_eq!(read(&folder.join("a")), "12345");
    let same = run("copy_file", given! {"src": f.as_path(), "dst": f.as_path()}).unwrap_err();
    assert!(same.message.contains("are the same file"), "{same}");
    assert_eq!(read(&f), "12345");
    let left = run("write_file", given! {"output_file": f.as_path(), "text": "é"}).unwrap();
    assert_eq!((text(&left, "path"), &left["size"]), (f.to_str().unwrap(), &Value::Integer(2)));
    assert_eq!(run("delete_file", given! {"path": f.as_path()}).unwrap()["deleted"], Value::Boolean(true));
    assert_eq!(run("delete_file", given! {"path": f.as_path()}).unwrap()["deleted"], Value::Boolean(false));
    let failure = run("delete_file", given! {"path": folder.as_path()}).unwrap_err();
    assert!(failure.message.contains("is a directory"), "{failure}");
}

#[test]
fn nothing_is_written_late_or_after_a_signal() {
    let files = Files::new();
    let f = files.file("a.json", "{}");
    let given = given! {"input_file": f.as_path(), "path": "a", "value": 1};
    let within = |remaining, interrupt: &Interrupt| {
        act_within(&mut RealWorld::new(), "file_transform.json_set", given, remaining, interrupt).unwrap_err()
    };
    let interrupt = Interrupt::new().unwrap();
    assert_eq!(within(Duration::ZERO, &interrupt).kind, FailureKind::Timeout);
    interrupt.raise(15);
    assert_eq!(within(Duration::from_secs(60), &interrupt).kind, FailureKind::Interrupted(15));
    assert_eq!(read(&f), "{}");
}

fn list<const N: usize>(items: [&str; N]) -> Value {
    Value::List(items.iter().map(|item| Value::String((*item).to_owned())).collect())
}
