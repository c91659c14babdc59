//! Expressions, paths and steps.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use roxmltree::{Attribute, Node};
use spec::grammar::xpath::ast::{Axis, Expr, NodeTest, Path, Start, Step};

use crate::edit::xml::document::Xml;
use crate::edit::xml::error::XmlEditError;
use crate::edit::xml::xpath::budget::Budget;
use crate::edit::xml::xpath::value::{Item, Value, atom_number, atom_text};
use crate::edit::xml::xpath::{axis, call, number, operator};

/// Where an expression is evaluated: a node, its place among those being filtered (from 1), and their number.
#[derive(Clone, Copy, Debug)]
pub struct Focus {
    /// The context node.
    pub item: Item,
    /// The context position.
    pub position: usize,
    /// The context size.
    pub size: usize,
}

/// One evaluation.
pub struct Evaluator<'x, 'd> {
    /// The document.
    pub xml: &'x Xml<'d>,
    /// The work left.
    pub budget: Budget<'x>,
    default_namespace: Option<&'d str>,
    prefixes: RefCell<BTreeMap<String, &'d str>>,
}

/// The prefixes declared at `element` or above it, sorted; the default namespace and `xml` are not among them.
pub fn prefixes_in_scope(element: Node) -> Vec<String> {
    let mut names: Vec<String> = element.namespaces().filter_map(|ns| ns.name()).map(str::to_owned).collect();
    names.retain(|name| name != "xml");
    names.sort();
    names
}

impl<'x, 'd> Evaluator<'x, 'd> {
    /// An evaluation of the expression written as `source`.
    pub fn new(xml: &'x Xml<'d>, source: &'x str) -> Self {
        let default_namespace = xml.tree.root_element().default_namespace().filter(|uri| !uri.is_empty());
        Self { xml, budget: Budget::new(source), default_namespace, prefixes: RefCell::default() }
    }

    /// The value of `expr` at the root element.
    pub fn run(&self, expr: &Expr) -> Result<Value, XmlEditError> {
        let item = Item::of(self.xml.tree.root_element().id().get());
        self.eval(expr, Focus { item, position: 1, size: 1 })
    }

    /// The value of `expr` at `focus`. Recurses as deep as brackets nest, which the parser bounds.
    pub fn eval(&self, expr: &Expr, focus: Focus) -> Result<Value, XmlEditError> {
        self.budget.spend(1)?;
        match expr {
            Expr::Number(number) => Ok(Value::Number(*number)),
            Expr::Literal(text) => Ok(Value::Text(self.budget.text(text.clone())?)),
            Expr::Chain(first, rest) => operator::chain(self, first, rest, focus),
            Expr::Negate(inner) => Ok(Value::Number(-self.number(&self.eval(inner, focus)?)?)),
            Expr::Union(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.nodes(part, focus)?);
                }
                sort(&mut all);
                Ok(Value::Nodes(all))
            }
            Expr::Call(function, arguments) => call::call(self, *function, arguments, focus),
            Expr::Path(path) => Ok(Value::Nodes(self.path(path, focus)?)),
        }
    }

    /// The nodes of an expression the parser knows to give nodes.
    pub fn nodes(&self, expr: &Expr, focus: Focus) -> Result<Vec<Item>, XmlEditError> {
        match self.eval(expr, focus)? {
            Value::Nodes(items) => Ok(items),
            Value::Number(_) | Value::Text(_) | Value::Boolean(_) => Ok(Vec::new()),
        }
    }

    /// `value` as a string; of nodes, the first one's.
    pub fn text(&self, value: &Value) -> Result<String, XmlEditError> {
        match value {
            Value::Nodes(items) => items.first().map_or(Ok(String::new()), |item| self.string_value(*item)),
            Value::Number(_) | Value::Text(_) | Value::Boolean(_) => self.budget.text(atom_text(value)),
        }
    }

    /// `value` as a number.
    pub fn number(&self, value: &Value) -> Result<f64, XmlEditError> {
        match value {
            Value::Nodes(_) => Ok(number::parse(&self.text(value)?)),
            Value::Number(_) | Value::Text(_) | Value::Boolean(_) => Ok(atom_number(value)),
        }
    }

    /// The string value of a node.
    pub fn string_value(&self, item: Item) -> Result<String, XmlEditError> {
        let Some(node) = self.xml.node(item.node) else { return Ok(String::new()) };
        if let Some(attribute) = self.attribute(item) {
            self.budget.spend(item.attribute as usize)?;
            self.xml.refuse_references(attribute.range(), true)?;
            return self.budget.text(attribute.value().to_owned());
        }
        // The range bounds both the nodes and the text, so it is paid before anything is copied.
        self.budget.spend(node.range().len() / 4)?;
        self.xml.string_value(node)
    }

    /// The attribute, when `item` is one.
    pub fn attribute(&self, item: Item) -> Option<Attribute<'d, 'd>> {
        let index = (item.attribute as usize).checked_sub(1)?;
        self.xml.node(item.node)?.attributes().nth(index)
    }

    fn path(&self, path: &Path, focus: Focus) -> Result<Vec<Item>, XmlEditError> {
        let mut current = match &path.start {
            Start::Document => vec![Item::of(0)],
            Start::Context => vec![focus.item],
            Start::Filter(inner, predicates) => self.filter(self.nodes(inner, focus)?, predicates)?,
        };
        for step in &path.steps {
            current = self.step(step, &current)?;
        }
        Ok(current)
    }

    fn step(&self, step: &Step, from: &[Item]) -> Result<Vec<Item>, XmlEditError> {
        let test = self.resolve(&step.test)?;
        let nested = matches!(step.axis, Axis::Descendant | Axis::DescendantOrSelf) && step.predicates.is_empty();
        let mut out: Vec<Item> = Vec::new();
        let mut covered = 0;
        // Only these axes lead from different nodes to the same one.
        let repeats = from.len() > 1 && !matches!(step.axis, Axis::Attribute | Axis::Child | Axis::SelfNode);
        let mut seen: HashSet<Item> = HashSet::new();
        // Above a node that was walked past everything has been found, unless predicates count from each node anew.
        let upwards = matches!(step.axis, Axis::Ancestor | Axis::AncestorOrSelf) && step.predicates.is_empty();
        let mut walked: HashSet<Item> = HashSet::new();
        for item in from {
            self.budget.spend(1)?;
            if nested && !item.is_attribute() {
                // What lies below a node that was walked already has been found there.
                if item.node < covered {
                    continue;
                }
                covered = self.xml.node(item.node).map_or(covered, axis::subtree_end);
            }
            let mut found = Vec::new();
            axis::walk(self.xml, &self.budget, step.axis, *item, &mut |candidate, node| {
                if self.passes(&test, step.axis, candidate, node) {
                    found.push(candidate);
                }
                !upwards || walked.insert(candidate)
            })?;
            let found = self.filter(found, &step.predicates)?;
            out.extend(found.into_iter().filter(|item| !repeats || seen.insert(*item)));
        }
        sort(&mut out);
        Ok(out)
    }

    fn filter(&self, mut items: Vec<Item>, predicates: &[Expr]) -> Result<Vec<Item>, XmlEditError> {
        for predicate in predicates {
            let size = items.len();
            let mut kept = Vec::new();
            for (index, item) in items.into_iter().enumerate() {
                let position = index + 1;
                let value = self.eval(predicate, Focus { item, position, size })?;
                let keep = if let Value::Number(number) = value { number == position as f64 } else { value.truth() };
                if keep {
                    kept.push(item);
                }
            }
            items = kept;
        }
        Ok(items)
    }

    fn resolve<'t>(&self, test: &'t NodeTest) -> Result<Test<'t, 'd>, XmlEditError> {
        Ok(match test {
            NodeTest::Any => Test::Any,
            NodeTest::Text => Test::Text,
            NodeTest::Comment => Test::Comment,
            NodeTest::Instruction(target) => Test::Instruction(target.as_deref()),
            NodeTest::AnyName => Test::AnyName,
            NodeTest::Namespace(prefix) => Test::Namespace(self.prefix(prefix)?),
            NodeTest::Name { prefix: Some(prefix), local } => Test::Name { uri: Some(self.prefix(prefix)?), local },
            NodeTest::Name { prefix: None, local } => Test::Name { uri: None, local },
        })
    }

    fn prefix(&self, prefix: &str) -> Result<&'d str, XmlEditError> {
        if prefix == "xml" {
            return Ok(roxmltree::NS_XML_URI);
        }
        if let Some(uri) = self.prefixes.borrow().get(prefix) {
            return Ok(uri);
        }
        let root = self.xml.tree.root_element();
        let uri = match root.lookup_namespace_uri(Some(prefix)) {
            Some(uri) => uri,
            None => self.prefix_below(prefix)?,
        };
        self.prefixes.borrow_mut().insert(prefix.to_owned(), uri);
        Ok(uri)
    }

    /// What the elements below the root declare `prefix` to be, when they agree.
    fn prefix_below(&self, prefix: &str) -> Result<&'d str, XmlEditError> {
        let mut known = BTreeSet::new();
        let mut uris = BTreeSet::new();
        for element in self.xml.tree.descendants().filter(Node::is_element) {
            for attribute in self.xml.tag(element).attributes {
                let Some(name) = self.xml.text[attribute.name].strip_prefix("xmlns:") else { continue };
                known.insert(name.to_owned());
                if name == prefix {
                    uris.extend(element.lookup_namespace_uri(Some(prefix)));
                }
            }
        }
        match uris.pop_first() {
            Some(uri) if uris.is_empty() => Ok(uri),
            Some(_) | None => {
                let known = known.into_iter().filter(|name| name != prefix).collect();
                Err(XmlEditError::UndeclaredPrefix { prefix: prefix.to_owned(), known })
            }
        }
    }

    fn passes(&self, test: &Test, axis: Axis, item: Item, node: Node<'d, 'd>) -> bool {
        match test {
            Test::Any => true,
            Test::Text => !item.is_attribute() && node.is_text(),
            Test::Comment => !item.is_attribute() && node.is_comment(),
            Test::Instruction(target) => {
                !item.is_attribute() && node.pi().is_some_and(|pi| target.is_none_or(|target| target == pi.target))
            }
            Test::AnyName | Test::Namespace(_) | Test::Name { .. } => match self.attribute(item) {
                Some(found) if axis == Axis::Attribute => test.names(found.name(), found.namespace(), None),
                Some(_) => false,
                None => {
                    node.is_element()
                        && test.names(node.tag_name().name(), self.xml.namespace(node), self.default_namespace)
                }
            },
        }
    }
}

/// A node test whose prefix is resolved.
enum Test<'t, 'd> {
    Any,
    Text,
    Comment,
    Instruction(Option<&'t str>),
    AnyName,
    Namespace(&'d str),
    Name { uri: Option<&'d str>, local: &'t str },
}

impl Test<'_, '_> {
    fn names(&self, local: &str, namespace: Option<&str>, default: Option<&str>) -> bool {
        match self {
            Test::AnyName => true,
            Test::Namespace(uri) => namespace == Some(uri),
            Test::Name { uri: Some(uri), local: wanted } => namespace == Some(uri) && local == *wanted,
            Test::Name { uri: None, local: wanted } => {
                local == *wanted && (namespace.is_none() || namespace == default)
            }
            Test::Any | Test::Text | Test::Comment | Test::Instruction(_) => false,
        }
    }
}

fn sort(items: &mut Vec<Item>) {
    if !items.is_sorted_by(|a, b| a < b) {
        items.sort_unstable();
        items.dedup();
    }
}
