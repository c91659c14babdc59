//! Images on the desktop: where they are, and when they come and go.
//!
//! A wait looks at the whole screen once, then sleeps until the display tells of a change and looks again only where something changed.

mod failure;
mod gone;
mod keep;
mod look;
mod pace;
mod repeat;
mod seek;
mod templates;
mod visible;

use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::desktop::{Desktop, Rect};
use crate::failure::Failure;
use crate::locate::failure::staying;
use crate::locate::keep::Keep;
use crate::locate::look::Looker;
use crate::locate::templates::Templates;
use crate::stop::Stop;
use crate::world::Call;

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The image, as the artifact calls it.
    pub image: &'a str,
    /// The least score that counts as found, above 0 and at most 1.
    pub confidence: f64,
}

/// Where an image is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sighting {
    /// The pixels it covers.
    pub area: Rect,
    /// How well they fit, at most 1.
    pub score: f64,
    /// How many places reached the confidence.
    pub matches: usize,
}

/// Finds the images of a run on the desktop; clones share what they know.
#[derive(Clone, Debug)]
pub struct Locator {
    templates: Rc<Templates>,
    keep: Option<Rc<Keep>>,
}

impl Locator {
    /// When an image is not there and `failures` names a folder, a picture of the screen is saved in it.
    pub fn new(failures: Option<PathBuf>) -> Self {
        Self { templates: Rc::default(), keep: failures.map(|folder| Rc::new(Keep::new(folder))) }
    }
}

/// What an action looks at, with what, and how long it may.
pub struct Scene<'a> {
    /// The display.
    pub desktop: &'a mut dyn Desktop,
    /// What finds images on it.
    pub locator: &'a Locator,
    /// What ends the action early.
    pub stop: &'a Stop<'a>,
    /// The action's call, with the images of the macro.
    pub call: &'a Call<'a>,
}

impl Scene<'_> {
    /// Looks for an image until it is there. Looks at least once, and with a `timeout` of zero only once.
    ///
    /// # Errors
    /// It is not there: with the best place there was, and with a picture of the screen where one is asked for. It is larger than the
    /// screen. `stop` came first.
    pub fn find(&mut self, wanted: &Wanted<'_>, timeout: Duration) -> Result<Sighting, Failure> {
        let template = self.locator.templates.get(wanted.image, self.call.images)?;
        let mut looker = Looker::new(self.desktop, &template, wanted.confidence)?;
        looker.check_fits(wanted.image)?;
        match looker.seek(timeout, self.stop)? {
            Ok(sighting) => Ok(sighting),
            Err(missing) => Err(self.missing(wanted, &missing)),
        }
    }

    /// Whether what was found is there still. That costs next to nothing.
    ///
    /// # Errors
    /// The display does not answer.
    pub fn still(&mut self, wanted: &Wanted<'_>, found: &Sighting) -> Result<bool, Failure> {
        let template = self.locator.templates.get(wanted.image, self.call.images)?;
        Ok(Looker::new(self.desktop, &template, wanted.confidence)?.at(found.area)?)
    }

    /// Waits until an image is nowhere on the screen, and returns how long it was.
    ///
    /// # Errors
    /// It is there still; `stop` came first.
    pub fn gone(&mut self, wanted: &Wanted<'_>, timeout: Duration) -> Result<Duration, Failure> {
        let began = Instant::now();
        let template = self.locator.templates.get(wanted.image, self.call.images)?;
        match Looker::new(self.desktop, &template, wanted.confidence)?.outlast(timeout, self.stop)? {
            None => Ok(began.elapsed()),
            Some(there) => Err(staying(wanted, &there, began.elapsed(), self.stop)),
        }
    }
}
