//! DAMAGE: what changes on the screen.
//!
//! The root window is watched, and with it every window on it. The display reports only that something changed since the damage was
//! fetched last; so an idle wait costs nothing, and a busy screen no more than one small event for each look.

use std::time::Duration;

use x11rb::NONE;
use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::Event;
use x11rb::protocol::damage::{self, ConnectionExt as _, Damage, ReportLevel};
use x11rb::protocol::xfixes::{self, ConnectionExt as _, Region};
use x11rb::protocol::xproto::Rectangle;

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Rect;
use crate::desktop::x11::X11;
use crate::process::Deadline;
use crate::stop::Stop;

/// How long a change may go unseen where the display does not tell of changes.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// What has changed, as far as it was told.
#[derive(Debug, Default)]
pub struct Changes {
    way: Way,
    /// The area whose changes are told; `None` when everything may have changed.
    watched: Option<Rect>,
    /// Whether something changed since the damage was fetched.
    told: bool,
}

#[derive(Clone, Copy, Debug, Default)]
enum Way {
    #[default]
    Untried,
    Damage(Damage, Region),
    /// The display does not tell.
    Blind,
}

impl Changes {
    /// Takes note of an event.
    pub fn note(&mut self, event: &Event) {
        if let Event::DamageNotify(notice) = event
            && let Way::Damage(damage, _) = self.way
            && notice.damage == damage
        {
            self.told = true;
        }
    }

    /// Everything may have changed.
    pub fn forget(&mut self) {
        self.watched = None;
    }
}

impl X11 {
    /// Changes before now are forgotten, changes from now on are told. The order matters: who captures after this misses nothing.
    pub(super) fn watch_changes(&mut self, area: Rect) -> Result<(), DesktopError> {
        match self.way()? {
            // Fetched by nobody: the damage begins anew.
            Way::Damage(damage, _) => {
                self.conn.damage_subtract(damage, NONE, NONE)?;
            }
            Way::Blind | Way::Untried => {}
        }
        self.pixels.changes.watched = Some(area);
        Ok(())
    }

    /// Waits for a change of `area`.
    pub(super) fn wait_changes(&mut self, area: Rect, stop: &Stop<'_>) -> Result<Rect, DesktopError> {
        self.take_events()?;
        let known = self.pixels.changes.watched.is_some_and(|watched| watched.covers(area));
        if !known {
            stop.check()?;
            self.watch_changes(area)?;
            return Ok(area);
        }
        self.pixels.changes.watched = Some(area);
        let Way::Damage(damage, region) = self.way()? else {
            stop.interrupt().wait_until(stop.deadline().min(Deadline::after(LOOK_AGAIN)));
            stop.check()?;
            return Ok(area);
        };
        loop {
            stop.check()?;
            if self.pixels.changes.watched.is_none() {
                // Another size of the screen.
                self.watch_changes(area)?;
                return Ok(area);
            }
            if !std::mem::take(&mut self.pixels.changes.told) {
                self.wait_events(stop)?;
                continue;
            }
            if let Some(changed) = self.fetch(damage, region, area)? {
                return Ok(changed);
            }
            self.take_events()?;
        }
    }

    /// What changed of `area` since the last time.
    fn fetch(&mut self, damage: Damage, region: Region, area: Rect) -> Result<Option<Rect>, DesktopError> {
        self.conn.damage_subtract(damage, NONE, region)?;
        let changed = self.conn.xfixes_fetch_region(region)?.reply()?.rectangles;
        let parts = changed.iter().filter_map(|part| rect(part).intersection(area));
        Ok(parts.reduce(|all, part| all.union(part)))
    }

    /// How changes are told, which is arranged the first time.
    fn way(&mut self) -> Result<Way, DesktopError> {
        if let Way::Untried = self.pixels.changes.way {
            self.pixels.changes.way = self.arrange()?;
        }
        Ok(self.pixels.changes.way)
    }

    fn arrange(&self) -> Result<Way, DesktopError> {
        for needed in [damage::X11_EXTENSION_NAME, xfixes::X11_EXTENSION_NAME] {
            if self.conn.extension_information(needed)?.is_none() {
                return Ok(Way::Blind);
            }
        }
        let versions = (self.conn.damage_query_version(1, 1)?, self.conn.xfixes_query_version(2, 0)?);
        versions.0.reply()?;
        if versions.1.reply()?.major_version < 2 {
            return Ok(Way::Blind);
        }
        let (damage, region) = (self.conn.generate_id()?, self.conn.generate_id()?);
        self.conn.xfixes_create_region(region, &[])?;
        self.conn.damage_create(damage, self.root, ReportLevel::NON_EMPTY)?.check()?;
        Ok(Way::Damage(damage, region))
    }
}

fn rect(part: &Rectangle) -> Rect {
    Rect { x: part.x.into(), y: part.y.into(), width: part.width.into(), height: part.height.into() }
}
