//! Waits until a file is there and complete.

use std::time::{Duration, Instant, SystemTime};

use spec::artifact::{Event, FILE_ANY_AGE, FILE_NEWER};

use crate::backends::gui_macro::seen::{Seen, look};
use crate::backends::gui_macro::watch::Watch;
use crate::desktop::Lifeline;
use crate::edit::file::expand;
use crate::failure::{Failure, FailureKind};
use crate::stop::Stop;

/// What is waited for.
#[derive(Clone, Copy, Debug)]
pub struct FileWait<'a> {
    /// The path.
    pub path: &'a str,
    /// How long the file must have stayed the same; nothing: it only has to be there.
    pub stable: Duration,
    /// Whether a file that is still as it was `before` does not count.
    pub newer: bool,
    /// Whether a file that is still as it was `before` is worth a remark.
    pub remark: bool,
    /// What was at the path when the replay began.
    pub before: &'a Seen,
}

impl<'a> FileWait<'a> {
    /// What an event of a replay waits for, at whose begin `before` was at the path.
    pub fn of(event: &Event, path: &'a str, before: &'a Seen) -> Self {
        Self {
            path,
            stable: Duration::from_millis(event.value.into()),
            newer: event.modifiers & FILE_NEWER != 0,
            remark: event.modifiers & (FILE_NEWER | FILE_ANY_AGE) == 0,
            before,
        }
    }
}

/// Waits up to `limit` for a file. What is worth a remark comes back with the success.
///
/// # Errors
/// `limit` or `stop` came first: what there was instead. The display has ended, on which the replay that waits goes on.
pub fn wait_file(
    wait: &FileWait<'_>,
    limit: Duration,
    stop: &Stop<'_>,
    display: Lifeline<'_>,
) -> Result<Option<String>, Failure> {
    let nearer = stop.at_most(limit);
    let path = expand(wait.path).map_err(|error| Failure::new(FailureKind::BadArgument, error.to_string()))?;
    let mut watch = Watch::default();
    let mut history = History { seen: Seen::Absent, since: Instant::now(), grew: false };
    loop {
        watch.listen(&path);
        history.add(look(&path));
        let again = match history.verdict(wait) {
            Verdict::Done => return Ok(remark(wait, &history.seen)),
            Verdict::Wait(again) => again,
        };
        if nearer.asked() {
            return Err(failure(wait, &history, &nearer, stop));
        }
        watch.wait(again, &nearer, display);
        display.check()?;
    }
}

struct History {
    seen: Seen,
    since: Instant,
    /// Whether the file was seen to change.
    grew: bool,
}

enum Verdict {
    Done,
    /// Not yet; it may be so after this time without any change.
    Wait(Option<Duration>),
}

impl History {
    fn add(&mut self, seen: Seen) {
        if seen != self.seen {
            self.grew = matches!((&self.seen, &seen), (Seen::File { .. }, Seen::File { .. }));
            (self.seen, self.since) = (seen, Instant::now());
        }
    }

    fn verdict(&self, wait: &FileWait<'_>) -> Verdict {
        let Seen::File { size, changed, .. } = &self.seen else { return Verdict::Wait(None) };
        if wait.newer && self.seen == *wait.before {
            return Verdict::Wait(None);
        }
        if wait.stable.is_zero() {
            return Verdict::Done;
        }
        if *size == 0 {
            return Verdict::Wait(None);
        }
        // A clock that was set back must not make an old file wait for ever.
        let age = SystemTime::now().duration_since(*changed).unwrap_or_default().max(self.since.elapsed());
        match wait.stable.checked_sub(age) {
            None | Some(Duration::ZERO) => Verdict::Done,
            Some(left) => Verdict::Wait(Some(left)),
        }
    }
}

fn remark(wait: &FileWait<'_>, seen: &Seen) -> Option<String> {
    (wait.remark && seen == wait.before).then(|| {
        format!(
            "the file `{}` was there before the replay began and has not changed since; write `newer_than_start: true` to wait for a new one, or \
             `false` when this is meant",
            wait.path
        )
    })
}

fn failure(wait: &FileWait<'_>, history: &History, nearer: &Stop<'_>, stop: &Stop<'_>) -> Failure {
    let state = match &history.seen {
        Seen::Absent => "does not exist".to_owned(),
        Seen::Directory => "exists but is a directory".to_owned(),
        Seen::Special => "exists but is no regular file".to_owned(),
        Seen::Unknown(reason) => format!("cannot be looked at: {reason}"),
        seen @ Seen::File { .. } if wait.newer && seen == wait.before => {
            "exists but is older than the replay".to_owned()
        }
        Seen::File { size: 0, .. } => "exists but is empty".to_owned(),
        Seen::File { size, .. } if history.grew => format!("exists but is still growing; it has {size} bytes"),
        Seen::File { .. } => format!("exists but changed less than {} ms ago", wait.stable.as_millis()),
    };
    nearer.expired(stop, Failure::step(format!("waiting for the file `{}`, which {state}", wait.path)))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::path::Path;
    use std::thread;
    use std::time::Duration;

    use crate::backends::gui_macro::seen::{Seen, look};
    use crate::backends::gui_macro::wait_file::{FileWait, wait_file};
    use crate::desktop::Lifeline;
    use crate::failure::FailureKind;
    use crate::process::Interrupt;
    use crate::stop::Stop;

    fn wait(path: &Path, stable_ms: u64) -> FileWait<'_> {
        let path = path.to_str().unwrap();
        FileWait { path, stable: Duration::from_millis(stable_ms), newer: false, remark: true, before: &Seen::Absent }
    }

    fn within(limit_ms: u64, wait: &FileWait<'_>) -> Result<Option<String>, String> {
        let interrupt = Interrupt::new().unwrap();
        let stop = Stop::within(Duration::from_secs(600), &interrupt);
        wait_file(wait, Duration::from_millis(limit_ms), &stop, Lifeline::default()).map_err(|failure| {
            assert_eq!(failure.kind, FailureKind::Step);
            failure.message
        })
    }

    #[test]
    fn a_file_that_is_being_written_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let wanted = wait(&path, 400);
        let writer = path.clone();
        let thread = thread::spawn(move || {
            let mut file = fs::File::create(writer).unwrap();
            for _ in 0..20 {
                thread::sleep(Duration::from_millis(20));
                file.write_all(&[b'x'; 100]).unwrap();
            }
        });
        assert_eq!(within(60_000, &wanted), Ok(None));
        assert_eq!(fs::metadata(&path).unwrap().len(), 2000);
        thread.join().unwrap();
    }

    #[test]
    fn a_file_that_appears_by_a_rename_counts() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("out"), folder.path().join("other"));
        fs::write(&other, "x").unwrap();
        let wanted = FileWait { newer: true, ..wait(&path, 0) };
        let to = path.clone();
        let thread = thread::spawn(move || {
            thread::sleep(Duration::from_millis(50));
            fs::rename(other, to).unwrap();
        });
        assert_eq!(within(60_000, &wanted), Ok(None));
        thread.join().unwrap();
    }

    #[test]
    fn what_is_not_enough_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let told = |wanted: &FileWait<'_>, words: &str| {
            let message = within(60, wanted).unwrap_err();
            assert!(message.starts_with("timed out after 60 ms: waiting for the file `/"), "{message}");
            assert!(message.ends_with(words), "{message}");
        };
        told(&wait(&path, 10), "which does not exist");
        told(&wait(&path.join("x"), 10), "which does not exist");
        fs::create_dir(&path).unwrap();
        told(&wait(&path, 10), "which exists but is a directory");
        told(&wait(&path, 0), "which exists but is a directory");
        fs::remove_dir(&path).unwrap();
        fs::write(&path, "").unwrap();
        told(&wait(&path, 10), "which exists but is empty");
        assert!(within(60, &wait(&path, 0)).is_ok());
        fs::write(&path, "x").unwrap();
        told(&wait(&path, 60_000), "which exists but changed less than 60000 ms ago");
        let before = look(&path);
        told(
            &FileWait { newer: true, before: &before, ..wait(&path, 10) },
            "which exists but is older than the replay",
        );
        fs::write(&path, "xy").unwrap();
        assert!(within(60_000, &FileWait { newer: true, before: &before, ..wait(&path, 10) }).is_ok());
    }

    #[test]
    fn the_end_of_the_step_is_a_timeout() {
        let interrupt = Interrupt::new().unwrap();
        let stop = Stop::within(Duration::from_millis(20), &interrupt);
        let failure =
            wait_file(&wait(Path::new("/nowhere/x"), 10), Duration::from_secs(60), &stop, Lifeline::default())
                .unwrap_err();
        assert_eq!(failure.kind, FailureKind::Timeout);
        assert_eq!(failure.message, "waiting for the file `/nowhere/x`, which does not exist");
    }

    #[test]
    fn a_file_from_before_counts_with_a_remark() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        fs::write(&path, "x").unwrap();
        let before = look(&path);
        let wanted = FileWait { before: &before, ..wait(&path, 10) };
        assert!(within(60_000, &wanted).unwrap().unwrap().contains("was there before the replay began"));
        assert_eq!(within(60_000, &FileWait { remark: false, ..wanted }), Ok(None));
    }

    #[test]
    fn a_file_that_grows_all_the_time_is_said_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let mut file = fs::File::create(&path).unwrap();
        let thread = thread::spawn(move || {
            for _ in 0..60 {
                file.write_all(b"x").unwrap();
                thread::sleep(Duration::from_millis(10));
            }
        });
        let message = within(400, &wait(&path, 5_000)).unwrap_err();
        thread.join().unwrap();
        assert!(message.contains("which exists but is still growing; it has "), "{message}");
    }
}
