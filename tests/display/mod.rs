//! A display of a test's own, with a window manager, a session bus and windows whose content can be read.

mod neighbour;
mod server;
mod sink;
mod tk;

pub use crate::display::neighbour::Neighbour;
pub use crate::display::server::{Display, Options};
pub use crate::display::sink::{Sink, python};
pub use crate::display::tk::Tk;
