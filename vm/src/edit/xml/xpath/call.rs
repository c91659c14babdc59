//! The functions of the core library (section 4).

use std::collections::HashMap;

use spec::grammar::xpath::ast::Expr;
use spec::grammar::xpath::function::Function;

use crate::edit::xml::error::XmlEditError;
use crate::edit::xml::xpath::eval::{Evaluator, Focus};
use crate::edit::xml::xpath::number;
use crate::edit::xml::xpath::value::{Item, Value};

/// Calls `function`; the parser has checked the number of arguments and where nodes are needed.
pub fn call(eval: &Evaluator, function: Function, arguments: &[Expr], focus: Focus) -> Result<Value, XmlEditError> {
    let call = Call { eval, arguments, focus };
    Ok(match function {
        Function::Last => Value::Number(focus.size as f64),
        Function::Position => Value::Number(focus.position as f64),
        Function::Count => Value::Number(call.nodes()?.len() as f64),
        Function::LocalName => Value::Text(call.name(Part::Local)?),
        Function::NamespaceUri => Value::Text(call.name(Part::Namespace)?),
        Function::Name => Value::Text(call.name(Part::Written)?),
        Function::String => Value::Text(call.text(0)?),
        Function::Concat => {
            let mut out = String::new();
            for index in 0..arguments.len() {
                out.push_str(&call.text(index)?);
            }
            Value::Text(eval.budget.text(out)?)
        }
        Function::StartsWith => Value::Boolean(call.text(0)?.starts_with(&call.text(1)?)),
        Function::Contains => Value::Boolean(call.text(0)?.contains(&call.text(1)?)),
        Function::SubstringBefore => {
            let (text, part) = (call.text(0)?, call.text(1)?);
            Value::Text(text.split_once(&part).map_or("", |(before, _)| before).to_owned())
        }
        Function::SubstringAfter => {
            let (text, part) = (call.text(0)?, call.text(1)?);
            Value::Text(text.split_once(&part).map_or("", |(_, after)| after).to_owned())
        }
        Function::Substring => {
            let length = if arguments.len() > 2 { Some(call.number(2)?) } else { None };
            Value::Text(substring(&call.text(0)?, call.number(1)?, length))
        }
        Function::StringLength => Value::Number(call.text(0)?.chars().count() as f64),
        Function::NormalizeSpace => {
            let text = call.text(0)?;
            let words: Vec<&str> = text.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()).collect();
            Value::Text(words.join(" "))
        }
        Function::Translate => Value::Text(translate(&call.text(0)?, &call.text(1)?, &call.text(2)?)),
        Function::Boolean => Value::Boolean(call.value(0)?.truth()),
        Function::Not => Value::Boolean(!call.value(0)?.truth()),
        Function::True => Value::Boolean(true),
        Function::False => Value::Boolean(false),
        Function::Lang => Value::Boolean(call.lang()?),
        Function::Number => Value::Number(call.number(0)?),
        Function::Sum => {
            let mut sum = 0.0;
            for item in call.nodes()? {
                sum += number::parse(&eval.string_value(item)?);
            }
            Value::Number(sum)
        }
        Function::Floor => Value::Number(call.number(0)?.floor()),
        Function::Ceiling => Value::Number(call.number(0)?.ceil()),
        Function::Round => Value::Number(number::round(call.number(0)?)),
    })
}

enum Part {
    Local,
    Namespace,
    Written,
}

struct Call<'c, 'x, 'd> {
    eval: &'c Evaluator<'x, 'd>,
    arguments: &'c [Expr],
    focus: Focus,
}

impl Call<'_, '_, '_> {
    /// An argument's value; one that was left out is the context node.
    fn value(&self, index: usize) -> Result<Value, XmlEditError> {
        match self.arguments.get(index) {
            Some(argument) => self.eval.eval(argument, self.focus),
            None => Ok(Value::Nodes(vec![self.focus.item])),
        }
    }

    fn text(&self, index: usize) -> Result<String, XmlEditError> {
        self.eval.text(&self.value(index)?)
    }

    fn number(&self, index: usize) -> Result<f64, XmlEditError> {
        self.eval.number(&self.value(index)?)
    }

    fn nodes(&self) -> Result<Vec<Item>, XmlEditError> {
        match self.arguments.first() {
            Some(argument) => self.eval.nodes(argument, self.focus),
            None => Ok(vec![self.focus.item]),
        }
    }

    /// A part of the name of the first node, empty when it has none.
    fn name(&self, part: Part) -> Result<String, XmlEditError> {
        let Some(item) = self.nodes()?.first().copied() else { return Ok(String::new()) };
        let xml = self.eval.xml;
        let Some(node) = xml.node(item.node) else { return Ok(String::new()) };
        let (local, namespace, start) = if let Some(attribute) = self.eval.attribute(item) {
            (attribute.name(), attribute.namespace(), attribute.range().start)
        } else if node.is_element() {
            (node.tag_name().name(), xml.namespace(node), node.range().start + 1)
        } else {
            let target = node.pi().map_or("", |pi| pi.target);
            return Ok(if matches!(part, Part::Namespace) { String::new() } else { target.to_owned() });
        };
        Ok(match part {
            Part::Local => local,
            Part::Namespace => namespace.unwrap_or(""),
            Part::Written => xml.name_at(start),
        }
        .to_owned())
    }

    /// Whether the nearest `xml:lang` is the language asked for or a variety of it.
    fn lang(&self) -> Result<bool, XmlEditError> {
        let wanted = self.text(0)?.to_ascii_lowercase();
        let mut node = self.eval.xml.node(self.focus.item.node);
        while let Some(current) = node {
            self.eval.budget.spend(1)?;
            if let Some(lang) = current.attribute((roxmltree::NS_XML_URI, "lang")) {
                let lang = lang.to_ascii_lowercase();
                return Ok(lang.strip_prefix(&wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')));
            }
            node = current.parent();
        }
        Ok(false)
    }
}

/// The characters whose position, from 1, is at least `round(start)` and less than `round(start) + round(length)`.
fn substring(text: &str, start: f64, length: Option<f64>) -> String {
    let first = number::round(start);
    let end = length.map_or(f64::INFINITY, |length| first + number::round(length));
    let inside = |index: usize| (index + 1) as f64 >= first && ((index + 1) as f64) < end;
    text.chars().enumerate().filter(|(index, _)| inside(*index)).map(|(_, c)| c).collect()
}

fn translate(text: &str, from: &str, to: &str) -> String {
    let mut to = to.chars();
    let mut table: HashMap<char, Option<char>> = HashMap::new();
    for c in from.chars() {
        let target = to.next();
        table.entry(c).or_insert(target);
    }
    text.chars().filter_map(|c| table.get(&c).copied().unwrap_or(Some(c))).collect()
}

#[cfg(test)]
mod tests {
    use super::{substring, translate};

    #[test]
    fn substring_and_translate_follow_the_examples_of_the_recommendation() {
        assert_eq!(substring("12345", 1.5, Some(2.6)), "234");
        assert_eq!(substring("12345", 0.0, Some(3.0)), "12");
        assert_eq!(substring("12345", f64::NAN, Some(3.0)), "");
        assert_eq!(substring("12345", 1.0, Some(f64::NAN)), "");
        assert_eq!(substring("12345", -42.0, Some(f64::INFINITY)), "12345");
        assert_eq!(substring("12345", f64::NEG_INFINITY, Some(f64::INFINITY)), "");
        assert_eq!(translate("bar", "abc", "ABC"), "BAr");
        assert_eq!(translate("--aaa--", "abc-", "ABC"), "AAA");
    }
}
