//! Which lines are not kept: those that may have a secret in them.

use spec::sensitive::is_sensitive_name;

/// Whether a line may give values to a macro, which may be secrets as long as nobody knows what the macro declares. A line that is no
/// command, or whose quotes are not closed, is judged as well.
pub fn may_give_values(line: &str) -> bool {
    let mut words = line.split_whitespace().map(|word| word.trim_start_matches(['"', '\'', '\\']));
    let runs = words.clone().any(|word| matches!(word, "run" | "dry-run"));
    words.any(|word| gives(word) || (runs && word.contains(['=', '{', ':'])))
}

/// Whether a line has a word in it that is named like a secret: `--secret`, `password=…`, `"apiKey": …`.
pub fn names_secrets(line: &str) -> bool {
    let part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | '.');
    line.split(|character| !part(character)).any(is_sensitive_name)
}

/// Whether a word is a flag that gives values, or was meant to be one: `-p`, `-pn=1`, `-vp`, `--param`, `--params-json`, `--secret`.
fn gives(word: &str) -> bool {
    match word.strip_prefix("--") {
        Some(long) => long.starts_with("pa") || long.starts_with("sec"),
        None => word.strip_prefix('-').is_some_and(|short| short.contains('p')),
    }
}

#[cfg(test)]
mod tests {
    use crate::commands::repl::secretive::{may_give_values, names_secrets};

    #[test]
    fn lines_that_give_values_are_known() {
        for line in [
            "run m -p code=4711",
            "run m -pcode=4711",
            "run m -vp code=4711",
            "macro run m --param code=4711",
            "macro dry-run m --param=code=4711",
            "run m --params-json '{\"code\": 4711}'",
            "run m --parm code=4711",
            "run m code=4711",
            "run m '-p' code=4711",
            "run m -p 'code=4711",
            "rnu m -p code=4711",
            "run m --secret code=env:CODE",
        ] {
            assert!(may_give_values(line), "{line}");
        }
        for line in
            ["", "run m", "run m --json --dry-run", "info my-plan", "check a.yaml --deny=warnings", "last.output.n"]
        {
            assert!(!may_give_values(line), "{line}");
        }
    }

    #[test]
    fn names_of_secrets_are_found() {
        for line in [
            "run m -p password=x",
            "run m --params-json '{\"login\": {\"apiKey\": \"x\"}}'",
            "run m --secret code=env:CODE",
            "assist m --api-key env:KEY",
            "run m -p pin=1",
        ] {
            assert!(names_secrets(line), "{line}");
        }
        for line in ["", "run m -p max_tokens=5", "run m -p password_file=x", "run m -p n=first"] {
            assert!(!names_secrets(line), "{line}");
        }
    }
}
