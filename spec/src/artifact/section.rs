//! The sections of an artifact and the table that places them.

use std::fmt;

macro_rules! sections {
    ($($(#[doc = $doc:literal])* $number:literal $name:literal $Section:ident;)*) => {
        /// A section of an artifact.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Section { $($(#[doc = $doc])* $Section = $number,)* }

        impl Section {
            /// Every section, in the order of the file. A file of format version 1 has each of them once.
            pub const ALL: &'static [Section] = &[$(Section::$Section,)*];

            /// The section with this number.
            pub const fn by_number(number: u16) -> Option<Section> {
                match number { $($number => Some(Section::$Section),)* _ => None }
            }

            /// The name in messages.
            pub const fn name(self) -> &'static str {
                match self { $(Section::$Section => $name,)* }
            }
        }
    };
}

sections! {
    /// What the macro says of itself.
    1 "metadata" Metadata;
    /// The constants.
    2 "constants" Constants;
    /// The instructions.
    3 "code" Code;
    /// The macros.
    4 "macros" Macros;
    /// The steps.
    5 "steps" Steps;
    /// The routes.
    6 "routes" Routes;
    /// The recordings.
    7 "streams" Streams;
    /// The images.
    8 "images" Images;
    /// The capability manifest.
    9 "manifest" Manifest;
    /// Where each instruction and step was written.
    10 "debug" Debug;
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where a section lies: a row of the section table, 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The section's number.
    pub number: u16,
    /// Must be 0.
    pub flags: u16,
    /// First byte, from the start of the file.
    pub offset: u32,
    /// Bytes, without the padding that follows.
    pub length: u32,
    /// Must be 0.
    pub reserved: u32,
}

impl Entry {
    /// Bytes of a row.
    pub const SIZE: usize = 16;

    /// The row's bytes.
    pub fn write(self) -> [u8; Self::SIZE] {
        let mut row = [0; Self::SIZE];
        row[0..2].copy_from_slice(&self.number.to_le_bytes());
        row[2..4].copy_from_slice(&self.flags.to_le_bytes());
        row[4..8].copy_from_slice(&self.offset.to_le_bytes());
        row[8..12].copy_from_slice(&self.length.to_le_bytes());
        row[12..16].copy_from_slice(&self.reserved.to_le_bytes());
        row
    }

    /// Reads a row.
    pub fn read(row: &[u8; Self::SIZE]) -> Self {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *row;
        Self {
            number: u16::from_le_bytes([a, b]),
            flags: u16::from_le_bytes([c, d]),
            offset: u32::from_le_bytes([e, f, g, h]),
            length: u32::from_le_bytes([i, j, k, l]),
            reserved: u32::from_le_bytes([m, n, o, p]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, Section};

    #[test]
    fn numbers_name_their_sections_in_order() {
        for (index, section) in Section::ALL.iter().enumerate() {
            assert_eq!(*section as usize, index + 1);
            assert_eq!(Section::by_number(*section as u16), Some(*section));
        }
        assert_eq!(Section::by_number(0), None);
        assert_eq!(Section::by_number(Section::ALL.len() as u16 + 1), None);
    }

    #[test]
    fn a_row_reads_back() {
        let entry =
            Entry { number: 0x0102, flags: 0x0304, offset: 0x0506_0708, length: 0x090A_0B0C, reserved: 0x0D0E_0F10 };
        let row = entry.write();
        assert_eq!(row, [2, 1, 4, 3, 8, 7, 6, 5, 12, 11, 10, 9, 16, 15, 14, 13]);
        assert_eq!(Entry::read(&row), entry);
    }
}
