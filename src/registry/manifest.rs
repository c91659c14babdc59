//! `manifest.yaml`: a folder's list of its macros. What it does not list is found too; what it lists wrongly is reported.

use std::path::Path;

use compiler::diagnostic::{Code, Diagnostic, Diagnostics, suggest};
use compiler::source::SourceMap;
use compiler::yaml::{self, Node};
use spec::span::{Span, Spanned};

use crate::files;
use crate::findings::Findings;
use crate::registry::name;
use crate::registry::source::Source;

const KEYS: &[&str] = &["macros"];
const ENTRY_KEYS: &[&str] = &["name", "path", "version"];

/// What a manifest says.
#[derive(Debug, Default)]
pub struct Manifest {
    /// The files it lists and that are there.
    pub files: Vec<Source>,
    /// What is wrong with it.
    pub findings: Findings,
}

/// Reads the manifest of a folder; a folder without one has an empty manifest.
pub fn read(folder: &Path) -> Manifest {
    let candidates = ["manifest.yaml", "manifest.yml"].map(|name| folder.join(name));
    let Some(path) = candidates.iter().find(|path| path.symlink_metadata().is_ok()) else { return Manifest::default() };
    let shown = path.display().to_string();
    let bytes = match files::read(path, files::TEXT_LIMIT) {
        Ok(bytes) => bytes,
        Err(reason) => {
            let findings =
                Findings::one(Code::UnreadableMacro, &shown, format!("the manifest cannot be read: {reason}"));
            return Manifest { files: Vec::new(), findings };
        }
    };
    let (mut map, mut problems) = (SourceMap::default(), Diagnostics::default());
    let file = yaml::open(&mut map, &shown, &bytes, &mut problems);
    let tree = file.and_then(|file| yaml::read(&map, file, &mut problems));
    let mut reader = Reader { folder, problems, files: Vec::new() };
    if let Some(tree) = &tree {
        reader.document(tree);
    }
    let Reader { problems, files, .. } = reader;
    Manifest { files, findings: Findings::of(&problems.into_sorted(), &map, |_, path| path.to_owned()) }
}

struct Reader<'a> {
    folder: &'a Path,
    problems: Diagnostics,
    files: Vec<Source>,
}

impl Reader<'_> {
    fn document(&mut self, tree: &Node) {
        if tree.map().is_none() {
            return self.report(Code::WrongShape, tree.span, "a manifest must be a mapping with `macros`", None);
        }
        let Some(macros) = self.fields(tree, KEYS).into_iter().next().map(|(_, node)| node) else {
            return self.report(Code::MissingKey, tree.span, "`macros` is missing in a manifest", None);
        };
        match macros.list() {
            Some(entries) => entries.iter().for_each(|entry| self.entry(entry)),
            None if macros.is_null() => {}
            None => self.report(Code::WrongShape, macros.span, "`macros` must be a list", None),
        }
    }

    /// An entry: a path, or a mapping with a path.
    fn entry(&mut self, entry: &Node) {
        if let Some(scalar) = entry.scalar().filter(|_| !entry.is_null()) {
            self.listed(&Spanned::new(scalar.text.to_string(), entry.span), None, None);
            return;
        }
        if entry.map().is_none() {
            return self.report(
                Code::WrongShape,
                entry.span,
                "a macro of a manifest is a path, or a mapping with `path`",
                None,
            );
        }
        let [mut name, mut path, mut version] = [None, None, None];
        for (key, node) in self.fields(entry, ENTRY_KEYS) {
            let Some(scalar) = node.scalar().filter(|_| !node.is_null()) else {
                self.report(Code::WrongShape, node.span, &format!("`{key}` must be a text"), None);
                continue;
            };
            let text = Some(Spanned::new(scalar.text.to_string(), node.span));
            match key {
                "name" => name = text,
                "path" => path = text,
                _ => version = text,
            }
        }
        match path {
            Some(path) => self.listed(&path, name, version),
            None => self.report(Code::MissingKey, entry.span, "`path` is missing in a macro of the manifest", None),
        }
    }

    fn listed(&mut self, path: &Spanned<String>, name: Option<Spanned<String>>, version: Option<Spanned<String>>) {
        let file = files::join(self.folder, &path.node);
        let source = Source::file(&file);
        let bytes = match source.read() {
            Ok(bytes) if files::Kind::of(&file).is_some() => bytes,
            Ok(_) => {
                let help = "a macro's file ends in `.yaml`, `.yml` or `.mcb`";
                return self.report(Code::BadManifest, path.span, &format!("`{}` is no macro", path.node), Some(help));
            }
            Err(reason) => {
                return self.report(Code::BadManifest, path.span, &format!("`{}`: {reason}", path.node), None);
            }
        };
        if self.files.contains(&source) {
            self.report(Code::BadManifest, path.span, &format!("`{}` is listed twice", path.node), None);
            return;
        }
        let found = match source.kind {
            files::Kind::Artifact => None,
            files::Kind::Yaml => compiler::read("", &bytes).definition,
        };
        if let Some(definition) = found {
            self.compare("name", name, name::declared(&definition));
            self.compare("version", version, Some(&definition.version));
        }
        self.files.push(source);
    }

    fn compare(&mut self, key: &str, said: Option<Spanned<String>>, found: Option<&str>) {
        if let (Some(said), Some(found)) = (said, found)
            && said.node != found
        {
            let message = format!("the manifest says {key} `{}`, the macro's file says `{found}`", said.node);
            self.report(Code::BadManifest, said.span, &message, None);
        }
    }

    /// The values of known keys, in the order of `keys`; others are reported.
    fn fields<'n>(&mut self, node: &'n Node<'n>, keys: &[&'static str]) -> Vec<(&'static str, &'n Node<'n>)> {
        let entries = node.map().unwrap_or_default();
        for entry in entries {
            let key = &*entry.key.node;
            if !keys.contains(&key) && !key.starts_with('_') && !key.starts_with("x-") {
                let message = format!("unknown key `{key}` in a manifest");
                self.report(Code::UnknownKey, entry.key.span, &message, Some(&suggest::help(key, keys)));
            }
        }
        let value = |key: &&'static str| Some((*key, &entries.iter().find(|entry| entry.key.node == *key)?.value));
        keys.iter().filter_map(value).collect()
    }

    fn report(&mut self, code: Code, span: Span, message: &str, help: Option<&str>) {
        self.problems.push(Diagnostic::new(code, span, message).help_if(help.map(str::to_owned)));
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::registry::manifest;

    fn codes(text: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.yaml"), "name: a\nversion: 1.0\nsteps: []\n").unwrap();
        fs::write(folder.path().join("b.txt"), "").unwrap();
        fs::write(folder.path().join("manifest.yaml"), text).unwrap();
        let found = manifest::read(folder.path());
        found.findings.list.iter().map(|finding| format!("{}:{}", finding.spot.start.0, finding.code)).collect()
    }

    #[test]
    fn wrong_entries_are_reported_with_their_lines() {
        assert!(codes("macros:\n  - a.yaml\n").is_empty());
        assert!(codes("macros:\n  - {name: a, path: ./a.yaml, version: \"1.0\"}\n_note: x\n").is_empty());
        assert_eq!(codes("macros:\n  - {name: b, path: a.yaml, version: 2}\n"), ["2:E0111", "2:E0111"]);
        assert_eq!(
            codes("macros:\n  - c.yaml\n  - b.txt\n  - a.yaml\n  - a.yaml\n"),
            ["2:E0111", "3:E0111", "5:E0111"]
        );
        assert_eq!(codes("macro: []\n"), ["1:E0101", "1:E0103"]);
        assert_eq!(codes("macros:\n  - []\n  - {name: a}\n  - {path: {}}\n").len(), 4);
        assert_eq!(codes("macros: [\n").len(), 1);
        assert!(codes("macros:\n").is_empty());
    }
}
