//! Recordings and images: read, checked and packed when a macro is built.

use spec::artifact::{Image, Stream};
use spec::span::Span;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::SourceMap;
use crate::sources::Sources;

/// What was packed, each file once.
#[derive(Clone, Debug, Default)]
pub struct Assets {
    /// Recordings.
    pub streams: Vec<Stream>,
    /// Images.
    pub images: Vec<Image>,
}

/// Packs the files one macro names.
pub struct Packer<'a> {
    /// Where files come from.
    pub sources: &'a dyn Sources,
    /// The macro file that names them, as `sources` knows it.
    pub from: &'a str,
    /// What packed files are called in front of their path: the macro's folder, relative to the folder of the macro that runs.
    pub prefix: &'a str,
    /// What was packed so far.
    pub assets: &'a mut Assets,
    /// Texts of recordings, so that mistakes in them have a place.
    pub texts: &'a mut SourceMap,
}

impl Packer<'_> {
    /// Packs an image. Returns what the artifact calls it; `None` when it cannot be used, which is reported at `span`.
    pub fn image(&mut self, path: &str, span: Span, problems: &mut Diagnostics) -> Option<String> {
        let _ = (path, span, problems, Code::UnreadableFile);
        None
    }

    /// Packs a recording. Returns what the artifact calls it; mistakes in it are reported at their places.
    pub fn recording(&mut self, path: &str, span: Span, problems: &mut Diagnostics) -> Option<String> {
        let bytes = self.sources.read(path, self.from);
        if let Err(reason) = bytes {
            problems.push(Diagnostic::new(Code::UnreadableFile, span, format!("`{path}`: {reason}")));
        }
        None
    }
}
