//! What the display backends share: one connection to the display, with its pointer and keys, its pixels and its windows.
//!
//! Each of the three is a trait, written once for every system; `x11/` is the implementation for X11,
//! `portable/` the one for the others.

mod error;
mod find;
mod geometry;
pub mod gesture;
mod input;
mod layout;
mod lifeline;
#[cfg(any(feature = "wayland", target_os = "macos", windows))]
mod portable;
mod screen;
mod shared;
mod title;
mod windows;
#[cfg(target_os = "linux")]
mod x11;

pub use crate::desktop::error::DesktopError;
pub use crate::desktop::find::{find_window, wait_for_window};
pub use crate::desktop::geometry::{Point, Rect};
pub use crate::desktop::input::{Input, Press};
pub use crate::desktop::layout::{LAYOUT_PREFIX, layout_hash};
pub use crate::desktop::lifeline::Lifeline;
pub use crate::desktop::screen::{Frame, Monitor, Screen};
pub use crate::desktop::shared::SharedDesktop;
pub use crate::desktop::title::{Rank, Wanted, part_of, shown};
pub use crate::desktop::windows::{Method, Window, WindowId, Windows};

use crate::stop::Stop;

/// A display that can be driven and looked at. Dropping it releases every key and button it holds and restores the keymap.
pub trait Desktop: Input + Screen + Windows {
    /// From now on nothing may take longer than `stop` allows, even when the display does not answer.
    fn limit(&mut self, stop: &Stop<'_>);

    /// A step begins to use it: what may have changed since the last one is asked for again.
    fn begin_step(&mut self) {}

    /// Whether it has answered all that it was asked, or had little time to.
    fn answers(&self) -> bool {
        true
    }

    /// What is cut when it ends, for those who wait for something else.
    fn lifeline(&self) -> Lifeline<'_> {
        Lifeline::default()
    }

    /// The names of the keyboard layout, to be compared; empty where they are not known.
    ///
    /// # Errors
    /// The display does not answer.
    fn keyboard_layout(&mut self) -> Result<String, DesktopError> {
        Ok(String::new())
    }
}
