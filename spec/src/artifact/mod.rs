//! The `.mcb` artifact: everything a macro needs to run, in one self-contained file.
//!
//! `spec/artifact.md` describes the bytes. The records here are what the bytes mean; a record is only data, and an artifact read from a
//! file is not yet to be trusted: the machine's verifier makes a program of it.

mod codec;
mod constant;
mod container;
mod debug;
mod disasm;
mod fault;
mod header;
mod image;
mod load_error;
mod manifest;
mod meta;
mod program;
#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod sample;
mod section;
mod stream;

pub use codec::{EVENT_SIZE, IMAGE_SIDE_LIMIT, OP_LIMIT, PREALLOCATION_LIMIT, RECORD_LIMIT};
pub use constant::{Constant, Constants, DEPTH_LIMIT, UNFOLD_LIMIT};
pub use container::{FILE_LIMIT, seal};
pub use debug::{Debug, Place};
pub use disasm::Part;
pub use fault::{CodeFault, TableFault};
pub use header::{FORMAT_VERSION, MAGIC, check_head, written_hash};
pub use image::Image;
pub use load_error::{Found, LoadError, LoadErrorKind};
pub use manifest::{Capability, Manifest};
pub use meta::Meta;
pub use program::{
    MAX_BACKOFF_MS, MAX_RETRIES, Macro, OnFailure, ParameterRecord, ResultKind, ResultRecord, RouteRecord, StepKind,
    StepRecord, TypeTag,
};
pub use section::Section;
pub use stream::{Event, EventKind, FILE_ANY_AGE, FILE_NEWER, Stream};

use crate::op::Op;

/// A compiled macro with all it was linked with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Artifact {
    /// What the macro says of itself.
    pub meta: Meta,
    /// Constants, by the `Const` operand.
    pub constants: Constants,
    /// The instructions of all macros.
    pub code: Vec<Op>,
    /// The macros, by the `Callee` operand; each calls only macros before it, and the last is the one that runs.
    pub macros: Vec<Macro>,
    /// The steps, by the `Step` operand.
    pub steps: Vec<StepRecord>,
    /// The routes, by the `Route` operand.
    pub routes: Vec<RouteRecord>,
    /// Packed recordings.
    pub streams: Vec<Stream>,
    /// Packed images.
    pub images: Vec<Image>,
    /// What running it touches.
    pub manifest: Manifest,
    /// Where each instruction was written.
    pub debug: Debug,
}
