//! The spelling of names and numbers, shared by the parser and the paths that are read without it.

use spec::value::Value;

/// The end of the name that begins at `start`; `None` when none does.
pub fn name_end(bytes: &[u8], start: usize) -> Option<usize> {
    if bytes.get(start)?.is_ascii_digit() { None } else { segment_end(bytes, start) }
}

/// The end of what may follow a dot: as a name, but it may begin with a digit, as step ids and indices do.
pub fn segment_end(bytes: &[u8], start: usize) -> Option<usize> {
    let word = |at: usize| bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let mut end = start;
    loop {
        let run = end;
        while word(end) {
            end += 1;
        }
        if end == run {
            return None;
        }
        // Minus signs belong to the name when the name goes on behind them.
        let mut behind = end;
        while bytes.get(behind) == Some(&b'-') {
            behind += 1;
        }
        if behind == end || !word(behind) {
            return Some(end);
        }
        end = behind;
    }
}

/// The value of a number as JSON spells it: no leading zeros, no bare point; `None` when it is none or too large.
pub fn number(text: &str) -> Option<Value> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let whole = unsigned.find(|c: char| !c.is_ascii_digit()).unwrap_or(unsigned.len());
    if whole == 0 || (whole > 1 && unsigned.starts_with('0')) {
        return None;
    }
    let rest = &unsigned[whole..];
    if rest.is_empty() {
        return text.parse().ok().map(Value::Integer);
    }
    let (fraction, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (&rest[..at], Some(&rest[at + 1..])),
        None => (rest, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let fraction_fits = fraction.is_empty() || fraction.strip_prefix('.').is_some_and(digits);
    let exponent_fits = exponent.is_none_or(|text| digits(text.strip_prefix(['+', '-']).unwrap_or(text)));
    if !fraction_fits || !exponent_fits {
        return None;
    }
    text.parse().ok().filter(|number: &f64| number.is_finite()).map(Value::Float)
}

#[cfg(test)]
mod tests {
    use spec::value::Value;

    use super::{name_end, number, segment_end};

    #[test]
    fn names_end_where_they_should() {
        for (text, end) in [("a", 1), ("a-b", 3), ("a--b c", 4), ("a-", 1), ("a - b", 1), ("_x1-2.y", 5), ("aé", 1)] {
            assert_eq!(name_end(text.as_bytes(), 0), Some(end), "{text}");
        }
        for text in ["", "-a", "1a", "é", " a"] {
            assert_eq!(name_end(text.as_bytes(), 0), None, "{text}");
        }
        assert_eq!(segment_end(b"01_open.x", 0), Some(7));
    }

    #[test]
    fn numbers_are_spelt_as_in_json() {
        assert_eq!(number("0"), Some(Value::Integer(0)));
        assert_eq!(number("-9223372036854775808"), Some(Value::Integer(i64::MIN)));
        assert_eq!(number("1.0"), Some(Value::Float(1.0)));
        assert_eq!(number("1e3"), Some(Value::Float(1000.0)));
        assert_eq!(number("-2.5E-1"), Some(Value::Float(-0.25)));
        for bad in [
            "",
            "-",
            "007",
            "0x10",
            "1.",
            ".5",
            "1e",
            "1e400",
            "9223372036854775808",
            "1_000",
            "inf",
            "nan",
            "+1",
            "1.e3",
        ] {
            assert_eq!(number(bad), None, "{bad}");
        }
    }
}
