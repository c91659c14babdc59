//! Diagnostics as JSON: `macrocli.diagnostics/1`.

use serde_json::{Value, json};

use crate::findings::{Finding, Findings, Spot};

/// The document `check` prints.
pub fn diagnostics(findings: &Findings) -> Value {
    json!({"schema": "macrocli.diagnostics/1", "diagnostics": list(findings)})
}

/// The list alone, for documents that have other things to say too.
pub fn list(findings: &Findings) -> Value {
    findings.list.iter().map(one).collect()
}

fn one(finding: &Finding) -> Value {
    let mut entry = json!({
        "code": finding.code.text(),
        "severity": finding.code.severity().name(),
        "message": finding.message,
    });
    place(&mut entry, &finding.spot);
    entry["help"] = finding.help.clone().into();
    let label = |(spot, message): &(Spot, String)| {
        let mut entry = json!({"message": message});
        place(&mut entry, spot);
        entry
    };
    entry["labels"] = finding.labels.iter().map(label).collect();
    entry
}

fn place(entry: &mut Value, spot: &Spot) {
    entry["file"] = (&*spot.file).into();
    (entry["line"], entry["column"]) = (spot.start.0.into(), spot.start.1.into());
    (entry["end_line"], entry["end_column"]) = (spot.end.0.into(), spot.end.1.into());
}
