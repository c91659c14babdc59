//! The reference page of the table in [`crate::isa`], as Markdown: `spec/isa.md` is this text.

use std::fmt::Write;

use crate::action::{Action, Backend, Effect, Literal, Presence};
use crate::condition::Condition;
use crate::function::Function;
use crate::kind::Shape;
use crate::op::Op;

/// The page: instructions, conditions, functions, and the actions of every backend with their parameters and outputs.
pub fn isa_markdown() -> String {
    let mut page = "\
# Instructions, conditions, functions and actions

Made from the table in `spec/src/isa.rs`; `UPDATE=1 cargo test -p macrocli-spec` writes it anew. Numbers are what artifacts hold; they are
never given to anything else.

"
    .to_owned();
    instructions(&mut page);
    conditions(&mut page);
    functions(&mut page);
    for backend in Backend::ALL {
        actions(*backend, &mut page);
    }
    page
}

fn instructions(page: &mut String) {
    page.push_str(
        "## Instructions\n\nAn instruction is its number, one byte, and its operands in order, little-endian.\n\n",
    );
    page.push_str("| number | mnemonic | operands | meaning |\n|---|---|---|---|\n");
    for row in Op::TABLE {
        let operands: Vec<String> = row.operands.iter().map(|(name, kind)| format!("{name}: {kind}")).collect();
        line(
            page,
            format_args!(
                "| `{:#04x}` | `{}` | {} | {} |",
                row.number,
                row.mnemonic,
                operands.join(", "),
                cell(row.doc)
            ),
        );
    }
    page.push_str(
        "
| operand | bytes | what it is |
|---|---|---|
| Const | 4 | a constant of the artifact |
| Slot | 2 | a variable of the running macro; its parameters come first |
| Count | 2 | how many values are taken |
| Label | 4 | an instruction, by its place in the whole code |
| Step, Route, Callee | 4 | a record of the artifact |
| Index | 2 | an output of what was just done, or a result of the macro |
| Mask | 8 | which parameters are given: bit `n` is the parameter in place `n`, the values are in rising order |
| Phase | 1 | 1 precondition, 2 postcondition, 3 verify |
| Setting | 1 | 1 retries, 2 backoff, 3 within, 4 on_failure |
| Condition, Function | 1 | a number of the tables below |

",
    );
}

fn conditions(page: &mut String) {
    page.push_str("## Conditions\n\n`not`, `any` and `all` are made of jumps.\n\n| number | name | arguments | holds when |\n|---|---|---|---|\n");
    for condition in Condition::ALL {
        let arguments: Vec<String> = condition
            .operands()
            .iter()
            .map(|operand| format!("{}: {}", operand.name, operand.shape.expected()))
            .collect();
        let (number, name, doc) = (*condition as u8, condition.name(), cell(condition.doc()));
        line(page, format_args!("| `{number:#04x}` | `{name}` | {} | {doc} |", arguments.join(", ")));
    }
    page.push('\n');
}

fn functions(page: &mut String) {
    page.push_str("## Functions\n\n| number | function | meaning |\n|---|---|---|\n");
    for function in Function::ALL {
        let arguments: Vec<String> = function.arguments().iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
        let (number, name, result) = (*function as u8, function.name(), function.result());
        let doc = cell(function.doc());
        line(page, format_args!("| `{number:#04x}` | `{name}({}) -> {result}` | {doc} |", arguments.join(", ")));
    }
    page.push('\n');
}

fn actions(backend: Backend, page: &mut String) {
    line(page, format_args!("## {} (priority {})\n\n{}\n", backend.name(), backend.priority(), backend.doc().trim()));
    for action in backend.actions() {
        one_action(*action, page);
    }
}

fn one_action(action: Action, page: &mut String) {
    line(page, format_args!("### {}.{}\n\n{}\n", action.backend().name(), action.name(), action.doc().trim()));
    let effect = match action.effect() {
        Effect::Reads => "observes only",
        Effect::Writes => "can be repeated without harm",
        Effect::Acts => "must not be repeated blindly",
    };
    let same: Vec<String> =
        action.equivalents().iter().map(|other| format!("`{}.{}`", other.backend().name(), other.name())).collect();
    let same = if same.is_empty() { String::new() } else { format!("; same as {}", same.join(", ")) };
    line(page, format_args!("Number `{:#04x}`; {effect}{same}.\n", action as u8));
    if !action.parameters().is_empty() {
        page.push_str("| parameter | kind | takes | when not given | meaning |\n|---|---|---|---|---|\n");
        for one in action.parameters() {
            let secret = if one.confidential { ", may be secret" } else { "" };
            let (takes, absent) = (format!("{}{secret}", takes(one.shape)), absent(one.presence));
            line(page, format_args!("| `{}` | {} | {takes} | {absent} | {} |", one.name, one.kind, cell(one.doc)));
        }
        page.push('\n');
    }
    if !action.outputs().is_empty() {
        page.push_str("| output | type | meaning |\n|---|---|---|\n");
        for one in action.outputs() {
            let ty = if one.maybe { format!("{} or absent", one.ty) } else { one.ty.to_string() };
            line(page, format_args!("| `{}` | {ty} | {} |", one.name, cell(one.doc)));
        }
        page.push('\n');
    }
}

fn takes(shape: Shape) -> String {
    cell(&shape.expected())
}

fn absent(presence: Presence) -> String {
    match presence {
        Presence::Required => "required".to_owned(),
        Presence::Optional => "absent".to_owned(),
        Presence::Filled => "made by the compiler, never written".to_owned(),
        Presence::Same(other) => format!("as `{other}`"),
        Presence::Default(literal) => match literal {
            Literal::Bool(value) => format!("`{value}`"),
            Literal::Int(value) => format!("`{value}`"),
            Literal::Float(value) => format!("`{value:?}`"),
            Literal::Text(value) => format!("`\"{value}\"`"),
            Literal::Ints(values) => format!("`{values:?}`"),
        },
    }
}

fn cell(text: &str) -> String {
    text.trim().replace('|', "\\|")
}

fn line(page: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a text cannot fail.
    let _ = writeln!(page, "{line}");
}

#[cfg(test)]
mod tests {
    use super::isa_markdown;

    #[test]
    fn the_page_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/isa.md");
        let page = format!("{}\n", isa_markdown().trim_end());
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(path, &page).unwrap();
        }
        assert!(
            std::fs::read_to_string(path).is_ok_and(|found| found == page),
            "`spec/isa.md` is old: run with UPDATE=1"
        );
    }
}
