//! Diagnostics for people: the source text with the place underlined, or one line each.

use std::collections::HashSet;

use ariadne::{Config, IndexType, Label, Report, ReportKind, sources};
use compiler::diagnostic::Severity;

use crate::args::MessageFormat;
use crate::findings::{Finding, Findings, Spot};
use crate::print::document;
use crate::print::escape;
use crate::print::screen::Screen;

/// Prints diagnostics in the form that is wanted: text on standard error, a document on standard output.
pub fn show(screen: &Screen, findings: &Findings, format: MessageFormat) {
    match format {
        MessageFormat::Json => screen.document(&document::diagnostics(findings)),
        MessageFormat::Short => screen.err(&short(findings)),
        MessageFormat::Human => screen.err(&human(findings, screen.color)),
    }
}

/// One line each.
pub fn short(findings: &Findings) -> String {
    findings.list.iter().map(|finding| format!("{}\n", escape::line(&finding.short()))).collect()
}

/// How many findings are drawn; whoever has more reads the rest in one line each.
const DRAWN: usize = 100;

/// With the source text.
pub fn human(findings: &Findings, color: bool) -> String {
    let drawn = findings.list.get(..DRAWN).unwrap_or(&findings.list);
    let wanted: HashSet<&str> = drawn
        .iter()
        .flat_map(|finding| std::iter::once(&finding.spot).chain(finding.labels.iter().map(|(spot, _)| spot)))
        .map(|spot| &*spot.file)
        .collect();
    let texts = findings.texts.iter().filter(|(file, _)| wanted.contains(&***file));
    let texts: Vec<(String, String)> =
        texts.map(|(file, text)| (escape::line(file), escape::same_length(text))).collect();
    let known: Vec<String> = texts.iter().map(|(file, _)| file.clone()).collect();
    let mut cache = sources(texts);
    let mut out = Vec::new();
    for (nth, finding) in findings.list.iter().enumerate() {
        let file = escape::line(&finding.spot.file);
        let drawn = nth < DRAWN && known.contains(&file) && report(finding, color).write(&mut cache, &mut out).is_ok();
        if !drawn {
            out.extend(format!("{}\n", escape::line(&finding.short())).into_bytes());
            let help = finding.help.iter().map(|help| format!("  help: {}\n", escape::line(help)));
            out.extend(help.collect::<String>().into_bytes());
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn report(finding: &Finding, color: bool) -> Report<'_, (String, std::ops::Range<usize>)> {
    let (kind, tint) = match finding.code.severity() {
        Severity::Error => (ReportKind::Error, ariadne::Color::Red),
        Severity::Warning => (ReportKind::Warning, ariadne::Color::Yellow),
    };
    let place = |spot: &Spot| (escape::line(&spot.file), spot.range());
    let config = Config::default().with_index_type(IndexType::Byte).with_color(color);
    let mut report = Report::build(kind, place(&finding.spot))
        .with_config(config)
        .with_code(finding.code)
        .with_message(escape::line(&finding.message));
    // A place without a remark would be left out of the drawing.
    report = report.with_label(Label::new(place(&finding.spot)).with_message(finding.code.title()).with_color(tint));
    for (spot, message) in &finding.labels {
        report = report
            .with_label(Label::new(place(spot)).with_message(escape::line(message)).with_color(ariadne::Color::Blue));
    }
    if let Some(help) = &finding.help {
        report = report.with_help(escape::lines(help));
    }
    report.finish()
}
