//! The applications on the accessibility bus.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio::time::timeout_at;
use zbus::Connection;

use crate::accessibility::at_spi::call::{ACCESSIBLE, CallError, Reference, call, object, present, property};
use crate::accessibility::at_spi::process::{Process, name};
use crate::accessibility::client::{Application, Applications, Object, Patience};
use crate::accessibility::error::AccessError;

/// Every application is waited for so long: one that is idle answers sooner. It is all that one gets that is frozen, or was silent before,
/// and is not the one that is looked for.
const PROMPT: Duration = Duration::from_millis(20);

/// One that is most likely another one than is looked for is waited for so long when one that is wanted has answered.
const UNRELATED: Duration = Duration::from_millis(100);

/// The applications, each asked for its name at once with the others, so that one that is frozen holds up none. `silent` remembers how long
/// those were waited for that did not answer.
///
/// # Errors
/// The registry does not answer.
pub async fn list(
    conn: &Connection,
    wanted: &dyn Fn(&str) -> bool,
    patience: Patience,
    silent: &mut HashMap<String, Duration>,
) -> Result<Applications, AccessError> {
    let began = Instant::now();
    let roots: Vec<Reference> = call(conn, &registry(), ACCESSIBLE, "GetChildren", &()).await.map_err(no_registry)?;
    let roots: Vec<Object> = roots.into_iter().filter_map(object).collect();
    silent.retain(|owner, _| roots.iter().any(|root| root.owner == *owner));
    let mut round = Round { wanted, patience, silent, found: false, all: Vec::new() };
    round.all.extend(roots.into_iter().map(|root| Asked { root, name: None, pid: None, process: None }));
    let objects: Vec<Object> = round.all.iter().map(|one| one.root.clone()).collect();
    let mut answers = FuturesUnordered::new();
    for (place, root) in objects.iter().enumerate() {
        // The bus knows the process, even when that is frozen.
        for what in [What::Pid, What::Name] {
            answers.push(tell(conn, place, root, what));
        }
    }
    while let Some(limit) = round.limit(began.elapsed()) {
        match timeout_at((began + limit).into(), answers.next()).await {
            Ok(Some((place, answer))) => round.note(place, answer),
            Ok(None) => break,
            // Others may have longer.
            Err(_) => {}
        }
    }
    drop(answers);
    Ok(round.end(began.elapsed()))
}

/// Whether the toolkit is one that acts inside of the call: GTK does until version 3, and libdbus takes no other call meanwhile.
///
/// # Errors
/// The application has ended.
pub async fn acts_within(conn: &Connection, application: &Object) -> Result<bool, AccessError> {
    const APPLICATION: &str = "org.a11y.atspi.Application";
    let name = present(property::<String>(conn, application, APPLICATION, "ToolkitName").await)?;
    let version = present(property::<String>(conn, application, APPLICATION, "Version").await)?.unwrap_or_default();
    Ok(name.is_some_and(|name| name.eq_ignore_ascii_case("gtk"))
        && (version.starts_with("3.") || version.starts_with("2.")))
}

/// The registry of applications.
pub fn registry() -> Object {
    Object { owner: "org.a11y.atspi.Registry".to_owned(), path: "/org/a11y/atspi/accessible/root".to_owned() }
}

/// All applications being asked.
struct Round<'a> {
    wanted: &'a dyn Fn(&str) -> bool,
    patience: Patience,
    silent: &'a mut HashMap<String, Duration>,
    /// Whether one that is wanted has answered.
    found: bool,
    all: Vec<Asked>,
}

/// An application that is asked.
struct Asked {
    root: Object,
    name: Option<Result<String, CallError>>,
    /// What the bus says; it may not know.
    pid: Option<Option<u32>>,
    /// What is known of its process, when it was looked at.
    process: Option<Process>,
}

#[derive(Clone, Copy)]
enum What {
    Name,
    Pid,
}

enum Answer {
    Name(Result<String, CallError>),
    Pid(Option<u32>),
}

impl Round<'_> {
    fn note(&mut self, place: usize, answer: Answer) {
        let Some(one) = self.all.get_mut(place) else { return };
        match answer {
            Answer::Pid(pid) => one.pid = Some(pid),
            Answer::Name(name) => {
                self.found |= name.as_ref().is_ok_and(|name| (self.wanted)(name));
                one.name = Some(name);
            }
        }
    }

    /// How long, from the beginning, an answer is waited for that may still come; `None` when no more is waited for.
    fn limit(&mut self, past: Duration) -> Option<Duration> {
        let (wanted, patience, found) = (self.wanted, self.patience, self.found);
        let mut most = Duration::ZERO;
        for one in self.all.iter_mut().filter(|one| one.name.is_none() || one.pid.is_none()) {
            let limit = match one.pid {
                _ if past < PROMPT => PROMPT,
                None => patience.all,
                Some(pid) => {
                    let process = one.process.get_or_insert_with(|| Process::look(pid, wanted));
                    bound(process, self.silent.get(&one.root.owner).copied(), patience, found)
                }
            };
            most = most.max(limit);
        }
        (most > past).then_some(most)
    }

    fn end(self, past: Duration) -> Applications {
        let mut applications = Applications::default();
        for Asked { root: object, name: answer, pid, .. } in self.all {
            let pid = pid.flatten();
            match answer {
                Some(Ok(name)) => {
                    self.silent.remove(&object.owner);
                    applications.answering.push(Application { object, name, pid });
                }
                // It ended, and the registry does not know yet.
                Some(Err(_)) => {}
                None => {
                    let longest = self.silent.entry(object.owner.clone()).or_default();
                    *longest = past.max(*longest);
                    let name = pid.and_then(name).unwrap_or_else(|| object.owner.clone());
                    applications.silent.push(Application { object, name, pid });
                }
            }
        }
        applications
    }
}

/// How long one that has not answered is waited for. `silent` is how long it was waited for in vain before.
fn bound(process: &Process, silent: Option<Duration>, patience: Patience, found: bool) -> Duration {
    let Patience { others, all } = patience;
    let proven = silent.is_some_and(|waited| waited >= others.min(Duration::from_secs(1)));
    let longest = match (found, process.meant) {
        // It may be the one, and may come back.
        (false, true) => all,
        (false, false) => {
            if process.stopped || proven {
                PROMPT
            } else {
                all
            }
        }
        (true, _) if process.stopped || silent.is_some() => PROMPT,
        (true, true) => others,
        (true, false) => UNRELATED.min(others),
    };
    longest.max(PROMPT)
}

async fn tell(conn: &Connection, place: usize, root: &Object, what: What) -> (usize, Answer) {
    let answer = match what {
        What::Name => Answer::Name(property(conn, root, ACCESSIBLE, "Name").await),
        What::Pid => {
            let bus = Object { owner: "org.freedesktop.DBus".to_owned(), path: "/org/freedesktop/DBus".to_owned() };
            let owner = root.owner.as_str();
            Answer::Pid(call(conn, &bus, "org.freedesktop.DBus", "GetConnectionUnixProcessID", &owner).await.ok())
        }
    };
    (place, answer)
}

fn no_registry(error: CallError) -> AccessError {
    AccessError::Absent {
        reason: format!("the registry of accessible applications does not answer: {}", AccessError::from(error)),
        hint: "install `at-spi2-core`, and start the applications again".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::accessibility::at_spi::applications::{PROMPT, UNRELATED, bound};
    use crate::accessibility::at_spi::process::Process;
    use crate::accessibility::client::Patience;

    #[test]
    fn only_the_one_that_is_looked_for_is_waited_for_again() {
        let second = Duration::from_secs(1);
        let patience = Patience { others: second, all: 5 * second };
        let bound = |meant, stopped, silent, found| bound(&Process { stopped, meant }, silent, patience, found);
        for silent in [None, Some(second)] {
            for stopped in [false, true] {
                assert_eq!(bound(true, stopped, silent, false), patience.all);
            }
        }
        assert_eq!(bound(false, true, None, false), PROMPT);
        assert_eq!(bound(false, false, None, false), patience.all);
        assert_eq!(bound(false, false, Some(PROMPT), false), patience.all);
        assert_eq!(bound(false, false, Some(second), false), PROMPT);
        assert_eq!(bound(true, false, None, true), patience.others);
        assert_eq!(bound(false, false, None, true), UNRELATED);
        for meant in [false, true] {
            assert_eq!(bound(meant, true, None, true), PROMPT);
            assert_eq!(bound(meant, false, Some(PROMPT), true), PROMPT);
        }
    }
}
