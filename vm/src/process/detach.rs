//! A program in a session of its own.
#![allow(unsafe_code)]

use std::os::unix::process::CommandExt;
use std::process::Command;

/// Makes the program the leader of a new session: it has no terminal, and no signal to our session or group reaches it.
pub(crate) fn in_own_session(command: &mut Command) {
    // SAFETY: the closure runs between fork and exec, where only calls that are safe in a signal handler are allowed; it
    // makes one system call and touches neither locks nor the heap.
    unsafe {
        command.pre_exec(|| {
            rustix::process::setsid()?;
            Ok(())
        })
    };
}
