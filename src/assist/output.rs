//! Where a macro and its images go: images first and the macro last, so that a macro that is there is whole.

use std::fs;
use std::path::{Path, PathBuf};

use crate::assist::Request;
use crate::assist::draft::Draft;
use crate::files;
use crate::trouble::Trouble;

/// The folder of a macro's images, beside the macro.
pub fn folder(name: &str) -> String {
    format!("{name}-templates")
}

/// The files to write.
pub struct Output<'a> {
    path: &'a Path,
    images: PathBuf,
    force: bool,
    write: bool,
}

impl<'a> Output<'a> {
    /// Where a request wants its files.
    pub fn at(request: &Request<'a>) -> Self {
        let images = request.path.parent().unwrap_or(Path::new("")).join(folder(request.name));
        Self { path: request.path, images, force: request.force, write: request.write }
    }

    /// Whether the macro may be written at all, before a model is asked.
    ///
    /// # Errors
    /// There is a file, and it is not to be replaced.
    pub fn check(&self) -> Result<(), Trouble> {
        if self.write && !self.force && fs::symlink_metadata(self.path).is_ok() {
            return Err(exists(self.path));
        }
        Ok(())
    }

    /// Writes all files, and returns those of the images. On a failure those that are new are removed.
    ///
    /// # Errors
    /// One cannot be written, or is there.
    pub fn write(&self, draft: &Draft) -> Result<Vec<PathBuf>, Trouble> {
        let paths: Vec<PathBuf> = draft.templates.iter().map(|template| self.images.join(&template.file)).collect();
        if !self.write {
            return Ok(paths);
        }
        if !self.force
            && let Some(there) = paths.iter().find(|path| fs::symlink_metadata(path).is_ok())
        {
            return Err(exists(there));
        }
        let new_folder = !paths.is_empty() && !self.images.is_dir();
        if new_folder {
            fs::create_dir(&self.images).map_err(|error| unwritable(&self.images, &error.to_string()))?;
        }
        let mut made: Vec<&Path> = Vec::new();
        let files = paths.iter().map(PathBuf::as_path).zip(draft.templates.iter().map(|template| &template.png[..]));
        for (path, bytes) in files.chain([(self.path, draft.text.as_bytes())]) {
            if let Err(trouble) = self.one(path, bytes) {
                // With `--force` some were there before, and what they were is gone.
                if !self.force {
                    made.iter().for_each(|made| drop(fs::remove_file(made)));
                }
                if new_folder {
                    // It stays when it is not empty.
                    drop(fs::remove_dir(&self.images));
                }
                return Err(trouble);
            }
            made.push(path);
        }
        Ok(paths)
    }

    fn one(&self, path: &Path, bytes: &[u8]) -> Result<(), Trouble> {
        let written = if self.force { files::write(path, bytes) } else { files::write_new(path, bytes) };
        written.map_err(|reason| if reason == "exists already" { exists(path) } else { unwritable(path, &reason) })
    }
}

fn exists(path: &Path) -> Trouble {
    let hint = "give another file with `-o`, or write over it with `--force`";
    Trouble::io(format!("`{}` exists already", path.display())).hint(hint)
}

fn unwritable(path: &Path, reason: &str) -> Trouble {
    Trouble::io(format!("`{}` cannot be written: {reason}", path.display()))
}
