//! Secrets replaced by stars, whole or as far as a cut left them.

use std::cell::OnceCell;

use aho_corasick::automaton::Automaton;
use aho_corasick::nfa::contiguous::NFA;
use aho_corasick::{Anchored, Input};

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
    automaton: Option<NFA>,
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

    /// Where secrets are in a text, in order of where they begin.
    fn found(&self, text: &str) -> Vec<(usize, usize)> {
        let search = self.search.get_or_init(|| Search::of(&self.list));
        let late = self.list.iter().skip(search.count);
        let apart = search.apart.iter().filter_map(|place| self.list.get(*place)).chain(late);
        let mut found: Vec<(usize, usize)> =
            apart.filter(|secret| secret.len() <= text.len()).flat_map(|secret| alone(secret, text)).collect();
        found.extend(search.automaton.iter().flat_map(|automaton| together(automaton, text)));
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
        match NFA::new(texts) {
            Ok(automaton) => {
                Self { count: list.len(), automaton: (!near.is_empty()).then_some(automaton), apart: far.to_vec() }
            }
            Err(_) => Self { count: list.len(), automaton: None, apart: places },
        }
    }
}

/// Where any of the texts of an automaton is, those that overlap as one.
fn together(automaton: &NFA, text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    // Most texts have none, which is told faster.
    if !matches!(automaton.try_find(&Input::new(text)), Ok(Some(_))) {
        return found;
    }
    let Ok(mut state) = automaton.start_state(Anchored::No) else { return found };
    for (at, byte) in text.bytes().enumerate() {
        state = automaton.next_state(Anchored::No, state, byte);
        work(1);
        if automaton.is_match(state) {
            // The first of those that end here is the longest: the others are ends of it.
            let length = automaton.pattern_len(automaton.match_pattern(state, 0));
            join(&mut found, ((at + 1).saturating_sub(length), at + 1));
        }
    }
    found
}

/// Where a text is in another, places that overlap as one.
fn alone(secret: &str, text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let Some(first) = text.find(secret) else { return found };
    let borders = Borders::of(secret.as_bytes());
    let mut known = 0;
    for (at, byte) in text.bytes().enumerate().skip(first) {
        known = borders.next(known, byte);
        if known == secret.len() {
            join(&mut found, (at + 1 - known, at + 1));
        }
    }
    found
}

/// Adds a range that ends behind all others, as one with those it overlaps.
fn join(found: &mut Vec<(usize, usize)>, (mut begin, end): (usize, usize)) {
    while let Some((before, _)) = found.pop_if(|(_, end)| *end > begin) {
        begin = begin.min(before);
    }
    found.push((begin, end));
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

/// How many of the last bytes of one text are the first of another: at most [`LONGEST_PART`].
fn overlap(left: &[u8], right: &[u8]) -> usize {
    let most = left.len().min(right.len()).min(LONGEST_PART);
    let (left, right) = (&left[left.len() - most..], &right[..most]);
    let borders = Borders::of(right);
    left.iter().fold(0, |known, byte| borders.next(known, *byte))
}

/// A text that is looked for in linear time, however much it repeats itself (Knuth, Morris and Pratt).
struct Borders<'t> {
    text: &'t [u8],
    /// How many of the last of its first bytes, one and more, are also the first of it, and not all of them.
    lengths: Vec<usize>,
}

impl<'t> Borders<'t> {
    fn of(text: &'t [u8]) -> Self {
        let mut borders = Self { text, lengths: Vec::with_capacity(text.len()) };
        let mut known = 0;
        for (at, byte) in text.iter().enumerate() {
            known = if at == 0 { 0 } else { borders.next(known, *byte) };
            borders.lengths.push(known);
        }
        borders
    }

    /// How many of the first bytes of the text are the last that were seen, when `known` were before this byte.
    fn next(&self, mut known: usize, byte: u8) -> usize {
        work(1);
        loop {
            if self.text.get(known) == Some(&byte) {
                return known + 1;
            }
            let Some(before) = known.checked_sub(1) else { return 0 };
            work(1);
            known = self.lengths.get(before).copied().unwrap_or(0);
        }
    }
}

/// Counts steps of a search, for tests of how many there are.
#[cfg(not(test))]
const fn work(_steps: usize) {}

#[cfg(test)]
pub(in crate::machine) use tests::work;

#[cfg(test)]
pub(in crate::machine) mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;

    use crate::machine::mask::{LATE, Texts};

    thread_local! {
        static WORK: Cell<usize> = const { Cell::new(0) };
    }

    /// Counts steps of a search, and tells how many there were in this thread.
    pub fn work(steps: usize) -> usize {
        WORK.set(WORK.get() + steps);
        WORK.get()
    }

    fn masked(secrets: &[&str], text: &str) -> String {
        let mut texts = Texts::default();
        secrets.iter().for_each(|secret| texts.add((*secret).to_owned()));
        texts.mask_whole(text)
    }

    #[test]
    fn secrets_that_overlap_are_masked_whole() {
        assert_eq!(masked(&["abcde", "defgh"], "-abcdefgh-"), "-***-");
        assert_eq!(masked(&["aba"], "ababa"), "***");
        assert_eq!(masked(&["aba"], "aba aba"), "*** ***");
        assert_eq!(masked(&["abcdef", "cd", "efgh"], "abcdefgh, cd"), "***, ***");
        let long = "aba".repeat(1000);
        assert_eq!(masked(&[&long], &format!("x{long}bax")), format!("x***{}x", "ba"));
        assert_eq!(masked(&[&long], &format!("x{long}{}x", "aba".repeat(3))), "x***x");
        // Those that came late are looked for one by one.
        let mut texts = Texts::default();
        texts.add("abcde".to_owned());
        assert_eq!(texts.mask_whole("abcdefgh"), "***fgh");
        texts.add("defgh".to_owned());
        texts.add("hih".to_owned());
        assert!(texts.list.len() <= LATE);
        assert_eq!(texts.mask_whole("abcdefghihihx"), "***x");
    }

    proptest! {
        /// Nothing of any secret is left, and nothing else is gone.
        #[test]
        fn exactly_what_secrets_cover_is_masked(
            secrets in prop::collection::vec("[abü]{1,5}", 1..6), long in "[ab]{0,3}", late in any::<bool>(), text in "[abcü]{0,40}",
        ) {
            let mut texts = Texts::default();
            secrets.iter().for_each(|secret| texts.add(secret.clone()));
            if late {
                texts.mask_whole("");
            }
            let all = [&secrets[..], &[format!("{long}b{long}")]].concat();
            texts.add(all[all.len() - 1].clone());
            let mut covered = vec![false; text.len()];
            for secret in &all {
                let places = (0..text.len()).filter(|at| text.get(*at..).is_some_and(|rest| rest.starts_with(secret.as_str())));
                places.for_each(|at| covered[at..at + secret.len()].fill(true));
            }
            let left: String = text.char_indices().filter(|(at, _)| !covered[*at]).map(|(_, character)| character).collect();
            prop_assert_eq!(texts.mask_whole(&text).replace('*', ""), left);
        }
    }
}
