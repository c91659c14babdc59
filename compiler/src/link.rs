//! Macros that call macros: every one is read and checked once, callees first, and cycles are refused.

use std::collections::HashMap;

use spec::artifact::Meta;
use spec::danger::DangerLevel;
use spec::span::Spanned;
use spec::value::{Dict, Value};

use crate::assets::{Assets, Packer};
use crate::ast::{Body, Definition};
use crate::check::{self, Callee, Surroundings, Target};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, suggest};
use crate::ir::{self, Linked};
use crate::json;
use crate::parse;
use crate::source::SourceMap;
use crate::sources::{NotFound, Sources};
use crate::yaml;

/// The most macros one artifact may link.
const MAX_MACROS: usize = 256;
/// The deepest chain of calls.
const MAX_DEPTH: usize = 64;

/// What linking leaves behind.
pub struct Outcome {
    /// The macros, when the first one could be read.
    pub linked: Option<Linked>,
    /// What was packed.
    pub assets: Assets,
    /// The first macro as it was written.
    pub definition: Option<Definition>,
}

/// Reads, checks and links a macro file.
pub fn link(
    path: &str,
    bytes: &[u8],
    sources: &dyn Sources,
    target: Target,
    map: &mut SourceMap,
    problems: &mut Diagnostics,
) -> Outcome {
    let mut linker = Linker {
        sources,
        target,
        map,
        problems,
        done: HashMap::new(),
        macros: Vec::new(),
        stack: Vec::new(),
        assets: Assets::default(),
        root: folder(path).to_owned(),
        dangerous: false,
    };
    let definition = linker.read(file_name(path), bytes);
    if let Some((definition, sound)) = &definition {
        linker.unit(path, definition, *sound);
    }
    let definition = definition.map(|(definition, _)| definition);
    let dangerous = linker.dangerous;
    let linked = definition
        .as_ref()
        .map(|definition| Linked { macros: linker.macros, meta: meta(definition, target, dangerous) });
    Outcome { linked, assets: linker.assets, definition }
}

struct Linker<'a> {
    sources: &'a dyn Sources,
    target: Target,
    map: &'a mut SourceMap,
    problems: &'a mut Diagnostics,
    /// The place of each macro by its path; `None` for one that could not be read.
    done: HashMap<String, Option<(u32, bool)>>,
    macros: Vec<ir::Macro>,
    /// The paths of the macros being checked, outermost first, with the name each was called by.
    stack: Vec<(String, String)>,
    assets: Assets,
    root: String,
    /// Whether a macro that is called calls itself dangerous.
    dangerous: bool,
}

impl Linker<'_> {
    /// Reads a macro; the flag is whether nothing was wrong with it so far.
    fn read(&mut self, shown: &str, bytes: &[u8]) -> Option<(Definition, bool)> {
        let before = self.problems.errors();
        let file = yaml::open(self.map, shown, bytes, self.problems)?;
        let tree = yaml::read(self.map, file, self.problems)?;
        let definition = parse::parse(&tree, self.map, self.problems)?;
        Some((definition, self.problems.errors() == before))
    }

    /// Checks a macro after the macros it calls. Returns its place.
    fn unit(&mut self, path: &str, definition: &Definition, sound: bool) -> u32 {
        self.stack.push((path.to_owned(), definition.name.node.clone()));
        let mut callees: HashMap<&str, Option<u32>> = HashMap::new();
        for step in definition.steps.iter().chain(&definition.finally) {
            if let Body::Call { name, .. } = &step.body
                && !callees.contains_key(name.node.as_str())
            {
                callees.insert(&name.node, self.callee(name, path));
            }
        }
        self.stack.pop();
        let prefix = relative(&self.root, path);
        let Self { macros, assets, map, problems, target, sources, .. } = self;
        let callees = callees.into_iter().filter_map(|(name, index)| Some((name, callee(macros, index?)?))).collect();
        let mut packer = Packer { sources: *sources, from: path, prefix: &prefix, assets, texts: map };
        let unit = check::check(
            definition,
            sound,
            &mut Surroundings { callees, target: *target, packer: &mut packer, problems },
        );
        self.macros.push(unit);
        self.macros.len() as u32 - 1
    }

    /// The macro a step calls, checked. `None` when there is none or it cannot be called, which is reported.
    fn callee(&mut self, name: &Spanned<String>, from: &str) -> Option<u32> {
        let found = match self.sources.find_macro(&name.node, from) {
            Ok(found) => found,
            Err(reason) => {
                self.not_found(name, reason);
                return None;
            }
        };
        if let Some(at) = self.stack.iter().position(|(path, _)| *path == found.path) {
            let mut names: Vec<&str> = self.stack[at..].iter().map(|(_, name)| name.as_str()).collect();
            names.push(&name.node);
            let problem =
                Diagnostic::new(Code::CallCycle, name.span, format!("`{}` ends up calling itself", name.node));
            let help = format!("the calls go round: {}", names.join(" -> "));
            self.problems.push(problem.help(help));
            return None;
        }
        if let Some(known) = self.done.get(&found.path).copied() {
            let (index, composable) = known?;
            return self.callable(name, index, composable);
        }
        if self.stack.len() >= MAX_DEPTH || self.macros.len() >= MAX_MACROS {
            let message = format!("too many macros: calls may be {MAX_DEPTH} deep and reach {MAX_MACROS} macros");
            self.problems.push(Diagnostic::new(Code::LimitExceeded, name.span, message));
            return None;
        }
        let before = self.problems.errors();
        let shown = relative_file(&self.root, &found.path);
        let index = self.read(&shown, &found.bytes).map(|(definition, sound)| {
            self.dangerous |= is_dangerous(&definition.agent_hints);
            let index = self.unit(&found.path, &definition, sound);
            (index, definition.composable)
        });
        self.done.insert(found.path, index);
        if self.problems.errors() > before {
            let message = format!("macro `{}` has mistakes of its own", name.node);
            self.problems.push(Diagnostic::new(Code::BrokenCallee, name.span, message));
        }
        let (index, composable) = index?;
        self.callable(name, index, composable)
    }

    fn callable(&mut self, name: &Spanned<String>, index: u32, composable: bool) -> Option<u32> {
        if !composable {
            let problem = Diagnostic::new(
                Code::NotComposable,
                name.span,
                format!("macro `{}` is not made to be called", name.node),
            );
            self.problems.push(problem.help("write `composable: true` in it"));
        }
        Some(index)
    }

    fn not_found(&mut self, name: &Spanned<String>, reason: NotFound) {
        let problem = |message: String| Diagnostic::new(Code::UnknownMacro, name.span, message);
        let problem = match reason {
            NotFound::Unknown(known) => {
                let mut known: Vec<&str> = known.iter().map(String::as_str).collect();
                known.truncate(50);
                problem(format!("no macro is called `{}`", name.node)).help(suggest::help(&name.node, &known))
            }
            NotFound::Ambiguous(paths) => problem(format!("several files define `{}`", name.node))
                .help(format!("they are {}", paths.join(" and "))),
            NotFound::Unreadable(reason) => problem(format!("macro `{}` cannot be read: {reason}", name.node)),
        };
        self.problems.push(problem);
    }
}

fn callee(macros: &[ir::Macro], index: u32) -> Option<Callee<'_>> {
    macros.get(index as usize).map(|unit| Callee { index, unit })
}

fn meta(definition: &Definition, target: Target, dangerous: bool) -> Meta {
    let mut hints = definition.agent_hints.clone();
    // A macro is as dangerous as those it calls.
    if dangerous {
        let mut entries = if let Value::Dict(entries) = hints { entries } else { Dict::new() };
        entries.insert(DangerLevel::KEY.to_owned(), Value::String(DangerLevel::Dangerous.name().to_owned()));
        hints = Value::Dict(entries);
    }
    Meta {
        name: definition.name.node.clone(),
        version: definition.version.clone(),
        description: definition.description.clone(),
        tags: definition.tags.clone(),
        composable: definition.composable,
        target: target.name().to_owned(),
        agent_hints: json::text(&hints),
        producer: concat!("macrocli ", env!("CARGO_PKG_VERSION")).to_owned(),
    }
}

fn is_dangerous(hints: &Value) -> bool {
    let level = if let Value::Dict(entries) = hints { entries.get(DangerLevel::KEY) } else { None };
    matches!(level, Some(Value::String(word)) if DangerLevel::of(word) == DangerLevel::Dangerous)
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// A file as it is called in messages and artifacts: relative to the root's folder, or its name when it lies elsewhere, so that the
/// place of the sources does not change an artifact.
fn relative_file(root: &str, path: &str) -> String {
    let inside =
        if root.is_empty() { Some(path) } else { path.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')) };
    inside.filter(|rest| !rest.is_empty() && !rest.starts_with('/')).unwrap_or(file_name(path)).to_owned()
}

/// The folder of a file, relative to the root's.
fn relative(root: &str, path: &str) -> String {
    folder(&relative_file(root, path)).to_owned()
}

#[cfg(test)]
mod tests {
    use super::relative_file;

    #[test]
    fn files_are_named_from_the_folder_of_the_root() {
        assert_eq!(relative_file("/tmp/a", "/tmp/a/b/x.yaml"), "b/x.yaml");
        assert_eq!(relative_file("/tmp/a", "/tmp/ab/x.yaml"), "x.yaml");
        assert_eq!(relative_file("", "b/x.yaml"), "b/x.yaml");
        assert_eq!(relative_file("", "/b/x.yaml"), "x.yaml");
        assert_eq!(relative_file("/", "/x.yaml"), "x.yaml");
    }
}
