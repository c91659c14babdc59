//! The clock of a replay: events are due at absolute times, so that no error adds up.

use std::time::{Duration, Instant};

use crate::desktop::Lifeline;
use crate::failure::Failure;
use crate::process::Deadline;
use crate::stop::Stop;

/// How long before an event is due the thread stops sleeping and spins: a sleep ends up to this much too late.
const SPIN: Duration = Duration::from_micros(150);

/// A clock that can be started again.
#[derive(Debug)]
pub struct Clock<'a> {
    start: Instant,
    speed: f64,
    stop: &'a Stop<'a>,
    end: Option<Instant>,
}

impl<'a> Clock<'a> {
    /// A clock that starts now.
    pub fn start(speed: f64, stop: &'a Stop<'a>) -> Self {
        Self { start: Instant::now(), speed, stop, end: stop.deadline().instant() }
    }

    /// Starts again at 0.
    pub fn restart(&mut self) {
        self.start = Instant::now();
    }

    /// When an event of the recording is due. A time beyond the clock's range is now.
    pub fn due(&self, at_us: u64) -> Instant {
        let after = if self.speed == 1.0 {
            Duration::from_micros(at_us)
        } else {
            Duration::from_nanos((at_us as f64 * 1e3 / self.speed) as u64)
        };
        self.start.checked_add(after).unwrap_or(self.start)
    }

    /// Fails when the replay must end at the moment `now`.
    ///
    /// # Errors
    /// As `stop` says.
    pub fn check(&self, now: Instant) -> Result<(), Failure> {
        let over = self.end.is_some_and(|end| end <= now);
        if over || self.stop.interrupt().raised().is_some() { Err(self.stop.failure()) } else { Ok(()) }
    }

    /// Waits until `due`, and returns when that was over.
    ///
    /// # Errors
    /// `stop` came first, or the end of the display.
    pub fn wait(&self, due: Instant, display: Lifeline<'_>) -> Result<Instant, Failure> {
        let until = due.checked_sub(SPIN).unwrap_or(due);
        let alarm = self.end.map_or(until, |end| end.min(until));
        loop {
            let now = Instant::now();
            self.check(now)?;
            if now >= until {
                break;
            }
            display.sleep(Deadline::at(alarm), self.stop.interrupt())?;
        }
        loop {
            let now = Instant::now();
            if now >= due {
                return Ok(now);
            }
            std::hint::spin_loop();
        }
    }
}

/// While it lives, sleeps of this thread end as soon as the kernel can manage instead of up to 50 microseconds later.
#[derive(Debug)]
pub struct Prompt {
    #[cfg(target_os = "linux")]
    before: Option<std::num::NonZeroU64>,
}

impl Prompt {
    /// From now on.
    pub fn begin() -> Self {
        #[cfg(target_os = "linux")]
        {
            let before = rustix::thread::current_timer_slack().ok().and_then(std::num::NonZeroU64::new);
            // Without it sleeps are a little late, which the spinning makes up for.
            let _ = rustix::thread::set_current_timer_slack(Some(std::num::NonZeroU64::MIN));
            Self { before }
        }
        #[cfg(not(target_os = "linux"))]
        Self {}
    }
}

impl Drop for Prompt {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        if self.before.is_some() {
            let _ = rustix::thread::set_current_timer_slack(self.before);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use crate::backends::gui_macro::clock::{Clock, Prompt};
    use crate::desktop::Lifeline;
    use crate::failure::FailureKind;
    use crate::process::Interrupt;
    use crate::stop::Stop;

    #[test]
    fn nothing_is_early_and_errors_do_not_add_up() {
        let interrupt = Interrupt::new().unwrap();
        let stop = Stop::within(Duration::from_secs(60), &interrupt);
        let _prompt = Prompt::begin();
        let clock = Clock::start(2.0, &stop);
        for at_us in (0..50_000).step_by(2_000) {
            let due = clock.due(at_us);
            assert_eq!(due - clock.due(0), Duration::from_micros(at_us / 2));
            assert!(clock.wait(due, Lifeline::default()).unwrap() >= due);
        }
    }

    #[test]
    fn a_signal_and_the_deadline_end_a_wait() {
        let interrupt = Interrupt::new().unwrap();
        let stop = Stop::within(Duration::from_millis(20), &interrupt);
        let clock = Clock::start(1.0, &stop);
        let began = Instant::now();
        let failure = clock.wait(clock.due(86_400_000_000), Lifeline::default()).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Timeout);
        let stop = Stop::within(Duration::from_secs(600), &interrupt);
        let clock = Clock::start(1.0, &stop);
        let other = interrupt.clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            other.raise(15);
        });
        let failure = clock.wait(clock.due(86_400_000_000), Lifeline::default()).unwrap_err();
        thread.join().unwrap();
        assert_eq!(failure.kind, FailureKind::Interrupted(15));
        assert!(began.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn times_beyond_the_clock_are_no_panic() {
        let interrupt = Interrupt::new().unwrap();
        let stop = Stop::within(Duration::MAX, &interrupt);
        for speed in [f64::MIN_POSITIVE, 1.0, f64::MAX] {
            Clock::start(speed, &stop).due(u64::MAX);
        }
    }
}
