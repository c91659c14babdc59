//! Constants on one short line.

use crate::artifact::{Constant, Constants};
use crate::kind::float_text;
use crate::operand::Const;

/// The most characters of a constant.
const WIDTH: usize = 40;

/// How deep lists and dicts are shown.
const DEPTH: u32 = 4;

/// The constant, shortened; its number when it names nothing.
pub(super) fn show(constants: &Constants, constant: Const) -> String {
    let mut text = String::new();
    append(constants, constant, DEPTH, &mut text);
    if text.chars().count() <= WIDTH {
        return text;
    }
    text.chars().take(WIDTH - 1).chain(['…']).collect()
}

fn append(constants: &Constants, constant: Const, depth: u32, text: &mut String) {
    let earlier = |item: &u32| *item < constant.0;
    match constants.list.get(constant.index()) {
        None => text.push_str(&constant.to_string()),
        Some(Constant::Null) => text.push_str("null"),
        Some(Constant::Boolean(value)) => text.push_str(&value.to_string()),
        Some(Constant::Integer(value)) => text.push_str(&value.to_string()),
        Some(Constant::Float(value)) => text.push_str(&float_text(*value)),
        Some(Constant::Number(value)) => text.push_str(value),
        Some(Constant::String(value)) => {
            let head: String = value.chars().take(WIDTH).collect();
            text.push_str(&format!("{head:?}"));
        }
        Some(Constant::List(_)) if depth == 0 => text.push_str("[…]"),
        Some(Constant::Dict(_)) if depth == 0 => text.push_str("{…}"),
        Some(Constant::List(items)) => {
            text.push('[');
            for (index, item) in items.iter().filter(|item| earlier(item)).enumerate() {
                // What is too wide is cut anyway.
                if text.len() > WIDTH * 4 {
                    break;
                }
                text.push_str(if index > 0 { ", " } else { "" });
                append(constants, Const(*item), depth - 1, text);
            }
            text.push(']');
        }
        Some(Constant::Dict(entries)) => {
            text.push('{');
            for (index, (key, value)) in
                entries.iter().filter(|(key, value)| earlier(key) && earlier(value)).enumerate()
            {
                if text.len() > WIDTH * 4 {
                    break;
                }
                text.push_str(if index > 0 { ", " } else { "" });
                append(constants, Const(*key), depth - 1, text);
                text.push_str(": ");
                append(constants, Const(*value), depth - 1, text);
            }
            text.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::show;
    use crate::artifact::{Constant, Constants};
    use crate::operand::Const;

    #[test]
    fn is_quoted_and_short() {
        let list = vec![
            Constant::String("a\n\"b\"".to_owned()),
            Constant::String("x".repeat(1000)),
            Constant::Float(1.0),
            Constant::List(vec![0, 2]),
            Constant::Dict(vec![(0, 3)]),
        ];
        let constants = Constants { list };
        let shown = |index| show(&constants, Const(index));
        assert_eq!(shown(0), r#""a\n\"b\"""#);
        assert_eq!(shown(1), format!("\"{}…", "x".repeat(38)));
        assert_eq!(shown(4), r#"{"a\n\"b\"": ["a\n\"b\"", 1.0]}"#);
        assert_eq!(shown(5), "k5");
    }
}
