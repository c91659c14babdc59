//! Pixels of the screen as files of images.

use jpeg_encoder::{ColorType as JpegColor, Encoder as JpegEncoder, EncodingError as JpegError};
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};
use thiserror::Error;

use crate::desktop::{Frame, Rect};

/// The quality of JPEG files, of 100: letters stay clear.
const QUALITY: u8 = 92;
/// Red, between white lines: seen on every background.
const OUTLINE: [[u8; 3]; 3] = [[255, 255, 255], [255, 0, 0], [255, 255, 255]];

/// An image without transparency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    /// Red, green and blue of each pixel, row by row from the top.
    rgb: Vec<u8>,
}

/// Why a picture could not be made a file.
#[derive(Debug, Error)]
pub enum PictureError {
    /// As PNG.
    #[error("the screen cannot be written as PNG: {0}")]
    Png(#[from] EncodingError),
    /// As JPEG.
    #[error("the screen cannot be written as JPEG: {0}")]
    Jpeg(#[from] JpegError),
    /// JPEG has sides of at most 65,535 pixels.
    #[error("{0}x{1} pixels are too many for a JPEG; use PNG")]
    TooLarge(u32, u32),
}

impl Picture {
    /// What was captured.
    pub fn of(frame: &Frame<'_>) -> Self {
        let Rect { width, height, .. } = frame.area;
        let row = width as usize * 4;
        let mut rgb = Vec::with_capacity(row / 4 * 3 * height as usize);
        for pixels in frame.pixels.chunks(frame.stride.max(1)).take(height as usize) {
            for [blue, green, red, _] in pixels.get(..row).unwrap_or_default().as_chunks::<4>().0 {
                rgb.extend([*red, *green, *blue]);
            }
        }
        Self { width, height, rgb }
    }

    /// Draws a frame around a part of it, outside of the part's pixels.
    pub fn outline(&mut self, part: Rect) {
        for (distance, color) in (1..).zip(OUTLINE) {
            let (left, top) = (i64::from(part.x) - distance, i64::from(part.y) - distance);
            let right = i64::from(part.x) + i64::from(part.width) - 1 + distance;
            let bottom = i64::from(part.y) + i64::from(part.height) - 1 + distance;
            let (width, height) = (i64::from(self.width), i64::from(self.height));
            for x in left.max(0)..=right.min(width - 1) {
                self.dot(x, top, color);
                self.dot(x, bottom, color);
            }
            for y in top.max(0)..=bottom.min(height - 1) {
                self.dot(left, y, color);
                self.dot(right, y, color);
            }
        }
    }

    /// As a PNG file; quickly rather than small.
    ///
    /// # Errors
    /// It has no pixels.
    pub fn png(&self) -> Result<Vec<u8>, PictureError> {
        let mut bytes = Vec::with_capacity(self.rgb.len() / 4);
        let mut encoder = Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Fast);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgb)?;
        writer.finish()?;
        Ok(bytes)
    }

    /// As a JPEG file.
    ///
    /// # Errors
    /// It has no pixels or too many.
    pub fn jpeg(&self) -> Result<Vec<u8>, PictureError> {
        let too_large = |_| PictureError::TooLarge(self.width, self.height);
        let width = u16::try_from(self.width).map_err(too_large)?;
        let height = u16::try_from(self.height).map_err(too_large)?;
        let mut bytes = Vec::new();
        JpegEncoder::new(&mut bytes, QUALITY).encode(&self.rgb, width, height, JpegColor::Rgb)?;
        Ok(bytes)
    }

    /// Colours one pixel, if it is in the picture.
    fn dot(&mut self, x: i64, y: i64, color: [u8; 3]) {
        if !(0..i64::from(self.width)).contains(&x) || !(0..i64::from(self.height)).contains(&y) {
            return;
        }
        let at = usize::try_from((y * i64::from(self.width) + x) * 3).ok();
        if let Some(pixel) = at.and_then(|at| self.rgb.get_mut(at..at + 3)) {
            pixel.copy_from_slice(&color);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use crate::desktop::{Frame, Rect};
    use crate::picture::Picture;

    fn white(width: u32, height: u32) -> Picture {
        Picture { width, height, rgb: vec![255; (width * height * 3) as usize] }
    }

    #[test]
    fn a_frame_becomes_a_png_with_its_colors() {
        let pixels = [3, 2, 1, 0, 6, 5, 4, 0, 9, 9, 9, 9, 13, 12, 11, 0, 16, 15, 14, 0, 9, 9, 9, 9];
        let area = Rect { x: 7, y: 8, width: 2, height: 2 };
        let picture = Picture::of(&Frame { area, stride: 12, pixels: &pixels });
        let bytes = picture.png().unwrap();
        let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
        let mut rgb = vec![0; 12];
        let info = reader.next_frame(&mut rgb).unwrap();
        assert_eq!((info.width, info.height, info.color_type), (2, 2, png::ColorType::Rgb));
        assert_eq!(rgb, [1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16]);
        assert!(picture.jpeg().unwrap().starts_with(&[0xFF, 0xD8, 0xFF]));
    }

    #[test]
    fn the_frame_is_around_the_part_and_cut_at_the_edges() {
        let mut picture = white(20, 20);
        picture.outline(Rect { x: 5, y: 5, width: 4, height: 3 });
        let at = |picture: &Picture, x: usize, y: usize| picture.rgb[(y * 20 + x) * 3..][..3].to_vec();
        assert_eq!(at(&picture, 3, 3), [255, 0, 0]);
        assert_eq!(at(&picture, 10, 9), [255, 0, 0]);
        assert_eq!(at(&picture, 5, 5), [255, 255, 255]);
        let red = |picture: &Picture| picture.rgb.chunks(3).filter(|pixel| *pixel == [255, 0, 0]).count();
        assert_eq!(red(&picture), 2 * 8 + 2 * 5);
        let mut cut = white(20, 20);
        cut.outline(Rect { x: -3, y: -3, width: 10, height: 10 });
        assert_eq!(red(&cut), 9 + 8);
        cut.outline(Rect { x: i32::MAX, y: i32::MIN, width: u32::MAX, height: u32::MAX });
    }

    #[test]
    fn what_no_format_takes_is_an_error() {
        assert!(white(0, 5).png().is_err());
        assert!(white(70_000, 1).jpeg().is_err());
    }
}
