//! Waits for programs that were started and left alone, so that none stays behind as a zombie.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::process::Child;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use rustix::event::{PollFd, PollFlags, poll};

/// Takes over started programs and collects each as soon as it ends. Clones share the work.
///
/// One thread sleeps for all of them; it begins with the first program. When the last handle is gone it ends with the last
/// program. It stops no program.
#[derive(Clone, Debug, Default)]
pub struct Reaper(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    line: Mutex<Option<Line>>,
    alive: Arc<AtomicUsize>,
}

/// The way to the thread: it looks for new wards when a byte arrives.
#[derive(Debug)]
struct Line {
    wards: Sender<Ward>,
    bell: PipeWriter,
}

#[derive(Debug)]
struct Ward {
    child: Child,
    exit: OwnedFd,
}

impl Reaper {
    /// How many of the programs have not ended yet.
    pub fn alive(&self) -> usize {
        self.0.alive.load(Ordering::SeqCst)
    }

    /// Takes over a child; `exit` becomes readable when it ends.
    pub(crate) fn adopt(&self, child: Child, exit: OwnedFd) -> io::Result<()> {
        let mut line = self.line();
        let open = match line.take() {
            Some(open) => open,
            None => self.open()?,
        };
        self.0.alive.fetch_add(1, Ordering::SeqCst);
        if let Err(error) = open.wards.send(Ward { child, exit }) {
            // The thread gave up; the next child gets a new one.
            self.0.alive.fetch_sub(1, Ordering::SeqCst);
            return Err(io::Error::other(error.to_string()));
        }
        let rung = (&open.bell).write_all(&[0]);
        *line = Some(open);
        rung
    }

    fn open(&self) -> io::Result<Line> {
        let (door, bell) = io::pipe()?;
        let (wards, incoming) = channel();
        let alive = Arc::clone(&self.0.alive);
        let thread = thread::Builder::new().name("reaper".to_owned()).stack_size(128 << 10);
        thread.spawn(move || watch_over(&incoming, door, &alive))?;
        Ok(Line { wards, bell })
    }

    fn line(&self) -> MutexGuard<'_, Option<Line>> {
        self.0.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn watch_over(incoming: &Receiver<Ward>, door: PipeReader, alive: &AtomicUsize) {
    let mut wards: Vec<Ward> = Vec::new();
    let mut door = Some(door);
    while door.is_some() || !wards.is_empty() {
        let mut fds: Vec<PollFd<'_>> = wards.iter().map(|ward| PollFd::new(&ward.exit, PollFlags::IN)).collect();
        if let Some(door) = &door {
            fds.push(PollFd::from_borrowed_fd(door.as_fd(), PollFlags::IN));
        }
        match poll(&mut fds, None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            // Nothing can be waited for any more, for lack of memory; what is left ends with this process.
            Err(_) => return,
        }
        let rang = door.is_some() && fds.last().is_some_and(|fd| !fd.revents().is_empty());
        drop(fds);
        if rang && let Some(pipe) = &mut door {
            let last_handle_gone = matches!(pipe.read(&mut [0; 64]), Ok(0));
            if last_handle_gone {
                door = None;
            }
            wards.extend(incoming.try_iter());
        }
        wards.retain_mut(|ward| {
            let ended = !matches!(ward.child.try_wait(), Ok(None));
            if ended {
                alive.fetch_sub(1, Ordering::SeqCst);
            }
            !ended
        });
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use rustix::process::Pid;

    use crate::process::reaper::Reaper;
    use crate::process::testing::{Killed, eventually, is_alive, state};
    use crate::process::watch::watch;

    fn adopted(reaper: &Reaper, seconds: &str) -> u32 {
        let child = Command::new("sleep").arg(seconds).spawn().unwrap();
        let pid = child.id();
        let exit = watch(Pid::from_child(&child)).unwrap();
        reaper.adopt(child, exit).unwrap();
        pid
    }

    #[test]
    fn each_child_is_collected_when_it_ends() {
        let reaper = Reaper::default();
        let long = Killed(adopted(&reaper, "600"));
        let short: Vec<u32> = (0..3).map(|_| adopted(&reaper, "0.05")).collect();
        eventually("the short ones are collected", || short.iter().all(|pid| state(*pid).is_none()));
        eventually("one is left", || reaper.alive() == 1);
        assert!(is_alive(long.0));
        drop(Killed(long.0));
        eventually("none is left", || reaper.alive() == 0);
    }

    #[test]
    fn children_are_collected_after_the_last_handle_is_gone() {
        let reaper = Reaper::default();
        let pid = adopted(&reaper, "0.2");
        drop(reaper);
        eventually("it is collected", || state(pid).is_none());
    }
}
