//! When a label in a macro and the name of a control are the same.

/// A label as a macro has it, ready to be compared.
///
/// Labels match as wholes. Upper and lower case are the same, and so are `…` and `...`. Blanks around a label and a colon at its end
/// do not count, and neither do the mark of a mnemonic (`_File`, `文件(_F)`; `__` is an underscore) and an accelerator behind the label
/// (`Save Ctrl+S`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    forms: Vec<String>,
}

impl Label {
    /// A label to look for.
    pub fn new(text: &str) -> Self {
        Self { forms: forms(text) }
    }

    /// Whether a control of this name is meant.
    pub fn is(&self, name: &str) -> bool {
        !name.trim().is_empty() && forms(name).iter().any(|form| self.forms.contains(form))
    }
}

/// Whether a part of a name is meant, in whatever case: how names of applications and titles of windows are compared.
pub fn contains(name: &str, part: &str) -> bool {
    name.to_lowercase().contains(&part.to_lowercase())
}

/// A label for messages: one line, without the marks of mnemonics, not too long.
pub fn plain(name: &str) -> String {
    let line = squeeze(name);
    match line.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// Most characters of a name in a message.
const MAX_SHOWN: usize = 80;

/// The readings of a label: as it stands, and with its mnemonic taken out; each also without its accelerator.
fn forms(text: &str) -> Vec<String> {
    let text = text.split('\t').next().unwrap_or_default();
    let mut forms = Vec::new();
    for reading in [text.to_owned(), without_mnemonic(text)] {
        let whole = fold(&reading);
        let short = without_accelerator(&reading).map(fold);
        forms.extend([Some(whole), short].into_iter().flatten());
    }
    forms.dedup();
    forms
}

/// Lower case, one blank between words, dots for an ellipsis, no colon at the end; a label of nothing but that stays as it is.
fn fold(text: &str) -> String {
    let line = squeeze(text).to_lowercase().replace('…', "...");
    let bare = line.trim_end_matches([':', '：']).trim_end();
    if bare.is_empty() { line } else { bare.to_owned() }
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn without_mnemonic(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '_' {
            plain.push(character);
        } else if characters.next_if_eq(&'_').is_some() {
            plain.push('_');
        } else if plain.ends_with('(') {
            // `(_F)` behind a word in a script without letters of the keyboard: the whole of it is the mnemonic.
            let rest: String = characters.clone().skip(1).collect();
            if let Some(rest) = rest.strip_prefix(')') {
                plain.pop();
                plain.push_str(rest);
                break;
            }
        }
    }
    plain
}

/// The label before an accelerator such as `Ctrl+S`.
fn without_accelerator(text: &str) -> Option<&str> {
    let (label, last) = text.trim().rsplit_once(char::is_whitespace)?;
    let (modifier, key) = last.split_once('+')?;
    let modifiers = ["alt", "cmd", "control", "ctrl", "meta", "primary", "shift", "strg", "super"];
    (modifiers.contains(&modifier.to_lowercase().as_str()) && !key.is_empty()).then_some(label)
}

#[cfg(test)]
mod tests {
    use crate::accessibility::label::{Label, contains, plain};

    #[track_caller]
    fn same(label: &str, name: &str) {
        assert!(Label::new(label).is(name), "{label:?} is not {name:?}");
        assert!(Label::new(name).is(label), "{name:?} is not {label:?}");
    }

    #[track_caller]
    fn other(label: &str, name: &str) {
        assert!(!Label::new(label).is(name), "{label:?} is {name:?}");
    }

    #[test]
    fn ellipses_mnemonics_and_accelerators_do_not_count() {
        same("Save As...", "Save _As…");
        same("save as...", "Save As…");
        same("Save", "Save\tCtrl+S");
        same("Save", "_Save Ctrl+S");
        same("Find Next", "Find Next Ctrl+Shift+G");
        same("  Name:", "name");
        same("Two\n words", "two words");
        same("文件", "文件(_F)");
        same("ÄRGER", "ärger");
    }

    #[test]
    fn an_underscore_may_be_one() {
        same("snake_case", "snake_case");
        same("snake__case", "snake_case");
        same("a_", "a_");
    }

    #[test]
    fn labels_match_as_wholes() {
        other("Save", "Save As...");
        other("Save As", "Save As...");
        other("OK", "");
        other("C", "C++");
        other("a b", "ab");
        other(":", "");
        same(":", ":");
    }

    #[test]
    fn names_of_applications_match_in_part() {
        assert!(contains("Org.Gnome.Gedit", "gedit"));
        assert!(!contains("mousepad", "gedit"));
    }

    #[test]
    fn names_in_messages_are_short() {
        assert_eq!(plain(" a\nb "), "a b");
        assert_eq!(plain(&"é".repeat(100)).chars().count(), 81);
    }
}
