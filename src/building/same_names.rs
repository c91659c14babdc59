//! Two macros of one name: neither is built, since only one of them could be the file.

use std::collections::HashMap;
use std::path::Path;

use compiler::diagnostic::Code;

use crate::building::job::Job;
use crate::compile;
use crate::findings::{Finding, Findings, Spot};
use crate::incremental;
use crate::registry::source::Source;

/// Makes an error of each macro that would become the same file as another, naming that one.
pub fn refuse(jobs: &mut [Job], folder: &Path) {
    let mut named: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, job) in jobs.iter().enumerate() {
        if let Some(artifact) = &job.artifact {
            named.entry(artifact.entry.name.clone()).or_default().push(place);
        }
    }
    for (name, places) in named.into_iter().filter(|(_, places)| places.len() > 1) {
        let spots: Vec<(Spot, Findings)> =
            places.iter().filter_map(|place| jobs.get(*place)).map(|job| name_spot(&job.source)).collect();
        let output = incremental::output(folder, &name);
        for (nth, place) in places.iter().enumerate() {
            let other = if nth == 0 { spots.get(1) } else { spots.first() };
            let (Some(job), Some((spot, texts)), Some((other, other_texts))) =
                (jobs.get_mut(*place), spots.get(nth), other)
            else {
                continue;
            };
            let finding = Finding {
                code: Code::DuplicateName,
                message: format!("macro `{name}` is also defined in `{}`", other.file),
                help: Some(format!("rename one of them: both would become `{}`", output.display())),
                spot: spot.clone(),
                labels: vec![(other.clone(), "also defined here".to_owned())],
            };
            job.artifact = None;
            job.findings.extend(Findings { list: vec![finding], texts: texts.texts.clone() });
            job.findings.texts.extend(other_texts.texts.clone());
        }
    }
}

/// Where a file says its macro's name, with its text.
fn name_spot(source: &Source) -> (Spot, Findings) {
    let mut texts = Findings::default();
    let bytes = source.read().unwrap_or_default();
    let (definition, _, map) = compile::read(source, &bytes);
    let found = definition.and_then(|definition| {
        let span = definition.name.span;
        let file = map.get(span.file)?;
        let (start, end) = (file.place(span.start), file.place(span.end));
        texts.texts.insert(source.shown.as_str().into(), file.text.as_str().into());
        Some(Spot {
            file: source.shown.as_str().into(),
            bytes: (span.start, span.end),
            start: (start.line, start.column),
            end: (end.line, end.column),
        })
    });
    (found.unwrap_or_else(|| Spot::top(&source.shown)), texts)
}
