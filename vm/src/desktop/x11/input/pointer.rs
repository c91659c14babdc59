//! The pointer: where it may go, and its buttons.

use std::time::{Duration, Instant};

use spec::kind::MouseButton;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::ConnectionExt as _;

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::{Point, Rect};
use crate::desktop::input::Press;
use crate::desktop::screen::Screen;
use crate::desktop::x11::X11;
use crate::stop::Stop;

/// What is known of the pointer and its device.
#[derive(Clone, Debug, Default)]
pub struct PointerState {
    monitors: Option<Vec<Rect>>,
    buttons: Option<Vec<u8>>,
    last_press: Option<(MouseButton, Point, Instant)>,
    press_done: bool,
    place: Option<Point>,
}

/// Notches between two looks at whether to stop.
const NOTCHES: u32 = 64;
/// Toolkits take two presses for a double click when they are at most 500 ms apart (Tk; GTK and Qt: 400 ms), as the application sees it.
pub(super) const DOUBLE_CLICK: Duration = Duration::from_millis(550);
/// And at most about 5 pixels.
const NEAR: u32 = 16;

impl PointerState {
    /// Forgets what may have changed since the last step.
    pub fn forget_places(&mut self) {
        self.monitors = None;
        self.place = None;
    }

    /// The last press of a button: where, and when.
    pub fn last_press(&self) -> Option<(MouseButton, Point, Instant)> {
        self.last_press
    }

    /// Notes a press of a button that is about to be sent.
    pub fn note_press(&mut self, button: MouseButton, at: Point) {
        self.last_press = Some((button, at, Instant::now()));
        self.press_done = false;
    }

    /// Notes a press of an earlier run.
    pub fn take_over_press(&mut self, button: MouseButton, at: Point, moment: Instant) {
        self.last_press = Some((button, at, moment));
        self.press_done = true;
    }

    /// The display has done all that was sent: a press of which that is the first news has happened by now, and perhaps not before.
    pub fn note_done(&mut self) {
        if let (Some((_, _, moment)), false) = (&mut self.last_press, self.press_done) {
            *moment = Instant::now();
            self.press_done = true;
        }
    }

    /// Forgets the order of the buttons.
    pub fn forget_buttons(&mut self) {
        self.buttons = None;
    }
}

impl X11 {
    pub(super) fn where_pointer(&mut self) -> Result<Point, DesktopError> {
        let at = self.conn.query_pointer(self.root)?.reply()?;
        Ok(Point { x: i32::from(at.root_x), y: i32::from(at.root_y) })
    }

    /// Fails when a place is on no monitor.
    pub(super) fn check_on_screen(&mut self, at: Point) -> Result<(), DesktopError> {
        let monitors = self.monitor_areas()?;
        if monitors.iter().any(|area| area.contains(at)) {
            return Ok(());
        }
        let screen = monitors.iter().copied().reduce(|all, area| all.union(area)).unwrap_or_default();
        Err(DesktopError::OffScreen { point: at, screen })
    }

    pub(super) fn point_at(&mut self, to: Point) -> Result<(), DesktopError> {
        self.check_on_screen(to)?;
        self.move_pointer(to)?;
        self.input.pointer.place = Some(to);
        Ok(())
    }

    pub(super) fn push_button(&mut self, button: MouseButton, press: Press) -> Result<(), DesktopError> {
        let number = self.device_button(button.number())?;
        match press {
            Press::Down => {
                let at = match self.input.pointer.place {
                    Some(place) => place,
                    None => self.where_pointer()?,
                };
                self.input.pointer.note_press(button, at);
                self.press_button(number)
            }
            Press::Up => self.release_button(number),
        }
    }

    pub(super) fn turn_wheel(&mut self, dx: i32, dy: i32, stop: &Stop<'_>) -> Result<(), DesktopError> {
        for (count, button) in [(dy, if dy > 0 { 4 } else { 5 }), (dx, if dx > 0 { 7 } else { 6 })] {
            let button = self.device_button(button)?;
            for notch in 0..count.unsigned_abs() {
                if notch % NOTCHES == NOTCHES - 1 {
                    stop.check()?;
                    self.synchronise()?;
                }
                self.press_button(button)?;
                self.release_button(button)?;
            }
        }
        Ok(())
    }

    pub(super) fn wait_out_double_click(
        &mut self,
        at: Point,
        button: MouseButton,
        stop: &Stop<'_>,
    ) -> Result<(), DesktopError> {
        if let Some((last, place, moment)) = self.input.pointer.last_press
            && last == button
            && place.x.abs_diff(at.x) <= NEAR
            && place.y.abs_diff(at.y) <= NEAR
        {
            self.conn.flush()?;
            self.rest_until(moment + DOUBLE_CLICK, stop)?;
        }
        Ok(())
    }

    fn monitor_areas(&mut self) -> Result<&[Rect], DesktopError> {
        if self.input.pointer.monitors.is_none() {
            let monitors = self.monitors()?;
            self.input.pointer.monitors = Some(monitors.into_iter().map(|monitor| monitor.area).collect());
        }
        Ok(self.input.pointer.monitors.as_deref().unwrap_or_default())
    }

    /// The button of the device that programs see as `button`: the user may have exchanged them.
    fn device_button(&mut self, button: u8) -> Result<u8, DesktopError> {
        if self.input.pointer.buttons.is_none() {
            self.input.pointer.buttons = Some(self.conn.get_pointer_mapping()?.reply()?.map);
        }
        let buttons = self.input.pointer.buttons.as_deref().unwrap_or_default();
        let place = buttons.iter().position(|seen| *seen == button).and_then(|place| u8::try_from(place + 1).ok());
        match place {
            Some(place) => Ok(place),
            None if usize::from(button) > buttons.len() => Ok(button),
            None => Err(DesktopError::other(format!("button {button} of the pointer is switched off"))),
        }
    }
}
