//! What the functions of expressions compute.

use std::ffi::OsStr;
use std::path::Path;

use spec::function::Function;
use spec::kind;
use spec::value::{Dict, Value};

use crate::failure::Failure;
use crate::machine::budget::Budget;
use crate::machine::eval::{equal, impossible};
use crate::machine::limits;
use crate::machine::reading;
use crate::machine::text::{json, plain};

/// Computes `function` of `arguments`, as many as the table says.
///
/// # Errors
/// When an argument is not of its type, when there is no result, or when the result would be too large.
pub fn apply(function: Function, arguments: &[&Value], budget: &mut Budget) -> Result<Value, Failure> {
    let call = Call { function, arguments };
    match function {
        Function::Len => len(&call),
        Function::ToString => made(call.text(0)?, budget),
        Function::ToInteger => to_integer(&call),
        Function::ToFloat => to_float(&call),
        Function::Lower => made(call.text(0)?.to_lowercase(), budget),
        Function::Upper => made(call.text(0)?.to_uppercase(), budget),
        Function::Trim => made(call.text(0)?.trim().to_owned(), budget),
        Function::Replace => replace(&call, budget),
        Function::Split => split(&call, budget),
        Function::Join => join(&call, budget),
        Function::Lines => texts(call.text(0)?.lines(), budget),
        Function::Contains => contains(&call),
        Function::StartsWith => Ok(Value::Boolean(call.text(0)?.starts_with(&call.text(1)?))),
        Function::EndsWith => Ok(Value::Boolean(call.text(0)?.ends_with(&call.text(1)?))),
        Function::BaseName => path_part(&call, budget, Path::file_name),
        Function::DirName => dirname(&call, budget),
        Function::Stem => path_part(&call, budget, Path::file_stem),
        Function::Extension => path_part(&call, budget, Path::extension),
        Function::Keys => texts(call.dict(0)?.keys().map(String::as_str), budget),
        Function::Range => range(&call, budget),
        Function::Json => made(json(call.value(0)?), budget),
    }
}

/// A function with its arguments.
struct Call<'a> {
    function: Function,
    arguments: &'a [&'a Value],
}

impl<'a> Call<'a> {
    fn value(&self, place: usize) -> Result<&'a Value, Failure> {
        self.arguments.get(place).copied().ok_or_else(|| self.wrong("an argument is missing"))
    }

    fn text(&self, place: usize) -> Result<String, Failure> {
        plain(self.value(place)?).map_err(|failure| Failure {
            message: format!("`{}`: {}", self.function.name(), failure.message),
            ..failure
        })
    }

    fn dict(&self, place: usize) -> Result<&'a Dict, Failure> {
        let value = self.value(place)?;
        if let Value::Dict(entries) = value { Ok(entries) } else { Err(self.mismatch("a dict", value)) }
    }

    fn list(&self, place: usize) -> Result<&'a [Value], Failure> {
        let value = self.value(place)?;
        if let Value::List(items) = value { Ok(items) } else { Err(self.mismatch("a list", value)) }
    }

    fn mismatch(&self, expected: &str, found: &Value) -> Failure {
        self.wrong(&format!("needs {expected}, found {}", kind::describe(found)))
    }

    fn wrong(&self, message: &str) -> Failure {
        impossible(format!("`{}` {message}", self.function.name()))
    }
}

fn made(text: String, budget: &mut Budget) -> Result<Value, Failure> {
    budget.text(text.len())?;
    Ok(Value::String(text))
}

fn texts<'a>(parts: impl Iterator<Item = &'a str>, budget: &mut Budget) -> Result<Value, Failure> {
    let mut list = Vec::new();
    for part in parts {
        if list.len() == limits::ELEMENTS {
            budget.elements(limits::ELEMENTS + 1)?;
        }
        budget.text(part.len())?;
        list.push(Value::String(part.to_owned()));
    }
    Ok(Value::List(list))
}

fn len(call: &Call<'_>) -> Result<Value, Failure> {
    let length = match call.value(0)? {
        Value::String(text) => text.chars().count(),
        Value::List(items) => items.len(),
        Value::Dict(entries) => entries.len(),
        other @ (Value::Null | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::Number(_)) => {
            return Err(call.mismatch("a text, list or dict", other));
        }
    };
    Ok(Value::Integer(i64::try_from(length).unwrap_or(i64::MAX)))
}

fn to_integer(call: &Call<'_>) -> Result<Value, Failure> {
    let value = call.value(0)?;
    let found = match value {
        Value::Integer(value) => Some(*value),
        // The bounds are exact: -2^63 is a float, and 2^63 is the first one too large.
        Value::Float(value) => {
            (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(value).then(|| value.trunc() as i64)
        }
        // Output of programs ends with a line break.
        Value::String(text) => reading::integer(text.trim()),
        Value::Null | Value::Boolean(_) | Value::Number(_) | Value::List(_) | Value::Dict(_) => None,
    };
    found.map(Value::Integer).ok_or_else(|| call.mismatch("a whole number of 64 bits or its decimal text", value))
}

fn to_float(call: &Call<'_>) -> Result<Value, Failure> {
    let value = call.value(0)?;
    let found = match value {
        Value::Integer(value) => Some(*value as f64),
        Value::Float(value) => Some(*value),
        Value::Number(text) => kind::float_word(text),
        Value::String(text) => kind::float_word(text.trim()),
        Value::Null | Value::Boolean(_) | Value::List(_) | Value::Dict(_) => None,
    };
    found.map(Value::Float).ok_or_else(|| call.mismatch("a number or its decimal text", value))
}

fn replace(call: &Call<'_>, budget: &mut Budget) -> Result<Value, Failure> {
    let (text, find, with) = (call.text(0)?, call.text(1)?, call.text(2)?);
    if find.is_empty() {
        return Err(call.wrong("cannot look for an empty text"));
    }
    let count = text.matches(&find).count();
    let size = (text.len() - count * find.len()).saturating_add(count.saturating_mul(with.len()));
    budget.text(size)?;
    Ok(Value::String(text.replace(&find, &with)))
}

fn split(call: &Call<'_>, budget: &mut Budget) -> Result<Value, Failure> {
    let (text, separator) = (call.text(0)?, call.text(1)?);
    if separator.is_empty() {
        return Err(call.wrong("cannot split at an empty separator"));
    }
    texts(text.split(&separator), budget)
}

fn join(call: &Call<'_>, budget: &mut Budget) -> Result<Value, Failure> {
    let (items, separator) = (call.list(0)?, call.text(1)?);
    let mut joined = String::new();
    for (place, item) in items.iter().enumerate() {
        let part = plain(item).map_err(|failure| call.wrong(&format!("element {place}: {}", failure.message)))?;
        let separator = if place == 0 { "" } else { &separator };
        if joined.len().saturating_add(separator.len()).saturating_add(part.len()) > limits::TEXT_BYTES {
            budget.text(limits::TEXT_BYTES + 1)?;
        }
        joined.push_str(separator);
        joined.push_str(&part);
    }
    made(joined, budget)
}

fn contains(call: &Call<'_>) -> Result<Value, Failure> {
    let part = call.value(1)?;
    let found = match call.value(0)? {
        Value::String(text) => text.contains(&call.text(1)?),
        Value::List(items) => items.iter().any(|item| equal(item, part)),
        Value::Dict(entries) => entries.contains_key(&call.text(1)?),
        other @ (Value::Null | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::Number(_)) => {
            return Err(call.mismatch("a text, list or dict", other));
        }
    };
    Ok(Value::Boolean(found))
}

fn path_part(call: &Call<'_>, budget: &mut Budget, part: fn(&Path) -> Option<&OsStr>) -> Result<Value, Failure> {
    let path = call.text(0)?;
    made(part(Path::new(&path)).map(|part| part.to_string_lossy().into_owned()).unwrap_or_default(), budget)
}

/// The folder a path lies in: `.` for a bare name, and a root for itself, so that the result can always be joined.
fn dirname(call: &Call<'_>, budget: &mut Budget) -> Result<Value, Failure> {
    let path = call.text(0)?;
    let folder = match Path::new(&path).parent() {
        Some(folder) if folder.as_os_str().is_empty() => ".".to_owned(),
        Some(folder) => folder.to_string_lossy().into_owned(),
        None if path.is_empty() => ".".to_owned(),
        None => path,
    };
    made(folder, budget)
}

fn range(call: &Call<'_>, budget: &mut Budget) -> Result<Value, Failure> {
    let wanted = to_integer(call)?;
    let Value::Integer(count @ 0..=limits::RANGE) = wanted else {
        return Err(call.mismatch(&format!("a whole number from 0 to {}", limits::RANGE), &wanted));
    };
    budget.elements(usize::try_from(count).unwrap_or(usize::MAX))?;
    Ok(Value::List((0..count).map(Value::Integer).collect()))
}

#[cfg(test)]
mod tests {
    use spec::function::Function;
    use spec::value::{Dict, Value};

    use crate::failure::{Failure, FailureKind};
    use crate::machine::budget::Budget;
    use crate::machine::functions::apply;

    fn text(text: &str) -> Value {
        Value::String(text.to_owned())
    }

    fn of(function: Function, arguments: &[Value]) -> Result<Value, Failure> {
        apply(function, &arguments.iter().collect::<Vec<_>>(), &mut Budget::new())
    }

    #[test]
    fn each_function_computes_what_its_row_says() {
        let list = Value::List(vec![text("a"), Value::Integer(1), Value::Float(1.0)]);
        let dict = Value::Dict(Dict::from_iter([("k".to_owned(), Value::Null)]));
        let yes = Value::Boolean(true);
        let texts = |parts: &[&str]| Value::List(parts.iter().map(|part| text(part)).collect());
        let cases: Vec<(Function, Vec<Value>, Value)> = vec![
            (Function::Len, vec![text("äö")], Value::Integer(2)),
            (Function::ToString, vec![Value::Float(1.0)], text("1.0")),
            (Function::ToInteger, vec![text("007\n")], Value::Integer(7)),
            (Function::ToInteger, vec![Value::Float(-1.9)], Value::Integer(-1)),
            (Function::ToFloat, vec![text("1e-3")], Value::Float(0.001)),
            (Function::Lower, vec![text("Ä")], text("ä")),
            (Function::Upper, vec![text("ß")], text("SS")),
            (Function::Trim, vec![text(" a\n")], text("a")),
            (Function::Replace, vec![text("aXbX"), text("X"), text("--")], text("a--b--")),
            (Function::Split, vec![text("a,,b"), text(",")], texts(&["a", "", "b"])),
            (Function::Join, vec![list.clone(), text("-")], text("a-1-1.0")),
            (Function::Lines, vec![text("a\r\nb\n")], texts(&["a", "b"])),
            (Function::Contains, vec![text("abc"), text("b")], yes.clone()),
            (Function::Contains, vec![list.clone(), Value::Float(1.0)], yes.clone()),
            (Function::Contains, vec![dict.clone(), text("k")], yes.clone()),
            (Function::StartsWith, vec![text("abc"), text("ab")], yes.clone()),
            (Function::EndsWith, vec![text("abc"), text("bc")], yes),
            (Function::BaseName, vec![text("/a/b.tar.gz")], text("b.tar.gz")),
            (Function::DirName, vec![text("b")], text(".")),
            (Function::DirName, vec![text("/a/b")], text("/a")),
            (Function::Stem, vec![text("/a/b.tar.gz")], text("b.tar")),
            (Function::Extension, vec![text("/a/b.tar.gz")], text("gz")),
            (Function::Keys, vec![dict.clone()], texts(&["k"])),
            (Function::Range, vec![Value::Integer(2)], Value::List(vec![Value::Integer(0), Value::Integer(1)])),
            (Function::Json, vec![list], text("[\"a\",1,1.0]")),
        ];
        for function in Function::ALL {
            assert!(cases.iter().any(|(tried, ..)| tried == function), "{} is not tried", function.name());
        }
        for (function, arguments, expected) in cases {
            assert_eq!(of(function, &arguments), Ok(expected), "{}", function.name());
        }
    }

    #[test]
    fn what_has_no_result_fails_with_a_sentence() {
        let failing = [
            (
                Function::ToInteger,
                vec![text("0x10")],
                "`int` needs a whole number of 64 bits or its decimal text, found `0x10`",
            ),
            (Function::ToFloat, vec![text("nan")], "`float` needs a number or its decimal text, found `nan`"),
            (Function::Len, vec![Value::Integer(1)], "`len` needs a text, list or dict, found `1`"),
            (Function::Lower, vec![Value::List(vec![])], "`lower`: a list of 0 cannot stand inside a text"),
            (Function::Replace, vec![text("a"), text(""), text("b")], "`replace` cannot look for an empty text"),
            (Function::Range, vec![Value::Integer(-1)], "`range` needs a whole number from 0 to 100000, found `-1`"),
        ];
        for (function, arguments, message) in failing {
            let failure = of(function, &arguments).unwrap_err();
            assert_eq!((failure.kind, failure.message.as_str()), (FailureKind::Evaluation, message));
        }
    }

    #[test]
    fn growth_is_bounded_before_memory_is_taken() {
        let long = text(&"a".repeat(1 << 20));
        let failure = of(Function::Replace, &[long.clone(), text("a"), text(&"b".repeat(1 << 20))]).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Limit);
        let parts = Value::List(vec![long; 65]);
        assert_eq!(of(Function::Join, &[parts, text("")]).unwrap_err().kind, FailureKind::Limit);
        assert!(of(Function::Range, &[Value::Integer(100_001)]).is_err());
        assert_eq!(
            of(Function::Split, &[text(&"a".repeat(1_000_001)), text("a")]).unwrap_err().kind,
            FailureKind::Limit
        );
    }
}
