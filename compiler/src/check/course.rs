//! Warnings about how a step runs: tries, waits and conditions that do not do what they seem to.

use spec::action::Effect;
use spec::operand::Setting;
use spec::value::Value;

use crate::ast;
use crate::check::Checker;
use crate::check::constant::{truth, value};
use crate::check::step::DEFAULT_TIMEOUT_US;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir;

impl Checker<'_, '_> {
    /// Reports what is allowed in a step but looks wrong.
    pub fn lint_step(&mut self, step: &ast::Step, body: Option<&ir::Body>) {
        self.unsafe_retry(step, body);
        self.cut_short(step, body);
    }

    /// Reports a `when` or a loop that is decided already.
    pub fn lint_course(&mut self, when: Option<&ir::Expr>, each: Option<&ir::Each>) {
        if let Some(when) = when
            && let Some(truth) = truth(when)
        {
            let (code, message, help) = match truth {
                true => (Code::ConstantCondition, "`when` is always true", "remove it"),
                false => (Code::UnreachableStep, "`when` is always false: the step never runs", "remove the step"),
            };
            self.report(Diagnostic::new(code, when.span, message).help(help));
        }
        if let Some(each) = each
            && let Some(Value::List(items)) = value(&each.list)
            && items.is_empty()
        {
            let message = "`for_each` over an empty list: the step never runs";
            self.report(Diagnostic::new(Code::UnreachableStep, each.list.span, message).help("remove the step"));
        }
    }

    fn unsafe_retry(&mut self, step: &ast::Step, body: Option<&ir::Body>) {
        let again = step.computed.iter().any(|computed| computed.setting == Setting::Retries);
        let retried = step.retry.as_ref().filter(|retry| (again || retry.node.retries > 0) && step.verify.is_none());
        let Some(retry) = retried else { return };
        let Some(ir::Body::Act { call, .. }) = body else { return };
        let Some(action) = call.route.first().filter(|action| action.effect() == Effect::Acts) else { return };
        let message = format!("`{}` may have had its effect before it failed, and is done again", action.name());
        let problem = Diagnostic::new(Code::UnsafeRetry, retry.span, message);
        self.report(
            problem
                .help("add `verify:` with what must be true after the step, or retry only steps that may be repeated"),
        );
    }

    /// Waits that the step's timeout, which covers all tries and pauses, ends before they are over.
    fn cut_short(&mut self, step: &ast::Step, body: Option<&ir::Body>) {
        if step.limit.is_some() {
            return;
        }
        let timeout = step.timeout_us.unwrap_or(DEFAULT_TIMEOUT_US);
        if let Some(ir::Body::Act { call, .. }) = body
            && let Some((place, _)) = call.route.first().and_then(|action| action.parameter("timeout_ms"))
            && let Some((_, own)) = call.arguments.iter().find(|(index, _)| usize::from(*index) == place)
            && let Some(Value::Integer(millis)) = value(own)
            && let Some(micros) = u64::try_from(*millis).ok().and_then(|millis| millis.checked_mul(1000))
            && micros > timeout
        {
            self.cut(own.span, "the action waits up to", micros, timeout);
        }
        if let Some(retry) = &step.retry {
            let pauses = (0..retry.node.retries as usize).filter_map(|index| {
                let pauses = &retry.node.backoff_us;
                pauses.get(index).or(pauses.last())
            });
            let total = pauses.fold(0_u64, |total, pause| total.saturating_add(*pause));
            if total >= timeout {
                self.cut(retry.span, "the pauses between all tries take", total, timeout);
            }
        }
        if let Some(verify) = &step.verify
            && verify.within.node > timeout
        {
            self.cut(verify.within.span, "the conditions have", verify.within.node, timeout);
        }
    }

    fn cut(&mut self, span: spec::span::Span, what: &str, micros: u64, timeout: u64) {
        let (time, timeout) = (seconds(micros), seconds(timeout));
        let message = format!("{what} {time}, but the whole step has {timeout}");
        let help = format!("give the step more time beside its `action`, for instance `timeout: {}`", more(micros));
        self.report(Diagnostic::new(Code::CutShort, span, message).help(help));
    }
}

/// A time as a macro would write it.
fn seconds(micros: u64) -> String {
    match micros {
        _ if micros.is_multiple_of(1_000_000) => format!("{}s", micros / 1_000_000),
        _ => format!("{}ms", micros.div_ceil(1000)),
    }
}

/// A timeout that leaves time for the action itself.
fn more(micros: u64) -> String {
    format!("{}s", micros.div_ceil(1_000_000).saturating_add(5))
}
