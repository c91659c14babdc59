//! XTEST and XKB: the pointer and the keys.
//!
//! Characters of the layout are typed by their own keys; others are given to spare keys for a while (`borrow`). While we type, locks are off and
//! keys of others are up (`quiet`). Programs decode keys with the map they know, so after each change of the map, and before the
//! next, the program that has the focus is awaited (`settle`).

mod borrow;
mod chord;
mod down;
mod focus;
mod held;
mod keymap;
mod last_press;
mod leftover;
mod lock;
mod plan;
mod pointer;
mod quiet;
mod settle;
mod setup;
mod state;
mod tap;
mod text;
mod typing;

use std::time::Duration;

use spec::grammar::keys::{Chord, Key};
use spec::kind::MouseButton;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::Mapping;

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Point;
use crate::desktop::input::{Input, Press};
use crate::desktop::x11::X11;
use crate::desktop::x11::input::borrow::Loan;
use crate::desktop::x11::input::chord::Pressed;
use crate::desktop::x11::input::down::Noted;
use crate::desktop::x11::input::held::Held;
use crate::desktop::x11::input::keymap::Keymap;
use crate::desktop::x11::input::plan::Situation;
use crate::desktop::x11::input::pointer::PointerState;
use crate::desktop::x11::input::quiet::Quiet;
use crate::desktop::x11::input::setup::Ready;
use crate::stop::Stop;

/// How long a display may take to answer while everything is put back.
const GRACE: Duration = Duration::from_secs(1);

/// What is held, borrowed and known of the keyboard.
#[derive(Debug, Default)]
pub struct InputState {
    ready: Option<Ready>,
    window_made: bool,
    locked: bool,
    lock_moved: bool,
    keymap: Option<Keymap>,
    situation: Option<Situation>,
    held: Held,
    noted: Noted,
    pressed: Vec<Pressed>,
    loans: Vec<Loan>,
    quiet: Option<Quiet>,
    focus_lost: Option<u16>,
    pong: Option<u32>,
    tokens: u32,
    pointer: PointerState,
}

impl InputState {
    /// Takes note of an event.
    pub fn note(&mut self, event: &Event) {
        if matches!(event, Event::XkbMapNotify(_) | Event::XkbNewKeyboardNotify(_)) {
            self.keymap = None;
        } else if let Event::MappingNotify(change) = event {
            if change.request == Mapping::POINTER {
                self.pointer.forget_buttons();
            } else {
                self.keymap = None;
            }
        } else if let Event::XfixesSelectionNotify(change) = event {
            self.lock_moved |= self.ready.as_ref().is_some_and(|ready| ready.atoms._MACROCLI_INPUT == change.selection);
        } else {
            self.note_raw(event);
            self.note_focus(event);
            self.note_pong(event);
        }
    }

    /// A new step begins: what is cheap to ask for again is forgotten.
    pub fn begin_step(&mut self) {
        self.pointer.forget_places();
        self.situation = None;
    }

    /// A number that no other ping of ours has had.
    fn next_token(&mut self) -> u32 {
        if self.tokens == 0 {
            self.tokens = std::process::id() << 12;
        }
        self.tokens = self.tokens.wrapping_add(1).max(1);
        self.tokens
    }
}

impl Input for X11 {
    fn take_input(&mut self, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.lock(stop).map(|_| ())
    }

    fn chord(&mut self, chord: Chord, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.press_chord(chord, stop)
    }

    fn key(&mut self, key: Key, press: Press, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.press_alone(key, press, stop)
    }

    fn rest(&mut self, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.rest_keyboard(stop)
    }

    fn tap(&mut self, key: Key, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.tap_key(key, stop)
    }

    fn type_text(&mut self, text: &str, interval: Duration, stop: &Stop<'_>) -> Result<usize, DesktopError> {
        self.type_keys(text, interval, stop)
    }

    fn pointer(&mut self) -> Result<Point, DesktopError> {
        self.where_pointer()
    }

    fn move_to(&mut self, to: Point, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.lock(stop)?;
        self.point_at(to)
    }

    fn on_screen(&mut self, at: Point) -> Result<(), DesktopError> {
        self.check_on_screen(at)
    }

    fn button(&mut self, button: MouseButton, press: Press, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.lock(stop)?;
        self.push_button(button, press)
    }

    fn keep_clicks_apart(&mut self, at: Point, button: MouseButton, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.lock(stop)?;
        self.wait_out_double_click(at, button, stop)
    }

    fn scroll(&mut self, dx: i32, dy: i32, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.lock(stop)?;
        self.turn_wheel(dx, dy, stop)
    }

    fn flush(&mut self) -> Result<(), DesktopError> {
        Ok(self.conn.flush()?)
    }

    fn sync(&mut self) -> Result<(), DesktopError> {
        self.forget_down()?;
        self.synchronise()
    }

    fn finish(&mut self, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.synchronise()?;
        self.await_reader(stop)
    }

    fn release_all(&mut self) {
        let nothing = self.input.held.is_empty() && self.input.noted.is_empty();
        if nothing && self.input.loans.is_empty() && self.input.quiet.is_none() {
            return;
        }
        self.conn.stream().grace(GRACE);
        // Each is tried, whatever became of the one before.
        let _ = self.release_held();
        self.input.pressed.clear();
        let _ = self.await_reader_at_last();
        let _ = self.return_loans();
        let _ = self.unhush();
        let _ = self.forget_down();
        let _ = self.synchronise();
    }
}

impl Drop for X11 {
    fn drop(&mut self) {
        self.release_all();
        self.conn.stream().grace(GRACE);
        // Without it the next run's click may become a double click, which is no reason to fail this one.
        let _ = self.leave_last_press();
    }
}
