//! Pieces of work on all cores, as long as nobody gives up.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// In how many pieces to cut the rows of a search: enough that the cores end together, and the same for any number of cores, as the
/// best place of each piece is looked at.
const PIECES: usize = 16;
/// More threads than this gain nothing on one screen: memory is the limit.
const MOST_THREADS: usize = 8;

/// The search was given up before it had a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search was given up")]
pub struct GaveUp;

/// How many cores a search may use, and whether it was given up.
pub(crate) struct Workers<'a> {
    threads: usize,
    give_up: &'a (dyn Fn() -> bool + Sync),
    stop: AtomicBool,
}

impl<'a> Workers<'a> {
    /// All cores, or at most `limit` of them.
    pub(crate) fn new(limit: Option<usize>, give_up: &'a (dyn Fn() -> bool + Sync)) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self { threads: limit.unwrap_or(cores).clamp(1, MOST_THREADS), give_up, stop: AtomicBool::new(false) }
    }

    /// Whether the search is to end; once it is, it stays so. Work that takes longer than a fraction of a millisecond asks in between.
    pub(crate) fn asked(&self) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return true;
        }
        let asked = (self.give_up)();
        if asked {
            self.stop.store(true, Ordering::Relaxed);
        }
        asked
    }

    /// Fails when the search is to end.
    pub(crate) fn check(&self) -> Result<(), GaveUp> {
        if self.asked() { Err(GaveUp) } else { Ok(()) }
    }

    /// Does `work` for every piece, on this thread alone when there is little to do, as starting another would take longer. The results
    /// come in no certain order. Between pieces it is asked whether to end.
    pub(crate) fn each<I: Send, T: Send>(
        &self,
        small: bool,
        pieces: impl Iterator<Item = I> + Send,
        work: impl Fn(I) -> T + Sync,
    ) -> Result<Vec<T>, GaveUp> {
        let pieces = Mutex::new(pieces);
        let share = || {
            let mut done = Vec::new();
            while !self.asked() {
                let piece = pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(piece) = piece else { break };
                done.push(work(piece));
            }
            done
        };
        let all = if small || self.threads == 1 {
            share()
        } else {
            thread::scope(|scope| {
                // A thread that cannot be started only leaves more for the others.
                let start = |_| thread::Builder::new().spawn_scoped(scope, share).ok();
                let others: Vec<_> = (1..self.threads).filter_map(start).collect();
                let mut all = share();
                for other in others {
                    match other.join() {
                        Ok(done) => all.extend(done),
                        Err(panic) => std::panic::resume_unwind(panic),
                    }
                }
                all
            })
        };
        if self.stop.load(Ordering::Relaxed) { Err(GaveUp) } else { Ok(all) }
    }
}

/// Cuts rows in pieces.
pub(crate) fn pieces(rows: usize) -> impl Iterator<Item = Range<usize>> {
    let step = rows.div_ceil(PIECES).max(1);
    (0..rows).step_by(step).map(move |begin| begin..rows.min(begin + step))
}
