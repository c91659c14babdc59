//! Diagnostics with their places worked out: what every form of printing starts from.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use compiler::diagnostic::{Code, Diagnostic, Severity};
use compiler::source::{Place, SourceMap};
use spec::span::Span;

/// What is wrong in some files.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// What was found.
    pub list: Vec<Finding>,
    /// The texts of the files that are named, by their shown paths.
    pub texts: BTreeMap<Arc<str>, Arc<str>>,
}

/// One mistake or doubt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its code.
    pub code: Code,
    /// One sentence.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// What it is about.
    pub spot: Spot,
    /// Further places with a remark each.
    pub labels: Vec<(Spot, String)>,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The file, as the user knows it.
    pub file: Arc<str>,
    /// First byte and one past the last byte.
    pub bytes: (u32, u32),
    /// Line and column of the first byte.
    pub start: (u32, u32),
    /// Line and column one past the last byte.
    pub end: (u32, u32),
}

impl Spot {
    /// The begin of a file whose text is not known.
    pub fn top(file: &str) -> Spot {
        Spot { file: file.into(), bytes: (0, 0), start: (1, 1), end: (1, 1) }
    }

    /// The bytes as a range.
    pub fn range(&self) -> Range<usize> {
        self.bytes.0 as usize..self.bytes.1.max(self.bytes.0) as usize
    }
}

impl Findings {
    /// The diagnostics of a compilation; `show` turns the number and the compiler's name of a file into the user's name.
    pub fn of(diagnostics: &[Diagnostic], sources: &SourceMap, show: impl Fn(usize, &str) -> String) -> Findings {
        let mut findings = Findings::default();
        if diagnostics.is_empty() {
            return findings;
        }
        let names: Vec<Arc<str>> = sources.files().map(|(id, file)| show(id.0 as usize, &file.path).into()).collect();
        let spot = |span: Span| {
            let file = names.get(span.file.0 as usize).cloned().unwrap_or_else(|| "".into());
            let place = |at: u32| sources.get(span.file).map_or_else(Place::default, |file| file.place(at));
            let (start, end) = (place(span.start), place(span.end));
            Spot { file, bytes: (span.start, span.end), start: (start.line, start.column), end: (end.line, end.column) }
        };
        for diagnostic in diagnostics {
            let labels = diagnostic.labels.iter().map(|label| (spot(label.span), label.message.clone())).collect();
            let Diagnostic { code, message, help, .. } = diagnostic.clone();
            findings.list.push(Finding { code, message, help, spot: spot(diagnostic.span), labels });
        }
        for (id, file) in sources.files() {
            if let Some(name) = names.get(id.0 as usize)
                && findings.list.iter().any(|finding| finding.names(name))
            {
                findings.texts.insert(name.clone(), file.text.as_str().into());
            }
        }
        findings
    }

    /// One finding about a file as a whole.
    pub fn one(code: Code, file: &str, message: impl Into<String>) -> Findings {
        let finding = Finding { code, message: message.into(), help: None, spot: Spot::top(file), labels: Vec::new() };
        Findings { list: vec![finding], texts: BTreeMap::new() }
    }

    /// Takes those of another file or compilation.
    pub fn extend(&mut self, other: Findings) {
        self.list.extend(other.list);
        self.texts.extend(other.texts);
    }

    /// By file and place, the same finding only once.
    pub fn sort(&mut self) {
        self.list.sort_by(|a, b| (&a.spot, a.code, &a.message).cmp(&(&b.spot, b.code, &b.message)));
        let mut seen = HashSet::new();
        self.list.retain(|finding| seen.insert((finding.spot.clone(), finding.code, finding.message.clone())));
    }

    /// How many errors.
    pub fn errors(&self) -> usize {
        self.list.iter().filter(|finding| finding.code.severity() == Severity::Error).count()
    }

    /// How many warnings.
    pub fn warnings(&self) -> usize {
        self.list.len() - self.errors()
    }

    /// "2 errors and 1 warning in 2 files".
    pub fn summary(&self) -> String {
        let files: HashSet<&str> = self.list.iter().map(|finding| &*finding.spot.file).collect();
        let counts = match (self.errors(), self.warnings()) {
            (0, 0) => return "nothing to report".to_owned(),
            (errors, 0) => count(errors, "error"),
            (0, warnings) => count(warnings, "warning"),
            (errors, warnings) => format!("{} and {}", count(errors, "error"), count(warnings, "warning")),
        };
        match files.len() {
            1 => format!("{counts} in `{}`", files.into_iter().next().unwrap_or_default()),
            several => format!("{counts} in {several} files"),
        }
    }
}

impl Finding {
    /// `file:line:column: error[E0107]: message`.
    pub fn short(&self) -> String {
        let (line, column) = self.spot.start;
        let severity = self.code.severity().name();
        format!("{}:{line}:{column}: {severity}[{}]: {}", self.spot.file, self.code, self.message)
    }

    /// As [`Finding::short`], and what to do in parentheses.
    pub fn with_help(&self) -> String {
        match &self.help {
            Some(help) => format!("{} ({help})", self.short()),
            None => self.short(),
        }
    }

    fn names(&self, file: &str) -> bool {
        &*self.spot.file == file || self.labels.iter().any(|(spot, _)| &*spot.file == file)
    }
}

/// "1 error", "2 errors".
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
