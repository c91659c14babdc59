//! What a step asks for, whichever of the two actions it is.

use std::env;

use spec::action::arguments::{Instruct, InstructWithRefine};
use spec::kind::CoordinateSpace;
use spec::variable::CACHE;

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

impl<'a> Task<'a> {
    /// The task of `instruct`.
    pub fn of(arguments: &'a Instruct) -> Self {
        let Instruct {
            description,
            end_state_description,
            end_state_snapshot,
            window_title,
            max_steps,
            model,
            api_key,
            base_url,
            coordinate_space,
            cache,
        } = arguments;
        Self {
            description,
            end_words: said(end_state_description.as_ref()),
            end_image: end_state_snapshot.as_deref(),
            window: said(window_title.as_ref()),
            // The kind allows 1 to 100.
            max_steps: u32::try_from(*max_steps).unwrap_or(1),
            space: *coordinate_space,
            correction: Correction::None,
            given: Given { model: model.as_deref(), api_key: api_key.as_deref(), base_url: base_url.as_deref() },
            cache: said(cache.as_ref()).map(str::to_owned).or_else(|| variable(CACHE).filter(|path| !path.is_empty())),
        }
    }

    /// The task of `instruct_with_refine`.
    pub fn refined(arguments: &'a InstructWithRefine) -> Self {
        let InstructWithRefine {
            description,
            end_state_description,
            end_state_snapshot,
            window_title,
            max_steps,
            model,
            api_key,
            base_url,
            undo,
            coordinate_space,
            cache,
        } = arguments;
        Self {
            description,
            end_words: said(end_state_description.as_ref()),
            end_image: end_state_snapshot.as_deref(),
            window: said(window_title.as_ref()),
            max_steps: u32::try_from(*max_steps).unwrap_or(1),
            space: *coordinate_space,
            correction: if *undo { Correction::Undo } else { Correction::Compare },
            given: Given { model: model.as_deref(), api_key: api_key.as_deref(), base_url: base_url.as_deref() },
            cache: said(cache.as_ref()).map(str::to_owned).or_else(|| variable(CACHE).filter(|path| !path.is_empty())),
        }
    }

    /// Whether an end state is given that must be seen.
    pub fn has_end(&self) -> bool {
        self.end_words.is_some() || self.end_image.is_some()
    }
}

/// An environment variable; bytes that are no text become U+FFFD.
pub fn variable(name: &str) -> Option<String> {
    env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

fn said(text: Option<&String>) -> Option<&str> {
    text.map(String::as_str).filter(|text| !text.trim().is_empty())
}
