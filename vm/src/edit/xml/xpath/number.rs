//! Numbers as XPath 1.0 reads, prints and rounds them (section 4.4).

/// `text` as a number: digits with at most one point and one minus, white space around; anything else is NaN.
pub fn parse(text: &str) -> f64 {
    let trimmed = text.trim_matches([' ', '\t', '\r', '\n']);
    let digits = trimmed.strip_prefix('-').unwrap_or(trimmed);
    let plain = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.') && digits.bytes().any(|b| b.is_ascii_digit());
    if plain { trimmed.parse().unwrap_or(f64::NAN) } else { f64::NAN }
}

/// `number` without an exponent, without a point when it is whole.
pub fn print(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if number == 0.0 { "0".to_owned() } else { number.to_string() }
}

/// The nearest whole number, the greater one when two are as near.
pub fn round(number: f64) -> f64 {
    let floor = number.floor();
    if number - floor < 0.5 { floor } else { number.ceil() }
}

#[cfg(test)]
mod tests {
    use super::{parse, print, round};

    #[test]
    fn numbers_follow_the_recommendation() {
        assert_eq!(parse(" -1.50\n"), -1.5);
        assert_eq!(parse(".5"), 0.5);
        assert_eq!(parse("5."), 5.0);
        for text in ["", "1e3", "+1", "inf", "NaN", "1 2", ".", "--1", "0x1"] {
            assert!(parse(text).is_nan(), "{text}");
        }
        assert_eq!(
            [1.0, -0.0, 0.25, 1e21, f64::NAN, f64::NEG_INFINITY].map(print),
            ["1", "0", "0.25", "1000000000000000000000", "NaN", "-Infinity"]
        );
        assert_eq!([2.5, -2.5, 0.49999999999999994, -0.2].map(round), [3.0, -2.0, 0.0, 0.0]);
        assert!(round(f64::NAN).is_nan() && round(f64::INFINITY).is_infinite());
    }
}
