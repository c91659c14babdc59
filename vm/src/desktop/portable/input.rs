//! Pointer and keys by `enigo`.

use std::time::{Duration, Instant};

use enigo::{Axis, Button, Coordinate, Direction, Keyboard, Mouse};
use spec::grammar::keys::{Chord, Key};
use spec::kind::MouseButton;

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Point;
use crate::desktop::input::{Input, Press};
use crate::desktop::portable::Portable;
use crate::desktop::portable::key::key;
use crate::desktop::screen::Screen;
use crate::process::Deadline;
use crate::stop::Stop;

/// The longest time between two presses that these systems take for a double click by themselves, and a little more.
const DOUBLE_CLICK: Duration = Duration::from_millis(550);

impl Input for Portable {
    fn take_input(&mut self, stop: &Stop<'_>) -> Result<(), DesktopError> {
        // There is no lock that every system of these has and that ends with its holder.
        Ok(stop.check()?)
    }

    fn chord(&mut self, chord: Chord, stop: &Stop<'_>) -> Result<(), DesktopError> {
        stop.check()?;
        let modifiers: Vec<Key> = chord.modifiers.keysyms().map(Key::Keysym).collect();
        // Before the first press: whether all of it can be pressed.
        for one in modifiers.iter().chain([&chord.key]) {
            key(*one)?;
        }
        let mut pressed = Ok(());
        for modifier in &modifiers {
            pressed = pressed.and_then(|()| self.key(*modifier, Press::Down, stop));
        }
        pressed = pressed.and_then(|()| self.key(chord.key, Press::Down, stop));
        // What went down comes up again, whatever failed.
        for one in modifiers.iter().chain([&chord.key]).rev() {
            if self.held_keys.contains(one) {
                self.lift(*one)?;
            }
        }
        pressed
    }

    fn key(&mut self, which: Key, press: Press, stop: &Stop<'_>) -> Result<(), DesktopError> {
        match press {
            Press::Down => {
                stop.check()?;
                self.enigo.key(key(which)?, Direction::Press)?;
                self.held_keys.push(which);
                Ok(())
            }
            Press::Up => self.lift(which),
        }
    }

    fn type_text(&mut self, text: &str, interval: Duration, stop: &Stop<'_>) -> Result<usize, DesktopError> {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        if let Some(control) = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
            let message =
                format!("the text has the control character U+{:04X}, which no key types", u32::from(control));
            return Err(DesktopError::other(message));
        }
        let mut typed = 0;
        for character in text.chars() {
            stop.check()?;
            match character {
                '\n' => self.enigo.key(enigo::Key::Return, Direction::Click)?,
                '\t' => self.enigo.key(enigo::Key::Tab, Direction::Click)?,
                other => self.enigo.text(other.encode_utf8(&mut [0; 4]))?,
            }
            typed += 1;
            if !interval.is_zero() {
                stop.interrupt().wait_until(stop.deadline().min(Deadline::after(interval)));
            }
        }
        Ok(typed)
    }

    fn pointer(&mut self) -> Result<Point, DesktopError> {
        let (x, y) = self.enigo.location()?;
        Ok(Point { x, y })
    }

    fn move_to(&mut self, to: Point, stop: &Stop<'_>) -> Result<(), DesktopError> {
        stop.check()?;
        self.on_screen(to)?;
        Ok(self.enigo.move_mouse(to.x, to.y, Coordinate::Abs)?)
    }

    fn on_screen(&mut self, at: Point) -> Result<(), DesktopError> {
        let on_a_monitor = self.monitors()?.iter().any(|monitor| monitor.area.contains(at));
        if on_a_monitor { Ok(()) } else { Err(DesktopError::OffScreen { point: at, screen: self.desktop_area()? }) }
    }

    fn keep_clicks_apart(&mut self, _: Point, button: MouseButton, stop: &Stop<'_>) -> Result<(), DesktopError> {
        if let Some((_, pressed)) = self.last_press.filter(|(last, _)| *last == button) {
            let left = DOUBLE_CLICK.saturating_sub(pressed.elapsed());
            stop.interrupt().wait_until(stop.deadline().min(Deadline::after(left)));
        }
        Ok(stop.check()?)
    }

    fn button(&mut self, which: MouseButton, press: Press, stop: &Stop<'_>) -> Result<(), DesktopError> {
        match press {
            Press::Down => {
                stop.check()?;
                self.enigo.button(button(which), Direction::Press)?;
                self.held_buttons.push(which);
                self.last_press = Some((which, Instant::now()));
            }
            Press::Up => {
                self.enigo.button(button(which), Direction::Release)?;
                self.held_buttons.retain(|held| *held != which);
            }
        }
        Ok(())
    }

    fn scroll(&mut self, dx: i32, dy: i32, stop: &Stop<'_>) -> Result<(), DesktopError> {
        stop.check()?;
        if dx != 0 {
            self.enigo.scroll(dx, Axis::Horizontal)?;
        }
        if dy != 0 {
            // There, down is positive.
            self.enigo.scroll(dy.saturating_neg(), Axis::Vertical)?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), DesktopError> {
        Ok(())
    }

    fn sync(&mut self) -> Result<(), DesktopError> {
        self.pointer().map(drop)
    }

    fn release_all(&mut self) {
        while let Some(key) = self.held_keys.last().copied() {
            self.held_keys.pop();
            let _ = self.lift(key);
        }
        for which in std::mem::take(&mut self.held_buttons) {
            let _ = self.enigo.button(button(which), Direction::Release);
        }
    }
}

impl Portable {
    fn lift(&mut self, which: Key) -> Result<(), DesktopError> {
        self.held_keys.retain(|held| *held != which);
        Ok(self.enigo.key(key(which)?, Direction::Release)?)
    }
}

impl Drop for Portable {
    fn drop(&mut self) {
        self.release_all();
    }
}

fn button(button: MouseButton) -> Button {
    match button {
        MouseButton::Left => Button::Left,
        MouseButton::Middle => Button::Middle,
        MouseButton::Right => Button::Right,
    }
}
