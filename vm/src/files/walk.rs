//! From a path to a place, as the system walks it: part by part, links followed, but with changes taken into account.

use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::edit::file::{FileError, FileErrorKind};

/// The longest path Linux takes, in bytes.
const PATH_LIMIT: usize = 4096;

/// How many links a walk follows; the limit of Linux.
const LINKS: usize = 40;

/// What a change has left at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    Folder,
    File,
    Nothing,
}

/// Where a path leads.
#[derive(Debug)]
pub(crate) struct Place {
    /// The absolute name without links and `..`. The same for every path that leads there.
    pub(crate) key: PathBuf,
    /// Whether the last part was a link.
    pub(crate) through_link: bool,
    pub(crate) folder: Folder,
}

/// What the folder of a place is.
#[derive(Debug)]
pub(crate) enum Folder {
    /// A real one: what is in it, unless changed, is real too.
    Real,
    /// One made by a change, empty but for other changes.
    Made,
    /// None, for this reason.
    Missing(FileErrorKind),
}

/// Walks along `path`; its last part is followed when it is a link and `follow` says so. `known` tells the changes.
///
/// # Errors
/// The path is empty or too long, links have no end, or a folder may not be searched.
pub(crate) fn walk(path: &Path, follow: bool, known: &dyn Fn(&Path) -> Option<Known>) -> Result<Place, FileError> {
    if path.as_os_str().is_empty() {
        return Err(FileError::new(path, FileErrorKind::EmptyPath));
    }
    if path.as_os_str().len() > PATH_LIMIT {
        return Err(FileError::new(path, FileErrorKind::TooLong));
    }
    let absolute = std::path::absolute(path).map_err(|error| FileError::io(path, &error))?;
    let mut walk = Walk { path, key: PathBuf::new(), ahead: parts(&absolute), folder: Folder::Real, known };
    let mut links = 0;
    let mut through_link = false;
    while let Some(part) = walk.ahead.pop() {
        let last = walk.ahead.is_empty();
        match part {
            Part::Start(start) => walk.key.push(start),
            Part::Up => walk.up(),
            Part::Name(name) => {
                walk.key.push(name);
                let link = walk.is_link()?;
                if (last && !follow) || !link {
                    if !last {
                        walk.enter()?;
                    }
                    continue;
                }
                links += 1;
                if links > LINKS {
                    return Err(FileError::new(path, FileErrorKind::LinkLoop));
                }
                through_link |= last;
                let target = std::fs::read_link(&walk.key).map_err(|error| FileError::io(path, &error))?;
                walk.key.pop();
                walk.ahead.extend(parts(&target));
            }
        }
    }
    Ok(Place { key: walk.key, through_link, folder: walk.folder })
}

/// A part of a path still to be walked.
enum Part {
    Start(OsString),
    Up,
    Name(OsString),
}

/// The parts of a path, the first one last.
fn parts(path: &Path) -> Vec<Part> {
    let part = |component: Component<'_>| match component {
        Component::Prefix(_) | Component::RootDir => Some(Part::Start(component.as_os_str().to_owned())),
        Component::ParentDir => Some(Part::Up),
        Component::Normal(name) => Some(Part::Name(name.to_owned())),
        Component::CurDir => None,
    };
    path.components().rev().filter_map(part).collect()
}

struct Walk<'a> {
    path: &'a Path,
    key: PathBuf,
    ahead: Vec<Part>,
    folder: Folder,
    known: &'a dyn Fn(&Path) -> Option<Known>,
}

impl Walk<'_> {
    /// Whether a link is at `key`; the system also tells here whether a name is too long.
    fn is_link(&self) -> Result<bool, FileError> {
        if !matches!(self.folder, Folder::Real) || (self.known)(&self.key).is_some() {
            return Ok(false);
        }
        match std::fs::symlink_metadata(&self.key) {
            Ok(metadata) => Ok(metadata.is_symlink()),
            Err(error) if error.kind() == io::ErrorKind::InvalidFilename => Err(FileError::io(self.path, &error)),
            Err(_) => Ok(false),
        }
    }

    /// Goes into the folder at `key`.
    fn enter(&mut self) -> Result<(), FileError> {
        if matches!(self.folder, Folder::Missing(_)) {
            return Ok(());
        }
        self.folder = match (self.known)(&self.key) {
            Some(Known::Folder) => Folder::Made,
            Some(Known::File) => Folder::Missing(FileErrorKind::NotAFolder),
            Some(Known::Nothing) => Folder::Missing(FileErrorKind::NotFound),
            None if matches!(self.folder, Folder::Made) => Folder::Missing(FileErrorKind::NotFound),
            None => match std::fs::metadata(&self.key) {
                Ok(metadata) if metadata.is_dir() => Folder::Real,
                Ok(_) => Folder::Missing(FileErrorKind::NotAFolder),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Folder::Missing(FileErrorKind::NotFound),
                Err(error) => return Err(FileError::io(self.path, &error)),
            },
        };
        Ok(())
    }

    /// Goes to the folder around the one just entered. Out of one that is missing there is no way.
    fn up(&mut self) {
        self.key.pop();
        if matches!(self.folder, Folder::Made) && (self.known)(&self.key) != Some(Known::Folder) {
            self.folder = Folder::Real;
        }
    }
}
