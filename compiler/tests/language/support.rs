//! Files in memory, and diagnostics as short text.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use macrocli_compiler::diagnostic::Diagnostic;
use macrocli_compiler::source::SourceMap;
use macrocli_compiler::sources::{Found, NotFound, Sources};
use macrocli_compiler::{Compilation, Target, compile};
use spec::span::Span;

/// Files by path. A macro is found by its file name without the extension, as if it were called so.
#[derive(Clone, Debug, Default)]
pub struct Files(pub BTreeMap<String, Vec<u8>>);

impl Files {
    /// Adds a file.
    pub fn with(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.0.insert(path.to_owned(), bytes.into());
        self
    }
}

impl Sources for Files {
    fn find_macro(&self, name: &str, _from: &str) -> Result<Found, NotFound> {
        let path = format!("{name}.yaml");
        match self.0.get(&path) {
            Some(bytes) => Ok(Found { path, bytes: bytes.clone() }),
            None => {
                let known = self.0.keys().filter_map(|path| path.strip_suffix(".yaml"));
                Err(NotFound::Unknown(known.map(str::to_owned).collect()))
            }
        }
    }

    fn read(&self, path: &str, _from: &str) -> Result<Vec<u8>, String> {
        self.0.get(path).cloned().ok_or_else(|| "no such file".to_owned())
    }
}

/// Compiles a text that stands alone.
pub fn alone(text: &str) -> Compilation {
    bytes(text.as_bytes())
}

/// Compiles bytes that stand alone.
pub fn bytes(bytes: &[u8]) -> Compilation {
    compile("macro.yaml", bytes, &Files::default(), Target::Any)
}

/// The codes of a compilation's diagnostics, in order.
pub fn codes(compiled: &Compilation) -> Vec<&'static str> {
    compiled.diagnostics.iter().map(|found| found.code.text()).collect()
}

/// Every diagnostic: `file:line:column: error[E0101]: message`, then its labels and help, indented.
pub fn short(compiled: &Compilation) -> String {
    compiled.diagnostics.iter().map(|found| one(found, &compiled.sources)).collect()
}

/// The line a diagnostic points at, from 1.
pub fn line(found: &Diagnostic, sources: &SourceMap) -> u32 {
    sources.get(found.span.file).unwrap().place(found.span.start).line
}

/// The text a diagnostic points at.
pub fn pointed(found: &Diagnostic, compiled: &Compilation) -> String {
    compiled.sources.text(found.span).to_owned()
}

fn one(found: &Diagnostic, sources: &SourceMap) -> String {
    let severity = found.severity().name();
    let mut out = format!("{}: {severity}[{}]: {}\n", place(found.span, sources), found.code, found.message);
    for label in &found.labels {
        writeln!(out, "  {}: {}", place(label.span, sources), label.message).unwrap();
    }
    if let Some(help) = &found.help {
        writeln!(out, "  help: {help}").unwrap();
    }
    out
}

fn place(span: Span, sources: &SourceMap) -> String {
    let file = sources.get(span.file).unwrap();
    let at = file.place(span.start);
    format!("{}:{}:{}", file.path, at.line, at.column)
}

/// A path inside the crate.
pub fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Whether expected outputs are to be written instead of compared.
pub fn updating() -> bool {
    std::env::var_os("UPDATE").is_some_and(|value| value == "1")
}
