//! The last press of a button, left on the root window for the next run, so that the clicks of two runs are kept apart as well as those of one.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use spec::kind::MouseButton;
use x11rb::protocol::xproto::{AtomEnum, GetPropertyReply, PropMode};
use x11rb::wrapper::ConnectionExt as _;

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Point;
use crate::desktop::x11::X11;
use crate::desktop::x11::input::pointer::DOUBLE_CLICK;

/// Numbers of the word: button, place and moment.
pub const LENGTH: u32 = 4;

impl X11 {
    /// Leaves word of a press that the next run may come too close to; at the end of a run, while it still has the lock.
    pub(super) fn leave_last_press(&mut self) -> Result<(), DesktopError> {
        let Some(ready) = &self.input.ready else { return Ok(()) };
        let Some((button, at, moment)) = self.input.pointer.last_press() else { return Ok(()) };
        if moment.elapsed() >= DOUBLE_CLICK {
            return Ok(());
        }
        let age = u32::try_from(moment.elapsed().as_millis()).unwrap_or(u32::MAX);
        let word = [button.number().into(), at.x.cast_unsigned(), at.y.cast_unsigned(), clock_ms().wrapping_sub(age)];
        let property = ready.atoms._MACROCLI_LAST_PRESS;
        self.conn.change_property32(PropMode::REPLACE, self.root, property, AtomEnum::CARDINAL, &word)?;
        // A connection that closes with events unread loses what the server has not read either: it must have been done before.
        self.synchronise()
    }

    /// Takes over the last press of an earlier run; by a run that has just got the lock.
    pub(super) fn find_last_press(&mut self, word: &GetPropertyReply) {
        let word: Vec<u32> = word.value32().into_iter().flatten().collect();
        let [button, x, y, pressed_ms] = word[..] else { return };
        // A moment that is to come, by a clock that was set back, is far away too.
        let age = Duration::from_millis(clock_ms().wrapping_sub(pressed_ms).into());
        if age < DOUBLE_CLICK
            && let Some(button) = u8::try_from(button).ok().and_then(MouseButton::by_number)
            && let Some(moment) = Instant::now().checked_sub(age)
        {
            self.input.pointer.take_over_press(button, Point { x: x.cast_signed(), y: y.cast_signed() }, moment);
        }
    }
}

/// Milliseconds of the wall clock, which all processes of a machine share; they begin anew every 49 days.
fn clock_ms() -> u32 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // The low half is meant.
    since.as_millis() as u32
}
