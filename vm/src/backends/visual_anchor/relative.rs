//! relative.

use spec::action::{arguments, outputs};

use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::stop::Stop;

pub fn click_relative(
    _: &SharedDesktop,
    _: &arguments::ClickRelative,
    _: &Stop<'_>,
) -> Result<outputs::ClickRelative, Failure> {
    Err(Failure::step("not there yet"))
}

pub fn drag_relative(
    _: &SharedDesktop,
    _: &arguments::DragRelative,
    _: &Stop<'_>,
) -> Result<outputs::DragRelative, Failure> {
    Err(Failure::step("not there yet"))
}
