//! What is wrong in an author's text: data only. Rendering lives with the command line.

mod code;
pub mod suggest;

pub use code::{Code, Severity};
use spec::span::Span;

/// One mistake or doubt, with the place it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code.
    pub code: Code,
    /// One sentence, lower case, names in backticks, no full stop.
    pub message: String,
    /// What the sentence is about.
    pub span: Span,
    /// Further places, each with a short remark.
    pub labels: Vec<Label>,
    /// What to do.
    pub help: Option<String>,
}

/// A second place a diagnostic points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The remark shown there.
    pub message: String,
}

impl Diagnostic {
    /// A diagnostic with neither labels nor help.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), span, labels: Vec::new(), help: None }
    }

    /// Adds what to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds what to do, where there is something to say.
    pub fn help_if(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Adds a second place.
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Error or warning, by its code.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

/// The sink every pass reports into; passes go on after a report.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// Takes one report.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.severity() == Severity::Error);
        self.list.push(diagnostic);
    }

    /// How many errors (not warnings) were reported.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// How many reports there are, to be used with [`Diagnostics::since`].
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// What was reported since there were `count` reports.
    pub fn since(&mut self, count: usize) -> &mut [Diagnostic] {
        self.list.get_mut(count..).unwrap_or_default()
    }

    /// Everything reported, by file, place and code, the same report only once.
    pub fn into_sorted(self) -> Vec<Diagnostic> {
        let mut list = self.list;
        list.sort_by(|a, b| (a.span, a.code, &a.message).cmp(&(b.span, b.code, &b.message)));
        list.dedup();
        list
    }
}
