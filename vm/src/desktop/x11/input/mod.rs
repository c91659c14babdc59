//! XTEST and XKB: the pointer and the keys.

use std::time::Duration;

use spec::grammar::keys::{Chord, Key};
use spec::kind::MouseButton;
use x11rb::protocol::Event;

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Point;
use crate::desktop::input::{Input, Press};
use crate::desktop::x11::X11;
use crate::stop::Stop;

/// What is held, borrowed and known of the keyboard.
#[derive(Debug, Default)]
pub struct InputState {}

impl InputState {
    /// Takes note of an event.
    pub fn note(&mut self, _event: &Event) {}
}

fn pending<T>() -> Result<T, DesktopError> {
    Err(DesktopError::Unsupported("input is not there yet".to_owned()))
}

impl Input for X11 {
    fn take_input(&mut self, _: &Stop<'_>) -> Result<(), DesktopError> {
        pending()
    }

    fn chord(&mut self, _: Chord, _: &Stop<'_>) -> Result<(), DesktopError> {
        pending()
    }

    fn key(&mut self, _: Key, _: Press, _: &Stop<'_>) -> Result<(), DesktopError> {
        pending()
    }

    fn type_text(&mut self, _: &str, _: Duration, _: &Stop<'_>) -> Result<usize, DesktopError> {
        pending()
    }

    fn pointer(&mut self) -> Result<Point, DesktopError> {
        pending()
    }

    fn move_to(&mut self, _: Point, _: &Stop<'_>) -> Result<(), DesktopError> {
        pending()
    }

    fn button(&mut self, _: MouseButton, _: Press, _: &Stop<'_>) -> Result<(), DesktopError> {
        pending()
    }

    fn scroll(&mut self, _: i32, _: i32, _: &Stop<'_>) -> Result<(), DesktopError> {
        pending()
    }

    fn flush(&mut self) -> Result<(), DesktopError> {
        pending()
    }

    fn sync(&mut self) -> Result<(), DesktopError> {
        pending()
    }

    fn release_all(&mut self) {}
}
