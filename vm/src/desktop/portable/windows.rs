//! Windows by `xcap`, which sees them and cannot change them.

use std::time::Duration;

use xcap::Window as Seen;

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::{Point, Rect};
use crate::desktop::portable::{Portable, pause};
use crate::desktop::windows::{Method, Window, WindowId, Windows};
use crate::stop::Stop;

impl Windows for Portable {
    fn windows(&mut self) -> Result<Vec<Window>, DesktopError> {
        let mut all: Vec<(i32, Window)> = Vec::new();
        for seen in Seen::all()? {
            // A window that closed meanwhile answers nothing more.
            if let (Ok(depth), Ok(window)) = (seen.z(), window(&seen)) {
                all.push((depth, window));
            }
        }
        all.sort_by_key(|(depth, _)| std::cmp::Reverse(*depth));
        Ok(all.into_iter().map(|(_, window)| window).collect())
    }

    fn active_window(&mut self) -> Result<Option<WindowId>, DesktopError> {
        let all = Seen::all()?;
        let focused = all.iter().find(|window| window.is_focused().unwrap_or(false));
        Ok(focused.and_then(|window| window.id().ok()).map(WindowId))
    }

    fn window_at(&mut self, point: Point) -> Result<Option<WindowId>, DesktopError> {
        let all = self.windows()?;
        Ok(all.iter().find(|window| window.visible && window.area.contains(point)).map(|window| window.id))
    }

    fn focus_window(&mut self, window: WindowId, _: &Stop<'_>) -> Result<Method, DesktopError> {
        // Nothing to do is done.
        if self.active_window()? == Some(window) { Ok(Method::System) } else { Err(unsupported("focused")) }
    }

    fn close_window(&mut self, _: WindowId, _: Duration, _: &Stop<'_>) -> Result<Method, DesktopError> {
        Err(unsupported("closed"))
    }

    fn move_window(
        &mut self,
        _: WindowId,
        _: Option<(i32, i32)>,
        _: Option<(u32, u32)>,
        _: &Stop<'_>,
    ) -> Result<Rect, DesktopError> {
        Err(unsupported("moved"))
    }

    fn wait_for_windows(&mut self, stop: &Stop<'_>) -> Result<(), DesktopError> {
        loop {
            let now: Vec<(u32, String)> =
                self.windows()?.into_iter().map(|window| (window.id.0, window.title)).collect();
            if self.titles.as_ref() != Some(&now) {
                self.titles = Some(now);
                return Ok(());
            }
            pause(stop)?;
        }
    }
}

fn window(seen: &Seen) -> Result<Window, DesktopError> {
    Ok(Window {
        id: WindowId(seen.id()?),
        title: seen.title()?,
        class: seen.app_name()?,
        instance: String::new(),
        pid: seen.pid().ok(),
        area: Rect { x: seen.x()?, y: seen.y()?, width: seen.width()?, height: seen.height()? },
        visible: !seen.is_minimized()?,
        managed: true,
        parent: None,
    })
}

fn unsupported(done: &str) -> DesktopError {
    DesktopError::Unsupported(format!("windows cannot be {done} by other programs on this system"))
}
