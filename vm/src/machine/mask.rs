//! Secrets replaced by stars, whole or as far as a cut left them.

use std::cell::OnceCell;

use aho_corasick::{AhoCorasick, MatchKind};

/// The least bytes of a part of a secret that is taken for one: shorter ones are in too many words.
const PART: usize = 4;

/// The most bytes of a part of a secret that is looked for.
const LONGEST_PART: usize = 64 << 10;

/// From this length in bytes on, a text may have been cut at its ends without a mark, as the outputs of programs are.
const CUT: usize = 4000;

/// What is shown instead of a secret.
pub const STARS: &str = "***";

/// Texts up to so many bytes together are looked for in one pass; others one by one.
const TOGETHER: usize = 1 << 20;

/// A longer text is looked for alone: for one that repeats itself, an automaton takes quadratic time.
const ALONE: usize = 1 << 10;

/// So many texts may come after the search was made ready before it is made again; or an eighth of those in it, when that is more.
const LATE: usize = 64;

/// The texts that are masked.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    list: Vec<String>,
    search: OnceCell<Search>,
}

/// The first texts of the list made ready.
#[derive(Clone, Debug)]
struct Search {
    /// How many there are.
    count: usize,
    /// Finds those that are together; nothing when there are none.
    automaton: Option<AhoCorasick>,
    /// The others, by their places in the list.
    apart: Vec<usize>,
}

impl Texts {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds one that is not empty.
    pub fn add(&mut self, text: String) {
        self.list.push(text);
        let ready = self.search.get().map_or(0, |search| search.count);
        if self.list.len() - ready > LATE.max(ready / 8) {
            self.search = OnceCell::new();
        }
    }

    /// Replaces every secret in a text by `***`, and what is left of one where the text was cut: at the marks `…`, and at the ends of a
    /// long text.
    pub fn mask(&self, text: &str) -> String {
        if self.is_empty() {
            return text.to_owned();
        }
        let text = self.mask_whole(text);
        let pieces: Vec<&str> = text.split('…').collect();
        let last = pieces.len() - 1;
        let ends = text.len() >= CUT;
        let masked = pieces.iter().enumerate().map(|(place, piece)| {
            let (head, tail) = (place > 0 || ends, place < last || ends);
            mask_ends(piece, &self.list, head, tail)
        });
        masked.collect::<Vec<_>>().join("…")
    }

    /// Replaces every secret in a text by `***`; where several overlap, all of them by one.
    pub fn mask_whole(&self, text: &str) -> String {
        let (mut masked, mut from) = (String::with_capacity(text.len()), 0);
        for (begin, end) in self.found(text) {
            if begin >= from {
                // A text that is UTF-8 is found between characters only.
                masked.push_str(text.get(from..begin).unwrap_or_default());
                masked.push_str(STARS);
            }
            from = from.max(end);
        }
        masked.push_str(text.get(from..).unwrap_or_default());
        masked
    }

    /// Where secrets are in a text, in order.
    fn found(&self, text: &str) -> Vec<(usize, usize)> {
        let search = self.search.get_or_init(|| Search::of(&self.list));
        let late = self.list.iter().skip(search.count);
        let apart = search.apart.iter().filter_map(|place| self.list.get(*place)).chain(late);
        let mut found: Vec<(usize, usize)> = apart
            .filter(|secret| secret.len() <= text.len())
            .flat_map(|secret| text.match_indices(secret.as_str()).map(|(at, found)| (at, at + found.len())))
            .collect();
        let together = search.automaton.iter().flat_map(|automaton| automaton.find_iter(text));
        found.extend(together.map(|found| (found.start(), found.end())));
        found.sort_unstable();
        found
    }
}

impl Search {
    fn of(list: &[String]) -> Self {
        let mut places: Vec<usize> = (0..list.len()).collect();
        let length = |place: &usize| list.get(*place).map_or(0, String::len);
        places.sort_by_key(length);
        let sums = places.iter().scan(0_usize, |sum, place| {
            *sum = sum.saturating_add(length(place));
            Some((*sum, length(place)))
        });
        let together = sums.take_while(|(sum, length)| *sum <= TOGETHER && *length <= ALONE).count();
        let (near, far) = places.split_at(together);
        let texts = near.iter().filter_map(|place| list.get(*place));
        let automaton = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(texts);
        match automaton {
            Ok(automaton) => {
                Self { count: list.len(), automaton: (!near.is_empty()).then_some(automaton), apart: far.to_vec() }
            }
            Err(_) => Self { count: list.len(), automaton: None, apart: places },
        }
    }
}

/// Replaces the end of a secret at the beginning of a text, and the beginning of one at its end.
fn mask_ends(text: &str, secrets: &[String], head: bool, tail: bool) -> String {
    let longest = |of: fn(&str, &str) -> usize, text: &str, wanted: bool| {
        let secrets = secrets.iter().filter(|_| wanted && text.len() >= PART);
        secrets.map(|secret| of(secret, text)).max().unwrap_or(0)
    };
    let from = longest(end_of_secret, text, head);
    let to = text.len() - longest(begin_of_secret, &text[from..], tail);
    let stars = |shown: bool| if shown { STARS } else { "" };
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
