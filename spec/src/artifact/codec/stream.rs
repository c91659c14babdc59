//! The streams section: the heads of all recordings, then their events, 40 bytes each.

use wincode::{SchemaRead, SchemaWrite};

use crate::artifact::codec::bytes::{Bytes, align};
use crate::artifact::codec::{Malformed, record};
use crate::artifact::{Event, EventKind, Stream};

/// Bytes of an event.
pub const EVENT_SIZE: usize = 40;

/// A recording without its events.
#[derive(SchemaWrite, SchemaRead)]
struct Head {
    path: String,
    width: u32,
    height: u32,
    layout_hash: String,
    steps: u32,
    texts: Vec<String>,
    blanks: Vec<String>,
    events: u32,
}

/// The section's bytes.
pub(in crate::artifact) fn write(streams: &[Stream]) -> Vec<u8> {
    let heads: Vec<Head> = streams
        .iter()
        .map(|stream| Head {
            path: stream.path.clone(),
            width: stream.screen.0,
            height: stream.screen.1,
            layout_hash: stream.layout_hash.clone(),
            steps: stream.steps,
            texts: stream.texts.clone(),
            blanks: stream.blanks.clone(),
            events: u32::try_from(stream.events.len()).unwrap_or(u32::MAX),
        })
        .collect();
    let mut bytes = write_heads(&record::write(&heads));
    for stream in streams {
        bytes.extend(stream.events.iter().flat_map(write_event));
        align(&mut bytes);
    }
    bytes
}

/// Reads the section's bytes.
pub(in crate::artifact) fn read(bytes: &[u8]) -> Result<Vec<Stream>, Malformed> {
    let mut bytes = Bytes::new(bytes);
    let heads: Vec<Head> = record::read(read_heads(&mut bytes)?, "the heads of the recordings")?;
    let mut streams = Vec::with_capacity(heads.len());
    for head in heads {
        let at = bytes.at();
        let events = bytes.take((head.events as usize).saturating_mul(EVENT_SIZE), "as many events as announced")?;
        let events = events.as_chunks::<EVENT_SIZE>().0.iter().enumerate().map(|(index, event)| {
            read_event(event).ok_or_else(|| Malformed::expected("an event", at + index * EVENT_SIZE))
        });
        streams.push(Stream {
            path: head.path,
            screen: (head.width, head.height),
            layout_hash: head.layout_hash,
            steps: head.steps,
            events: events.collect::<Result<_, _>>()?,
            texts: head.texts,
            blanks: head.blanks,
        });
        bytes.padding()?;
    }
    bytes.end()?;
    Ok(streams)
}

/// The length of the heads, the heads, and padding around both.
pub(super) fn write_heads(heads: &[u8]) -> Vec<u8> {
    let mut bytes = u32::try_from(heads.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
    align(&mut bytes);
    bytes.extend_from_slice(heads);
    align(&mut bytes);
    bytes
}

/// The heads' bytes.
pub(super) fn read_heads<'a>(bytes: &mut Bytes<'a>) -> Result<&'a [u8], Malformed> {
    let length = bytes.number("the length of the heads")? as usize;
    bytes.padding()?;
    let heads = bytes.take(length, "as many bytes of heads as announced")?;
    bytes.padding()?;
    Ok(heads)
}

fn write_event(event: &Event) -> [u8; EVENT_SIZE] {
    let mut bytes = [0; EVENT_SIZE];
    bytes[0..8].copy_from_slice(&event.at_us.to_le_bytes());
    bytes[8] = event.kind as u8;
    bytes[9] = event.button;
    bytes[10..12].copy_from_slice(&event.modifiers.to_le_bytes());
    bytes[12..16].copy_from_slice(&event.x.to_le_bytes());
    bytes[16..20].copy_from_slice(&event.y.to_le_bytes());
    bytes[20..24].copy_from_slice(&event.value.to_le_bytes());
    bytes[24..28].copy_from_slice(&event.text.to_le_bytes());
    bytes[28..32].copy_from_slice(&event.step.to_le_bytes());
    bytes[32..36].copy_from_slice(&event.duration_ms.to_le_bytes());
    bytes
}

fn read_event(bytes: &[u8; EVENT_SIZE]) -> Option<Event> {
    let word = |at: usize| bytes.get(at..)?.first_chunk::<4>().copied();
    if word(36)? != [0; 4] {
        return None;
    }
    Some(Event {
        at_us: u64::from_le_bytes(*bytes.first_chunk()?),
        kind: EventKind::by_number(bytes[8])?,
        button: bytes[9],
        modifiers: u16::from_le_bytes([bytes[10], bytes[11]]),
        x: i32::from_le_bytes(word(12)?),
        y: i32::from_le_bytes(word(16)?),
        value: u32::from_le_bytes(word(20)?),
        text: u32::from_le_bytes(word(24)?),
        step: u32::from_le_bytes(word(28)?),
        duration_ms: u32::from_le_bytes(word(32)?),
    })
}

#[cfg(test)]
mod tests {
    use super::{EVENT_SIZE, read, write};
    use crate::artifact::{Event, EventKind, Stream};

    fn event(at_us: u64) -> Event {
        Event {
            at_us,
            kind: EventKind::Move,
            button: 2,
            modifiers: 0x0102,
            x: -1,
            y: i32::MIN,
            value: 0xFF0D,
            text: 1,
            step: 3,
            duration_ms: 4,
        }
    }

    #[test]
    fn events_are_aligned_and_read_back() {
        let stream = |events| Stream {
            path: "a.json".to_owned(),
            events,
            texts: vec!["x".to_owned()],
            blanks: vec!["${y}".to_owned()],
            ..Stream::default()
        };
        let streams = vec![stream(vec![event(1)]), stream(vec![]), stream(vec![event(u64::MAX), event(5)])];
        let bytes = write(&streams);
        assert_eq!(bytes.len() % 16, 0);
        assert_eq!(read(&bytes).unwrap(), streams);
        // The last recording has two events, 80 bytes, with nothing after them.
        let last = bytes.len() - 2 * EVENT_SIZE;
        assert_eq!(last % 16, 0);
        assert_eq!(bytes[last..last + 8], [0xFF; 8]);
        assert_eq!(bytes[last + 8], EventKind::Move as u8);
    }

    #[test]
    fn foreign_events_are_errors() {
        let streams = vec![Stream { events: vec![event(1), event(2)], ..Stream::default() }];
        let bytes = write(&streams);
        let first = bytes.len() - 2 * EVENT_SIZE;
        for (place, byte) in [(8, 0), (8, 13), (36, 1), (39, 0x80)] {
            let mut changed = bytes.clone();
            changed[first + place] = byte;
            assert_eq!(read(&changed).unwrap_err().at, Some(first), "{place}");
        }
    }
}
