//! Declared parameters.

use spec::grammar::name;
use spec::kind;
use spec::span::Spanned;
use spec::value::{Type, Value};

use crate::ast::Parameter;
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::parse::Context;
use crate::parse::fields::Fields;
use crate::yaml::{Entry, Node};

const KEYS: &[&str] = &["type", "required", "default", "description", "example", "enum", "min", "max", "secret"];

/// Names an expression reads as something else.
const RESERVED: &[&str] = &["steps", "env", "item", "index"];

impl Context<'_> {
    /// The mapping of parameters.
    pub fn parameters(&mut self, node: &Node) -> Vec<Parameter> {
        match node.map() {
            Some(entries) => entries.iter().map(|entry| self.parameter(entry)).collect(),
            None if node.is_null() => Vec::new(),
            None => {
                self.wrong_shape(node, "`parameters` must be a mapping from names to declarations");
                Vec::new()
            }
        }
    }

    fn parameter(&mut self, entry: &Entry) -> Parameter {
        let text = &*entry.key.node;
        if !name::is_name(text) {
            let problem =
                Diagnostic::new(Code::BadName, entry.key.span, format!("`{text}` cannot be a parameter's name"));
            self.report(problem.help("a name is a letter or `_`, then letters, digits, `_` and `-`; it is no operator and does not end with `-`"));
        } else if RESERVED.contains(&text) {
            let problem = Diagnostic::new(
                Code::BadName,
                entry.key.span,
                format!("`{text}` means something else in an expression"),
            );
            self.report(problem.help(format!("call it something else than {}", suggest::list(RESERVED))));
        }
        let mut parameter = Parameter {
            name: entry.name(),
            ty: Type::String,
            required: false,
            secret: false,
            open: false,
            default: None,
            default_broken: false,
            choices: Vec::new(),
            min: None,
            max: None,
            description: String::new(),
            example: None,
        };
        if entry.value.scalar().is_some() {
            // The shorthand: just the type's name, or nothing.
            if !entry.value.is_null() {
                // A type that cannot be read was reported; nothing that depends on it is.
                parameter.ty = self.ty(&entry.value).unwrap_or(Type::Any);
            }
            return parameter;
        }
        match Fields::of(self, &entry.value, "a parameter", KEYS) {
            Some(mut fields) => self.declaration(&mut parameter, &mut fields),
            None => parameter.ty = Type::Any,
        }
        parameter
    }

    fn declaration(&mut self, parameter: &mut Parameter, fields: &mut Fields<'_>) {
        let ty = fields.given("type").map(|node| self.ty(node));
        let known = ty != Some(None);
        parameter.ty = ty.unwrap_or(Some(Type::String)).unwrap_or(Type::Any);
        let mut flag = |context: &mut Self, key: &str| fields.take(key).and_then(|node| context.boolean(node, key));
        parameter.required = flag(self, "required").unwrap_or(false);
        let secret = flag(self, "secret");
        (parameter.secret, parameter.open) = (secret == Some(true), secret == Some(false));
        parameter.description =
            fields.given("description").map(|node| self.spelling(node, "description")).unwrap_or_default();
        if !known {
            parameter.default_broken = fields.given("default").is_some();
            return;
        }
        parameter.example = fields.given("example").and_then(|node| self.typed(node, parameter.ty, "example"));
        let default = fields.given("default");
        parameter.default = default.and_then(|node| self.typed(node, parameter.ty, "default"));
        parameter.default_broken = default.is_some() && parameter.default.is_none();
        parameter.choices = fields.given("enum").map(|node| self.choices(node, parameter.ty)).unwrap_or_default();
        parameter.min = self.bound(fields, parameter.ty, "min");
        parameter.max = self.bound(fields, parameter.ty, "max");
    }

    fn ty(&mut self, node: &Node) -> Option<Type> {
        let names: Vec<&str> = Type::DECLARABLE.iter().map(|ty| ty.name()).collect();
        let word = self.word(node, "type", &names)?;
        Type::DECLARABLE.into_iter().find(|ty| ty.name() == word)
    }

    fn bound(&mut self, fields: &mut Fields<'_>, ty: Type, key: &str) -> Option<Spanned<Value>> {
        let node = fields.given(key)?;
        match ty {
            Type::Integer | Type::Float => self.typed(node, ty, key),
            Type::String | Type::Boolean | Type::List | Type::Dict | Type::Any => {
                let problem =
                    Diagnostic::new(Code::BadDefault, node.span, format!("`{key}` needs a number type, not `{ty}`"));
                self.report(problem.help("declare `type: integer` or `type: float`"));
                None
            }
        }
    }

    /// The values that alone are allowed; a list of none would allow nothing.
    fn choices(&mut self, node: &Node, ty: Type) -> Vec<Spanned<Value>> {
        if node.list().is_some_and(<[Node]>::is_empty) {
            let problem = Diagnostic::new(Code::BadDefault, node.span, "`enum` allows no value at all");
            self.report(problem.help("list the values that are allowed, or leave `enum` out"));
        }
        self.items(node, "enum").iter().filter_map(|item| self.typed(item, ty, "enum")).collect()
    }

    /// A constant of the parameter's type; text keeps the spelling of the source.
    fn typed(&mut self, node: &Node, ty: Type, key: &str) -> Option<Spanned<Value>> {
        let value = match (ty, node.scalar()) {
            (Type::String, Some(scalar)) => Some(Value::String(scalar.text.to_string())),
            (Type::Boolean, Some(scalar)) => kind::boolean_word(&scalar.text).map(Value::Boolean),
            (Type::Integer, Some(scalar)) => {
                <kind::Int as kind::Kind>::read(self.number(node, &scalar.text)).ok().map(Value::Integer)
            }
            (Type::Float, Some(scalar)) => match self.number(node, &scalar.text) {
                Value::Integer(number) => Some(Value::Float(number as f64)),
                Value::Float(number) if number.is_finite() => Some(Value::Float(number)),
                Value::String(text) => kind::float_word(&text).map(Value::Float),
                Value::Float(_)
                | Value::Number(_)
                | Value::Null
                | Value::Boolean(_)
                | Value::List(_)
                | Value::Dict(_) => None,
            },
            (Type::List, None) if node.list().is_some() => Some(self.value(node)),
            (Type::Dict, None) if node.map().is_some() => Some(self.value(node)),
            (Type::List | Type::Dict | Type::Any, _)
            | (Type::String | Type::Boolean | Type::Integer | Type::Float, None) => None,
        };
        if value.is_none() {
            let found = node.scalar().map_or(node.kind_name().to_owned(), |scalar| format!("`{}`", scalar.text));
            let message = format!("`{key}` must be of type `{ty}`, found {found}");
            self.report(Diagnostic::new(Code::BadDefault, node.span, message));
        }
        value.map(|value| Spanned::new(value, node.span))
    }

    /// What YAML makes of a number, quoted or not.
    fn number(&mut self, node: &Node, text: &str) -> Value {
        let value = self.value(node);
        if matches!(value, Value::String(_)) { Value::String(text.to_owned()) } else { value }
    }
}
