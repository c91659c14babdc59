//! window.

use spec::action::{arguments, outputs};

use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::stop::Stop;

pub fn wait_for_window(
    _: &SharedDesktop,
    _: &arguments::WaitForWindow,
    _: &Stop<'_>,
) -> Result<outputs::WaitForWindow, Failure> {
    Err(Failure::step("not there yet"))
}

pub fn focus_window(
    _: &SharedDesktop,
    _: &arguments::FocusWindow,
    _: &Stop<'_>,
) -> Result<outputs::FocusWindow, Failure> {
    Err(Failure::step("not there yet"))
}

pub fn close_window(
    _: &SharedDesktop,
    _: &arguments::CloseWindow,
    _: &Stop<'_>,
) -> Result<outputs::CloseWindow, Failure> {
    Err(Failure::step("not there yet"))
}

pub fn move_window(_: &SharedDesktop, _: &arguments::MoveWindow, _: &Stop<'_>) -> Result<outputs::MoveWindow, Failure> {
    Err(Failure::step("not there yet"))
}
