//! Pretended `visual_anchor`: every image is found at once, at the origin, and keys reach somebody.

use spec::action::{Action, arguments, outputs};
use spec::value::Value;

use crate::failure::Failure;
use crate::simulated::Simulated;
use crate::simulated::trace::Traced;
use crate::world::{Call, VisualAnchor};

impl VisualAnchor for Simulated<'_> {
    fn click_image(
        &mut self,
        arguments: &arguments::ClickImage,
        call: &Call<'_>,
    ) -> Result<outputs::ClickImage, Failure> {
        self.pretend(Action::ClickImage, &arguments.traced(), call)?;
        Ok(outputs::ClickImage {
            clicked_at: place(0, 0),
            match_score: 1.0,
            template: arguments.template.clone(),
            matches: 1,
        })
    }

    fn click_relative(
        &mut self,
        arguments: &arguments::ClickRelative,
        call: &Call<'_>,
    ) -> Result<outputs::ClickRelative, Failure> {
        self.pretend(Action::ClickRelative, &arguments.traced(), call)?;
        Ok(outputs::ClickRelative { clicked_at: place(0, 0), x_pct: arguments.x_pct, y_pct: arguments.y_pct })
    }

    fn wait_image(&mut self, arguments: &arguments::WaitImage, call: &Call<'_>) -> Result<outputs::WaitImage, Failure> {
        self.pretend(Action::WaitImage, &arguments.traced(), call)?;
        Ok(outputs::WaitImage { found_at: place(0, 0), match_score: 1.0 })
    }

    fn wait_gone(&mut self, arguments: &arguments::WaitGone, call: &Call<'_>) -> Result<outputs::WaitGone, Failure> {
        self.pretend(Action::WaitGone, &arguments.traced(), call)?;
        Ok(outputs::WaitGone { gone: true, waited_ms: 0 })
    }

    fn type_text(
        &mut self,
        arguments: &arguments::VisualTypeText,
        call: &Call<'_>,
    ) -> Result<outputs::VisualTypeText, Failure> {
        self.pretend(Action::VisualTypeText, &arguments.traced(), call)?;
        Ok(outputs::VisualTypeText { typed: i64::try_from(arguments.text.chars().count()).unwrap_or(i64::MAX) })
    }

    fn hotkey(&mut self, arguments: &arguments::Hotkey, call: &Call<'_>) -> Result<outputs::Hotkey, Failure> {
        self.pretend(Action::Hotkey, &arguments.traced(), call)?;
        Ok(outputs::Hotkey { hotkey: arguments.keys.to_string() })
    }

    fn scroll(&mut self, arguments: &arguments::Scroll, call: &Call<'_>) -> Result<outputs::Scroll, Failure> {
        self.pretend(Action::Scroll, &arguments.traced(), call)?;
        Ok(outputs::Scroll { scrolled_at: place(0, 0), dx: arguments.dx, dy: arguments.dy })
    }

    fn drag(&mut self, arguments: &arguments::Drag, call: &Call<'_>) -> Result<outputs::Drag, Failure> {
        self.pretend(Action::Drag, &arguments.traced(), call)?;
        Ok(outputs::Drag {
            dragged_from: place(arguments.from_x, arguments.from_y),
            dragged_to: place(arguments.to_x, arguments.to_y),
        })
    }

    fn drag_relative(
        &mut self,
        arguments: &arguments::DragRelative,
        call: &Call<'_>,
    ) -> Result<outputs::DragRelative, Failure> {
        self.pretend(Action::DragRelative, &arguments.traced(), call)?;
        Ok(outputs::DragRelative { dragged_from: place(0, 0), dragged_to: place(0, 0) })
    }

    fn capture_region(
        &mut self,
        arguments: &arguments::CaptureRegion,
        call: &Call<'_>,
    ) -> Result<outputs::CaptureRegion, Failure> {
        self.pretend(Action::CaptureRegion, &arguments.traced(), call)?;
        Ok(outputs::CaptureRegion {
            saved: arguments.output.clone(),
            region: [arguments.x, arguments.y, arguments.width, arguments.height].map(Value::Integer).to_vec(),
            file_size: 0,
        })
    }

    fn move_to(&mut self, arguments: &arguments::MoveTo, call: &Call<'_>) -> Result<outputs::MoveTo, Failure> {
        self.pretend(Action::MoveTo, &arguments.traced(), call)?;
        Ok(outputs::MoveTo { moved_to: place(arguments.x, arguments.y) })
    }
}

fn place(x: i64, y: i64) -> Vec<Value> {
    vec![Value::Integer(x), Value::Integer(y)]
}
