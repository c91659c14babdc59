//! Memory that the display server writes pixels to and this process reads: an anonymous file that both have mapped.
//!
//! The file is made here and handed over. The other way round (`CreateSegment`) is no quicker, and x11rb does not survive a proxy that
//! loses the descriptor on its way to us.
#![allow(unsafe_code)]

use std::os::fd::OwnedFd;

use memmap2::{Mmap, MmapOptions};
use rustix::fs::{FallocateFlags, MemfdFlags, fallocate, memfd_create};
use x11rb::connection::{Connection, RequestConnection};
use x11rb::errors::{ReplyError, ReplyOrIdError};
use x11rb::protocol::shm::{self, ConnectionExt, Seg};

use crate::desktop::error::DesktopError;
use crate::desktop::x11::stream::Conn;

/// Memory shared with the display server.
#[derive(Debug)]
pub struct Segment {
    /// Its number on the display.
    pub id: Seg,
    memory: Mmap,
}

impl Segment {
    /// Shares `size` bytes; `None` when the display, or this system, cannot.
    ///
    /// # Errors
    /// The connection is lost.
    pub fn new(conn: &Conn, size: usize) -> Result<Option<Self>, DesktopError> {
        if conn.extension_information(shm::X11_EXTENSION_NAME)?.is_none() {
            return Ok(None);
        }
        let version = conn.shm_query_version()?.reply()?;
        if (version.major_version, version.minor_version) < (1, 2) {
            return Ok(None);
        }
        let Some((file, memory)) = map(size) else { return Ok(None) };
        let id = match conn.generate_id() {
            Ok(id) => id,
            Err(ReplyOrIdError::ConnectionError(error)) => return Err(error.into()),
            Err(ReplyOrIdError::X11Error(_) | ReplyOrIdError::IdsExhausted) => return Ok(None),
        };
        match conn.shm_attach_fd(id, file, false)?.check() {
            Ok(()) => Ok(Some(Self { id, memory })),
            // It runs on another machine or may not have the descriptor.
            Err(ReplyError::X11Error(_)) => Ok(None),
            Err(ReplyError::ConnectionError(error)) => Err(error.into()),
        }
    }

    /// What the server wrote.
    pub fn bytes(&self) -> &[u8] {
        &self.memory
    }

    /// Takes it from the server too.
    pub fn detach(self, conn: &Conn) -> Result<(), DesktopError> {
        conn.shm_detach(self.id)?;
        Ok(())
    }
}

/// An anonymous file whose bytes are all there, so that reading them cannot fail for want of memory.
fn map(size: usize) -> Option<(OwnedFd, Mmap)> {
    let file = memfd_create("macrocli-screen", MemfdFlags::CLOEXEC).ok()?;
    fallocate(&file, FallocateFlags::empty(), 0, u64::try_from(size).ok()?).ok()?;
    // SAFETY: a mapping is undefined only when its bytes change while they are borrowed, or when its file shrinks. Nobody but the
    // display server has the file; it writes only when this process asks for pixels, which takes `&mut X11` while what is borrowed
    // lives under `&X11`; and it never resizes a segment.
    let memory = unsafe { MmapOptions::new().len(size).map(&file) }.ok()?;
    Some((file, memory))
}
