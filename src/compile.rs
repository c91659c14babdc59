//! One macro file through the compiler, with its files and names found and its diagnostics made ready to print.

use std::path::Path;

use compiler::Target;
use compiler::ast::Definition;
use compiler::diagnostic::{Code, Diagnostic, Severity};
use compiler::source::SourceMap;
use compiler::sources::{Found, NotFound, Sources};
use spec::artifact::Artifact;

use crate::args::TargetName;
use crate::engine;
use crate::findings::Findings;
use crate::registry::Registry;
use crate::registry::bounds::Bounds;
use crate::registry::library::{Library, Query, Record};
use crate::registry::source::Source;

/// A compiled macro file.
pub struct Compiled {
    /// The artifact, when there was no error.
    pub artifact: Option<Artifact>,
    /// The macro as written, when the file could be read so far.
    pub definition: Option<Definition>,
    /// What is wrong.
    pub findings: Findings,
    /// What was asked for on the way.
    pub queries: Vec<Query>,
}

/// Reads and compiles a macro file.
pub fn file(registry: &Registry, source: &Source, target: Target) -> Compiled {
    match source.read() {
        Ok(bytes) => text(registry, source, &bytes, target),
        Err(reason) => {
            Compiled { artifact: None, definition: None, findings: unreadable(source, &reason), queries: Vec::new() }
        }
    }
}

/// Compiles the text of a macro file.
pub fn text(registry: &Registry, source: &Source, bytes: &[u8], target: Target) -> Compiled {
    with(Library::new(registry), source, bytes, target)
}

/// Compiles the text of a macro whose author is not to see files outside of some bounds.
pub fn untrusted(registry: &Registry, source: &Source, bytes: &[u8], target: Target, bounds: Bounds) -> Compiled {
    with(Library::within(registry, bounds), source, bytes, target)
}

fn with(library: Library<'_>, source: &Source, bytes: &[u8], target: Target) -> Compiled {
    let identity = source.identity();
    let compilation = compiler::compile(&identity, bytes, &library, target);
    let Record { queries, paths } = library.into_record();
    let shown = Shown { source, identity: &identity, paths: &paths };
    let findings = Findings::of(&compilation.diagnostics, &compilation.sources, |index, path| shown.path(index, path));
    Compiled { artifact: compilation.artifact, definition: compilation.definition, findings, queries }
}

/// Reads a macro file without checking names and types.
pub fn read(source: &Source, bytes: &[u8]) -> (Option<Definition>, Findings, SourceMap) {
    let compilation = compiler::read(&source.shown, bytes);
    let findings = Findings::of(&compilation.diagnostics, &compilation.sources, |_, path| path.to_owned());
    (compilation.definition, findings, compilation.sources)
}

/// Whether a macro is right, as far as that can be told without its recordings and images: what a list of macros needs to know.
///
/// # Errors
/// The first error, by place.
pub fn judge(registry: &Registry, source: &Source, bytes: &[u8]) -> Result<Definition, String> {
    let library = WithoutAssets(Library::new(registry));
    let compilation = compiler::compile(&source.identity(), bytes, &library, Target::Any);
    let is_error = |found: &&Diagnostic| found.severity() == Severity::Error && found.code != Code::UnreadableFile;
    if let Some(error) = compilation.diagnostics.iter().find(is_error) {
        let file = compilation.sources.get(error.span.file);
        let line = file.map_or(1, |file| file.place(error.span.start).line);
        return Err(format!("line {line}: {}", error.message));
    }
    compilation.definition.ok_or_else(|| "it cannot be read".to_owned())
}

/// Macros, but none of the files they pack.
struct WithoutAssets<'a>(Library<'a>);

impl Sources for WithoutAssets<'_> {
    fn find_macro(&self, name: &str, from: &str) -> Result<Found, NotFound> {
        self.0.find_macro(name, from)
    }

    fn read(&self, _path: &str, _from: &str) -> Result<Vec<u8>, String> {
        Err("not looked at".to_owned())
    }
}

/// What there is to say of a macro file that cannot be read.
pub fn unreadable(source: &Source, reason: &str) -> Findings {
    Findings::one(Code::UnreadableMacro, &source.shown, format!("the macro cannot be read: {reason}"))
}

/// The compiler's target for the one the command line names.
pub fn target(name: TargetName) -> Target {
    match name {
        TargetName::Host => engine::host(),
        TargetName::Named(target) => target,
    }
}

/// The user's names for the compiler's names of files.
struct Shown<'a> {
    source: &'a Source,
    identity: &'a str,
    /// The other files, as the compiler was given them.
    paths: &'a [String],
}

impl Shown<'_> {
    /// The compiler names the first file by its name, files below its folder relative to that, and all others by their names alone.
    fn path(&self, index: usize, path: &str) -> String {
        if index == 0 {
            return self.source.shown.clone();
        }
        let below = |whole: &&String| whole.strip_suffix(path).is_some_and(|before| before.ends_with('/'));
        let own = folder(self.identity);
        let beside = format!("{own}/{path}");
        let whole = self.paths.iter().find(|whole| **whole == beside).or_else(|| self.paths.iter().find(below));
        match whole {
            Some(whole) => self.display(whole, own),
            None => join(folder(&self.source.shown), path),
        }
    }

    fn display(&self, whole: &str, own: &str) -> String {
        if let Some(inside) = whole.strip_prefix(own).and_then(|rest| rest.strip_prefix('/')) {
            return join(folder(&self.source.shown), inside);
        }
        let here = std::env::current_dir().ok().and_then(|here| here.canonicalize().ok());
        let near =
            here.and_then(|here| Path::new(whole).strip_prefix(here).ok().map(|path| path.display().to_string()));
        near.unwrap_or_else(|| whole.to_owned())
    }
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn join(folder: &str, path: &str) -> String {
    if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") }
}
