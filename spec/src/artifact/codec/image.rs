//! The images section: the heads of all images, then their pixels.

use wincode::{SchemaRead, SchemaWrite};

use crate::artifact::codec::bytes::{Bytes, align};
use crate::artifact::codec::stream::{read_heads, write_heads};
use crate::artifact::codec::{Malformed, record};
use crate::artifact::{Image, LoadErrorKind};

/// The greatest width and height of an image, in pixels.
pub const IMAGE_SIDE_LIMIT: u32 = 16_384;

/// An image without its pixels.
#[derive(SchemaWrite, SchemaRead)]
struct Head {
    path: String,
    width: u32,
    height: u32,
}

/// The section's bytes.
pub(in crate::artifact) fn write(images: &[Image]) -> Vec<u8> {
    let heads: Vec<Head> = images
        .iter()
        .map(|image| Head { path: image.path.clone(), width: image.width, height: image.height })
        .collect();
    let mut bytes = write_heads(&record::write(&heads));
    for image in images {
        bytes.extend_from_slice(&image.rgba);
        align(&mut bytes);
    }
    bytes
}

/// Reads the section's bytes.
pub(in crate::artifact) fn read(bytes: &[u8]) -> Result<Vec<Image>, Malformed> {
    let mut bytes = Bytes::new(bytes);
    let heads: Vec<Head> = record::read(read_heads(&mut bytes)?, "the heads of the images")?;
    let mut images = Vec::with_capacity(heads.len());
    for head in heads {
        for side in [head.width, head.height] {
            if side == 0 || side > IMAGE_SIDE_LIMIT {
                let (found, limit) = (u64::from(side), u64::from(IMAGE_SIDE_LIMIT));
                let reason = LoadErrorKind::TooLarge { what: "pixels of an image's side, at least 1", found, limit };
                return Err(Malformed { at: None, reason });
            }
        }
        let length = u64::from(head.width) * u64::from(head.height) * 4;
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let rgba = bytes.take(length, "as many pixels as the image's sides say")?.to_vec();
        images.push(Image { path: head.path, width: head.width, height: head.height, rgba });
        bytes.padding()?;
    }
    bytes.end()?;
    Ok(images)
}

#[cfg(test)]
mod tests {
    use super::{read, write};
    use crate::artifact::Image;

    fn image(width: u32, height: u32, bytes: usize) -> Image {
        Image { path: "a.png".to_owned(), width, height, rgba: vec![7; bytes] }
    }

    #[test]
    fn pixels_read_back() {
        let images = vec![image(3, 1, 12), image(2, 4, 32)];
        assert_eq!(read(&write(&images)).unwrap(), images);
    }

    #[test]
    fn pixels_must_fit_the_sides() {
        for wrong in [image(3, 1, 0), image(3, 2, 12), image(4, 4, 100), image(0, 5, 0), image(20_000, 1, 80_000)] {
            assert!(read(&write(std::slice::from_ref(&wrong))).is_err(), "{}x{}", wrong.width, wrong.height);
        }
        assert!(read(&write(&[image(u32::MAX, u32::MAX, 16)])).is_err());
    }
}
