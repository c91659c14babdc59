use proptest::prelude::*;

use crate::assets::json::{Shape, check, items, members, root};

#[test]
fn what_is_not_json_is_told_with_its_place() {
    let cases = [
        ("", 0, "the file is empty"),
        ("{", 0, "the `{` opened here is never closed"),
        ("[1, [2]", 0, "the `[` opened here is never closed"),
        ("[1,]", 3, "comma before the closing bracket"),
        ("{\"a\": 1,}", 8, "comma before the closing bracket"),
        ("[1 2]", 3, "expected `,` or `]`, found `2`"),
        ("{\"a\" 1}", 5, "expected `:`, found `1`"),
        ("{1: 2}", 1, "expected a key in double quotes or `}`, found `1`"),
        ("{\"a\": }", 6, "expected a value, found `}`"),
        ("[1}", 2, "expected `,` or `]`, found `}`"),
        ("1 2", 2, "expected nothing more"),
        ("[01]", 2, "expected `,` or `]`"),
        ("[+1]", 1, "unary plus"),
        ("['a']", 1, "single-quoted"),
        ("[\"a]", 1, "unterminated"),
        ("[\"\\x\"]", 2, "invalid escape"),
        ("[\"\\ud800\"]", 2, "unicode escape"),
        ("[\"a\nb\"]", 3, "control character"),
        ("[1, // one\n2]", 4, "a comment"),
        ("[1,\u{a0}2]", 3, "only spaces"),
        ("[True]", 1, "`True` is written `true`"),
        ("[None]", 1, "`None` is written `null`"),
        ("[clik]", 1, "double quotes"),
        ("[NaN]", 1, "`NaN` is no JSON value"),
    ];
    for (text, at, message) in cases {
        let fault = check(text).unwrap_err();
        assert_eq!(fault.range.start, at, "{text}: {fault:?}");
        assert!(fault.message.contains(message), "{text}: {fault:?}");
    }
}

#[test]
fn depth_is_bounded() {
    assert_eq!(check(&format!("{}{}", "[".repeat(64), "]".repeat(64))), Ok(()));
    let fault = check(&"[".repeat(1_000_000)).unwrap_err();
    assert_eq!((fault.range, fault.message.as_str()), (64..65, "values are nested deeper than 64 levels"));
}

#[test]
fn values_have_their_places() {
    let text = "{\"a\\u0062\": [1, {\"]\\\"}\": null}],\n \"d\": -1.5e3, \"e\": true}";
    assert_eq!(check(text), Ok(()));
    let found: Vec<_> = members(text, 0).collect();
    let keys: Vec<(&str, &str)> = found.iter().map(|member| (&*member.key, &text[member.key_range.clone()])).collect();
    assert_eq!(keys, [("ab", "\"a\\u0062\""), ("d", "\"d\""), ("e", "\"e\"")]);
    assert_eq!(&text[found[0].value.range.clone()], "[1, {\"]\\\"}\": null}]");
    assert_eq!(found[1].value.shape, Shape::Number("-1.5e3"));
    assert_eq!(found[2].value.shape, Shape::Boolean(true));
    let inner: Vec<_> = items(text, found[0].value.range.start).map(|item| item.shape).collect();
    assert_eq!(inner, [Shape::Number("1"), Shape::Mapping]);
    assert_eq!(root(text).unwrap().range, 0..text.len());
}

proptest! {
    /// Whatever passes is JSON for an independent reader, and the other way round.
    #[test]
    fn agrees_with_another_reader(text in "[\\[\\]{},: \"a\\\\u0019tru\n.eE+-]{0,24}") {
        let other: Result<serde_json::Value, _> = serde_json::from_str(&text);
        prop_assert_eq!(check(&text).is_ok(), other.is_ok(), "{:?}", other);
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        if check(&text).is_ok() {
            prop_assert!(root(&text).is_some());
        }
    }
}
