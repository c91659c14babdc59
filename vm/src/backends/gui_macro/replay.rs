//! replay.

use spec::action::{arguments, outputs};

use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::stop::Stop;
use crate::world::Call;

pub fn replay(
    _: &SharedDesktop,
    _: &arguments::Replay,
    _: &Stop<'_>,
    _: &Call<'_>,
) -> Result<outputs::Replay, Failure> {
    Err(Failure::step("not there yet"))
}
