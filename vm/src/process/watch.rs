//! A descriptor that becomes readable when a child has ended.

use std::io;
use std::os::fd::OwnedFd;
use std::thread;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

/// Watches a child of ours that was not waited for. The child stays a child: it must still be waited for.
pub(crate) fn watch(pid: Pid) -> io::Result<OwnedFd> {
    #[cfg(target_os = "linux")]
    {
        use rustix::io::Errno;
        use rustix::process::{PidfdFlags, pidfd_open};
        match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(fd) => return Ok(fd),
            // Kernels before 5.3 lack the call and some sandboxes forbid it.
            Err(Errno::NOSYS | Errno::PERM) => {}
            Err(error) => return Err(error.into()),
        }
    }
    by_thread(pid)
}

/// The same with a thread that closes a pipe, for systems without process descriptors.
fn by_thread(pid: Pid) -> io::Result<OwnedFd> {
    let (reader, writer) = io::pipe()?;
    let wait = move || {
        let wanted = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(pid), wanted), Err(rustix::io::Errno::INTR)) {}
        drop(writer);
    };
    thread::Builder::new().name("child watch".to_owned()).stack_size(64 << 10).spawn(wait)?;
    Ok(reader.into())
}

#[cfg(test)]
mod tests {
    use std::os::fd::OwnedFd;
    use std::process::Command;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::Pid;

    use crate::process::watch::{by_thread, watch};

    fn ready(fd: &OwnedFd, seconds: i64) -> bool {
        poll(&mut [PollFd::new(fd, PollFlags::IN)], Some(&Timespec { tv_sec: seconds, tv_nsec: 0 })).unwrap() > 0
    }

    #[test]
    fn both_ways_tell_the_end_and_leave_the_status() {
        for way in [watch, by_thread] {
            let mut child = Command::new("sleep").arg("600").spawn().unwrap();
            let fd = way(Pid::from_child(&child)).unwrap();
            assert!(!ready(&fd, 0));
            child.kill().unwrap();
            assert!(ready(&fd, 60));
            assert_eq!(child.wait().unwrap().code(), None);
        }
    }
}
