//! Bytes from one open file to another, as fast as the system can.

use std::fs::File;
use std::io::{self, Read, Write};

use crate::edit::Cancelled;

/// Between two looks at the clock.
const CHUNK: usize = 8 << 20;

/// Copies `src`, whose length is `length`, to the empty `dst`; returns how many bytes, `None` when cancelled.
///
/// On Linux blocks are shared where the file system can, holes stay holes, and the kernel copies the rest.
pub(crate) fn transfer(src: &File, dst: &File, length: u64, cancelled: Cancelled<'_>) -> io::Result<Option<u64>> {
    #[cfg(target_os = "linux")]
    // A length of zero is what `/proc` says of every file.
    if length > 0 {
        return linux::transfer(src, dst, length, cancelled);
    }
    let _ = length;
    stream(src, dst, cancelled)
}

fn stream(src: &File, mut dst: &File, cancelled: Cancelled<'_>) -> io::Result<Option<u64>> {
    let mut total = 0;
    loop {
        if cancelled() {
            return Ok(None);
        }
        let count = io::copy(&mut src.take(CHUNK as u64), &mut dst)?;
        if count == 0 {
            dst.flush()?;
            return Ok(Some(total));
        }
        total += count;
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::FileExt;

    use rustix::fs::SeekFrom;
    use rustix::io::Errno;

    use crate::edit::Cancelled;
    use crate::edit::file::transfer::CHUNK;

    pub(super) fn transfer(src: &File, dst: &File, length: u64, cancelled: Cancelled<'_>) -> io::Result<Option<u64>> {
        if rustix::fs::ioctl_ficlone(dst, src).is_ok() {
            return Ok(Some(dst.metadata()?.len()));
        }
        dst.set_len(length)?;
        let mut in_kernel = true;
        let mut at = 0;
        while at < length {
            let (start, end) = match data(src, at, length) {
                Some(range) => range,
                None => break,
            };
            at = start;
            while at < end {
                if cancelled() {
                    return Ok(None);
                }
                let count = usize::try_from(end - at).unwrap_or(CHUNK).min(CHUNK);
                let copied = if in_kernel { kernel(src, dst, at, count)? } else { Some(by_hand(src, dst, at, count)?) };
                match copied {
                    // Shorter than it was.
                    Some(0) if !in_kernel => {
                        dst.set_len(at)?;
                        return Ok(Some(at));
                    }
                    None | Some(0) => in_kernel = false,
                    Some(count) => at += count as u64,
                }
            }
        }
        Ok(Some(length))
    }

    /// The next range of data at or after `at`; `None` when only a hole follows.
    fn data(src: &File, at: u64, length: u64) -> Option<(u64, u64)> {
        match rustix::fs::seek(src, SeekFrom::Data(at)) {
            Ok(start) if start >= length => None,
            Ok(start) => {
                let end = rustix::fs::seek(src, SeekFrom::Hole(start)).unwrap_or(length);
                // A hole that has just opened here must not stop the walk.
                Some((start, end.clamp(start + 1, length)))
            }
            Err(Errno::NXIO) => None,
            // No holes on this file system.
            Err(_) => Some((at, length)),
        }
    }

    /// `None` when the kernel cannot copy between these two files.
    fn kernel(src: &File, dst: &File, at: u64, count: usize) -> io::Result<Option<usize>> {
        let (mut from, mut to) = (at, at);
        match rustix::fs::copy_file_range(src, Some(&mut from), dst, Some(&mut to), count) {
            Ok(count) => Ok(Some(count)),
            Err(Errno::INTR) => Ok(Some(0)),
            Err(full @ (Errno::NOSPC | Errno::DQUOT | Errno::FBIG)) => Err(full.into()),
            Err(_) => Ok(None),
        }
    }

    fn by_hand(src: &File, dst: &File, at: u64, count: usize) -> io::Result<usize> {
        let mut buffer = vec![0; count.min(1 << 20)];
        let count = src.read_at(&mut buffer, at)?;
        dst.write_all_at(&buffer[..count], at)?;
        Ok(count)
    }
}
