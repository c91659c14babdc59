//! Conditions: one key each, with as many arguments as the table says.

use spec::condition::Condition as Test;
use spec::span::Span;

use crate::ast::{Condition, ConditionKind, Written};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::parse::fields::is_annotation;
use crate::parse::{Context, described};
use crate::yaml::{Entry, Node};

impl Context<'_> {
    /// A list of conditions.
    pub fn conditions(&mut self, node: &Node, key: &str) -> Vec<Condition> {
        let items = self.items(node, key);
        items.iter().filter_map(|item| self.condition(item)).collect()
    }

    /// One condition: a mapping with a single key.
    pub fn condition(&mut self, node: &Node) -> Option<Condition> {
        let Some(entries) = node.map() else {
            let problem = Diagnostic::new(Code::BadCondition, node.span, "a condition must be a mapping with one key");
            self.report(problem.help(format!("write `- file_exists: /path`; conditions are {}", names())));
            return None;
        };
        let mut keys = entries.iter().filter(|entry| !is_annotation(&entry.key.node));
        let Some(first) = keys.next() else {
            let problem = Diagnostic::new(Code::BadCondition, node.span, "a condition without a key");
            self.report(problem.help(format!("conditions are {}", names())));
            return None;
        };
        if let Some(second) = keys.next() {
            let message = format!("a condition has one key, found `{}` and `{}`", first.key.node, second.key.node);
            let problem = Diagnostic::new(Code::BadCondition, second.key.span, message);
            self.report(problem.label(first.key.span, "the first one").help("make each an item of its own"));
            return None;
        }
        self.keyed(first)
    }

    /// The condition a key and its value make.
    pub fn keyed(&mut self, entry: &Entry) -> Option<Condition> {
        let (key, value) = (&*entry.key.node, &entry.value);
        let kind = match key {
            "not" => ConditionKind::Not(Box::new(self.condition(value)?)),
            "any" => ConditionKind::Any(self.parts(key, value)?),
            "all" => ConditionKind::All(self.parts(key, value)?),
            _ => match Test::by_name(key) {
                Some(test) => ConditionKind::Test(test, self.operands(test, entry)?),
                None => {
                    let problem = Diagnostic::new(
                        Code::UnknownCondition,
                        entry.key.span,
                        format!("no condition is called `{key}`"),
                    );
                    self.report(problem.help(suggest::help(key, &all())));
                    return None;
                }
            },
        };
        let end = value.span.end.max(entry.key.span.end);
        Some(Condition { kind, span: Span { end, ..entry.key.span } })
    }

    fn parts(&mut self, key: &str, node: &Node) -> Option<Vec<Condition>> {
        let parts = self.items(node, key);
        if parts.is_empty() && node.list().is_some_and(<[Node]>::is_empty) || node.is_null() {
            let problem = Diagnostic::new(Code::BadCondition, node.span, format!("`{key}` without conditions"));
            self.report(problem.help("list at least one condition"));
            return None;
        }
        let read: Vec<Condition> = parts.iter().filter_map(|part| self.condition(part)).collect();
        (!read.is_empty()).then_some(read)
    }

    fn operands(&mut self, test: Test, entry: &Entry) -> Option<Vec<Written>> {
        let node = &entry.value;
        let wanted = test.operands();
        let found = match (wanted.len(), node.list()) {
            (1, None) => vec![self.written(node)],
            (_, Some(items)) if items.len() == wanted.len() && wanted.len() > 1 => {
                items.iter().map(|item| self.written(item)).collect()
            }
            (_, list) => {
                let found = match list {
                    Some(items) => format!("a list of {}", items.len()),
                    None => described(node),
                };
                let place = if node.span.start == node.span.end { entry.key.span } else { node.span };
                let names: Vec<&str> = wanted.iter().map(|operand| operand.name).collect();
                let (message, help) = match names.as_slice() {
                    [one] => (
                        format!("`{}` takes one value, its {one}, found {found}", test.name()),
                        format!("write `{}: {one}`", test.name()),
                    ),
                    names => (
                        format!("`{}` takes {} values, found {found}", test.name(), names.len()),
                        format!("write `{}: [{}]`", test.name(), names.join(", ")),
                    ),
                };
                self.report(Diagnostic::new(Code::ConditionArity, place, message).help(help));
                return None;
            }
        };
        Some(found)
    }
}

fn all() -> Vec<&'static str> {
    Test::ALL.iter().map(|test| test.name()).chain(["not", "any", "all"]).collect()
}

fn names() -> String {
    suggest::list(&all())
}
