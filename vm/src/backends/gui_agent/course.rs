//! The course of a step: look, ask, act, look again.

use crate::backends::gui_agent::act::{act, undo};
use crate::backends::gui_agent::cache::{Cache, key};
use crate::backends::gui_agent::decision::Decision;
use crate::backends::gui_agent::look::{Shot, look, rest, snapshot};
use crate::backends::gui_agent::prompt::{Scene, judge, next};
use crate::backends::gui_agent::reply::{Reply, judgement};
use crate::backends::gui_agent::task::{Correction, Task};
use crate::backends::gui_agent::tries::{Judgement, Outcome, Tries, Try};
use crate::desktop::{Rect, SharedDesktop, Wanted, find_window};
use crate::environment::variable;
use crate::failure::{Failure, FailureKind, ModelFault};
use crate::model::{Client, Question, Settings};
use crate::stop::Stop;
use crate::world::Call;

/// Does what a task asks for.
///
/// # Errors
/// The end was not reached, the model cannot be asked or answers something else, the display cannot do it, or its time is over: with the
/// tries so far.
pub fn run(desktop: &SharedDesktop, task: &Task<'_>, call: &Call<'_>) -> Result<Outcome, Failure> {
    let stop = Stop::new(call);
    let settings = Settings::new(task.given, &variable)?;
    let target = task.end_image.map(|name| snapshot(name, call.images)).transpose()?;
    // Without decisions of before a step asks, and comes to the same end.
    let cache = task
        .cache
        .as_deref()
        .and_then(|path| Cache::in_folder(path).map_err(|failure| call.warnings.add(failure.message)).ok());
    let mut course = Course {
        desktop,
        task,
        call,
        stop,
        settings,
        target,
        cache,
        client: None,
        region: None,
        tries: Tries::default(),
    };
    course.focus()?;
    match course.steps() {
        Ok(()) => {
            let kept = course.cache.as_ref().map_or(Ok(()), Cache::keep);
            kept.unwrap_or_else(|failure| call.warnings.add(failure.message));
            if !course.tries.any_taken() {
                call.warnings.add("no action was taken: the model says that nothing is to be done");
            }
            Ok(course.tries.outcome(&|text| course.settings.mask(text)))
        }
        Err(failure) => {
            if let Some(cache) = &course.cache {
                cache.forget();
            }
            Err(course.tries.fail(failure, &|text| course.settings.mask(text)))
        }
    }
}

struct Course<'a> {
    desktop: &'a SharedDesktop,
    task: &'a Task<'a>,
    call: &'a Call<'a>,
    stop: Stop<'a>,
    settings: Settings,
    /// The image of the end, as it is sent.
    target: Option<Vec<u8>>,
    cache: Option<Cache>,
    /// Made for the first question.
    client: Option<Client>,
    /// The part of the screen that decisions from the cache depend on; `None` for all of it.
    region: Option<Rect>,
    tries: Tries,
}

/// An answer, and whether it comes from the cache.
struct Answer {
    reply: Reply,
    cached: bool,
}

impl Course<'_> {
    fn focus(&mut self) -> Result<(), Failure> {
        let mut desktop = self.desktop.get(&self.stop)?;
        if let Some(title) = self.task.window {
            let window = find_window(&mut *desktop, &Wanted::new(title))?;
            desktop.focus_window(window.id, &self.stop)?;
            self.region = Some(window.area);
        }
        rest(&mut *desktop, &self.stop)
    }

    /// Success means that the end was reached.
    fn steps(&mut self) -> Result<(), Failure> {
        let mut before: Option<Shot> = None;
        for left in (1..=self.task.max_steps).rev() {
            self.stop.check()?;
            let now = self.look()?;
            let Answer { reply, cached } = self.next(&now, before.as_ref(), left)?;
            let Reply { decision, reached, right, reason } = reply;
            if reached.is_some() || right.is_some() {
                self.tries.judge(Judgement { reached, right, reason: reason.clone() });
            }
            if self.task.has_end() && reached == Some(true) {
                if self.tries.0.is_empty() {
                    self.note(Decision::Done, false, reason, cached);
                    self.tries.judge(Judgement { reached, ..Judgement::default() });
                }
                return Ok(());
            }
            if before.is_some() && right == Some(false) && self.undoes() {
                self.undo()?;
                before = None;
                continue;
            }
            if decision == Decision::Done {
                self.note(decision, false, reason, cached);
                // What the model has said of the end state already is not asked again.
                let ended = !self.task.has_end() || (reached.is_none() && self.judge(&now)?);
                if ended {
                    return Ok(());
                }
                // The last action was compared already.
                before = None;
                continue;
            }
            act(self.desktop, &decision, &self.stop)?;
            self.note(decision, true, reason, cached);
            rest(&mut *self.desktop.get(&self.stop)?, &self.stop)?;
            before = (self.task.correction != Correction::None).then_some(now);
            if left == 1 && self.task.has_end() {
                let now = self.look()?;
                if self.judge(&now)? {
                    return Ok(());
                }
            }
        }
        Err(self.unfinished())
    }

    fn look(&self) -> Result<Shot, Failure> {
        look(&mut *self.desktop.get(&self.stop)?, self.task.space)
    }

    /// Whether the last try is undone if it was wrong.
    fn undoes(&self) -> bool {
        let last = self.tries.0.last();
        self.task.correction == Correction::Undo && last.is_some_and(|last| last.taken && last.decision.can_be_undone())
    }

    fn undo(&mut self) -> Result<(), Failure> {
        undo(self.desktop, &self.stop)?;
        if let Some(last) = self.tries.0.last_mut() {
            last.undone = true;
        }
        rest(&mut *self.desktop.get(&self.stop)?, &self.stop)
    }

    fn note(&mut self, decision: Decision, taken: bool, reason: Option<String>, cached: bool) {
        self.tries.0.push(Try { decision, taken, reason, judgement: None, cached, undone: false });
    }

    /// What to do next, from the cache or from the model.
    fn next(&mut self, now: &Shot, before: Option<&Shot>, left: u32) -> Result<Answer, Failure> {
        let history = self.tries.history();
        let key = self.cache.as_ref().map(|_| self.key(now, &history));
        if let (Some(cache), Some(key)) = (&mut self.cache, &key)
            && let Some(object) = cache.get(key)
            && let Ok(reply) = Reply::next(&object, &now.scale)
        {
            return Ok(Answer { reply, cached: true });
        }
        let undoes = self.undoes();
        let scene = Scene { now, before, undoes, target: self.target.as_deref(), history: &history, left };
        let object = self.ask(&next(self.task, &scene))?;
        let reply = Reply::next(&object, &now.scale).map_err(|reason| wrong(&self.settings.mask(&reason)))?;
        if let (Some(cache), Some(key)) = (&mut self.cache, &key) {
            cache.put(key, &object);
        }
        Ok(Answer { reply, cached: false })
    }

    /// Whether the end state is reached, asked for itself.
    fn judge(&mut self, now: &Shot) -> Result<bool, Failure> {
        let object = self.ask(&judge(self.task, now, self.target.as_deref()))?;
        let (reached, reason) = judgement(&object).map_err(|reason| wrong(&self.settings.mask(&reason)))?;
        self.tries.judge(Judgement { reached: Some(reached), right: None, reason });
        Ok(reached)
    }

    fn ask(&mut self, question: &Question) -> Result<serde_json::Map<String, serde_json::Value>, Failure> {
        let client = match &mut self.client {
            Some(client) => client,
            None => self.client.insert(Client::new(self.settings.clone())?),
        };
        client.ask(question, &self.stop)
    }

    fn key(&self, now: &Shot, history: &[String]) -> String {
        let task = self.task;
        let region = self.region.unwrap_or(now.scale.area);
        let place = format!("{:?} {:?} {:?} {:?}", region, now.scale, task.correction, task.max_steps);
        let history = history.join("\n");
        let server = self.settings.server();
        let texts = [
            self.call.macro_name,
            self.call.step,
            task.description,
            task.end_words.unwrap_or_default(),
            task.window.unwrap_or_default(),
            self.settings.model(),
            &server,
            &history,
            &place,
        ];
        let pixels = now.part(region);
        let images = [self.target.as_deref().unwrap_or_default(), &pixels];
        key(texts.into_iter().map(str::as_bytes).chain(images))
    }

    fn unfinished(&self) -> Failure {
        let steps = self.task.max_steps;
        let s = if steps == 1 { "" } else { "s" };
        let failure =
            Failure::new(FailureKind::Model(ModelFault::Unfinished), format!("not finished after {steps} step{s}"));
        let said = self.tries.0.last().and_then(|last| last.judgement.as_ref()?.reason.clone());
        match said {
            Some(reason) => failure.hint(format!("the model says of the last screen: {reason}")),
            None => failure.hint("give `max_steps` a larger number, or the task fewer actions"),
        }
    }
}

fn wrong(reason: &str) -> Failure {
    Failure::new(FailureKind::Model(ModelFault::BadReply), format!("the model's answer {reason}; nothing was done"))
}
