//! Texts, and lists and mappings of texts.

use crate::kind::{KindError, mismatch};
use crate::value::Value;

/// The value as text: numbers and booleans as YAML and JSON write them.
///
/// # Errors
/// For null, lists and dicts, which have no text of their own.
pub fn text(value: Value) -> Result<String, KindError> {
    match value {
        Value::String(text) | Value::Number(text) => Ok(text),
        Value::Boolean(value) => Ok(value.to_string()),
        Value::Integer(value) => Ok(value.to_string()),
        Value::Float(value) => Ok(float_text(value)),
        Value::Null | Value::List(_) | Value::Dict(_) => Err(mismatch("text", &value)),
    }
}

/// A float as text: the shortest that reads back the same, always with a fraction or an exponent.
pub fn float_text(value: f64) -> String {
    format!("{value:?}")
}

/// A value in a message: its kind, and the value itself where that is short.
pub fn describe(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() <= 60 => format!("`{text}`"),
        Value::String(text) => format!("a text of {} characters", text.chars().count()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Number(_) => {
            text(value.clone()).map(|text| format!("`{text}`")).unwrap_or_default()
        }
        Value::Null => "null".to_owned(),
        Value::List(items) => format!("a list of {}", items.len()),
        Value::Dict(entries) => format!("a mapping of {}", entries.len()),
    }
}

/// Reads text that is not empty.
///
/// # Errors
/// When the value is something else.
pub fn non_empty(value: Value) -> Result<String, KindError> {
    let text = text(value)?;
    if text.is_empty() {
        return Err(KindError { message: "must not be empty".to_owned(), help: None });
    }
    Ok(text)
}

/// Reads text that keys can type.
///
/// # Errors
/// When the value is something else, or has a character that no key types.
pub fn typed(value: Value) -> Result<String, KindError> {
    let text = text(value)?;
    let is_typed = |character: char| !character.is_control() || matches!(character, '\n' | '\r' | '\t');
    match text.chars().enumerate().find(|(_, character)| !is_typed(*character)) {
        None => Ok(text),
        Some((place, character)) => Err(KindError {
            message: format!(
                "must be without control characters but line ends and tabs, found U+{:04X} as character {}",
                u32::from(character),
                place + 1
            ),
            help: Some("remove it, or press keys such as `escape` by name".to_owned()),
        }),
    }
}

/// Reads a path.
///
/// # Errors
/// When the value is something else.
pub fn path(value: Value) -> Result<String, KindError> {
    let path = non_empty(value)?;
    if path.contains('\0') {
        return Err(KindError { message: "must be a path without NUL characters".to_owned(), help: None });
    }
    Ok(path)
}

/// The endings of image files that can be written, in any case.
pub const PICTURE_ENDINGS: &[&str] = &[".png", ".jpg", ".jpeg"];

/// Reads the path of an image file that is written.
///
/// # Errors
/// When the value is something else, or has another ending.
pub fn picture_path(value: Value) -> Result<String, KindError> {
    let path = path(value)?;
    let lower = path.to_ascii_lowercase();
    let named =
        |ending: &&str| lower.strip_suffix(*ending).is_some_and(|name| !name.is_empty() && !name.ends_with('/'));
    if PICTURE_ENDINGS.iter().any(named) {
        return Ok(path);
    }
    let shown = describe(&Value::String(path));
    Err(KindError {
        message: format!("must be the path of a `.png`, `.jpg` or `.jpeg` file, found {shown}"),
        help: Some("the ending decides the format".to_owned()),
    })
}

/// Reads a list of texts.
///
/// # Errors
/// When the value is something else.
pub fn texts(value: Value) -> Result<Vec<String>, KindError> {
    let items = value.into_list().map_err(|other| mismatch("a list of texts", &other))?;
    let item = |(index, item)| {
        text(item).map_err(|error| KindError { message: format!("item {index} {}", error.message), ..error })
    };
    items.into_iter().enumerate().map(item).collect()
}

/// Reads a program and its arguments.
///
/// # Errors
/// When the value is something else.
pub fn argv(value: Value) -> Result<Vec<String>, KindError> {
    // One value is always one argument: text that arrives whole is a program's name, never split again.
    let words = value.into_text().map(|word| vec![word]).or_else(texts)?;
    match words.first() {
        None => Err(KindError { message: "must name a program, found an empty list".to_owned(), help: None }),
        Some(program) if program.is_empty() => {
            Err(KindError { message: "must name a program, found an empty first word".to_owned(), help: None })
        }
        Some(_) if words.iter().any(|word| word.contains('\0')) => Err(KindError {
            message: "must be without NUL characters, which no program can be given".to_owned(),
            help: None,
        }),
        Some(_) => Ok(words),
    }
}

/// Reads the labels of a menu item.
///
/// # Errors
/// When the value is something else.
pub fn menu_path(value: Value) -> Result<Vec<String>, KindError> {
    let labels = texts(value)?;
    if labels.is_empty() || labels.iter().any(String::is_empty) {
        let message = "must name at least one menu item, none of them empty".to_owned();
        return Err(KindError { message, help: None });
    }
    Ok(labels)
}

/// Reads environment variables.
///
/// # Errors
/// When the value is something else.
pub fn environment(value: Value) -> Result<Vec<(String, Option<String>)>, KindError> {
    let entries = value.into_dict().map_err(|other| mismatch("a mapping from names to texts", &other))?;
    entries.into_iter().map(variable).collect()
}

fn variable((name, value): (String, Value)) -> Result<(String, Option<String>), KindError> {
    let name = variable_name(Value::String(name))?;
    let named = |error: KindError| KindError { message: format!("`{name}` {}", error.message), ..error };
    let value = if value == Value::Null { None } else { Some(text(value).map_err(named)?) };
    if value.as_deref().is_some_and(|value| value.contains('\0')) {
        return Err(KindError {
            message: format!("has a NUL character in `{name}`, which no program can be given"),
            help: None,
        });
    }
    Ok((name, value))
}

/// Reads the name of an environment variable.
///
/// # Errors
/// When the value is something else.
pub fn variable_name(value: Value) -> Result<String, KindError> {
    let name = text(value)?;
    if name.is_empty() || name.contains(['=', '\0']) {
        return Err(KindError {
            message: format!("`{name}` cannot be the name of an environment variable"),
            help: Some("a name is not empty and has no `=`".to_owned()),
        });
    }
    Ok(name)
}
