//! Commands that could not do their work.

use serde_json::{Value, json};

use crate::args::MessageFormat;
use crate::print::document;
use crate::print::escape;
use crate::print::human;
use crate::print::screen::Screen;
use crate::trouble::Trouble;

/// The document of a command that could not do its work.
pub fn document(trouble: &Trouble) -> Value {
    let mut document = json!({
        "schema": "macrocli.error/1",
        "success": false,
        "error": trouble.message,
        "error_code": trouble.word,
        "exit_code": trouble.exit.0,
    });
    extend(&mut document, trouble);
    document
}

/// Adds the keys that are only there when they say something.
pub fn extend(document: &mut Value, trouble: &Trouble) {
    if let Some(hint) = &trouble.hint {
        document["hint"] = hint.as_str().into();
    }
    if !trouble.findings.list.is_empty() {
        document["diagnostics"] = document::list(&trouble.findings);
    }
}

/// Tells people.
pub fn tell(screen: &Screen, trouble: &Trouble, format: MessageFormat) {
    if !trouble.findings.list.is_empty() {
        human::show(screen, &trouble.findings, format);
    }
    let hint = trouble.hint.iter().map(|hint| format!("{}: {}\n", screen.paint("1;36", "hint"), escape::lines(hint)));
    screen.err(&format!(
        "{}: {}\n{}",
        screen.paint("1;31", "error"),
        escape::lines(&trouble.message),
        hint.collect::<String>()
    ));
}
