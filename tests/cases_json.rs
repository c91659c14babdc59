//! Edits and readings of JSON files, compared byte by byte.

use std::fs;
use std::thread;

use serde_json::{Value, json};

use crate::harness::{Place, finish};
use crate::steps::{Refusal, act, as_nobody, of_steps, output, python, stamp, step};

fn get(place: &Place, file: &str, path: &str) -> Result<Value, Refusal> {
    act(place, "json_get", json!({"input_file": file, "path": path})).map(|output| output["value"].clone())
}

fn set(place: &Place, file: &str, path: &str, value: Value) -> Result<Value, Refusal> {
    act(place, "json_set", json!({"input_file": file, "path": path, "value": value}))
}

fn delete(place: &Place, file: &str, path: &str) -> Result<Value, Refusal> {
    act(place, "json_delete", json!({"input_file": file, "path": path})).map(|output| output["deleted"].clone())
}

/// The reading of a parser that is none of ours.
fn parsed(place: &Place, file: &str) -> Value {
    let bytes = fs::read(place.path(file)).unwrap();
    serde_json::from_slice(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes)).unwrap()
}

#[test]
fn numbers_keep_every_digit() {
    let text = r#"{"id":9007199254740993,"h":123456789012345678901234567890,"r":1.0,"e":1E5,"z":-0.0,"p":0.10,"u":18446744073709551615,"t":1e-400,"name":"x"}"#;
    let place = Place::new().file("a.json", text);
    set(&place, "a.json", "name", json!("y")).unwrap();
    assert_eq!(place.read("a.json"), text.replace("\"x\"", "\"y\""));
    for (path, digits) in [
        ("id", "9007199254740993"),
        ("h", "123456789012345678901234567890"),
        ("u", "18446744073709551615"),
        ("r", "1.0"),
        ("z", "-0.0"),
    ] {
        assert_eq!(get(&place, "a.json", path).unwrap().to_string(), digits);
    }
    // Nor do they lose any on the way through a run.
    place.write(
        "carry.yaml",
        of_steps(&[
            step("json_get", &json!({"input_file": "a.json", "path": "h"})),
            step("json_set", &json!({"input_file": "a.json", "path": "copy", "value": "${steps.step_0.value}"})),
        ]),
    );
    place.call(&["--json", "run", "./carry.yaml"]).status(0);
    assert!(place.read("a.json").ends_with(r#""name":"y","copy":123456789012345678901234567890}"#));
}

#[test]
fn people_see_every_digit_too() {
    let place = Place::new().file("a.json", r#"{"id":9007199254740993,"h":123456789012345678901234567890}"#);
    let steps = json!([
        step("json_get", &json!({"input_file": "a.json", "path": "id"})),
        step("json_get", &json!({"input_file": "a.json", "path": "h"})),
    ]);
    let outputs = json!([
        {"name": "id", "value": "${steps.step_0.value}"},
        {"name": "h", "value": "${steps.step_1.value}"},
    ]);
    place.write("m.yaml", json!({"name": "m", "steps": steps, "outputs": outputs}).to_string());
    let outcome = place.call(&["run", "./m.yaml"]).status(0);
    assert_eq!(outcome.stdout, "id: 9007199254740993\nh: 123456789012345678901234567890\n");
}

#[test]
fn one_value_changes_in_any_layout() {
    let layouts = [
        "{\n\t\"z\": {\n\t\t\"q\": 1\n\t},\n\t\"a\": \"old\",\n\t\"m\": [1,\n\t\t2]\n}\n",
        "{\n    \"z\": {\n        \"q\": 1\n    },\n    \"a\": \"old\",\n    \"m\": [1, 2]\n}",
        "{\"z\":{\"q\":1},\"a\":\"old\",\"m\":[1,2]}",
        "{\r\n  \"z\": {\r\n    \"q\": 1\r\n  },\r\n  \"a\": \"old\",\r\n  \"m\": [\r\n    1, 2]\r\n}\r\n",
        "{\n  \"z\": {\"q\": 1, \"caf\\u00e9\": \"é\\/\"},\n  \"a\": \"old\",\n  \"m\": [1, 2]\n}\n",
    ];
    for text in layouts {
        let place = Place::new().file("a.json", text);
        set(&place, "a.json", "a", json!("new")).unwrap();
        assert_eq!(place.read("a.json"), text.replace("old", "new"));
        let before = stamp(&place.path("a.json"));
        set(&place, "a.json", "a", json!("new")).unwrap();
        set(&place, "a.json", "m", json!([1, 2])).unwrap();
        assert_eq!(stamp(&place.path("a.json")), before, "the present value is no change");
        set(&place, "a.json", "m.0", json!(7)).unwrap();
        assert_eq!(parsed(&place, "a.json")["m"], json!([7, 2]));
    }
}

#[test]
fn a_new_key_is_one_more_line() {
    for (before, after) in [
        ("{\n\t\"z\": 1,\n\t\"a\": 2\n}\n", "{\n\t\"z\": 1,\n\t\"a\": 2,\n\t\"k\": true\n}\n"),
        ("{\n    \"z\": 1\n}", "{\n    \"z\": 1,\n    \"k\": true\n}"),
        ("{\"z\":1}", "{\"z\":1,\"k\":true}"),
        ("{\r\n  \"z\": 1\r\n}\r\n", "{\r\n  \"z\": 1,\r\n  \"k\": true\r\n}\r\n"),
        ("{\n  \"caf\\u00e9\": \"é\\/\"\n}\n", "{\n  \"caf\\u00e9\": \"é\\/\",\n  \"k\": true\n}\n"),
    ] {
        let place = Place::new().file("a.json", before);
        set(&place, "a.json", "k", json!(true)).unwrap();
        assert_eq!(place.read("a.json"), after);
    }
}

#[test]
fn a_deleted_key_leaves_no_trace() {
    let lines = "{\n\t\"z\": 1,\n\t\"a\": {\"x\": [1, 2]},\n\t\"m\": \"\\u00e9\"\n}\n";
    let layouts = [lines.to_owned(), lines.replace('\n', "\r\n"), lines.replace(['\n', '\t', ' '], "")];
    for text in &layouts {
        for key in ["z", "a", "m"] {
            let place = Place::new().file("a.json", text);
            assert_eq!(delete(&place, "a.json", key).unwrap(), json!(key));
            let left = place.read("a.json");
            let mut expected: Value = serde_json::from_str(text).unwrap();
            expected.as_object_mut().unwrap().shift_remove(key);
            assert_eq!(serde_json::from_str::<Value>(&left).unwrap(), expected);
            assert_eq!(left.lines().count(), text.lines().count().max(2) - 1);
            assert!(left.lines().all(|line| !line.trim().is_empty()), "{left:?}");
            let kept: Vec<&str> = text.lines().filter(|line| !line.contains(&format!("\"{key}\""))).collect();
            if kept.len() > 1 {
                let end = left.lines().map(|line| line.trim_end_matches(',')).collect::<Vec<_>>();
                assert_eq!(end, kept.iter().map(|line| line.trim_end_matches(',')).collect::<Vec<_>>());
            }
        }
    }
    let place = Place::new().file("a.json", r#"{"l":[1,2,3]}"#);
    for (path, left) in [("l.1", "[1,3]"), ("l.0", "[3]"), ("l.0", "[]")] {
        delete(&place, "a.json", path).unwrap();
        assert_eq!(place.read("a.json"), format!("{{\"l\":{left}}}"));
    }
}

#[test]
fn keys_are_exact() {
    let place = Place::new().file("a.json", r#"{"a.b":1,"a":{"b":2},"":3,"sp ace":4,"$x":5,"a\\b":6,"ключ 😀":7}"#);
    for (path, value) in [(r"a\.b", 1), ("a.b", 2), (r"\e", 3), ("sp ace", 4), ("$x", 5), (r"a\\b", 6), ("ключ 😀", 7)]
    {
        assert_eq!(get(&place, "a.json", path).unwrap(), json!(value), "{path}");
        set(&place, "a.json", path, json!(value + 10)).unwrap();
        assert_eq!(get(&place, "a.json", path).unwrap(), json!(value + 10), "{path}");
    }
    let before = stamp(&place.path("a.json"));
    for path in ["__proto__", "constructor", "toString", "A", "a.b.c", "0"] {
        get(&place, "a.json", path).unwrap_err().says(&["a.json"]);
    }
    // As a constant it is found when the macro is built, computed it fails the step.
    for path in ["a..b", ".a", "a.", "", ".", r"a\b"] {
        assert_eq!(get(&place, "a.json", path).unwrap_err().exit, 3, "{path:?}");
        place.write(
            "computed.yaml",
            json!({
                "name": "computed", "parameters": {"path": {"type": "string", "required": true}},
                "steps": [step("json_set", &json!({"input_file": "a.json", "path": "${path}", "value": 0}))],
            })
            .to_string(),
        );
        let outcome = place.call(&["--json", "run", "./computed.yaml", "-p", &format!("path={path}")]).status(1);
        assert_eq!(outcome.json()["error_code"], "bad_argument", "{path:?}");
    }
    assert_eq!(stamp(&place.path("a.json")), before);
}

#[test]
fn a_scalar_is_no_folder_of_keys() {
    let text = r#"{"theme":"dark","n":null,"t":true,"i":1}"#;
    let place = Place::new().file("a.json", text);
    let before = stamp(&place.path("a.json"));
    for (path, kind) in [
        ("theme.name", "`theme` is a string"),
        ("n.x", "`n` is null"),
        ("t.x", "`t` is a boolean"),
        ("i.0", "`i` is a number"),
    ] {
        let refusal = set(&place, "a.json", path, json!(1)).unwrap_err();
        assert_eq!(refusal.exit, 1);
        refusal.says(&["a.json", kind]);
        get(&place, "a.json", path).unwrap_err().says(&["a.json"]);
    }
    assert_eq!(stamp(&place.path("a.json")), before);
}

#[test]
fn odd_documents_are_edited_or_refused_with_the_place() {
    let place = Place::new().file("list.json", "[1,2]\n");
    set(&place, "list.json", "0", json!("a")).unwrap();
    set(&place, "list.json", "2", json!(3)).unwrap();
    assert_eq!(place.read("list.json"), "[\"a\",2,3]\n");
    set(&place, "list.json", "9", json!(3)).unwrap_err().says(&["index 9 is out of range"]);
    for (text, why) in [
        ("5", "1:1: the document is a number"),
        ("", "1:1: the document is empty"),
        (" \n\n", "1:1: the document is empty"),
        ("{} \nxyz", "2:1: found `xyz` after the end"),
        ("{\"a\": 1", "1:8:"),
        ("{\"a\" 1}", "1:6:"),
        ("{'a': 1}", "1:2:"),
        ("{\"a\": NaN}", "1:7:"),
        ("{\"a\": 01}", "1:8:"),
    ] {
        place.write("odd.json", text);
        let before = stamp(&place.path("odd.json"));
        for refusal in [
            set(&place, "odd.json", "a", json!(1)).unwrap_err(),
            get(&place, "odd.json", "a").unwrap_err(),
            delete(&place, "odd.json", "a").unwrap_err(),
        ] {
            assert_eq!(refusal.exit, 1);
            refusal.says(&["odd.json", why]);
        }
        assert_eq!(stamp(&place.path("odd.json")), before);
    }
    set(&place, "missing.json", "a", json!(1)).unwrap_err().says(&["`missing.json` does not exist"]);
    assert!(!place.path("missing.json").exists());
    let out = act(
        &place,
        "json_set",
        json!({"input_file": "list.json", "output_file": "no/such/out.json", "path": "0", "value": 1}),
    );
    out.unwrap_err().says(&["no/such/out.json", "`no/such` does not exist"]);
    assert!(!place.path("no").exists());
}

#[test]
fn nesting_without_end_is_refused() {
    let place = Place::new();
    for text in ["[".repeat(200_000), "{\"a\":".repeat(200_000), format!("{}1{}", "[".repeat(9000), "]".repeat(9000))] {
        place.write("deep.json", &text);
        get(&place, "deep.json", "0").unwrap_err().says(&["deep.json", "nested deeper than"]);
    }
}

#[test]
fn marks_comments_and_escapes_survive() {
    for (before, after) in [
        ("\u{feff}{\"a\":1}", "\u{feff}{\"a\":2}"),
        ("// c\n{\"a\":1,}", "// c\n{\"a\":2,}"),
        ("{/* \"a\":3 */\"a\":1 // \"a\":4\n}", "{/* \"a\":3 */\"a\":2 // \"a\":4\n}"),
        ("{\"a\":1,\"s\":\"\\ud83d\"}", "{\"a\":2,\"s\":\"\\ud83d\"}"),
        ("{\"\\u0061\":1}", "{\"\\u0061\":2}"),
        ("{\"a\":0,\"a\":1}", "{\"a\":0,\"a\":2}"),
    ] {
        let place = Place::new().file("a.json", before);
        set(&place, "a.json", "a", json!(2)).unwrap();
        assert_eq!(place.read("a.json"), after);
    }
}

#[test]
fn other_encodings_are_refused_with_the_byte() {
    let utf16 = |mark: &[u8], unit: fn(u16) -> [u8; 2]| {
        [mark, &"{\"a\":1}".encode_utf16().flat_map(unit).collect::<Vec<u8>>()].concat()
    };
    for (bytes, offset) in [
        (utf16(b"\xFF\xFE", u16::to_le_bytes), "byte 0"),
        (utf16(b"\xFE\xFF", u16::to_be_bytes), "byte 0"),
        (utf16(b"", u16::to_le_bytes), "byte 1"),
        (b"{\"a\":\"\xe9\"}".to_vec(), "byte 6"),
        (b"{\"a\":\"\xed\xa0\xbd\"}".to_vec(), "byte 6"),
    ] {
        let place = Place::new().file("a.json", &bytes);
        let before = stamp(&place.path("a.json"));
        set(&place, "a.json", "a", json!(2)).unwrap_err().says(&["a.json", "not UTF-8", offset]);
        assert_eq!(stamp(&place.path("a.json")), before);
    }
}

#[test]
fn a_missing_key_is_not_null() {
    let place = Place::new().file("a.json", r#"{"a":null,"b":{"c":false}}"#);
    assert_eq!(get(&place, "a.json", "a").unwrap(), Value::Null);
    assert_eq!(get(&place, "a.json", "b.c").unwrap(), json!(false));
    assert_eq!(get(&place, "a.json", "b").unwrap(), json!({"c": false}));
    get(&place, "a.json", "b.d").unwrap_err().says(&["`b.d` does not exist: `b` has no key `d`"]);
    get(&place, "a.json", "x.y.z").unwrap_err().says(&["`x.y.z` does not exist: the document has no key `x`"]);
    let before = stamp(&place.path("a.json"));
    assert_eq!(delete(&place, "a.json", "x").unwrap(), json!(false));
    assert_eq!(delete(&place, "a.json", "b.x.y").unwrap(), json!(false));
    assert_eq!(stamp(&place.path("a.json")), before);
}

#[test]
fn values_keep_the_type_of_their_parameter() {
    let place = Place::new();
    let types = ["integer", "float", "boolean", "list", "dict", "string"];
    let given = ["42", "1.0", "true", r#"[1,"a"]"#, r#"{"k":[null]}"#, "42"];
    let written = ["42", "1.0", "true", r#"[1,"a"]"#, r#"{"k":[null]}"#, r#""42""#];
    for ((kind, given), written) in types.iter().zip(given).zip(written) {
        let steps = [step("json_set", &json!({"input_file": "a.json", "path": "v", "value": "${v}"}))];
        place.write(
            "m.yaml",
            json!({"name": "m", "parameters": {"v": {"type": kind, "required": true}}, "steps": steps}).to_string(),
        );
        let by_flag = format!("v={given}");
        let by_document = format!("{{\"v\":{written}}}");
        for words in [["-p", &by_flag], ["--params-json", &by_document]] {
            place.write("a.json", "{\"v\":0}");
            place.call(&["--json", "run", "./m.yaml", words[0], words[1]]).status(0);
            assert_eq!(place.read("a.json"), format!("{{\"v\":{written}}}"), "{kind}");
        }
    }
}

#[test]
fn values_embedded_in_text_are_text() {
    let place = Place::new();
    for (kind, given, text) in [
        ("integer", "42", "n=42"),
        ("boolean", "true", "n=true"),
        ("float", "1.0", "n=1.0"),
        ("string", "a\"b", "n=a\"b"),
    ] {
        let steps = [step("json_set", &json!({"input_file": "a.json", "path": "v", "value": "n=${v}"}))];
        place.write(
            "m.yaml",
            json!({"name": "m", "parameters": {"v": {"type": kind, "required": true}}, "steps": steps}).to_string(),
        );
        place.write("a.json", "{}");
        place.call(&["--json", "run", "./m.yaml", "-p", &format!("v={given}")]).status(0);
        assert_eq!(parsed(&place, "a.json"), json!({"v": text}));
    }
}

#[test]
fn a_large_document_is_edited() {
    let place = Place::new();
    let item = "  {\"id\": 9007199254740993, \"name\": \"caf\\u00e9 é\", \"list\": [1.0, 2E5, null, true]},\n";
    // Without optimisation the same takes a quarter of a minute.
    let count = if cfg!(debug_assertions) { 4 << 20 } else { 60 << 20 } / item.len();
    let text = format!("[\n{}  {{\"name\": \"last\"}}\n]\n", item.repeat(count));
    place.write("large.json", &text);
    set(&place, "large.json", &format!("{count}.name"), json!("end")).unwrap();
    assert!(place.read("large.json") == text.replace("\"last\"", "\"end\""));
    assert_eq!(get(&place, "large.json", &format!("{count}.name")).unwrap(), json!("end"));
    // Beyond the limit it says so at once.
    fs::File::create(place.path("huge.json")).unwrap().set_len(5 << 30).unwrap();
    get(&place, "huge.json", "a").unwrap_err().says(&["`huge.json` is larger than the limit"]);
}

#[test]
fn of_many_writers_the_last_one_wins() {
    let place = Place::new().file("a.json", "{\"v\":-1}");
    let long = "x".repeat(100_000);
    let value = |writer: usize| json!(format!("{writer}{}", &long[..writer * 9999]));
    let calls: Vec<_> = (0..10)
        .map(|writer| {
            let file = format!("w{writer}.yaml");
            let params = json!({"input_file": "a.json", "path": "v", "value": value(writer)});
            place.write(&file, of_steps(&[step("json_set", &params)]));
            place.call(&["--json", "run", &format!("./{file}")]).start()
        })
        .collect();
    let ends: Vec<_> = calls.into_iter().map(|child| thread::spawn(move || finish(child))).collect();
    // A reader beside them never sees half a document.
    while ends.iter().any(|end| !end.is_finished()) {
        parsed(&place, "a.json");
    }
    for end in ends {
        let outcome = end.join().unwrap();
        assert_eq!(outcome.status, 0, "{outcome:#?}");
    }
    let left = parsed(&place, "a.json");
    assert!((0..10).any(|writer| left == json!({"v": value(writer)})));
    let names: Vec<_> = fs::read_dir(place.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| !name.to_string_lossy().contains("tmp")), "{names:?}");
}

#[test]
fn other_readers_agree() {
    let place = Place::new().file("a.json", "{\n  \"a\": 1\n}\n");
    let value = json!({"text": "\u{0}\u{1f}\"\\/\u{2028}é😀\n\t", "n": [1, -2.5, null, {}, []]});
    set(&place, "a.json", "b", value.clone()).unwrap();
    set(&place, "a.json", "c.d.e", json!("x")).unwrap();
    assert_eq!(parsed(&place, "a.json"), json!({"a": 1, "b": value, "c": {"d": {"e": "x"}}}));
    let script =
        "import json,sys; print(json.dumps(json.load(open(sys.argv[1], encoding='utf-8')), separators=(',',':')))";
    if let Some(read) = python(script, &[&place.path("a.json")]) {
        assert_eq!(serde_json::from_str::<Value>(&read).unwrap(), parsed(&place, "a.json"));
    }
}

#[cfg(unix)]
#[test]
fn what_may_not_be_written_stays() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new().file("folder/a.json", "{\"a\":1}").file("b.json", "{\"a\":1}");
    let mode = |path: &str, mode| fs::set_permissions(place.path(path), fs::Permissions::from_mode(mode)).unwrap();
    let edit = |path: &str| {
        let params = json!({"input_file": path, "path": "a", "value": 2});
        place.write("under_test.yaml", of_steps(&[step("json_set", &params)]));
        output(&as_nobody(&place, &["--json", "run", "./under_test.yaml"]))
    };
    mode("folder/a.json", 0o444);
    mode("folder", 0o555);
    edit("folder/a.json").unwrap_err().says(&["folder/a.json", "permission denied"]);
    assert_eq!(place.read("folder/a.json"), "{\"a\":1}");
    mode("b.json", 0o000);
    edit("b.json").unwrap_err().says(&["b.json", "permission denied"]);
    // A folder that takes no new files, but a file that may be written.
    mode("folder/a.json", 0o666);
    edit("folder/a.json").unwrap();
    assert_eq!(place.read("folder/a.json"), "{\"a\":2}");
    mode("folder", 0o755);
}
