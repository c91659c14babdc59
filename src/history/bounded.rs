//! Documents of at most a bounded length: what is longest in them is shortened first.

use serde_json::Value;

/// The most bytes of a document that is kept.
pub const LIMIT: usize = 128 << 10;

/// How many characters of a text, and entries of a list or object, are kept at each stage of shortening.
const STAGES: [(usize, usize); 3] = [(2000, 1000), (200, 200), (80, 40)];

/// A document as text, shortened when it is too long; it then has `shortened: true`.
pub fn text(document: &Value) -> String {
    let whole = document.to_string();
    if whole.len() <= LIMIT {
        return whole;
    }
    let mut document = document.clone();
    for (characters, entries) in STAGES {
        shorten(&mut document, characters, entries);
        if let Value::Object(map) = &mut document {
            map.insert("shortened".to_owned(), true.into());
        }
        let text = document.to_string();
        if text.len() <= LIMIT {
            return text;
        }
    }
    // Only what is short by itself.
    if let Value::Object(map) = &mut document {
        map.retain(|_, value| !matches!(value, Value::Array(_) | Value::Object(_)));
    }
    document.to_string()
}

fn shorten(value: &mut Value, characters: usize, entries: usize) {
    match value {
        Value::String(text) => {
            if let Some((end, _)) = text.char_indices().nth(characters) {
                text.truncate(end);
                text.push('…');
            }
        }
        Value::Array(items) => {
            items.truncate(entries);
            items.iter_mut().for_each(|item| shorten(item, characters, entries));
        }
        Value::Object(map) => {
            let mut place = 0;
            map.retain(|_, _| {
                place += 1;
                place <= entries
            });
            map.values_mut().for_each(|value| shorten(value, characters, entries));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::history::bounded::{LIMIT, text};

    #[test]
    fn long_documents_are_shortened_and_say_so() {
        let small = json!({"a": "x".repeat(3000)});
        assert_eq!(text(&small), small.to_string());
        let steps: Vec<Value> = (0..20).map(|step| json!({"id": step, "output": "ü".repeat(10_000)})).collect();
        let many: Vec<Value> = (0..2000).map(|step| json!({"id": step, "output": "y".repeat(500)})).collect();
        for long in [json!({"success": true, "steps": steps}), json!({"success": true, "steps": many})] {
            let kept = text(&long);
            assert!(kept.len() <= LIMIT);
            let kept: Value = serde_json::from_str(&kept).unwrap();
            assert_eq!((&kept["success"], &kept["shortened"]), (&json!(true), &json!(true)));
            assert_eq!(kept["steps"][0]["id"], 0);
        }
        // Nested lists of many small things.
        let rows = Value::Array(vec![Value::Array(vec![json!(1.5); 300]); 300]);
        assert!(text(&json!({"a": rows})).len() <= LIMIT);
    }
}
