//! Moving windows, and giving them sizes.

use std::time::{Duration, Instant};

use x11rb::properties::WmSizeHints;
use x11rb::protocol::xproto::{ConfigureWindowAux, ConnectionExt, Window};

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Rect;
use crate::desktop::x11::X11;
use crate::desktop::x11::windows::answer::answer;
use crate::desktop::x11::windows::client::Client;
use crate::desktop::x11::windows::focus::{REMOVE, closed};
use crate::desktop::x11::windows::modal::named;
use crate::desktop::x11::windows::root::{Root, TOOL};
use crate::stop::Stop;

/// `StaticGravity`: a place is that of the client area, whatever the frame.
const STATIC: u32 = 10;

/// A window that has had the same place for so long stays there.
const SETTLED: Duration = Duration::from_millis(400);

/// How long a window may go on moving.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often a place is asked for: a window manager may count the frame in, or take a place for the one the window has already, which a request
/// that makes up for the difference puts right.
const TRIES: usize = 3;

/// Largest place and size in the protocol.
const LARGEST: i32 = 32_767;

/// What is wanted of a window.
#[derive(Clone, Copy, Debug)]
struct Goal {
    place: Option<(i32, i32)>,
    size: Option<(u32, u32)>,
}

impl X11 {
    /// Moves a window's client area, and gives it a size; returns where it is then.
    pub(super) fn place(
        &mut self,
        window: Window,
        place: Option<(i32, i32)>,
        size: Option<(u32, u32)>,
        stop: &Stop<'_>,
    ) -> Result<Rect, DesktopError> {
        let goal = Goal { place, size };
        goal.check()?;
        let (manager, clients) = self.clients()?;
        let Some(target) = clients.into_iter().find(|client| client.id == window) else { return Err(closed(None)) };
        self.unmaximize(&target, &manager, stop)?;
        let mut request = goal;
        let mut area = target.area;
        for _ in 0..TRIES {
            self.request_place(&target, &manager, request)?;
            area = self.await_place(&target, goal, stop)?;
            if goal.is_reached(area) {
                return Ok(area);
            }
            if goal.place.is_none_or(|place| place == (area.x, area.y)) {
                break;
            }
            request = request.shifted(goal, area);
        }
        Err(DesktopError::other(self.missed(&target, goal, area)?))
    }

    /// Makes a maximised window a normal one, which may have any place.
    fn unmaximize(&mut self, target: &Client, manager: &Root, stop: &Stop<'_>) -> Result<(), DesktopError> {
        if !manager.managed || !(target.maximized || target.fullscreen) {
            return Ok(());
        }
        let atoms = self.window_atoms()?;
        let (vertical, horizontal) = (atoms._NET_WM_STATE_MAXIMIZED_VERT, atoms._NET_WM_STATE_MAXIMIZED_HORZ);
        self.tell_manager(target.id, atoms._NET_WM_STATE, [REMOVE, vertical, horizontal, TOOL, 0])?;
        self.tell_manager(target.id, atoms._NET_WM_STATE, [REMOVE, atoms._NET_WM_STATE_FULLSCREEN, 0, TOOL, 0])?;
        let stays = format!("the window {} stays maximised", named(target));
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            let (_, clients) = self.clients()?;
            match clients.iter().find(|client| client.id == target.id) {
                None => return Err(closed(Some(target))),
                Some(client) if !client.maximized && !client.fullscreen => return Ok(()),
                Some(_) => {}
            }
            self.await_event(SETTLED, stop).map_err(|error| error.at_limit(stop, stop, &stays))?;
        }
        Err(DesktopError::other(stays))
    }

    fn request_place(&mut self, target: &Client, manager: &Root, goal: Goal) -> Result<(), DesktopError> {
        let atoms = self.window_atoms()?;
        if manager.supports(atoms._NET_MOVERESIZE_WINDOW) && !target.override_redirect {
            return self.tell_manager(target.id, atoms._NET_MOVERESIZE_WINDOW, goal.message());
        }
        let mut values = ConfigureWindowAux::new();
        if let Some((x, y)) = goal.place {
            values = values.x(x).y(y);
        }
        if let Some((width, height)) = goal.size {
            values = values.width(width).height(height);
        }
        self.conn.configure_window(target.id, &values)?.ignore_error();
        Ok(())
    }

    /// Waits until a window has what is wanted, or has stayed where it is for a while.
    fn await_place(&mut self, target: &Client, goal: Goal, stop: &Stop<'_>) -> Result<Rect, DesktopError> {
        let began = Instant::now();
        let mut area = self.client_area(target)?;
        let mut still_since = Instant::now();
        while !goal.is_reached(area) && still_since.elapsed() < SETTLED && began.elapsed() < PATIENCE {
            self.await_event(SETTLED, stop).map_err(|error| error.at_limit(stop, stop, &goal.missed(target, area)))?;
            let now = self.client_area(target)?;
            if now != area {
                (area, still_since) = (now, Instant::now());
            }
        }
        Ok(area)
    }

    /// The client area now.
    fn client_area(&self, target: &Client) -> Result<Rect, DesktopError> {
        let geometry = self.conn.get_geometry(target.id)?;
        let origin = self.conn.translate_coordinates(target.id, self.root, 0, 0)?;
        let (geometry, origin) = (answer(geometry.reply())?, answer(origin.reply())?);
        let (Some(geometry), Some(origin)) = (geometry, origin) else { return Err(closed(Some(target))) };
        Ok(Rect {
            x: origin.dst_x.into(),
            y: origin.dst_y.into(),
            width: geometry.width.into(),
            height: geometry.height.into(),
        })
    }

    /// Where a window is instead, and what its size hints say of that.
    fn missed(&self, target: &Client, goal: Goal, area: Rect) -> Result<String, DesktopError> {
        let hints = answer(WmSizeHints::get_normal_hints(&self.conn, target.id)?.reply())?.flatten();
        let mut message = goal.missed(target, area);
        let Some(hints) = hints.filter(|_| goal.size.is_some_and(|size| size != (area.width, area.height))) else {
            return Ok(message);
        };
        if let Some((width, height)) = hints.min_size {
            message += &format!("; it allows no less than {width}x{height}");
        }
        if let Some((width, height)) = hints.max_size {
            message += &format!("; it allows no more than {width}x{height}");
        }
        if let Some((width, height)) = hints.size_increment.filter(|steps| *steps != (1, 1)) {
            message += &format!("; its size goes in steps of {width}x{height}");
        }
        Ok(message)
    }
}

impl Goal {
    fn check(&self) -> Result<(), DesktopError> {
        let inside = |at: i32| (-LARGEST..=LARGEST).contains(&at);
        let place = self.place.is_none_or(|(x, y)| inside(x) && inside(y));
        let sized = |length: u32| (1..=LARGEST).contains(&i32::try_from(length).unwrap_or(i32::MAX));
        if place && self.size.is_none_or(|(width, height)| sized(width) && sized(height)) {
            return Ok(());
        }
        Err(DesktopError::other(format!("a window cannot be {}: the display goes up to {LARGEST}", self.words())))
    }

    fn is_reached(&self, area: Rect) -> bool {
        self.place.is_none_or(|place| place == (area.x, area.y))
            && self.size.is_none_or(|size| size == (area.width, area.height))
    }

    /// What to ask for so that `goal` is reached, when this led to `area`.
    fn shifted(self, goal: Goal, area: Rect) -> Self {
        let place = self.place.zip(goal.place).map(|((x, y), wanted)| {
            let shift = |own: i32, wanted: i32, got: i32| own.saturating_add(wanted.saturating_sub(got));
            (shift(x, wanted.0, area.x), shift(y, wanted.1, area.y))
        });
        Self { place, size: self.size }
    }

    /// The data of `_NET_MOVERESIZE_WINDOW`.
    fn message(self) -> [u32; 5] {
        let flags =
            if self.place.is_some() { 0b0011 << 8 } else { 0 } | if self.size.is_some() { 0b1100 << 8 } else { 0 };
        let (x, y) = self.place.unwrap_or_default();
        let (width, height) = self.size.unwrap_or_default();
        [STATIC | flags | TOOL << 12, x.cast_unsigned(), y.cast_unsigned(), width, height]
    }

    /// Where a window is instead.
    fn missed(&self, target: &Client, Rect { x, y, width, height }: Rect) -> String {
        let (window, wanted) = (named(target), self.words());
        format!("the window {window} is at ({x}, {y}) with {width}x{height} pixels, not {wanted}")
    }

    fn words(&self) -> String {
        let place = self.place.map(|(x, y)| format!("at ({x}, {y})"));
        let size = self.size.map(|(width, height)| format!("{width}x{height} pixels"));
        place.into_iter().chain(size).collect::<Vec<_>>().join(" with ")
    }
}

#[cfg(test)]
mod tests {
    use crate::desktop::geometry::Rect;
    use crate::desktop::x11::windows::place::{Goal, LARGEST};

    #[test]
    fn places_and_sizes_beyond_the_protocol_are_refused() {
        let goal = |place, size| Goal { place, size }.check();
        assert!(goal(Some((-LARGEST, LARGEST)), Some((1, 32_767))).is_ok() && goal(None, None).is_ok());
        for place in [(i32::MIN, 0), (0, i32::MIN), (i32::MAX, 0), (0, LARGEST + 1)] {
            assert!(goal(Some(place), None).is_err(), "{place:?}");
        }
        for size in [(0, 1), (1, 0), (32_768, 1), (1, u32::MAX)] {
            assert!(goal(None, Some(size)).is_err(), "{size:?}");
        }
    }

    #[test]
    fn a_second_request_makes_up_for_the_difference() {
        let goal = Goal { place: Some((100, 50)), size: Some((300, 200)) };
        let area = Rect { x: 104, y: 74, width: 300, height: 200 };
        assert!(!goal.is_reached(area));
        assert_eq!(goal.shifted(goal, area).place, Some((96, 26)));
    }
}
