//! Actions and their parameters, and the recovery steps around them.

use spec::span::Spanned;

use crate::ast::{ActionCall, Body, Computed, Recovery, Retry, Written};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::parse::Context;
use crate::parse::fields::{Fields, is_annotation};
use crate::yaml::{Entry, Node};

/// The backend a step has when it names none.
const DEFAULT_BACKEND: &str = "native_api";

/// The backend that is control flow and no backend.
const RECOVERY: &str = "recovery";
/// The pauses of a recovery that says nothing of them, in microseconds.
const DEFAULT_BACKOFF_US: [u64; 3] = [1_000_000, 2_000_000, 5_000_000];

const RECOVERY_ACTIONS: &[&str] = &["retry", "retry_with_fallback"];
const RECOVERY_KEYS: &[&str] = &["step", "primary_backend", "fallback_backend", "max_retries", "backoff_ms"];
const NESTED_KEYS: &[&str] = &["id", "backend", "action", "params"];

/// Values by the names they are given to.
pub type Arguments = Vec<(Spanned<String>, Written)>;

impl Context<'_> {
    /// The body of a step with `action:`, and the tries of a recovery step.
    pub fn action(&mut self, fields: &mut Fields<'_>, computed: &mut Vec<Computed>) -> (Body, Option<Spanned<Retry>>) {
        let action = fields.required(self, "action").filter(|node| self.is_word(node, "action"));
        let backend = match fields.given("backend") {
            Some(node) if self.is_word(node, "backend") => Some(spelled(node)),
            Some(_) => None,
            None => action.map(|action| Spanned::new(DEFAULT_BACKEND.to_owned(), action.span)),
        };
        let params = fields.entry("params");
        let params_span = params.or(fields.entry("action")).map_or(fields.span(), |entry| entry.key.span);
        if backend.as_ref().is_some_and(|backend| backend.node == RECOVERY) {
            let Some(action) = action else { return (Body::Broken(Vec::new()), None) };
            return self.recovery(spelled(action), params, computed);
        }
        let mut arguments = params.map_or(Some(Vec::new()), |entry| self.arguments(&entry.value, "params"));
        if let Some(arguments) = &mut arguments {
            // Recorders leave remarks of their own beside the parameters.
            arguments.retain(|(name, _)| !is_annotation(&name.node));
        }
        match (action.map(spelled), backend, arguments) {
            (Some(action), Some(backend), Some(params)) => {
                (Body::Action(ActionCall { backend, action, params, params_span }), None)
            }
            (_, _, arguments) => (broken(arguments.unwrap_or_default()), None),
        }
    }

    /// Whether a node is a word; anything else is reported.
    fn is_word(&mut self, node: &Node, key: &str) -> bool {
        let is_word = node.scalar().is_some() && !node.is_null();
        if !is_word {
            self.wrong_shape(node, &format!("`{key}` must be a word"));
        }
        is_word
    }

    /// A mapping from names to values; null is an empty one. `None` for anything else, which is reported.
    pub fn arguments(&mut self, node: &Node, key: &str) -> Option<Arguments> {
        match node.map() {
            Some(entries) => {
                let entries = entries.iter();
                Some(entries.map(|entry| (entry.name(), self.written(&entry.value))).collect())
            }
            None if node.is_null() => Some(Vec::new()),
            None => {
                self.wrong_shape(node, &format!("`{key}` must be a mapping"));
                None
            }
        }
    }

    fn recovery(
        &mut self,
        outer: Spanned<String>,
        params: Option<&Entry>,
        computed: &mut Vec<Computed>,
    ) -> (Body, Option<Spanned<Retry>>) {
        let nothing = || (Body::Broken(Vec::new()), None);
        if !RECOVERY_ACTIONS.contains(&outer.node.as_str()) {
            let message = format!("`{RECOVERY}` has no action `{}`", outer.node);
            let problem = Diagnostic::new(Code::UnknownAction, outer.span, message);
            self.report(problem.help(suggest::help(&outer.node, RECOVERY_ACTIONS)));
        }
        let Some(params) = params else {
            let problem = Diagnostic::new(Code::MissingKey, outer.span, format!("`{}` needs `params`", outer.node));
            self.report(problem.help("write the step to be tried again under `params: step:`"));
            return nothing();
        };
        let Some(mut fields) = Fields::of(self, &params.value, "`params` of `recovery`", RECOVERY_KEYS) else {
            return nothing();
        };
        let retries = fields.take("max_retries").map_or(Some(2), |node| self.retries(node, "max_retries", computed));
        let backoff_us =
            fields.take("backoff_ms").map_or(Some(DEFAULT_BACKOFF_US.to_vec()), |node| self.backoff(node, computed));
        let retry = Retry { retries: retries.unwrap_or(0), backoff_us: backoff_us.unwrap_or_default() };
        let retry = Some(Spanned::new(retry, outer.span));
        let primary = fields.given("primary_backend").filter(|node| self.is_word(node, "primary_backend")).map(spelled);
        let fallback = self.fallback(&outer, &mut fields);
        let Some(nested) = fields.required(self, "step") else { return (Body::Broken(Vec::new()), retry) };
        let Some(mut nested) = Fields::of(self, nested, "a step inside `recovery`", NESTED_KEYS) else {
            return (Body::Broken(Vec::new()), retry);
        };
        let inner = nested.given("backend").filter(|node| spelled(node).node == RECOVERY).map(|node| node.span);
        let circular = |name: &&Spanned<String>| name.node == RECOVERY;
        if let Some(span) = primary.as_ref().filter(circular).map(|name| name.span).or(inner) {
            let problem = Diagnostic::new(Code::NestedRecovery, span, "`recovery` cannot hold another `recovery`");
            self.report(problem.help("name the backend that does the action itself"));
            return (Body::Broken(Vec::new()), retry);
        }
        let body = match self.action(&mut nested, computed).0 {
            Body::Action(mut step) => {
                step.backend = primary.unwrap_or(step.backend);
                Body::Recovery(Recovery { step, fallback })
            }
            other @ (Body::Recovery(_) | Body::Call { .. } | Body::Broken(_)) => other,
        };
        (body, retry)
    }

    /// The backend that takes over; `retry` has none.
    fn fallback(&mut self, outer: &Spanned<String>, fields: &mut Fields<'_>) -> Option<Spanned<String>> {
        let entry = fields.entry("fallback_backend").filter(|entry| !entry.value.is_null());
        match (outer.node.as_str(), entry) {
            ("retry", Some(entry)) => {
                let message = "`retry` has no fallback: `fallback_backend` has no effect";
                let problem = Diagnostic::new(Code::NoEffect, entry.key.span, message);
                self.report(problem.help("use the action `retry_with_fallback`, or remove it"));
                None
            }
            (_, Some(entry)) => Some(&entry.value).filter(|node| self.is_word(node, "fallback_backend")).map(spelled),
            ("retry_with_fallback", None) => {
                let problem =
                    Diagnostic::new(Code::MissingKey, outer.span, "`retry_with_fallback` needs `fallback_backend`");
                self.report(problem.help("name the backend that takes over, or use the action `retry`"));
                None
            }
            (_, None) => None,
        }
    }
}

/// A scalar as it is spelled; anything else, which was reported, as nothing.
fn spelled(node: &Node) -> Spanned<String> {
    Spanned::new(node.scalar().map(|scalar| scalar.text.to_string()).unwrap_or_default(), node.span)
}

fn broken(arguments: Arguments) -> Body {
    Body::Broken(arguments.into_iter().map(|(_, written)| written).collect())
}
