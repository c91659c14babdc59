//! control.

use spec::action::{arguments, outputs};

use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::stop::Stop;

pub fn button_click(
    _: &SharedDesktop,
    _: &arguments::ButtonClick,
    _: &Stop<'_>,
) -> Result<outputs::ButtonClick, Failure> {
    Err(Failure::step("not there yet"))
}

pub fn toggle(_: &SharedDesktop, _: &arguments::Toggle, _: &Stop<'_>) -> Result<outputs::Toggle, Failure> {
    Err(Failure::step("not there yet"))
}

pub fn select(_: &SharedDesktop, _: &arguments::Select, _: &Stop<'_>) -> Result<outputs::Select, Failure> {
    Err(Failure::step("not there yet"))
}
