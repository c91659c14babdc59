//! Warnings of an artifact that is up to date: they are told each time, without compiling again.

use std::sync::Arc;

use compiler::diagnostic::{Code, Severity};
use serde::{Deserialize, Serialize};

use crate::findings::{Finding, Findings, Spot};

/// A warning about the macro's own file, whose path is not kept: it is shown as the user gives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    code: String,
    message: String,
    help: Option<String>,
    mark: Mark,
    labels: Vec<(Mark, String)>,
}

/// A place: bytes, line and column of the begin, and of the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Mark((u32, u32), (u32, u32), (u32, u32));

/// The findings of a compilation as they are kept; `None` when they cannot be told again from the file alone.
pub fn keep(findings: &Findings, file: &str) -> Option<Vec<Warning>> {
    findings.list.iter().map(|finding| kept(finding, file)).collect()
}

/// Kept warnings as findings again; `None` when they are not of this program or the text is not what they were about.
pub fn tell(warnings: &[Warning], file: &str, bytes: &[u8]) -> Option<Findings> {
    let mut findings = Findings::default();
    if warnings.is_empty() {
        return Some(findings);
    }
    // Another encoding, or a mark before the text, would shift the places.
    let text = std::str::from_utf8(bytes).ok().filter(|text| !text.starts_with('\u{feff}'))?;
    let name: Arc<str> = file.into();
    let spot = |Mark(bytes, start, end): Mark| Spot { file: name.clone(), bytes, start, end };
    for warning in warnings {
        findings.list.push(Finding {
            code: *Code::ALL.iter().find(|code| code.text() == warning.code)?,
            message: warning.message.clone(),
            help: warning.help.clone(),
            spot: spot(warning.mark),
            labels: warning.labels.iter().map(|(mark, text)| (spot(*mark), text.clone())).collect(),
        });
    }
    findings.texts.insert(name.clone(), text.into());
    Some(findings)
}

fn kept(finding: &Finding, file: &str) -> Option<Warning> {
    let mark = |spot: &Spot| (&*spot.file == file).then_some(Mark(spot.bytes, spot.start, spot.end));
    if finding.code.severity() == Severity::Error {
        return None;
    }
    let labels = finding.labels.iter().map(|(spot, text)| Some((mark(spot)?, text.clone())));
    Some(Warning {
        code: finding.code.text().to_owned(),
        message: finding.message.clone(),
        help: finding.help.clone(),
        mark: mark(&finding.spot)?,
        labels: labels.collect::<Option<Vec<_>>>()?,
    })
}
