//! Recordings and images.

use spec::artifact::{Artifact, Event, EventKind, IMAGE_SIDE_LIMIT, Image, LoadError, Section, Stream, TableFault};

use crate::verify::{TIME_LIMIT_US, at_most, distinct};

/// Checks every recording and every image.
pub fn check(artifact: &Artifact) -> Result<(), LoadError> {
    for (index, record) in artifact.streams.iter().enumerate() {
        stream(record).map_err(|fault| LoadError::table(Section::Streams, index, fault))?;
    }
    for (index, record) in artifact.images.iter().enumerate() {
        image(record).map_err(|fault| LoadError::table(Section::Images, index, fault))?;
    }
    distinct("recording", artifact.streams.iter().map(|stream| stream.path.as_str()))
        .map_err(|fault| LoadError::table(Section::Streams, 0, fault))?;
    distinct("image", artifact.images.iter().map(|image| image.path.as_str()))
        .map_err(|fault| LoadError::table(Section::Images, 0, fault))
}

fn stream(record: &Stream) -> Result<(), TableFault> {
    let mut last = (0, 0);
    for (index, event) in record.events.iter().enumerate() {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        if let Some(what) = wrong(record, event) {
            return Err(TableFault::Event { event: index, what });
        }
        if event.at_us < last.0 || event.step < last.1 {
            return Err(TableFault::TimeOrder { event: index });
        }
        at_most("microseconds of a recording", event.at_us, TIME_LIMIT_US)?;
        // The clock begins again after what takes as long as it takes.
        last = (if event.kind.restarts_clock() { 0 } else { event.at_us }, event.step);
    }
    Ok(())
}

fn wrong(record: &Stream, event: &Event) -> Option<&'static str> {
    let has_text = match event.kind {
        EventKind::Text | EventKind::WaitFile | EventKind::WaitWindow | EventKind::WaitImage => event.text > 0,
        EventKind::Move
        | EventKind::ButtonDown
        | EventKind::ButtonUp
        | EventKind::Chord
        | EventKind::KeyDown
        | EventKind::KeyUp
        | EventKind::Scroll
        | EventKind::Sleep => true,
    };
    let has_button = match event.kind {
        EventKind::ButtonDown | EventKind::ButtonUp => (1..=3).contains(&event.button),
        EventKind::Move
        | EventKind::Chord
        | EventKind::KeyDown
        | EventKind::KeyUp
        | EventKind::Text
        | EventKind::Scroll
        | EventKind::Sleep
        | EventKind::WaitFile
        | EventKind::WaitWindow
        | EventKind::WaitImage => event.button <= 3,
    };
    // An image is known when the macro is built.
    let blanks = if event.kind == EventKind::WaitImage { 0 } else { record.blanks.len() };
    if !has_text || event.text as usize > record.texts.len().saturating_add(blanks) {
        Some("its text does not exist")
    } else if !has_button {
        Some("its button does not exist")
    } else if event.step >= record.steps {
        Some("its step does not exist")
    } else {
        None
    }
}

fn image(record: &Image) -> Result<(), TableFault> {
    let sides = 1..=IMAGE_SIDE_LIMIT;
    let pixels = u64::from(record.width) * u64::from(record.height);
    if !sides.contains(&record.width) || !sides.contains(&record.height) || record.rgba.len() as u64 != pixels * 4 {
        return Err(TableFault::Mismatch { what: "the sides and pixels of an image" });
    }
    Ok(())
}
