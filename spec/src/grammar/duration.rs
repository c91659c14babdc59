//! Durations as people write them: `500ms`, `1.5s`, `2m`, `1m30s`.
//!
//! A duration is one or more numbers, each with its unit (`h`, `m`, `s`, `ms`, `us`), from the largest unit to the
//! smallest and each unit once; blanks may stand between them. Only the last number may have a fraction, and nothing is
//! rounded: what is finer than a microsecond is an error. A number without a unit is one too, because half of its
//! readers would take it for seconds and half for milliseconds.

use chumsky::prelude::*;
use thiserror::Error;

use crate::grammar::nearest::nearest;
use crate::grammar::shown;

/// The longest duration, in microseconds: 24 hours on each of 365 days.
pub const MAX_MICROS: u64 = 365 * 24 * 3_600 * 1_000_000;

/// Every unit, from the largest, with its length in microseconds.
pub const UNITS: [(&str, u64); 5] =
    [("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1_000), ("us", 1)];

/// Why a text is no duration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DurationError {
    /// Nothing but blanks.
    #[error("the duration is empty")]
    Empty,
    /// A minus sign.
    #[error("the duration `{text}` is negative")]
    Negative {
        /// What was written.
        text: String,
    },
    /// A number without a unit.
    #[error("the duration `{text}` has no unit")]
    NoUnit {
        /// What was written.
        text: String,
        /// The number that stands alone.
        number: String,
    },
    /// A unit that does not exist.
    #[error("unknown unit `{unit}` in the duration `{text}`")]
    UnknownUnit {
        /// What was written.
        text: String,
        /// The unknown unit.
        unit: String,
        /// The unit that was probably meant.
        nearest: Option<&'static str>,
    },
    /// A unit that is not smaller than the one before it.
    #[error("`{unit}` stands after `{before}` in the duration `{text}`")]
    Order {
        /// What was written.
        text: String,
        /// The unit in the wrong place.
        unit: &'static str,
        /// The unit before it.
        before: &'static str,
    },
    /// A fraction before the last number.
    #[error("`{number}` in the duration `{text}` has a fraction but is not the last number")]
    Fraction {
        /// What was written.
        text: String,
        /// The number with the fraction.
        number: String,
    },
    /// An exponent, as in `1e3s`.
    #[error("`{number}` in the duration `{text}` has an exponent")]
    Exponent {
        /// What was written.
        text: String,
        /// The number with the exponent.
        number: String,
    },
    /// More digits than a microsecond resolves.
    #[error("the duration `{text}` is finer than a microsecond")]
    TooFine {
        /// What was written.
        text: String,
    },
    /// More than [`MAX_MICROS`].
    #[error("the duration `{text}` is longer than 365 days")]
    TooLong {
        /// What was written.
        text: String,
    },
    /// Not a duration at all.
    #[error("`{text}` is not a duration")]
    Malformed {
        /// What was written.
        text: String,
    },
}

impl DurationError {
    /// What to do about it.
    pub fn help(&self) -> String {
        const FORMS: &str = "write for example `500ms`, `1.5s`, `2m` or `1m30s`";
        match self {
            Self::Empty | Self::Malformed { .. } => FORMS.to_owned(),
            Self::Negative { .. } => "a duration is zero or more".to_owned(),
            Self::NoUnit { number, .. } => {
                format!("write `{number}s` for seconds, or use `timeout_ms` for milliseconds")
            }
            Self::UnknownUnit { nearest: Some(unit), .. } => {
                format!("did you mean `{unit}`? allowed: `h`, `m`, `s`, `ms` and `us`")
            }
            Self::UnknownUnit { nearest: None, .. } => "allowed: `h`, `m`, `s`, `ms` and `us`".to_owned(),
            Self::Order { .. } => "write the units from the largest to the smallest, each once: `1h2m3s`".to_owned(),
            Self::Fraction { .. } => "only the last number may have a fraction: `1m1.5s`".to_owned(),
            Self::Exponent { .. } => "write the number out, at most 365 days: `8760h`".to_owned(),
            Self::TooFine { .. } => "the smallest duration is `1us`".to_owned(),
            Self::TooLong { .. } => "the longest duration is `8760h`".to_owned(),
        }
    }
}

/// The duration `text` means, in microseconds; at most [`MAX_MICROS`].
pub fn parse(text: &str) -> Result<u64, DurationError> {
    let trimmed = text.trim();
    let all = || shown(trimmed);
    if trimmed.is_empty() {
        return Err(DurationError::Empty);
    }
    // `-` may be the typographic minus of a copied text.
    if trimmed.starts_with(['-', '\u{2212}']) {
        return Err(DurationError::Negative { text: all() });
    }
    let parts = parts().parse(trimmed).into_result().map_err(|_| DurationError::Malformed { text: all() })?;
    let mut total: u64 = 0;
    let mut before: Option<(&'static str, u64)> = None;
    for (index, part) in parts.iter().enumerate() {
        let number = || shown(part.number);
        if part.number.contains(['e', 'E']) {
            return Err(DurationError::Exponent { text: all(), number: number() });
        }
        if part.unit.is_empty() {
            return Err(DurationError::NoUnit { text: all(), number: number() });
        }
        let (unit, micros) = unit(part.unit).ok_or_else(|| DurationError::UnknownUnit {
            text: all(),
            unit: shown(part.unit),
            nearest: nearest_unit(part.unit),
        })?;
        if let Some((before, larger)) = before
            && micros >= larger
        {
            return Err(DurationError::Order { text: all(), unit, before });
        }
        if part.number.contains('.') && index + 1 < parts.len() {
            return Err(DurationError::Fraction { text: all(), number: number() });
        }
        let length = scaled(part.number, micros).map_err(|wrong| match wrong {
            Scale::TooFine => DurationError::TooFine { text: all() },
            Scale::TooLong => DurationError::TooLong { text: all() },
        })?;
        total = total.saturating_add(length);
        before = Some((unit, micros));
    }
    if total > MAX_MICROS { Err(DurationError::TooLong { text: all() }) } else { Ok(total) }
}

/// The shortest usual spelling of `micros` microseconds; [`parse`] reads it back exactly.
pub fn display(micros: u64) -> String {
    if micros == 0 {
        return "0s".to_owned();
    }
    let mut text = String::new();
    let mut rest = micros;
    for (unit, length) in UNITS {
        let whole = rest / length;
        // Hours and minutes are counted; below them one number with a fraction reads better than three whole ones.
        let last = length <= 1_000_000;
        if whole == 0 {
            continue;
        }
        text.push_str(&whole.to_string());
        rest %= length;
        if last && rest > 0 {
            let digits = length.ilog10() as usize;
            text.push('.');
            text.push_str(format!("{rest:0digits$}").trim_end_matches('0'));
            rest = 0;
        }
        text.push_str(unit);
    }
    text
}

struct Part<'a> {
    number: &'a str,
    unit: &'a str,
}

fn parts<'a>() -> impl Parser<'a, &'a str, Vec<Part<'a>>, extra::Err<EmptyErr>> {
    let blanks = one_of(" \t").repeated();
    let digits = any().filter(char::is_ascii_digit).repeated().at_least(1);
    let fraction = just('.').then(digits);
    let exponent = one_of("eE").then(one_of("+-").or_not()).then(digits);
    let number = digits.then(fraction.or_not()).then(exponent.or_not()).to_slice();
    let unit = any().filter(|c: &char| c.is_alphabetic()).repeated().to_slice();
    let part = number.then_ignore(blanks).then(unit).map(|(number, unit)| Part { number, unit });
    part.then_ignore(blanks).repeated().at_least(1).collect().then_ignore(end())
}

fn unit(text: &str) -> Option<(&'static str, u64)> {
    // Both characters that look like the micro sign.
    let text = if matches!(text, "\u{b5}s" | "\u{3bc}s") { "us" } else { text };
    UNITS.into_iter().find(|(name, _)| *name == text)
}

fn nearest_unit(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let words: [(&str, &[&str]); 5] = [
        ("h", &["hr", "hrs", "hour", "hours"]),
        ("m", &["min", "mins", "minute", "minutes"]),
        ("s", &["sec", "secs", "second", "seconds"]),
        ("ms", &["msec", "msecs", "milli", "millis", "millisecond", "milliseconds"]),
        ("us", &["usec", "usecs", "micro", "micros", "microsecond", "microseconds", "ns"]),
    ];
    let exact = words.iter().find(|(unit, words)| *unit == lower || words.contains(&lower.as_str()));
    exact.map(|(unit, _)| *unit).or_else(|| nearest(&lower, UNITS.iter().map(|(unit, _)| *unit)))
}

enum Scale {
    TooFine,
    TooLong,
}

/// `number` (digits, perhaps with a fraction) times `length`, exactly.
fn scaled(number: &str, length: u64) -> Result<u64, Scale> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let whole: u64 = whole.parse().map_err(|_| Scale::TooLong)?;
    let whole = whole.checked_mul(length).ok_or(Scale::TooLong)?;
    let fraction = fraction.trim_end_matches('0');
    // An hour has 3.6e9 microseconds, which ten digits of a fraction can still cut evenly.
    if fraction.len() > 10 {
        return Err(Scale::TooFine);
    }
    let digits: u128 = if fraction.is_empty() { 0 } else { fraction.parse().map_err(|_| Scale::TooFine)? };
    let scale = 10u128.pow(fraction.len() as u32);
    let product = digits * u128::from(length);
    if !product.is_multiple_of(scale) {
        return Err(Scale::TooFine);
    }
    let part = u64::try_from(product / scale).map_err(|_| Scale::TooLong)?;
    whole.checked_add(part).ok_or(Scale::TooLong)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{DurationError, MAX_MICROS, display, parse};

    #[test]
    fn reads_what_people_write() {
        let good: [(&str, u64); 16] = [
            ("500ms", 500_000),
            ("1.5s", 1_500_000),
            ("2m", 120_000_000),
            ("1m30s", 90_000_000),
            ("1h", 3_600_000_000),
            ("250us", 250),
            ("250µs", 250),
            ("1h 2m 3s 4ms 5us", 3_723_004_005),
            (" 5 s ", 5_000_000),
            ("0s", 0),
            ("0ms", 0),
            ("1.50s", 1_500_000),
            ("0.0000000025h", 9),
            ("007s", 7_000_000),
            ("8760h", MAX_MICROS),
            ("1m1.5s", 61_500_000),
        ];
        for (text, micros) in good {
            assert_eq!(parse(text), Ok(micros), "{text}");
        }
    }

    #[test]
    fn refuses_with_the_right_reason() {
        let kind = |text: &str| match parse(text) {
            Ok(micros) => format!("{micros}"),
            Err(error) => format!("{error:?}").split([' ', '{']).next().unwrap_or_default().to_owned(),
        };
        let bad = [
            ("", "Empty"),
            ("  ", "Empty"),
            ("1", "NoUnit"),
            ("0", "NoUnit"),
            ("1m30", "NoUnit"),
            ("-5s", "Negative"),
            ("5 parsecs", "UnknownUnit"),
            ("5S", "UnknownUnit"),
            ("5minutes", "UnknownUnit"),
            ("1e400s", "Exponent"),
            ("1e3s", "Exponent"),
            ("99999999999999999999ms", "TooLong"),
            ("8761h", "TooLong"),
            ("8760h1us", "TooLong"),
            ("18446744073709551615us", "TooLong"),
            ("0.5us", "TooFine"),
            ("1.0000001s", "TooFine"),
            ("0.00000000001h", "TooFine"),
            ("30s1m", "Order"),
            ("1s1s", "Order"),
            ("1.5m3s", "Fraction"),
            ("s", "Malformed"),
            ("1,5s", "Malformed"),
            (".5s", "Malformed"),
            ("1.s", "Malformed"),
            ("+1s", "Malformed"),
            ("1s!", "Malformed"),
            ("inf", "Malformed"),
        ];
        for (text, reason) in bad {
            assert_eq!(kind(text), reason, "{text}");
        }
    }

    #[test]
    fn says_what_to_do() {
        let help = |text: &str| parse(text).unwrap_err().help();
        assert_eq!(help("30"), "write `30s` for seconds, or use `timeout_ms` for milliseconds");
        assert!(help("5 minutes").starts_with("did you mean `m`?"));
        assert!(help("5 MS").starts_with("did you mean `ms`?"));
        assert!(help("5 parsecs").starts_with("allowed:"));
        assert_eq!(parse("5 parsecs").unwrap_err().to_string(), "unknown unit `parsecs` in the duration `5 parsecs`");
    }

    #[test]
    fn shows_the_usual_spelling() {
        let shown = [
            (0, "0s"),
            (250, "250us"),
            (1_500, "1.5ms"),
            (500_000, "500ms"),
            (1_500_000, "1.5s"),
            (90_000_000, "1m30s"),
            (60_500_000, "1m500ms"),
            (3_600_000_000, "1h"),
            (3_600_000_001, "1h1us"),
            (MAX_MICROS, "8760h"),
        ];
        for (micros, text) in shown {
            assert_eq!(display(micros), text);
        }
    }

    #[test]
    fn long_input_is_read_in_one_pass() {
        for text in ["1s".repeat(500_000), "9".repeat(1_000_000), "1.".to_owned() + &"0".repeat(1_000_000) + "s"] {
            let _ = parse(&text);
        }
        assert!(matches!(parse(&"1s".repeat(500_000)), Err(DurationError::Order { .. })));
    }

    proptest! {
        #[test]
        fn display_round_trips(micros in 0..=MAX_MICROS) {
            prop_assert_eq!(parse(&display(micros)), Ok(micros));
        }

        #[test]
        fn small_ones_round_trip(micros in 0..=100_000_000u64) {
            prop_assert_eq!(parse(&display(micros)), Ok(micros));
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,40}|[0-9.a-zA-Z+ -]{0,40}") {
            if let Err(error) = parse(&text) {
                prop_assert!(!error.to_string().is_empty() && !error.help().is_empty());
            }
            let _ = display(u64::MAX);
        }
    }
}
