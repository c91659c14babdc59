//! Declared parameters: names are unique, defaults, enums and ranges agree with each other.

use spec::kind;
use spec::sensitive::is_sensitive_name;
use spec::span::Spanned;
use spec::value::{Type, Value};

use crate::ast::{self, Definition};
use crate::check::{Checker, call};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir;

impl Checker<'_, '_> {
    /// The parameters of the IR.
    pub fn parameters(&mut self, definition: &Definition) -> Vec<ir::Parameter> {
        definition.parameters.iter().map(|declared| self.parameter(declared)).collect()
    }

    fn parameter(&mut self, declared: &ast::Parameter) -> ir::Parameter {
        if let (Some(min), Some(max)) = (&declared.min, &declared.max) {
            let inverted = match (&min.node, &max.node) {
                (Value::Integer(min), Value::Integer(max)) => min > max,
                (Value::Float(min), Value::Float(max)) => min > max,
                _ => false,
            };
            if inverted {
                let message = format!(
                    "`min` is {} and `max` is {}: nothing lies between",
                    kind::describe(&min.node),
                    kind::describe(&max.node)
                );
                self.report(Diagnostic::new(Code::BadDefault, max.span, message).label(min.span, "`min` is here"));
            }
        }
        if declared.secret {
            for written in declared.default.iter().chain(&declared.example) {
                let problem = Diagnostic::new(
                    Code::SecretInFile,
                    written.span,
                    format!("the value of a secret, `{}`, is written in the file", declared.name.node),
                );
                self.report(problem.help("give it when the macro is run: `--secret name=env:VARIABLE`"));
            }
        }
        let named = declared.ty != Type::Boolean && is_sensitive_name(&declared.name.node);
        if named && !declared.secret && !declared.open {
            let message = format!("`{}` is named like a secret and is none", declared.name.node);
            let problem = Diagnostic::new(Code::SensitiveName, declared.name.span, message);
            self.report(problem.help("declare `secret: true`, or `secret: false` when its value may be seen"));
        }
        if declared.required
            && let Some(default) = &declared.default
        {
            let problem = Diagnostic::new(
                Code::RequiredDefault,
                default.span,
                format!("`{}` is required, so its default is never used", declared.name.node),
            );
            self.report(problem.help("remove `required: true` or the default"));
        }
        let node = |value: &Option<Spanned<Value>>| value.as_ref().map(|value| value.node.clone());
        let parameter = ir::Parameter {
            name: declared.name.node.clone(),
            ty: declared.ty,
            required: declared.required,
            secret: declared.secret,
            needed: false,
            default: node(&declared.default),
            choices: declared.choices.iter().map(|choice| choice.node.clone()).collect(),
            min: node(&declared.min),
            max: node(&declared.max),
            description: declared.description.clone(),
            example: if declared.secret { None } else { node(&declared.example) },
        };
        let (default, example) = (declared.default.iter(), declared.example.iter());
        let values = default.map(|value| ("default", value)).chain(example.map(|value| ("example", value)));
        for (what, written) in values {
            self.agrees(&parameter, what, written);
        }
        // A value that is allowed by name must not be forbidden by the bounds.
        let bounds = ir::Parameter { choices: Vec::new(), ..parameter.clone() };
        for choice in &declared.choices {
            self.agrees(&bounds, "choice", choice);
        }
        parameter
    }

    /// Reports a value in a declaration that a run could not give.
    fn agrees(&mut self, parameter: &ir::Parameter, what: &str, written: &Spanned<Value>) {
        if let Err(error) = call::accepts(parameter, written.node.clone()) {
            let message = format!("the {what} of `{}` {}", parameter.name, error.message);
            self.report(Diagnostic::new(Code::BadDefault, written.span, message).help_if(error.help));
        }
    }
}
