//! The first 64 bytes of an artifact.
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | [`MAGIC`] |
//! | 8..10 | format version, `u16` |
//! | 10..12 | flags, `u16`, 0 |
//! | 12..16 | length of the file, `u32` |
//! | 16..48 | SHA-256 of every byte from 48 on |
//! | 48..52 | number of sections, `u32` |
//! | 52..64 | 0 |

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::artifact::section::Section;
use crate::artifact::{FILE_LIMIT, Found, LoadError, LoadErrorKind};

/// The first bytes of every artifact.
///
/// As in PNG, the first byte is no text, and the line ends show a file that was copied as text.
pub const MAGIC: [u8; 8] = [0x89, b'M', b'C', b'B', b'\r', b'\n', 0x1A, b'\n'];

/// The version of the format that this crate writes and reads.
pub const FORMAT_VERSION: u16 = 1;

/// Bytes of the header.
pub(super) const SIZE: usize = 64;

/// Where the hash begins, and where the bytes it covers begin.
const HASH: usize = 16;
const HASHED: usize = 48;

/// The header of a file of `length` bytes, its hash still open.
pub(super) fn write(length: u32) -> [u8; SIZE] {
    let mut header = [0; SIZE];
    header[0..8].copy_from_slice(&MAGIC);
    header[8..10].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&length.to_le_bytes());
    header[48..52].copy_from_slice(&(Section::ALL.len() as u32).to_le_bytes());
    header
}

/// Writes the hash of a file's content into its header; files too short to have one are left alone.
pub(super) fn seal(bytes: &mut [u8]) {
    if let Some((header, content)) = bytes.split_at_mut_checked(HASHED) {
        header[HASH..HASHED].copy_from_slice(&hash(content));
    }
}

/// The content hash of a whole file.
fn content_hash(bytes: &[u8]) -> [u8; 32] {
    hash(bytes.get(HASHED..).unwrap_or_default())
}

/// The content hash that an artifact's header has, in hexadecimal; empty for bytes too short to have one. Whether it is true is not asked.
pub fn written_hash(bytes: &[u8]) -> String {
    let hash = bytes.get(HASH..HASHED).unwrap_or_default();
    hash.iter().fold(String::with_capacity(2 * hash.len()), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Checks what the first bytes of a file can tell before the rest is read: what it is, and whether it has the length it should have.
///
/// `head` is its first 4,096 bytes, or all it has; `length` is the whole file's, in bytes.
///
/// # Errors
/// The first of these that is not so.
pub fn check_head(head: &[u8], length: u64) -> Result<(), LoadError> {
    magic(head)?;
    let truncated = || LoadError::at(head.len(), LoadErrorKind::Truncated { expected: None, found: length });
    let version = u16::from_le_bytes(field(head, 8).ok_or_else(truncated)?);
    if version != FORMAT_VERSION {
        return Err(LoadError::at(8, LoadErrorKind::Version { found: version, supported: FORMAT_VERSION }));
    }
    let flags = u16::from_le_bytes(field(head, 10).ok_or_else(truncated)?);
    if flags != 0 {
        return Err(LoadError::at(10, LoadErrorKind::Flags(flags)));
    }
    let expected = u64::from(u32::from_le_bytes(field(head, 12).ok_or_else(truncated)?));
    let misfit = |at, reason| Err(LoadError { at, section: None, reason });
    if length < expected {
        return misfit(Some(length), LoadErrorKind::Truncated { expected: Some(expected), found: length });
    }
    if length > expected {
        return misfit(Some(expected), LoadErrorKind::Trailing { expected, found: length });
    }
    if length > FILE_LIMIT {
        let reason = LoadErrorKind::TooLarge { what: "bytes of an artifact", found: length, limit: FILE_LIMIT };
        return misfit(None, reason);
    }
    Ok(())
}

/// Checks the header of a whole file: what it is, whether it is all there, and whether it is unchanged.
///
/// # Errors
/// The first of these that is not so.
pub(super) fn check(bytes: &[u8]) -> Result<(), LoadError> {
    check_head(bytes, bytes.len() as u64)?;
    let truncated =
        || LoadError::at(bytes.len(), LoadErrorKind::Truncated { expected: None, found: bytes.len() as u64 });
    let written: [u8; 32] = field(bytes, HASH).ok_or_else(truncated)?;
    if written != content_hash(bytes) {
        return Err(LoadError::at(HASH, LoadErrorKind::HashMismatch));
    }
    let sections = u32::from_le_bytes(field(bytes, 48).ok_or_else(truncated)?);
    if sections != Section::ALL.len() as u32 {
        return Err(LoadError::at(48, LoadErrorKind::SectionCount { found: sections }));
    }
    let reserved: [u8; 12] = field(bytes, 52).ok_or_else(truncated)?;
    if reserved != [0; 12] {
        return Err(LoadError::at(52, LoadErrorKind::Padding));
    }
    Ok(())
}

fn magic(bytes: &[u8]) -> Result<(), LoadError> {
    let head = bytes.get(..MAGIC.len()).unwrap_or(bytes);
    if head == MAGIC {
        return Ok(());
    }
    let reason = if bytes.is_empty() {
        LoadErrorKind::NotAnArtifact(Found::Nothing)
    } else if MAGIC.starts_with(head) {
        LoadErrorKind::Truncated { expected: None, found: bytes.len() as u64 }
    } else if head.starts_with(&MAGIC[..4]) {
        LoadErrorKind::NotAnArtifact(Found::CopiedAsText)
    } else if is_text(bytes) {
        LoadErrorKind::NotAnArtifact(Found::Text)
    } else {
        LoadErrorKind::NotAnArtifact(Found::Other)
    };
    Err(LoadError::at(0, reason))
}

/// Whether the beginning of a file is text.
fn is_text(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        // The cut can fall into a character.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !text.is_empty() && text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t'))
}

fn field<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk::<N>().copied()
}

fn hash(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::{MAGIC, check, written_hash};
    use crate::artifact::{Artifact, Found, LoadErrorKind};

    #[test]
    fn the_written_hash_is_that_of_the_content() {
        let bytes = Artifact::default().to_bytes();
        let hash: String = Sha256::digest(&bytes[48..]).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(written_hash(&bytes), hash);
        assert_eq!(written_hash(&bytes[..47]), "");
    }

    #[test]
    fn says_what_a_foreign_file_is() {
        let found = |bytes: &[u8]| check(bytes).unwrap_err().reason;
        assert_eq!(found(b""), LoadErrorKind::NotAnArtifact(Found::Nothing));
        assert_eq!(found("name: gr\u{fc}n\nsteps: []\n".as_bytes()), LoadErrorKind::NotAnArtifact(Found::Text));
        assert_eq!(found("\u{fc}".repeat(5000).as_bytes()), LoadErrorKind::NotAnArtifact(Found::Text));
        assert_eq!(found(b"\x7fELF\x02\x01\x01\0"), LoadErrorKind::NotAnArtifact(Found::Other));
        assert_eq!(found(b"\x89MCB\n\x1a\n\x01\0"), LoadErrorKind::NotAnArtifact(Found::CopiedAsText));
        assert_eq!(found(&MAGIC[..5]), LoadErrorKind::Truncated { expected: None, found: 5 });
        assert_eq!(found(&MAGIC), LoadErrorKind::Truncated { expected: None, found: 8 });
    }
}
