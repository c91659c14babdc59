//! Pretended `semantic_ui`: every window and control is there.

use spec::action::{Action, arguments, outputs};
use spec::value::Value;

use crate::failure::Failure;
use crate::simulated::Simulated;
use crate::simulated::trace::Traced;
use crate::world::{Call, SemanticUi};

impl SemanticUi for Simulated<'_> {
    fn shortcut(&mut self, arguments: &arguments::Shortcut, call: &Call<'_>) -> Result<outputs::Shortcut, Failure> {
        self.pretend(Action::Shortcut, &arguments.traced(), call)?;
        Ok(outputs::Shortcut { keys: arguments.keys.to_string(), method: METHOD.to_owned() })
    }

    fn type_text(
        &mut self,
        arguments: &arguments::UiTypeText,
        call: &Call<'_>,
    ) -> Result<outputs::UiTypeText, Failure> {
        self.pretend(Action::UiTypeText, &arguments.traced(), call)?;
        Ok(outputs::UiTypeText {
            typed: i64::try_from(arguments.text.chars().count()).unwrap_or(i64::MAX),
            method: METHOD.to_owned(),
        })
    }

    fn menu_click(&mut self, arguments: &arguments::MenuClick, call: &Call<'_>) -> Result<outputs::MenuClick, Failure> {
        self.pretend(Action::MenuClick, &arguments.traced(), call)?;
        Ok(outputs::MenuClick {
            menu_path: arguments.menu_path.iter().cloned().map(Value::String).collect(),
            method: METHOD.to_owned(),
        })
    }

    fn button_click(
        &mut self,
        arguments: &arguments::ButtonClick,
        call: &Call<'_>,
    ) -> Result<outputs::ButtonClick, Failure> {
        self.pretend(Action::ButtonClick, &arguments.traced(), call)?;
        Ok(outputs::ButtonClick { clicked: arguments.label.clone(), method: METHOD.to_owned() })
    }

    fn wait_for_window(
        &mut self,
        arguments: &arguments::WaitForWindow,
        call: &Call<'_>,
    ) -> Result<outputs::WaitForWindow, Failure> {
        self.pretend(Action::WaitForWindow, &arguments.traced(), call)?;
        Ok(outputs::WaitForWindow { found: arguments.title_contains.clone(), method: METHOD.to_owned() })
    }

    fn focus_window(
        &mut self,
        arguments: &arguments::FocusWindow,
        call: &Call<'_>,
    ) -> Result<outputs::FocusWindow, Failure> {
        self.pretend(Action::FocusWindow, &arguments.traced(), call)?;
        Ok(outputs::FocusWindow { focused: arguments.title_contains.clone(), method: METHOD.to_owned() })
    }

    fn get_controls(
        &mut self,
        arguments: &arguments::GetControls,
        call: &Call<'_>,
    ) -> Result<outputs::GetControls, Failure> {
        self.pretend(Action::GetControls, &arguments.traced(), call)?;
        Ok(outputs::GetControls { controls: Vec::new(), count: 0, left_out: Vec::new() })
    }

    fn set_text(&mut self, arguments: &arguments::SetText, call: &Call<'_>) -> Result<outputs::SetText, Failure> {
        self.pretend(Action::SetText, &arguments.traced(), call)?;
        Ok(outputs::SetText { text: arguments.text.clone(), method: METHOD.to_owned() })
    }

    fn get_text(&mut self, arguments: &arguments::GetText, call: &Call<'_>) -> Result<outputs::GetText, Failure> {
        self.pretend(Action::GetText, &arguments.traced(), call)?;
        Ok(outputs::GetText { text: String::new() })
    }

    fn wait_for_control(
        &mut self,
        arguments: &arguments::WaitForControl,
        call: &Call<'_>,
    ) -> Result<outputs::WaitForControl, Failure> {
        self.pretend(Action::WaitForControl, &arguments.traced(), call)?;
        Ok(outputs::WaitForControl { found: arguments.label.clone(), role: arguments.role.clone().unwrap_or_default() })
    }

    fn toggle(&mut self, arguments: &arguments::Toggle, call: &Call<'_>) -> Result<outputs::Toggle, Failure> {
        self.pretend(Action::Toggle, &arguments.traced(), call)?;
        Ok(outputs::Toggle { state: arguments.state.unwrap_or(true), method: METHOD.to_owned() })
    }

    fn select(&mut self, arguments: &arguments::Select, call: &Call<'_>) -> Result<outputs::Select, Failure> {
        self.pretend(Action::Select, &arguments.traced(), call)?;
        Ok(outputs::Select { selected: arguments.item.clone(), method: METHOD.to_owned() })
    }

    fn close_window(
        &mut self,
        arguments: &arguments::CloseWindow,
        call: &Call<'_>,
    ) -> Result<outputs::CloseWindow, Failure> {
        self.pretend(Action::CloseWindow, &arguments.traced(), call)?;
        Ok(outputs::CloseWindow { closed: arguments.title_contains.clone(), method: METHOD.to_owned() })
    }

    fn move_window(
        &mut self,
        arguments: &arguments::MoveWindow,
        call: &Call<'_>,
    ) -> Result<outputs::MoveWindow, Failure> {
        self.pretend(Action::MoveWindow, &arguments.traced(), call)?;
        Ok(outputs::MoveWindow {
            moved: arguments.title_contains.clone(),
            geometry: [arguments.x, arguments.y, arguments.width, arguments.height]
                .map(|edge| Value::Integer(edge.unwrap_or(0)))
                .to_vec(),
        })
    }
}

/// How a pretended action was done.
const METHOD: &str = "simulated";
