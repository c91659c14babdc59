//! A progress bar for work that takes long, on a terminal only.

use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::print::screen::Screen;

/// Work that takes no longer is not worth a bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// How far some work is.
pub struct Progress {
    total: u64,
    done: AtomicU64,
    began: Instant,
    wanted: bool,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// The progress of `total` steps.
    pub fn new(screen: &Screen, total: usize) -> Progress {
        let wanted = !screen.quiet && !screen.json && io::stderr().is_terminal();
        let (total, done) = (total as u64, AtomicU64::new(0));
        Progress { total, done, began: Instant::now(), wanted, bar: OnceLock::new() }
    }

    /// The progress of work that is never worth a bar.
    pub fn hidden() -> Progress {
        Progress { total: 0, done: AtomicU64::new(0), began: Instant::now(), wanted: false, bar: OnceLock::new() }
    }

    /// One step is done.
    pub fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.wanted && (self.bar.get().is_some() || self.began.elapsed() > PATIENCE) {
            self.bar.get_or_init(|| bar(self.total)).set_position(done);
        }
    }

    /// Takes the bar away and tells how long it took.
    pub fn finish(&self) -> Duration {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
        self.began.elapsed()
    }
}

fn bar(total: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed}");
    let bar = ProgressBar::new(total);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
