//! capture.

use spec::action::{arguments, outputs};

use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::stop::Stop;

pub fn capture_region(
    _: &SharedDesktop,
    _: &arguments::CaptureRegion,
    _: &Stop<'_>,
) -> Result<outputs::CaptureRegion, Failure> {
    Err(Failure::step("not there yet"))
}
