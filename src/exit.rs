//! Exit codes of the process; `spec/cli.md` has the table. Those of runs come from the failure itself.

/// An exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit(pub u8);

impl Exit {
    /// Done.
    pub const OK: Exit = Exit(0);
    /// What was asked for could not be done.
    pub const FAILED: Exit = Exit(1);
    /// The command line, a parameter or a secret is wrong; there is no such macro or file.
    pub const USAGE: Exit = Exit(2);
    /// A macro has errors.
    pub const DIAGNOSTICS: Exit = Exit(3);
    /// It may not be done.
    pub const REFUSED: Exit = Exit(6);
    /// An artifact is damaged, foreign or too new.
    pub const BAD_ARTIFACT: Exit = Exit(8);
    /// A bug of macrocli.
    pub const INTERNAL: Exit = Exit(70);

    /// The code of a run; what no process can answer becomes the code of a bug.
    pub fn of_run(code: i32) -> Exit {
        u8::try_from(code).map_or(Exit::INTERNAL, Exit)
    }
}
