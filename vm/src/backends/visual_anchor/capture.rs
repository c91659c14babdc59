//! A part of the screen as an image file.

use std::fs;
use std::path::Path;

use spec::action::{arguments, outputs};
use spec::value::Value;

use crate::desktop::{Desktop, Rect};
use crate::edit::file;
use crate::failure::{Failure, FailureKind};
use crate::picture::Picture;
use crate::stop::Stop;

/// Saves a part of the screen.
///
/// A part that is not wholly on the screen is refused: a file of another size than the one asked for would surprise later.
pub fn capture_region(
    desktop: &mut dyn Desktop,
    arguments: &arguments::CaptureRegion,
    stop: &Stop<'_>,
) -> Result<outputs::CaptureRegion, Failure> {
    let area = area(arguments)?;
    let picture = Picture::of(&desktop.capture(area)?);
    let png = arguments.output.to_ascii_lowercase().ends_with(".png");
    let bytes = if png { picture.png() } else { picture.jpeg() };
    let bytes = bytes.map_err(|error| Failure::step(error.to_string()))?;
    stop.check()?;
    let path = file::expand(&arguments.output).map_err(|error| Failure::step(error.to_string()))?;
    check_writable(&path)?;
    file::write(&path, &bytes).map_err(|error| Failure::step(error.to_string()))?;
    Ok(outputs::CaptureRegion {
        saved: path.to_string_lossy().into_owned(),
        region: [arguments.x, arguments.y, arguments.width, arguments.height].map(Value::Integer).to_vec(),
        file_size: i64::try_from(bytes.len()).unwrap_or(i64::MAX),
    })
}

fn area(arguments: &arguments::CaptureRegion) -> Result<Rect, Failure> {
    let place = i32::try_from(arguments.x).ok().zip(i32::try_from(arguments.y).ok());
    let size = u32::try_from(arguments.width).ok().zip(u32::try_from(arguments.height).ok());
    // The kinds of the parameters allow no more than a million.
    let ((x, y), (width, height)) = place
        .zip(size)
        .ok_or_else(|| Failure::new(FailureKind::BadArgument, "the area to capture lies beyond all screens"))?;
    Ok(Rect { x, y, width, height })
}

/// A picture that somebody protected stays, even where its folder would let it be replaced.
fn check_writable(path: &Path) -> Result<(), Failure> {
    if fs::metadata(path).is_ok_and(|file| file.permissions().readonly()) {
        return Err(Failure::step(format!("`{}` may not be written: it is read-only", path.display())));
    }
    Ok(())
}
