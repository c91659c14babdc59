//! Applications and their controls as assistive tools see them: names, roles, states, and what can be done with them.
//!
//! [`Client`] is a trait, written once for every system; `at_spi/` is the implementation over AT-SPI, the accessibility of Linux
//! desktops. What the labels of a macro mean is decided here too, so that every action finds the same control by the same label.

#[cfg(target_os = "linux")]
mod at_spi;
mod client;
mod error;
mod find;
mod instance;
mod label;
mod shared;
mod tree;

pub use crate::accessibility::client::{
    Acted, Action, Application, Applications, Area, Client, Event, Kind, Object, Patience,
};
pub use crate::accessibility::error::AccessError;
pub use crate::accessibility::find::{Query, all, find};
pub use crate::accessibility::instance::{application, every_application};
pub use crate::accessibility::label::{Label, contains, plain};
pub use crate::accessibility::shared::SharedAccess;
pub use crate::accessibility::tree::{LeftOut, Limits, Node, State, States, Tree};
