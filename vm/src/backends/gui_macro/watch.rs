//! Wakes when something may have happened to a file: by file events where the system has them, and now and then anyway, for file systems
//! whose changes are made elsewhere.

use std::path::Path;
use std::time::Duration;

use crate::desktop::Lifeline;
use crate::process::Deadline;
use crate::stop::Stop;

/// The longest sleep between two looks where file events come.
const PATIENCE: Duration = Duration::from_millis(250);
/// The longest sleep between two looks where none come.
const POLL: Duration = Duration::from_millis(20);

/// Wakes for one path.
#[derive(Debug, Default)]
pub struct Watch {
    #[cfg(target_os = "linux")]
    events: Option<linux::Events>,
}

impl Watch {
    /// Listens from now on; the file need not be there. It is called again before every look: what there is to listen to changes with the file.
    pub fn listen(&mut self, path: &Path) {
        #[cfg(target_os = "linux")]
        {
            self.events = match self.events.take() {
                Some(mut events) => events.listen(path).then_some(events),
                None => linux::Events::new().and_then(|mut events| events.listen(path).then_some(events)),
            };
        }
        #[cfg(not(target_os = "linux"))]
        let _ = path;
    }

    /// Sleeps until something may have happened, or the display has ended, but no longer than `at_most` and `stop` allow.
    pub fn wait(&mut self, at_most: Option<Duration>, stop: &Stop<'_>, display: Lifeline<'_>) {
        #[cfg(target_os = "linux")]
        if let Some(events) = &mut self.events {
            let until = Deadline::after(at_most.map_or(PATIENCE, |at_most| at_most.min(PATIENCE)));
            return events.wait(until.min(stop.deadline()), stop.interrupt(), display);
        }
        let until = Deadline::after(at_most.map_or(POLL, |at_most| at_most.min(POLL)));
        // Whoever waits looks for the end of the display.
        let _ = display.sleep(until.min(stop.deadline()), stop.interrupt());
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::{OsStr, OsString};
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fs::inotify::{self, CreateFlags, Reader, WatchFlags};
    use rustix::io::Errno;

    use crate::desktop::Lifeline;
    use crate::process::{Deadline, Interrupt};

    /// File events of one path.
    #[derive(Debug)]
    pub struct Events {
        fd: OwnedFd,
        /// The nearest folder that is there, and what of the path is in it.
        folder: Option<(i32, OsString)>,
    }

    impl Events {
        /// `None` where the system gives none, for instance when too many are in use.
        pub fn new() -> Option<Self> {
            let fd = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok()?;
            Some(Self { fd, folder: None })
        }

        /// Listens to the nearest folder of `path` that is there, and to the file a link leads to. Whether that can be done.
        pub fn listen(&mut self, path: &Path) -> bool {
            let changes = WatchFlags::MODIFY | WatchFlags::CLOSE_WRITE | WatchFlags::ATTRIB;
            let inside = changes
                | WatchFlags::CREATE
                | WatchFlags::DELETE
                | WatchFlags::MOVED_TO
                | WatchFlags::MOVED_FROM
                | WatchFlags::DELETE_SELF
                | WatchFlags::MOVE_SELF;
            // A folder is listened to already.
            let _ = inotify::add_watch(&self.fd, path, changes | WatchFlags::MASK_ADD);
            let mut below = path;
            self.folder = None;
            for folder in path.ancestors().skip(1) {
                let name = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
                match inotify::add_watch(&self.fd, name, inside | WatchFlags::ONLYDIR) {
                    Ok(id) => {
                        self.folder = Some((id, below.file_name().unwrap_or_default().to_owned()));
                        return true;
                    }
                    Err(Errno::NOENT | Errno::NOTDIR) => below = folder,
                    Err(_) => return false,
                }
            }
            false
        }

        /// Sleeps until an event concerns the path, or the display has ended.
        pub fn wait(&mut self, until: Deadline, interrupt: &Interrupt, display: Lifeline<'_>) {
            loop {
                if interrupt.raised().is_some() || self.read() || until.is_past() {
                    return;
                }
                let timeout = until.remaining().and_then(|left| Timespec::try_from(left).ok());
                let mut fds = vec![PollFd::new(&self.fd, PollFlags::IN), PollFd::new(interrupt, PollFlags::IN)];
                fds.extend(display.connection().map(|connection| PollFd::from_borrowed_fd(connection, Lifeline::CUT)));
                match poll(&mut fds, timeout.as_ref()) {
                    Ok(_) if fds.get(2).is_some_and(|connection| !connection.revents().is_empty()) => return,
                    Ok(_) if !fds[1].revents().is_empty() => {
                        interrupt.confirm();
                    }
                    Ok(_) | Err(Errno::INTR) => {}
                    Err(_) => return,
                }
            }
        }

        /// Reads all events there are; whether one concerns the path.
        fn read(&mut self) -> bool {
            let mut space = [MaybeUninit::uninit(); 4096];
            let mut reader = Reader::new(&self.fd, &mut space);
            let mut concerned = false;
            while let Ok(event) = reader.next() {
                let name = event.file_name().map(|name| OsStr::from_bytes(name.to_bytes()));
                let other = match (&self.folder, name) {
                    (Some((id, own)), Some(name)) => event.wd() == *id && name != own,
                    (Some(_) | None, _) => false,
                };
                concerned |= !other;
            }
            concerned
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use crate::backends::gui_macro::watch::Watch;
    use crate::desktop::Lifeline;
    use crate::process::Interrupt;
    use crate::stop::Stop;

    #[test]
    fn wakes_for_its_own_file_wherever_its_path_begins() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        let interrupt = Interrupt::new().unwrap();
        let stop = Stop::within(Duration::from_secs(60), &interrupt);
        let mut watch = Watch::default();
        let mut acts: Vec<Box<dyn Fn()>> = Vec::new();
        let file = path.clone();
        acts.push(Box::new(move || std::fs::create_dir(file.parent().unwrap()).unwrap()));
        let file = path.clone();
        acts.push(Box::new(move || std::fs::write(&file, "x").unwrap()));
        let file = path.clone();
        acts.push(Box::new(move || std::fs::write(&file, "xy").unwrap()));
        for act in acts {
            watch.listen(&path);
            act();
            // It may look too often, but must not sleep through this.
            let began = Instant::now();
            watch.wait(Some(Duration::from_secs(60)), &stop, Lifeline::default());
            assert!(began.elapsed() < Duration::from_secs(30));
        }
    }

    #[test]
    fn a_signal_ends_it() {
        let interrupt = Interrupt::new().unwrap();
        let stop = Stop::within(Duration::from_secs(60), &interrupt);
        let mut watch = Watch::default();
        watch.listen(std::path::Path::new("/nowhere/at/all"));
        interrupt.raise(2);
        watch.wait(None, &stop, Lifeline::default());
        assert!(stop.asked());
    }
}
