//! Pixels by `xcap`.

use xcap::Monitor as Display;
use xcap::image::RgbaImage;

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Rect;
use crate::desktop::portable::{Portable, pause};
use crate::desktop::screen::{Frame, Monitor, Screen};
use crate::stop::Stop;

impl Screen for Portable {
    fn desktop_area(&mut self) -> Result<Rect, DesktopError> {
        let areas = self.monitors()?.into_iter().map(|monitor| monitor.area);
        areas.reduce(|all, one| all.union(one)).ok_or_else(no_monitor)
    }

    fn monitors(&mut self) -> Result<Vec<Monitor>, DesktopError> {
        let all = Display::all()?;
        let monitors: Vec<Monitor> = all.iter().map(monitor).collect::<Result<_, _>>()?;
        if monitors.is_empty() { Err(no_monitor()) } else { Ok(monitors) }
    }

    fn capture(&mut self, area: Rect) -> Result<Frame<'_>, DesktopError> {
        let image = picture(area)?;
        self.pixels.clear();
        self.pixels.extend(image.pixels().flat_map(|pixel| {
            let [red, green, blue, _] = pixel.0;
            [blue, green, red, 0]
        }));
        Ok(Frame { area, stride: 4 * area.width as usize, pixels: &self.pixels })
    }

    fn watch(&mut self, area: Rect) -> Result<(), DesktopError> {
        // These displays tell of no changes: what is seen now is compared with what is seen later.
        self.seen = Some(picture(area)?);
        Ok(())
    }

    fn wait_for_change(&mut self, area: Rect, stop: &Stop<'_>) -> Result<Rect, DesktopError> {
        loop {
            let now = picture(area)?;
            if self.seen.as_ref() != Some(&now) {
                self.seen = Some(now);
                return Ok(area);
            }
            pause(stop)?;
        }
    }
}

fn monitor(display: &Display) -> Result<Monitor, DesktopError> {
    let area = Rect { x: display.x()?, y: display.y()?, width: display.width()?, height: display.height()? };
    Ok(Monitor { name: display.name()?, area, primary: display.is_primary()? })
}

/// What `area` shows; what no monitor covers is black.
fn picture(area: Rect) -> Result<RgbaImage, DesktopError> {
    let mut picture = RgbaImage::new(area.width, area.height);
    let mut covered = false;
    for display in Display::all()? {
        let own = monitor(&display)?.area;
        let Some(part) = own.intersection(area) else { continue };
        let (left, top) = (offset(part.x, own.x), offset(part.y, own.y));
        let image = display.capture_region(left, top, part.width, part.height)?;
        let place = (i64::from(offset(part.x, area.x)), i64::from(offset(part.y, area.y)));
        xcap::image::imageops::replace(&mut picture, &image, place.0, place.1);
        covered = true;
    }
    if covered { Ok(picture) } else { Err(DesktopError::other("no monitor shows that part of the screen")) }
}

fn offset(at: i32, start: i32) -> u32 {
    u32::try_from(i64::from(at) - i64::from(start)).unwrap_or(0)
}

fn no_monitor() -> DesktopError {
    DesktopError::Absent {
        reason: "no monitor is connected".to_owned(),
        hint: "connect one, or use another display".to_owned(),
    }
}
