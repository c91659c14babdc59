//! Actions: they exist, every parameter is known and fits, nothing required is missing, and a backend can do them.

use spec::action::{Action, Backend, Presence};
use spec::grammar::nearest::nearest;
use spec::kind::Shape;
use spec::span::Spanned;
use spec::value::Value;

use crate::ast;
use crate::check::Checker;
use crate::check::argument::Receiver;
use crate::check::constant::value;
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::ir::{ActionCall, Expr, ExprKind};

impl Checker<'_, '_> {
    /// The action a call names.
    pub fn action(&mut self, call: &ast::ActionCall) -> Option<Action> {
        let backend = self.backend(&call.backend)?;
        self.action_of(backend, &call.action)
    }

    /// The backend of that name.
    pub fn backend(&mut self, name: &Spanned<String>) -> Option<Backend> {
        let found = Backend::by_name(&name.node);
        if found.is_none() {
            let mut known: Vec<&str> = Backend::ALL.iter().map(|backend| backend.name()).collect();
            known.push("recovery");
            let problem =
                Diagnostic::new(Code::UnknownBackend, name.span, format!("no backend is called `{}`", name.node));
            self.report(problem.help(suggest::help(&name.node, &known)));
        }
        found
    }

    /// The action of that name.
    pub fn action_of(&mut self, backend: Backend, name: &Spanned<String>) -> Option<Action> {
        let found = Action::by_name(backend, &name.node);
        if found.is_none() {
            let known: Vec<&str> = backend.actions().iter().map(|action| action.name()).collect();
            let message = format!("`{}` has no action `{}`", backend.name(), name.node);
            let elsewhere: Vec<&str> = Backend::ALL
                .iter()
                .filter(|other| Action::by_name(**other, &name.node).is_some())
                .map(|other| other.name())
                .collect();
            let help = match elsewhere.as_slice() {
                [] => suggest::help(&name.node, &known),
                others => {
                    format!("it is an action of {}; {}", suggest::list(others), suggest::help(&name.node, &known))
                }
            };
            self.report(Diagnostic::new(Code::UnknownAction, name.span, message).help(help));
        }
        found
    }

    /// The arguments of an action, by the parameter's place. `None` when one of them does not fit.
    pub fn call(&mut self, action: Action, call: &ast::ActionCall, must_run: bool) -> Option<ActionCall> {
        let mut arguments: Vec<(u16, Expr)> = Vec::with_capacity(call.params.len());
        let mut sound = true;
        // What an unknown parameter was probably meant to be is not reported as missing, too.
        let mut meant = Vec::new();
        for (name, written) in &call.params {
            let written_parameter =
                action.parameter(&name.node).filter(|(_, parameter)| parameter.presence != Presence::Filled);
            let Some((place, parameter)) = written_parameter else {
                let known: Vec<&str> = action
                    .parameters()
                    .iter()
                    .filter(|parameter| parameter.presence != Presence::Filled)
                    .map(|parameter| parameter.name)
                    .collect();
                let message = format!("`{}` has no parameter `{}`", action.name(), name.node);
                self.report(
                    Diagnostic::new(Code::UnknownParameter, name.span, message).help(suggest::help(&name.node, &known)),
                );
                self.any(written);
                meant.extend(nearest(&name.node, known));
                sound = false;
                continue;
            };
            if written.is_null() && !matches!(parameter.shape, Shape::Any) {
                // Not given: what is required is reported below.
                continue;
            }
            let receiver = Receiver { name: &parameter.name, shape: parameter.shape, check: &parameter.check };
            match self.argument(receiver, written) {
                Some(value) => arguments.push((place as u16, value)),
                None => sound = false,
            }
        }
        for parameter in action.parameters() {
            let given = call.params.iter().any(|(name, written)| {
                name.node == parameter.name && (!written.is_null() || parameter.shape == Shape::Any)
            });
            if parameter.presence == Presence::Required && !given && !meant.contains(&parameter.name) {
                let message = format!("`{}` needs `{}`: {}", action.name(), parameter.name, lower(parameter.doc));
                self.report(Diagnostic::new(Code::MissingParameter, call.params_span, message));
                sound = false;
            }
        }
        if let Some([one, other]) = either(action)
            && !call
                .params
                .iter()
                .any(|(name, written)| [one, other].contains(&name.node.as_str()) && !written.is_null())
            && !meant.contains(&one)
            && !meant.contains(&other)
        {
            let message = format!("`{}` needs `{one}` or `{other}`", action.name());
            self.report(Diagnostic::new(Code::MissingParameter, call.params_span, message));
            sound = false;
        }
        let route = self.route(action, call, must_run)?;
        arguments.sort_by_key(|(place, _)| *place);
        if sound {
            self.pack(action, &mut arguments);
            sound = self.fill(action, &mut arguments);
        }
        sound.then_some(ActionCall { route, arguments })
    }

    /// The requested action, then equivalent ones by priority, as far as the target has their backends.
    fn route(&mut self, action: Action, call: &ast::ActionCall, must_run: bool) -> Option<Vec<Action>> {
        let mut route: Vec<Action> = action.equivalents().to_vec();
        route.sort_by_key(|other| std::cmp::Reverse(other.backend().priority()));
        route.insert(0, action);
        let target = self.around.target;
        let all = route.clone();
        route.retain(|candidate| target.has(candidate.backend()));
        if !route.is_empty() {
            return Some(route);
        }
        let tried: Vec<&str> = all.iter().map(|candidate| candidate.backend().name()).collect();
        let code = if must_run { Code::NoBackend } else { Code::NoBackendForgiven };
        let message = format!(
            "`{}` cannot run on target `{}`, which does not have {}",
            action.name(),
            target.name(),
            suggest::either(&tried)
        );
        let has: Vec<&str> =
            Backend::ALL.iter().filter(|backend| target.has(**backend)).map(|backend| backend.name()).collect();
        let problem = Diagnostic::new(code, call.backend.span, message);
        self.report(problem.help(format!("the target has {}", suggest::list(&has))));
        // A forgiven step stays in the program and fails in its place.
        (!must_run).then_some(all)
    }

    /// Recordings and images named by constants become part of the artifact; the argument then names them there.
    fn pack(&mut self, action: Action, arguments: &mut [(u16, Expr)]) {
        for (place, expr) in arguments {
            let Some(parameter) = action.parameters().get(usize::from(*place)) else { continue };
            let Some(Value::String(path)) = value(expr) else { continue };
            let packed = match parameter.shape {
                Shape::Image if !path.is_empty() => self.around.packer.image(path, expr.span, self.around.problems),
                Shape::Recording => self.around.packer.recording(path, expr.span, self.around.problems),
                Shape::Image
                | Shape::Text
                | Shape::Path
                | Shape::Words
                | Shape::Texts
                | Shape::Variables
                | Shape::Keys
                | Shape::Boolean
                | Shape::Integer
                | Shape::Integers
                | Shape::Float
                | Shape::Choice(_)
                | Shape::Any => None,
            };
            if let Some(key) = packed {
                expr.kind = ExprKind::Const(Value::String(key));
            }
        }
    }
}

/// Two parameters of which at least one must be given.
fn either(action: Action) -> Option<[&'static str; 2]> {
    (action == Action::FindExecutable).then_some(["name", "candidates"])
}

/// A sentence of the table inside another one.
fn lower(doc: &str) -> String {
    let doc = doc.trim().trim_end_matches('.');
    let mut chars = doc.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}
