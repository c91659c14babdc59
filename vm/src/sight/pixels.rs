//! What is searched.

/// An area of pixels, borrowed: four bytes each, blue, green, red and one that means nothing, as X11 gives them at depth 24.
#[derive(Clone, Copy, Debug)]
pub struct Pixels<'a> {
    /// Pixels in a row.
    pub width: u32,
    /// Rows. Those that `bgrx` does not hold whole are not searched.
    pub height: u32,
    /// Bytes from the beginning of a row to that of the next.
    pub stride: usize,
    /// The rows, top to bottom. A region of a larger image is the slice that begins with its first pixel, with the image's stride.
    pub bgrx: &'a [u8],
}

impl<'a> Pixels<'a> {
    /// Width in pixels, as far as a row holds it.
    pub(crate) fn columns(&self) -> usize {
        let width = usize::try_from(self.width).unwrap_or(usize::MAX);
        if self.height > 1 { width.min(self.stride / 4) } else { width.min(self.bgrx.len() / 4) }
    }

    /// Rows that are there whole.
    pub(crate) fn rows(&self) -> usize {
        let bytes = self.columns() * 4;
        let Some(room) = self.bgrx.len().checked_sub(bytes).filter(|_| bytes > 0) else { return 0 };
        let height = usize::try_from(self.height).unwrap_or(usize::MAX);
        height.min(room.checked_div(self.stride).map_or(1, |more| more + 1))
    }

    /// The bytes of `width` pixels from (x, y) on, which must be inside.
    pub(crate) fn span(&self, x: usize, y: usize, width: usize) -> &'a [u8] {
        let begin = y * self.stride + x * 4;
        &self.bgrx[begin..begin + width * 4]
    }
}

#[cfg(test)]
mod tests {
    use crate::sight::Pixels;

    #[test]
    fn rows_that_are_not_there_do_not_count() {
        let bgrx = [0; 40];
        let of = |width, height, stride| {
            let pixels = Pixels { width, height, stride, bgrx: &bgrx };
            (pixels.columns(), pixels.rows())
        };
        assert_eq!(of(2, 5, 8), (2, 5));
        assert_eq!(of(2, 6, 8), (2, 5));
        assert_eq!(of(2, 5, 16), (2, 3));
        assert_eq!(of(3, 5, 8), (2, 5));
        assert_eq!(of(2, 5, 0), (0, 0));
        assert_eq!(of(11, 1, 44), (10, 1));
        assert_eq!(of(0, 5, 8), (0, 0));
    }
}
