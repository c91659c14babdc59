//! Pointer and keys, aimed by images of what is on the screen.

mod capture;
mod image;
mod keyboard;
mod place;
mod pointer;
mod relative;

use spec::action::{arguments, outputs};

use crate::backends::visual_anchor::capture::capture_region;
use crate::backends::visual_anchor::image::{click_image, wait_gone, wait_image};
use crate::backends::visual_anchor::keyboard::{hotkey, type_text};
use crate::backends::visual_anchor::pointer::{drag, move_to, scroll};
use crate::backends::visual_anchor::relative::{click_relative, drag_relative};
use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::locate::{Locator, Scene};
use crate::stop::Stop;
use crate::world::{Call, VisualAnchor};

/// The backend on a real display.
#[derive(Clone, Debug)]
pub struct RealVisualAnchor {
    desktop: SharedDesktop,
    locator: Locator,
}

impl RealVisualAnchor {
    /// The backend on this display, with what finds images on it.
    pub fn new(desktop: SharedDesktop, locator: Locator) -> Self {
        Self { desktop, locator }
    }

    /// Does what looks for images.
    fn scene<T>(&self, call: &Call<'_>, act: impl FnOnce(&mut Scene<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        let stop = Stop::new(call);
        let mut desktop = self.desktop.get(&stop)?;
        act(&mut Scene { desktop: &mut *desktop, locator: &self.locator, stop: &stop, call })
    }
}

impl VisualAnchor for RealVisualAnchor {
    fn click_image(
        &mut self,
        arguments: &arguments::ClickImage,
        call: &Call<'_>,
    ) -> Result<outputs::ClickImage, Failure> {
        self.scene(call, |scene| click_image(scene, arguments))
    }

    fn wait_image(&mut self, arguments: &arguments::WaitImage, call: &Call<'_>) -> Result<outputs::WaitImage, Failure> {
        self.scene(call, |scene| wait_image(scene, arguments))
    }

    fn wait_gone(&mut self, arguments: &arguments::WaitGone, call: &Call<'_>) -> Result<outputs::WaitGone, Failure> {
        self.scene(call, |scene| wait_gone(scene, arguments))
    }

    fn click_relative(
        &mut self,
        arguments: &arguments::ClickRelative,
        call: &Call<'_>,
    ) -> Result<outputs::ClickRelative, Failure> {
        click_relative(&self.desktop, arguments, &Stop::new(call))
    }

    fn drag_relative(
        &mut self,
        arguments: &arguments::DragRelative,
        call: &Call<'_>,
    ) -> Result<outputs::DragRelative, Failure> {
        drag_relative(&self.desktop, arguments, &Stop::new(call))
    }

    fn type_text(
        &mut self,
        arguments: &arguments::VisualTypeText,
        call: &Call<'_>,
    ) -> Result<outputs::VisualTypeText, Failure> {
        type_text(&self.desktop, arguments, &Stop::new(call))
    }

    fn hotkey(&mut self, arguments: &arguments::Hotkey, call: &Call<'_>) -> Result<outputs::Hotkey, Failure> {
        hotkey(&self.desktop, arguments, &Stop::new(call))
    }

    fn scroll(&mut self, arguments: &arguments::Scroll, call: &Call<'_>) -> Result<outputs::Scroll, Failure> {
        self.scene(call, |scene| scroll(scene, arguments))
    }

    fn drag(&mut self, arguments: &arguments::Drag, call: &Call<'_>) -> Result<outputs::Drag, Failure> {
        self.scene(call, |scene| drag(scene, arguments))
    }

    fn move_to(&mut self, arguments: &arguments::MoveTo, call: &Call<'_>) -> Result<outputs::MoveTo, Failure> {
        self.scene(call, |scene| move_to(scene, arguments))
    }

    fn capture_region(
        &mut self,
        arguments: &arguments::CaptureRegion,
        call: &Call<'_>,
    ) -> Result<outputs::CaptureRegion, Failure> {
        let stop = Stop::new(call);
        capture_region(&mut *self.desktop.get(&stop)?, arguments, &stop)
    }
}
