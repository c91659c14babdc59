//! One look at the screen, without a macro: for callers who want to see what is there.

use std::time::Duration;

use crate::desktop::{Desktop, DesktopError, Rect, SharedDesktop, Wanted, find_window};
use crate::failure::Failure;
use crate::picture::Picture;
use crate::process::Interrupt;
use crate::stop::Stop;

/// How long a display may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// What to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// All monitors and what is between them.
    Screen,
    /// An area, in pixels of the desktop; it must be wholly on the screen.
    Area {
        /// Left edge.
        x: i32,
        /// Top edge.
        y: i32,
        /// Width.
        width: u32,
        /// Height.
        height: u32,
    },
    /// Where the window with this in its title is, with whatever covers it.
    Window(String),
}

/// What was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shot {
    /// A PNG file.
    pub png: Vec<u8>,
    /// Where it is on the desktop: left edge, top edge, width and height in pixels.
    pub region: [i64; 4],
}

/// Looks at the screen. The display is opened for this and closed again; nothing on it is changed.
///
/// # Errors
/// There is no display, no such window, or the area is not on the screen.
pub fn capture(part: &Part, interrupt: &Interrupt) -> Result<Shot, Failure> {
    let stop = Stop::within(PATIENCE, interrupt);
    let shared = SharedDesktop::default();
    let mut desktop = shared.get(&stop)?;
    let area = area(&mut *desktop, part)?;
    let picture = Picture::of(&desktop.capture(area)?);
    let png = picture.png().map_err(|error| Failure::step(error.to_string()))?;
    let region = [area.x.into(), area.y.into(), area.width.into(), area.height.into()];
    Ok(Shot { png, region })
}

fn area(desktop: &mut dyn Desktop, part: &Part) -> Result<Rect, DesktopError> {
    match part {
        Part::Screen => desktop.desktop_area(),
        Part::Area { x, y, width, height } => Ok(Rect { x: *x, y: *y, width: *width, height: *height }),
        Part::Window(title) => {
            let window = find_window(desktop, &Wanted::new(title))?;
            let screen = desktop.desktop_area()?;
            let seen = window.area.intersection(screen).filter(|_| window.visible);
            seen.ok_or_else(|| DesktopError::other(format!("the window `{}` cannot be seen now", window.title)))
        }
    }
}
