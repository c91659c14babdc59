//! menu.

use spec::action::{arguments, outputs};

use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::stop::Stop;

pub fn menu_click(_: &SharedDesktop, _: &arguments::MenuClick, _: &Stop<'_>) -> Result<outputs::MenuClick, Failure> {
    Err(Failure::step("not there yet"))
}
