//! The YAML reader against `serde_yaml`, an independent implementation, on random trees and random texts.

#![allow(missing_docs)]

use macrocli_compiler::diagnostic::Diagnostics;
use macrocli_compiler::source::SourceMap;
use macrocli_compiler::yaml::{Kind, Node, Resolved, open, read};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_assert_eq, prop_oneof, proptest};
use proptest::sample::select;
use proptest::test_runner::TestCaseError;
use proptest::{collection, option};
use serde_yaml::Value;
use serde_yaml::value::Mapping;

fn ours(bytes: &[u8]) -> Result<Node<'static>, String> {
    let (mut sources, mut problems) = (SourceMap::default(), Diagnostics::default());
    let file = open(&mut sources, "m.yaml", bytes, &mut problems);
    // A tree borrows from its text, which is small here.
    let sources: &SourceMap = Box::leak(Box::new(sources));
    let node = file.and_then(|file| read(sources, file, &mut problems));
    let list = problems.into_sorted();
    node.filter(|_| list.is_empty()).ok_or_else(|| format!("{list:?}"))
}

fn value(node: &Node) -> Value {
    match &node.kind {
        Kind::Scalar(scalar) => match scalar.resolve() {
            Resolved::Null => Value::Null,
            Resolved::Bool(value) => value.into(),
            Resolved::Int(value) => value.into(),
            Resolved::BigInt(text) => text.parse::<u64>().map_or_else(|_| text.into(), Value::from),
            Resolved::Float(value) | Resolved::NonFinite(value) => value.into(),
            Resolved::Str(text) => text.into(),
        },
        Kind::List(items) => Value::Sequence(items.iter().map(value).collect()),
        Kind::Map(entries) => {
            let pairs = entries.iter().map(|entry| (Value::from(&*entry.key.node), value(&entry.value)));
            Value::Mapping(pairs.collect())
        }
    }
}

/// With every key as text, as our trees have them; nothing where that is impossible.
fn with_text_keys(value: Value) -> Option<Value> {
    match value {
        Value::Sequence(items) => items.into_iter().map(with_text_keys).collect::<Option<_>>().map(Value::Sequence),
        Value::Mapping(entries) => {
            let mut with_text = Mapping::new();
            for (key, value) in entries {
                let key = match key {
                    Value::String(key) => key,
                    Value::Number(key) => key.to_string(),
                    Value::Bool(key) => key.to_string(),
                    Value::Null | Value::Sequence(_) | Value::Mapping(_) | Value::Tagged(_) => return None,
                };
                // The oracle leaves merges inside merged mappings as they are.
                if key == "<<" {
                    return None;
                }
                // `7` and `"7"` are two keys for the oracle and the same text twice for us.
                if with_text.insert(key.into(), with_text_keys(value)?).is_some() {
                    return None;
                }
            }
            Some(Value::Mapping(with_text))
        }
        Value::Tagged(_) => None,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Some(value),
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{0,12}",
        "[a-z:#\\-?*&!|>'\"%@`,\\[\\]{} \n\t]{0,10}",
        "(yes|no|true|null|~|1|1.5|0x1|.inf|<<|-|---|\\.\\.\\.)",
        "\\PC{0,6}",
        any::<String>(),
    ]
    // Line breaks of YAML 1.1, which the oracle reads, and plain characters of 1.2.
    .prop_map(|text| text.replace(['\u{85}', '\u{2028}', '\u{2029}'], "_"))
}

/// A key: the oracle writes `<<` without quotes, which is a merge to every reader.
fn key() -> impl Strategy<Value = String> {
    text().prop_filter("a key that is no merge", |text| text != "<<")
}

fn tree() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_filter("a number that equals itself", |value| !value.is_nan()).prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let mapping = |entries: Vec<(String, Value)>| {
            Value::Mapping(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
        };
        prop_oneof![
            collection::vec(inner.clone(), 0..6).prop_map(Value::Sequence),
            collection::vec((key(), inner), 0..6).prop_map(mapping),
        ]
    })
}

/// Pieces of YAML; put together at random they are valid often enough to be worth comparing.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "a: ", "b: ", "c:", "key: ", "- ", "- ", "? ", ": ", "x", "y z", "no", "true", "7", "1.5", "~", "'q q'", "'it''s'",
    "\"d\\n\"", "\"\\u00e9\\\n   x\"", "[", "]", "{", "}", ", ", "[1, 2]", "{k: v}", "{k: v, l: [m]}", "|\n", ">-\n",
    "|2\n", "|+\n", "# c\n", " # c", "&n ", "*n", "<<: ", "!!str ", "\n", "\n", "\n  ", "\n  ", "\n    ", "\n\n", "  ",
    " ", "---\n", "...\n", "é", "-", ":", "#", "\r\n",
];

/// Values in every style; `{}` is replaced by the indentation of the line they begin on.
#[rustfmt::skip]
const VALUES: &[&str] = &[
    "word", "two words", "a\n{}  folded\n{}  plain", "'single ''q'''", "\"dou\\tble \\\n{}  joined\"", "\"fol\n{}   ded\n\n{}  more\"",
    "|\n{}  line\n{}    more\n\n{}  last", ">\n{}  fold\n{}  ed\n\n{}   x", "|-\n{}  strip\n", "|+\n{}  keep\n\n",
    ">-\n\n{}  one\n{}  two # not\n{}\n", "|2\n{}   x", "[a, 'b', {c: d}, [e]]", "{a: b, c: [d, e],\n{}  f: g}", "[a,\n{}  b, # c\n{}  c]",
    "12", "-1.5e3", "off", "true", "~", "", "http://x/y#z", "a - b", "x # comment", "!!str 5", "# comment", "{ }", "[]", "[a: 1, b]",
    "&n [1]", "*n", "&m {x: 1, y: 2}", "*m",
];

/// Lines with sensible indentation.
fn lines() -> impl Strategy<Value = String> {
    let line = (0usize..4, option::of(Just("- ")), option::of("[a-d]{1,2}|<<"), select(VALUES));
    collection::vec(line, 1..9).prop_map(|lines| {
        let mut text = String::from("- &n x\n- &m {y: 3}\n- ");
        for (level, item, key, value) in lines {
            let indent = "  ".repeat(level);
            let key = key.map(|key| format!("{key}: ")).unwrap_or_default();
            text += &format!("{indent}{}{key}{}\n", item.unwrap_or_default(), value.replace("{}", &indent));
        }
        text
    })
}

/// Lists and mappings that both read, they read alike. We refuse more on purpose: glued comments, scalars left of their key, merges of no mapping, tags
/// that contradict their value. That what is well formed is not refused is the business of the written trees and of [`ACCEPTED`].
fn agrees(text: &str) -> Result<(), TestCaseError> {
    let Ok(mut theirs) = serde_yaml::from_str::<Value>(text) else { return Ok(()) };
    if theirs.apply_merge().is_err() || !(theirs.is_mapping() || theirs.is_sequence()) {
        return Ok(());
    }
    let Some(theirs) = with_text_keys(theirs) else { return Ok(()) };
    if let Ok(node) = ours(text.as_bytes()) {
        prop_assert_eq!(value(&node), theirs);
    }
    Ok(())
}

/// Well-formed documents in every style, which must be read, and as the oracle reads them.
const ACCEPTED: &[&str] = &[
    "a: 1\nb:\n- x\n- y\nc:\n  - {d: e, f: [g, h]}\n",
    "- a\n- - b\n  - c\n-\n  d: e\n- ~\n-\n",
    "a: |\n  line\n    more\n\n  last\nb: >-\n  fold\n  ed\n\n   x\nc: |2\n   x\nd: |+\n  keep\n\n",
    "a: two\n  words\nb: 'it''s\n  folded'\nc: \"d\\tq \\\n  joined\"\n",
    "base: &b {x: 1, y: 2}\nmore:\n  <<: *b\n  y: 3\nlist: [*b, *b]\n",
    "? a\n: b\n? 'c d'\n: [1, -1.5e3, 0x1f, .inf]\n",
    "# before\na: b # after\n\n# between\nc: 'd # e'\n",
    "a: !!str 5\nb: !!int \"7\"\nc: http://x/y#z\nd: a - b\ne: -x\nf: ':'\n",
    "---\na: [a,\n  b, # c\n  c]\n...\n",
    "{a: b, 'c': \"d\", e: {f: []}}\n",
];

#[test]
fn well_formed_documents_are_read_as_the_oracle_reads_them() {
    for text in ACCEPTED {
        let mut theirs: Value = serde_yaml::from_str(text).unwrap();
        theirs.apply_merge().unwrap();
        assert_eq!(ours(text.as_bytes()).map(|node| value(&node)), Ok(with_text_keys(theirs).unwrap()), "{text}");
    }
}

fn inside(node: &Node, text: &str) {
    assert!(text.get(node.span.range()).is_some());
    match &node.kind {
        Kind::Scalar(scalar) => {
            let rest = &text[scalar.content_start as usize..];
            assert!(!scalar.verbatim || rest.starts_with(&*scalar.text));
        }
        Kind::List(items) => items.iter().for_each(|item| inside(item, text)),
        Kind::Map(entries) => entries.iter().for_each(|entry| {
            assert!(text.get(entry.key.span.range()).is_some());
            inside(&entry.value, text);
        }),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn written_trees_read_back(tree in tree()) {
        let text = serde_yaml::to_string(&tree).unwrap();
        let read = ours(text.as_bytes()).map(|node| value(&node));
        prop_assert_eq!(read, Ok(tree), "{}", text);
    }

    #[test]
    fn lines_read_alike(text in lines()) {
        agrees(&text)?;
        agrees(&text.replace('\n', "\r\n"))?;
    }

    #[test]
    fn pieces_read_alike(pieces in collection::vec(select(PIECES), 1..14)) {
        agrees(&pieces.concat())?;
    }

    #[test]
    fn random_bytes_do_no_harm(bytes in collection::vec(any::<u8>(), 0..200)) {
        drop(ours(&bytes));
    }

    #[test]
    fn spans_lie_inside_the_text(pieces in collection::vec(select(PIECES), 1..40)) {
        let text = pieces.concat();
        if let Ok(node) = ours(text.as_bytes()) {
            inside(&node, &text);
        }
    }
}
