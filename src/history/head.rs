//! The first bytes of the store's file: they say whose it is, at the cost of one read.
//!
//! The header is that of the SQLite file format, <https://www.sqlite.org/fileformat.html#the_database_header>.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

use crate::history::store::{APPLICATION, FILE, VERSION};

/// How long the header is, in bytes.
const LENGTH: usize = 100;
const MAGIC: &[u8] = b"SQLite format 3\0";
/// Where the version of the tables is, as a big-endian number of 32 bits.
const VERSION_AT: usize = 60;
/// Where the mark of the program is, as a big-endian number of 32 bits.
const APPLICATION_AT: usize = 68;

/// Whether runs may wait for the store to take them in: there is none yet, or a file that begins like one of ours. Anything else, one that
/// is only being made too, needs a closer look.
pub fn promises(home: &Path) -> bool {
    let path = home.join(FILE);
    match fs::symlink_metadata(&path) {
        Ok(found) if found.is_file() => {}
        Ok(_) => return false,
        Err(error) => return error.kind() == ErrorKind::NotFound,
    }
    let mut bytes = [0; LENGTH];
    let read = File::open(&path).and_then(|mut file| file.read_exact(&mut bytes));
    let number = |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(|bytes| i64::from(i32::from_be_bytes(bytes)));
    read.is_ok()
        && bytes.starts_with(MAGIC)
        && (number(APPLICATION_AT), number(VERSION_AT)) == (Some(APPLICATION), Some(VERSION))
}
