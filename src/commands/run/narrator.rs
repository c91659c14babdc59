//! A run told to people while it goes on.

use spec::action::Action;
use vm::report::{Attempt, Status, StepReport};

use crate::engine::{Beginning, Observer, Pause, Trial};
use crate::events::Events;
use crate::print;
use crate::print::escape;
use crate::print::remarks::Remarks;

/// How many characters of an argument are shown to people.
const SHOWN: usize = 200;

/// Tells people of each step when it ends; in a simulated world also of the arguments it would have been done with.
pub struct Narrator<'a> {
    /// Where it is told.
    pub remarks: Remarks<'a>,
}

/// Tells people and, where events are wanted, programs.
pub struct Tellers<'a> {
    /// For people.
    pub narrator: Narrator<'a>,
    /// For programs.
    pub events: Option<&'a mut Events>,
}

impl Observer for Narrator<'_> {
    fn step_finished(&mut self, step: &StepReport) {
        let screen = self.remarks.screen();
        if screen.json {
            return;
        }
        let color = match step.status {
            Status::Ok => "32",
            Status::Failed => "31",
            Status::Skipped | Status::NotRun => "33",
        };
        let turn = step.iteration.map(|turn| format!("[{turn}]")).unwrap_or_default();
        let status = screen.paint(color, &format!("{:8}", step.status.name()));
        let id = escape::line(&format!("{}{turn}", step.id));
        let time = print::run::millis(step.duration_us);
        let failure = step.failure.as_ref().map(|failure| format!("  {}", escape::line(&failure.message)));
        self.remarks.add(format!("{status} {id:24} {time:>9.1} ms{}", failure.unwrap_or_default()));
        for (name, value) in step.would.iter().flat_map(|would| would.iter()) {
            let value = vm::json_text::to_json(value).to_string();
            let (shown, more) = match value.char_indices().nth(SHOWN) {
                Some((end, _)) => (&value[..end], "…"),
                None => (value.as_str(), ""),
            };
            self.remarks.add(escape::line(&format!("           {name}: {shown}{more}")));
        }
    }

    fn warned(&mut self, warning: &str) {
        let screen = self.remarks.screen();
        if !screen.json {
            self.remarks.add(format!("{}: {}", screen.paint("1;33", "warning"), escape::lines(warning)));
        }
    }
}

impl Observer for Tellers<'_> {
    fn run_started(&mut self, run: Beginning<'_>) {
        self.narrator.run_started(run);
        self.events.iter_mut().for_each(|events| events.run_started(run));
    }

    fn step_started(&mut self, id: &str, iteration: Option<usize>) {
        self.narrator.step_started(id, iteration);
        self.events.iter_mut().for_each(|events| events.step_started(id, iteration));
    }

    fn routed(&mut self, of: Trial<'_>, action: Action) {
        self.narrator.routed(of, action);
        self.events.iter_mut().for_each(|events| events.routed(of, action));
    }

    fn try_failed(&mut self, of: Trial<'_>, attempt: &Attempt) {
        self.narrator.try_failed(of, attempt);
        self.events.iter_mut().for_each(|events| events.try_failed(of, attempt));
    }

    fn waiting(&mut self, of: Trial<'_>, pause: Pause, longest_us: u64) {
        self.narrator.waiting(of, pause, longest_us);
        self.events.iter_mut().for_each(|events| events.waiting(of, pause, longest_us));
    }

    fn step_finished(&mut self, step: &StepReport) {
        self.narrator.step_finished(step);
        self.events.iter_mut().for_each(|events| events.step_finished(step));
    }

    fn warned(&mut self, warning: &str) {
        self.narrator.warned(warning);
        self.events.iter_mut().for_each(|events| events.warned(warning));
    }
}
