//! `explain`: what a diagnostic code means, from the page that describes all of them.

use compiler::diagnostic::Code;
use serde_json::json;
use spec::grammar::nearest::nearest;

use crate::args::Explain;
use crate::commands::Context;
use crate::exit::Exit;
use crate::trouble::Trouble;

/// One section for each code: `## E0101 title`, cause, a failing example and its mended form.
const PAGE: &str = include_str!("../../spec/checks.md");

/// Explains a code.
pub fn explain(context: &Context<'_>, args: &Explain) -> Result<Exit, Trouble> {
    let wanted = args.code.trim().to_ascii_uppercase();
    let Some(code) = Code::ALL.iter().find(|code| code.text() == wanted) else {
        let near = nearest(&wanted, Code::ALL.iter().map(|code| code.text()));
        let hint = near
            .map_or_else(|| "codes look like `E0101` or `W0101`".to_owned(), |near| format!("did you mean `{near}`?"));
        return Err(Trouble::usage(format!("unknown code `{}`", args.code)).hint(hint));
    };
    let text = section(PAGE, code.text()).map(readable).unwrap_or_default();
    if context.screen.json {
        context.screen.document(&json!({
            "schema": "macrocli.explain/1",
            "code": code.text(),
            "severity": code.severity().name(),
            "title": code.title(),
            "text": text,
        }));
    } else {
        context.screen.out(&format!("{} ({}): {}\n", code.text(), code.severity().name(), code.title()));
        if !text.is_empty() {
            context.screen.out(&format!("\n{text}\n"));
        }
    }
    Ok(Exit::OK)
}

/// Marks that the page's test reads become words: `<!-- fails -->` is "fails:".
fn readable(text: &str) -> String {
    let word = |line: &str| {
        let mark = line.trim().strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"));
        mark.map_or_else(|| line.to_owned(), |mark| format!("{}:", mark.trim()))
    };
    text.lines().map(word).collect::<Vec<_>>().join("\n")
}

/// The text below the heading of a code, up to the next heading of that rank.
fn section<'a>(page: &'a str, code: &str) -> Option<&'a str> {
    let heading = format!("## {code}");
    let starts = |at: &usize| *at == 0 || page.as_bytes().get(at - 1) == Some(&b'\n');
    let at = page.match_indices(&heading).map(|(at, _)| at).find(starts)?;
    let body = page.get(at..)?.split_once('\n').map_or("", |(_, body)| body);
    let end = body.find("\n## ").unwrap_or(body.len());
    body.get(..end).map(str::trim)
}

#[cfg(test)]
mod tests {
    use crate::commands::explain::{readable, section};

    #[test]
    fn a_section_ends_at_the_next() {
        let page = "# Checks\n\n## E0001 a\ntext ## E0002\n### sub\n\n## E0002 b\nlast";
        assert_eq!(section(page, "E0001"), Some("text ## E0002\n### sub"));
        assert_eq!(section(page, "E0002"), Some("last"));
        assert_eq!(section(page, "E0003"), None);
        assert_eq!(readable("a\n<!-- fails -->\nb"), "a\nfails:\nb");
    }
}
