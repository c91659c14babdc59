//! The screenshot: of the display as it is, or from a file.

use std::path::Path;

use vm::desktop::{DesktopError, SharedDesktop};
use vm::model::sent_size;
use vm::picture::Picture;
use vm::stop::Stop;

use crate::files::{self, ASSET_LIMIT};
use crate::trouble::Trouble;

/// The word for the display as it is.
pub const CURRENT: &str = "current";

/// A screenshot as it is sent.
pub struct Sent {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// The PNG file.
    pub png: Vec<u8>,
}

/// What `--screenshot` names.
///
/// # Errors
/// There is no display, or the file is no PNG.
pub fn screenshot(named: &str, stop: &Stop<'_>) -> Result<Picture, Trouble> {
    if named == CURRENT {
        return current(stop).map_err(|error| Trouble::failure(&error.into()));
    }
    let bad = |reason: String| Trouble::usage(format!("screenshot `{named}`: {reason}"));
    let bytes = files::read(Path::new(named), ASSET_LIMIT).map_err(bad)?;
    Picture::from_png(&bytes).map_err(|error| bad(error.to_string()))
}

/// A picture in the size that models take.
///
/// # Errors
/// It has no pixels.
pub fn sent(picture: &Picture) -> Result<Sent, Trouble> {
    let (width, height) = picture.size();
    let size = sent_size(width, height);
    let png = picture.reduced(size.0, size.1).png().map_err(|error| Trouble::io(error.to_string()))?;
    Ok(Sent { size, png })
}

fn current(stop: &Stop<'_>) -> Result<Picture, DesktopError> {
    let display = SharedDesktop::default();
    let mut desktop = display.get(stop)?;
    let area = desktop.desktop_area()?;
    Ok(Picture::of(&desktop.capture(area)?))
}
