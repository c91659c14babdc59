//! Windows, and the controls that accessibility shows of them.

mod control;
mod effect;
mod keyboard;
mod look;
mod menu;
mod pointer;
mod text;
mod wait;
mod window;

use spec::action::{arguments, outputs};

use crate::accessibility::SharedAccess;
use crate::backends::semantic_ui::control::{button_click, select, toggle};
use crate::backends::semantic_ui::keyboard::{shortcut, type_text};
use crate::backends::semantic_ui::look::{get_controls, wait_for_control};
use crate::backends::semantic_ui::menu::menu_click;
use crate::backends::semantic_ui::text::{get_text, set_text};
use crate::backends::semantic_ui::window::{close_window, focus_window, move_window, wait_for_window};
use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::stop::Stop;
use crate::world::{Call, SemanticUi};

/// The backend on a real display.
#[derive(Clone, Debug)]
pub struct RealSemanticUi {
    desktop: SharedDesktop,
    access: SharedAccess,
}

impl RealSemanticUi {
    /// The backend on this display.
    pub fn new(desktop: SharedDesktop) -> Self {
        Self { desktop, access: SharedAccess::default() }
    }
}

impl SemanticUi for RealSemanticUi {
    fn shortcut(&mut self, arguments: &arguments::Shortcut, call: &Call<'_>) -> Result<outputs::Shortcut, Failure> {
        shortcut(&self.desktop, arguments, &Stop::new(call))
    }

    fn type_text(
        &mut self,
        arguments: &arguments::UiTypeText,
        call: &Call<'_>,
    ) -> Result<outputs::UiTypeText, Failure> {
        type_text(&self.desktop, arguments, &Stop::new(call))
    }

    fn menu_click(&mut self, arguments: &arguments::MenuClick, call: &Call<'_>) -> Result<outputs::MenuClick, Failure> {
        menu_click(&self.access, &self.desktop, arguments, &Stop::new(call))
    }

    fn button_click(
        &mut self,
        arguments: &arguments::ButtonClick,
        call: &Call<'_>,
    ) -> Result<outputs::ButtonClick, Failure> {
        button_click(&self.access, &self.desktop, arguments, &Stop::new(call))
    }

    fn toggle(&mut self, arguments: &arguments::Toggle, call: &Call<'_>) -> Result<outputs::Toggle, Failure> {
        toggle(&self.access, &self.desktop, arguments, &Stop::new(call))
    }

    fn select(&mut self, arguments: &arguments::Select, call: &Call<'_>) -> Result<outputs::Select, Failure> {
        select(&self.access, &self.desktop, arguments, &Stop::new(call))
    }

    fn wait_for_window(
        &mut self,
        arguments: &arguments::WaitForWindow,
        call: &Call<'_>,
    ) -> Result<outputs::WaitForWindow, Failure> {
        wait_for_window(&self.desktop, arguments, &Stop::new(call))
    }

    fn focus_window(
        &mut self,
        arguments: &arguments::FocusWindow,
        call: &Call<'_>,
    ) -> Result<outputs::FocusWindow, Failure> {
        focus_window(&self.desktop, arguments, &Stop::new(call))
    }

    fn close_window(
        &mut self,
        arguments: &arguments::CloseWindow,
        call: &Call<'_>,
    ) -> Result<outputs::CloseWindow, Failure> {
        close_window(&self.desktop, arguments, &Stop::new(call))
    }

    fn move_window(
        &mut self,
        arguments: &arguments::MoveWindow,
        call: &Call<'_>,
    ) -> Result<outputs::MoveWindow, Failure> {
        move_window(&self.desktop, arguments, &Stop::new(call))
    }

    fn get_controls(
        &mut self,
        arguments: &arguments::GetControls,
        call: &Call<'_>,
    ) -> Result<outputs::GetControls, Failure> {
        get_controls(&self.access, arguments, &Stop::new(call))
    }

    fn wait_for_control(
        &mut self,
        arguments: &arguments::WaitForControl,
        call: &Call<'_>,
    ) -> Result<outputs::WaitForControl, Failure> {
        wait_for_control(&self.access, arguments, &Stop::new(call))
    }

    fn set_text(&mut self, arguments: &arguments::SetText, call: &Call<'_>) -> Result<outputs::SetText, Failure> {
        set_text(&self.access, &self.desktop, arguments, &Stop::new(call))
    }

    fn get_text(&mut self, arguments: &arguments::GetText, call: &Call<'_>) -> Result<outputs::GetText, Failure> {
        get_text(&self.access, arguments, &Stop::new(call))
    }
}
