//! Text to a tree of values that know where they were written.
//!
//! The language is YAML 1.2 with the core schema. This module is the only place that names the YAML crate, and it knows
//! nothing of macros: what a key means is decided by later passes.

mod build;
pub mod decode;
mod fault;
mod full;
pub mod limits;
mod merge;
mod quick;
mod reports;
mod schema;
mod tab;
mod tag;
mod tree;
mod vet;

pub use schema::Resolved;
pub use tag::CoreTag;
pub use tree::{Entry, Kind, Node, Scalar};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{SourceFile, SourceMap};
use build::Builder;
use reports::Reports;
use spec::span::{FileId, Span};

/// Decodes the bytes of a file and adds their text to `sources`.
///
/// `None` when the file is too large or not text; the reason is then in `problems`, placed in the part of the file that
/// could be decoded, which is added to `sources` in the file's place.
pub fn open(sources: &mut SourceMap, path: &str, bytes: &[u8], problems: &mut Diagnostics) -> Option<FileId> {
    if bytes.len() > limits::MAX_BYTES {
        let file = sources.add(path, "");
        problems.push(too_large(file, bytes.len()));
        return None;
    }
    match decode::decode(bytes) {
        Ok(text) => Some(sources.add(path, text)),
        Err(error) => {
            let end = error.valid.len();
            let file = sources.add(path, error.valid);
            problems.push(Diagnostic::new(Code::NotUtf8, Span::new(file, end..end), error.message).help(decode::HELP));
            None
        }
    }
}

/// Reads the one document of `file` into a tree.
///
/// Everything found is reported into `problems`. `None` when there is no tree later passes could trust: the text is not
/// YAML, holds no document, exceeds a limit, or has an alias without a value. A tree is returned beside errors that
/// leave it whole, such as duplicate keys (the first one stands), so that later passes can report what they find.
pub fn read<'s>(sources: &'s SourceMap, file: FileId, problems: &mut Diagnostics) -> Option<Node<'s>> {
    let source = sources.get(file)?;
    if source.text.len() > limits::MAX_BYTES {
        problems.push(too_large(file, source.text.len()));
        return None;
    }
    if let Some(problem) = vet::control_character(file, &source.text) {
        problems.push(problem);
        return None;
    }
    let (tree, reports) = tree(source, file);
    reports.hand_to(problems);
    tree
}

/// By the quick reader where it can be, which the full one cannot be told from.
fn tree(source: &SourceFile, file: FileId) -> (Option<Node<'_>>, Reports) {
    let mut builder = Builder::new(source, file);
    if quick::read(&mut builder).is_ok() {
        return builder.finish();
    }
    full::tree(source, file)
}

fn too_large(file: FileId, bytes: usize) -> Diagnostic {
    let message = format!("the file has {bytes} bytes; a macro may have {}", limits::MAX_BYTES);
    Diagnostic::new(Code::LimitExceeded, Span::new(file, 0..0), message)
        .help("move long texts into files of their own and read them with a step")
}

#[cfg(test)]
mod tests;
