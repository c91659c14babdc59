//! Environment variables that stand in for parameters that are not given.

use crate::action::{Action, Backend};

/// The model's name.
pub const MODEL: &str = "MACROCLI_MODEL";
/// The key for the model's server.
pub const API_KEY: &str = "MACROCLI_API_KEY";
/// The address of the model's server.
pub const BASE_URL: &str = "MACROCLI_BASE_URL";
/// The folder of decisions of models.
pub const CACHE: &str = "MACROCLI_CACHE";

/// The variable that is read when an action's parameter is not given.
pub fn stand_in(action: Action, parameter: &str) -> Option<&'static str> {
    match (action.backend(), parameter) {
        (Backend::GuiAgent, "model") => Some(MODEL),
        (Backend::GuiAgent, "api_key") => Some(API_KEY),
        (Backend::GuiAgent, "base_url") => Some(BASE_URL),
        (Backend::GuiAgent, "cache") => Some(CACHE),
        (
            Backend::NativeApi
            | Backend::GuiMacro
            | Backend::VisualAnchor
            | Backend::FileTransform
            | Backend::GuiAgent
            | Backend::SemanticUi,
            _,
        ) => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::action::{Action, Backend};
    use crate::variable::stand_in;

    #[test]
    fn every_variable_stands_in_for_a_parameter_there_is() {
        let all = |action: &Action| action.parameters().iter().filter_map(|one| stand_in(*action, one.name)).count();
        for action in Action::ALL {
            assert_eq!(all(action), if action.backend() == Backend::GuiAgent { 4 } else { 0 });
        }
    }
}
