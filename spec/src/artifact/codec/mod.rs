//! The bytes of each section.
//!
//! Records are in the bincode layout: fixed-size little-endian integers, lengths as `u64`, variants as `u32`. Code, events and pixels have
//! layouts of their own, aligned so that they could be used where they lie.

mod bytes;
mod code;
mod image;
mod record;
mod stream;

pub(super) use bytes::align;
pub(super) use code::{read as read_code, write as write_code};
pub(super) use image::{read as read_images, write as write_images};
pub(super) use record::{read as read_record, write as write_record};
pub(super) use stream::{read as read_streams, write as write_streams};

pub use code::OP_LIMIT;
pub use image::IMAGE_SIDE_LIMIT;
pub use record::{PREALLOCATION_LIMIT, RECORD_LIMIT};
pub use stream::EVENT_SIZE;

use crate::artifact::LoadErrorKind;

/// Where in a section, and why, its bytes cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Malformed {
    /// The byte, from the start of the section; `None` when it is not known.
    pub at: Option<usize>,
    /// What is wrong.
    pub reason: LoadErrorKind,
}

impl Malformed {
    /// Something else than `what` was found at `at`.
    fn expected(what: &'static str, at: usize) -> Self {
        Self { at: Some(at), reason: LoadErrorKind::Malformed { what } }
    }
}
