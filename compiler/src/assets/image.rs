//! PNG to pixels. Gamma and colour profiles are ignored: a template is compared with what a screen shows.

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, Limits, Transformations};
use spec::artifact::{IMAGE_SIDE_LIMIT, Image};
use thiserror::Error;

/// Largest file, in bytes.
const MAX_BYTES: usize = 32 << 20;
/// Most pixels: a screen of 4096x4096.
const MAX_PIXELS: u64 = 1 << 24;
/// Most bytes the decoder may take for itself.
const MAX_SCRATCH: usize = 16 << 20;

/// Why bytes are no usable image; the sentence goes on after the file's name.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum ImageError {
    /// No bytes.
    #[error("is an empty file")]
    Empty,
    /// Too many bytes.
    #[error("has {0} bytes; an image may have {MAX_BYTES}")]
    TooLarge(usize),
    /// Another format, which the text names.
    #[error("is no PNG image{0}")]
    NotPng(&'static str),
    /// Its header announces too much.
    #[error("is {0}x{1} pixels; an image may have {MAX_PIXELS} pixels and sides of {IMAGE_SIDE_LIMIT}")]
    TooManyPixels(u32, u32),
    /// Damaged, in the decoder's words.
    #[error("is a damaged PNG image: {0}")]
    Damaged(String),
    /// Nothing of it can be seen.
    #[error("is fully transparent: there is nothing to look for")]
    Transparent,
}

/// Decodes a PNG file into an image without a path: 8-bit red, green, blue and alpha whatever the file has.
///
/// # Errors
/// When it is no PNG, damaged, larger than the limits (seen in its header, before anything is allocated) or fully transparent.
pub fn decode(bytes: &[u8]) -> Result<Image, ImageError> {
    check_kind(bytes)?;
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MAX_SCRATCH });
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16 | Transformations::ALPHA);
    let header = decoder.read_header_info().map_err(damaged)?;
    let (width, height) = (header.width, header.height);
    if width > IMAGE_SIDE_LIMIT || height > IMAGE_SIDE_LIMIT || u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(ImageError::TooManyPixels(width, height));
    }
    let mut reader = decoder.read_info().map_err(damaged)?;
    let size = reader.output_buffer_size().ok_or(ImageError::TooManyPixels(width, height))?;
    let mut pixels = vec![0; size];
    let frame = reader.next_frame(&mut pixels).map_err(damaged)?;
    if (frame.width, frame.height) != (width, height) {
        return Err(ImageError::Damaged("its first frame does not cover it".to_owned()));
    }
    pixels.truncate(frame.buffer_size());
    let rgba = match (frame.color_type, frame.bit_depth) {
        (ColorType::Rgba, BitDepth::Eight) => pixels,
        (ColorType::GrayscaleAlpha, BitDepth::Eight) => {
            pixels.as_chunks::<2>().0.iter().flat_map(|[grey, alpha]| [*grey, *grey, *grey, *alpha]).collect()
        }
        (color, depth) => return Err(ImageError::Damaged(format!("unexpected pixels of {color:?}, {depth:?}"))),
    };
    if rgba.len() as u64 != u64::from(width) * u64::from(height) * 4 {
        return Err(ImageError::Damaged("it has too few pixels".to_owned()));
    }
    let image = Image { path: String::new(), width, height, rgba };
    if visible(&image).next().is_none() {
        return Err(ImageError::Transparent);
    }
    Ok(image)
}

/// Whether all visible pixels have one colour.
pub fn is_flat(image: &Image) -> bool {
    let mut pixels = visible(image);
    let first = pixels.next();
    pixels.all(|pixel| Some(pixel) == first)
}

/// The colours of the pixels that are not fully transparent.
fn visible(image: &Image) -> impl Iterator<Item = [u8; 3]> {
    let pixels = image.rgba.as_chunks::<4>().0.iter();
    pixels.filter(|[_, _, _, alpha]| *alpha > 0).map(|[red, green, blue, _]| [*red, *green, *blue])
}

fn check_kind(bytes: &[u8]) -> Result<(), ImageError> {
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
    if bytes.is_empty() {
        return Err(ImageError::Empty);
    }
    if bytes.len() > MAX_BYTES {
        return Err(ImageError::TooLarge(bytes.len()));
    }
    if bytes.starts_with(PNG) {
        return Ok(());
    }
    Err(ImageError::NotPng(match bytes {
        [0xFF, 0xD8, 0xFF, ..] => " but a JPEG; save it as PNG, which keeps every pixel",
        [b'G', b'I', b'F', b'8', ..] => " but a GIF; save it as PNG",
        [b'B', b'M', ..] => " but a BMP; save it as PNG",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => " but a WebP; save it as PNG",
        [..] if std::str::from_utf8(bytes).is_ok() => " but a text",
        [..] => "",
    }))
}

fn damaged(error: png::DecodingError) -> ImageError {
    ImageError::Damaged(error.to_string().trim_end_matches('.').to_owned())
}

#[cfg(test)]
mod tests {
    use png::{BitDepth, ColorType};
    use proptest::prelude::*;

    use crate::assets::image::{ImageError, decode, is_flat};
    use crate::assets::tests::png;

    fn pixels(color: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
        decode(&png(2, 1, color, depth, data)).unwrap().rgba
    }

    #[test]
    fn every_kind_of_png_becomes_eight_bit_rgba() {
        assert_eq!(pixels(ColorType::Rgba, BitDepth::Eight, &[1, 2, 3, 4, 5, 6, 7, 8]), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(pixels(ColorType::Rgb, BitDepth::Eight, &[1, 2, 3, 5, 6, 7]), [1, 2, 3, 255, 5, 6, 7, 255]);
        assert_eq!(pixels(ColorType::Grayscale, BitDepth::Eight, &[9, 200]), [9, 9, 9, 255, 200, 200, 200, 255]);
        assert_eq!(pixels(ColorType::Grayscale, BitDepth::One, &[0b0100_0000]), [0, 0, 0, 255, 255, 255, 255, 255]);
        assert_eq!(pixels(ColorType::GrayscaleAlpha, BitDepth::Eight, &[9, 8, 7, 6]), [9, 9, 9, 8, 7, 7, 7, 6]);
        let sixteen = [0x12, 0xFF, 0x34, 0, 0x56, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0x80, 0];
        assert_eq!(pixels(ColorType::Rgba, BitDepth::Sixteen, &sixteen), [0x12, 0x34, 0x56, 0xFF, 0, 0, 0, 0x80]);
        let mut indexed = Vec::new();
        let mut encoder = png::Encoder::new(&mut indexed, 2, 1);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_palette(vec![10, 20, 30, 40, 50, 60]);
        encoder.set_trns(vec![255, 7]);
        encoder.write_header().unwrap().write_image_data(&[1, 0]).unwrap();
        assert_eq!(decode(&indexed).unwrap().rgba, [40, 50, 60, 7, 10, 20, 30, 255]);
    }

    #[test]
    fn what_is_no_image_is_told_by_name() {
        let cases: [(&[u8], &str); 5] = [
            (b"", "empty"),
            (b"hello", "but a text"),
            (b"\xFF\xD8\xFF\xE0", "JPEG"),
            (b"\x89PNG\r\n\x1a\n", "damaged"),
            (&[0xFF; 9], "no PNG image"),
        ];
        for (bytes, expected) in cases {
            let error = decode(bytes).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_header_that_announces_too_much_is_refused_before_decoding() {
        let header = |width: u32, height: u32| {
            let mut bytes = png(1, 1, ColorType::Rgba, BitDepth::Eight, &[1, 2, 3, 4]);
            bytes[16..20].copy_from_slice(&width.to_be_bytes());
            bytes[20..24].copy_from_slice(&height.to_be_bytes());
            let sum = crc32(&bytes[12..29]);
            bytes[29..33].copy_from_slice(&sum.to_be_bytes());
            bytes
        };
        assert_eq!(decode(&header(60_000, 60_000)), Err(ImageError::TooManyPixels(60_000, 60_000)));
        assert_eq!(decode(&header(4097, 4096)), Err(ImageError::TooManyPixels(4097, 4096)));
        assert_eq!(decode(&header(20_000, 1)), Err(ImageError::TooManyPixels(20_000, 1)));
        for (width, height) in [(0, 5), (5, 0), (4096, 4096)] {
            assert!(matches!(decode(&header(width, height)), Err(ImageError::Damaged(_))), "{width}x{height}");
        }
    }

    #[test]
    fn a_cut_image_is_damaged_and_a_transparent_one_useless() {
        let noise: Vec<u8> = (0..4 * 64).map(|at| (at * 37 % 251) as u8).collect();
        let whole = png(8, 8, ColorType::Rgba, BitDepth::Eight, &noise);
        assert!(matches!(decode(&whole[..whole.len() / 2]), Err(ImageError::Damaged(_))));
        let clear = png(2, 1, ColorType::Rgba, BitDepth::Eight, &[1, 2, 3, 0, 4, 5, 6, 0]);
        assert_eq!(decode(&clear), Err(ImageError::Transparent));
    }

    #[test]
    fn only_visible_pixels_are_detail() {
        let flat = |data: &[u8]| is_flat(&decode(&png(2, 1, ColorType::Rgba, BitDepth::Eight, data)).unwrap());
        assert!(flat(&[1, 2, 3, 255, 1, 2, 3, 9]));
        assert!(flat(&[1, 2, 3, 255, 9, 9, 9, 0]));
        assert!(!flat(&[1, 2, 3, 255, 1, 2, 4, 255]));
    }

    proptest! {
        #[test]
        fn random_bytes_are_errors(tail in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(decode(&tail).is_err());
            let bytes = [b"\x89PNG\r\n\x1a\n".as_slice(), &tail].concat();
            prop_assert!(decode(&bytes).is_err());
        }

        #[test]
        fn changed_bytes_never_panic(at in 0usize..200, byte in any::<u8>()) {
            let noise: Vec<u8> = (0..4 * 16).map(|at| (at * 37 % 251) as u8).collect();
            let mut bytes = png(4, 4, ColorType::Rgba, BitDepth::Eight, &noise);
            let at = at % bytes.len();
            bytes[at] = byte;
            let _ = decode(&bytes);
        }
    }

    /// The checksum of PNG chunks (RFC 1952, section 8).
    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0u32, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 })
        })
    }
}
