//! The `.mcb` artifact: everything a macro needs to run, in one self-contained file.
//!
//! `spec/artifact.md` describes the bytes. The records here are what the bytes mean; a record is only data, and an artifact read from a
//! file is not yet to be trusted: the machine's verifier makes a program of it.

mod constant;
mod debug;
mod image;
mod manifest;
mod meta;
mod program;
mod stream;

pub use constant::{Constant, Constants};
pub use debug::{Debug, Place};
pub use image::Image;
pub use manifest::Manifest;
pub use meta::Meta;
pub use program::{
    Macro, OnFailure, ParameterRecord, ResultKind, ResultRecord, RouteRecord, StepKind, StepRecord, TypeTag,
};
pub use stream::{Event, EventKind, Stream};

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
