//! One look at the screen, or at a part of it.

use std::time::{Duration, Instant};

use crate::desktop::{Desktop, DesktopError, Rect};
use crate::failure::Failure;
use crate::locate::Sighting;
use crate::locate::templates::Ready;
use crate::locate::visible::visible;
use crate::sight::{GaveUp, Pixels, search};
use crate::stop::Stop;

/// How long the first look of a wait may take even when its timeout is shorter.
const FIRST_LOOK: Duration = Duration::from_secs(5);

/// When a search is given up.
pub type GiveUp<'a> = &'a (dyn Fn() -> bool + Sync);

/// Looks for one image.
pub struct Looker<'a> {
    pub(in crate::locate) desktop: &'a mut dyn Desktop,
    ready: &'a Ready,
    confidence: f64,
    /// The whole desktop when it was last asked for.
    pub(in crate::locate) screen: Rect,
    /// What of it can be seen.
    parts: Vec<Rect>,
}

/// What a look saw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Look {
    /// The image.
    Found(Sighting),
    /// Not the image; the best place there was, if any place has room for it.
    Not(Option<Sighting>),
    /// It took too long.
    GaveUp,
}

impl<'a> Looker<'a> {
    /// Looks at the screen as it is now.
    pub fn new(desktop: &'a mut dyn Desktop, ready: &'a Ready, confidence: f64) -> Result<Self, DesktopError> {
        let screen = desktop.desktop_area()?;
        let parts = visible(desktop, screen)?;
        Ok(Self { desktop, ready, confidence, screen, parts })
    }

    /// Fails when no part of the screen has room for the image.
    pub fn check_fits(&self, image: &str) -> Result<(), Failure> {
        let (width, height) = self.ready.size;
        if self.parts.iter().any(|part| part.width >= width && part.height >= height) {
            return Ok(());
        }
        let largest = self.parts.iter().max_by_key(|part| u64::from(part.width) * u64::from(part.height));
        let seen = largest.unwrap_or(&self.screen);
        let message = format!(
            "`{image}` has {width}x{height} pixels and cannot be on the screen, which has {}x{}",
            seen.width, seen.height
        );
        Err(Failure::step(message).hint("capture a part of the screen that is smaller than the screen of the run"))
    }

    /// Notes a change of the screen's size, and says whether there was one.
    pub fn refresh(&mut self) -> Result<bool, DesktopError> {
        let screen = self.desktop.desktop_area()?;
        if screen == self.screen {
            return Ok(false);
        }
        self.screen = screen;
        self.parts = visible(self.desktop, screen)?;
        Ok(true)
    }

    /// Looks at everything that can be seen.
    pub fn everywhere(&mut self, give_up: GiveUp<'_>) -> Result<Look, DesktopError> {
        match self.within(self.screen, give_up) {
            // The screen became smaller just now.
            Err(DesktopError::Uncovered { .. }) => {
                self.refresh()?;
                self.within(self.screen, give_up)
            }
            other => other,
        }
    }

    /// The look that a wait begins with: everywhere, after changes have begun to be noted. With a `timeout` of zero it is the only one and may
    /// take all of `stop`; otherwise it may go on beyond `near`, but not for long.
    pub fn first_look(&mut self, timeout: Duration, near: &Stop<'_>, stop: &Stop<'_>) -> Result<Look, DesktopError> {
        let (began, once) = (Instant::now(), timeout.is_zero());
        if !once {
            self.desktop.watch(self.screen)?;
        }
        self.everywhere(&|| stop.asked() || (!once && near.asked() && began.elapsed() > FIRST_LOOK))
    }

    /// Looks wherever an image would have at least one pixel of `changed`.
    pub fn around(&mut self, changed: Rect, give_up: GiveUp<'_>) -> Result<Look, DesktopError> {
        let (width, height) = (self.ready.size.0.saturating_sub(1), self.ready.size.1.saturating_sub(1));
        let widened = Rect {
            x: changed.x.saturating_sub_unsigned(width),
            y: changed.y.saturating_sub_unsigned(height),
            width: changed.width.saturating_add(width.saturating_mul(2)),
            height: changed.height.saturating_add(height.saturating_mul(2)),
        };
        match self.within(widened, give_up) {
            Err(DesktopError::Uncovered { .. }) => {
                self.refresh()?;
                self.everywhere(give_up)
            }
            other => other,
        }
    }

    /// Whether the image is at just this place.
    pub fn at(&mut self, area: Rect) -> Result<bool, DesktopError> {
        match self.part(area, &|| false) {
            Ok(look) => Ok(matches!(look, Look::Found(_))),
            Err(DesktopError::Uncovered { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn within(&mut self, area: Rect, give_up: GiveUp<'_>) -> Result<Look, DesktopError> {
        let parts: Vec<Rect> = self.parts.iter().filter_map(|part| part.intersection(area)).collect();
        let mut seen = Look::Not(None);
        for part in parts {
            seen = both(seen, self.part(part, give_up)?);
            if seen == Look::GaveUp {
                break;
            }
        }
        Ok(seen)
    }

    fn part(&mut self, part: Rect, give_up: GiveUp<'_>) -> Result<Look, DesktopError> {
        let (width, height) = self.ready.size;
        if part.width < width || part.height < height {
            return Ok(Look::Not(None));
        }
        let frame = self.desktop.capture(part)?;
        let pixels = Pixels { width: part.width, height: part.height, stride: frame.stride, bgrx: frame.pixels };
        let found = match search(pixels, &self.ready.template, self.confidence, give_up) {
            Ok(found) => found,
            Err(GaveUp) => return Ok(Look::GaveUp),
        };
        let Some(found) = found else { return Ok(Look::Not(None)) };
        let (x, y) = (part.x.saturating_add_unsigned(found.best.x), part.y.saturating_add_unsigned(found.best.y));
        let sighting = Sighting { area: Rect { x, y, width, height }, score: found.best.score, matches: found.matches };
        Ok(if found.matches > 0 { Look::Found(sighting) } else { Look::Not(Some(sighting)) })
    }
}

/// What two looks at parts of one screen saw together. Parts may overlap, so their matches are not added.
fn both(one: Look, other: Look) -> Look {
    match (one, other) {
        (Look::GaveUp, _) | (_, Look::GaveUp) => Look::GaveUp,
        (Look::Found(one), Look::Found(other)) => {
            Look::Found(Sighting { matches: one.matches.max(other.matches), ..better(one, other) })
        }
        (Look::Found(found), Look::Not(_)) | (Look::Not(_), Look::Found(found)) => Look::Found(found),
        (Look::Not(one), Look::Not(other)) => Look::Not(best(one, other)),
    }
}

/// The better of two places that may not be there.
pub fn best(one: Option<Sighting>, other: Option<Sighting>) -> Option<Sighting> {
    match (one, other) {
        (Some(one), Some(other)) => Some(better(one, other)),
        (one, other) => one.or(other),
    }
}

/// The place with the higher score; of equals the one that comes first in reading order.
fn better(one: Sighting, other: Sighting) -> Sighting {
    let place = |sighting: &Sighting| (sighting.area.y, sighting.area.x);
    let order = other.score.total_cmp(&one.score).then(place(&one).cmp(&place(&other)));
    if order.is_le() { one } else { other }
}
