//! Files that appear whole or not at all.

use std::fs::Permissions;
use std::io::{ErrorKind, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::files::read;

/// Writes a file, in place of one that is there.
///
/// # Errors
/// Why not, in words that follow the path; the file is then as it was.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    prepare(path, bytes)?.persist(path).map(drop).map_err(|failed| reason(&failed.error))
}

/// Writes a file that is not there yet.
///
/// # Errors
/// Why not, in words that follow the path; `exists already` when there is one.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), String> {
    prepare(path, bytes)?.persist_noclobber(path).map(drop).map_err(|failed| reason(&failed.error))
}

fn prepare(path: &Path, bytes: &[u8]) -> Result<NamedTempFile, String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = Builder::new();
    builder.prefix(".macrocli-").suffix(".tmp");
    if let Some(permissions) = permissions() {
        builder.permissions(permissions);
    }
    let mut file = builder.tempfile_in(folder).map_err(|error| reason(&error))?;
    file.write_all(bytes).map_err(|error| reason(&error))?;
    Ok(file)
}

/// Those of an ordinary new file: the process's mask still applies.
fn permissions() -> Option<Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    None
}

fn reason(error: &std::io::Error) -> String {
    if error.kind() == ErrorKind::AlreadyExists { "exists already".to_owned() } else { read::words(error) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::files::{write, write_new};

    #[test]
    fn a_failed_write_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        write_new(&file, b"1").unwrap();
        assert_eq!(write_new(&file, b"2"), Err("exists already".to_owned()));
        assert_eq!(fs::read(&file).unwrap(), b"1");
        write(&file, b"3").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"3");
        assert!(write(&folder.path().join("none/b"), b"").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
