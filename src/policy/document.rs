//! A policy as it is written, whatever it is written in.

use compiler::source::SourceMap;
use spec::artifact::Capability;
use spec::grammar::nearest::nearest;
use spec::span::{Span, Spanned};
use vm::policy::Rules;

/// The key of consent to dangerous macros.
const DANGEROUS: &str = "dangerous";

/// Keys with what they allow.
pub type Entries = Vec<(Spanned<String>, Spanned<Setting>)>;

/// A policy with the text it is from.
pub struct Document {
    /// The text.
    pub sources: SourceMap,
    /// The keys.
    pub entries: Entries,
}

/// What a key allows.
pub enum Setting {
    /// All or nothing.
    Flag(bool),
    /// What these match.
    Patterns(Vec<Spanned<String>>),
    /// Something that no key takes, in words.
    Other(String),
}

impl Document {
    /// Adds what it says to rules.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place.
    pub fn apply(&self, rules: &mut Rules) -> Result<(), String> {
        for (key, setting) in &self.entries {
            if key.node == DANGEROUS {
                let Setting::Flag(consent) = &setting.node else {
                    return Err(self.at(setting.span, &format!("`{DANGEROUS}` is `true` or `false`")));
                };
                rules.consent(*consent);
                continue;
            }
            let Some(capability) = Capability::by_name(&key.node) else {
                return Err(self.at(key.span, &unknown(&key.node)));
            };
            match &setting.node {
                Setting::Flag(true) => rules.allow_all(capability),
                Setting::Flag(false) => {}
                Setting::Patterns(patterns) => {
                    for pattern in patterns {
                        let allowed = rules.allow(capability, &pattern.node);
                        allowed.map_err(|error| self.at(pattern.span, &error.to_string()))?;
                    }
                }
                Setting::Other(found) => {
                    let wanted = if capability.is_named() {
                        "a pattern, a list of them, `true` or `false`"
                    } else {
                        "`true` or `false`"
                    };
                    return Err(self.at(setting.span, &format!("`{}` must be {wanted}, found {found}", key.node)));
                }
            }
        }
        Ok(())
    }

    /// A remark with its place in front.
    pub fn at(&self, span: Span, message: &str) -> String {
        place(&self.sources, span, message)
    }
}

/// A remark with its place in front: `policy.toml:3:1: …`.
pub fn place(sources: &SourceMap, span: Span, message: &str) -> String {
    match sources.get(span.file) {
        None => message.to_owned(),
        Some(file) => {
            let place = file.place(span.start);
            format!("{}:{}:{}: {message}", file.path, place.line, place.column)
        }
    }
}

fn unknown(key: &str) -> String {
    let known: Vec<&str> = Capability::ALL.iter().map(|known| known.name()).chain([DANGEROUS]).collect();
    let near = nearest(key, known.iter().copied()).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    format!("`{key}` is not a key of a policy{near}; allowed: `{}`", known.join("`, `"))
}
