//! What a client may be told about a macro before it runs: derived from what the compiler knows, never from what the macro says alone.
//!
//! The hints a macro gives itself (`agent_hints`) only make a tool look more dangerous, never less.

use rmcp::model::ToolAnnotations;
use serde_json::Value;
use spec::action::{Action, Effect};
use spec::artifact::{Artifact, Manifest};
use spec::danger::DangerLevel;

use crate::danger;

/// The annotations of a macro's tool.
pub fn derive(artifact: &Artifact) -> ToolAnnotations {
    let hints = hints(artifact);
    let side_effects = hints["side_effects"].as_array().is_some_and(|list| !list.is_empty());
    let effects = effects(artifact);
    let observes = effects.iter().all(|effect| *effect == Effect::Reads) && is_passive(&artifact.manifest);
    let read_only = observes && !side_effects && danger::of(artifact) == DangerLevel::Safe;
    let repeatable = effects.iter().all(|effect| *effect != Effect::Acts) && artifact.manifest.programs.is_empty();
    ToolAnnotations::new()
        .read_only(read_only)
        // What writes a file may replace one, and what presses keys may do anything.
        .destructive(!read_only)
        .idempotent(repeatable && hints["idempotent"] != false)
        .open_world(reaches_out(&artifact.manifest))
}

fn hints(artifact: &Artifact) -> Value {
    serde_json::from_str(&artifact.meta.agent_hints).unwrap_or_default()
}

/// The effects of every action that any step may use.
fn effects(artifact: &Artifact) -> Vec<Effect> {
    let actions = artifact.routes.iter().flat_map(|route| &route.actions);
    actions.map(|number| Action::by_number(*number).map_or(Effect::Acts, Action::effect)).collect()
}

fn is_passive(manifest: &Manifest) -> bool {
    let Manifest { writes, programs, types, clicks, model, hosts, .. } = manifest;
    writes.is_empty() && programs.is_empty() && hosts.is_empty() && !types && !clicks && !model
}

/// Whether it can reach more than this machine's files, windows and processes. A program that is run may ask any server, and so may an
/// application whose keys are pressed.
fn reaches_out(manifest: &Manifest) -> bool {
    let Manifest { programs, types, clicks, model, hosts, .. } = manifest;
    *types || *clicks || *model || !programs.is_empty() || !hosts.is_empty()
}

#[cfg(test)]
mod tests {
    use rmcp::model::ToolAnnotations;
    use spec::action::Action;
    use spec::artifact::{Artifact, RouteRecord};

    use crate::mcp::annotations::derive;

    fn of(action: Action, hints: &str) -> [Option<bool>; 4] {
        let mut artifact = Artifact::default();
        artifact.routes.push(RouteRecord { actions: vec![action as u8] });
        artifact.meta.agent_hints = hints.to_owned();
        if action == Action::RunCommand {
            artifact.manifest.programs.push("sh".to_owned());
        }
        let ToolAnnotations { read_only_hint, destructive_hint, idempotent_hint, open_world_hint, .. } =
            derive(&artifact);
        [read_only_hint, destructive_hint, idempotent_hint, open_world_hint]
    }

    #[test]
    fn what_a_macro_does_decides() {
        let yes = Some(true);
        let no = Some(false);
        assert_eq!(of(Action::FindExecutable, "{}"), [yes, no, yes, no]);
        assert_eq!(of(Action::CaptureRegion, "{}"), [no, yes, yes, no]);
        assert_eq!(of(Action::RunCommand, "{}"), [no, yes, no, yes]);
        assert_eq!(of(Action::CloseWindow, "{}"), [no, yes, no, no]);
    }

    #[test]
    fn hints_make_nothing_harmless() {
        let harmless = r#"{"danger_level": "safe", "side_effects": [], "idempotent": true}"#;
        assert_eq!(of(Action::RunCommand, harmless), of(Action::RunCommand, "{}"));
        assert_eq!(of(Action::FindExecutable, r#"{"danger_level": "moderate"}"#)[..2], [Some(false), Some(true)]);
        assert_eq!(of(Action::FindExecutable, r#"{"side_effects": ["opens_application"]}"#)[0], Some(false));
        assert_eq!(of(Action::FindExecutable, r#"{"idempotent": false}"#)[2], Some(false));
        assert_eq!(of(Action::FindExecutable, "not json"), of(Action::FindExecutable, "null"));
    }
}
