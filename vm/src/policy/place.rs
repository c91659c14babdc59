//! Where a path really leads.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::edit::file::expand;

/// The most links that are followed, as systems do.
const MOST_LINKS: usize = 40;

/// A path as actions have it, absolute: `~/` is the home folder, other relative paths begin in the current one. `None` when there is no
/// such folder.
pub fn absolute(path: &str) -> Option<PathBuf> {
    let path = expand(path).ok()?;
    if path.is_absolute() { Some(path) } else { Some(std::env::current_dir().ok()?.join(path)) }
}

/// Where an absolute path leads, as the system would go: links are followed as far as something exists, and `..` goes up from where they
/// lead. `None` when links lead in a circle.
pub fn real(path: &Path) -> Option<PathBuf> {
    walk(path, true, &mut |_| ())
}

/// The same, but the last part stays as it is named: a link is that link.
pub fn named(path: &Path) -> Option<PathBuf> {
    walk(path, false, &mut |_| ())
}

/// Every folder and link on the way to where an absolute path leads, and its end.
pub fn passed(path: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    walk(path, true, &mut |place| all.push(place.to_owned()));
    all
}

fn walk(path: &Path, follow_last: bool, pass: &mut dyn FnMut(&Path)) -> Option<PathBuf> {
    let mut ahead: VecDeque<OsString> = parts(path);
    let mut at = root(path);
    let mut links = 0;
    while let Some(part) = ahead.pop_front() {
        if part == ".." {
            at.pop();
            continue;
        }
        let next = at.join(&part);
        pass(&next);
        let target = if ahead.is_empty() && !follow_last { None } else { std::fs::read_link(&next).ok() };
        let Some(target) = target else {
            at = next;
            continue;
        };
        links += 1;
        if links > MOST_LINKS {
            return None;
        }
        if target.is_absolute() {
            at = root(&target);
        }
        for part in parts(&target).into_iter().rev() {
            ahead.push_front(part);
        }
    }
    Some(at)
}

/// The names of a path, with `..` and without `.`.
fn parts(path: &Path) -> VecDeque<OsString> {
    let named = |component: Component<'_>| match component {
        Component::Normal(part) => Some(part.to_owned()),
        Component::ParentDir => Some(OsString::from("..")),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    };
    path.components().filter_map(named).collect()
}

fn root(path: &Path) -> PathBuf {
    let is_root = |component: &Component<'_>| matches!(component, Component::Prefix(_) | Component::RootDir);
    path.components().take_while(is_root).collect()
}
