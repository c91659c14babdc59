//! Edits of files, over the real files or over an overlay of them.
//!
//! - A leading `~/` of a path is the home folder. Outputs name paths with it expanded.
//! - An action that would change nothing leaves its file untouched: same bytes, same time. With an `output_file` of its
//!   own the result is written there all the same.
//! - `/dev/null` reads as empty: for the JSON actions that is `{}`, so that a document can be begun from nothing. An empty
//!   regular file is no JSON document.
//! - A file or its end is never written once the time is over or a signal came.

mod error;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use spec::action::{arguments, outputs};
use spec::value::Value;

use crate::backends::file_transform::error::About;
use crate::edit::file::{DOCUMENT_LIMIT, TEXT_LIMIT, expand};
use crate::edit::text::{self, Replaced, TextError};
use crate::edit::xml::error::XmlEditError;
use crate::edit::{Cancelled, json, xml};
use crate::failure::Failure;
use crate::files::Files;
use crate::stop::Stop;
use crate::world::{Call, FileTransform};

/// The backend over some files.
#[derive(Clone, Debug, Default)]
pub struct FileActions<F> {
    files: F,
}

impl<F: Files> FileActions<F> {
    /// The backend over `files`.
    pub fn new(files: F) -> Self {
        Self { files }
    }

    /// The files.
    pub fn files(&self) -> &F {
        &self.files
    }

    /// Replaces in a text, and tells how many times.
    fn replace(
        &mut self,
        input: &str,
        output: &str,
        call: &Call<'_>,
        work: impl for<'b> FnOnce(&'b [u8], Cancelled<'_>) -> Result<Replaced<'b>, TextError>,
    ) -> Result<i64, Failure> {
        let edit = Edit::open(&self.files, input, output, TEXT_LIMIT, call)?;
        let stop = edit.stop;
        let replaced = work(&edit.bytes, &|| stop.asked()).map_err(|error| About(input).text(error, &stop))?;
        let count = count(replaced.count);
        let changed = replaced.count > 0;
        let bytes = replaced.bytes.into_owned();
        edit.target.store(&mut self.files, &bytes, changed, &stop)?;
        Ok(count)
    }

    /// Edits an XML document, and tells how many elements matched.
    fn edit_xml(
        &mut self,
        input: &str,
        output: &str,
        call: &Call<'_>,
        work: impl FnOnce(&[u8]) -> Result<xml::Edited, XmlEditError>,
    ) -> Result<i64, Failure> {
        let edit = Edit::open(&self.files, input, output, DOCUMENT_LIMIT, call)?;
        let edited = work(&edit.bytes).map_err(|error| About(input).xml(error))?;
        edit.target.store(&mut self.files, &edited.bytes, edited.changed, &edit.stop)?;
        Ok(count(edited.matched as u64))
    }

    /// The bytes of an XML document.
    fn read_xml(&self, input: &str, call: &Call<'_>) -> Result<Vec<u8>, Failure> {
        Edit::open(&self.files, input, input, DOCUMENT_LIMIT, call).map(|edit| edit.bytes)
    }
}

impl<F: Files> FileTransform for FileActions<F> {
    fn json_get(&mut self, arguments: &arguments::JsonGet, call: &Call<'_>) -> Result<outputs::JsonGet, Failure> {
        let input = &arguments.input_file;
        let edit = Edit::open_json(&self.files, input, input, call)?;
        let value = json::get(&edit.bytes, &arguments.path.segments).map_err(|error| About(input).json(error))?;
        Ok(outputs::JsonGet { value, path: arguments.path.to_string() })
    }

    fn json_set(&mut self, arguments: &arguments::JsonSet, call: &Call<'_>) -> Result<outputs::JsonSet, Failure> {
        let input = &arguments.input_file;
        let edit = Edit::open_json(&self.files, input, &arguments.output_file, call)?;
        let edited = json::set(&edit.bytes, &arguments.path.segments, &arguments.value)
            .map_err(|error| About(input).json(error))?;
        edit.target.store(&mut self.files, &edited.bytes, edited.changed, &edit.stop)?;
        Ok(outputs::JsonSet { path: arguments.path.to_string(), value: arguments.value.clone() })
    }

    fn json_delete(
        &mut self,
        arguments: &arguments::JsonDelete,
        call: &Call<'_>,
    ) -> Result<outputs::JsonDelete, Failure> {
        let input = &arguments.input_file;
        let edit = Edit::open_json(&self.files, input, &arguments.output_file, call)?;
        let edited = json::delete(&edit.bytes, &arguments.path.segments).map_err(|error| About(input).json(error))?;
        edit.target.store(&mut self.files, &edited.bytes, edited.changed, &edit.stop)?;
        let path = arguments.path.to_string();
        Ok(outputs::JsonDelete { deleted: if edited.changed { Value::String(path) } else { Value::Boolean(false) } })
    }

    fn xml_get_attr(
        &mut self,
        arguments: &arguments::XmlGetAttr,
        call: &Call<'_>,
    ) -> Result<outputs::XmlGetAttr, Failure> {
        let bytes = self.read_xml(&arguments.input_file, call)?;
        let values = xml::get_attr(&bytes, &arguments.xpath, &arguments.attr)
            .map_err(|error| About(&arguments.input_file).xml(error))?;
        Ok(outputs::XmlGetAttr { values: strings(values), attr: arguments.attr.clone() })
    }

    fn xml_set_attr(
        &mut self,
        arguments: &arguments::XmlSetAttr,
        call: &Call<'_>,
    ) -> Result<outputs::XmlSetAttr, Failure> {
        let matched = self.edit_xml(&arguments.input_file, &arguments.output_file, call, |bytes| {
            xml::set_attr(bytes, &arguments.xpath, &arguments.attr, &arguments.value)
        })?;
        Ok(outputs::XmlSetAttr { matched, attr: arguments.attr.clone() })
    }

    fn xml_get_text(
        &mut self,
        arguments: &arguments::XmlGetText,
        call: &Call<'_>,
    ) -> Result<outputs::XmlGetText, Failure> {
        let bytes = self.read_xml(&arguments.input_file, call)?;
        let values =
            xml::get_text(&bytes, &arguments.xpath).map_err(|error| About(&arguments.input_file).xml(error))?;
        Ok(outputs::XmlGetText { values: strings(values) })
    }

    fn xml_set_text(
        &mut self,
        arguments: &arguments::XmlSetText,
        call: &Call<'_>,
    ) -> Result<outputs::XmlSetText, Failure> {
        let matched = self.edit_xml(&arguments.input_file, &arguments.output_file, call, |bytes| {
            xml::set_text(bytes, &arguments.xpath, &arguments.value)
        })?;
        Ok(outputs::XmlSetText { matched })
    }

    fn text_replace(
        &mut self,
        arguments: &arguments::TextReplace,
        call: &Call<'_>,
    ) -> Result<outputs::TextReplace, Failure> {
        let (find, replacement) = (arguments.find.as_bytes(), arguments.replace.as_bytes());
        let replacements = self.replace(&arguments.input_file, &arguments.output_file, call, |bytes, cancelled| {
            text::replace(bytes, find, replacement, cancelled)
        })?;
        Ok(outputs::TextReplace { replacements })
    }

    fn regex_replace(
        &mut self,
        arguments: &arguments::RegexReplace,
        call: &Call<'_>,
    ) -> Result<outputs::RegexReplace, Failure> {
        let replacement = arguments.replace.as_bytes();
        let replacements = self.replace(&arguments.input_file, &arguments.output_file, call, |bytes, cancelled| {
            text::regex_replace(bytes, &arguments.find, replacement, cancelled)
        })?;
        Ok(outputs::RegexReplace { replacements })
    }

    fn copy_file(&mut self, arguments: &arguments::CopyFile, call: &Call<'_>) -> Result<outputs::CopyFile, Failure> {
        let stop = Stop::new(call);
        stop.check()?;
        let failed = |error| error::file(&error, &stop);
        let (src, dst) = (expand(&arguments.src).map_err(failed)?, expand(&arguments.dst).map_err(failed)?);
        let copied = self.files.copy(&src, &dst, &|| stop.asked()).map_err(failed)?;
        Ok(outputs::CopyFile { src: shown(&src), dst: shown(&copied.dst), size: count(copied.size) })
    }

    fn write_file(&mut self, arguments: &arguments::WriteFile, call: &Call<'_>) -> Result<outputs::WriteFile, Failure> {
        let (path, stop) = begin(&arguments.output_file, call)?;
        self.files.write(&path, arguments.text.as_bytes()).map_err(|error| error::file(&error, &stop))?;
        Ok(outputs::WriteFile { path: shown(&path), size: count(arguments.text.len() as u64) })
    }

    fn make_dir(&mut self, arguments: &arguments::MakeDir, call: &Call<'_>) -> Result<outputs::MakeDir, Failure> {
        let (path, stop) = begin(&arguments.path, call)?;
        let created = self.files.make_dir(&path).map_err(|error| error::file(&error, &stop))?;
        Ok(outputs::MakeDir { path: shown(&path), created })
    }

    fn delete_file(
        &mut self,
        arguments: &arguments::DeleteFile,
        call: &Call<'_>,
    ) -> Result<outputs::DeleteFile, Failure> {
        let (path, stop) = begin(&arguments.path, call)?;
        let deleted = self.files.delete_file(&path).map_err(|error| error::file(&error, &stop))?;
        Ok(outputs::DeleteFile { path: shown(&path), deleted })
    }
}

/// A document that was read, and where it goes.
struct Edit<'a> {
    bytes: Vec<u8>,
    target: Target,
    stop: Stop<'a>,
}

struct Target {
    path: PathBuf,
    /// Whether the result replaces what was read.
    in_place: bool,
}

impl<'a> Edit<'a> {
    fn open(files: &impl Files, input: &str, output: &str, limit: u64, call: &Call<'a>) -> Result<Self, Failure> {
        let (from, stop) = begin(input, call)?;
        let failed = |error| error::file(&error, &stop);
        let target = Target { path: expand(output).map_err(failed)?, in_place: input == output };
        let bytes = files.read(&from, limit).map_err(failed)?;
        stop.check()?;
        Ok(Self { bytes, target, stop })
    }

    fn open_json(files: &impl Files, input: &str, output: &str, call: &Call<'a>) -> Result<Self, Failure> {
        let mut edit = Self::open(files, input, output, DOCUMENT_LIMIT, call)?;
        let from = expand(input).map_err(|error| error::file(&error, &edit.stop))?;
        // An empty regular file has a size, `/dev/null` has none.
        if edit.bytes.is_empty() && files.observe(&from).size().is_none() {
            edit.bytes = b"{}\n".to_vec();
        }
        Ok(edit)
    }
}

impl Target {
    fn store(&self, files: &mut impl Files, bytes: &[u8], changed: bool, stop: &Stop<'_>) -> Result<(), Failure> {
        stop.check()?;
        if changed || !self.in_place {
            files.write(&self.path, bytes).map_err(|error| error::file(&error, stop))?;
        }
        Ok(())
    }
}

fn begin<'a>(path: &str, call: &Call<'a>) -> Result<(PathBuf, Stop<'a>), Failure> {
    let stop = Stop::new(call);
    stop.check()?;
    let path = expand(path).map_err(|error| error::file(&error, &stop))?;
    Ok((path, stop))
}

fn strings(values: Vec<String>) -> Vec<Value> {
    values.into_iter().map(Value::String).collect()
}

fn count(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
