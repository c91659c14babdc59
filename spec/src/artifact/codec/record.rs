//! Records, in the bincode layout.

use wincode::config::{Configuration, DefaultConfig, PREALLOCATION_SIZE_LIMIT_DISABLED};
use wincode::{SchemaRead, SchemaWrite};

use crate::artifact::LoadErrorKind;
use crate::artifact::codec::Malformed;

/// The most bytes of records in one section.
pub const RECORD_LIMIT: usize = 32 << 20;

/// The most bytes that one list or text of a record may take in memory.
///
/// Space for a list is reserved before its elements are read; this bounds what a crafted length can reserve.
pub const PREALLOCATION_LIMIT: usize = 8 << 20;

type Reading = Configuration<true, PREALLOCATION_LIMIT>;
type Writing = Configuration<true, PREALLOCATION_SIZE_LIMIT_DISABLED>;

const READING: Reading = DefaultConfig::default().with_preallocation_size_limit::<PREALLOCATION_LIMIT>();
const WRITING: Writing = DefaultConfig::default().with_preallocation_size_limit::<PREALLOCATION_SIZE_LIMIT_DISABLED>();

/// The bytes of a record.
pub(in crate::artifact) fn write<T: SchemaWrite<Writing, Src = T>>(record: &T) -> Vec<u8> {
    // Writing fails only when the target is full or a list is over the limit: a vector grows, and the limit is off.
    #[allow(clippy::expect_used)]
    wincode::config::serialize(record, WRITING).expect("a record can always be written to memory")
}

/// Reads a record that takes up all of `bytes`.
pub(in crate::artifact) fn read<'a, T: SchemaRead<'a, Reading, Dst = T>>(
    bytes: &'a [u8],
    what: &'static str,
) -> Result<T, Malformed> {
    if bytes.len() > RECORD_LIMIT {
        let (found, limit) = (bytes.len() as u64, RECORD_LIMIT as u64);
        return Err(Malformed { at: None, reason: LoadErrorKind::TooLarge { what, found, limit } });
    }
    wincode::config::deserialize_exact(bytes, READING)
        .map_err(|_| Malformed { at: None, reason: LoadErrorKind::Malformed { what } })
}

#[cfg(test)]
mod tests {
    use super::{read, write};
    use crate::artifact::{Constant, Debug, LoadErrorKind, Macro, Manifest, StepRecord};

    #[test]
    fn crafted_lengths_are_errors() {
        for length in [2, 1 << 20, 1 << 32, u64::from(u32::MAX), u64::MAX / 32, u64::MAX / 2, u64::MAX] {
            let bytes = length.to_le_bytes();
            assert!(read::<Vec<Constant>>(&bytes, "x").is_err());
            assert!(read::<Vec<Macro>>(&bytes, "x").is_err());
            assert!(read::<Vec<StepRecord>>(&bytes, "x").is_err());
            assert!(read::<Manifest>(&bytes, "x").is_err());
            assert!(read::<Debug>(&bytes, "x").is_err());
        }
    }

    #[test]
    fn crafted_inner_lengths_are_errors() {
        for (tag, length) in [(5u32, u64::MAX), (5, 1 << 33), (6, 1 << 60), (7, u64::MAX / 8), (4, 1 << 40)] {
            let mut bytes = 1u64.to_le_bytes().to_vec();
            bytes.extend_from_slice(&tag.to_le_bytes());
            bytes.extend_from_slice(&length.to_le_bytes());
            assert!(read::<Vec<Constant>>(&bytes, "x").is_err());
        }
    }

    #[test]
    fn what_follows_a_record_is_an_error() {
        let mut bytes = write(&vec![Constant::Null]);
        assert_eq!(read::<Vec<Constant>>(&bytes, "x").unwrap(), vec![Constant::Null]);
        bytes.push(0);
        let error = read::<Vec<Constant>>(&bytes, "constants").unwrap_err();
        assert_eq!(error.reason, LoadErrorKind::Malformed { what: "constants" });
    }

    #[test]
    fn other_bytes_for_the_same_record_are_errors() {
        let boolean = |byte| [&1u64.to_le_bytes()[..], &1u32.to_le_bytes(), &[byte]].concat();
        assert!(read::<Vec<Constant>>(&boolean(1), "x").is_ok());
        assert!(read::<Vec<Constant>>(&boolean(2), "x").is_err());
    }
}
