//! Consent to macros that call themselves dangerous.

use std::io::{BufRead, IsTerminal, Write};

use spec::artifact::Artifact;
use spec::danger::DangerLevel;
use vm::policy::Policy;

use crate::danger;
use crate::print::escape;
use crate::print::screen::Screen;
use crate::trouble::Trouble;

/// Whether a macro may run although it, or a macro it calls, has `danger_level: dangerous` among its hints: with `--yes`, with the consent of a
/// policy, or when somebody at a terminal says so. A policy that forbids it has the last word.
///
/// # Errors
/// [`Trouble::refused`]: nobody consented.
pub fn consent(artifact: &Artifact, policy: Option<&Policy>, yes: bool, screen: &Screen) -> Result<(), Trouble> {
    if danger::of(artifact) < DangerLevel::Dangerous {
        return Ok(());
    }
    let name = artifact.meta.name.as_str();
    let consent = policy.and_then(Policy::dangerous);
    if consent == Some(false) {
        let trouble = Trouble::refused(format!("macro `{name}` calls itself dangerous, and the policy forbids that"));
        return Err(trouble.hint("set `dangerous = true` in the policy").about(name));
    }
    if yes || consent == Some(true) || (!screen.json && asked(name)) {
        return Ok(());
    }
    let trouble = Trouble::refused(format!("macro `{name}` calls itself dangerous, and nobody consented to run it"));
    Err(trouble
        .hint("run it with `--yes`, set `dangerous = true` in a policy, or see what it does: `--dry-run`")
        .about(name))
}

/// Asks, when there is somebody to ask.
fn asked(name: &str) -> bool {
    let (stdin, mut stderr) = (std::io::stdin(), std::io::stderr());
    if !stdin.is_terminal() || !stderr.is_terminal() {
        return false;
    }
    let question = format!("Macro `{}` calls itself dangerous. Run it? [y/N] ", escape::line(name));
    if stderr.write_all(question.as_bytes()).and_then(|()| stderr.flush()).is_err() {
        return false;
    }
    let mut answer = String::new();
    stdin
        .lock()
        .read_line(&mut answer)
        .is_ok_and(|_| matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
