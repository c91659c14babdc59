//! text.

use spec::action::{arguments, outputs};

use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::stop::Stop;

pub fn set_text(_: &SharedDesktop, _: &arguments::SetText, _: &Stop<'_>) -> Result<outputs::SetText, Failure> {
    Err(Failure::step("not there yet"))
}

pub fn get_text(_: &SharedDesktop, _: &arguments::GetText, _: &Stop<'_>) -> Result<outputs::GetText, Failure> {
    Err(Failure::step("not there yet"))
}
