//! Policies in TOML.

use compiler::source::SourceMap;
use spec::span::{FileId, Span, Spanned};
use toml::de::{DeTable, DeValue};

use crate::policy::document::{Document, Setting, place};

/// Reads a policy.
///
/// # Errors
/// The text is not TOML, with the place.
pub fn read(shown: &str, bytes: &[u8]) -> Result<Document, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| format!("{shown}: it is not UTF-8 text"))?;
    let mut sources = SourceMap::default();
    let file = sources.add(shown, text);
    let table = DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or_default();
        place(&sources, Span::new(file, span), error.message())
    })?;
    let entries = table.get_ref().iter().map(|(key, value)| {
        let key = Spanned::new(key.get_ref().to_string(), Span::new(file, key.span()));
        (key, setting(file, value))
    });
    let entries = entries.collect();
    Ok(Document { sources, entries })
}

fn setting(file: FileId, value: &toml::Spanned<DeValue<'_>>) -> Spanned<Setting> {
    let text = |value: &toml::Spanned<DeValue<'_>>| {
        let text = value.get_ref().as_str()?.to_owned();
        Some(Spanned::new(text, Span::new(file, value.span())))
    };
    let found = match value.get_ref() {
        DeValue::Boolean(flag) => Setting::Flag(*flag),
        DeValue::String(_) => Setting::Patterns(text(value).into_iter().collect()),
        DeValue::Array(items) => match items.iter().map(text).collect::<Option<Vec<_>>>() {
            Some(patterns) => Setting::Patterns(patterns),
            None => Setting::Other("a list with something else than texts".to_owned()),
        },
        found @ (DeValue::Integer(_) | DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Table(_)) => {
            Setting::Other(format!("a TOML {}", found.type_str()))
        }
    };
    Spanned::new(found, Span::new(file, value.span()))
}
