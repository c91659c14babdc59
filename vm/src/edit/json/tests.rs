//! Every rule by its bytes, then random documents against `serde_json`.
// `serde_json`'s enum, not ours.
#![allow(clippy::wildcard_enum_match_arm)]

use proptest::prelude::{Just, Strategy, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};
use spec::value::Value;

use crate::edit::json::{DEPTH, Edited, JsonEditError, delete, get, set};

fn path(dotted: &str) -> Vec<String> {
    dotted.split('.').map(str::to_owned).collect()
}

fn json(text: &str) -> Value {
    crate::json_text::from_json(&serde_json::from_str(text).unwrap())
}

fn after_set(text: &str, at: &str, value: &str) -> String {
    let edited = set(text.as_bytes(), &path(at), &json(value)).unwrap();
    let out = String::from_utf8(edited.bytes).unwrap();
    assert_eq!(edited.changed, out != text);
    assert_eq!(get(out.as_bytes(), &path(at)).unwrap(), json(value));
    out
}

fn after_delete(text: &str, at: &str) -> String {
    let edited = delete(text.as_bytes(), &path(at)).unwrap();
    let out = String::from_utf8(edited.bytes).unwrap();
    assert_eq!(edited.changed, out != text);
    assert!(get(out.as_bytes(), &path(at)).is_err() || text.contains('['));
    out
}

fn refusal(result: Result<impl std::fmt::Debug, JsonEditError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn number_tokens_survive_and_are_read_exactly() {
    let text =
        r#"{"id":9007199254740993,"h":123456789012345678901234567890,"r":1.0,"e":1E5,"z":-0.0,"p":0.10,"name":"x"}"#;
    assert_eq!(after_set(text, "name", r#""y""#), text.replace("\"x\"", "\"y\""));
    let at = |key| get(text.as_bytes(), &path(key)).unwrap();
    assert_eq!(at("id"), Value::Integer(9_007_199_254_740_993));
    assert_eq!(at("h"), Value::Number("123456789012345678901234567890".to_owned()));
    assert_eq!(at("p"), Value::Float(0.1));
}

#[test]
fn an_existing_value_changes_alone() {
    let escapes = "{\"z\":\"caf\\u00e9\",\"a\":\"é\\/\",\"m\":[1]}";
    assert_eq!(after_set(escapes, "a", "7"), "{\"z\":\"caf\\u00e9\",\"a\":7,\"m\":[1]}");
    assert_eq!(after_set("[1,2]", "0", "9"), "[9,2]");
    assert_eq!(after_set("{\r\n\t\"a\" : 1 ,\r\n}", "a", "\"\\\"\""), "{\r\n\t\"a\" : \"\\\"\" ,\r\n}");
}

#[test]
fn a_new_key_is_one_line_in_the_same_style() {
    for (before, after) in [
        ("{\n\t\"a\": 1\n}\n", "{\n\t\"a\": 1,\n\t\"k\": true\n}\n"),
        ("{\n    \"a\": 1\n}", "{\n    \"a\": 1,\n    \"k\": true\n}"),
        ("{\"a\":1}", "{\"a\":1,\"k\":true}"),
        ("{\r\n  \"a\": 1\r\n}\r\n", "{\r\n  \"a\": 1,\r\n  \"k\": true\r\n}\r\n"),
        ("{\"a\": 1}", "{\"a\": 1, \"k\": true}"),
        ("{ \"a\": 1 }", "{ \"a\": 1, \"k\": true }"),
        ("{\"a\": 1, }", "{\"a\": 1, \"k\": true, }"),
        ("{\n  \"a\" : 1,\n}", "{\n  \"a\" : 1,\n  \"k\" : true,\n}"),
        ("{\n  \"a\": 1 // why\n}", "{\n  \"a\": 1, // why\n  \"k\": true\n}"),
        ("{\n  \"a\": 1, // why\n  // end\n}", "{\n  \"a\": 1, // why\n  \"k\": true,\n  // end\n}"),
        ("{\"a\": 1 // why\n}", "{\"a\": 1, \"k\": true // why\n}"),
        ("{\n  \"a\": 1 /* x\n */ }", "{\n  \"a\": 1, /* x\n */\n  \"k\": true }"),
        ("{}", "{\n  \"k\": true\n}"),
        ("{\r\n}\r\n", "{\r\n  \"k\": true\r\n}\r\n"),
        ("{ // c\n}", "{ // c\n  \"k\": true\n}"),
    ] {
        assert_eq!(after_set(before, "k", "true"), after);
    }
}

#[test]
fn missing_objects_on_the_way_are_created() {
    assert_eq!(
        after_set("{\n  \"a\": {\n    \"b\": 1\n  }\n}\n", "x.y.z", "[1,\"a\"]"),
        "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"x\": {\n    \"y\": {\n      \"z\": [\n        1,\n        \"a\"\n      ]\n    }\n  }\n}\n"
    );
    assert_eq!(after_set("{\"a\":1}", "x.y", "[1,{}]"), "{\"a\":1,\"x\":{\"y\":[1,{}]}}");
    assert_eq!(after_set("{\"a\": {}, \"b\": 1}", "a.x.y", "[1, 2]"), "{\"a\": {\"x\": {\"y\": [1, 2]}}, \"b\": 1}");
    assert_eq!(after_set("{\n\t\"a\": { }\n}", "a.k", "1"), "{\n\t\"a\": {\n\t\t\"k\": 1\n\t}\n}");
}

#[test]
fn lists_are_edited_by_index() {
    assert_eq!(after_set("[1,2]", "2", "3"), "[1,2,3]");
    assert_eq!(
        after_set("{\n  \"l\": [\n    1\n  ]\n}", "l.1.k", "3"),
        "{\n  \"l\": [\n    1,\n    {\n      \"k\": 3\n    }\n  ]\n}"
    );
    assert_eq!(after_set("[\n  1, 2,\n  3, 4\n]", "4", "5"), "[\n  1, 2,\n  3, 4, 5\n]");
    assert_eq!(after_set("[]", "0", "5"), "[\n  5\n]");
    assert_eq!(after_set("{\n  \"l\": [1, 2]\n}", "l", "[3,4]"), "{\n  \"l\": [3, 4]\n}");
    let list = b"{\"l\":[1]}";
    assert_eq!(refusal(set(list, &path("l.2"), &Value::Null)), "`l` has 1 items: index 2 is out of range");
    assert_eq!(
        refusal(set(list, &path("l.01"), &Value::Null)),
        "`l` is a list: `01` is no index; use 0 to count from the front"
    );
    assert_eq!(
        refusal(get(list, &path("l.99999999999999999999"))),
        "`l` has 1 items: index 99999999999999999999 is out of range"
    );
}

#[test]
fn the_present_value_changes_nothing() {
    let text = "{\"a\":1E5,\"b\":\"\\u00e9\",\"c\":{\"x\":1,\"y\":[ ]},\"d\":-0.0}";
    for (at, value) in [("a", "100000.0"), ("b", "\"é\""), ("c", "{\"y\":[],\"x\":1}"), ("d", "-0.0")] {
        assert_eq!(after_set(text, at, value), text);
    }
    let huge = Value::Number("1E400".to_owned());
    assert_eq!(set(b"[10e+399]", &path("0"), &huge).unwrap().bytes, b"[10e+399]");
    assert_eq!(set(b"[0]", &path("0"), &huge).unwrap().bytes, b"[1E400]");
    assert_eq!(after_set("{\"a\":1.0}", "a", "1"), "{\"a\":1}");
    assert_eq!(set(b"{\"d\":-0.0}", &path("d"), &Value::Float(0.0)).unwrap().bytes, b"{\"d\":0.0}");
}

#[test]
fn a_deleted_member_leaves_no_trace() {
    let lines = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n";
    assert_eq!(after_delete(lines, "a"), "{\n  \"b\": 2,\n  \"c\": 3\n}\n");
    assert_eq!(after_delete(lines, "b"), "{\n  \"a\": 1,\n  \"c\": 3\n}\n");
    assert_eq!(after_delete(lines, "c"), "{\n  \"a\": 1,\n  \"b\": 2\n}\n");
    let crlf = lines.replace('\n', "\r\n");
    assert_eq!(after_delete(&crlf, "c"), "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\r\n");
    let minified = "{\"a\":1,\"b\":2,\"c\":3}";
    assert_eq!(after_delete(minified, "a"), "{\"b\":2,\"c\":3}");
    assert_eq!(after_delete(minified, "b"), "{\"a\":1,\"c\":3}");
    assert_eq!(after_delete(minified, "c"), "{\"a\":1,\"b\":2}");
    for (before, at, after) in [
        ("{ \"a\": 1, \"b\": 2 }", "a", "{ \"b\": 2 }"),
        ("{ \"a\": 1, \"b\": 2 }", "b", "{ \"a\": 1 }"),
        ("{ \"a\": 1 }", "a", "{}"),
        ("{\n  \"a\": 1\n}", "a", "{}"),
        ("{ // c\n  \"a\": 1\n}", "a", "{ // c\n}"),
        ("{\n  \"a\": 1, // a\n  \"b\": 2, // b\n}", "b", "{\n  \"a\": 1, // a\n}"),
        ("{\n  \"a\": 1, // a\n  \"b\": 2 // b\n}", "b", "{\n  \"a\": 1 // a\n}"),
        ("{\n  \"a\": 1, // a\n  \"b\": 2 // b\n}", "a", "{\n  \"b\": 2 // b\n}"),
        ("{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}", "a", "{ \"b\": 2\n, \"c\": 3\n}"),
        ("{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}", "b", "{ \"a\": 1\n, \"c\": 3\n}"),
        ("{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}", "c", "{ \"a\": 1\n, \"b\": 2\n}"),
        ("{\n  \"a\": 1,\n  \"b\": 2 }", "b", "{\n  \"a\": 1 }"),
        ("{\n  \"a\": 1, // c\n  \"b\": 2 }", "b", "{\n  \"a\": 1 // c\n   }"),
        ("{\"a\": 1, // c\n  \"b\": 2}", "a", "{ // c\n  \"b\": 2}"),
        ("{\n  \"a\": 1, \"b\": 2,\n  \"c\": 3\n}", "b", "{\n  \"a\": 1,\n  \"c\": 3\n}"),
        ("[\n  1,\n  2\n]", "0", "[\n  2\n]"),
        ("{\"l\":[1,2]}", "l.1", "{\"l\":[1]}"),
    ] {
        assert_eq!(after_delete(before, at), after);
    }
    for at in ["x", "a.x", "b.d.e"] {
        let text = b"{\"a\":null,\"b\":{\"c\":false}}";
        assert_eq!(delete(text, &path(at)).unwrap(), Edited { bytes: text.to_vec(), changed: false });
    }
}

#[test]
fn keys_are_exact() {
    let text = br#"{"a.b":1,"a":{"b":2},"":3,"sp ace":4,"$x":5}"#;
    let at = |keys: &[&str]| get(text, &keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>());
    for (keys, value) in [(&["a.b"][..], 1), (&["a", "b"], 2), (&[""], 3), (&["sp ace"], 4), (&["$x"], 5)] {
        assert_eq!(at(keys).unwrap(), Value::Integer(value));
    }
    assert!(at(&["a", "", "b"]).is_err() && at(&["", "a"]).is_err() && at(&["__proto__"]).is_err());
}

#[test]
fn a_missing_key_is_not_null() {
    let text = b"{\"a\":null,\"b\":{\"c\":false}}";
    assert_eq!(get(text, &path("a")).unwrap(), Value::Null);
    assert_eq!(get(text, &path("b.c")).unwrap(), Value::Boolean(false));
    assert_eq!(get(text, &path("b")).unwrap(), json("{\"c\":false}"));
    assert_eq!(refusal(get(text, &path("b.d"))), "`b.d` does not exist: `b` has no key `d`; did you mean `c`?");
    assert_eq!(refusal(get(text, &path("xray.y.z"))), "`xray.y.z` does not exist: the document has no key `xray`");
}

#[test]
fn scalars_are_not_replaced_on_the_way() {
    let text = b"{\"theme\":\"dark\",\"n\":null}";
    assert_eq!(refusal(set(text, &path("theme.name"), &Value::Null)), "`theme` is a string, so it has no `name`");
    assert_eq!(refusal(set(text, &path("n.x.y"), &Value::Null)), "`n` is null, so it has no `x`");
    assert_eq!(refusal(set(b"\n 5", &path("a"), &Value::Null)), "2:2: the document is a number, so it has no `a`");
}

#[test]
fn damaged_documents_are_refused_with_the_place() {
    for (text, message) in [
        ("", "1:1: the document is empty, expected a JSON value"),
        ("\n// c\n", "2:5: the document is empty, expected a JSON value"),
        ("{}\nxyz", "2:1: found `xyz` after the end of the document"),
        ("{\"a\":1", "1:7: the document ends too early, expected `,` or `}`"),
        ("{\"a\" 1}", "1:6: found `1`, expected `:`"),
        ("[1,,2]", "1:4: found `,`, expected a value or `]`"),
        ("[1 2]", "1:4: found `2`, expected `,` or `]`"),
        ("[1}", "1:3: found `}`, expected `,` or `]`"),
        ("{a:1}", "1:2: found `a`, expected a key in double quotes or `}`"),
        ("[01]", "1:3: found `1`, expected `,` or `]`"),
        ("[\"é\n\"]", "1:4: control characters inside a string must be written as escapes"),
        ("[\u{a0}1]", "1:2: only spaces, tabs and line ends may separate tokens"),
    ] {
        assert_eq!(refusal(get(text.as_bytes(), &[])), message, "{text}");
        assert!(set(text.as_bytes(), &path("a"), &Value::Null).is_err());
        assert!(delete(text.as_bytes(), &path("a")).is_err());
    }
    for text in
        ["['a']", "[.5]", "[5.]", "[+1]", "[0x1]", "[NaN]", "[Infinity]", "[-]", "[1e]", "/* c", "[\"\\x41\"]", "[tru]"]
    {
        assert!(get(text.as_bytes(), &[]).is_err(), "{text}");
    }
}

#[test]
fn marks_comments_and_surrogates_survive() {
    assert_eq!(after_set("\u{feff}{\"a\":1}", "a", "2"), "\u{feff}{\"a\":2}");
    assert_eq!(after_set("// c\n{\"a\":1,}", "a", "2"), "// c\n{\"a\":2,}");
    let lone = "{\"a\":1,\"s\":\"\\ud83d\"}";
    assert_eq!(after_set(lone, "a", "2"), "{\"a\":2,\"s\":\"\\ud83d\"}");
    assert_eq!(
        refusal(get(lone.as_bytes(), &path("s"))),
        "1:12: the string holds a lone surrogate escape, which is no character"
    );
    assert_eq!(after_set(lone, "s", "\"\u{fffd}\""), "{\"a\":1,\"s\":\"\u{fffd}\"}");
    assert_eq!(after_set("{\"\\ud83d\":1}", "\u{fffd}", "2"), "{\"\\ud83d\":1,\"\u{fffd}\":2}");
    assert_eq!(get("[\"\\ud83d\\ude00\"]".as_bytes(), &path("0")).unwrap(), Value::String("😀".to_owned()));
}

#[test]
fn other_encodings_are_refused_with_the_byte() {
    let utf16: Vec<u8> = "{\"a\":1}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let offset = |text: &[u8]| match get(text, &path("a")) {
        Err(JsonEditError::Encoding { offset, .. }) => offset,
        other => panic!("{other:?}"),
    };
    assert_eq!(offset(&utf16), 1);
    assert_eq!(offset(&[&[0xFF, 0xFE], &utf16[..]].concat()), 0);
    assert_eq!(offset(b"{\"a\":\"\xe9\"}"), 6);
    assert_eq!(offset(b"\xEF\xBB\xBF{\"a\":\"\xe9\"}"), 9);
}

#[test]
fn duplicate_keys_mean_the_last() {
    let text = "{\"a\":1,\"b\":2,\"a\":3}";
    assert_eq!(get(text.as_bytes(), &path("a")).unwrap(), Value::Integer(3));
    assert_eq!(after_set(text, "a", "4"), "{\"a\":1,\"b\":2,\"a\":4}");
    assert_eq!(
        refusal(delete(text.as_bytes(), &path("a"))),
        "1:14: `a` is written more than once; remove the duplicate first"
    );
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(get(nested(DEPTH).as_bytes(), &[]).is_ok());
    assert!(serde_json::from_str::<serde_json::Value>(&nested(DEPTH)).is_ok());
    assert!(matches!(get(nested(DEPTH + 1).as_bytes(), &[]), Err(JsonEditError::TooDeep { .. })));
    assert!(matches!(get("[".repeat(1_000_000).as_bytes(), &[]), Err(JsonEditError::TooDeep { .. })));
    let long = vec!["a".to_owned(); DEPTH];
    let deep = set(b"{}", &long, &Value::Null).unwrap().bytes;
    assert_eq!(get(&deep, &long).unwrap(), Value::Null);
    assert!(matches!(set(b"{}", &long, &Value::List(Vec::new())), Err(JsonEditError::WouldBeTooDeep { .. })));
}

#[test]
fn time_is_linear_in_the_size() {
    let started = std::time::Instant::now();
    let member = "\n  \"k\\u00e9\": [1, {\"a\": \"\\ud83d\"}, /* c */ 1.5e3],";
    let text = format!("{{{}\n}}", member.repeat(25_000));
    after_set(&text, "new", "1");
    let bare = format!("[{}", "\"\\ud83d\\".repeat(500_000));
    assert!(get(bare.as_bytes(), &[]).is_err());
    let nested = format!("{}{}", "{\"a\":[".repeat(60), "]}".repeat(60));
    let wide = format!("[{}0]", format!("{nested},").repeat(1_000));
    after_set(&wide, "500.a.0.a.0.a.0", "{}");
    assert!(started.elapsed().as_secs() < 30);
}

#[test]
fn the_whole_document_can_be_set_but_not_deleted() {
    assert_eq!(set(b"// c\n5\n", &[], &json("{\"a\":[]}")).unwrap().bytes, b"// c\n{\n  \"a\": []\n}\n");
    assert_eq!(delete(b"{}", &[]), Err(JsonEditError::EmptyPath));
}

/// Comments and trailing commas made spaces, by rules of its own.
fn strict(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.trim_start_matches('\u{feff}').chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('"', _) => {
                out.push('"');
                while let Some(c) = chars.next() {
                    out.push(c);
                    match c {
                        '\\' => out.extend(chars.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            ('/', Some('/')) => while chars.next_if(|c| *c != '\n').is_some() {},
            ('/', _) => {
                chars.next();
                let mut last = ' ';
                for c in chars.by_ref() {
                    if (last, c) == ('*', '/') {
                        break;
                    }
                    last = c;
                }
            }
            (']' | '}', _) => {
                let kept = out.trim_end().len();
                if out[..kept].ends_with(',') {
                    out.truncate(kept - 1);
                }
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

fn parsed(text: &str) -> serde_json::Value {
    serde_json::from_str(&strict(text)).unwrap_or_else(|error| panic!("{error}: {text:?}"))
}

/// Documents with all kinds of space and comments, as objects or lists.
fn document() -> impl Strategy<Value = String> {
    let space = || {
        prop::sample::select(vec![
            "",
            "",
            "",
            " ",
            "\n",
            "\n  ",
            "\r\n\t",
            "  ",
            "/* } */",
            " // ] ,\n",
            "/* a\n b */ ",
        ])
    };
    let leaf = prop::sample::select(vec![
        "1",
        "-0",
        "1E5",
        "0.10",
        "9007199254740993",
        "true",
        "null",
        "\"\"",
        "\"\\u00e9\\/\"",
        "\"// é\"",
        "\"{,\"",
        "{}",
        "[]",
    ]);
    let key = prop::sample::select(vec!["a", "b", "c", "d.e", "é", ""]);
    let leaf = leaf.prop_map(str::to_owned).boxed();
    let container = move |inner: proptest::strategy::BoxedStrategy<String>| {
        let child = (space(), key.clone(), space(), space(), inner, space());
        (prop::collection::vec(child, 0..5), space(), any::<bool>(), any::<bool>()).prop_map(
            |(children, tail, object, trailing)| {
                let mut out = String::from(if object { "{" } else { "[" });
                let count = children.len();
                let mut seen = std::collections::HashSet::new();
                for (at, (before, key, left, right, value, after)) in children.into_iter().enumerate() {
                    let key = if seen.insert(key) { key.to_owned() } else { format!("{key}{at}") };
                    out.push_str(before);
                    if object {
                        out.push_str(&format!("\"{key}\"{left}:{right}"));
                    }
                    out.push_str(&value);
                    out.push_str(after);
                    if trailing || at + 1 < count {
                        out.push(',');
                    }
                }
                out.push_str(tail);
                out.push(if object { '}' } else { ']' });
                out
            },
        )
    };
    let nested = container.clone();
    let inner = leaf.prop_recursive(3, 24, 4, move |inner| nested(inner.boxed()));
    (Just(()), space(), container(inner.boxed()), space())
        .prop_map(|((), before, body, after)| format!("{before}{body}{after}"))
}

fn paths(value: &serde_json::Value, at: &[String], out: &mut Vec<Vec<String>>) {
    let mut visit = |key: String, value: &serde_json::Value| {
        let path = [at, &[key]].concat();
        out.push(path.clone());
        paths(value, &path, out);
    };
    match value {
        serde_json::Value::Array(items) => items.iter().enumerate().for_each(|(at, item)| visit(at.to_string(), item)),
        serde_json::Value::Object(entries) => entries.iter().for_each(|(key, item)| visit(key.clone(), item)),
        _ => {}
    }
}

fn pointer(path: &[String]) -> String {
    path.iter().map(|key| format!("/{key}")).collect()
}

fn is_subsequence(part: &str, whole: &str) -> bool {
    let mut whole = whole.chars().filter(|c| !c.is_whitespace());
    part.chars().filter(|c| !c.is_whitespace()).all(|c| whole.any(|other| other == c))
}

/// No line is blank that was not.
fn blank_lines(text: &str) -> usize {
    text.lines().filter(|line| line.trim().is_empty()).count()
}

proptest! {
    #[test]
    fn set_replaces_one_value(text in document(), pick in any::<prop::sample::Index>(), value in document()) {
        let before = parsed(&text);
        let mut all = Vec::new();
        paths(&before, &[], &mut all);
        if all.is_empty() {
            return Ok(());
        }
        let at = pick.get(&all);
        let new = parsed(&value);
        let edited = set(text.as_bytes(), at, &crate::json_text::from_json(&new)).unwrap();
        let out = String::from_utf8(edited.bytes).unwrap();
        let mut expected = before;
        *expected.pointer_mut(&pointer(at)).unwrap() = new;
        let canonical = |json: &serde_json::Value| crate::json_text::from_json(json);
        prop_assert_eq!(canonical(&parsed(&out)), canonical(&expected));
        let document = crate::edit::json::lex::Document::new(text.as_bytes()).unwrap();
        let root = crate::edit::json::scan::check(&document).unwrap();
        let located = crate::edit::json::locate::locate(&document, &root, at).unwrap();
        let old = located.chain.last().unwrap().target.clone().unwrap().value.range;
        prop_assert!(out.starts_with(&text[..old.start]) && out.ends_with(&text[old.end..]));
        prop_assert_eq!(get(out.as_bytes(), at).unwrap(), canonical(expected.pointer(&pointer(at)).unwrap()));
    }

    #[test]
    fn set_adds_one_value(text in document(), pick in any::<prop::sample::Index>(), deep in any::<bool>()) {
        let before = parsed(&text);
        let mut all = vec![Vec::new()];
        paths(&before, &[], &mut all);
        all.retain(|at| before.pointer(&pointer(at)).is_some_and(|json| json.is_object() || json.is_array()));
        let mut at = pick.get(&all).clone();
        let mut expected = before;
        let holder = expected.pointer_mut(&pointer(&at)).unwrap();
        let new = if deep { serde_json::json!({"deeper": [1]}) } else { serde_json::json!([1]) };
        match holder {
            serde_json::Value::Array(items) => {
                at.push(items.len().to_string());
                items.push(new);
            }
            serde_json::Value::Object(entries) => {
                at.push("new".to_owned());
                entries.insert("new".to_owned(), new);
            }
            _ => unreachable!(),
        }
        if deep {
            at.push("deeper".to_owned());
        }
        let edited = set(text.as_bytes(), &at, &json("[1]")).unwrap();
        let out = String::from_utf8(edited.bytes).unwrap();
        prop_assert_eq!(parsed(&out), expected);
        prop_assert!(is_subsequence(&text, &out));
        let again = set(out.as_bytes(), &at, &json("[1]")).unwrap();
        prop_assert!(!again.changed && again.bytes == out.as_bytes());
    }

    #[test]
    fn delete_removes_one_value(text in document(), pick in any::<prop::sample::Index>()) {
        let before = parsed(&text);
        let mut all = Vec::new();
        paths(&before, &[], &mut all);
        if all.is_empty() {
            return Ok(());
        }
        let at = pick.get(&all);
        let edited = delete(text.as_bytes(), at).unwrap();
        let out = String::from_utf8(edited.bytes).unwrap();
        let mut expected = before;
        let (last, holder) = at.split_last().unwrap();
        match expected.pointer_mut(&pointer(holder)).unwrap() {
            serde_json::Value::Array(items) => {
                items.remove(last.parse().unwrap());
            }
            serde_json::Value::Object(entries) => {
                entries.shift_remove(last);
            }
            _ => unreachable!(),
        }
        prop_assert_eq!(parsed(&out), expected);
        prop_assert!(is_subsequence(&out, &text));
        prop_assert!(blank_lines(&out) <= blank_lines(&text), "{:?}", out);
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..64), jsonish in "[\\[\\]{}\",:0-9eE.a\\\\u/* \n-]{0,24}") {
        for text in [&bytes[..], jsonish.as_bytes()] {
            let _ = get(text, &path("a.0"));
            let _ = delete(text, &path("0"));
            if let Ok(edited) = set(text, &path("0"), &Value::Integer(1)) {
                prop_assert!(get(&edited.bytes, &path("0")) == Ok(Value::Integer(1)));
            }
        }
    }

    #[test]
    fn strict_json_is_read_as_serde_json_reads_it(text in prop_oneof![
        "[\\[\\]{}\",:0-9eE.a\\\\u \n-]{0,12}",
        "\"(\\\\[\"\\\\/bfnrtu]|\\\\u[0-9a-fA-F]{4}|[a-z\u{80}-\u{ffff}])*\"",
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?",
    ]) {
        let ours = get(text.as_bytes(), &[]);
        match serde_json::from_str::<serde_json::Value>(&text) {
            Ok(json) => prop_assert_eq!(ours.map(|value| crate::json_text::to_json(&value)), Ok(crate::json_text::to_json(&crate::json_text::from_json(&json)))),
            Err(_) => prop_assert!(ours.is_err() || strict(&text) != text),
        }
    }
}
