//! The YAML tree to a syntax tree: keys, shapes and scalars. Names and types of expressions are checked later.
//!
//! Every mistake is reported and something harmless stands in for what was wrong, so that the rest is looked at too.

mod action;
mod condition;
mod fields;
mod hints;
mod output;
mod parameter;
mod scalar;
mod step;
mod written;

use spec::grammar::name;
use spec::span::{Span, Spanned};

use crate::ast::Definition;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::SourceMap;
use crate::yaml::Node;
use fields::Fields;

const KEYS: &[&str] = &[
    "name",
    "version",
    "description",
    "parameters",
    "preconditions",
    "steps",
    "postconditions",
    "finally",
    "outputs",
    "tags",
    "composable",
    "agent_hints",
    "timeout",
    "timeout_ms",
];

/// Longer scalars are not repeated in messages.
const SHOWN: usize = 60;

/// Reads a macro. `None` when the document is no mapping; every other mistake leaves a tree.
pub fn parse(tree: &Node, sources: &SourceMap, problems: &mut Diagnostics) -> Option<Definition> {
    let mut context = Context { sources, problems };
    let mut fields = Fields::of(&mut context, tree, "a macro", KEYS)?;
    let name = fields.required(&mut context, "name");
    let name = context.macro_name(name, tree.span);
    let version = fields.given("version").map(|node| context.spelling(node, "version")).unwrap_or("1.0".to_owned());
    let description = fields.given("description").map(|node| context.spelling(node, "description")).unwrap_or_default();
    let parameters = fields.take("parameters").map(|node| context.parameters(node)).unwrap_or_default();
    let preconditions =
        fields.take("preconditions").map(|node| context.conditions(node, "preconditions")).unwrap_or_default();
    let steps = fields.required(&mut context, "steps");
    if let Some(empty) = steps.filter(|node| node.is_null()) {
        let problem = Diagnostic::new(Code::WrongShape, empty.span, "`steps` must be a list, found null");
        context.report(problem.help("write `steps: []` for a macro that only looks at its conditions"));
    }
    let steps = steps.map(|node| context.steps(node, "step")).unwrap_or_default();
    let postconditions =
        fields.take("postconditions").map(|node| context.conditions(node, "postconditions")).unwrap_or_default();
    let finally = fields.take("finally").map(|node| context.steps(node, "finally")).unwrap_or_default();
    let outputs = fields.take("outputs").map(|node| context.outputs(node)).unwrap_or_default();
    let tags = fields.take("tags").map(|node| context.tags(node)).unwrap_or_default();
    let composable = fields.take("composable").and_then(|node| context.boolean(node, "composable")).unwrap_or(false);
    let agent_hints = fields.take("agent_hints").map(|node| context.hints(node)).unwrap_or(spec::value::Value::Null);
    let limit = context.limit(&mut fields);
    let timeout_us = if limit.is_none() { context.timeout(&mut fields) } else { None };
    Some(Definition {
        name,
        version,
        description,
        parameters,
        preconditions,
        steps,
        postconditions,
        finally,
        outputs,
        tags,
        composable,
        agent_hints,
        timeout_us,
        limit,
        span: tree.span,
    })
}

/// What every part of the parser needs.
struct Context<'a> {
    sources: &'a SourceMap,
    problems: &'a mut Diagnostics,
}

impl Context<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.problems.push(diagnostic);
    }

    fn macro_name(&mut self, node: Option<&Node>, whole: Span) -> Spanned<String> {
        let start = Span { end: whole.start, ..whole };
        let Some(node) = node else { return Spanned::new("unnamed".to_owned(), start) };
        let text = self.spelling(node, "name");
        if node.scalar().is_some() {
            self.check_id(&text, node.span, "a macro's name");
        }
        Spanned::new(text, node.span)
    }

    fn check_id(&mut self, text: &str, span: Span, what: &str) {
        if !name::is_id(text) {
            let problem = Diagnostic::new(Code::BadName, span, format!("`{text}` cannot be {what}"));
            self.report(problem.help(format!(
                "a name is made of letters, digits, `_` and `-`, at most {} of them, and neither begins nor ends with `-`",
                name::MAX_LENGTH
            )));
        }
    }

    fn tags(&mut self, node: &Node) -> Vec<String> {
        self.items(node, "tags").iter().map(|item| self.spelling(item, "tags")).collect()
    }

    /// The names under `expose`: a list, or a single one.
    fn exposed(&mut self, node: &Node) -> Vec<Spanned<String>> {
        let items = if node.scalar().is_some() && !node.is_null() {
            std::slice::from_ref(node)
        } else {
            self.items(node, "expose")
        };
        items.iter().map(|item| Spanned::new(self.spelling(item, "expose"), item.span)).collect()
    }

    /// The items of a list; null is an empty one, anything else is reported.
    fn items<'n>(&mut self, node: &'n Node<'n>, what: &str) -> &'n [Node<'n>] {
        match node.list() {
            Some(items) => items,
            None if node.is_null() => &[],
            None => {
                self.wrong_shape(node, &format!("`{what}` must be a list"));
                &[]
            }
        }
    }

    fn wrong_shape(&mut self, node: &Node, expected: &str) {
        let found = described(node);
        self.report(Diagnostic::new(Code::WrongShape, node.span, format!("{expected}, found {found}")));
    }
}

/// A value in a sentence: itself where it is short, otherwise its kind.
fn described(node: &Node) -> String {
    match node.kind_name() {
        name @ ("mapping" | "list") => format!("a {name}"),
        "null" => "null".to_owned(),
        name => match node.scalar().filter(|scalar| scalar.text.chars().count() <= SHOWN) {
            Some(scalar) => format!("`{}`", scalar.text),
            None => format!("a long {name}"),
        },
    }
}
