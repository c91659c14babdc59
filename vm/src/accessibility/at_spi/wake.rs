//! A signal, as something the event loop can wait for.

#![allow(unsafe_code)]

use std::os::fd::{AsFd, BorrowedFd};

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use crate::process::Interrupt;

/// Returns when the interrupt is raised.
pub async fn raised(interrupt: &Interrupt) {
    if interrupt.raised().is_some() {
        return;
    }
    let fd: BorrowedFd<'_> = interrupt.as_fd();
    // SAFETY: the descriptor belongs to the interrupt, which is borrowed for longer than the registration lives, and a `BorrowedFd`
    // answers with the same descriptor each time.
    let wake = unsafe { AsyncFd::register_with_interest(fd, Interest::READABLE) };
    // Without a place in the event loop, the deadline still ends the wait.
    let Ok(wake) = wake else { return std::future::pending().await };
    while let Ok(mut ready) = wake.readable().await {
        if interrupt.confirm().is_some() {
            return;
        }
        ready.clear_ready();
    }
}
