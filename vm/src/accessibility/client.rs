//! What an accessibility system must be able to do.

use std::time::Duration;

use crate::accessibility::error::AccessError;
use crate::accessibility::tree::{Limits, State, States, Tree};
use crate::stop::Stop;

/// A control, or an application, as its owner calls it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Object {
    /// The connection of its application.
    pub owner: String,
    /// Its name on that connection.
    pub path: String,
}

/// An application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// Its root.
    pub object: Object,
    /// Its name; for one that does not answer, the name of its process.
    pub name: String,
    /// Its process.
    pub pid: Option<u32>,
}

/// The applications there are, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applications {
    /// Those that answer.
    pub answering: Vec<Application>,
    /// Those that did not within the patience.
    pub silent: Vec<Application>,
}

/// How long applications may take to say their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Others are waited for so long when one that is wanted has answered.
    pub others: Duration,
    /// All are waited for so long when none has.
    pub all: Duration,
}

/// Something that can be done with a control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Its number for [`Client::act`].
    pub index: i32,
    /// Its name: `click`, `press`, `activate`.
    pub name: String,
}

/// What came of an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Acted {
    /// Whether the application says that it did it; `None` when it did not say yet.
    pub accepted: Option<bool>,
    /// Whether an effect was seen.
    pub effect: bool,
}

/// A rectangle in the coordinates of a window, in the units of its toolkit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// From the left edge of the window.
    pub x: i32,
    /// From the top edge of the window.
    pub y: i32,
    /// Width.
    pub width: i32,
    /// Height.
    pub height: i32,
}

/// Something that happened in an application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A control or window changed.
    Changed {
        /// Which.
        path: String,
        /// In what, as AT-SPI calls it: `StateChanged`, `ChildrenChanged`, `Activate`.
        what: String,
        /// The state or property.
        detail: String,
    },
    /// The application has ended.
    Ended,
    /// Another application has come or gone.
    Others,
}

/// What a watch takes note of. Applications are asked to tell of nothing else: what they tell costs them time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Controls come and go.
    Children,
    /// Names, descriptions and values.
    Properties,
    /// What is chosen in a control.
    Selection,
    /// All states.
    States,
    /// One state.
    State(State),
    /// Texts.
    Text,
    /// Windows open, close and get the keyboard.
    Windows,
    /// Applications come and go.
    Applications,
}

impl Kind {
    /// All that may tell of the effect of an action.
    pub const EFFECTS: [Self; 6] =
        [Self::Children, Self::Properties, Self::Selection, Self::States, Self::Text, Self::Windows];
}

/// An accessibility system. No call takes longer than its `stop` allows, whatever the applications do.
///
/// Every function fails with [`AccessError::Silent`] when the application does not answer in time, with [`AccessError::Gone`] when the
/// control is no longer there, and as its comment says.
pub trait Client {
    /// The applications whose names can be told within `patience`. `wanted` says which name is looked for.
    ///
    /// # Errors
    /// The list itself cannot be had.
    fn applications(
        &mut self,
        wanted: &dyn Fn(&str) -> bool,
        patience: Patience,
        stop: &Stop<'_>,
    ) -> Result<Applications, AccessError>;

    /// The controls of an application within limits.
    ///
    /// # Errors
    /// It ended.
    fn tree(&mut self, application: &Application, limits: Limits, stop: &Stop<'_>) -> Result<Tree, AccessError>;

    /// Whether applications of this toolkit answer an action only when all that it leads to is over: one that opens a dialog then answers
    /// nothing at all until that is closed. What is pressed by keys or the pointer has no such effect.
    ///
    /// # Errors
    /// As for all.
    fn acts_within(&mut self, application: &Application, stop: &Stop<'_>) -> Result<bool, AccessError>;

    /// The states of a control now.
    ///
    /// # Errors
    /// As for all.
    fn states(&mut self, object: &Object, stop: &Stop<'_>) -> Result<States, AccessError>;

    /// The name of a control now.
    ///
    /// # Errors
    /// As for all.
    fn name(&mut self, object: &Object, stop: &Stop<'_>) -> Result<String, AccessError>;

    /// For each control, those it is the label of.
    ///
    /// # Errors
    /// As for all; a control that is gone labels nothing.
    fn labelled(&mut self, labels: &[Object], stop: &Stop<'_>) -> Result<Vec<Vec<Object>>, AccessError>;

    /// For each control, those that are its labels.
    ///
    /// # Errors
    /// As for all; a control that is gone has none.
    fn labels(&mut self, controls: &[Object], stop: &Stop<'_>) -> Result<Vec<Vec<Object>>, AccessError>;

    /// For each control, where it is in its window; `None` for one that has no place.
    ///
    /// # Errors
    /// As for all.
    fn areas(&mut self, controls: &[Object], stop: &Stop<'_>) -> Result<Vec<Option<Area>>, AccessError>;

    /// What can be done with a control; nothing when it offers nothing.
    ///
    /// # Errors
    /// As for all.
    fn actions(&mut self, object: &Object, stop: &Stop<'_>) -> Result<Vec<Action>, AccessError>;

    /// Does something with a control. Returns when `is_effect` holds for an event of the application that is watched, or when nothing
    /// came within `settle` after the answer. The answer may be missing when there was an effect: a dialog can hold it up.
    ///
    /// # Errors
    /// As for all.
    fn act(
        &mut self,
        object: &Object,
        action: i32,
        is_effect: &dyn Fn(&Event) -> bool,
        settle: Duration,
        stop: &Stop<'_>,
    ) -> Result<Acted, AccessError>;

    /// The text of a control, at most `limit` characters; `None` when it is no text.
    ///
    /// # Errors
    /// As for all.
    fn text(&mut self, object: &Object, limit: i32, stop: &Stop<'_>) -> Result<Option<String>, AccessError>;

    /// Replaces the text of a control; whether its application says that it did, `None` when it cannot be asked so.
    ///
    /// # Errors
    /// As for all.
    fn set_text(&mut self, object: &Object, text: &str, stop: &Stop<'_>) -> Result<Option<bool>, AccessError>;

    /// The value of a slider, spin button or bar; `None` when it has none.
    ///
    /// # Errors
    /// As for all.
    fn value(&mut self, object: &Object, stop: &Stop<'_>) -> Result<Option<f64>, AccessError>;

    /// Changes the value of a slider.
    ///
    /// # Errors
    /// [`AccessError::Refused`] when it cannot be changed.
    fn set_value(&mut self, object: &Object, value: f64, stop: &Stop<'_>) -> Result<(), AccessError>;

    /// Selects a child of a control by its place; whether its application says that it did, `None` when it cannot be asked so.
    ///
    /// # Errors
    /// As for all.
    fn select_child(&mut self, object: &Object, place: i32, stop: &Stop<'_>) -> Result<Option<bool>, AccessError>;

    /// Selects the row of a table that a cell is in, by the place of the cell among the children; as [`Client::select_child`].
    ///
    /// # Errors
    /// As for all.
    fn select_row(&mut self, table: &Object, cell: i32, stop: &Stop<'_>) -> Result<Option<bool>, AccessError>;

    /// The selected child of a control; `None` when there is none or it cannot be told.
    ///
    /// # Errors
    /// As for all.
    fn selected_child(&mut self, object: &Object, stop: &Stop<'_>) -> Result<Option<Object>, AccessError>;

    /// Gives a control the keyboard within its window; whether its application says that it did.
    ///
    /// # Errors
    /// As for all.
    fn focus(&mut self, object: &Object, stop: &Stop<'_>) -> Result<bool, AccessError>;

    /// Takes note of what happens in the application that owns `object`, or outside of all, from now on until the next call or
    /// [`Client::unwatch`].
    ///
    /// # Errors
    /// As for all.
    fn watch(&mut self, object: Option<&Object>, kinds: &[Kind], stop: &Stop<'_>) -> Result<(), AccessError>;

    /// Takes note of nothing any more.
    fn unwatch(&mut self);

    /// Waits for an event of the watch for which `is` holds; whether one came within `limit`. When nothing is watched, none comes.
    ///
    /// # Errors
    /// `stop` came first.
    fn await_event(
        &mut self,
        is: &dyn Fn(&Event) -> bool,
        limit: Duration,
        stop: &Stop<'_>,
    ) -> Result<bool, AccessError>;

    /// Waits for `rest`, and after that until the watch has noted anything, which may have been before; forgets all of it, so that many
    /// events are one change. Whether there was any within `limit`, which counts from the beginning.
    ///
    /// # Errors
    /// `stop` came first.
    fn await_change(&mut self, rest: Duration, limit: Duration, stop: &Stop<'_>) -> Result<bool, AccessError>;
}

impl Application {
    /// Its name and process, for messages.
    pub fn words(&self) -> String {
        match self.pid {
            Some(pid) => format!("the application `{}` (process {pid})", self.name),
            None => format!("the application `{}`", self.name),
        }
    }
}
