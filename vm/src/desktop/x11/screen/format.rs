//! How the display lays out the pixels of its screen, and how they become blue, green, red and a byte without meaning.

use x11rb::protocol::xproto::{Colormap, ImageOrder, Screen as Root, Setup, VisualClass, Visualtype};

use crate::desktop::error::DesktopError;
use crate::desktop::x11::screen::colors::{Bgrx, Channel, by_channels};

/// The layout of a screen's pixels.
#[derive(Clone, Debug)]
pub struct PixelFormat {
    /// Bits of a pixel: 8, 16, 24 or 32.
    bits: u8,
    /// A row is padded to a multiple of so many bits.
    pad: u8,
    order: ImageOrder,
    colors: Colors,
}

/// What pixel values stand for.
#[derive(Clone, Debug)]
pub enum Colors {
    /// The bytes are blue, green, red and one more already.
    Ready,
    /// Each value has an entry.
    Table(Vec<Bgrx>),
    /// Blue, green and red have their bits in it.
    Channels([Channel; 3]),
    /// Each value is a cell of a colour map, which has so many and whose colours may change at any time.
    Map(Colormap, u32),
}

impl PixelFormat {
    /// The layout of a screen.
    ///
    /// # Errors
    /// One whose colours cannot be told.
    pub fn of(setup: &Setup, root: &Root) -> Result<Self, DesktopError> {
        let depth = root.root_depth;
        let unsupported = |why: &str| DesktopError::Unsupported(format!("unsupported depth {depth}: {why}"));
        let format = setup.pixmap_formats.iter().find(|format| format.depth == depth);
        let format = format.ok_or_else(|| unsupported("the display does not say how it lays out such pixels"))?;
        let (bits, pad) = (format.bits_per_pixel, format.scanline_pad);
        if !matches!(bits, 8 | 16 | 24 | 32) || !matches!(pad, 8 | 16 | 32 | 64) {
            return Err(unsupported("screens of 8, 16, 24 and 30 bits can be read"));
        }
        let visuals = root.allowed_depths.iter().flat_map(|depth| &depth.visuals);
        let visual = visuals.into_iter().find(|visual| visual.visual_id == root.root_visual);
        let visual = visual.ok_or_else(|| unsupported("the display does not say what its pixels look like"))?;
        let order = setup.image_byte_order;
        let colors = match visual.class {
            VisualClass::TRUE_COLOR => channels(visual, bits, order),
            VisualClass::PSEUDO_COLOR
            | VisualClass::STATIC_COLOR
            | VisualClass::GRAY_SCALE
            | VisualClass::STATIC_GRAY
                if bits <= 16 =>
            {
                let cells = u32::from(visual.colormap_entries).min(1 << bits);
                Some(Colors::Map(root.default_colormap, cells))
            }
            _ => None,
        };
        let colors = colors.ok_or_else(|| unsupported("what its pixels look like cannot be told"))?;
        Ok(Self { bits, pad, order, colors })
    }

    /// What pixel values stand for.
    pub fn colors(&self) -> &Colors {
        &self.colors
    }

    /// Bytes of a row of `width` pixels.
    pub fn stride(&self, width: u16) -> usize {
        let bits = usize::from(width) * usize::from(self.bits);
        bits.next_multiple_of(self.pad.into()) / 8
    }

    /// Appends the pixels of rows the display sent, 4 bytes each and without padding. `cells` is the content of the colour map.
    pub fn unpack(&self, rows: &[u8], width: u16, cells: &[Bgrx], into: &mut Vec<u8>) {
        let stride = self.stride(width).max(1);
        let used = usize::from(width) * usize::from(self.bits / 8);
        for row in rows.chunks_exact(stride) {
            let row = row.get(..used).unwrap_or_default();
            match &self.colors {
                Colors::Ready => into.extend_from_slice(row),
                Colors::Table(table) => self.row(row, into, |pixel| entry(table, pixel)),
                Colors::Channels(channels) => self.row(row, into, |pixel| by_channels(channels, pixel)),
                Colors::Map(..) => self.row(row, into, |pixel| entry(cells, pixel)),
            }
        }
    }

    /// Appends one row.
    fn row(&self, row: &[u8], into: &mut Vec<u8>, color: impl Fn(u32) -> Bgrx) {
        let low_first = self.order == ImageOrder::LSB_FIRST;
        match self.bits {
            8 => row.iter().for_each(|byte| into.extend(color((*byte).into()))),
            16 => row.as_chunks::<2>().0.iter().for_each(|bytes| {
                let pixel = if low_first { u16::from_le_bytes(*bytes) } else { u16::from_be_bytes(*bytes) };
                into.extend(color(pixel.into()));
            }),
            24 => row.as_chunks::<3>().0.iter().for_each(|[a, b, c]| {
                let pixel = if low_first { [*a, *b, *c, 0] } else { [*c, *b, *a, 0] };
                into.extend(color(u32::from_le_bytes(pixel)));
            }),
            _ => row.as_chunks::<4>().0.iter().for_each(|bytes| {
                let pixel = if low_first { u32::from_le_bytes(*bytes) } else { u32::from_be_bytes(*bytes) };
                into.extend(color(pixel));
            }),
        }
    }
}

/// The colours of pixels that have their bits in them.
fn channels(visual: &Visualtype, bits: u8, order: ImageOrder) -> Option<Colors> {
    let masks = (visual.blue_mask, visual.green_mask, visual.red_mask);
    if bits == 32 && order == ImageOrder::LSB_FIRST && masks == (0xFF, 0xFF00, 0xFF_0000) {
        return Some(Colors::Ready);
    }
    let channels = [Channel::new(masks.0)?, Channel::new(masks.1)?, Channel::new(masks.2)?];
    // One look is quicker than three.
    let table = |channels: [Channel; 3]| (0..1u32 << bits).map(|pixel| by_channels(&channels, pixel)).collect();
    Some(if bits <= 16 { Colors::Table(table(channels)) } else { Colors::Channels(channels) })
}

fn entry(table: &[Bgrx], pixel: u32) -> Bgrx {
    table.get(pixel as usize).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use x11rb::protocol::xproto::ImageOrder;

    use crate::desktop::x11::screen::colors::{Bgrx, Channel};
    use crate::desktop::x11::screen::format::{Colors, PixelFormat};

    fn unpacked(bits: u8, order: ImageOrder, colors: Colors, rows: &[u8], width: u16) -> Vec<u8> {
        let mut pixels = Vec::new();
        PixelFormat { bits, pad: 32, order, colors }.unpack(rows, width, &[], &mut pixels);
        pixels
    }

    fn true_color() -> Colors {
        Colors::Channels([0xFF, 0xFF00, 0xFF_0000].map(|mask| Channel::new(mask).unwrap()))
    }

    #[test]
    fn rows_are_padded() {
        let format = |bits, pad| PixelFormat { bits, pad, order: ImageOrder::LSB_FIRST, colors: Colors::Ready };
        assert_eq!([1, 2, 3, 4, 5].map(|width| format(8, 32).stride(width)), [4, 4, 4, 4, 8]);
        assert_eq!([1, 2, 3].map(|width| format(16, 32).stride(width)), [4, 4, 8]);
        assert_eq!([1, 2].map(|width| format(24, 32).stride(width)), [4, 8]);
        assert_eq!([format(8, 64).stride(1), format(8, 8).stride(3), format(32, 32).stride(7)], [8, 3, 28]);
    }

    #[test]
    fn every_byte_order_gives_the_same_pixels() {
        let expected = [3, 2, 1, 0, 6, 5, 4, 0];
        let (low, high) = (ImageOrder::LSB_FIRST, ImageOrder::MSB_FIRST);
        assert_eq!(unpacked(32, high, true_color(), &[9, 1, 2, 3, 9, 4, 5, 6], 2), expected);
        assert_eq!(unpacked(32, low, true_color(), &[3, 2, 1, 9, 6, 5, 4, 9], 2), expected);
        assert_eq!(unpacked(24, low, true_color(), &[3, 2, 1, 6, 5, 4, 9, 9], 2), expected);
        assert_eq!(unpacked(24, high, true_color(), &[1, 2, 3, 4, 5, 6, 9, 9], 2), expected);
    }

    #[test]
    fn tables_and_padding() {
        let mut table: Vec<Bgrx> = vec![[0; 4]; 65536];
        table[0x0102] = [7, 8, 9, 0];
        let colors = || Colors::Table(table.clone());
        assert_eq!(
            unpacked(16, ImageOrder::MSB_FIRST, colors(), &[1, 2, 9, 9, 1, 2, 9, 9], 1),
            [7, 8, 9, 0, 7, 8, 9, 0]
        );
        assert_eq!(unpacked(16, ImageOrder::LSB_FIRST, colors(), &[2, 1, 0, 0], 1), [7, 8, 9, 0]);
        let mut pixels = Vec::new();
        let format = PixelFormat { bits: 8, pad: 32, order: ImageOrder::LSB_FIRST, colors: Colors::Map(0, 256) };
        format.unpack(&[1, 200, 0, 0], 2, &[[0; 4], [4, 5, 6, 0]], &mut pixels);
        assert_eq!(pixels, [4, 5, 6, 0, 0, 0, 0, 0]);
    }
}
