//! Files whose changes stay in memory: what a dry run reads is real, unless it would have been changed before.

use std::collections::HashMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::edit::Cancelled;
use crate::edit::file::{self, Copied, FileError, FileErrorKind, Observation, Target, folder, identity, target};
use crate::files::Files;
use crate::files::walk::{Folder, Known, Place, walk};

/// How much one overlay keeps, in bytes: contents and names together.
const LIMIT: u64 = 256 << 20;

/// Files whose changes stay in memory. Clones share them.
///
/// It refuses what the real file system would refuse: missing folders, directories in a file's place, modes that forbid
/// writing. A copy of a real file keeps its name and not its bytes.
#[derive(Clone, Debug, Default)]
pub struct OverlayFiles(Arc<Mutex<State>>);

/// A change that was kept from the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What would have been done.
    pub kind: ChangeKind,
    /// The path as it was given.
    pub path: PathBuf,
    /// The new size in bytes; 0 for folders and deletions.
    pub bytes: u64,
}

/// What would have been done to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// A file would have been written.
    Write,
    /// A file would have been written as a copy.
    Copy,
    /// A folder would have been made.
    MakeDir,
    /// A file would have been deleted.
    Delete,
}

impl OverlayFiles {
    /// The changes so far, in order.
    pub fn changes(&self) -> Vec<Change> {
        self.state().changes.clone()
    }

    /// Whether a file could be written at `path`, told without writing it.
    ///
    /// # Errors
    /// As [`Files::write`].
    pub fn check_writable(&self, path: &Path) -> Result<(), FileError> {
        self.state().spot(path).map(drop)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Files for OverlayFiles {
    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
        let found = self.state().find(path, true)?;
        match found.content(path)? {
            None => file::read(path, limit),
            Some(Content::Bytes(bytes)) if bytes.len() as u64 > limit => {
                Err(FileError::new(path, FileErrorKind::TooLarge { limit }))
            }
            Some(Content::Bytes(bytes)) => Ok(bytes.to_vec()),
            Some(Content::CopyOf { src, .. }) => file::read(&src, limit),
        }
    }

    fn observe(&self, path: &Path) -> Observation {
        let Ok(found) = self.state().find(path, true) else { return file::observe(path) };
        match found.there {
            There::Real => file::observe(path),
            There::File(content) => Observation::Size(content.size()),
            There::Folder => Observation::Directory,
            There::Nothing if found.through_link => Observation::Dangling,
            There::Nothing => Observation::Missing,
        }
    }

    fn contains(&self, path: &Path, needle: &[u8], cancelled: Cancelled<'_>) -> Result<bool, FileError> {
        let found = self.state().find(path, true)?;
        match found.content(path)? {
            None => file::contains(path, needle, cancelled),
            Some(Content::Bytes(bytes)) => Ok(memchr::memmem::find(&bytes, needle).is_some()),
            Some(Content::CopyOf { src, .. }) => file::contains(&src, needle, cancelled),
        }
    }

    fn write(&mut self, path: &Path, bytes: &[u8]) -> Result<bool, FileError> {
        let mut state = self.state();
        let Some(key) = state.spot(path)? else { return Ok(false) };
        let same = |src: &Path| file::read(src, bytes.len() as u64).is_ok_and(|old| old == bytes);
        let untouched = match state.entries.get(&key) {
            Some(Entry::File(Content::Bytes(old))) => **old == *bytes,
            Some(Entry::File(Content::CopyOf { src, .. })) => same(src),
            Some(Entry::Folder | Entry::Gone) => false,
            None => same(&key),
        };
        if untouched {
            return Ok(false);
        }
        let content = Content::Bytes(bytes.into());
        state.put(path, key, Entry::File(content), ChangeKind::Write).map(|()| true)
    }

    fn copy(&mut self, src: &Path, dst: &Path, _: Cancelled<'_>) -> Result<Copied, FileError> {
        let dst = match (self.observe(dst), src.file_name()) {
            (Observation::Directory, Some(name)) => dst.join(name),
            _ => dst.to_owned(),
        };
        let mut state = self.state();
        let source = state.find(src, true)?;
        let from = source.key.clone();
        let content = match source.content(src)? {
            Some(content) => content,
            None => whole_file(src, &from)?,
        };
        let size = content.size();
        let Some(key) = state.spot(&dst)? else { return Ok(Copied { dst, size }) };
        let both_real = !state.entries.contains_key(&from) && !state.entries.contains_key(&key);
        if from == key || (both_real && is_one_file(&from, &key)) {
            return Err(FileError::new(src, FileErrorKind::SameFile(dst)));
        }
        state.put(&dst, key, Entry::File(content), ChangeKind::Copy)?;
        Ok(Copied { dst, size })
    }

    fn make_dir(&mut self, path: &Path) -> Result<bool, FileError> {
        let mut state = self.state();
        let found = state.find(path, true)?;
        let refuse = |kind| Err(FileError::new(path, kind));
        match (found.there, found.missing) {
            (There::Folder, _) => return Ok(false),
            (There::Real, _) if found.key.is_dir() => return Ok(false),
            (There::Real, _) if found.key.exists() => return refuse(FileErrorKind::Exists),
            (There::File(_), _) => return refuse(FileErrorKind::Exists),
            (There::Real | There::Nothing, _) if found.through_link => return refuse(FileErrorKind::Exists),
            (There::Nothing, Some(FileErrorKind::NotFound)) | (There::Real | There::Nothing, None) => {}
            (There::Real | There::Nothing, Some(why)) => return refuse(why),
        }
        let missing = state.missing_folders(path, &found.key)?;
        for key in missing.into_iter().rev() {
            let shown = if key == found.key { path.to_owned() } else { key.clone() };
            state.put(&shown, key, Entry::Folder, ChangeKind::MakeDir)?;
        }
        Ok(true)
    }

    fn delete_file(&mut self, path: &Path) -> Result<bool, FileError> {
        let mut state = self.state();
        let found = state.find(path, false)?;
        match (found.there, found.missing) {
            (There::Folder, _) => return Err(FileError::new(path, FileErrorKind::Directory)),
            (There::Nothing, None | Some(FileErrorKind::NotFound)) => return Ok(false),
            (There::Nothing, Some(why)) => return Err(FileError::new(path, why)),
            (There::File(_), _) => {}
            (There::Real, _) => match std::fs::symlink_metadata(&found.key) {
                Ok(metadata) if metadata.is_dir() => return Err(FileError::new(path, FileErrorKind::Directory)),
                Ok(_) => may_write(path, folder(&found.key))?,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
                Err(error) => return Err(FileError::io(path, &error)),
            },
        }
        state.put(path, found.key, Entry::Gone, ChangeKind::Delete).map(|()| true)
    }
}

#[derive(Debug, Default)]
struct State {
    /// By the absolute names that [`walk`] gives.
    entries: HashMap<PathBuf, Entry>,
    changes: Vec<Change>,
    held: u64,
}

#[derive(Debug)]
enum Entry {
    File(Content),
    Folder,
    Gone,
}

#[derive(Clone, Debug)]
enum Content {
    Bytes(Arc<[u8]>),
    /// The bytes of a real file.
    CopyOf {
        src: PathBuf,
        size: u64,
    },
}

struct Found {
    key: PathBuf,
    through_link: bool,
    there: There,
    /// Why nothing can be there: its folder is missing.
    missing: Option<FileErrorKind>,
}

enum There {
    /// What the real file system says.
    Real,
    File(Content),
    Folder,
    Nothing,
}

impl Found {
    /// What a reader gets: `None` is for the real file system to answer.
    fn content(self, path: &Path) -> Result<Option<Content>, FileError> {
        let kind = match self.there {
            There::Real => return Ok(None),
            There::File(content) => return Ok(Some(content)),
            There::Folder => FileErrorKind::Directory,
            There::Nothing if self.through_link => FileErrorKind::Dangling,
            There::Nothing => self.missing.unwrap_or(FileErrorKind::NotFound),
        };
        Err(FileError::new(path, kind))
    }
}

impl Content {
    fn size(&self) -> u64 {
        match self {
            Content::Bytes(bytes) => bytes.len() as u64,
            Content::CopyOf { size, .. } => *size,
        }
    }
}

impl Entry {
    /// The size in bytes.
    fn size(&self) -> u64 {
        match self {
            Entry::File(content) => content.size(),
            Entry::Folder | Entry::Gone => 0,
        }
    }

    /// How much it takes to keep, in bytes.
    fn held(&self) -> u64 {
        match self {
            Entry::File(Content::Bytes(bytes)) => bytes.len() as u64,
            Entry::File(Content::CopyOf { src, .. }) => src.as_os_str().len() as u64,
            Entry::Folder | Entry::Gone => 0,
        }
    }
}

impl State {
    /// What is at the end of `path`; its last part is followed when it is a link and `follow` says so.
    fn find(&self, path: &Path, follow: bool) -> Result<Found, FileError> {
        let Place { key, through_link, folder } = walk(path, follow, &|place| self.known(place))?;
        let (there, missing) = match (folder, self.entries.get(&key)) {
            (Folder::Missing(why), _) => (There::Nothing, Some(why)),
            (Folder::Real | Folder::Made, Some(Entry::Folder)) => (There::Folder, None),
            (Folder::Real | Folder::Made, Some(Entry::Gone)) | (Folder::Made, None) => (There::Nothing, None),
            (Folder::Real | Folder::Made, Some(Entry::File(content))) => (There::File(content.clone()), None),
            (Folder::Real, None) => (There::Real, None),
        };
        Ok(Found { key, through_link, there, missing })
    }

    fn known(&self, place: &Path) -> Option<Known> {
        self.entries.get(place).map(|entry| match entry {
            Entry::File(_) => Known::File,
            Entry::Folder => Known::Folder,
            Entry::Gone => Known::Nothing,
        })
    }

    /// Where a write to `path` goes; `None` for `/dev/null`.
    fn spot(&self, path: &Path) -> Result<Option<PathBuf>, FileError> {
        let found = self.find(path, true)?;
        match (found.there, found.missing) {
            (_, Some(FileErrorKind::NotFound)) => {
                let missing = folder(if found.through_link { &found.key } else { path }).to_owned();
                Err(FileError::new(path, FileErrorKind::MissingFolder(missing)))
            }
            (_, Some(why)) => Err(FileError::new(path, why)),
            (There::Folder, None) => Err(FileError::new(path, FileErrorKind::Directory)),
            (There::Nothing, None) if path.as_os_str().as_encoded_bytes().ends_with(b"/") => {
                Err(FileError::new(path, FileErrorKind::MissingFolder(path.to_owned())))
            }
            (There::Nothing | There::File(_), None) => Ok(Some(found.key)),
            (There::Real, None) => match target(path)? {
                Target::Null => Ok(None),
                Target::New(_) => may_write(path, folder(&found.key)).map(|()| Some(found.key)),
                // Replaced in its folder, or else overwritten where it is.
                Target::Existing { .. } => {
                    let allowed = may_write(path, folder(&found.key)).or_else(|_| may_write(path, &found.key));
                    allowed.map(|()| Some(found.key))
                }
            },
        }
    }

    /// `key` and those of its folders that do not exist, innermost first.
    fn missing_folders(&self, path: &Path, key: &Path) -> Result<Vec<PathBuf>, FileError> {
        let mut missing = vec![key.to_owned()];
        for outer in key.ancestors().skip(1) {
            match self.entries.get(outer) {
                Some(Entry::Folder) => break,
                Some(Entry::File(_)) => return Err(FileError::new(path, FileErrorKind::NotAFolder)),
                Some(Entry::Gone) => missing.push(outer.to_owned()),
                None => match std::fs::metadata(outer) {
                    Ok(metadata) if metadata.is_dir() => {
                        may_write(path, outer)?;
                        break;
                    }
                    Ok(_) => return Err(FileError::new(path, FileErrorKind::NotAFolder)),
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => missing.push(outer.to_owned()),
                    Err(error) => return Err(FileError::io(path, &error)),
                },
            }
        }
        Ok(missing)
    }

    /// Keeps a change, within the limit.
    fn put(&mut self, path: &Path, key: PathBuf, entry: Entry, kind: ChangeKind) -> Result<(), FileError> {
        let names = (path.as_os_str().len() + key.as_os_str().len() + size_of::<(Change, PathBuf, Entry)>()) as u64;
        let freed = self.entries.get(&key).map_or(0, Entry::held);
        let held = self.held.saturating_sub(freed).saturating_add(entry.held()).saturating_add(names);
        if held > LIMIT {
            let reason = format!("a dry run keeps at most {LIMIT} bytes of changes in memory");
            return Err(FileError::new(path, FileErrorKind::Other(reason)));
        }
        self.held = held;
        self.changes.push(Change { kind, path: path.to_owned(), bytes: entry.size() });
        self.entries.insert(key, entry);
        Ok(())
    }
}

/// A real file as content.
fn whole_file(path: &Path, key: &Path) -> Result<Content, FileError> {
    // Opened, so that a copy is refused for the same reasons as a real one; not read.
    match file::read(path, 0) {
        Ok(empty) => Ok(Content::Bytes(empty.into())),
        Err(FileError { kind: FileErrorKind::TooLarge { .. }, .. }) => {
            let size = std::fs::metadata(key).map_err(|error| FileError::io(path, &error))?.len();
            Ok(Content::CopyOf { src: key.to_owned(), size })
        }
        Err(error) => Err(error),
    }
}

fn is_one_file(left: &Path, right: &Path) -> bool {
    let identity =
        |path: &Path| std::fs::metadata(path).ok().as_ref().and_then(|metadata: &Metadata| identity(metadata));
    identity(left).is_some_and(|left| identity(right) == Some(left))
}

/// Whether the modes allow to write at `place`.
fn may_write(path: &Path, place: &Path) -> Result<(), FileError> {
    #[cfg(unix)]
    if let Err(error) = rustix::fs::access(place, rustix::fs::Access::WRITE_OK) {
        return Err(FileError::io(path, &error.into()));
    }
    let _ = (path, place);
    Ok(())
}
