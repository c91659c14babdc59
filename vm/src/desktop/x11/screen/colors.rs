//! Pixel values to blue, green and red of 8 bits each.

use x11rb::protocol::xproto::Rgb;

/// Blue, green, red and one byte without meaning.
pub type Bgrx = [u8; 4];

/// One colour of a pixel value: where its bits are, and what they stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    shift: u32,
    table: Vec<u8>,
}

impl Channel {
    /// The colour whose bits `mask` has; `None` for a mask with gaps, without bits or with more than 16.
    pub fn new(mask: u32) -> Option<Self> {
        let shift = mask.trailing_zeros();
        let top = mask.checked_shr(shift)?;
        let bits = top.trailing_ones();
        if bits > 16 || top.count_ones() != bits {
            return None;
        }
        Some(Self { shift, table: (0..=top).map(|value| spread(value, bits)).collect() })
    }

    /// Its part of a pixel value, from 0 to 255.
    pub fn of(&self, pixel: u32) -> u8 {
        let most = self.table.len() - 1;
        self.table.get((pixel >> self.shift) as usize & most).copied().unwrap_or(0)
    }
}

/// What a pixel value looks like by its three channels: blue, green, red.
pub fn by_channels(channels: &[Channel; 3], pixel: u32) -> Bgrx {
    let [blue, green, red] = channels;
    [blue.of(pixel), green.of(pixel), red.of(pixel), 0]
}

/// What a cell of a colour map looks like; its parts are from 0 to 65535.
pub fn by_cell(cell: &Rgb) -> Bgrx {
    let part = |value: u16| spread(value.into(), 16);
    [part(cell.blue), part(cell.green), part(cell.red), 0]
}

/// A value of `bits` bits as one of 8: few bits are repeated, so that none stays 0 and all become 255; of many the nearest is taken.
fn spread(value: u32, bits: u32) -> u8 {
    let wide = match bits {
        0 => 0,
        1..8 => {
            // Eight copies are at least eight bits; the topmost eight of them count.
            let copies = (0..8).fold(0u64, |all, _| all << bits | u64::from(value));
            copies >> (8 * bits - 8)
        }
        _ => {
            let most = (1u64 << bits) - 1;
            (u64::from(value) * 255 + most / 2) / most
        }
    };
    u8::try_from(wide).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use x11rb::protocol::xproto::Rgb;

    use crate::desktop::x11::screen::colors::{Channel, by_cell, by_channels, spread};

    #[test]
    fn values_are_spread_to_eight_bits() {
        for bits in 1..=16 {
            let most = (1 << bits) - 1;
            assert_eq!((spread(0, bits), spread(most, bits)), (0, 255), "{bits}");
            assert!((1..=most).all(|value| spread(value, bits) >= spread(value - 1, bits)), "{bits}");
        }
        assert_eq!((spread(0b10000, 5), spread(0b00001, 5)), (0b1000_0100, 0b0000_1000));
        assert_eq!((spread(0b100000, 6), spread(0b000001, 6)), (0b1000_0010, 0b0000_0100));
        assert_eq!((spread(512, 10), spread(2, 10), spread(1, 10)), (128, 0, 0));
        assert_eq!((spread(0b10, 2), spread(1, 1)), (0b1010_1010, 255));
        assert!((0..=255).all(|value| u32::from(spread(value, 8)) == value));
    }

    #[test]
    fn channels_are_cut_out() {
        let channel = |mask| Channel::new(mask).unwrap();
        let thick = [channel(0x1F), channel(0x7E0), channel(0xF800)];
        assert_eq!(by_channels(&thick, 0xF800), [0, 0, 255, 0]);
        assert_eq!(by_channels(&thick, 0x07E0), [0, 255, 0, 0]);
        assert_eq!(by_channels(&thick, 0xFFFF_001F), [255, 0, 0, 0]);
        let deep = [channel(0x3FF), channel(0xFFC00), channel(0x3FF0_0000)];
        assert_eq!(by_channels(&deep, 0xC000_0000 | 1023 << 20 | 512 << 10), [0, 128, 255, 0]);
        assert_eq!([Channel::new(0), Channel::new(0b101), Channel::new(0x1FFFF)], [None, None, None]);
        assert!(Channel::new(0xFF00_0000).is_some());
    }

    #[test]
    fn cells_are_rounded() {
        let cell = Rgb { red: 0xFFFF, green: 0x8080, blue: 0x0040 };
        assert_eq!(by_cell(&cell), [0, 0x80, 0xFF, 0]);
    }
}
