//! Looking at the screen: when it has come to rest, in the size a model takes.

use std::time::Duration;

use spec::artifact::Image;
use spec::kind::CoordinateSpace;

use crate::backends::gui_agent::scale::Scale;
use crate::desktop::{Desktop, DesktopError, Rect};
use crate::failure::{Failure, FailureKind};
use crate::model::sent_size;
use crate::picture::Picture;
use crate::stop::Stop;

/// A screen that did not change for so long is at rest.
const REST: Duration = Duration::from_millis(200);
/// One that changes all the time is looked at after this.
const RESTLESS: Duration = Duration::from_secs(2);

/// What was seen.
#[derive(Clone, Debug)]
pub struct Shot {
    /// The screen's own pixels.
    picture: Picture,
    /// As it is sent: a PNG file.
    pub png: Vec<u8>,
    /// How what is sent lies on the screen.
    pub scale: Scale,
}

impl Shot {
    /// The pixels of a part of the screen.
    pub fn part(&self, part: Rect) -> Vec<u8> {
        let Rect { x, y, .. } = self.scale.area;
        self.picture.part(Rect { x: part.x.saturating_sub(x), y: part.y.saturating_sub(y), ..part })
    }
}

/// Looks at the whole desktop.
///
/// # Errors
/// The display does not answer, or has no pixels to read.
pub fn look(desktop: &mut dyn Desktop, space: CoordinateSpace) -> Result<Shot, Failure> {
    let area = desktop.desktop_area()?;
    let picture = Picture::of(&desktop.capture(area)?);
    let sent = sent_size(area.width, area.height);
    let png = png(&picture.reduced(sent.0, sent.1))?;
    Ok(Shot { picture, png, scale: Scale { area, sent, space } })
}

/// Waits until the screen has come to rest after an action, for a while.
///
/// # Errors
/// `stop` came first.
pub fn rest(desktop: &mut dyn Desktop, stop: &Stop<'_>) -> Result<(), Failure> {
    let area = desktop.desktop_area()?;
    let patience = stop.at_most(RESTLESS);
    desktop.watch(area)?;
    while !patience.asked() {
        let nearer = patience.at_most(REST);
        desktop.limit(&nearer);
        let waited = desktop.wait_for_change(area, &nearer);
        desktop.limit(stop);
        match waited {
            Ok(_) => {}
            Err(DesktopError::Stopped(failure)) if failure.kind == FailureKind::Timeout => break,
            Err(error) => return Err(error.into()),
        }
    }
    stop.check()
}

/// An image of the artifact, as it is sent.
///
/// # Errors
/// The artifact has none of that name.
pub fn snapshot(name: &str, images: &[Image]) -> Result<Vec<u8>, Failure> {
    let image = images.iter().find(|image| image.path == name).ok_or_else(|| {
        let message =
            format!("the macro has no image `{name}`: only images that are named without `${{…}}` are packed into it");
        Failure::new(FailureKind::BadArgument, message)
    })?;
    let sent = sent_size(image.width, image.height);
    png(&Picture::on_white(image.width, image.height, &image.rgba).reduced(sent.0, sent.1))
}

fn png(picture: &Picture) -> Result<Vec<u8>, Failure> {
    picture.png().map_err(|error| Failure::step(error.to_string()))
}
