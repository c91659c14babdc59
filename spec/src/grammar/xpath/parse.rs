//! Tokens to a checked expression, by recursive descent; only brackets recurse, and they are counted.

use crate::grammar::xpath::ast::{Axis, Expr, Kind, NodeTest, Operator, Path, Start, Step, XPath};
use crate::grammar::xpath::function::{FUNCTIONS, Function, Signature};
use crate::grammar::xpath::lex::Token;
use crate::grammar::xpath::{MAX_DEPTH, XPathError};

/// Parses all of `tokens`, which end with [`Token::End`].
pub fn expression(tokens: Vec<(Token, usize)>) -> Result<XPath, XPathError> {
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    let root = parser.expr()?;
    if *parser.peek() == Token::End {
        return Ok(XPath { kind: root.kind(), root });
    }
    Err(parser.error(format!("expected an operator or the end, found {}", parser.peek().describe())))
}

const LEVELS: usize = 6;

struct Parser {
    tokens: Vec<(Token, usize)>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn expr(&mut self) -> Result<Expr, XPathError> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(format!("brackets nest deeper than {MAX_DEPTH}")));
        }
        self.depth += 1;
        let expr = self.binary(0);
        self.depth -= 1;
        expr
    }

    fn binary(&mut self, level: usize) -> Result<Expr, XPathError> {
        if level == LEVELS {
            return self.unary();
        }
        let first = self.binary(level + 1)?;
        let mut rest = Vec::new();
        while let Token::Operator(operator) = *self.peek() {
            if operator.level() != level {
                break;
            }
            self.at += 1;
            rest.push((operator, self.binary(level + 1)?));
        }
        Ok(if rest.is_empty() { first } else { Expr::Chain(Box::new(first), rest) })
    }

    fn unary(&mut self) -> Result<Expr, XPathError> {
        let mut signs = 0usize;
        while self.eat(&Token::Operator(Operator::Subtract)) {
            signs += 1;
        }
        let operand = self.union()?;
        Ok(match signs {
            0 => operand,
            odd if odd % 2 == 1 => Expr::Negate(Box::new(operand)),
            _ => Expr::Call(Function::Number, vec![operand]),
        })
    }

    fn union(&mut self) -> Result<Expr, XPathError> {
        let column = self.column();
        let first = self.path()?;
        if *self.peek() != Token::Union {
            return Ok(first);
        }
        need_nodes(&first, column, "`|`")?;
        let mut parts = vec![first];
        while self.eat(&Token::Union) {
            let column = self.column();
            let part = self.path()?;
            need_nodes(&part, column, "`|`")?;
            parts.push(part);
        }
        Ok(Expr::Union(parts))
    }

    fn path(&mut self) -> Result<Expr, XPathError> {
        if self.eat(&Token::Slash) {
            let steps = if self.at_step() { self.steps()? } else { Vec::new() };
            return Ok(Expr::Path(Path { start: Start::Document, steps }));
        }
        if self.eat(&Token::SlashSlash) {
            let mut steps = vec![any_depth()];
            steps.extend(self.steps()?);
            return Ok(Expr::Path(Path { start: Start::Document, steps }));
        }
        if !self.at_primary() {
            let steps = self.steps()?;
            return Ok(Expr::Path(Path { start: Start::Context, steps }));
        }
        let column = self.column();
        let primary = self.primary()?;
        if *self.peek() == Token::BracketOpen {
            need_nodes(&primary, column, "a predicate")?;
        }
        let predicates = self.predicates()?;
        let mut steps = Vec::new();
        if matches!(self.peek(), Token::Slash | Token::SlashSlash) {
            need_nodes(&primary, column, "a path")?;
            if *self.peek() == Token::SlashSlash {
                steps.push(any_depth());
            }
            self.at += 1;
            steps.extend(self.steps()?);
        }
        if predicates.is_empty() && steps.is_empty() {
            return Ok(primary);
        }
        Ok(Expr::Path(Path { start: Start::Filter(Box::new(primary), predicates), steps }))
    }

    fn primary(&mut self) -> Result<Expr, XPathError> {
        let column = self.column();
        let token = self.advance();
        if let Token::Number(number) = token {
            return Ok(Expr::Number(number));
        }
        if let Token::Literal(text) = token {
            return Ok(Expr::Literal(text));
        }
        if let Token::Name { prefix, local } = token {
            return self.call(prefix, &local, column);
        }
        // `at_primary` lets nothing else through but `(`.
        let inner = self.expr()?;
        self.expect(&Token::ParenClose)?;
        Ok(inner)
    }

    fn call(&mut self, prefix: Option<String>, name: &str, column: usize) -> Result<Expr, XPathError> {
        let signature = signature(prefix, name).map_err(|message| XPathError { column, message })?;
        self.expect(&Token::ParenOpen)?;
        let mut arguments = Vec::new();
        if *self.peek() != Token::ParenClose {
            loop {
                let column = self.column();
                let argument = self.expr()?;
                if signature.takes_nodes && arguments.is_empty() {
                    need_nodes(&argument, column, &format!("`{name}()`"))?;
                }
                arguments.push(argument);
                if !self.eat(&Token::Comma) {
                    break;
                }
            }
        }
        self.expect(&Token::ParenClose)?;
        if (signature.least..=signature.most).contains(&arguments.len()) {
            return Ok(Expr::Call(signature.function, arguments));
        }
        let allowed = match (signature.least, signature.most) {
            (least, usize::MAX) => format!("at least {least}"),
            (least, most) if least == most => least.to_string(),
            (least, most) => format!("{least} to {most}"),
        };
        let message = format!("`{name}()` takes {allowed} arguments, found {}", arguments.len());
        Err(XPathError { column, message })
    }

    fn steps(&mut self) -> Result<Vec<Step>, XPathError> {
        let mut steps = vec![self.step()?];
        loop {
            if self.eat(&Token::SlashSlash) {
                steps.push(any_depth());
            } else if !self.eat(&Token::Slash) {
                return Ok(steps);
            }
            steps.push(self.step()?);
        }
    }

    fn step(&mut self) -> Result<Step, XPathError> {
        if self.eat(&Token::Dot) {
            return Ok(Step { axis: Axis::SelfNode, test: NodeTest::Any, predicates: Vec::new() });
        }
        if self.eat(&Token::DotDot) {
            return Ok(Step { axis: Axis::Parent, test: NodeTest::Any, predicates: Vec::new() });
        }
        let axis = self.axis()?;
        let test = self.test()?;
        let predicates = self.predicates()?;
        Ok(Step { axis, test, predicates })
    }

    fn axis(&mut self) -> Result<Axis, XPathError> {
        if self.eat(&Token::At) {
            return Ok(Axis::Attribute);
        }
        if *self.peek_second() != Token::Axis {
            return Ok(Axis::Child);
        }
        let Token::Name { prefix: None, local } = self.peek() else {
            return Err(self.error(format!("expected an axis before `::`, found {}", self.peek().describe())));
        };
        let Some((axis, _)) = Axis::ALL.iter().find(|(_, name)| name == local) else {
            let message = if local == "namespace" {
                "the axis `namespace` is not supported".to_owned()
            } else {
                let names: Vec<&str> = Axis::ALL.iter().map(|(_, name)| *name).collect();
                format!("`{local}` is not an axis of XPath 1.0; these are: {}", names.join(", "))
            };
            return Err(self.error(message));
        };
        self.at += 2;
        Ok(*axis)
    }

    fn test(&mut self) -> Result<NodeTest, XPathError> {
        let column = self.column();
        if self.eat(&Token::Star) {
            return Ok(NodeTest::AnyName);
        }
        if let Token::NamespaceStar(prefix) = self.peek().clone() {
            self.at += 1;
            return Ok(NodeTest::Namespace(prefix));
        }
        let Token::Name { prefix, local } = self.peek().clone() else {
            return Err(self.error(format!("expected an expression, found {}", self.peek().describe())));
        };
        self.at += 1;
        if *self.peek() == Token::ParenOpen {
            return self.node_type(&local, column);
        }
        Ok(NodeTest::Name { prefix, local })
    }

    fn node_type(&mut self, name: &str, column: usize) -> Result<NodeTest, XPathError> {
        self.expect(&Token::ParenOpen)?;
        let test = match name {
            "node" => NodeTest::Any,
            "text" => NodeTest::Text,
            "comment" => NodeTest::Comment,
            "processing-instruction" => NodeTest::Instruction(self.literal()),
            other => {
                let message = format!("`{other}()` cannot be a step; steps are names, `*`, `node()` and `text()`");
                return Err(XPathError { column, message });
            }
        };
        self.expect(&Token::ParenClose)?;
        Ok(test)
    }

    fn literal(&mut self) -> Option<String> {
        let Token::Literal(text) = self.peek().clone() else { return None };
        self.at += 1;
        Some(text)
    }

    fn predicates(&mut self) -> Result<Vec<Expr>, XPathError> {
        let mut predicates = Vec::new();
        while self.eat(&Token::BracketOpen) {
            predicates.push(self.expr()?);
            self.expect(&Token::BracketClose)?;
        }
        Ok(predicates)
    }

    fn at_primary(&self) -> bool {
        if let Token::Name { prefix, local } = self.peek() {
            let is_call = *self.peek_second() == Token::ParenOpen;
            return is_call && !(prefix.is_none() && is_node_type(local));
        }
        matches!(self.peek(), Token::Number(_) | Token::Literal(_) | Token::ParenOpen)
    }

    fn at_step(&self) -> bool {
        matches!(
            self.peek(),
            Token::Name { .. } | Token::Star | Token::NamespaceStar(_) | Token::Dot | Token::DotDot | Token::At
        )
    }

    fn peek(&self) -> &Token {
        self.tokens.get(self.at).map_or(&Token::End, |(token, _)| token)
    }

    fn peek_second(&self) -> &Token {
        self.tokens.get(self.at + 1).map_or(&Token::End, |(token, _)| token)
    }

    fn advance(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn eat(&mut self, wanted: &Token) -> bool {
        let found = self.peek() == wanted;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, wanted: &Token) -> Result<(), XPathError> {
        if self.eat(wanted) {
            return Ok(());
        }
        Err(self.error(format!("expected {}, found {}", wanted.describe(), self.peek().describe())))
    }

    fn column(&self) -> usize {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |(_, column)| *column)
    }

    fn error(&self, message: String) -> XPathError {
        XPathError { column: self.column(), message }
    }
}

fn signature(prefix: Option<String>, name: &str) -> Result<Signature, String> {
    if let Some(prefix) = prefix {
        return Err(format!("extension functions such as `{prefix}:{name}()` are not supported"));
    }
    if name == "id" {
        return Err("the function `id()` is not supported; use `//*[@id='…']`".to_owned());
    }
    FUNCTIONS.iter().find(|row| row.name == name).copied().ok_or_else(|| {
        let names: Vec<&str> = FUNCTIONS.iter().map(|row| row.name).collect();
        format!("`{name}()` is not a function of XPath 1.0; these are: {}", names.join(", "))
    })
}

fn need_nodes(expr: &Expr, column: usize, user: &str) -> Result<(), XPathError> {
    let found = expr.kind();
    if found == Kind::Nodes {
        return Ok(());
    }
    Err(XPathError { column, message: format!("{user} needs a set of nodes, found {found}") })
}

fn is_node_type(name: &str) -> bool {
    matches!(name, "node" | "text" | "comment" | "processing-instruction")
}

fn any_depth() -> Step {
    Step { axis: Axis::DescendantOrSelf, test: NodeTest::Any, predicates: Vec::new() }
}
