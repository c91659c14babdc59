//! pointer.

use spec::action::{arguments, outputs};

use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::stop::Stop;
use crate::world::Call;

pub fn scroll(
    _: &SharedDesktop,
    _: &arguments::Scroll,
    _: &Stop<'_>,
    _: &Call<'_>,
) -> Result<outputs::Scroll, Failure> {
    Err(Failure::step("not there yet"))
}

pub fn drag(_: &SharedDesktop, _: &arguments::Drag, _: &Stop<'_>, _: &Call<'_>) -> Result<outputs::Drag, Failure> {
    Err(Failure::step("not there yet"))
}

pub fn move_to(
    _: &SharedDesktop,
    _: &arguments::MoveTo,
    _: &Stop<'_>,
    _: &Call<'_>,
) -> Result<outputs::MoveTo, Failure> {
    Err(Failure::step("not there yet"))
}
