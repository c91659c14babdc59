//! Reading within bounds: nothing that could block or never end is opened.

use std::fs::{self, File};
use std::io::{self, BufRead, ErrorKind, Read};
use std::path::Path;

/// The bytes of a regular file of at most `limit` bytes.
///
/// # Errors
/// Why not, in words that follow a path: "no such file", "a folder", "a link to nothing", "a pipe or device", …
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let length = regular(path)?;
    if length > limit {
        return Err(too_large(limit));
    }
    let file = File::open(path).map_err(|error| reason(path, &error))?;
    if length == 0 {
        // Files of `/proc` have no length before they are read.
        return bounded(file, limit).map_err(|error| error.unwrap_or_else(|| too_large(limit)));
    }
    // As long as it was a moment ago, which spares the call that would find its end.
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    file.take(length).read_to_end(&mut bytes).map_err(|error| words(&error))?;
    Ok(bytes)
}

/// The first bytes of a regular file, at most `count`, and the length of the whole, in bytes.
///
/// # Errors
/// As [`read`].
pub fn head(path: &Path, count: u64) -> Result<(Vec<u8>, u64), String> {
    let length = regular(path)?;
    let file = File::open(path).map_err(|error| reason(path, &error))?;
    let mut bytes = Vec::new();
    file.take(count).read_to_end(&mut bytes).map_err(|error| reason(path, &error))?;
    Ok((bytes, length))
}

/// Standard input, at most `limit` bytes.
///
/// # Errors
/// Why it cannot be read, in words.
pub fn read_stdin(limit: u64) -> Result<Vec<u8>, String> {
    bounded(io::stdin().lock(), limit).map_err(|error| error.unwrap_or_else(|| too_large(limit)))
}

/// The next line of standard input, of at most `limit` bytes; what follows is left for the next reader.
///
/// # Errors
/// Why not, in words.
pub fn read_stdin_line(limit: u64) -> Result<Vec<u8>, String> {
    let mut line = Vec::new();
    let read = io::stdin().lock().take(limit.saturating_add(1)).read_until(b'\n', &mut line);
    read.map_err(|error| words(&error))?;
    if line.len() as u64 > limit { Err(too_large(limit)) } else { Ok(line) }
}

/// Why a file cannot be opened, in words.
pub fn reason(path: &Path, error: &io::Error) -> String {
    if error.kind() == ErrorKind::NotFound {
        let link = fs::symlink_metadata(path).is_ok();
        return if link { "a link to nothing" } else { "no such file" }.to_owned();
    }
    words(error)
}

/// The system's own words, without the number behind them.
pub fn words(error: &io::Error) -> String {
    error.to_string().split(" (os error").next().unwrap_or("an unknown error").to_lowercase()
}

/// The length of a regular file.
fn regular(path: &Path) -> Result<u64, String> {
    let found = fs::metadata(path).map_err(|error| reason(path, &error))?;
    if found.is_dir() {
        return Err("a folder".to_owned());
    }
    if !found.is_file() {
        return Err("a pipe or device, which is not read".to_owned());
    }
    Ok(found.len())
}

fn too_large(limit: u64) -> String {
    format!("larger than {limit} bytes")
}

/// The bytes of a stream; `Err(None)` when there are more than `limit`.
fn bounded(stream: impl Read, limit: u64) -> Result<Vec<u8>, Option<String>> {
    let mut bytes = Vec::new();
    let wanted = stream.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    wanted.map_err(|error| Some(words(&error)))?;
    if bytes.len() as u64 > limit { Err(None) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::files;

    #[test]
    fn what_is_no_readable_file_has_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        fs::write(&file, "12345").unwrap();
        assert_eq!(files::read(&file, 5), Ok(b"12345".to_vec()));
        assert_eq!(files::read(&file, 4), Err("larger than 4 bytes".to_owned()));
        assert_eq!(files::read(folder.path(), 4), Err("a folder".to_owned()));
        assert_eq!(files::read(&folder.path().join("b"), 4), Err("no such file".to_owned()));
    }

    #[cfg(unix)]
    #[test]
    fn links_to_nothing_and_devices_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("nothing", &link).unwrap();
        assert_eq!(files::read(&link, 4), Err("a link to nothing".to_owned()));
        let zero = files::read(std::path::Path::new("/dev/zero"), 4);
        assert_eq!(zero, Err("a pipe or device, which is not read".to_owned()));
    }
}
