//! image.

use spec::action::{arguments, outputs};

use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::stop::Stop;
use crate::world::Call;

pub fn click_image(
    _: &SharedDesktop,
    _: &arguments::ClickImage,
    _: &Stop<'_>,
    _: &Call<'_>,
) -> Result<outputs::ClickImage, Failure> {
    Err(Failure::step("not there yet"))
}

pub fn wait_image(
    _: &SharedDesktop,
    _: &arguments::WaitImage,
    _: &Stop<'_>,
    _: &Call<'_>,
) -> Result<outputs::WaitImage, Failure> {
    Err(Failure::step("not there yet"))
}

pub fn wait_gone(
    _: &SharedDesktop,
    _: &arguments::WaitGone,
    _: &Stop<'_>,
    _: &Call<'_>,
) -> Result<outputs::WaitGone, Failure> {
    Err(Failure::step("not there yet"))
}
