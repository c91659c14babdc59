//! Images, packed as pixels ready to be matched.

/// An image of a screen part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// The file's path relative to the folder of the macro that runs, with forward slashes and without `.` and `folder/..`; an
    /// action's argument, or a recording's text, names the image by it.
    pub path: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Red, green, blue and alpha (not premultiplied) of each pixel, 8 bits each, row by row from the top. At least one pixel is
    /// not fully transparent.
    pub rgba: Vec<u8>,
}
