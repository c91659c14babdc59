//! An artifact as bytes: header, section table, sections.
//!
//! The layout is canonical: an artifact has exactly one sequence of bytes, and every other sequence is refused.

use crate::artifact::codec::{
    Malformed, align, read_code, read_images, read_record, read_streams, write_code, write_images, write_record,
    write_streams,
};
use crate::artifact::section::Entry;
use crate::artifact::{Artifact, Constants, LoadError, LoadErrorKind, Section, header};

/// The most bytes of an artifact.
pub const FILE_LIMIT: u64 = 256 << 20;

/// Where the first section begins.
const CONTENT: usize = header::SIZE + Section::ALL.len() * Entry::SIZE;

impl Artifact {
    /// The artifact as bytes. The same artifact gives the same bytes, always and everywhere.
    ///
    /// What is over a limit of the format is written, and refused by [`Artifact::from_bytes`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut content = vec![0; CONTENT];
        let mut table = Vec::with_capacity(CONTENT - header::SIZE);
        for section in Section::ALL {
            let body = self.section(*section);
            let entry = Entry {
                number: *section as u16,
                flags: 0,
                offset: u32::try_from(content.len()).unwrap_or(u32::MAX),
                length: u32::try_from(body.len()).unwrap_or(u32::MAX),
                reserved: 0,
            };
            table.extend_from_slice(&entry.write());
            content.extend_from_slice(&body);
            align(&mut content);
        }
        let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
        content[..header::SIZE].copy_from_slice(&header::write(length));
        content[header::SIZE..CONTENT].copy_from_slice(&table);
        header::seal(&mut content);
        content
    }

    /// Reads an artifact. What it says is not checked here: only the machine's verifier makes a program of it.
    ///
    /// # Errors
    /// When the bytes are not exactly those [`Artifact::to_bytes`] would write.
    pub fn from_bytes(bytes: &[u8]) -> Result<Artifact, LoadError> {
        header::check(bytes)?;
        let mut artifact = Artifact::default();
        let mut offset = CONTENT;
        for (index, section) in Section::ALL.iter().enumerate() {
            let (entry, body) = locate(bytes, index, *section, offset)?;
            artifact.set_section(*section, body).map_err(|malformed| LoadError {
                at: malformed.at.map(|at| u64::from(entry.offset) + at as u64),
                section: Some(*section),
                reason: malformed.reason,
            })?;
            offset = end_of(bytes, *section, offset + body.len())?;
        }
        match bytes.len() - offset.min(bytes.len()) {
            0 => Ok(artifact),
            _ => Err(LoadError::at(
                offset,
                LoadErrorKind::Trailing { expected: offset as u64, found: bytes.len() as u64 },
            )),
        }
    }

    fn section(&self, section: Section) -> Vec<u8> {
        match section {
            Section::Metadata => write_record(&self.meta),
            Section::Constants => write_record(&self.constants.list),
            Section::Code => write_code(&self.code),
            Section::Macros => write_record(&self.macros),
            Section::Steps => write_record(&self.steps),
            Section::Routes => write_record(&self.routes),
            Section::Streams => write_streams(&self.streams),
            Section::Images => write_images(&self.images),
            Section::Manifest => write_record(&self.manifest),
            Section::Debug => write_record(&self.debug),
        }
    }

    fn set_section(&mut self, section: Section, body: &[u8]) -> Result<(), Malformed> {
        match section {
            Section::Metadata => self.meta = read_record(body, "the metadata")?,
            Section::Constants => self.constants = Constants { list: read_record(body, "the constants")? },
            Section::Code => self.code = read_code(body)?,
            Section::Macros => self.macros = read_record(body, "the macros")?,
            Section::Steps => self.steps = read_record(body, "the steps")?,
            Section::Routes => self.routes = read_record(body, "the routes")?,
            Section::Streams => self.streams = read_streams(body)?,
            Section::Images => self.images = read_images(body)?,
            Section::Manifest => self.manifest = read_record(body, "the manifest")?,
            Section::Debug => self.debug = read_record(body, "the places")?,
        }
        Ok(())
    }
}

/// Writes the hash of changed content into the header, so that tests reach what lies behind it. The hash finds damage; it is no signature.
pub fn seal(bytes: &mut [u8]) {
    header::seal(bytes);
}

/// The section in a row of the table; it must be `section`, beginning at `offset`.
fn locate(bytes: &[u8], index: usize, section: Section, offset: usize) -> Result<(Entry, &[u8]), LoadError> {
    let at = header::SIZE + index * Entry::SIZE;
    let fail = |place: usize, reason| LoadError { at: Some((at + place) as u64), section: Some(section), reason };
    let found = bytes.len() as u64;
    let row = bytes
        .get(at..)
        .and_then(<[u8]>::first_chunk)
        .ok_or_else(|| fail(0, LoadErrorKind::Truncated { expected: None, found }))?;
    let entry = Entry::read(row);
    match Section::by_number(entry.number) {
        None => return Err(fail(0, LoadErrorKind::UnknownSection { number: entry.number })),
        Some(found) if found != section => {
            return Err(fail(0, LoadErrorKind::SectionOrder { found, expected: section }));
        }
        Some(_) => {}
    }
    if entry.flags != 0 {
        return Err(fail(2, LoadErrorKind::Flags(entry.flags)));
    }
    if entry.offset as usize != offset {
        let reason = LoadErrorKind::SectionOffset { found: u64::from(entry.offset), expected: offset as u64 };
        return Err(fail(4, reason));
    }
    if entry.reserved != 0 {
        return Err(fail(12, LoadErrorKind::Padding));
    }
    let rest = bytes.get(offset..).unwrap_or_default();
    let length = LoadErrorKind::SectionLength { found: u64::from(entry.length), available: rest.len() as u64 };
    let body = rest.get(..entry.length as usize).ok_or_else(|| fail(8, length))?;
    Ok((entry, body))
}

/// Where the next section begins, past the padding of this one.
fn end_of(bytes: &[u8], section: Section, end: usize) -> Result<usize, LoadError> {
    let next = end.next_multiple_of(16);
    let fail = |at: usize, reason| LoadError { at: Some(at as u64), section: Some(section), reason };
    let expected = Some(next as u64);
    let padding = bytes
        .get(end..next)
        .ok_or_else(|| fail(bytes.len(), LoadErrorKind::Truncated { expected, found: bytes.len() as u64 }))?;
    match padding.iter().position(|byte| *byte != 0) {
        None => Ok(next),
        Some(place) => Err(fail(end + place, LoadErrorKind::Padding)),
    }
}
