use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::SourceMap;
use crate::yaml::{Entry, Kind, Node, Resolved, limits, open, read};
use spec::span::{FileId, Span};
use std::time::{Duration, Instant};

struct Outcome {
    sources: &'static SourceMap,
    node: Option<Node<'static>>,
    list: Vec<Diagnostic>,
}

impl Outcome {
    fn of(text: &str) -> Outcome {
        Outcome::of_bytes(text.as_bytes())
    }

    fn of_bytes(bytes: &[u8]) -> Outcome {
        let (mut sources, mut problems) = (SourceMap::default(), Diagnostics::default());
        let file = open(&mut sources, "m.yaml", bytes, &mut problems);
        // A tree borrows from its text; a test keeps both for as long as it likes.
        let sources: &SourceMap = Box::leak(Box::new(sources));
        let node = file.and_then(|file| read(sources, file, &mut problems));
        Outcome { sources, node, list: problems.into_sorted() }
    }

    /// `E0003 2:1` for every report.
    fn codes(&self) -> Vec<String> {
        self.list.iter().map(|problem| format!("{} {}", problem.code, self.place(problem.span))).collect()
    }

    fn place(&self, span: Span) -> String {
        let place = self.sources.get(FileId(0)).unwrap().place(span.start);
        format!("{}:{}", place.line, place.column)
    }
}

fn shown(node: &Node) -> String {
    match &node.kind {
        Kind::Scalar(scalar) => match scalar.resolve() {
            Resolved::Null => "null".to_owned(),
            Resolved::Bool(value) => value.to_string(),
            Resolved::Int(value) => value.to_string(),
            Resolved::BigInt(value) => format!("big {value}"),
            Resolved::Float(value) => format!("{value:?}"),
            Resolved::NonFinite(value) => format!("nonfinite {value}"),
            Resolved::Str(value) => format!("{value:?}"),
        },
        Kind::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
        Kind::Map(entries) => {
            let entry = |entry: &Entry| format!("{}: {}", entry.key.node, shown(&entry.value));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

#[track_caller]
fn good(text: &str) -> String {
    let outcome = Outcome::of(text);
    assert_eq!(outcome.codes(), Vec::<String>::new(), "{text:?} {:?}", outcome.list);
    shown(&outcome.node.unwrap())
}

/// The reports of a text, and the tree if there is one.
#[track_caller]
fn bad(text: &str, codes: &[&str]) -> Outcome {
    let outcome = Outcome::of(text);
    assert_eq!(outcome.codes(), codes, "{text:?} {:?}", outcome.list);
    outcome
}

#[test]
fn values_follow_the_core_schema() {
    assert_eq!(
        good("[echo, no, yes, on, off, false, y, True, ~, 1, 0o17, 1.5, 'false', \"1\"]"),
        r#"["echo", "no", "yes", "on", "off", false, "y", true, null, 1, 15, 1.5, "false", "1"]"#
    );
    assert_eq!(good("a:\nb: ''\nc: ~\nd: [x: 1]\n"), r#"{a: null, b: "", c: null, d: [{x: 1}]}"#);
    assert_eq!(
        good("version: 1.10\nbig: 99999999999999999999\ninf: -.inf"),
        "{version: 1.1, big: big 99999999999999999999, inf: nonfinite -inf}"
    );
}

#[test]
fn the_source_spelling_of_a_scalar_is_kept() {
    let node = Outcome::of("version: 1.10\nt: True\nn: 0x1F").node.unwrap();
    let texts: Vec<&str> =
        node.map().unwrap().iter().map(|entry| entry.value.scalar().unwrap().text.as_ref()).collect();
    assert_eq!(texts, ["1.10", "True", "0x1F"]);
}

#[test]
fn kinds_have_names() {
    let node = Outcome::of("[{}, [], x, ~, true, 1, 1.5, '1']").node.unwrap();
    let names: Vec<&str> = node.list().unwrap().iter().map(Node::kind_name).collect();
    assert_eq!(names, ["mapping", "list", "text", "null", "boolean", "integer", "number", "text"]);
}

#[test]
fn block_texts_have_line_feeds_whatever_the_file_has() {
    let text = "a: |\n  one\n  two\nb: >-\n  folded\n  text\n\n  next\nc: \"x\n  y\"\nd: last\n";
    let right = r#"{a: "one\ntwo\n", b: "folded text\nnext", c: "x y", d: "last"}"#;
    assert_eq!(good(text), right);
    assert_eq!(good(&text.replace('\n', "\r\n")), right);
    let marked = format!("\u{FEFF}{}", text.replace('\n', "\r\n"));
    assert_eq!(good(&marked), right);
    let wide: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(shown(&Outcome::of_bytes(&wide).node.unwrap()), right);
    assert_eq!(good("a: |\n  no line break at the end"), r#"{a: "no line break at the end"}"#);
}

#[test]
fn bytes_that_are_no_text_are_placed() {
    let outcome = Outcome::of_bytes(b"name: a\ntitle: caf\xE9\n");
    assert_eq!(outcome.codes(), ["E0002 2:11"]);
    assert!(outcome.list[0].message.contains("offset 18"), "{:?}", outcome.list);
}

#[test]
fn duplicate_keys_name_both_lines() {
    let outcome = bad("a: 1\nb:\n  x: 1\n  y: 2\n  'x': 3\na: 2\na: 3\n", &["E0003 5:3", "E0003 6:1", "E0003 7:1"]);
    assert!(outcome.list[0].message.contains("`x`") && outcome.list[0].message.contains("on line 3 and on line 5"));
    assert_eq!(outcome.place(outcome.list[2].labels[0].span), "1:1");
    assert_eq!(shown(&outcome.node.unwrap()), "{a: 1, b: {x: 1, y: 2}}");
    bad("v: {a: 1, a: 2}", &["E0003 1:11"]);
    let many: String = (0..40).map(|n| format!("k{n}: {n}\n")).collect();
    bad(&format!("{many}k7: x\n"), &["E0003 41:1"]);
}

#[test]
fn reports_are_bounded() {
    let text = "a: 1\n".repeat(5000);
    assert_eq!(Outcome::of(&text).list.len(), limits::MAX_REPORTS);
}

#[test]
fn merges_yield_to_written_keys() {
    let base = "x-base: &base {a: 1, b: 2}\nx-more: &more {b: 3, c: 4}\n";
    let of = |text: &str| good(&format!("{base}{text}")).split_once("v: ").unwrap().1.to_owned();
    assert_eq!(of("v: {<<: *base, b: 9}"), "{a: 1, b: 9}}");
    assert_eq!(of("v:\n  b: 9\n  <<: *base\n  z: 0"), "{b: 9, a: 1, z: 0}}");
    assert_eq!(of("v:\n  <<: [*base, *more]\n"), "{a: 1, b: 2, c: 4}}");
    assert_eq!(of("v:\n  <<: {q: 1}\n"), "{q: 1}}");
    assert_eq!(of("v:\n  '<<': text\n"), "{<<: \"text\"}}");
}

#[test]
fn bad_merges_are_refused() {
    bad("a: &a {x: 1}\nv:\n  <<: *a\n  <<: *a\n", &["E0003 4:3"]);
    bad("v:\n  <<: text\n", &["E0012 2:7"]);
    bad("v:\n  <<: [{a: 1}, 7]\n", &["E0012 2:16"]);
    // A key written twice stays an error beside a merge.
    bad("v:\n  <<: {a: 1}\n  b: 1\n  b: 2\n", &["E0003 4:3"]);
}

#[test]
fn aliases_stand_for_values() {
    assert_eq!(
        good("a: &x {k: [1, &y 2]}\nb: *x\nc: *y\n*y : d\n"),
        r#"{a: {k: [1, 2]}, b: {k: [1, 2]}, c: 2, 2: "d"}"#
    );
    assert_eq!(good("- &a 1\n- &a 2\n- *a\n- &e\n- *e"), "[1, 2, 2, null, null]");
}

#[test]
fn aliases_without_a_value_are_refused() {
    let outcome = bad("a: *nope\nb: [*gone, &later 1]\nc: &c [*c]\n", &["E0007 1:4", "E0007 2:5", "E0008 3:8"]);
    assert!(outcome.list[0].message.contains("`&nope`"), "{:?}", outcome.list);
    assert!(outcome.node.is_none());
    bad("*x : 1", &["E0007 1:1"]);
    bad("a: {<<: *x}", &["E0007 1:9"]);
}

#[test]
fn tags_of_the_core_schema_are_respected() {
    assert_eq!(
        good(
            "[!!str no, !!str 1, ! 2, !!int '3', !!float 4, !!bool \"true\", !!null '', !!seq [1], !!map {a: 1}, !!str ]"
        ),
        r#"["no", "1", "2", 3, 4.0, true, null, [1], {a: 1}, ""]"#
    );
    assert_eq!(good("%TAG !c! tag:yaml.org,2002:\n---\n- !c!str 1\n- !<tag:yaml.org,2002:str> 2\n"), r#"["1", "2"]"#);
    bad(
        "- !!int x\n- !!bool no\n- !!str [1]\n- !!seq a\n- !!float 0xFFFFFFFFFFFFFFFF\n",
        &["E0010 1:9", "E0010 2:10", "E0010 3:3", "E0010 4:3", "E0010 5:11"],
    );
    let outcome = bad("a: !vault |\n  x\nb: !!strr x\nc: !!binary aa\n", &["E0009 1:4", "E0009 3:4", "E0009 4:4"]);
    assert!(outcome.list[0].message.contains("`!vault`"), "{:?}", outcome.list);
    assert!(outcome.list[1].help.as_deref().unwrap().contains("`!!str`"), "{:?}", outcome.list);
    bad("a: !x!y b\n", &["E0009 1:4"]);
}

#[test]
fn keys_are_texts() {
    bad("? [a]\n: 1\nb: 2\n", &["E0011 1:3"]);
    bad("{{x: 1}: 2}", &["E0011 1:2"]);
    bad("a: ${{ x }}", &[]);
    bad(": 1", &["E0011 1:1"]);
    assert_eq!(good("? a\n: 1\n? b\n'': 2"), "{a: 1, b: null, : 2}");
}

#[test]
fn a_file_holds_one_document() {
    assert_eq!(good("---\na: 1\n...\n"), "{a: 1}");
    assert_eq!(good("%YAML 1.2\n---\na: 1\n"), "{a: 1}");
    let outcome = bad("a: 1\n---\nb: 2\n", &["E0005 2:1"]);
    assert_eq!(shown(&outcome.node.unwrap()), "{a: 1}");
    bad("---\na: 1\n---\n", &["E0005 3:1"]);
    bad("---\na: 1\n--- [\n", &["E0005 3:1"]);
}

#[test]
fn a_file_without_content_is_refused() {
    for text in ["", "\n", "# only a comment\n", "---\n", "--- # comment\n...\n", "\u{FEFF}", "   \n\n"] {
        bad(text, &["E0006 1:1"]);
    }
    assert_eq!(good("~"), "null");
}

#[test]
fn tabs_as_indentation_are_named_and_placed() {
    for (text, place) in [
        ("a:\n\tb: 1\n", "2:1"),
        ("a:\n  b: 1\n\tc: 2\n", "3:1"),
        ("a:\n  b: 1\n  \tc: 2\n", "3:3"),
        ("a:\n  - x\n\t- y\n", "3:1"),
        ("steps:\n  - id: a\n\taction: b\n", "3:1"),
        ("a: |\n\ttext\n", "2:1"),
        ("a: |\n  text\n\tmore\nb: 1\n", "3:1"),
        ("\ta: 1\n", "1:1"),
        ("a:\n \tb: 1\n", "2:2"),
        ("-\ta: 1\n", "1:2"),
        ("-\t- a\n", "1:2"),
        ("a: [\n\t1]\n", "2:1"),
        ("a:\r\n  b: 1\r\n\tc: 2\r\n", "3:1"),
    ] {
        let outcome = bad(text, &[&format!("E0013 {place}")]);
        assert!(outcome.list[0].message.contains("tab"), "{:?}", outcome.list);
    }
    assert_eq!(good("a:\t1\t# c\nb: 'x\ty'\nc: |\n  x\n  \ty\n"), r#"{a: 1, b: "x\ty", c: "x\n\ty\n"}"#);
}

#[test]
fn syntax_errors_are_placed() {
    for (text, place) in [
        ("a: 1\nb: \"open\nc: 2\n", "2:4"),
        ("a: [1, 2\nb: 3\n", "2:2"),
        ("a: [1, , 2]\n", "1:8"),
        ("a: [1, 2\n", "1:4"),
        ("a: {b: [1, 2}\n", "1:8"),
        ("a: 1]\nb: ]\n", "2:4"),
        ("a: b: c\n", "1:5"),
        ("a: 1\nname\n", "2:1"),
        ("a: @x\n", "1:4"),
        ("a: %x\n", "1:4"),
        ("a: \"b\" c\n", "1:8"),
        ("a: \"\\q\"\n", "1:4"),
        ("- a\nb: 1\n", "2:1"),
        ("a:\n   b: 1\n  c: 2\n", "3:3"),
        ("é: é: é\n", "1:5"),
    ] {
        let outcome = Outcome::of(text);
        assert_eq!(outcome.codes(), [format!("E0001 {place}")], "{text:?} {:?}", outcome.list);
        assert!(outcome.node.is_none());
    }
    let outcome = bad("a: [1, 2\nb: 3\n", &["E0001 2:2"]);
    assert_eq!(outcome.place(outcome.list[0].labels[0].span), "1:4");
    bad("a: 1\nb: \"\u{7}\"\n", &["E0014 2:5"]);
}

#[test]
fn spans_are_byte_ranges_of_the_source() {
    let text = "é: &a {k: 'v'}\nlist:\n  - 1\n  - two words  # c\nblock: |\n  body\n\nempty:\nalias: *a\n";
    let Outcome { sources, node, .. } = Outcome::of(text);
    let node = node.unwrap();
    let slices: Vec<&str> = node
        .map()
        .unwrap()
        .iter()
        .flat_map(|entry| [sources.text(entry.key.span), sources.text(entry.value.span)])
        .collect();
    assert_eq!(
        slices,
        ["é", "{k: 'v'}", "list", "- 1\n  - two words", "block", "body", "empty", "", "alias", "{k: 'v'}"]
    );
    assert_eq!(sources.text(node.span), text.trim_end());
}

#[test]
fn a_part_of_a_scalar_has_a_place() {
    for (text, wanted, nth, place) in [
        ("a: x ${v} y", "${v}", 0, "1:6"),
        ("a: 'x ${v}'", "${v}", 0, "1:7"),
        ("a: 'it''s ${v}'", "${v}", 0, "1:11"),
        ("a: \"\\t${v} ${v}\"", "${v}", 1, "1:12"),
        ("a: |\n  one\n  two ${v}\n", "${v}", 0, "3:7"),
        ("a: |\n  ${v}\n", "${v}", 0, "2:3"),
        ("a: >\n  x\n  ${v}\n  ${v}\n", "${v}", 1, "4:3"),
        ("a: one\n  ${v}", "${v}", 0, "2:3"),
    ] {
        let outcome = Outcome::of(text);
        let value = &outcome.node.as_ref().unwrap().map().unwrap()[0].value;
        let (at, found) = value.scalar().unwrap().text.match_indices(wanted).nth(nth).unwrap();
        let span = value.span_of(outcome.sources, at..at + found.len());
        assert_eq!((outcome.place(span).as_str(), outcome.sources.text(span)), (place, wanted), "{text:?}");
    }
}

#[test]
fn a_part_that_is_not_in_the_source_has_the_place_of_the_whole() {
    let outcome = Outcome::of("a: \"\\x41\"\nb: [1]");
    let node = outcome.node.unwrap();
    let [a, b] = node.map().unwrap() else { panic!() };
    assert_eq!(a.value.span_of(outcome.sources, 0..1), a.value.span);
    assert_eq!(b.value.span_of(outcome.sources, 0..9), b.value.span);
    // Ranges outside the text do no harm.
    let wild = std::ops::Range { start: 7, end: 3 };
    assert_eq!(a.value.span_of(outcome.sources, wild), a.value.span);
}

#[test]
fn depth_is_limited_with_aliases_followed() {
    let deep = limits::MAX_DEPTH;
    let flow = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    Outcome::of(&flow(deep)).node.unwrap();
    for text in [
        flow(deep + 1),
        "- ".repeat(deep + 1),
        format!("{}{}", "- ".repeat(deep / 2), flow(deep / 2 + 1)),
        "[a, {b: ".repeat(deep),
    ] {
        let outcome = Outcome::of(&text);
        assert_eq!(
            outcome.list.iter().map(|problem| problem.code).collect::<Vec<_>>(),
            [Code::LimitExceeded],
            "{text}"
        );
    }
    let chain = |links: usize| {
        let mut text = "- &a0 []\n".to_owned();
        for link in 1..=links {
            text += &format!("- &a{link} [*a{}]\n", link - 1);
        }
        Outcome::of(&text)
    };
    assert!(chain(deep - 2).node.is_some());
    assert_eq!(chain(deep - 1).list[0].code, Code::LimitExceeded);
}

#[test]
fn alias_bombs_are_refused() {
    let mut laughs = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    for level in 1..12 {
        let before = format!("*a{}", level - 1);
        laughs += &format!("a{level}: &a{level} [{}]\n", [before.as_str(); 10].join(", "));
    }
    let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), "*a,".repeat(1000));
    let kept = format!("{}1{}\nb: *a1\n", "&a1 [".repeat(60), ", 2".repeat(99_000) + &"]".repeat(60));
    for text in [laughs, long, kept.replace("\nb: *a1", " # *")] {
        let start = Instant::now();
        let outcome = Outcome::of(&text);
        assert_eq!(outcome.list.iter().map(|problem| problem.code).collect::<Vec<_>>(), [Code::LimitExceeded]);
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn large_files_are_refused_by_size() {
    let outcome = Outcome::of(&"#".repeat(limits::MAX_BYTES + 1));
    assert_eq!(outcome.codes(), ["E0004 1:1"]);
    let mut sources = SourceMap::default();
    let file = sources.add("m.yaml", "#".repeat(limits::MAX_BYTES + 1));
    let mut problems = Diagnostics::default();
    assert!(read(&sources, file, &mut problems).is_none());
    assert_eq!(problems.errors(), 1);
}

/// Every repeated fragment, bare and inside other constructs, ends within a time linear in its length.
#[test]
fn hostile_texts_end_soon() {
    let fragments = [
        "[",
        "{",
        "- ",
        "&a ",
        "&a",
        "? ",
        "? a\n",
        "\"",
        "'",
        "a",
        "a ",
        "a: ",
        "a: b\n",
        "- a\n",
        "*a ",
        "[*a,",
        "!",
        "!!str ",
        "%",
        "%Y a a\n",
        "#",
        "# c\n",
        "\n",
        " ",
        "\t",
        ": ",
        ", ",
        "|",
        "|\n",
        "|\n ",
        "a:\n ",
        "- - ",
        "{}",
        "{},",
        "[?",
        "\r",
        "---\n",
        "...\n",
        "\"\\n",
        "{a: b, ",
        "- &a x\n",
        "é",
        "\u{FEFF}",
        "a\n",
        "\"a\n",
        "- |\n a\n\n\n",
        "@",
        "<<: ",
        "<<: *a\n",
        "\t\n",
    ];
    for fragment in fragments {
        for before in ["", "a: ", "[", "a: |\n ", "\"", "- x: ", "- &a {}\n- "] {
            let mut text = before.to_owned();
            while text.len() < 50_000 {
                text.push_str(fragment);
            }
            let start = Instant::now();
            drop(Outcome::of(&text));
            assert!(start.elapsed() < Duration::from_secs(20), "{before:?} {fragment:?} {:?}", start.elapsed());
        }
    }
}
