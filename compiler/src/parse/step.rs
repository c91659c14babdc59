//! Steps: everything but the action itself.

use std::fmt;

use spec::artifact::{MAX_BACKOFF_MS, MAX_RETRIES, OnFailure};
use spec::operand::Setting;
use spec::span::{Span, Spanned};

use crate::ast::{Body, Computed, Limit, Retry, Step, Verify};
use crate::diagnostic::{Code, Diagnostic};
use crate::parse::Context;
use crate::parse::fields::{Fields, is_annotation};
use crate::yaml::{Entry, Node};

const KEYS: &[&str] = &[
    "id",
    "backend",
    "action",
    "params",
    "timeout_ms",
    "timeout",
    "on_failure",
    "retry_policy",
    "retry_max",
    "when",
    "for_each",
    "macro",
    "with",
    "verify",
    "expose",
    "description",
];
const RETRY_KEYS: &[&str] = &["max_retries", "backoff_ms"];
const VERIFY_KEYS: &[&str] = &["conditions", "within"];
const ON_FAILURE: &[&str] = &["fail", "skip", "continue"];

/// What a pause is when `backoff_ms` is not written, in microseconds.
const DEFAULT_BACKOFF_US: u64 = 1_000_000;

impl Context<'_> {
    /// A list of steps; ids of steps that have none begin with `prefix`.
    pub fn steps(&mut self, node: &Node, prefix: &str) -> Vec<Step> {
        let key = if prefix == "step" { "steps" } else { prefix };
        let items = self.items(node, key);
        items.iter().enumerate().map(|(index, item)| self.step(item, format_args!("{prefix}_{index}"))).collect()
    }

    /// One step; what is wrong in it is left out, so that later steps can still name it.
    fn step(&mut self, node: &Node, default_id: fmt::Arguments<'_>) -> Step {
        let mut step = Step {
            id: Spanned::new(String::new(), node.span),
            body: Body::Broken(Vec::new()),
            when: None,
            for_each: None,
            timeout_us: None,
            limit: None,
            computed: Vec::new(),
            on_failure: Some(OnFailure::Fail),
            retry: None,
            verify: None,
            expose: Vec::new(),
            span: node.span,
        };
        let Some(mut fields) = Fields::of(self, node, "a step", KEYS) else {
            step.id.node = default_id.to_string();
            return step;
        };
        step.id = match fields.given("id") {
            Some(id) => Spanned::new(self.spelling(id, "id"), id.span),
            None => Spanned::new(default_id.to_string(), head(&fields)),
        };
        if let Some(id) = fields.given("id").filter(|id| id.scalar().is_some()) {
            self.check_id(&step.id.node, id.span, "a step's id");
        }
        step.limit = self.limit(&mut fields);
        if step.limit.is_none() {
            step.timeout_us = self.timeout(&mut fields);
        }
        step.on_failure = match fields.take("on_failure") {
            Some(node) if self.computed(node, Setting::OnFailure, "on_failure", &mut step.computed) => None,
            Some(node) => Some(self.on_failure(node).unwrap_or(OnFailure::Fail)),
            None => Some(OnFailure::Fail),
        };
        step.retry = self.retry(&mut fields, &mut step.computed);
        step.when = fields.take("when").and_then(|node| self.scalar(node, "when"));
        step.for_each = fields.take("for_each").map(|node| self.written(node));
        step.verify = fields.take("verify").and_then(|node| self.verify(node, &mut step.computed));
        step.expose = fields.take("expose").map(|node| self.exposed(node)).unwrap_or_default();
        let (body, recovery) = self.body(&mut fields, &mut step.computed);
        step.body = body;
        if let (Some(outer), Some(_)) = (&step.retry, &recovery) {
            let problem =
                Diagnostic::new(Code::ConflictingKeys, outer.span, "a `recovery` step retries by its own parameters");
            self.report(problem.help("use `max_retries` and `backoff_ms` under `params` instead"));
        }
        step.retry = recovery.or(step.retry);
        step
    }

    /// A timeout with an expression in it, when it is the only one.
    pub fn limit(&mut self, fields: &mut Fields<'_>) -> Option<Limit> {
        let computed = |node: &&Node| holds_expression(node);
        match (fields.take("timeout"), fields.take("timeout_ms")) {
            (Some(node), None) if computed(&node) => self.scalar(node, "timeout").map(Limit::Duration),
            (None, Some(node)) if computed(&node) => self.scalar(node, "timeout_ms").map(Limit::Millis),
            (_, _) => None,
        }
    }

    /// Takes a setting that has an expression in it, or in an element of its list.
    fn computed(&mut self, node: &Node, setting: Setting, key: &'static str, into: &mut Vec<Computed>) -> bool {
        let found = holds_expression(node) || node.list().is_some_and(|items| items.iter().any(holds_expression));
        if found {
            let value = self.written(node);
            into.push(Computed { setting, key: Spanned::new(key, node.span), value });
        }
        found
    }

    /// What the step does, and the tries of a recovery.
    fn body(&mut self, fields: &mut Fields<'_>, computed: &mut Vec<Computed>) -> (Body, Option<Spanned<Retry>>) {
        let Some(called) = fields.take("macro") else {
            if let Some(with) = fields.entry("with") {
                let problem =
                    Diagnostic::new(Code::ConflictingKeys, with.key.span, "`with` belongs to a step with `macro`");
                self.report(problem.help("an action's parameters are under `params`"));
            }
            return self.action(fields, computed);
        };
        for key in ["action", "backend", "params"] {
            if let Some(entry) = fields.entry(key) {
                let message = format!("a step with `macro` has no `{key}`");
                let problem = Diagnostic::new(Code::ConflictingKeys, entry.key.span, message);
                self.report(
                    problem.label(called.span, "this step calls a macro").help("arguments of a macro are under `with`"),
                );
            }
        }
        let with = fields.take("with").map_or(Some(Vec::new()), |node| self.arguments(node, "with"));
        if called.is_null() || called.scalar().is_none() {
            self.wrong_shape(called, "`macro` must be the name of a macro");
            let values = with.unwrap_or_default().into_iter().map(|(_, written)| written).collect();
            return (Body::Broken(values), None);
        }
        let Some(with) = with else { return (Body::Broken(Vec::new()), None) };
        let name = Spanned::new(self.spelling(called, "macro"), called.span);
        (Body::Call { name, with }, None)
    }

    fn on_failure(&mut self, node: &Node) -> Option<OnFailure> {
        match self.word(node, "on_failure", ON_FAILURE)? {
            "skip" => Some(OnFailure::Skip),
            "continue" => Some(OnFailure::Continue),
            _ => Some(OnFailure::Fail),
        }
    }

    fn retry(&mut self, fields: &mut Fields<'_>, computed: &mut Vec<Computed>) -> Option<Spanned<Retry>> {
        let (policy, max) = (fields.entry("retry_policy"), fields.entry("retry_max"));
        if let (Some(policy), Some(max)) = (policy, max) {
            let problem = Diagnostic::new(
                Code::ConflictingKeys,
                max.key.span,
                "`retry_policy` and `retry_max` are two ways to say the same",
            );
            self.report(problem.label(policy.key.span, "the other one").help("keep one of them"));
        }
        match (policy, max) {
            (Some(policy), _) => self.policy(policy, computed),
            (None, Some(max)) => {
                let retries = self.retries(&max.value, "retry_max", computed)?;
                Some(Spanned::new(Retry { retries, backoff_us: vec![DEFAULT_BACKOFF_US] }, max.key.span))
            }
            (None, None) => None,
        }
    }

    fn policy(&mut self, entry: &Entry, computed: &mut Vec<Computed>) -> Option<Spanned<Retry>> {
        if entry.value.is_null() {
            return None;
        }
        let mut fields = Fields::of(self, &entry.value, "`retry_policy`", RETRY_KEYS)?;
        let retries = fields.take("max_retries").map_or(Some(0), |node| self.retries(node, "max_retries", computed));
        let backoff_us =
            fields.take("backoff_ms").map_or(Some(vec![DEFAULT_BACKOFF_US]), |node| self.backoff(node, computed));
        Some(Spanned::new(Retry { retries: retries?, backoff_us: backoff_us? }, entry.key.span))
    }

    /// How many tries may follow the first; none for sure when that is computed.
    pub fn retries(&mut self, node: &Node, key: &'static str, computed: &mut Vec<Computed>) -> Option<u32> {
        if self.computed(node, Setting::Retries, key, computed) {
            return Some(0);
        }
        self.whole(node, key, 0, MAX_RETRIES.into()).map(|retries| retries as u32)
    }

    /// A list of pauses in milliseconds, or one that is always used; in microseconds.
    pub fn backoff(&mut self, node: &Node, computed: &mut Vec<Computed>) -> Option<Vec<u64>> {
        if self.computed(node, Setting::Backoff, "backoff_ms", computed) {
            return Some(Vec::new());
        }
        let pauses = match node.list() {
            Some(items) => items,
            None => std::slice::from_ref(node),
        };
        let micros = |pause| self.whole(pause, "backoff_ms", 0, MAX_BACKOFF_MS.into()).map(|millis| millis * 1000);
        // All are looked at before the first wrong one counts.
        let pauses: Vec<Option<u64>> = pauses.iter().map(micros).collect();
        pauses.into_iter().collect()
    }

    /// A list of conditions, or a mapping of `conditions` and `within`, or of one condition and `within`.
    fn verify(&mut self, node: &Node, computed: &mut Vec<Computed>) -> Option<Verify> {
        if node.is_null() {
            self.wrong_shape(node, "`verify` must be a list of conditions");
            return None;
        }
        let Some(entries) = node.map() else {
            return Some(Verify { conditions: self.conditions(node, "verify"), within: Spanned::new(0, node.span) });
        };
        let find = |key: &str| entries.iter().find(|entry| entry.key.node == key);
        let within = find("within").map(|entry| &entry.value);
        let written = within.filter(|node| !self.computed(node, Setting::Within, "within", computed));
        let micros = written.and_then(|node| self.duration(node, "within")).unwrap_or(0);
        let within = Spanned::new(micros, within.unwrap_or(node).span);
        if let Some(list) = find("conditions") {
            // Reports what else is there.
            Fields::of(self, node, "`verify`", VERIFY_KEYS)?;
            return Some(Verify { conditions: self.conditions(&list.value, "conditions"), within });
        }
        let conditions: Vec<&Entry> =
            entries.iter().filter(|entry| entry.key.node != "within" && !is_annotation(&entry.key.node)).collect();
        if conditions.is_empty() {
            let problem = Diagnostic::new(Code::MissingKey, node.span, "`verify` needs conditions");
            self.report(problem.help("write `verify: {conditions: [...], within: 5s}`, or a list of conditions"));
            return None;
        }
        let conditions = conditions.into_iter().filter_map(|entry| self.keyed(entry)).collect();
        Some(Verify { conditions, within })
    }
}

fn holds_expression(node: &Node) -> bool {
    node.scalar().is_some_and(|scalar| scalar.text.contains("${"))
}

/// The first key: enough to point at a step without underlining all of it.
fn head(fields: &Fields<'_>) -> Span {
    KEYS.iter()
        .filter_map(|key| fields.entry(key))
        .map(|entry| entry.key.span)
        .min_by_key(|span| span.start)
        .unwrap_or(fields.span())
}
