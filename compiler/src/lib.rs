//! Macro text in, artifact or diagnostics out; pure.
//!
//! The modules in the order of the data: `source` `yaml` `expr` `ast` `parse` `check` `ir` `lower`; `link` joins macros that call each
//! other, `assets` packs the files they name.

mod assets;
pub mod ast;
mod check;
pub mod diagnostic;
mod expr;
mod ir;
mod json;
mod link;
mod lower;
mod manifest;
mod parse;
pub mod source;
pub mod sources;
pub mod yaml;

use spec::artifact::Artifact;
use spec::span::{FileId, Span};

use ast::Definition;
pub use check::Target;
use diagnostic::{Code, Diagnostic, Diagnostics};
use source::SourceMap;
use sources::Sources;

/// What became of a macro file.
#[derive(Clone, Debug)]
pub struct Compilation {
    /// The artifact, when there was no error.
    pub artifact: Option<Artifact>,
    /// Everything found, by file and place.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts the diagnostics point into.
    pub sources: SourceMap,
    /// The macro as written, when the file could be read so far.
    pub definition: Option<Definition>,
}

/// Compiles a macro file with all it calls: the whole pipeline.
///
/// `path` names the file in messages by its last part and is where relative paths start; only `sources` opens files.
pub fn compile(path: &str, bytes: &[u8], sources: &dyn Sources, target: Target) -> Compilation {
    let mut map = SourceMap::default();
    let mut problems = Diagnostics::default();
    let outcome = link::link(path, bytes, sources, target, &mut map, &mut problems);
    let sound = problems.errors() == 0;
    let linked = outcome.linked.filter(|_| sound);
    let artifact = linked.map(|linked| lower::lower(&linked, &map, outcome.assets));
    let artifact = artifact.filter(|artifact| match check::oversize(artifact) {
        Some(message) => {
            let start = Span::new(FileId(0), 0..0);
            problems.push(Diagnostic::new(Code::LimitExceeded, start, message).help("split it into several macros"));
            false
        }
        None => true,
    });
    Compilation { artifact, diagnostics: problems.into_sorted(), sources: map, definition: outcome.definition }
}

/// Reads a macro file as far as its text goes: shapes and keys are checked, names, types and the macros it calls are not.
pub fn read(path: &str, bytes: &[u8]) -> Compilation {
    let mut map = SourceMap::default();
    let mut problems = Diagnostics::default();
    let definition = yaml::open(&mut map, path, bytes, &mut problems)
        .and_then(|file| yaml::read(&map, file, &mut problems))
        .and_then(|tree| parse::parse(&tree, &map, &mut problems));
    Compilation { artifact: None, diagnostics: problems.into_sorted(), sources: map, definition }
}
