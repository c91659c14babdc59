//! A descriptor that the caller opened, by its number. Its file cannot be opened again by its name in `/dev/fd` when it is a socket, which
//! is what some programs give their children for a pipe.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::os::fd::BorrowedFd;

/// A copy of an inherited descriptor, which programs that are started do not get.
///
/// # Errors
/// The descriptor is not open.
pub fn duplicate(number: i32) -> io::Result<File> {
    // SAFETY: the number is never -1, which is all that the type asks for by itself, and the borrow ends with the call: the system
    // answers with an error when nothing is open there, and nothing here closes it in the meantime.
    let found = unsafe { BorrowedFd::borrow_raw(number.max(0)) };
    Ok(File::from(rustix::io::fcntl_dupfd_cloexec(found, 3)?))
}
