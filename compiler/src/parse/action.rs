//! Actions and their parameters, and the recovery steps around them.

use spec::span::Spanned;

use crate::ast::{ActionCall, Body, Recovery, Retry, Written};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::parse::Context;
use crate::parse::fields::{Fields, is_annotation};
use crate::yaml::Node;

/// The backend a step has when it names none.
const DEFAULT_BACKEND: &str = "native_api";

const RECOVERY_ACTIONS: &[&str] = &["retry", "retry_with_fallback"];
const RECOVERY_KEYS: &[&str] = &["step", "primary_backend", "fallback_backend", "max_retries", "backoff_ms"];
const NESTED_KEYS: &[&str] = &["id", "backend", "action", "params"];

impl Context<'_> {
    /// The body of a step with `action:`, and the retries of a recovery step.
    pub fn action(&mut self, fields: &mut Fields<'_>) -> Option<(Body, Option<Spanned<Retry>>)> {
        let call = self.call(fields)?;
        if call.backend.node != "recovery" {
            return Some((Body::Action(call), None));
        }
        let (recovery, retry) = self.recovery(fields, &call)?;
        Some((Body::Recovery(recovery), retry))
    }

    fn call(&mut self, fields: &mut Fields<'_>) -> Option<ActionCall> {
        let action = fields.required(self, "action")?;
        let action = Spanned::new(self.spelling(action, "action"), action.span);
        let backend = match fields.take("backend").filter(|node| !node.is_null()) {
            Some(node) => Spanned::new(self.spelling(node, "backend"), node.span),
            None => Spanned::new(DEFAULT_BACKEND.to_owned(), action.span),
        };
        let params = fields.entry("params");
        let params_span = params.map_or(action.span, |entry| entry.key.span);
        let params = if backend.node == "recovery" {
            Vec::new()
        } else {
            params.map(|entry| self.arguments(&entry.value, "params")).unwrap_or_default()
        };
        Some(ActionCall { backend, action, params, params_span })
    }

    /// A mapping from names to values; null is an empty one.
    pub fn arguments(&mut self, node: &Node, key: &str) -> Vec<(Spanned<String>, Written)> {
        match node.map() {
            Some(entries) => entries
                .iter()
                .filter(|entry| !is_annotation(&entry.key.node))
                .map(|entry| (entry.key.clone(), self.written(&entry.value)))
                .collect(),
            None if node.is_null() => Vec::new(),
            None => {
                self.wrong_shape(node, &format!("`{key}` must be a mapping"));
                Vec::new()
            }
        }
    }

    fn recovery(&mut self, outer: &mut Fields<'_>, call: &ActionCall) -> Option<(Recovery, Option<Spanned<Retry>>)> {
        let with_fallback = call.action.node == "retry_with_fallback";
        if !RECOVERY_ACTIONS.contains(&call.action.node.as_str()) {
            let message = format!("`recovery` has no action `{}`", call.action.node);
            let problem = Diagnostic::new(Code::UnknownAction, call.action.span, message);
            self.report(problem.help(suggest::help(&call.action.node, RECOVERY_ACTIONS)));
            return None;
        }
        let Some(params) = outer.take("params") else {
            let problem =
                Diagnostic::new(Code::MissingKey, call.action.span, format!("`{}` needs `params`", call.action.node));
            self.report(problem.help("write the step to be retried under `params: step:`"));
            return None;
        };
        let mut fields = Fields::of(self, params, "the parameters of `recovery`", RECOVERY_KEYS)?;
        let nested = fields.required(self, "step")?;
        let mut nested = Fields::of(self, nested, "a step inside `recovery`", NESTED_KEYS)?;
        let mut step = self.call(&mut nested)?;
        if let Some(primary) = fields.take("primary_backend").filter(|node| !node.is_null()) {
            step.backend = Spanned::new(self.spelling(primary, "primary_backend"), primary.span);
        }
        if step.backend.node == "recovery" {
            let problem =
                Diagnostic::new(Code::NestedRecovery, step.backend.span, "`recovery` cannot hold another `recovery`");
            self.report(problem.help("retry the action itself, or give the inner step a `retry_policy`"));
            return None;
        }
        let fallback = fields
            .take("fallback_backend")
            .filter(|node| !node.is_null())
            .map(|node| Spanned::new(self.spelling(node, "fallback_backend"), node.span));
        if with_fallback && fallback.is_none() {
            let problem =
                Diagnostic::new(Code::MissingKey, call.action.span, "`retry_with_fallback` needs `fallback_backend`");
            self.report(problem.help("name the backend to fall back to, or use the action `retry`"));
        }
        let retries = fields.take("max_retries").map_or(Some(2), |node| self.retries(node, "max_retries"));
        let backoff_us =
            fields.take("backoff_ms").map_or(Some(vec![1_000_000, 2_000_000, 5_000_000]), |node| self.backoff(node));
        let retry = Retry { retries: retries.unwrap_or(0), backoff_us: backoff_us.unwrap_or_default() };
        Some((Recovery { step, fallback }, Some(Spanned::new(retry, call.action.span))))
    }
}
