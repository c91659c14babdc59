//! How large images are sent.

/// The longest side of an image that is sent, in pixels: models shrink larger ones themselves, and name places in what is left.
const LONGEST: u32 = 1280;

/// The width and height that an image of this width and height is sent in: the same, or smaller in proportion.
pub fn sent_size(width: u32, height: u32) -> (u32, u32) {
    let longest = width.max(height);
    if longest <= LONGEST {
        return (width, height);
    }
    let scaled = |side: u32| {
        let scaled = u64::from(side) * u64::from(LONGEST) / u64::from(longest);
        u32::try_from(scaled).unwrap_or(LONGEST).max(1)
    };
    (scaled(width), scaled(height))
}

#[cfg(test)]
mod tests {
    use crate::model::size::sent_size;

    #[test]
    fn a_large_image_is_sent_smaller() {
        assert_eq!(sent_size(2560, 1440), (1280, 720));
        assert_eq!(sent_size(3840, 2160), (1280, 720));
        assert_eq!(sent_size(1280, 800), (1280, 800));
        assert_eq!(sent_size(800, 5000), (204, 1280));
        assert_eq!(sent_size(1_000_000, 1), (1280, 1));
    }
}
