//! A display of a test's own, with a window manager, a session bus and windows whose content can be read.

mod art;
pub mod hand;
mod neighbour;
mod painter;
mod server;
mod sink;
mod tk;

pub use crate::display::art::Art;
pub use crate::display::hand::Hand;
pub use crate::display::neighbour::Neighbour;
pub use crate::display::painter::{Painter, Shown};
pub use crate::display::server::{Display, Options};
pub use crate::display::sink::{Sink, python};
pub use crate::display::tk::Tk;
