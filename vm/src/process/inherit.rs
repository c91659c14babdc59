//! What a program inherits from us: no descriptor but 0 to 2, no blocked signal.
//!
//! These are the calls that no safe interface offers. Signals that we handle are back at their default in a new program,
//! and the standard library does the same for SIGPIPE; a signal that our own caller had ignored stays ignored, as `nohup`
//! wants it.
#![allow(unsafe_code)]

use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::process::{Child, Command};
use std::ptr;
use std::sync::Once;

use libc::c_int;

/// Starts a program. It inherits only what the command names as its input and outputs, and an empty signal mask.
pub(crate) fn spawn(command: &mut Command) -> io::Result<Child> {
    keep_exit_statuses();
    close_on_exec();
    let _mask = Unblocked::new();
    command.spawn()
}

/// Whether this process ignores a signal.
pub(crate) fn is_ignored(signal: c_int) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: the first pointer is null, so nothing changes; the second is valid for one `sigaction`, which the call fills
    // when it returns 0.
    unsafe {
        libc::sigaction(signal, ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

/// A caller that ignores SIGCHLD passes that on, and then the system throws away the exit status of our children.
fn keep_exit_statuses() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if is_ignored(libc::SIGCHLD) {
            // SAFETY: the default action runs no code of ours.
            unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
        }
    });
}

/// Marks every descriptor above 2 so that it ends at the border to a new program. Descriptors that we opened are marked
/// already; this is for those that our caller or a foreign library left open.
fn close_on_exec() {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        // SAFETY: the call takes three integers and only sets a flag of descriptors, for which it closes none.
        let done = unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
        if done == 0 {
            return;
        }
    }
    mark_each();
}

/// The same one by one, for systems without that call.
fn mark_each() {
    let Ok(folder) = fs::read_dir("/dev/fd") else { return };
    let open: Vec<c_int> = folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for fd in open.into_iter().filter(|fd| *fd > 2) {
        // SAFETY: `fcntl` with these two commands takes integers; on a descriptor that is closed by now it only fails.
        unsafe {
            let flags = libc::fcntl(fd, libc::F_GETFD);
            if flags >= 0 {
                libc::fcntl(fd, libc::F_SETFD, flags | libc::FD_CLOEXEC);
            }
        }
    }
}

/// While it lives, this thread blocks no signal: a new program starts with the mask of the thread that starts it.
struct Unblocked(Option<libc::sigset_t>);

impl Unblocked {
    fn new() -> Self {
        let mut none = MaybeUninit::<libc::sigset_t>::uninit();
        let mut before = MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: both pointers are valid for one set; the first call fills `none`, the second fills `before` when it
        // returns 0, and only then is it read.
        unsafe {
            libc::sigemptyset(none.as_mut_ptr());
            let done = libc::pthread_sigmask(libc::SIG_SETMASK, none.as_ptr(), before.as_mut_ptr());
            Self((done == 0).then(|| before.assume_init()))
        }
    }
}

impl Drop for Unblocked {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            // SAFETY: the set was filled by the system; the last pointer may be null.
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before, ptr::null_mut()) };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::mem::MaybeUninit;
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
    use std::process::{Command, Stdio};
    use std::{fs, ptr};

    use crate::process::inherit::{Unblocked, is_ignored, mark_each, spawn};

    fn leaky() -> OwnedFd {
        let file = fs::File::open("/dev/null").unwrap();
        // SAFETY: `dup` returns a new descriptor that nobody else owns; it is made without the flag on purpose.
        unsafe { OwnedFd::from_raw_fd(libc::dup(file.as_raw_fd())) }
    }

    fn is_marked(fd: &OwnedFd) -> bool {
        // SAFETY: the command takes no argument.
        unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_GETFD) & libc::FD_CLOEXEC != 0 }
    }

    #[test]
    fn descriptors_without_the_flag_get_it() {
        let fd = leaky();
        spawn(Command::new("/bin/sh").args(["-c", ":"]).stdin(Stdio::null())).unwrap().wait().unwrap();
        assert!(is_marked(&fd));
        let fd = leaky();
        mark_each();
        assert!(is_marked(&fd));
    }

    #[test]
    fn the_mask_is_empty_only_meanwhile() {
        let mut set = MaybeUninit::<libc::sigset_t>::uninit();
        let blocked = || {
            let mut now = MaybeUninit::<libc::sigset_t>::uninit();
            // SAFETY: the first pointer is null, so nothing changes; the second is valid for one set.
            unsafe {
                libc::pthread_sigmask(libc::SIG_BLOCK, ptr::null(), now.as_mut_ptr());
                libc::sigismember(now.as_ptr(), libc::SIGUSR2) == 1
            }
        };
        // SAFETY: the set is filled before it is used; the mask is this test's own thread's.
        unsafe {
            libc::sigemptyset(set.as_mut_ptr());
            libc::sigaddset(set.as_mut_ptr(), libc::SIGUSR2);
            libc::pthread_sigmask(libc::SIG_BLOCK, set.as_ptr(), ptr::null_mut());
        }
        assert!(blocked());
        let guard = Unblocked::new();
        assert!(!blocked());
        drop(guard);
        assert!(blocked());
    }

    #[test]
    fn dispositions_are_read() {
        assert!(is_ignored(libc::SIGPIPE), "the runtime of Rust ignores it");
        assert!(!is_ignored(libc::SIGUSR2));
    }
}
