//! The name of a macro file without compiling it.

use compiler::ast::Definition;
use spec::grammar::name::is_id;

use crate::engine;
use crate::files::Kind;

/// The name a macro file gives itself; `None` when it cannot be told.
pub fn name(kind: Kind, bytes: &[u8]) -> Option<String> {
    match kind {
        Kind::Artifact => engine::artifact(bytes).ok().map(|artifact| artifact.meta.name),
        Kind::Yaml => plain(bytes)
            .map(str::to_owned)
            .or_else(|| compiler::read("", bytes).definition.as_ref().and_then(declared).map(str::to_owned)),
    }
}

/// The name a definition was written with; one that stands in for a missing name has no place.
pub fn declared(definition: &Definition) -> Option<&str> {
    let span = definition.name.span;
    (span.end > span.start).then_some(definition.name.node.as_str())
}

/// The name, when it is written as nearly everybody writes it: one line `name: word` that is not indented. Whatever could be meant
/// otherwise is left to the YAML reader.
fn plain(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut names = text.lines().filter_map(|line| line.strip_prefix("name:"));
    let (Some(rest), None) = (names.next(), names.next()) else { return None };
    let word = rest.split_once(" #").map_or(rest, |(word, _)| word).trim();
    let spaced = rest.starts_with([' ', '\t']);
    // A number or a keyword is no text in YAML; the reader says what it makes of it.
    let is_text = word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    (spaced && is_text && is_id(word)).then_some(word)
}

#[cfg(test)]
mod tests {
    use crate::files::Kind;
    use crate::registry::name::{name, plain};

    #[test]
    fn names_are_found_fast_or_slowly() {
        assert_eq!(plain(b"version: 1\nname: a-b # c\nsteps: []\n"), Some("a-b"));
        for slow in ["name: \"a\"", "name:\n  a", "{name: a}", "name: a\nname: b", "name: a b", "name:a"] {
            assert_eq!(plain(slow.as_bytes()), None, "{slow}");
        }
        let of = |text: &str| name(Kind::Yaml, text.as_bytes());
        assert_eq!(of("{name: \"a\", steps: []}"), Some("a".to_owned()));
        assert_eq!(of("steps: []"), None);
        assert_eq!(of("- a"), None);
        assert_eq!(of("name: ok\nsteps: [\n"), Some("ok".to_owned()));
    }
}
