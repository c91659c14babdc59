//! Damaged and hostile bytes: always an error, or a program that keeps the rules.

use proptest::prelude::{any, proptest};
use spec::artifact::{Artifact, FORMAT_VERSION, Found, LoadErrorKind, seal};

use crate::load::load;
use crate::verify::tests::sample::{empty, full};
use crate::verify::verify;

/// Hostile bytes, their hash made right: an error, or a program that is verified again after another trip through bytes.
fn hostile(bytes: &mut [u8]) {
    seal(bytes);
    if let Ok(program) = load(bytes) {
        let artifact = program.artifact().clone();
        assert_eq!(artifact.to_bytes(), bytes, "an artifact has one form only");
        assert!(verify(artifact).is_ok());
    }
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = full().to_bytes();
    for length in 0..bytes.len() {
        let error = load(&bytes[..length]).unwrap_err();
        if length == 0 {
            assert_eq!(error.reason, LoadErrorKind::NotAnArtifact(Found::Nothing));
        } else {
            assert!(
                matches!(error.reason, LoadErrorKind::Truncated { found, .. } if found == length as u64),
                "{error}"
            );
        }
        hostile(&mut bytes[..length].to_vec());
        // The length made right, too.
        let mut shorter = bytes[..length].to_vec();
        if let Some(field) = shorter.get_mut(12..16) {
            field.copy_from_slice(&(length as u32).to_le_bytes());
            hostile(&mut shorter);
            assert!(load(&shorter).is_err());
        }
    }
}

#[test]
fn every_changed_byte_is_an_error() {
    let bytes = full().to_bytes();
    for place in 0..bytes.len() {
        for change in [0x01, 0x80, 0xFF] {
            let mut changed = bytes.clone();
            changed[place] ^= change;
            assert!(load(&changed).is_err(), "byte {place} ^ {change:#x}");
            hostile(&mut changed);
        }
        let mut changed = bytes.clone();
        for byte in changed.iter_mut().skip(place).take(4) {
            *byte = 0xFF;
        }
        if changed != bytes {
            assert!(load(&changed).is_err(), "bytes from {place}");
        }
        hostile(&mut changed);
    }
}

#[test]
fn what_follows_is_an_error() {
    for extra in [1, 15, 16, 17, 4096] {
        let mut bytes = full().to_bytes();
        let expected = bytes.len() as u64;
        bytes.resize(bytes.len() + extra, 0);
        let found = bytes.len() as u64;
        assert_eq!(load(&bytes).unwrap_err().reason, LoadErrorKind::Trailing { expected, found });
        bytes[12..16].copy_from_slice(&(found as u32).to_le_bytes());
        hostile(&mut bytes);
        assert_eq!(load(&bytes).unwrap_err().reason, LoadErrorKind::Trailing { expected, found });
    }
}

#[test]
fn another_version_is_named() {
    let mut bytes = full().to_bytes();
    bytes[8] += 1;
    let (found, supported) = (FORMAT_VERSION + 1, FORMAT_VERSION);
    assert_eq!(load(&bytes).unwrap_err().reason, LoadErrorKind::Version { found, supported });
    // Even where nothing else of it can be read.
    assert_eq!(load(&bytes[..10]).unwrap_err().reason, LoadErrorKind::Version { found, supported });
}

#[test]
fn a_renamed_source_is_told() {
    let error = load(b"name: hello\nsteps:\n  - id: a\n").unwrap_err();
    assert_eq!(error.reason, LoadErrorKind::NotAnArtifact(Found::Text));
    assert_eq!(error.to_string(), "not an artifact: the file is text; give a macro's source the ending `.yaml`");
}

#[test]
fn the_same_artifact_gives_the_same_bytes() {
    for artifact in [empty(), full(), Artifact::default()] {
        let bytes = artifact.to_bytes();
        assert_eq!(bytes, artifact.to_bytes());
        assert_eq!(Artifact::from_bytes(&bytes).unwrap(), artifact);
    }
}

proptest! {
    #[test]
    fn several_changes_are_harmless(changes in proptest::collection::vec((48usize.., any::<u8>()), 1..6)) {
        let mut bytes = full().to_bytes();
        let length = bytes.len();
        for (place, byte) in changes {
            bytes[48 + place % (length - 48)] = byte;
        }
        hostile(&mut bytes);
    }

    #[test]
    fn any_bytes_are_harmless(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        assert!(load(&bytes).is_err());
        let mut framed = full().to_bytes();
        for (place, byte) in bytes.iter().enumerate() {
            if let Some(target) = framed.get_mut(224 + place) {
                *target = *byte;
            }
        }
        hostile(&mut framed);
    }
}
