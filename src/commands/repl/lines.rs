//! Lines from standard input, each within bounds.

use std::io::{BufRead, Read, stdin};

use crate::trouble::Trouble;

/// The most bytes of a line.
const LONGEST: u64 = 1 << 20;

/// Standard input, line by line. It is free between two of them, so that a command may read what follows.
#[derive(Debug, Default)]
pub struct Lines;

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    /// A line, without its end.
    Line(String),
    /// A line that is none, and why.
    Bad(&'static str),
    /// Nothing.
    End,
}

impl Lines {
    /// The next line.
    ///
    /// # Errors
    /// Standard input cannot be read.
    pub fn next(&mut self) -> Result<Next, Trouble> {
        let bytes = piece()?;
        if bytes.is_empty() {
            return Ok(Next::End);
        }
        if bytes.len() as u64 >= LONGEST && !bytes.ends_with(b"\n") {
            while !matches!(piece()?.last(), None | Some(b'\n')) {}
            return Ok(Next::Bad("a line is longer than 1 MiB"));
        }
        match String::from_utf8(bytes) {
            Ok(line) => Ok(Next::Line(line.trim_end_matches(['\n', '\r']).to_owned())),
            Err(_) => Ok(Next::Bad("a line is not UTF-8")),
        }
    }
}

/// A line, or as much of one as may be read at once.
fn piece() -> Result<Vec<u8>, Trouble> {
    let mut bytes = Vec::new();
    let read = stdin().lock().take(LONGEST).read_until(b'\n', &mut bytes);
    read.map_err(|error| Trouble::io(format!("standard input cannot be read: {error}")))?;
    Ok(bytes)
}
