//! Names as XML writes them: XML 1.0 (fifth edition) productions 4, 4a and 5, and Namespaces in XML 1.0 production 7.

/// Whether `c` may begin an `NCName` (a name without a colon).
pub fn is_name_start(c: char) -> bool {
    matches!(c,
        'A'..='Z' | 'a'..='z' | '_'
        | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}'
        | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}'
        | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

/// Whether `c` may follow the first character of an `NCName`.
pub fn is_name_char(c: char) -> bool {
    is_name_start(c) || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// Whether `text` is an `NCName`: a name without a colon.
pub fn is_ncname(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(is_name_start) && chars.all(is_name_char)
}

/// Splits a qualified name into its prefix, if it has one, and its local part; `None` when it is not one.
pub fn split_qname(text: &str) -> Option<(Option<&str>, &str)> {
    let (prefix, local) = match text.split_once(':') {
        Some((prefix, local)) => (Some(prefix), local),
        None => (None, text),
    };
    (prefix.is_none_or(is_ncname) && is_ncname(local)).then_some((prefix, local))
}

#[cfg(test)]
mod tests {
    use super::split_qname;

    #[test]
    fn qualified_names_split_and_others_are_refused() {
        assert_eq!(split_qname("a"), Some((None, "a")));
        assert_eq!(split_qname("xml:lang"), Some((Some("xml"), "lang")));
        assert_eq!(split_qname("é-1.b"), Some((None, "é-1.b")));
        for bad in ["", ":", "a:", ":a", "a:b:c", "1a", "a b", "a=", "-a", "<", "a\n"] {
            assert_eq!(split_qname(bad), None, "{bad:?}");
        }
    }
}
