//! One event loop for the questions of a step: it runs on this thread, while somebody waits for an answer.

use std::io;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use crate::failure::Failure;
use crate::process::Interrupt;
use crate::stop::Stop;

/// Time between two looks at the interrupt.
const LOOK: Duration = Duration::from_millis(20);

/// The event loop.
#[derive(Debug)]
pub struct Loop(Option<Runtime>);

impl Loop {
    /// Makes one.
    ///
    /// # Errors
    /// The system has no descriptor left.
    pub fn new() -> io::Result<Self> {
        Ok(Self(Some(Builder::new_current_thread().enable_all().build()?)))
    }

    /// Runs `work` until it is done, the deadline passes or the interrupt is raised.
    ///
    /// # Errors
    /// What [`Stop`] says, when that came first.
    pub fn run<T>(&self, stop: &Stop<'_>, work: impl Future<Output = T>) -> Result<T, Failure> {
        // There is one until this is dropped.
        let Some(runtime) = &self.0 else { return Err(stop.failure()) };
        runtime.block_on(async {
            tokio::select! {
                biased;
                () = raised(stop.interrupt()) => Err(stop.failure()),
                done = work => Ok(done),
                () = past(stop) => Err(stop.failure()),
            }
        })
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        // A question for the address of a host may still be open on a thread; nobody waits for that.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

async fn past(stop: &Stop<'_>) {
    match stop.deadline().instant() {
        Some(instant) => tokio::time::sleep_until(instant.into()).await,
        None => std::future::pending().await,
    }
}

/// Returns when the interrupt is raised. It is looked at fifty times a second, which beside a model's answer costs nothing.
async fn raised(interrupt: &Interrupt) {
    while interrupt.raised().is_none() {
        tokio::time::sleep(LOOK).await;
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::time::{Duration, Instant};

    use crate::failure::FailureKind;
    use crate::model::wait::Loop;
    use crate::process::Interrupt;
    use crate::stop::Stop;

    #[test]
    fn a_wait_ends_with_its_work_its_time_or_a_signal() {
        let interrupt = Interrupt::new().unwrap();
        let events = Loop::new().unwrap();
        let long = Stop::within(Duration::from_secs(60), &interrupt);
        assert_eq!(events.run(&long, async { 7 }), Ok(7));
        let short = Stop::within(Duration::from_millis(20), &interrupt);
        assert_eq!(events.run(&short, pending::<()>()).unwrap_err().kind, FailureKind::Timeout);
        let other = interrupt.clone();
        let began = Instant::now();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            other.raise(2);
        });
        assert_eq!(events.run(&long, pending::<()>()).unwrap_err().kind, FailureKind::Interrupted(2));
        assert!(began.elapsed() < Duration::from_secs(30));
        thread.join().unwrap();
        assert_eq!(events.run(&long, async { 7 }).unwrap_err().kind, FailureKind::Interrupted(2));
    }
}
