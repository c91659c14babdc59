//! Many macro files at once: gathered from files and folders, and worked on in parallel with a steady order of results.

use std::collections::HashSet;
use std::path::PathBuf;

use rayon::ThreadPoolBuilder;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use crate::compile;
use crate::files::{self, Kind, Walk};
use crate::findings::Findings;
use crate::progress::Progress;
use crate::registry::manifest;
use crate::registry::source::Source;
use crate::trouble::Trouble;

/// The stack of a thread that compiles, in bytes: as much as a main thread has.
const STACK: usize = 8 << 20;

/// The macro files that were asked for.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The files, sorted by path, each once.
    pub sources: Vec<Source>,
    /// Files that cannot be read, and why, in words that follow a path.
    pub broken: Vec<(Source, String)>,
    /// Mistakes in manifests.
    pub manifests: Findings,
}

impl Gathered {
    /// What is wrong before anything is compiled.
    pub fn findings(&self) -> Findings {
        self.broken.iter().fold(self.manifests.clone(), |mut findings, (source, reason)| {
            findings.extend(compile::unreadable(source, reason));
            findings
        })
    }
}

/// The YAML files of files and folders; `-` is standard input.
///
/// # Errors
/// When a path is not there, or there is no macro at all.
pub fn gather(paths: &[PathBuf]) -> Result<Gathered, Trouble> {
    let mut gathered = Gathered::default();
    let mut seen = HashSet::new();
    let mut add = |gathered: &mut Gathered, source: Source| {
        if seen.insert(source.identity()) {
            gathered.sources.push(source);
        }
    };
    for path in paths {
        let shown = path.display();
        if path.as_os_str() == "-" {
            add(&mut gathered, Source::stdin());
        } else if path.is_dir() {
            let found = files::walk(path, Walk::Deep);
            for file in found.into_iter().filter(|file| file.kind != Some(Kind::Artifact)) {
                let source = Source::file(&file.path);
                match file.problem {
                    None => add(&mut gathered, source),
                    Some(problem) => gathered.broken.push((source, problem)),
                }
            }
            gathered.manifests.extend(manifest::read(path).findings);
        } else if path.symlink_metadata().is_err() {
            return Err(Trouble::usage(format!("no such file or folder `{shown}`")));
        } else if Kind::of(path) == Some(Kind::Artifact) {
            return Err(Trouble::usage(format!("`{shown}` is compiled already")).hint("give the YAML it was made of"));
        } else {
            add(&mut gathered, Source::file(path));
        }
    }
    if gathered.sources.is_empty() && gathered.broken.is_empty() && gathered.manifests.list.is_empty() {
        let paths: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
        return Err(Trouble::usage(format!("no macro file in {}", paths.join(", ")))
            .hint("macro files end in `.yaml` or `.yml`"));
    }
    gathered.sources.sort_by(|a, b| a.location.cmp(&b.location));
    Ok(gathered)
}

/// Works on each item, on all processors where there are several items. The results are in the order of the items.
pub fn each<I: Send, T: Send>(items: Vec<I>, progress: &Progress, work: impl Fn(I) -> T + Sync) -> Vec<T> {
    let step = |item: I| {
        let done = work(item);
        progress.step();
        done
    };
    if items.len() < 2 {
        return items.into_iter().map(step).collect();
    }
    // A second call finds the pool as the first one made it.
    let _ = ThreadPoolBuilder::new().stack_size(STACK).build_global();
    items.into_par_iter().with_min_len(1).map(step).collect()
}
