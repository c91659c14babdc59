//! What a run may touch: rules of allowed things, matched against what an action is about to touch.
//!
//! Everything is refused that no rule allows. Paths are compared as they really are: absolute, without `..`, links of what exists followed.
//! Another program may change links between the question and the deed; nothing here keeps it from that.

mod allow;
mod pattern;
mod place;

use std::path::{Path, PathBuf};

use spec::artifact::Capability;

pub use crate::policy::allow::AllowError;
pub use crate::policy::pattern::PatternError;

use crate::need::{Need, Refusal};
use crate::policy::pattern::{Pattern, escaped};

/// What one source allows: a file, or the flags of a command line.
#[derive(Clone, Debug)]
pub struct Rules {
    /// What messages call it: "the policy `ci.toml`".
    name: String,
    allowed: Vec<(Capability, Pattern)>,
    dangerous: Option<bool>,
    /// The file they are in, and every folder and link on the way to it.
    files: Vec<PathBuf>,
}

/// What a run may touch: what every one of its sources allows.
#[derive(Clone, Debug)]
pub struct Policy {
    rules: Vec<Rules>,
}

impl Rules {
    /// Rules that allow nothing.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), allowed: Vec::new(), dangerous: None, files: Vec::new() }
    }

    /// Allows everything of a kind.
    pub fn allow_all(&mut self, capability: Capability) {
        self.allowed.push((capability, Pattern::Any));
    }

    /// Allows what a pattern matches.
    ///
    /// # Errors
    /// The pattern cannot be one, or the capability has no names.
    pub fn allow(&mut self, capability: Capability, pattern: &str) -> Result<(), PatternError> {
        self.allowed.push((capability, Pattern::of(capability, pattern)?));
        Ok(())
    }

    /// Consents to macros that call themselves dangerous, or refuses them whoever consents.
    pub fn consent(&mut self, consent: bool) {
        self.dangerous = Some(consent);
    }

    /// Remembers the file they are in, as it is found now: it stays as it is whatever they allow.
    pub fn keep(&mut self, file: &Path) {
        self.files = place::passed(&std::env::current_dir().unwrap_or_default().join(file));
    }

    /// Whether something may be touched. Who may look at the screen sees every window.
    pub fn allows(&self, need: &Need) -> bool {
        let patterns =
            |wanted| self.allowed.iter().filter(move |(known, _)| *known == wanted).map(|(_, pattern)| pattern);
        let all = |wanted| patterns(wanted).any(|pattern| *pattern == Pattern::Any);
        if *need == Need::every_window() {
            return all(Capability::Window) || all(Capability::Capture);
        }
        all(need.capability) || pattern::matches(patterns(need.capability), need)
    }
}

impl Policy {
    /// A policy of several sources, each of which must allow what is touched.
    pub fn new(rules: Vec<Rules>) -> Self {
        Self { rules }
    }

    /// Whether something may be touched.
    ///
    /// # Errors
    /// The first source that does not allow it, and what would.
    pub fn judge(&self, need: &Need) -> Result<(), Refusal> {
        if let Some(rules) = self.rules.iter().find(|rules| pattern::writes(need, &rules.files)) {
            return Err(Refusal { allow: None, ..refusal(need, &rules.name) });
        }
        match self.rules.iter().find(|rules| !rules.allows(need)) {
            None => Ok(()),
            Some(rules) => Err(refusal(need, &rules.name)),
        }
    }

    /// Whether macros that call themselves dangerous may run: `Some(false)` when a source forbids it, `Some(true)` when one consents.
    pub fn dangerous(&self) -> Option<bool> {
        self.rules.iter().filter_map(|rules| rules.dangerous).reduce(|left, right| left && right)
    }
}

fn refusal(need: &Need, by: &str) -> Refusal {
    let word = need.capability.name();
    if *need == Need::every_window() {
        return Refusal { need: "every window".to_owned(), allow: Some(format!("{word}=*")), by: by.to_owned() };
    }
    if !need.capability.is_named() {
        return Refusal { need: word.to_owned(), allow: Some(word.to_owned()), by: by.to_owned() };
    }
    let shown = pattern::shown(need);
    let allow = Some(format!("{word}={}", escaped(need.capability, &shown)));
    Refusal { need: format!("{word}={shown}"), allow, by: by.to_owned() }
}

#[cfg(test)]
mod tests;
