//! Policies in YAML, read as macros are.

use compiler::diagnostic::Diagnostics;
use compiler::source::SourceMap;
use compiler::yaml::{self, Kind, Node, Resolved};
use spec::span::{Span, Spanned};

use crate::policy::document::{Document, Entries, Setting, place};

/// Reads a policy.
///
/// # Errors
/// The text is not YAML, or no mapping, with the place.
pub fn read(shown: &str, bytes: &[u8]) -> Result<Document, String> {
    let mut sources = SourceMap::default();
    let mut problems = Diagnostics::default();
    let file = yaml::open(&mut sources, shown, bytes, &mut problems);
    let tree = file.and_then(|file| yaml::read(&sources, file, &mut problems));
    let found = tree.as_ref().map(|tree| entries(tree).map_err(|span| place(&sources, span, "a policy is a mapping")));
    if let Some(problem) = problems.into_sorted().into_iter().next() {
        let help = problem.help.map(|help| format!("; {help}")).unwrap_or_default();
        return Err(place(&sources, problem.span, &format!("{}{help}", problem.message)));
    }
    let entries = found.unwrap_or_else(|| Err(format!("{shown}: it holds nothing")))?;
    Ok(Document { sources, entries })
}

fn entries(tree: &Node<'_>) -> Result<Entries, Span> {
    let entries = tree.map().ok_or(tree.span)?;
    Ok(entries.iter().map(|entry| (entry.name(), Spanned::new(setting(&entry.value), entry.value.span))).collect())
}

fn setting(node: &Node<'_>) -> Setting {
    match &node.kind {
        Kind::Scalar(scalar) => match scalar.resolve() {
            Resolved::Bool(flag) => Setting::Flag(flag),
            Resolved::Null => Setting::Other("null".to_owned()),
            Resolved::Str(_) | Resolved::Int(_) | Resolved::BigInt(_) | Resolved::Float(_) | Resolved::NonFinite(_) => {
                Setting::Patterns(vec![Spanned::new(scalar.text.to_string(), node.span)])
            }
        },
        Kind::List(items) => {
            let text = |item: &Node<'_>| {
                let text = item.scalar().filter(|_| !item.is_null())?.text.to_string();
                Some(Spanned::new(text, item.span))
            };
            match items.iter().map(text).collect::<Option<Vec<_>>>() {
                Some(patterns) => Setting::Patterns(patterns),
                None => Setting::Other("a list with something else than texts".to_owned()),
            }
        }
        Kind::Map(_) => Setting::Other("a mapping".to_owned()),
    }
}
