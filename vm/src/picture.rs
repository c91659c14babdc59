//! Pixels of the screen as files of images.

use std::io::Cursor;

use jpeg_encoder::{ColorType as JpegColor, Encoder as JpegEncoder, EncodingError as JpegError};
use png::{BitDepth, ColorType, Compression, Decoder, DecodingError, Encoder, EncodingError, Limits, Transformations};
use thiserror::Error;

use crate::desktop::{Frame, Rect};

/// The quality of JPEG files, of 100: letters stay clear.
const QUALITY: u8 = 92;
/// Red, between white lines: seen on every background.
const OUTLINE: [[u8; 3]; 3] = [[255, 255, 255], [255, 0, 0], [255, 255, 255]];

/// The most bytes of the pixels of a PNG file that is read.
const MOST_BYTES: usize = 256 << 20;

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
    /// A PNG file cannot be read.
    #[error("it is no PNG that can be read: {0}")]
    Unreadable(#[from] DecodingError),
    /// A PNG file has more pixels than any screen.
    #[error("it has more pixels than any screen")]
    TooMany,
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

    /// Pixels with an alpha value (not premultiplied), on white. `rgba` has four bytes for each pixel; what is missing is white.
    pub fn on_white(width: u32, height: u32, rgba: &[u8]) -> Self {
        let count = width as usize * height as usize;
        let mut rgb = Vec::with_capacity(count * 3);
        for [red, green, blue, alpha] in rgba.as_chunks::<4>().0.iter().take(count) {
            let alpha = u32::from(*alpha);
            // At most 255.
            let mixed = |color: &u8| ((u32::from(*color) * alpha + 255 * (255 - alpha) + 127) / 255) as u8;
            rgb.extend([mixed(red), mixed(green), mixed(blue)]);
        }
        rgb.resize(count * 3, 255);
        Self { width, height, rgb }
    }

    /// What a PNG file shows, on white.
    ///
    /// # Errors
    /// It is none, it is damaged, or it is larger than any screen.
    pub fn from_png(bytes: &[u8]) -> Result<Self, PictureError> {
        let limits = Limits { bytes: MOST_BYTES };
        let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
        decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16 | Transformations::ALPHA);
        let mut reader = decoder.read_info()?;
        let size = reader.output_buffer_size().filter(|size| *size <= MOST_BYTES).ok_or(PictureError::TooMany)?;
        let mut pixels = vec![0; size];
        let info = reader.next_frame(&mut pixels)?;
        let rgba = match info.color_type {
            ColorType::Rgba => pixels,
            ColorType::GrayscaleAlpha => {
                pixels.as_chunks::<2>().0.iter().flat_map(|[gray, alpha]| [*gray, *gray, *gray, *alpha]).collect()
            }
            // The transformations above leave no other.
            ColorType::Rgb | ColorType::Grayscale | ColorType::Indexed => return Err(PictureError::TooMany),
        };
        Ok(Self::on_white(info.width, info.height, &rgba))
    }

    /// A part of it; `None` when that is not wholly inside.
    pub fn cut(&self, part: Rect) -> Option<Self> {
        let whole = Rect { x: 0, y: 0, width: self.width, height: self.height };
        whole.covers(part).then(|| Self { width: part.width, height: part.height, rgb: self.part(part) })
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Red, green and blue of each pixel of a part, row by row; of what lies outside nothing.
    pub fn part(&self, part: Rect) -> Vec<u8> {
        let whole = Rect { x: 0, y: 0, width: self.width, height: self.height };
        let Some(part) = part.intersection(whole) else { return Vec::new() };
        // Inside of the picture, so neither is negative.
        let (left, top) = (part.x.unsigned_abs() as usize, part.y.unsigned_abs() as usize);
        let row = |y: usize| ((top + y) * self.width as usize + left) * 3;
        let rows = (0..part.height as usize).map(|y| &self.rgb[row(y)..row(y) + part.width as usize * 3]);
        rows.flatten().copied().collect()
    }

    /// The same in another size, at most its own: each pixel is the mean of those it stands for.
    pub fn reduced(&self, width: u32, height: u32) -> Self {
        let (width, height) = (width.min(self.width).max(1), height.min(self.height).max(1));
        if (width, height) == self.size() || self.rgb.is_empty() {
            return self.clone();
        }
        let span = |at: u32, all: u32, own: u32| {
            let edge = |at: u32| u64::from(at) * u64::from(own) / u64::from(all);
            // An edge is at most `own`.
            edge(at) as usize..edge(at + 1) as usize
        };
        let mut rgb = Vec::with_capacity(width as usize * height as usize * 3);
        for y in 0..height {
            let rows = span(y, height, self.height);
            for x in 0..width {
                let columns = span(x, width, self.width);
                let count = (rows.len() * columns.len()).max(1) as u32;
                let mut sums = [0u32; 3];
                for row in rows.clone() {
                    let start = (row * self.width as usize + columns.start) * 3;
                    for pixel in self.rgb[start..start + columns.len() * 3].as_chunks::<3>().0 {
                        sums.iter_mut().zip(pixel).for_each(|(sum, color)| *sum += u32::from(*color));
                    }
                }
                rgb.extend(sums.map(|sum| ((sum + count / 2) / count) as u8));
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
        assert_eq!(Picture::from_png(&picture.png().unwrap()).unwrap(), picture);
        assert!(Picture::from_png(b"\x89PNG").is_err());
        let one = picture.cut(Rect { x: 1, y: 1, width: 1, height: 1 }).unwrap();
        assert_eq!((one.size(), one.rgb.as_slice()), ((1, 1), &[14, 15, 16][..]));
        assert_eq!(picture.cut(Rect { x: 1, y: 1, width: 2, height: 1 }), None);
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
    fn a_reduced_picture_has_the_means() {
        let rgb = (0..4 * 2).flat_map(|at| [at * 10, 0, 255]).collect();
        let picture = Picture { width: 4, height: 2, rgb };
        let half = picture.reduced(2, 1);
        assert_eq!((half.size(), half.rgb.as_slice()), ((2, 1), &[25, 0, 255, 45, 0, 255][..]));
        assert_eq!(picture.reduced(9, 9), picture);
        assert_eq!(picture.reduced(3, 2).size(), (3, 2));
        assert_eq!(picture.part(Rect { x: 3, y: 1, width: 5, height: 5 }), [70, 0, 255]);
        assert!(picture.part(Rect { x: 4, y: 0, width: 1, height: 1 }).is_empty());
        let flat = Picture::on_white(2, 1, &[0, 0, 0, 255, 100, 0, 0, 0]);
        assert_eq!(flat.rgb, [0, 0, 0, 255, 255, 255]);
    }

    #[test]
    fn what_no_format_takes_is_an_error() {
        assert!(white(0, 5).png().is_err());
        assert!(white(70_000, 1).jpeg().is_err());
    }
}
