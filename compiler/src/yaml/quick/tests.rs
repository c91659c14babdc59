//! What the quick reader takes, it takes exactly as the full one does.

use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};
use proptest::test_runner::TestCaseError;
use proptest::{collection, option, prop_assert_eq, sample::select};
use spec::span::FileId;

use crate::source::SourceMap;
use crate::yaml::build::Builder;
use crate::yaml::{full, quick};

/// Whether the quick reader takes a text.
fn takes(text: &str) -> bool {
    compared(text).unwrap()
}

/// Whether the quick reader takes a text; when it does, the trees with all their places, and the reports, are compared.
fn compared(text: &str) -> Result<bool, TestCaseError> {
    let mut sources = SourceMap::default();
    let file = sources.add("m.yaml", text);
    let source = sources.get(FileId(file.0)).unwrap();
    let mut builder = Builder::new(source, file);
    if quick::read(&mut builder).is_err() {
        return Ok(false);
    }
    let (ours, theirs) = (builder.finish(), full::tree(source, file));
    prop_assert_eq!(ours.0, theirs.0, "{:?}", text);
    prop_assert_eq!(ours.1, theirs.1, "{:?}", text);
    Ok(true)
}

/// Every construct it is for.
#[rustfmt::skip]
const TAKEN: &[&str] = &[
    "a: 1", "a: 1\n", "---\na: 1\n", "# c\n\n  # c\na: 1\n", "--- # c\na: 1", "  a: 1\n  b: 2\n", "- a\n- b\n", "[a]\n", "{a: b}", "'a'\n",
    "a:\n  b:\n    c: d\n  e: f\ng: h\n", "a:\n- b\n- c\nd:\n  - e\n  -\n  - f\n", "- - - a\n    - b\n  - c\n-   d: e\n    f: g\n-\n  h\n- \n",
    "a:\nb:\n", "a:\n  -\n  -\nb: # c\n# c\nc:\n", "- a:\n  - b\n  - c: d\n    e:\n    - f\n  g:\n- h", "a: # c\n- # c\n  b: c\n", "a:\n-\n- b\n",
    "a: b c  d # e\n", "a: http://b/c#d\n", "a: -b\nc: b - d\n", "a : b\n", "a b: c d", "a: b:c\n", "a: b\n\n\n# c\n\nd: e\n", "a: 50% & [b] {c}, d\n",
    "a: b\n  c\n\n  d - e\n  # f\ng: h\n", "a:\n  b\n  c\nd: e", "- a\n  b\n-\n  c\n  d", "a: b\n   c # d\ne: f", "a: b\n\n  c\n\n\n  d   \n  \n\ne: f",
    "a: 'b ''c'' d'\n'e': \"f\\n\\t\\\\\\\"\"\n", "\"a\": ''\n'b c' : \"\"\n", "- 'a': b\n  \"c\": d\n", "a: 'é' # 'x'\nü: \"ö\"\n", "a: '  b  '\n",
    "a: |\n  b\n   c\n\n  d\n\n\ne: f\n", "a: >\n  b\n  c\n   d\n   e\n  f\n\n\n  g\n", "a: |-\n  b\n\nc: >+\n  d\n\n\n", "a: |\n\n\n  b\n", "a: >-\n  b\n",
    "a: |\n  b", "a: >+\n  b\n\n   \n  c\n   \n", "- |\n b\n-  >\n  c\n  d", "a:\n- |\n  b\n- c", "a: |   \n  # b\n  c: d\n# e\nf: g", "a: |+\n  b\n    \n",
    "a:\n  |\n  b\n", "a: >\n  é\n  \n  ü\n", "a: [b, 'c', \"d\", e f, -g, 1]\n", "a: []\nb: {}\nc: [ ]\nd: { }\n", "a: [b, ]\nc: {d: e, }\n",
    "a: [[b], [c, [d]], {e: f}]\n", "a: {b: c, 'd': e, \"f\":g, \"h\":[i], 'j' : {k: l}}\n", "a: [\n  b, # c\n  # d\n\n  e\n]\nf: g\n", "a: {\n  b: c,\n  d:\n    e\n  }\n",
    "a: [b c , d\n , e ]  # f\n", "- [a, b]\n- {c: d}\n- - [e]\n", "a: [b:c, d#e, f # g\n]\n", "a:\n  [b,\n c]\n", "a: [1,\n2]\nb: c", "[a,\nb,\n# c\nd]\n",
    "a: 1\nb: 2\na: 3\n", "<<: {a: b}\nc: d\n", "'': a\n", "a: {b: c, b: d}\n", "a: [x-y, z?]\n", "a:   \n   b:   c   \n   d:   e   \n",
];

/// What is left to the full reader, right or wrong.
#[rustfmt::skip]
const LEFT: &[&str] = &[
    "", "\n", "# c", "a", "a: &b c\n", "a: *b\n", "a: !!str b\n", "? a\n: b\n", "%YAML 1.2\n---\na: b\n", "a: b\n---\nc: d\n", "a: b\n...\n",
    "a:\tb\n", "a: b\r\n", "\u{FEFF}a: b\n", "a: b: c\n", "a: - b\n", "a: b\n  c: d\n", "a: 'b\n  c'\n", "a: \"b\\u00e9\"\n", "a: \"b\\q\"\n",
    "a: [b\n", "a: [b}\n", "a: [b] c\n", "a: [b, , c]\n", "a: [, b]\n", "a: {b, c}\n", "a: [b: c]\n", "a: {b: }\n", "[a]: b\n", "a: [b\n  c]\n",
    "a: |2\n   b\n", "a: |\nb: c\n", "a: |\n   \n  b\n", "a: | # c\n  b\n", "a: @b\n", "a: `b`\n", "a: %b\n", "a: 'b' c\n", "a: 'b'#c\n", "a: ]\n",
    "  a: b\nc: d\n", "a:\n    b: c\n  d: e\n", "- a\nb: c\n", "a: b\n- c\n", "a\nb: c\n", "a:\n  b\n c: d\n", "a: {b:c}\n", "a: [-]\n", "a: [- b]\n",
    "a: |\n  b\n ---\n", "a: [\n--- b\n]", "a: 'b", "a: \"b", "a: [#b]\n", "a: [b,#c\n]", "a: - b\n", "a: |\n  b\n c: d\n", "a: b\n- ", "a: [?b]\n", ": a\n", "a: :b\n", "---a: b\n",
];

#[test]
fn takes_what_macros_are_made_of() {
    let left: Vec<_> = TAKEN.iter().filter(|text| !takes(text)).collect();
    assert_eq!(left, Vec::<&&str>::new());
}

#[test]
fn leaves_the_rest() {
    let taken: Vec<_> = LEFT.iter().filter(|text| takes(text)).collect();
    assert_eq!(taken, Vec::<&&str>::new());
}

#[test]
fn takes_the_bundled_macros() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../macro_definitions");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "yaml")).collect();
    assert!(!files.is_empty());
    for file in files {
        assert!(takes(&std::fs::read_to_string(&file).unwrap()), "{}", file.display());
    }
}

#[test]
fn a_changed_character_changes_nothing_in_that() {
    for text in TAKEN {
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        for (place, start) in ends.iter().enumerate() {
            let end = ends.get(place + 1).copied().unwrap_or(*start);
            takes(&format!("{}{}", &text[..*start], &text[end..]));
            takes(&text[..*start]);
            for piece in [
                " ", "\n", "  ", "\n  ", "#", " #", ":", ": ", "- ", "-", "'", "\"", "[", "]", "{", "}", ",", "|\n",
                "x", "é", "?", "...", "\n---\n",
            ] {
                takes(&format!("{}{piece}{}", &text[..*start], &text[*start..]));
                takes(&format!("{}{piece}{}", &text[..*start], &text[end..]));
            }
        }
    }
}

#[test]
fn nesting_has_its_limit() {
    for depth in 1..80 {
        takes(&format!("{}a", "- ".repeat(depth)));
        takes(&format!("a: {}{}", "[".repeat(depth), "]".repeat(depth)));
        let keys: String = (0..depth).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
        takes(&keys);
    }
    for length in [999, 1000, 1001, 1023, 1024, 1025] {
        takes(&format!("{}: a", "k".repeat(length)));
        takes(&format!("a: {{{}: a}}", "k".repeat(length)));
    }
}

/// Pieces that are put together at random.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "a: ", "b: ", "c:", "key: ", "- ", "- ", "? ", ": ", "x", "y z", "no", "7", "~", "'q q'", "'it''s'", "\"d\\n\"", "\"e\":", "[", "]", "{", "}", ", ", ",",
    "[1, 2]", "{k: v}", "{k: v, l: [m]}", "|\n", ">-\n", "|+\n", ">\n", "# c\n", " # c", "&n ", "*n", "\n", "\n", "\n  ", "\n  ", "\n    ", "\n\n", "  ", " ",
    "---\n", "...\n", "é", "-", ":", "#", "%", "@", "<<: ",
];

/// Values in every style; `{}` is the indentation of their line.
#[rustfmt::skip]
const VALUES: &[&str] = &[
    "word", "two words", "a\n{}  folded\n{}  plain", "a\n\n{} b # c", "'single ''q'''", "\"dou\\tble\"", "'b # c' # d", "|\n{}  line\n{}    more\n\n{}  last",
    ">\n{}  fold\n{}  ed\n\n{}   x\n{}  y", "|-\n{}  strip\n", "|+\n{}  keep\n\n", ">-\n\n{}  one\n{}  two # not\n{}\n", ">+\n{} a\n\n\n{} b\n{}\n{}  \n",
    "[a, 'b', {c: d}, [e]]", "{a: b, c: [d, e],\n{}  f: g}", "[a,\n{}  b, # c\n{}  c]", "[\n{}a\n{}]", "12", "", "", "http://x/y#z", "a - b", "x # comment",
    "# comment", "{ }", "[]", "-", "- a", "- - b", "k: v", "k:", "'k':  v", "- k: v\n{}  l: w", "- k:\n{}  - v", "a: b\n{}", "\n\n{}x", "[a: 1, b]", "&n 1",
];

fn lines() -> impl Strategy<Value = String> {
    let line = (0usize..4, option::of(Just("- ")), option::of("[a-d]{1,2}"), select(VALUES));
    (any::<bool>(), collection::vec(line, 1..9)).prop_map(|(list, lines)| {
        let mut text = String::from(if list { "- \n" } else { "" });
        for (level, item, key, value) in lines {
            let indent = "  ".repeat(level);
            let key = key.map(|key| format!("{key}: ")).unwrap_or_default();
            text += &format!("{indent}{}{key}{}\n", item.unwrap_or_default(), value.replace("{}", &indent));
        }
        text
    })
}

/// A tree written out, so that most of these are taken; the indentation of each level is its own.
fn written() -> impl Strategy<Value = String> {
    let leaf = select(VALUES).prop_map(str::to_owned);
    let tree = leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            (1usize..4, collection::vec(inner.clone(), 1..4)).prop_map(|(wide, items)| {
                let pad = " ".repeat(wide);
                items.iter().map(|item| format!("\n{{}}-{pad}{}", item.replace("{}", &format!("{{}} {pad}")))).collect()
            }),
            (0usize..4, collection::vec(("[a-e]{1,2}", inner), 1..4)).prop_map(|(wide, entries)| {
                let pad = " ".repeat(wide);
                let entry = |(key, value): &(String, String)| {
                    format!("\n{{}}{key}: {}", value.replace("{}", &format!("{{}}{pad}")))
                };
                entries.iter().map(entry).collect()
            }),
        ]
    });
    tree.prop_map(|text| text.replace("{}", "").trim_start_matches('\n').to_owned() + "\n")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 1024, ..ProptestConfig::default() })]

    #[test]
    fn written_trees_read_alike(text in written()) {
        compared(&text)?;
    }

    #[test]
    fn lines_read_alike(text in lines()) {
        compared(&text)?;
    }

    #[test]
    fn pieces_read_alike(pieces in collection::vec(select(PIECES), 1..16)) {
        compared(&pieces.concat())?;
    }

    #[test]
    fn characters_read_alike(text in "[a:#\\-?'\"|>,\\[\\]{} \n]{0,24}") {
        compared(&text)?;
    }
}
