//! The four operations on whole documents: exact bytes, counts, refusals, hostile input and random documents.

use proptest::prelude::*;
use spec::grammar::xpath;

use crate::edit::xml::error::XmlEditError;
use crate::edit::xml::{Edited, get_attr, get_text, set_attr, set_text};

const ITEMS: &str = r#"<r><i k="1"/><i k="2"/><i k="1"/></r>"#;

fn set(text: &str, xpath: &str, attr: &str, value: &str) -> (String, usize) {
    let Edited { bytes, matched, changed } = set_attr(text.as_bytes(), xpath, attr, value).unwrap();
    assert_eq!(changed, bytes != text.as_bytes());
    (String::from_utf8(bytes).unwrap(), matched)
}

fn texts(text: &str, xpath: &str) -> Vec<String> {
    get_text(text.as_bytes(), xpath).unwrap_or_else(|error| panic!("{xpath}: {error}"))
}

#[test]
fn an_edit_changes_nothing_but_the_value() {
    let text = "<?xml version='1.0' encoding='utf-8' standalone='no'?>\r\n<!-- top -->\r\n<!DOCTYPE r SYSTEM \"r.dtd\">\r\n\
                <?pi x?>\r\n<r b='2'  a=\"1\" ><c x = 'old' /><![CDATA[a<b]]>&#233;&amp;</r>";
    assert_eq!(set(text, ".//c", "x", "new"), (text.replace("old", "new"), 1));
    assert_eq!(set(text, ".//c", "x", "old"), (text.to_owned(), 1));
    let marked = format!("\u{FEFF}{text}");
    assert_eq!(set(&marked, "//c", "x", "new"), (marked.replace("old", "new"), 1));
    assert_eq!(texts(&marked, "/r"), ["a<bé&"]);
    let spaced = format!("<r x{}=\r\n'old'/>", " ".repeat(300));
    assert_eq!(set(&spaced, "/r", "x", "").0, spaced.replace("old", ""));
}

#[test]
fn values_are_escaped_for_their_quotes_and_read_back() {
    let value = "a<b & \"c\" 'd'\n\té😀]]>\r";
    let text = "<r><c x='1'/><c x=\"2\"/><c/><c ></c></r>";
    let (edited, matched) = set(text, "//c", "x", value);
    assert_eq!(matched, 4);
    let single = "a&lt;b &amp; \"c\" &apos;d&apos;&#10;&#9;é😀]]&gt;&#13;";
    let double = "a&lt;b &amp; &quot;c&quot; 'd'&#10;&#9;é😀]]&gt;&#13;";
    assert_eq!(
        edited,
        format!("<r><c x='{single}'/><c x=\"{double}\"/><c x=\"{double}\"/><c x=\"{double}\" ></c></r>")
    );
    assert_eq!(get_attr(edited.as_bytes(), "//c", "x").unwrap(), [value; 4]);
    assert_eq!(set(text, "//c[1]", "x", "").0, text.replace("'1'", "''"));
    let refused = set_attr(text.as_bytes(), "//c", "x", "a\u{1}").unwrap_err();
    assert_eq!(refused, XmlEditError::Character { code: 1, index: 2 });
}

#[test]
fn every_match_is_edited_and_counted() {
    for (xpath, matched, changed) in [
        ("//i", 3, vec![0, 1, 2]),
        ("//i[2]", 1, vec![1]),
        ("(//i)[last()]", 1, vec![2]),
        ("//i[@k='1']", 2, vec![0, 2]),
        ("/r/i[position()<3]", 2, vec![0, 1]),
        ("./i", 3, vec![0, 1, 2]),
        ("i[1] | i[3] | //i[3]", 2, vec![0, 2]),
        ("//i[@k=2]/preceding-sibling::*", 1, vec![0]),
        ("//i[not(@k = 2)][2]", 1, vec![2]),
    ] {
        let (edited, count) = set(ITEMS, xpath, "k", "9");
        let mut values = ["1", "2", "1"];
        changed.into_iter().for_each(|index: usize| values[index] = "9");
        assert_eq!(
            (get_attr(edited.as_bytes(), "//i", "k").unwrap(), count),
            (values.map(String::from).to_vec(), matched),
            "{xpath}"
        );
    }
}

#[test]
fn what_is_no_element_is_refused_by_kind() {
    for (xpath, expected) in [
        (
            "//i/@k",
            "xpath `//i/@k` matches an attribute; match its element and name it in `attr`; it must match elements only",
        ),
        ("count(//i)", "xpath `count(//i)` gives a number, not elements"),
        ("string(//i)", "xpath `string(//i)` gives a string, not elements"),
        ("//i = 1", "xpath `//i = 1` gives a boolean, not elements"),
        ("//i[", "xpath: expected an expression, found the end at column 5"),
        ("//none", "xpath `//none` matches nothing"),
        ("/", "xpath `/` matches the document; it must match elements only"),
        ("//p:i", "the prefix `p` is not declared where it is needed; declared there: none"),
    ] {
        assert_eq!(set_attr(ITEMS.as_bytes(), xpath, "k", "9").unwrap_err().to_string(), expected);
        assert_eq!(get_attr(ITEMS.as_bytes(), xpath, "k").unwrap_err().to_string(), expected);
    }
    let missing = get_attr(ITEMS.as_bytes(), "//i", "q").unwrap_err().to_string();
    assert_eq!(missing, "xpath `//i` matches 3 elements, but none has the attribute `q`");
    for attr in ["", "a b", "1", "xmlns", "xmlns:p", "a:b:c", "a=\"1\" b"] {
        let error = set_attr(ITEMS.as_bytes(), "//i", attr, "9").unwrap_err();
        assert!(matches!(error, XmlEditError::AttributeName { .. }), "{attr}: {error}");
    }
    assert!(matches!(set_attr(ITEMS.as_bytes(), "//i", "p:k", "9"), Err(XmlEditError::UndeclaredPrefix { .. })));
}

#[test]
fn paths_functions_and_operators_follow_the_recommendation() {
    let text = "<r xml:lang='en-GB'><a n='1'>x<b>y</b></a><a n='2'>z<!--c--><?p q?></a><e><a n='10'/></e></r>";
    for (xpath, expected) in [
        ("//a[b]", &["xy"][..]),
        ("//a/@n", &["1", "2", "10"]),
        ("//a/text()", &["x", "z"]),
        ("//comment() | //processing-instruction('p')", &["c", "q"]),
        ("/descendant::a[last()]/@n", &["10"]),
        ("//a[1]/@n", &["1", "10"]),
        ("(//a)[1]/@n", &["1"]),
        ("//b/ancestor::*[1]/@n", &["1"]),
        ("//b/ancestor-or-self::*[last()]/@xml:lang", &["en-GB"]),
        ("//b/following::a/@n", &["2", "10"]),
        ("//e/preceding::a[1]/@n", &["2"]),
        ("//e/a/preceding::*[3]/@n", &["1"]),
        ("//a[@n > 1 and @n < 5]/@n", &["2"]),
        ("//a[@n >= 1.5 or b]/@n", &["1", "2", "10"]),
        ("//a[@n * 2 = 4]/@n", &["2"]),
        ("//a[@n mod 2 = 1]/@n", &["1"]),
        ("//a[-@n = -2]/@n", &["2"]),
        ("//a[--@n = 2]/@n", &["2"]),
        ("//a[10 div @n = 5]/@n", &["2"]),
        ("//a[@n - 1 = 0]/@n", &["1"]),
        ("//a[@n = //e/a/@n]/@n", &["10"]),
        ("//a[@n != //e/a/@n]/@n", &["1", "2"]),
        ("//a[@n < //e/a/@n]/@n", &["1", "2"]),
        ("//a[contains(., 'y')]/@n", &["1"]),
        ("//a[starts-with(@n, '1')]/@n", &["1", "10"]),
        ("//a[string-length(@n) = 2]/@n", &["10"]),
        ("//a[normalize-space('  a  b ') = 'a b'][1]/@n", &["1", "10"]),
        ("//a[translate(., 'xy', 'XY') = 'XY']/@n", &["1"]),
        ("//a[substring-before('1=2', '=') = @n]/@n", &["1"]),
        ("//a[substring-after('1=2', '=') = @n]/@n", &["2"]),
        ("//a[concat(@n, '0', '') = '10']/@n", &["1"]),
        ("//*[local-name() = 'b' or name() = 'e']/@* | //b", &["y"]),
        ("//a[count(*) = 0 and not(text())]/@n", &["10"]),
        ("//a[sum(//@n) = 13 and position() = last()]/@n", &["2", "10"]),
        ("//a[floor(1.5) = @n or ceiling(1.5) = @n or round(9.5) = @n]/@n", &["1", "2", "10"]),
        ("//a[lang('en')][boolean(b)]/@n", &["1"]),
        ("//a[true()][not(false())][2]/@n", &["2"]),
        ("//@n[. = 2]/..", &["z"]),
        ("//@n[. = 1]/following::b", &["y"]),
        ("../r/e/a/@n", &["10"]),
        ("self::r/child::e/a/attribute::n", &["10"]),
        ("/*/*[last()]/*/@*[name() = 'n']", &["10"]),
        ("//a[namespace-uri() = '']/@xml:*|/r/@xml:*[local-name() = 'lang']", &["en-GB"]),
        ("//div | //a[@n = 1] | // mod", &["xy"]),
    ] {
        assert_eq!(texts(text, xpath), expected, "{xpath}");
    }
}

#[test]
fn unsupported_and_malformed_expressions_name_the_place() {
    for (xpath, column, part) in [
        ("//i[$x]", 5, "variables"),
        ("//i/namespace::*", 5, "the axis `namespace` is not supported"),
        ("//i/up::*", 5, "`up` is not an axis"),
        ("id('x')", 1, "`id()` is not supported"),
        ("//i[matches(@k, 'x')]", 5, "`matches()` is not a function"),
        ("//i[p:f()]", 5, "extension functions"),
        ("//i[count(1)]", 11, "`count()` needs a set of nodes, found a number"),
        ("//i[contains(.)]", 5, "takes 2 arguments, found 1"),
        ("//i | 1", 7, "`|` needs a set of nodes"),
        ("'a'/b", 1, "a path needs a set of nodes"),
        ("//i[@k='1]", 8, "no closing `'`"),
        ("", 1, "found the end"),
        ("//", 3, "found the end"),
        ("//i]", 4, "found `]`"),
        ("é/§", 3, "`§`"),
        ("//i for", 5, "expected an operator, found `for`"),
        ("//i[@k!1]", 7, "`!`"),
        ("a:", 3, "expected a name"),
        ("//i/count(.)", 5, "cannot be a step"),
        ("//i[text(]", 10, "expected `)`"),
    ] {
        let error = xpath::check(xpath).unwrap_err();
        assert!(error.column == column && error.message.contains(part), "{xpath}: {error}");
        assert_eq!(get_text(ITEMS.as_bytes(), xpath), Err(XmlEditError::XPath(error)));
    }
}

#[test]
fn names_follow_the_declarations_of_the_document() {
    let text = "<r xmlns='u:d' xmlns:p='u:p' xmlns:q='u:p'><c/><p:c p:x='1' x='2'/><z xmlns=''><c/></z><s xmlns='u:s'><t/></s>\
                <w xmlns:n='u:n'><n:m n:k='3'/></w></r>";
    assert_eq!(texts(text, "//c").len(), 2);
    assert_eq!(texts(text, "//q:c").len(), 1);
    assert_eq!(texts(text, "//p:*/@*"), ["1", "2"]);
    assert_eq!(get_attr(text.as_bytes(), "//n:m", "n:k").unwrap(), ["3"]);
    assert_eq!(set(text, "//p:c", "q:x", "9").0, text.replace("p:x='1'", "p:x='9'"));
    assert_eq!(set(text, "//p:c", "p:y", "9").0, text.replace("x='2'", "x='2' p:y=\"9\""));
    assert_eq!(set(text, "/r", "xml:lang", "en").0, text.replace("='u:p'>", "='u:p' xml:lang=\"en\">"));
    let unmatched = get_text(text.as_bytes(), "//t").unwrap_err().to_string();
    assert!(unmatched.contains("*[local-name()='t']"), "{unmatched}");
    let torn = "<r><a xmlns:p='1'/><a xmlns:p='2'/></r>";
    assert!(matches!(get_text(torn.as_bytes(), "//p:a"), Err(XmlEditError::UndeclaredPrefix { .. })));
}

#[test]
fn text_is_replaced_and_everything_around_it_stays() {
    for (text, value, expected) in [
        ("<r><c>old</c></r>", "a<b]]>&\n\r", "<r><c>a&lt;b]]&gt;&amp;\n&#13;</c></r>"),
        ("<r><c k='>'/></r>", "v", "<r><c k='>'>v</c></r>"),
        ("<r><c /></r>", "", "<r><c /></r>"),
        ("<r><c></c ></r>", "v", "<r><c>v</c ></r>"),
        ("<r><c>\n<!--</c>-->\nold<?p </c>?>x</c></r>", "v", "<r><c><!--</c>-->v<?p </c>?></c></r>"),
        ("<r><c><![CDATA[</c>]]>&#65;</c></r>", "v", "<r><c>v</c></r>"),
        ("<r><c>&#65;<![CDATA[<]]>\r\n</c></r>", "A<\n", "<r><c>&#65;<![CDATA[<]]>\r\n</c></r>"),
    ] {
        let edited = set_text(text.as_bytes(), "//c", value).unwrap();
        assert_eq!(String::from_utf8(edited.bytes).unwrap(), expected);
        assert_eq!(texts(expected, "//c"), [value]);
    }
    let error = set_text(b"\xEF\xBB\xBF<r><p:c xmlns:p='u'><d/></p:c></r>", "//p:c", "v").unwrap_err();
    assert_eq!(error, XmlEditError::ChildElements { element: "p:c".to_owned(), offset: 6 });
}

#[test]
fn entities_are_left_alone_or_refused_and_never_expanded() {
    let mut text = "<!DOCTYPE r [<!ENTITY a0 'lol'><!ENTITY x SYSTEM 'file:///etc/hostname'>\n".to_owned();
    for level in 1..40 {
        let before = level - 1;
        text += &format!("<!ENTITY a{level} '{}'>", format!("&a{before};").repeat(10));
    }
    text += "]><r><c k='1'>&a39;&x;</c><d k='&a39;'>t</d></r>";
    assert_eq!(set(&text, "//c", "k", "2").0, text.replace("k='1'", "k='2'"));
    assert_eq!(set(&text, "//d", "k", "2").0, text.replace("k='&a39;'", "k='2'"));
    assert_eq!(texts(&text, "//d"), ["t"]);
    assert_eq!(get_attr(text.as_bytes(), "//c", "k").unwrap(), ["1"]);
    let offset = text.rfind("&a39;").unwrap();
    let refused = XmlEditError::Entity { name: "a39".to_owned(), offset };
    assert_eq!(get_attr(text.as_bytes(), "//d", "k").unwrap_err(), refused);
    assert_eq!(set_attr(text.as_bytes(), "//*[@k='5']", "k", "2").unwrap_err(), refused);
    assert!(matches!(get_text(text.as_bytes(), "//c"), Err(XmlEditError::Entity { .. })));
    assert!(matches!(get_text(text.as_bytes(), "//c/text()"), Err(XmlEditError::Entity { .. })));
    assert!(matches!(get_text(b"<r>&a;</r>", "/r"), Err(XmlEditError::Malformed { .. })));
}

#[test]
fn damaged_documents_are_refused_with_a_place() {
    for (text, part) in [
        (&b""[..], "root node"),
        (b"<r>", "root node"),
        (b"<r a='1' a='2'/>", "1:10"),
        (b"<r>\n<a></b></r>", "2:"),
        (b"<r/>x", "1:5"),
        (b"<r a='\xFF'/>", "byte 6"),
        (b"\xFF\xFE<\0r\0/\0>\0", "UTF-16"),
        (b"<?xml version='1.0' encoding='ISO-8859-1'?><r/>", "`ISO-8859-1`"),
        (b"<p:r/>", "'p'"),
    ] {
        let error = set_attr(text, "/*", "k", "v").unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

/// Every case ends by itself; the limit is far above what a slow machine needs.
fn within_a_minute(work: impl FnOnce()) {
    let start = std::time::Instant::now();
    work();
    assert!(start.elapsed().as_secs() < 60, "took {:?}", start.elapsed());
}

#[test]
fn hostile_documents_end_soon() {
    within_a_minute(|| {
        let deep = format!("{}{}", "<a>".repeat(50_000), "</a>".repeat(50_000));
        assert!(get_text(&deep.as_bytes()[..150_000], "//a").is_err());
        assert_eq!(set(&deep, "/a/a[not(b)]", "k", "v").1, 1);
        assert_eq!(set(&deep, "//a", "k", "v").1, 50_000);
        assert!(matches!(get_text(deep.as_bytes(), "//a/ancestor::a"), Err(XmlEditError::TooMuchWork { .. })));
        assert!(matches!(get_text(deep.as_bytes(), "//a[//a[//a]]"), Err(XmlEditError::TooMuchWork { .. }) | Ok(_)));
        let attributes: String = (0..60_000).map(|n| format!(" a{n}=''")).collect();
        let wide = format!("<r{attributes}/>");
        assert!(matches!(get_text(wide.as_bytes(), "/r"), Err(XmlEditError::TooComplex { .. })));
        let spaces: String = (0..2_000).map(|n| format!(" xmlns:a{n}='u{n}'")).collect();
        let scoped = format!("<r{spaces}>{}</r>", "<c xmlns:b='v'/>".repeat(20_000));
        assert!(matches!(get_text(scoped.as_bytes(), "/r"), Err(XmlEditError::TooComplex { .. })));
        for filler in
            ["&", "<", "<!", "<![CDATA[", "<!--", "<?", "<!DOCTYPE ", "<a b=", "<a b='&", "]]>", "<!DOCTYPE r [", "&#x"]
        {
            assert!(get_text(filler.repeat(20_000).as_bytes(), "//a").is_err());
            assert!(
                get_text(format!("<!DOCTYPE r [<!ENTITY a 'b'>]><r>{}", filler.repeat(20_000)).as_bytes(), "//a")
                    .is_err()
            );
        }
    });
}

#[test]
fn hostile_expressions_end_soon() {
    within_a_minute(|| {
        let flat = format!("<r>{}</r>", "<a k='1'><b/></a>".repeat(5_000));
        assert!(matches!(get_text(flat.as_bytes(), "//*//*//*//*"), Err(XmlEditError::NoMatch { .. })));
        assert_eq!(texts(&flat, "//*//*/..//*").len(), 10_000);
        for xpath in
            ["//*[//*[//*[//*]]]", "//*/following::*/preceding::*", "//*[count(//*/@k) > 1]", "//a[. = //a][. != //a]"]
        {
            let result = get_text(flat.as_bytes(), xpath);
            assert!(matches!(result, Err(XmlEditError::TooMuchWork { .. }) | Ok(_)), "{xpath}");
        }
        let concat = format!("//a[concat({}'')]", "/,".repeat(20_000));
        assert!(get_text(flat.as_bytes(), &concat).is_err());
        for part in [
            "(",
            "[",
            "//*[",
            "-",
            "not(",
            "a[",
            "@",
            "/",
            "1+",
            "a|",
            "a/",
            "((a)|",
            "::",
            "'",
            "a:",
            "*",
            "concat(a,",
        ] {
            assert!(xpath::check(&part.repeat(1_000_000 / part.len())).is_err(), "{part}");
            let short = part.repeat(60_000 / part.len());
            let _ = xpath::check(&short);
            let _ = get_text(flat.as_bytes(), &format!("{short}a"));
        }
        let nested = format!("a{}{}", "[not(a".repeat(20), ")]".repeat(20));
        assert_eq!(texts(&flat, &nested).len(), 5_000);
    });
}

fn value() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        prop_oneof![
            Just('<'),
            Just('&'),
            Just('"'),
            Just('\''),
            Just('\n'),
            Just('\r'),
            Just('\t'),
            Just(']'),
            Just('>'),
            Just('é'),
            Just('😀'),
            proptest::char::range('a', 'z'),
            Just(' ')
        ],
        0..12,
    )
    .prop_map(String::from_iter)
}

/// A tree as text with `\u{0}` in place of the value of every attribute `k`.
fn tree() -> impl Strategy<Value = String> {
    let attributes = prop_oneof![
        Just(""),
        Just(" k='\0'"),
        Just(" k=\"\0\""),
        Just(" a='>' k = '\0'  b=\"'\""),
        Just("\r\n\tk\n=\n\"\0\"\n"),
        Just(" x='&lt;&#10;'"),
    ];
    let filler = prop_oneof![
        Just(""),
        Just("text"),
        Just("<!-- k='1' <c> -->"),
        Just("<![CDATA[<c k='1'>&a;]]>"),
        Just("<?p <c k='1'?>"),
        Just("&amp;&#233;\r\n"),
        Just("<e/>"),
        Just("é😀]]"),
    ];
    let leaf = (attributes.clone(), filler.clone()).prop_map(|(attributes, _)| format!("<c{attributes}/>"));
    leaf.prop_recursive(5, 40, 5, move |inner| {
        (attributes.clone(), proptest::collection::vec((filler.clone(), inner), 0..5)).prop_map(
            |(attributes, children)| {
                let inside: String = children.iter().map(|(filler, child)| format!("{filler}{child}")).collect();
                format!("<c{attributes}>{inside}</c>")
            },
        )
    })
}

proptest! {
    #[test]
    fn random_documents_keep_every_other_byte(tree in tree(), old in "[a-z ]{0,5}", new in value()) {
        let holes = tree.matches('\0').count();
        let text = format!("<?xml version='1.0'?>\r\n<!DOCTYPE c [<!ENTITY a 'b'>]>\n{}\n", tree.replace('\0', &old));
        let result = set_attr(text.as_bytes(), "//c[@k]", "k", &new);
        if holes == 0 {
            prop_assert!(matches!(result, Err(XmlEditError::NoMatch { .. })), "matched without a match");
            return Ok(());
        }
        let edited = result.unwrap();
        prop_assert_eq!(edited.matched, holes);
        prop_assert_eq!(get_attr(&edited.bytes, "//c", "k").unwrap(), vec![new.clone(); holes]);
        let mut rest = std::str::from_utf8(&edited.bytes).unwrap();
        let pieces: Vec<String> = format!("<?xml version='1.0'?>\r\n<!DOCTYPE c [<!ENTITY a 'b'>]>\n{tree}\n").split('\0').map(str::to_owned).collect();
        for (index, piece) in pieces.iter().enumerate() {
            prop_assert!(rest.starts_with(piece.as_str()), "{:?} does not begin with {:?}", rest, piece);
            rest = &rest[piece.len()..];
            if let Some(next) = pieces.get(index + 1) {
                let quote = next.chars().next().unwrap();
                rest = &rest[rest.find(quote).unwrap()..];
            }
        }
        prop_assert_eq!(rest, "");
        let back = set_attr(&edited.bytes, "//c[@k]", "k", &old).unwrap();
        prop_assert_eq!(String::from_utf8(back.bytes).unwrap(), text);
    }

    #[test]
    fn text_set_is_text_read(tree in tree(), new in value()) {
        let text = tree.replace('\0', "");
        if let Ok(edited) = set_text(text.as_bytes(), "//c[not(*)]", &new) {
            let read = get_text(&edited.bytes, "//c[not(*)]").unwrap();
            prop_assert_eq!(read, vec![new; edited.matched]);
        }
    }

    #[test]
    fn random_input_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200), xpath in "[a-z/@*\\[\\]().|'0-9:=<> -]{0,30}") {
        let _ = get_text(&bytes, &xpath);
        let _ = get_attr(ITEMS.as_bytes(), &xpath, "k");
        let _ = set_attr(&bytes, "//*", "k", "v");
    }

    #[test]
    fn broken_documents_never_panic(tree in tree(), cut in any::<proptest::sample::Index>(), put in "[<>&'\"=/!\\[\\]?-]{0,3}") {
        let text: Vec<char> = format!("<!DOCTYPE c [<!ENTITY a 'b'>]>{tree}").replace('\0', "&a;").chars().collect();
        let cut = cut.index(text.len());
        let broken: String = text[..cut].iter().copied().chain(put.chars()).chain(text[cut..].iter().skip(1).copied()).collect();
        let _ = get_text(broken.as_bytes(), "//c/text()");
        let _ = set_text(broken.as_bytes(), "//c[not(*)]", "v");
        if let Ok(edited) = set_attr(broken.as_bytes(), "//c", "k", "v") {
            prop_assert_eq!(get_attr(&edited.bytes, "//c", "k").unwrap(), vec!["v"; edited.matched]);
        }
    }
}
