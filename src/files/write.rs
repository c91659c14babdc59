//! Files that appear whole or not at all.

use std::fs::{self, Permissions};
use std::io::{ErrorKind, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::files::read;

/// Writes a file, in place of one that is there. A link is itself replaced: what it leads to is somebody else's.
///
/// # Errors
/// Why not, in words that follow the path; what is there is then as it was. Folders, pipes and devices are never replaced.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    replaceable(path)?;
    prepare(path, bytes)?.persist(path).map(drop).map_err(|failed| reason(&failed.error))
}

/// Writes a file that is not there yet.
///
/// # Errors
/// Why not, in words that follow the path; `exists already` when there is one.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), String> {
    prepare(path, bytes)?.persist_noclobber(path).map(drop).map_err(|failed| reason(&failed.error))
}

/// Whether a file may take the place of what is at a path: a rename would take that of a device, too.
///
/// # Errors
/// Why not, in words that follow the path.
pub fn replaceable(path: &Path) -> Result<(), String> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err("is a folder".to_owned()),
        Ok(found) if !found.is_file() => Err("is a pipe or device, which is not replaced".to_owned()),
        Ok(_) | Err(_) => Ok(()),
    }
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

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_replaced_nor_what_a_link_leads_to() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        use std::os::unix::net::UnixListener;

        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        fs::write(place("file"), "1").unwrap();
        symlink("file", place("link")).unwrap();
        write(&place("link"), b"2").unwrap();
        assert_eq!(fs::read(place("file")).unwrap(), b"1");
        assert_eq!(fs::read(place("link")).unwrap(), b"2");

        let _listening = UnixListener::bind(place("socket")).unwrap();
        symlink("socket", place("way")).unwrap();
        for name in ["socket", "way"] {
            assert_eq!(write(&place(name), b"3"), Err("is a pipe or device, which is not replaced".to_owned()));
        }
        assert!(fs::metadata(place("socket")).unwrap().file_type().is_socket());
        assert_eq!(write(folder.path(), b"3"), Err("is a folder".to_owned()));
    }
}
