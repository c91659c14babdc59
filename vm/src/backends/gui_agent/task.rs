//! What a step asks for, whichever of the two actions it is.

use spec::action::arguments::{Instruct, InstructWithRefine};
use spec::kind::CoordinateSpace;
use spec::variable::CACHE;

use crate::environment::variable;
use crate::model::Given;

/// What a step asks for.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// What to do.
    pub description: &'a str,
    /// How the end looks, in words.
    pub end_words: Option<&'a str>,
    /// How the end looks: the path of a packed image.
    pub end_image: Option<&'a str>,
    /// The window to focus first.
    pub window: Option<&'a str>,
    /// The most times the model is asked what to do next.
    pub max_steps: u32,
    /// What the model's coordinates are.
    pub space: CoordinateSpace,
    /// How a wrong action is dealt with.
    pub correction: Correction,
    /// Which model, where.
    pub given: Given<'a>,
    /// The folder of decisions, as it is written.
    pub cache: Option<String>,
}

/// How a wrong action is dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correction {
    /// The model sees the screen and goes on from there.
    None,
    /// It sees the screen before and after the last action, and says whether that was right.
    Compare,
    /// The same, and what was wrong is undone.
    Undo,
}

/// The task of an action: the parameters that both actions have, under the same names.
macro_rules! task {
    ($arguments:expr, $correction:expr) => {
        Task {
            description: &$arguments.description,
            end_words: said($arguments.end_state_description.as_ref()),
            end_image: $arguments.end_state_snapshot.as_deref(),
            window: said($arguments.window_title.as_ref()),
            // The kind allows 1 to 100.
            max_steps: u32::try_from($arguments.max_steps).unwrap_or(1),
            space: $arguments.coordinate_space,
            correction: $correction,
            given: Given {
                model: $arguments.model.as_deref(),
                api_key: $arguments.api_key.as_deref(),
                base_url: $arguments.base_url.as_deref(),
            },
            cache: said($arguments.cache.as_ref())
                .map(str::to_owned)
                .or_else(|| variable(CACHE).filter(|path| !path.trim().is_empty())),
        }
    };
}

impl<'a> Task<'a> {
    /// The task of `instruct`.
    pub fn of(arguments: &'a Instruct) -> Self {
        task!(arguments, Correction::None)
    }

    /// The task of `instruct_with_refine`.
    pub fn refined(arguments: &'a InstructWithRefine) -> Self {
        task!(arguments, if arguments.undo { Correction::Undo } else { Correction::Compare })
    }

    /// Whether an end state is given that must be seen.
    pub fn has_end(&self) -> bool {
        self.end_words.is_some() || self.end_image.is_some()
    }
}

fn said(text: Option<&String>) -> Option<&str> {
    text.map(String::as_str).filter(|text| !text.trim().is_empty())
}
