//! look.

use spec::action::{arguments, outputs};

use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::stop::Stop;

pub fn get_controls(
    _: &SharedDesktop,
    _: &arguments::GetControls,
    _: &Stop<'_>,
) -> Result<outputs::GetControls, Failure> {
    Err(Failure::step("not there yet"))
}

pub fn wait_for_control(
    _: &SharedDesktop,
    _: &arguments::WaitForControl,
    _: &Stop<'_>,
) -> Result<outputs::WaitForControl, Failure> {
    Err(Failure::step("not there yet"))
}
