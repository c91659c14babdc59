//! Edits and readings of XML files, compared byte by byte.

use std::fs;

use serde_json::{Value, json};

use crate::harness::Place;
use crate::steps::{Refusal, act, python, stamp};

/// Every kind of thing that an edit must leave alone; CRLF line ends, no final line end.
const ODD: &str = "<?xml version='1.0' encoding='utf-8' standalone='no'?>\r\n<!-- top -->\r\n<!DOCTYPE r SYSTEM \"r.dtd\">\r\n<?pi x?>\r\n<r b='2'  a=\"1\" ><c x = 'old' /><![CDATA[a<b]]>&#233;&amp;</r>";

fn set(place: &Place, xpath: &str, attr: &str, value: &str) -> Result<Value, Refusal> {
    let params = json!({"input_file": "a.xml", "xpath": xpath, "attr": attr, "value": value});
    act(place, "xml_set_attr", params).map(|output| output["matched"].clone())
}

fn values(place: &Place, xpath: &str, attr: &str) -> Result<Value, Refusal> {
    act(place, "xml_get_attr", json!({"input_file": "a.xml", "xpath": xpath, "attr": attr}))
        .map(|output| output["values"].clone())
}

fn set_text(place: &Place, xpath: &str, value: &str) -> Result<Value, Refusal> {
    act(place, "xml_set_text", json!({"input_file": "a.xml", "xpath": xpath, "value": value}))
        .map(|output| output["matched"].clone())
}

fn texts(place: &Place, xpath: &str) -> Result<Value, Refusal> {
    act(place, "xml_get_text", json!({"input_file": "a.xml", "xpath": xpath})).map(|output| output["values"].clone())
}

#[test]
fn one_attribute_changes_and_nothing_else() {
    let place = Place::new().file("a.xml", ODD);
    assert_eq!(set(&place, ".//c", "x", "new").unwrap(), json!(1));
    assert_eq!(place.read("a.xml"), ODD.replace("old", "new"));
    let before = stamp(&place.path("a.xml"));
    assert_eq!(set(&place, ".//c", "x", "new").unwrap(), json!(1));
    assert_eq!(stamp(&place.path("a.xml")), before, "the present value is no change");
    set(&place, "/r", "n", "v").unwrap();
    assert_eq!(place.read("a.xml").replace(" n=\"v\"", "").replace(" n='v'", ""), ODD.replace("old", "new"));
}

#[test]
fn marks_and_encodings_are_kept_or_refused() {
    let marked = format!("\u{feff}{ODD}");
    let place = Place::new().file("a.xml", &marked);
    set(&place, "//c", "x", "new").unwrap();
    assert_eq!(place.read("a.xml"), marked.replace("old", "new"));
    let utf16: Vec<u8> = "\u{feff}<r/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, why) in [
        (utf16, "UTF-16"),
        (b"<?xml version='1.0' encoding='latin1'?><r a='\xe9'/>".to_vec(), "latin1"),
        (b"<r a='\xe9'/>".to_vec(), "byte 6"),
    ] {
        place.write("a.xml", bytes);
        let before = stamp(&place.path("a.xml"));
        set(&place, "/r", "a", "x").unwrap_err().says(&["a.xml", why]);
        assert_eq!(stamp(&place.path("a.xml")), before);
    }
}

#[test]
fn any_value_survives_an_attribute() {
    let value = "a<b & \"c\" 'd'\n\té😀]]>\r";
    for text in ["<r><c x='old'/></r>", "<r><c x=\"old\"/></r>", "<r><c/></r>"] {
        let place = Place::new().file("a.xml", text);
        assert_eq!(set(&place, "//c", "x", value).unwrap(), json!(1));
        assert_eq!(values(&place, "//c", "x").unwrap(), json!([value]));
        let script =
            "import xml.etree.ElementTree as e,sys,json; print(json.dumps(e.parse(sys.argv[1]).find('.//c').get('x')))";
        if let Some(read) = python(script, &[&place.path("a.xml")]) {
            assert_eq!(serde_json::from_str::<Value>(&read).unwrap(), json!(value));
        }
        let written = place.read("a.xml");
        assert!(written.contains("&#10;") && written.contains("&#9;") && written.contains("é😀"), "{written}");
        let before = stamp(&place.path("a.xml"));
        for wrong in ["a\u{1}", "\u{fffe}", "\u{ffff}"] {
            let refusal = set(&place, "//c", "x", wrong).unwrap_err();
            refusal.says(&["U+"]);
        }
        assert_eq!(stamp(&place.path("a.xml")), before);
        set(&place, "//c", "x", "").unwrap();
        assert_eq!(values(&place, "//c", "x").unwrap(), json!([""]));
    }
    let place = Place::new().file("a.xml", "<c x='old'/>");
    set(&place, "/c", "x", "").unwrap();
    assert_eq!(place.read("a.xml"), "<c x=''/>");
}

#[test]
fn any_text_survives_an_element() {
    let value = "a<b & \"c\" 'd'\n\té😀]]>\r";
    let place = Place::new().file("a.xml", "<r><c>old</c><c/><c></c></r>");
    assert_eq!(set_text(&place, "//c", value).unwrap(), json!(3));
    assert_eq!(texts(&place, "//c").unwrap(), json!([value, value, value]));
    let script = "import xml.etree.ElementTree as e,sys,json; print(json.dumps([c.text for c in e.parse(sys.argv[1]).findall('c')]))";
    if let Some(read) = python(script, &[&place.path("a.xml")]) {
        assert_eq!(serde_json::from_str::<Value>(&read).unwrap(), json!([value, value, value]));
    }
    set_text(&place, "/r", "x").unwrap_err().says(&["a.xml", "child elements"]);
}

#[test]
fn every_match_is_changed_and_counted() {
    let text = r#"<r><i k="1"/><i k="2"/><i k="1"/></r>"#;
    for (xpath, matched, after) in [
        ("//i", 3, r#"<r><i k="9"/><i k="9"/><i k="9"/></r>"#),
        ("//i[2]", 1, r#"<r><i k="1"/><i k="9"/><i k="1"/></r>"#),
        ("(//i)[last()]", 1, r#"<r><i k="1"/><i k="2"/><i k="9"/></r>"#),
        ("//i[@k='1']", 2, r#"<r><i k="9"/><i k="2"/><i k="9"/></r>"#),
        // A path without a slash in front begins at the root element.
        ("./i", 3, r#"<r><i k="9"/><i k="9"/><i k="9"/></r>"#),
        ("/r/i[position()<3]", 2, r#"<r><i k="9"/><i k="9"/><i k="1"/></r>"#),
        ("//i[@k=2]/preceding-sibling::i", 1, r#"<r><i k="9"/><i k="2"/><i k="1"/></r>"#),
        ("//i[1] | //i[3]", 2, r#"<r><i k="9"/><i k="2"/><i k="9"/></r>"#),
    ] {
        let place = Place::new().file("a.xml", text);
        assert_eq!(set(&place, xpath, "k", "9").unwrap(), json!(matched), "{xpath}");
        assert_eq!(place.read("a.xml"), after, "{xpath}");
    }
}

#[test]
fn what_selects_no_element_is_an_error() {
    let place = Place::new().file("a.xml", r#"<r><i k="1"/><i k="2"/><i k="1"/></r>"#);
    let before = stamp(&place.path("a.xml"));
    for (xpath, exit, why) in [
        ("//i/@k", 1, "elements only"),
        ("count(//i)", 1, "not elements"),
        ("//i[", 3, "column 5"),
        ("//none", 1, "matches nothing"),
        ("", 3, "xpath"),
        ("//x:i", 1, "prefix `x`"),
        ("id('a')", 3, "id"),
        ("$v", 3, "variable"),
        ("namespace::*", 3, "namespace"),
        ("//i[matches(@k,'1')]", 3, "matches"),
        ("for $i in //i return $i", 3, "column"),
    ] {
        let refusal = set(&place, xpath, "k", "9").unwrap_err();
        assert_eq!(refusal.exit, exit, "{xpath}: {refusal:?}");
        refusal.says(&[why]);
    }
    values(&place, "//i", "none").unwrap_err().says(&["none has the attribute `none`"]);
    assert_eq!(stamp(&place.path("a.xml")), before);
}

#[test]
fn damaged_documents_are_refused() {
    let place = Place::new();
    for text in
        ["", "<r>", "<r></s>", "<r a=1/>", "<r a='1' a='2'/>", "<r/><r/>", "text", "<r>&nope;</r>", "{}", "<r>\0</r>"]
    {
        place.write("a.xml", text);
        let before = stamp(&place.path("a.xml"));
        let refusal = set(&place, "/r", "k", "9").unwrap_err();
        assert_eq!(refusal.exit, 1, "{text}");
        refusal.says(&["a.xml"]);
        assert_eq!(stamp(&place.path("a.xml")), before, "{text}");
    }
    act(&place, "xml_get_text", json!({"input_file": "none.xml", "xpath": "/r"}))
        .unwrap_err()
        .says(&["does not exist"]);
}

#[test]
fn entities_are_not_expanded_and_depth_is_no_danger() {
    let lol = "<!DOCTYPE r [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'>]>\n<r k='1'>&c;</r>";
    let place = Place::new().file("a.xml", lol);
    if set(&place, "/r", "k", "2").is_ok() {
        assert_eq!(place.read("a.xml"), lol.replace("'1'", "'2'"));
    } else {
        assert_eq!(place.read("a.xml"), lol);
    }
    texts(&place, "/r").unwrap_err();
    fs::write(place.path("secret"), "secret").unwrap();
    place.write("a.xml", "<!DOCTYPE r [<!ENTITY x SYSTEM 'secret'>]><r>&x;</r>");
    texts(&place, "/r").unwrap_err();
    let deep = format!("{}{}", "<r>".repeat(100_000), "</r>".repeat(100_000));
    place.write("a.xml", &deep);
    set(&place, "/r", "k", "1").unwrap();
    assert!(place.read("a.xml") == deep.replacen("<r>", "<r k=\"1\">", 1));
}
