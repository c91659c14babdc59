//! The code section: how many instructions there are, then the instructions without gaps.

use crate::artifact::LoadErrorKind;
use crate::artifact::codec::Malformed;
use crate::artifact::codec::bytes::Bytes;
use crate::op::Op;

/// The most instructions of an artifact.
pub const OP_LIMIT: usize = 1_000_000;

/// The section's bytes.
pub(in crate::artifact) fn write(code: &[Op]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(4 + code.len() * 8);
    bytes.extend_from_slice(&u32::try_from(code.len()).unwrap_or(u32::MAX).to_le_bytes());
    for op in code {
        op.write(&mut bytes);
    }
    bytes
}

/// Reads the section's bytes.
pub(in crate::artifact) fn read(bytes: &[u8]) -> Result<Vec<Op>, Malformed> {
    let mut head = Bytes::new(bytes);
    let count = head.number("the number of instructions")? as usize;
    if count > OP_LIMIT {
        let reason = LoadErrorKind::TooLarge { what: "instructions", found: count as u64, limit: OP_LIMIT as u64 };
        return Err(Malformed { at: Some(0), reason });
    }
    let mut rest = head.rest();
    // An instruction takes at least one byte, so a count beyond the bytes reserves nothing.
    if count > rest.len() {
        return Err(Malformed::expected("as many instructions as announced", 0));
    }
    let mut code = Vec::with_capacity(count);
    for _ in 0..count {
        let at = bytes.len() - rest.len();
        code.push(Op::read(&mut rest).ok_or_else(|| Malformed::expected("an instruction", at))?);
    }
    match rest.len() {
        0 => Ok(code),
        left => Err(Malformed::expected("the end of the section", bytes.len() - left)),
    }
}

#[cfg(test)]
mod tests {
    use super::{OP_LIMIT, read, write};
    use crate::op::Op;
    use crate::operand::{Label, Mask, Route, Slot};

    #[test]
    fn every_number_reads_as_its_row() {
        for row in Op::TABLE {
            let zeros = [&[row.number][..], &[1; 32]].concat();
            let mut rest = &zeros[..];
            let op = Op::read(&mut rest).unwrap();
            assert_eq!(op.mnemonic(), row.mnemonic);
            let length = zeros.len() - rest.len();
            let mut bytes = Vec::new();
            op.write(&mut bytes);
            assert_eq!(bytes, zeros[..length]);
            for cut in 0..length {
                assert_eq!(Op::read(&mut &zeros[..cut]), None);
            }
        }
    }

    #[test]
    fn bytes_are_packed() {
        let code = [
            Op::Load { slot: Slot(0x0201) },
            Op::Act { route: Route(7), given: Mask(5) },
            Op::Jump { target: Label(9) },
        ];
        let bytes = write(&code);
        assert_eq!(bytes, [3, 0, 0, 0, 0x02, 0x01, 0x02, 0x33, 7, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0x20, 9, 0, 0, 0]);
        assert_eq!(read(&bytes).unwrap(), code);
    }

    #[test]
    fn wrong_counts_are_errors() {
        let mut bytes = write(&[Op::Return {}, Op::Return {}]);
        for count in [0, 1, 3, OP_LIMIT as u32, OP_LIMIT as u32 + 1, u32::MAX] {
            bytes[..4].copy_from_slice(&count.to_le_bytes());
            assert!(read(&bytes).is_err(), "{count}");
        }
    }
}
