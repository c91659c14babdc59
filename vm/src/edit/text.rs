//! Replacement in bytes of any encoding; everything between the matches is copied as it is.

use std::borrow::Cow;

use memchr::memmem;
use regex::bytes::{Captures, Regex, RegexBuilder};
use thiserror::Error;

use crate::edit::Cancelled;

/// The largest result, in bytes: 1 GiB.
pub const RESULT_LIMIT: usize = 1 << 30;

/// The largest compiled pattern, in bytes: 10 MiB.
const PATTERN_LIMIT: usize = 10 << 20;

/// Between two looks at the clock.
const CHUNK: usize = 4 << 20;

/// Bytes after a replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced<'a> {
    /// The bytes; borrowed when nothing was found.
    pub bytes: Cow<'a, [u8]>,
    /// How many matches were replaced.
    pub count: u64,
}

/// Why nothing was replaced.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TextError {
    /// There is nothing to look for.
    #[error("`find` is empty: name the text to replace")]
    EmptyFind,
    /// The pattern is no regular expression, or one too large.
    #[error("the pattern is not usable: {0}")]
    Pattern(String),
    /// The replacement names a group the pattern lacks.
    #[error("the replacement names the group `{group}`, the pattern has {allowed}; write `$$` for a dollar sign")]
    UnknownGroup {
        /// The name or number.
        group: String,
        /// What the pattern has.
        allowed: String,
    },
    /// The result would be larger than [`RESULT_LIMIT`].
    #[error("the result would be larger than {RESULT_LIMIT} bytes")]
    TooLarge,
    /// The system gives no memory for the result.
    #[error("there is not enough memory for the result of {bytes} bytes or more")]
    NoMemory {
        /// How many bytes there are so far.
        bytes: usize,
    },
    /// The operation was cancelled.
    #[error("cancelled before the end")]
    Cancelled,
}

/// Replaces every `find`, from left to right and without overlaps.
///
/// Bytes are compared with bytes: a `find` with `\n` does not match `\r\n`.
///
/// # Errors
/// An empty `find`, a result beyond [`RESULT_LIMIT`], `cancelled`.
pub fn replace<'a>(
    bytes: &'a [u8],
    find: &[u8],
    replacement: &[u8],
    cancelled: Cancelled<'_>,
) -> Result<Replaced<'a>, TextError> {
    if find.is_empty() {
        return Err(TextError::EmptyFind);
    }
    let finder = memmem::Finder::new(find);
    let mut output = Output::new(bytes, cancelled);
    let mut from = 0;
    while from < bytes.len() {
        output.look(from)?;
        // A window that overlaps the next one by less than a match: found once, and the clock is looked at in between.
        let end = from.saturating_add(CHUNK).saturating_add(find.len() - 1).min(bytes.len());
        match finder.find(&bytes[from..end]) {
            Some(at) => {
                output.put(from + at, from + at + find.len(), replacement)?;
                from += at + find.len();
            }
            None if end == bytes.len() => break,
            None => from = end - (find.len() - 1),
        }
    }
    output.finish()
}

/// Replaces every match of the regular expression `pattern`, from left to right and without overlaps.
///
/// The syntax is that of the `regex` crate (linear time, no look-around or back-references); `(?m)`, `(?s)`, `(?i)` and
/// `(?-u)` (bytes instead of Unicode characters) work inside it. In the replacement `$1`, `$name`, `${1}` and `${name}`
/// stand for groups, `$0` for the match, `$$` for a dollar sign; `$1a` means a group called `1a`. `cancelled` is asked
/// between matches.
///
/// # Errors
/// A pattern that is malformed, too large or empty, a group the pattern lacks, a result beyond [`RESULT_LIMIT`],
/// `cancelled`.
pub fn regex_replace<'a>(
    bytes: &'a [u8],
    pattern: &str,
    replacement: &[u8],
    cancelled: Cancelled<'_>,
) -> Result<Replaced<'a>, TextError> {
    if pattern.is_empty() {
        return Err(TextError::EmptyFind);
    }
    let regex = RegexBuilder::new(pattern)
        .size_limit(PATTERN_LIMIT)
        .build()
        .map_err(|error| TextError::Pattern(error.to_string()))?;
    check_groups(&regex, replacement)?;
    let mut output = Output::new(bytes, cancelled);
    let mut expanded = Vec::new();
    for captures in regex.captures_iter(bytes) {
        expanded.clear();
        captures.expand(replacement, &mut expanded);
        let (start, end) = whole(&captures);
        output.look(start)?;
        output.put(start, end, &expanded)?;
    }
    output.finish()
}

fn whole(captures: &Captures<'_>) -> (usize, usize) {
    captures.get(0).map_or((0, 0), |all| (all.start(), all.end()))
}

/// The crate itself takes an unknown group for an empty one.
fn check_groups(regex: &Regex, replacement: &[u8]) -> Result<(), TextError> {
    let mut rest = replacement;
    while let Some(at) = memchr::memchr(b'$', rest) {
        rest = &rest[at + 1..];
        let name = match rest.first() {
            Some(b'$') => {
                rest = &rest[1..];
                continue;
            }
            Some(b'{') => match memchr::memchr(b'}', rest) {
                Some(close) => &rest[1..close],
                None => continue,
            },
            Some(_) | None => {
                let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                &rest[..rest.iter().position(|byte| !word(byte)).unwrap_or(rest.len())]
            }
        };
        let Ok(name) = std::str::from_utf8(name) else { continue };
        let known = if name.bytes().all(|byte| byte.is_ascii_digit()) {
            name.is_empty() || name.parse::<usize>().is_ok_and(|number| number < regex.captures_len())
        } else {
            regex.capture_names().flatten().any(|group| group == name)
        };
        if !known {
            let names: Vec<String> = regex.capture_names().flatten().map(|name| format!(", `{name}`")).collect();
            let allowed = format!("`0` to `{}`{}", regex.captures_len() - 1, names.concat());
            return Err(TextError::UnknownGroup { group: name.to_owned(), allowed });
        }
    }
    Ok(())
}

struct Output<'a, 'c> {
    input: &'a [u8],
    copied: usize,
    bytes: Vec<u8>,
    count: u64,
    looked: usize,
    cancelled: Cancelled<'c>,
}

impl<'a, 'c> Output<'a, 'c> {
    fn new(input: &'a [u8], cancelled: Cancelled<'c>) -> Self {
        Self { input, copied: 0, bytes: Vec::new(), count: 0, looked: 0, cancelled }
    }

    /// Asks whether to go on, once in [`CHUNK`] bytes of input or output.
    fn look(&mut self, at: usize) -> Result<(), TextError> {
        let work = at.saturating_add(self.bytes.len());
        if work - self.looked.min(work) >= CHUNK || at == 0 {
            self.looked = work;
            if (self.cancelled)() {
                return Err(TextError::Cancelled);
            }
        }
        Ok(())
    }

    fn put(&mut self, start: usize, end: usize, replacement: &[u8]) -> Result<(), TextError> {
        if self.count == 0 {
            self.room(self.input.len().min(RESULT_LIMIT))?;
        }
        self.extend(&self.input[self.copied..start])?;
        self.extend(replacement)?;
        self.copied = end;
        self.count += 1;
        Ok(())
    }

    fn extend(&mut self, bytes: &[u8]) -> Result<(), TextError> {
        if self.bytes.len().saturating_add(bytes.len()) > RESULT_LIMIT {
            return Err(TextError::TooLarge);
        }
        self.room(bytes.len())?;
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Room for `more` bytes. It grows by doubling, but not beyond the limit, and where there is no memory that is an error and no abort.
    fn room(&mut self, more: usize) -> Result<(), TextError> {
        let (length, capacity) = (self.bytes.len(), self.bytes.capacity());
        let wanted = length.saturating_add(more);
        if wanted <= capacity {
            return Ok(());
        }
        let ahead = capacity.saturating_mul(2).min(RESULT_LIMIT).max(wanted);
        self.bytes.try_reserve_exact(ahead - length).map_err(|_| TextError::NoMemory { bytes: wanted })
    }

    fn finish(mut self) -> Result<Replaced<'a>, TextError> {
        if self.count == 0 {
            return Ok(Replaced { bytes: Cow::Borrowed(self.input), count: 0 });
        }
        self.extend(&self.input[self.copied..])?;
        Ok(Replaced { bytes: Cow::Owned(self.bytes), count: self.count })
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::cell::Cell;

    use proptest::prelude::{any, prop, prop_assert_eq, proptest};

    use crate::edit::never;
    use crate::edit::text::{RESULT_LIMIT, TextError, regex_replace, replace};

    #[test]
    fn only_the_match_changes() {
        let bytes = b"\xEF\xBB\xBFa=1\r\nb=\xe9\r\nc=1\n\x00end";
        let replaced = replace(bytes, b"a=1", b"a=2", &never).unwrap();
        assert_eq!((&*replaced.bytes, replaced.count), (&b"\xEF\xBB\xBFa=2\r\nb=\xe9\r\nc=1\n\x00end"[..], 1));
        let none = replace(bytes, b"a=1\nb", b"", &never).unwrap();
        assert!(matches!(none.bytes, Cow::Borrowed(same) if same == bytes));
        assert_eq!(none.count, 0);
        assert_eq!(replace(b"aaaa", b"aa", b"a", &never).unwrap().count, 2);
        assert_eq!(replace(bytes, b"", b"x", &never), Err(TextError::EmptyFind));
    }

    #[test]
    fn matches_across_windows_are_found_once() {
        let mut bytes = vec![b'x'; 9 << 20];
        for at in [(4 << 20) - 3, (4 << 20) + 5, (8 << 20) - 1] {
            bytes[at..at + 4].copy_from_slice(b"abcd");
        }
        let replaced = replace(&bytes, b"abcd", b"ABCD", &never).unwrap();
        assert_eq!((replaced.count, replaced.bytes.len()), (3, bytes.len()));
    }

    #[test]
    fn large_inputs_are_quick_and_can_be_cancelled() {
        let mut bytes = b"x\n".repeat(100 << 20);
        let at = bytes.len() - 10;
        bytes[at] = b'y';
        let started = std::time::Instant::now();
        assert_eq!(replace(&bytes, b"y", b"z", &never).unwrap().count, 1);
        assert!(started.elapsed().as_secs() < 10);
        let asked = Cell::new(0);
        let soon = || {
            asked.set(asked.get() + 1);
            asked.get() > 3
        };
        assert_eq!(replace(&bytes, b"y", b"z", &soon), Err(TextError::Cancelled));
        assert_eq!(regex_replace(&bytes, "x", b"z", &|| true), Err(TextError::Cancelled));
    }

    #[test]
    fn results_are_bounded() {
        let replacement = vec![b'y'; RESULT_LIMIT / 4];
        assert_eq!(replace(b"xxxxx", b"x", &replacement, &never), Err(TextError::TooLarge));
    }

    #[test]
    fn patterns_use_groups() {
        let all = |bytes: &[u8], pattern: &str, replacement: &[u8]| {
            regex_replace(bytes, pattern, replacement, &never)
                .map(|replaced| (replaced.bytes.into_owned(), replaced.count))
        };
        assert_eq!(all(b"v=1 v=22", r"v=(?<n>\d+)", b"${n}$$$0"), Ok((b"1$v=1 22$v=22".to_vec(), 2)));
        assert_eq!(all(b"a\xe9b\xe9", r"(?-u)\xe9", b"e"), Ok((b"aebe".to_vec(), 2)));
        assert_eq!(all(b"ab", "x*", b"-"), Ok((b"-a-b-".to_vec(), 3)));
        assert!(matches!(all(b"", "(", b""), Err(TextError::Pattern(_))));
        assert!(matches!(all(b"", r"\w{1000}{1000}{1000}", b""), Err(TextError::Pattern(_))));
        assert_eq!(all(b"", "", b""), Err(TextError::EmptyFind));
        assert_eq!(
            all(b"a", "(?<x>a)", b"$1a").unwrap_err().to_string(),
            "the replacement names the group `1a`, the pattern has `0` to `1`, `x`; write `$$` for a dollar sign"
        );
    }

    proptest! {
        #[test]
        fn text_agrees_with_the_standard_library(text in "[ab]{0,40}", find in "[ab]{1,3}", with in "[abc]{0,4}") {
            let replaced = replace(text.as_bytes(), find.as_bytes(), with.as_bytes(), &never).unwrap();
            let expected = text.replace(&find, &with);
            prop_assert_eq!(&*replaced.bytes, expected.as_bytes());
            prop_assert_eq!(replaced.count, text.matches(&find).count() as u64);
        }

        #[test]
        fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..99), pattern: String, with: Vec<u8>) {
            let _ = regex_replace(&bytes, &pattern, &with, &never);
        }
    }
}
