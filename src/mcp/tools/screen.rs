//! `screen_capture`: the screen as an image.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock, Tool};
use serde_json::json;
use tokio::task::spawn_blocking;

use crate::engine::{self, Part};
use crate::exit::Exit;
use crate::mcp::schema::Object;
use crate::mcp::state::State;
use crate::mcp::{reply, tools};
use crate::trouble::Trouble;

/// The largest coordinate and side, in pixels, as macros have it.
const EXTENT: i64 = 1_000_000;
/// The keys of an area.
const AREA: [&str; 4] = ["x", "y", "width", "height"];

/// The tool.
pub fn tool() -> Tool {
    let pixels = |least: i64| json!({"type": "integer", "minimum": least, "maximum": EXTENT});
    tools::looking(
        "screen_capture",
        "Capture the screen",
        "Shows the screen as a PNG image: all of it, the area of a window with whatever covers it, or an area in pixels from the top left \
         corner of the desktop. Places in the image are places on the screen, less the first two numbers of `region`.",
        json!({
            "window_title": {"type": "string", "description": "Part of the title of a window."},
            "x": pixels(-EXTENT), "y": pixels(-EXTENT), "width": pixels(1), "height": pixels(1),
        }),
        json!({
            "region": {
                "type": "array", "items": {"type": "integer"}, "description": "Left edge, top edge, width and height in pixels.",
            },
            "mime_type": {"type": "string"},
            "bytes": {"type": "integer"},
        }),
    )
}

/// Looks at the screen.
pub async fn call(state: &State, arguments: &Object) -> Result<CallToolResult, Trouble> {
    let part = part(arguments)?;
    let policy = state.settings.policy.clone();
    let seen = spawn_blocking(move || engine::capture(&part, policy.as_ref())).await;
    let seen = seen.map_err(|_| Trouble::bug("the screen could not be captured"))?;
    let shot = seen.map_err(|failure| {
        let (word, code) = (failure.kind.code(), failure.kind.exit_code());
        let trouble = Trouble { word, exit: Exit::of_run(code), ..Trouble::usage(failure.message) };
        trouble.hint_if(failure.hint)
    })?;
    let mut result = reply::done(json!({
        "schema": "macrocli.screen/1", "region": shot.region, "mime_type": "image/png", "bytes": shot.png.len(),
    }));
    result.content.push(ContentBlock::image(STANDARD.encode(&shot.png), "image/png"));
    Ok(result)
}

fn part(arguments: &Object) -> Result<Part, Trouble> {
    tools::only(arguments, &["window_title", "x", "y", "width", "height"])?;
    let area = AREA.iter().any(|key| arguments.contains_key(*key));
    match tools::text(arguments, "window_title")? {
        Some(_) if area => Err(Trouble::usage("`window_title` and an area cannot both be given")),
        Some("") => Err(Trouble::usage("`window_title` is empty").hint("leave it out for the whole screen")),
        Some(title) => Ok(Part::Window(title.to_owned())),
        None if !area => Ok(Part::Screen),
        None => {
            let missing = AREA.iter().find(|key| !arguments.contains_key(**key) && matches!(**key, "width" | "height"));
            if let Some(key) = missing {
                return Err(Trouble::usage(format!("an area needs `{key}`")));
            }
            let place = |key: &str| Ok::<_, Trouble>(tools::integer(arguments, key, -EXTENT, EXTENT)?.unwrap_or(0));
            let side = |key: &str| Ok::<_, Trouble>(tools::integer(arguments, key, 1, EXTENT)?.unwrap_or(1));
            // Within the bounds, every number is one of 32 bits.
            Ok(Part::Area {
                x: i32::try_from(place("x")?).unwrap_or(0),
                y: i32::try_from(place("y")?).unwrap_or(0),
                width: u32::try_from(side("width")?).unwrap_or(1),
                height: u32::try_from(side("height")?).unwrap_or(1),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::engine::Part;
    use crate::mcp::schema::object;
    use crate::mcp::tools::screen::part;

    #[test]
    fn arguments_say_what_to_look_at() {
        let of = |arguments| part(&object(arguments)).map_err(|trouble| trouble.message);
        assert_eq!(of(json!({})), Ok(Part::Screen));
        assert_eq!(of(json!({"window_title": "a"})), Ok(Part::Window("a".to_owned())));
        let area = json!({"x": -1, "width": 2, "height": 3});
        assert_eq!(of(area), Ok(Part::Area { x: -1, y: 0, width: 2, height: 3 }));
        for bad in [
            json!({"width": 1}),
            json!({"x": 1}),
            json!({"width": 0, "height": 1}),
            json!({"width": 1.5, "height": 1}),
            json!({"width": 1, "height": 1, "x": 1u64 << 40}),
            json!({"window_title": "a", "x": 1}),
            json!({"window_title": ""}),
            json!({"window_title": 1}),
            json!({"other": 1}),
        ] {
            assert!(of(bad.clone()).is_err(), "{bad}");
        }
    }
}
