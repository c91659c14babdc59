//! A display that only notes what is done to it.

use std::time::Duration;

use spec::grammar::keys::{Chord, Key};
use spec::kind::MouseButton;

use crate::desktop::{
    Desktop, DesktopError, Frame, Input, Method, Monitor, Point, Press, Rect, Screen, Window, WindowId, Windows,
};
use crate::process::Interrupt;
use crate::stop::Stop;

/// A display of 1280x800 pixels.
#[derive(Debug, Default)]
pub(crate) struct Fake {
    /// What was done, in order.
    pub notes: Vec<String>,
    /// Raised before this many notes.
    pub signal: Option<(usize, Interrupt)>,
}

impl Fake {
    fn note(&mut self, note: String) -> Result<(), DesktopError> {
        if let Some((at, interrupt)) = &self.signal
            && *at == self.notes.len()
        {
            interrupt.raise(15);
        }
        self.notes.push(note);
        Ok(())
    }
}

impl Desktop for Fake {
    fn limit(&mut self, _: &Stop<'_>) {}

    fn keyboard_layout(&mut self) -> Result<String, DesktopError> {
        Ok("evdev,pc105,us,,".to_owned())
    }
}

impl Input for Fake {
    fn take_input(&mut self, _: &Stop<'_>) -> Result<(), DesktopError> {
        self.note("take".to_owned())
    }

    fn chord(&mut self, chord: Chord, _: &Stop<'_>) -> Result<(), DesktopError> {
        self.note(format!("chord {chord}"))
    }

    fn rest(&mut self, _: &Stop<'_>) -> Result<(), DesktopError> {
        self.note("rest".to_owned())
    }

    fn tap(&mut self, key: Key, _: &Stop<'_>) -> Result<(), DesktopError> {
        self.note(format!("tap {key}"))
    }

    fn key(&mut self, key: Key, press: Press, _: &Stop<'_>) -> Result<(), DesktopError> {
        self.note(format!("key {:x} {press:?}", key.keysym()))
    }

    fn type_text(&mut self, text: &str, _: Duration, _: &Stop<'_>) -> Result<usize, DesktopError> {
        self.note(format!("type {text}"))?;
        Ok(text.chars().count())
    }

    fn pointer(&mut self) -> Result<Point, DesktopError> {
        Ok(Point::default())
    }

    fn move_to(&mut self, to: Point, _: &Stop<'_>) -> Result<(), DesktopError> {
        self.note(format!("move {} {}", to.x, to.y))
    }

    fn on_screen(&mut self, _: Point) -> Result<(), DesktopError> {
        Ok(())
    }

    fn keep_clicks_apart(&mut self, _: Point, _: MouseButton, _: &Stop<'_>) -> Result<(), DesktopError> {
        Ok(())
    }

    fn button(&mut self, button: MouseButton, press: Press, _: &Stop<'_>) -> Result<(), DesktopError> {
        self.note(format!("{button:?} {press:?}"))
    }

    fn scroll(&mut self, dx: i32, dy: i32, _: &Stop<'_>) -> Result<(), DesktopError> {
        self.note(format!("scroll {dx} {dy}"))
    }

    fn flush(&mut self) -> Result<(), DesktopError> {
        self.note("flush".to_owned())
    }

    fn sync(&mut self) -> Result<(), DesktopError> {
        self.note("sync".to_owned())
    }

    fn release_all(&mut self) {
        self.notes.push("release".to_owned());
    }
}

impl Screen for Fake {
    fn desktop_area(&mut self) -> Result<Rect, DesktopError> {
        Ok(Rect { x: 0, y: 0, width: 1280, height: 800 })
    }

    fn monitors(&mut self) -> Result<Vec<Monitor>, DesktopError> {
        let area = self.desktop_area()?;
        Ok(vec![Monitor { name: "fake".to_owned(), area, primary: true }])
    }

    fn capture(&mut self, _: Rect) -> Result<Frame<'_>, DesktopError> {
        Err(DesktopError::other("no pixels"))
    }

    fn watch(&mut self, _: Rect) -> Result<(), DesktopError> {
        Err(DesktopError::other("no pixels"))
    }

    fn wait_for_change(&mut self, _: Rect, _: &Stop<'_>) -> Result<Rect, DesktopError> {
        Err(DesktopError::other("no pixels"))
    }
}

impl Windows for Fake {
    fn windows(&mut self) -> Result<Vec<Window>, DesktopError> {
        Ok(Vec::new())
    }

    fn active_window(&mut self) -> Result<Option<WindowId>, DesktopError> {
        Ok(None)
    }

    fn window_at(&mut self, _: Point) -> Result<Option<WindowId>, DesktopError> {
        Ok(None)
    }

    fn focus_window(&mut self, _: WindowId, _: &Stop<'_>) -> Result<Method, DesktopError> {
        Err(DesktopError::other("no windows"))
    }

    fn close_window(&mut self, _: WindowId, _: Duration, _: &Stop<'_>) -> Result<Method, DesktopError> {
        Err(DesktopError::other("no windows"))
    }

    fn move_window(
        &mut self,
        _: WindowId,
        _: Option<(i32, i32)>,
        _: Option<(u32, u32)>,
        _: &Stop<'_>,
    ) -> Result<Rect, DesktopError> {
        Err(DesktopError::other("no windows"))
    }

    fn wait_for_windows(&mut self, _: &Stop<'_>) -> Result<(), DesktopError> {
        Err(DesktopError::other("no windows"))
    }
}
