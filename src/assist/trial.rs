//! Compiles a draft where nobody sees it, and judges it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use compiler::Target;
use compiler::diagnostic::Severity;
use serde_json::{Map, Value};
use vm::failure::{Failure, FailureKind, ModelFault};

use crate::assist::draft::Draft;
use crate::assist::{Request, gate, output};
use crate::compile::{self, Compiled};
use crate::engine;
use crate::files::Kind;
use crate::registry::Registry;
use crate::registry::bounds::Bounds;
use crate::registry::source::{Location, Source};
use crate::trouble::Trouble;

/// Most sentences that go back to the model.
const MOST: usize = 20;

/// What came of a draft.
pub enum Verdict {
    /// It is right; with the compiler's doubts.
    Right(Draft, Vec<String>),
    /// It is not.
    Wrong {
        /// The macro as it was written.
        text: String,
        /// What is wrong, a sentence each.
        complaints: Vec<String>,
        /// What is told when there is no further round.
        trouble: Trouble,
    },
}

impl Verdict {
    /// An answer that is no draft.
    pub fn no_draft(object: &Map<String, Value>, reason: &str) -> Self {
        let text = object.get("macro").and_then(Value::as_str).unwrap_or_default().to_owned();
        let failure = Failure::new(FailureKind::Model(ModelFault::BadReply), format!("the model's answer {reason}"));
        Self::Wrong { text, complaints: vec![format!("the answer {reason}")], trouble: Trouble::failure(&failure) }
    }
}

/// Judges a draft. Of its images only those stay that the macro uses.
///
/// # Errors
/// There is no room for temporary files.
pub fn trial(registry: &Registry, request: &Request<'_>, mut draft: Draft) -> Result<Verdict, Trouble> {
    let Compiled { artifact, definition, findings, .. } = compiled(registry, request, &draft)?;
    let text = draft.text.clone();
    let Some(artifact) = artifact else {
        let complaints = findings.list.iter().take(MOST).map(|finding| finding.with_help()).collect();
        let trouble = Trouble::diagnostics(findings).about(request.name);
        return Ok(Verdict::Wrong { text, complaints, trouble });
    };
    let mut forbidden = gate::forbidden(&artifact);
    let images: BTreeSet<&str> = artifact.images.iter().map(|image| image.path.as_str()).collect();
    let own = |file: &str| format!("{}/{file}", output::folder(request.name));
    let known: BTreeSet<String> = draft.templates.iter().map(|template| own(&template.file)).collect();
    forbidden.extend(
        images.iter().filter(|image| !known.contains(**image)).map(|image| format!("it may not read files: `{image}`")),
    );
    if let Some(name) = definition.map(|definition| definition.name.node).filter(|name| name != request.name) {
        forbidden.push(format!("its name must be `{}`, not `{name}`", request.name));
    }
    if !forbidden.is_empty() {
        let message = format!("the macro the model wrote is refused: {}", forbidden.join("; "));
        let hint = "a macro written by a model may only look at the display and drive it";
        let trouble = Trouble::refused(message).hint(hint).about(request.name);
        return Ok(Verdict::Wrong { text, complaints: forbidden, trouble });
    }
    draft.templates.retain(|template| images.contains(own(&template.file).as_str()));
    if let Err(reason) = engine::verify(artifact) {
        return Err(Trouble::bug(&format!("a compiled macro is refused: {reason}")));
    }
    let doubts = findings.list.iter().filter(|finding| finding.code.severity() != Severity::Error);
    Ok(Verdict::Right(draft, doubts.map(|finding| finding.with_help()).collect()))
}

fn compiled(registry: &Registry, request: &Request<'_>, draft: &Draft) -> Result<Compiled, Trouble> {
    let no_room = |error: std::io::Error| Trouble::io(format!("no temporary files can be written: {error}"));
    let room = tempfile::tempdir().map_err(no_room)?;
    let images = room.path().join(output::folder(request.name));
    fs::create_dir(&images).map_err(no_room)?;
    for template in &draft.templates {
        fs::write(images.join(&template.file), &template.png).map_err(no_room)?;
    }
    let path = room.path().join(request.path.file_name().unwrap_or(Path::new("macro.yaml").as_os_str()));
    fs::write(&path, &draft.text).map_err(no_room)?;
    let shown = request.path.display().to_string();
    let source = Source { location: Location::File(path), shown, kind: Kind::Yaml };
    // A model reads what the compiler says, and so does the model's server: no file of the user's is looked into.
    let bounds = Bounds::new(registry, &source, &[room.path()]);
    Ok(compile::untrusted(registry, &source, draft.text.as_bytes(), Target::Any, bounds))
}
