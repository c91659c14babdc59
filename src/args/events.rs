//! Where the events of a run go, as `--events` says it.

use std::path::PathBuf;

/// Where events go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventsTarget {
    /// Standard error.
    Stderr,
    /// A descriptor the caller opened.
    Descriptor(i32),
    /// A file or a named pipe.
    Path(PathBuf),
}

/// Reads the flag's value.
///
/// # Errors
/// What is allowed.
pub fn events_target(text: &str) -> Result<EventsTarget, String> {
    let path = match text.split_once(':') {
        None if text == "ndjson" => return Ok(EventsTarget::Stderr),
        Some(("ndjson", path)) if !path.is_empty() => path,
        Some(_) | None => return Err("allowed: ndjson, ndjson:PATH".to_owned()),
    };
    let number = match path {
        "-" | "/dev/stdin" | "/dev/stdout" => Some(1),
        "/dev/stderr" => Some(2),
        _ => ["/dev/fd/", "/proc/self/fd/"]
            .iter()
            .find_map(|folder| path.strip_prefix(folder)?.parse().ok())
            .filter(|number: &i32| *number >= 0),
    };
    match number {
        None => Ok(EventsTarget::Path(PathBuf::from(path))),
        Some(0 | 1) => Err("standard output is for the result: name a file, or another descriptor".to_owned()),
        Some(2) => Ok(EventsTarget::Stderr),
        Some(number) => Ok(EventsTarget::Descriptor(number)),
    }
}

#[cfg(test)]
mod tests {
    use crate::args::events::{EventsTarget, events_target};

    #[test]
    fn events_go_where_they_harm_nothing() {
        let path = |path: &str| Ok(EventsTarget::Path(path.into()));
        for (text, target) in [
            ("ndjson", Ok(EventsTarget::Stderr)),
            ("ndjson:/dev/stderr", Ok(EventsTarget::Stderr)),
            ("ndjson:/dev/fd/2", Ok(EventsTarget::Stderr)),
            ("ndjson:/dev/fd/3", Ok(EventsTarget::Descriptor(3))),
            ("ndjson:/dev/fd/-1", path("/dev/fd/-1")),
            ("ndjson:a:b", path("a:b")),
        ] {
            assert_eq!(events_target(text), target, "{text}");
        }
        for bad in ["", "json", "ndjson:", "ndjson:-", "ndjson:/dev/stdout", "ndjson:/dev/fd/1", "ndjson:/dev/fd/0"] {
            assert!(events_target(bad).is_err(), "{bad}");
        }
    }
}
