//! The process list of Linux, read from `/proc` without anything in between: three calls for each process.

use std::ffi::CStr;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{CWD, Mode, OFlags, RawDir, openat, readlinkat};
use rustix::io::{Errno, read};

/// The kernel keeps this many bytes of a name (`TASK_COMM_LEN` without its NUL).
const COMM_MAX: usize = 15;

/// Enough for the first words of a command line, of which each may be a long path.
const COMMAND_LINE: usize = 16 << 10;

/// Reports the processes of a name until `found` returns false.
pub(crate) fn scan(name: &str, mut found: impl FnMut(u32) -> bool) -> io::Result<()> {
    let proc = openat(CWD, c"/proc", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let mut buffer = [MaybeUninit::<u8>::uninit(); 16 << 10];
    let mut entries = RawDir::new(&proc, &mut buffer);
    let mut seen = false;
    let own = std::process::id();
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let Some(process) = Process::new(proc.as_fd(), entry.file_name()) else { continue };
        seen = true;
        if process.pid != own && process.has_name(name.as_bytes()) && process.is_alive() && !found(process.pid) {
            return Ok(());
        }
    }
    // There is always one process, this one.
    if seen { Ok(()) } else { Err(io::Error::new(io::ErrorKind::NotFound, "`/proc` shows no process, is it mounted?")) }
}

struct Process<'a> {
    proc: BorrowedFd<'a>,
    pid: u32,
    digits: &'a [u8],
}

impl<'a> Process<'a> {
    fn new(proc: BorrowedFd<'a>, entry: &'a CStr) -> Option<Self> {
        let digits = entry.to_bytes();
        if !digits.first()?.is_ascii_digit() {
            return None;
        }
        let pid = std::str::from_utf8(digits).ok()?.parse().ok()?;
        Some(Self { proc, pid, digits })
    }

    fn has_name(&self, name: &[u8]) -> bool {
        let mut buffer = [0; 64];
        // A process that ends while we look is simply not there; so also below.
        let Ok(length) = self.read(b"/comm\0", &mut buffer) else { return false };
        let comm = buffer[..length].strip_suffix(b"\n").unwrap_or(&buffer[..length]);
        if comm.len() < COMM_MAX || name.len() < COMM_MAX {
            return comm == name;
        }
        // From here on either may be the beginning of something longer.
        (comm == name || name[..COMM_MAX] == comm[..]) && self.full_name_is(name, comm)
    }

    /// Compares with the names that nothing cuts. When all of them are about another program (a thread of the kernel, a
    /// process that calls itself something else), the short name is the whole one.
    fn full_name_is(&self, name: &[u8], comm: &[u8]) -> bool {
        let mut longer = false;
        let mut same = false;
        let mut judge = |path: &[u8]| {
            let base = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
            same |= base == name;
            longer |= base.len() > comm.len() && base.starts_with(comm);
        };
        if let Ok(target) = readlinkat(self.proc, self.path(b"/exe\0").as_c_str(), Vec::new()) {
            let target = target.as_bytes();
            judge(target.strip_suffix(b" (deleted)").unwrap_or(target));
        }
        let mut line = vec![0; COMMAND_LINE];
        if let Ok(length) = self.read(b"/cmdline\0", &mut line) {
            // A script is the second word, after its interpreter, or the third, after one option.
            line[..length].split(|byte| *byte == 0).take(3).for_each(judge);
        }
        same || (!longer && comm == name)
    }

    /// Neither a zombie (`Z`) nor on the way out (`X`). The state follows the name, which is in parentheses and may hold any.
    fn is_alive(&self) -> bool {
        let mut buffer = [0; 128];
        let Ok(length) = self.read(b"/stat\0", &mut buffer) else { return false };
        let stat = &buffer[..length];
        let Some(end) = stat.iter().rposition(|byte| *byte == b')') else { return false };
        !matches!(stat.get(end + 2), None | Some(b'Z' | b'X' | b'x'))
    }

    fn read(&self, file: &[u8], buffer: &mut [u8]) -> Result<usize, Errno> {
        let fd: OwnedFd =
            openat(self.proc, self.path(file).as_c_str(), OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
        read(&fd, buffer)
    }

    fn path(&self, file: &[u8]) -> FilePath {
        FilePath::new(self.digits, file)
    }
}

/// A path like `123/comm`, without the heap.
struct FilePath([u8; 24]);

impl FilePath {
    fn new(digits: &[u8], file: &[u8]) -> Self {
        let mut bytes = [0; 24];
        bytes.iter_mut().zip(digits.iter().chain(file)).for_each(|(to, from)| *to = *from);
        Self(bytes)
    }

    fn as_c_str(&self) -> &CStr {
        // A number of a process has at most ten digits and a file at most nine bytes: there is always a NUL.
        CStr::from_bytes_until_nul(&self.0).unwrap_or(c"")
    }
}
