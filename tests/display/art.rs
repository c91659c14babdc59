//! Images made of code: shown on a display, looked for, and compared with what was captured.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Red, green and blue.
pub type Color = [u8; 3];

/// An image.
#[derive(Clone, PartialEq, Eq)]
pub struct Art {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Its pixels, row by row.
    pub pixels: Vec<Color>,
}

impl Art {
    /// The image that has this colour at each place.
    pub fn new(width: u32, height: u32, color: impl Fn(u32, u32) -> Color) -> Self {
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| color(x, y)).collect();
        Self { width, height, pixels }
    }

    /// One colour.
    pub fn plain(width: u32, height: u32, color: Color) -> Self {
        Self::new(width, height, |_, _| color)
    }

    /// A button of this colour: a dark edge, and a mark in it that no other place looks like.
    pub fn button(color: Color) -> Self {
        Self::new(60, 24, |x, y| {
            let edge = x < 2 || y < 2 || x >= 58 || y >= 22;
            let mark = (20..40).contains(&x) && (6..18).contains(&y) && (x + 2 * y) % 7 < 3;
            match (edge, mark) {
                (true, _) => [40, 40, 48],
                (_, true) => [250, 250, 250],
                _ => color,
            }
        })
    }

    /// Something that looks like nothing else; another `seed` is another image.
    pub fn noise(width: u32, height: u32, seed: u32) -> Self {
        Self::new(width, height, |x, y| {
            let mixed = (x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ seed.wrapping_mul(0xC2B2_AE3D))
                .wrapping_mul(0x27D4_EB2F);
            let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2C1B_3C6D);
            let [_, red, green, blue] = (mixed ^ mixed >> 13).to_be_bytes();
            [red, green, blue]
        })
    }

    /// The same with this colour at one place.
    pub fn with(mut self, x: u32, y: u32, color: Color) -> Self {
        self.pixels[(y * self.width + x) as usize] = color;
        self
    }

    /// Each pixel as a square of `scale` pixels.
    pub fn scaled(&self, scale: u32) -> Self {
        Self::new(self.width * scale, self.height * scale, |x, y| self.at(x / scale, y / scale))
    }

    /// A part of it.
    pub fn part(&self, left: u32, top: u32, width: u32, height: u32) -> Self {
        Self::new(width, height, |x, y| self.at(left + x, top + y))
    }

    /// The colour at a place.
    pub fn at(&self, x: u32, y: u32) -> Color {
        self.pixels[(y * self.width + x) as usize]
    }

    /// The largest difference of any colour of any pixel.
    pub fn distance(&self, other: &Self) -> u8 {
        assert_eq!((self.width, self.height), (other.width, other.height));
        let pairs = self.pixels.iter().flatten().zip(other.pixels.iter().flatten());
        pairs.map(|(one, other)| one.abs_diff(*other)).max().unwrap_or(0)
    }

    /// As a PNG file.
    pub fn png(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header().unwrap().write_image_data(self.pixels.as_flattened()).unwrap();
        bytes
    }

    /// Reads a PNG file without transparency.
    pub fn read(path: &Path) -> Self {
        let file = BufReader::new(File::open(path).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
        Self { width: info.width, height: info.height, pixels: bytes.as_chunks::<3>().0.to_vec() }
    }
}

impl std::fmt::Debug for Art {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "an image of {}x{} pixels that begins with {:?}", self.width, self.height, self.pixels.first())
    }
}
