//! What a macro that a model wrote may do: look at the display and drive it. No programs, no files, no network, no variables.

use spec::action::{Action, Backend};
use spec::artifact::Artifact;

/// The backends it may use.
pub const BACKENDS: [Backend; 2] = [Backend::VisualAnchor, Backend::SemanticUi];

/// Actions of these that write files.
const WRITERS: [Action; 1] = [Action::CaptureRegion];

/// Whether an action may be in it.
pub fn allows(action: Action) -> bool {
    BACKENDS.contains(&action.backend()) && !WRITERS.contains(&action)
}

/// What a macro does that it may not, a sentence each. It is told from the compiled macro with all that it calls, not from what it says.
pub fn forbidden(artifact: &Artifact) -> Vec<String> {
    let manifest = &artifact.manifest;
    let mut found = Vec::new();
    let actions =
        artifact.routes.iter().flat_map(|route| &route.actions).filter_map(|number| Action::by_number(*number));
    let mut named: Vec<String> = actions
        .filter(|action| !allows(*action))
        .map(|action| format!("`{}.{}` may not be used", action.backend().name(), action.name()))
        .collect();
    named.sort();
    named.dedup();
    found.extend(named);
    for (what, names) in [
        ("run programs", &manifest.programs),
        ("read files", &manifest.reads),
        ("write files", &manifest.writes),
        ("read environment variables", &manifest.environment),
        ("ask servers", &manifest.hosts),
    ] {
        if let Some(first) = names.first() {
            found.push(format!("it may not {what}: `{first}`"));
        }
    }
    if !artifact.streams.is_empty() {
        found.push("it may not replay recordings".to_owned());
    }
    found
}
