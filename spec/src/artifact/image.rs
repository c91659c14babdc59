//! Images, packed as pixels ready to be matched.

/// An image of a screen part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// The path as the macro writes it; an action's argument names the image by it.
    pub path: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Red, green, blue and alpha of each pixel, 8 bits each, row by row from the top.
    pub rgba: Vec<u8>,
}
