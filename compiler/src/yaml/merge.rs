//! The end of a mapping: merge keys brought in, duplicate keys reported.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::SourceFile;
use crate::yaml::reports::Reports;
use crate::yaml::tree::{Entry, Kind, Node};
use spec::span::Span;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Up to this many keys are compared one by one, which is faster than hashing them.
const FEW: usize = 12;

/// A `<<: …` of a mapping, <https://yaml.org/type/merge.html>.
pub struct Merge<'a> {
    /// How many entries were written before it.
    pub at: usize,
    /// The `<<`.
    pub key: Span,
    /// A mapping, or a list of mappings.
    pub value: Node<'a>,
}

/// The entries of a mapping written with `entries` and `merges`.
///
/// A written key wins over a merged one, and an earlier mapping of a list over a later one. Of a key written twice the
/// first stands and the second is reported.
pub fn finish<'a>(
    entries: Vec<Entry<'a>>,
    merges: Vec<Merge<'a>>,
    source: &SourceFile,
    reports: &mut Reports,
) -> Vec<Entry<'a>> {
    let entries = match merges.into_iter().reduce(|first, second| {
        reports.push(duplicate("<<", first.key, second.key, source).help("merge several mappings with `<<: [*a, *b]`"));
        first
    }) {
        Some(merge) => bring_in(entries, merge, reports),
        None => entries,
    };
    let doubles = if entries.len() <= FEW { few(&entries) } else { many(&entries) };
    if doubles.is_empty() {
        return entries;
    }
    for (first, second) in &doubles {
        if let (Some(first), Some(second)) = (entries.get(*first), entries.get(*second)) {
            reports.push(
                duplicate(&first.key.node, first.key.span, second.key.span, source)
                    .help("remove one of them, or give it another name"),
            );
        }
    }
    let mut dropped = doubles.iter().map(|(_, second)| *second).peekable();
    let keep = |(index, entry)| if dropped.next_if_eq(&index).is_some() { None } else { Some(entry) };
    entries.into_iter().enumerate().filter_map(keep).collect()
}

fn bring_in<'a>(mut entries: Vec<Entry<'a>>, merge: Merge<'a>, reports: &mut Reports) -> Vec<Entry<'a>> {
    let mut bases = Vec::new();
    match merge.value.kind {
        Kind::Map(base) => bases.push(base),
        Kind::List(items) => {
            for item in items {
                let (span, name) = (item.span, item.phrase());
                match item.kind {
                    Kind::Map(base) => bases.push(base),
                    Kind::Scalar(_) | Kind::List(_) => reports.push(bad(span, &name)),
                }
            }
        }
        Kind::Scalar(_) => reports.push(bad(merge.value.span, &merge.value.phrase())),
    }
    let mut known: HashSet<Cow<'a, str>> = entries.iter().map(|entry| entry.key.node.clone()).collect();
    let mut merged: Vec<Entry<'a>> = bases.into_iter().flatten().collect();
    merged.retain(|entry| known.insert(entry.key.node.clone()));
    entries.splice(merge.at..merge.at, merged);
    entries
}

/// Pairs of an entry and a later one with the same key, by the later one.
fn few(entries: &[Entry]) -> Vec<(usize, usize)> {
    let mut doubles = Vec::new();
    for (second, entry) in entries.iter().enumerate() {
        if let Some(first) = entries.iter().take(second).position(|before| before.key.node == entry.key.node) {
            doubles.push((first, second));
        }
    }
    doubles
}

fn many(entries: &[Entry]) -> Vec<(usize, usize)> {
    let mut doubles = Vec::new();
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(entries.len());
    for (second, entry) in entries.iter().enumerate() {
        match seen.get(&*entry.key.node) {
            Some(first) => doubles.push((*first, second)),
            None => drop(seen.insert(&entry.key.node, second)),
        }
    }
    doubles
}

fn duplicate(key: &str, first: Span, second: Span, source: &SourceFile) -> Diagnostic {
    let (first_line, second_line) = (source.place(first.start).line, source.place(second.start).line);
    let message =
        format!("the key `{key}` is written twice in one mapping, on line {first_line} and on line {second_line}");
    Diagnostic::new(Code::DuplicateKey, second, message).label(first, "first written here")
}

fn bad(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(Code::BadMerge, span, format!("`<<` merges mappings, and this is {name}"))
        .help("merge an anchored mapping with `<<: *name`, or several with `<<: [*a, *b]`")
}
