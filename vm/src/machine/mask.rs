//! Secrets replaced by stars, whole or as far as a cut left them.

use spec::value::Value;

/// The least bytes of a part of a secret that is taken for one: shorter ones are in too many words.
const PART: usize = 4;

/// The most bytes of a part of a secret that is looked for.
const LONGEST_PART: usize = 64 << 10;

/// From this length in bytes on, a text may have been cut at its ends without a mark, as the outputs of programs are.
const CUT: usize = 4000;

/// Replaces every secret in a text by `***`, and what is left of one where the text was cut: at the marks `…`, and at the ends of a long text.
pub fn mask(text: &str, secrets: &[String]) -> String {
    let text = mask_whole(text, secrets);
    let pieces: Vec<&str> = if secrets.is_empty() { vec![&text] } else { text.split('…').collect() };
    let last = pieces.len() - 1;
    let ends = text.len() >= CUT;
    let masked = pieces.iter().enumerate().map(|(place, piece)| {
        let (head, tail) = (place > 0 || ends, place < last || ends);
        mask_ends(piece, secrets, head, tail)
    });
    masked.collect::<Vec<_>>().join("…")
}

fn mask_whole(text: &str, secrets: &[String]) -> String {
    secrets.iter().filter(|secret| !secret.is_empty()).fold(text.to_owned(), |text, secret| text.replace(secret, "***"))
}

/// Replaces the end of a secret at the beginning of a text, and the beginning of one at its end.
fn mask_ends(text: &str, secrets: &[String], head: bool, tail: bool) -> String {
    let longest = |of: fn(&str, &str) -> usize, text: &str, wanted: bool| {
        let secrets = secrets.iter().filter(|_| wanted && text.len() >= PART);
        secrets.map(|secret| of(secret, text)).max().unwrap_or(0)
    };
    let from = longest(end_of_secret, text, head);
    let to = text.len() - longest(begin_of_secret, &text[from..], tail);
    let stars = |shown: bool| if shown { "***" } else { "" };
    format!("{}{}{}", stars(from > 0), &text[from..to], stars(to < text.len()))
}

/// How many bytes of the end of a secret a text begins with. What begins and ends where a text does is whole characters.
fn end_of_secret(secret: &str, text: &str) -> usize {
    part(overlap(secret.as_bytes().get(1..).unwrap_or_default(), text.as_bytes()))
}

/// How many bytes of the beginning of a secret a text ends with.
fn begin_of_secret(secret: &str, text: &str) -> usize {
    let most = secret.len().saturating_sub(1);
    part(overlap(text.as_bytes(), &secret.as_bytes()[..most]))
}

fn part(bytes: usize) -> usize {
    if bytes < PART { 0 } else { bytes }
}

/// How many of the last bytes of one text are the first of another: at most [`LONGEST_PART`], and in linear time however much they
/// repeat themselves (the prefix function of Knuth, Morris and Pratt).
fn overlap(left: &[u8], right: &[u8]) -> usize {
    let most = left.len().min(right.len()).min(LONGEST_PART);
    let (left, right) = (&left[left.len() - most..], &right[..most]);
    let mut borders = vec![0; most];
    let mut known = 0;
    for at in 1..most {
        while known > 0 && right[at] != right[known] {
            known = borders[known - 1];
        }
        known += usize::from(right[at] == right[known]);
        borders[at] = known;
    }
    // No more bytes are known than were looked at, so `known` is below `most` before each.
    left.iter().fold(0, |mut known, byte| {
        while known > 0 && right[known] != *byte {
            known = borders[known - 1];
        }
        known + usize::from(right[known] == *byte)
    })
}

/// Replaces every secret in a value, however deep, by `***`; a number that is a secret becomes that text.
pub fn mask_value(value: Value, secrets: &[String]) -> Value {
    match value {
        Value::String(text) => Value::String(mask(&text, secrets)),
        Value::List(items) => Value::List(items.into_iter().map(|item| mask_value(item, secrets)).collect()),
        Value::Dict(entries) => Value::Dict(
            entries.into_iter().map(|(key, value)| (mask_whole(&key, secrets), mask_value(value, secrets))).collect(),
        ),
        Value::Number(_) | Value::Integer(_) | Value::Float(_) => match spec::kind::text(value.clone()) {
            Ok(text) if secrets.contains(&text) => Value::String("***".to_owned()),
            Ok(_) | Err(_) => value,
        },
        Value::Null | Value::Boolean(_) => value,
    }
}
