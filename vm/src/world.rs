//! The outside: the only things a running macro can touch, as traits. The machine knows no more of the world than this file.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::time::Duration;

use spec::action::{Action, Arguments, Backend, Outputs, arguments, outputs};
use spec::artifact::{Image, Stream};
use spec::condition::Test;

use crate::failure::{Failure, FailureKind};
use crate::need::{self, Need, Refusal};
use crate::process::Interrupt;

/// What an action may know of the run it belongs to.
pub struct Call<'a> {
    /// How much time is left for it.
    pub remaining: Duration,
    /// Raised by a signal; an action that waits must wake and return [`FailureKind::Interrupted`].
    pub interrupt: &'a Interrupt,
    /// The recordings of the artifact.
    pub streams: &'a [Stream],
    /// The images of the artifact.
    pub images: &'a [Image],
    /// Takes what the action has to remark.
    pub warnings: &'a Warnings,
    /// The name of the macro that runs.
    pub macro_name: &'a str,
    /// The step it belongs to, as the report names it; empty outside of steps.
    pub step: &'a str,
}

/// Most warnings of one action that are kept.
const MOST_WARNINGS: usize = 100;

/// What actions remark although they go on; the run reports it.
#[derive(Debug, Default)]
pub struct Warnings(RefCell<Vec<String>>);

impl Warnings {
    /// Adds one sentence; after the first hundred, one that says that there are more.
    pub fn add(&self, warning: impl Into<String>) {
        let mut all = self.0.borrow_mut();
        match all.len().cmp(&MOST_WARNINGS) {
            Ordering::Less => all.push(warning.into()),
            Ordering::Equal => all.push("there are more warnings, which are not told".to_owned()),
            Ordering::Greater => {}
        }
    }

    /// All of them.
    pub fn into_list(self) -> Vec<String> {
        self.0.into_inner()
    }
}

/// Whether a backend can be used here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Availability {
    /// It can.
    Available,
    /// It cannot.
    Unavailable {
        /// Why.
        reason: String,
        /// What to install or set.
        install_hint: Option<String>,
    },
}

/// What is seen of an environment variable that is there and has no text.
pub const SET_EMPTY: &str = "set (empty)";

/// What became of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Whether it holds.
    pub holds: bool,
    /// What was seen: "12 bytes", "not found", "a directory".
    pub seen: String,
}

macro_rules! backends {
    ($(
        $(#[doc = $backend_doc:literal])*
        $backend:ident $Backend:ident $priority:literal {
            $(
                $(#[doc = $doc:literal])*
                $number:literal $name:ident $Action:ident: $effect:ident, same as [$($same:ident),*] { $($parameters:tt)* } -> { $($outputs:tt)* }
            )*
        }
    )*) => {
        $(
            $(#[doc = $backend_doc])*
            pub trait $Backend {
                $(
                    $(#[doc = $doc])*
                    ///
                    /// # Errors
                    /// Why it could not be done.
                    fn $name(&mut self, arguments: &arguments::$Action, call: &Call<'_>) -> Result<outputs::$Action, Failure>;
                )*
            }
        )*

        /// One world: real, or simulated.
        pub trait World {
            $(
                $(#[doc = $backend_doc])*
                fn $backend(&mut self) -> &mut dyn $Backend;
            )*

            /// Whether a backend can be used; asked only for backends a program names, and remembered.
            fn availability(&mut self, backend: Backend, interrupt: &Interrupt) -> Availability;

            /// Looks whether a condition holds.
            ///
            /// # Errors
            /// When it cannot be told, for instance without permission to look, or without a display.
            fn observe(&mut self, test: &Test, call: &Call<'_>) -> Result<Observation, Failure>;

            /// Microseconds since the world began; never goes back.
            fn now_us(&self) -> u64;

            /// Waits until `now_us` has reached `until_us`, or until the interrupt is raised.
            fn sleep_until(&mut self, until_us: u64, interrupt: &Interrupt);

            /// An environment variable.
            fn environment(&self, name: &str) -> Option<String>;

            /// Whether actions only pretend.
            fn simulated(&self) -> bool;

            /// Whether something may be refused: only then is it asked for.
            fn restricted(&self) -> bool {
                false
            }

            /// Whether something may be touched.
            ///
            /// # Errors
            /// It may not.
            fn permit(&self, _need: &Need) -> Result<(), Refusal> {
                Ok(())
            }
        }

        /// Performs an action in a world.
        ///
        /// # Errors
        /// When something it needs is not permitted, when an argument is not of its kind, or when the backend fails.
        pub fn perform(world: &mut dyn World, action: Action, values: Arguments, call: &Call<'_>) -> Result<Outputs, Failure> {
            if world.restricted() {
                permit(world, &need::of_action(action, &values, call.streams))?;
            }
            match action {
                $($(Action::$Action => {
                    let arguments = arguments::$Action::read(values).map_err(bad_argument)?;
                    world.$backend().$name(&arguments, call).map(Outputs::from)
                })*)*
            }
        }
    };
}

spec::for_each_action!(backends);

/// Asks whether all of this may be touched.
///
/// # Errors
/// [`FailureKind::Refused`], which names what may not.
pub fn permit(world: &dyn World, needs: &[Need]) -> Result<(), Failure> {
    let refusals: Vec<Refusal> = needs.iter().filter_map(|need| world.permit(need).err()).collect();
    if refusals.is_empty() { Ok(()) } else { Err(need::refused(&refusals)) }
}

fn bad_argument(error: spec::action::ArgumentError) -> Failure {
    let failure = Failure::new(FailureKind::BadArgument, format!("`{}` {}", error.parameter, error.error.message));
    match error.error.help {
        Some(help) => failure.hint(help),
        None => failure,
    }
}

#[cfg(test)]
mod tests {
    use crate::world::Warnings;

    #[test]
    fn warnings_do_not_grow_without_bound() {
        let warnings = Warnings::default();
        (0..1000).for_each(|number| warnings.add(format!("warning {number}")));
        let list = warnings.into_list();
        assert_eq!((list.len(), list[99].as_str()), (101, "warning 99"));
        assert!(list[100].contains("more warnings"));
    }
}
