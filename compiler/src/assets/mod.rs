//! Recordings and images: read, checked and packed when a macro is built.

mod image;
mod json;
mod path;
mod recording;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::rc::Rc;

use spec::artifact::{EVENT_SIZE, Image, Stream};
use spec::span::Span;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::SourceMap;
use crate::sources::Sources;

pub use crate::assets::recording::{Blank, Purpose};

/// Most bytes the events and pixels of one artifact may take; an artifact much larger cannot be loaded.
const MAX_PACKED: usize = 192 << 20;
/// Most bytes the texts of all recordings of one artifact may take.
const MAX_TEXTS: usize = 16 << 20;

/// What was packed, each file once.
#[derive(Clone, Debug, Default)]
pub struct Assets {
    /// Recordings.
    pub streams: Vec<Stream>,
    /// Images.
    pub images: Vec<Image>,
    /// The blanks of each recording, in the order of its own.
    blanks: HashMap<String, Rc<[Blank]>>,
    /// What became of each file that was asked for.
    seen: HashMap<Asked, Outcome>,
}

impl Assets {
    /// The recording of this name.
    pub fn stream(&self, key: &str) -> Option<&Stream> {
        self.streams.iter().find(|stream| stream.path == key)
    }

    /// The blanks of the recording of this name, in the order of its own.
    pub fn blanks(&self, key: &str) -> Rc<[Blank]> {
        self.blanks.get(key).cloned().unwrap_or_default()
    }
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
    ///
    /// The name is the path relative to the folder of the macro that runs, normalised: `./a.png` and `a.png` are one image.
    pub fn image(&mut self, path: &str, span: Span, problems: &mut Diagnostics) -> Option<String> {
        self.once(AssetKind::Image, path, span, problems, Self::new_image)
    }

    /// Packs a recording with the images it waits for. Returns what the artifact calls it, as for an image; mistakes in it are
    /// reported at their places in the recording, and a file that cannot be read at `span`.
    pub fn recording(&mut self, path: &str, span: Span, problems: &mut Diagnostics) -> Option<String> {
        self.once(AssetKind::Recording, path, span, problems, Self::new_recording)
    }

    /// Reads a file only the first time it is asked for.
    fn once(
        &mut self,
        kind: AssetKind,
        path: &str,
        span: Span,
        problems: &mut Diagnostics,
        pack: fn(&mut Self, &str, Span, &mut Diagnostics) -> Outcome,
    ) -> Option<String> {
        let asked = Asked { kind, from: self.from.to_owned(), key: path::key(self.prefix, path) };
        let outcome = match self.assets.seen.get(&asked) {
            Some(known) => known.clone(),
            None => {
                let outcome = pack(self, path, span, problems);
                self.assets.seen.insert(asked, outcome.clone());
                outcome
            }
        };
        match outcome {
            Outcome::Packed(key) => Some(key),
            Outcome::Refused(code, message) => {
                problems.push(Diagnostic::new(code, span, message));
                None
            }
            Outcome::Reported => None,
        }
    }

    fn new_image(&mut self, path: &str, span: Span, problems: &mut Diagnostics) -> Outcome {
        let bytes = match self.read(path) {
            Ok(bytes) => bytes,
            Err(refused) => return refused,
        };
        let mut image = match image::decode(&bytes) {
            Ok(image) => image,
            Err(error) => return Outcome::Refused(Code::BadImage, format!("`{path}` {error}")),
        };
        if self.packed().saturating_add(image.rgba.len()) > MAX_PACKED {
            return Outcome::Refused(Code::BadImage, format!("`{path}` {}", too_much()));
        }
        if image::is_flat(&image) {
            let message = format!("`{path}` has one colour only: it is found on any area of that colour");
            problems.push(
                Diagnostic::new(Code::FlatImage, span, message).help("capture a part with an edge or a letter in it"),
            );
        }
        let wanted = path::key(self.prefix, path);
        let key = unused(&wanted, |key| {
            let known = self.assets.images.iter().find(|known| known.path == key);
            known.map(|known| (known.width, known.height, &known.rgba) == (image.width, image.height, &image.rgba))
        });
        image.path.clone_from(&key);
        if self.assets.images.iter().all(|known| known.path != key) {
            self.assets.images.push(image);
        }
        Outcome::Packed(key)
    }

    fn new_recording(&mut self, path: &str, _: Span, problems: &mut Diagnostics) -> Outcome {
        let bytes = match self.read(path) {
            Ok(bytes) => bytes,
            Err(refused) => return refused,
        };
        if bytes.len() > recording::MAX_BYTES {
            let message = format!("`{path}` has {} bytes; a recording may have {}", bytes.len(), recording::MAX_BYTES);
            return Outcome::Refused(Code::BadRecording, message);
        }
        let before = problems.errors();
        let wanted = path::key(self.prefix, path);
        let Some(mut draft) = recording::read(&wanted, &bytes, self.texts, problems) else { return Outcome::Reported };
        for template in &draft.templates {
            let beside = path::join(path::folder(path), &template.path);
            if let Some(key) = self.image(&beside, template.span, problems)
                && let Some(text) = draft.stream.texts.get_mut(template.text)
            {
                *text = key;
            }
        }
        if problems.errors() > before {
            return Outcome::Reported;
        }
        let mut stream = draft.stream;
        let texts =
            |stream: &Stream| stream.texts.iter().chain(&stream.blanks).map(String::len).fold(0, usize::saturating_add);
        let all_texts = self.assets.streams.iter().map(texts).fold(texts(&stream), usize::saturating_add);
        if self.packed().saturating_add(stream.events.len() * EVENT_SIZE) > MAX_PACKED || all_texts > MAX_TEXTS {
            return Outcome::Refused(Code::BadRecording, format!("`{path}` {}", too_much()));
        }
        let key = unused(&wanted, |key| {
            let known = self.assets.streams.iter().find(|known| known.path == key);
            known.map(|known| {
                (&known.events, &known.texts, &known.blanks, known.screen, &known.layout_hash)
                    == (&stream.events, &stream.texts, &stream.blanks, stream.screen, &stream.layout_hash)
            })
        });
        stream.path.clone_from(&key);
        if self.assets.stream(&key).is_none() {
            self.assets.blanks.insert(key.clone(), draft.blanks.into());
            self.assets.streams.push(stream);
        }
        Outcome::Packed(key)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, Outcome> {
        let refused = |reason: String| Outcome::Refused(Code::UnreadableFile, format!("`{path}`: {reason}"));
        if path.contains('\0') {
            return Err(refused("a path cannot hold a NUL character".to_owned()));
        }
        self.sources.read(path, self.from).map_err(refused)
    }

    /// Bytes of events and pixels so far.
    fn packed(&self) -> usize {
        let events = self.assets.streams.iter().map(|stream| stream.events.len() * EVENT_SIZE);
        let pixels = self.assets.images.iter().map(|image| image.rgba.len());
        events.chain(pixels).fold(0, usize::saturating_add)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum AssetKind {
    Image,
    Recording,
}

/// A file, as one macro names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Asked {
    kind: AssetKind,
    from: String,
    key: String,
}

#[derive(Clone, Debug)]
enum Outcome {
    /// The artifact has it under this name.
    Packed(String),
    /// It cannot be used, which everyone who asks is told.
    Refused(Code, String),
    /// Its mistakes were reported where they are.
    Reported,
}

/// `wanted`, or with a number after it when another file has that name already: macros from different folders may be linked under
/// equal names. `same` says whether the file of a name is this one; `None` when the name is free.
fn unused(wanted: &str, same: impl Fn(&str) -> Option<bool>) -> String {
    let numbered = (2u64..).map(|number| format!("{wanted}#{number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names.find(|name| same(name) != Some(false)).unwrap_or_default()
}

fn too_much() -> String {
    format!(
        "does not fit: the recordings and images of one macro may take {} MiB, and the texts of its recordings {} MiB",
        MAX_PACKED >> 20,
        MAX_TEXTS >> 20
    )
}
