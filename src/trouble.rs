//! Why a command could not do its work: one type for every command, so that each outcome has a document and an exit code.

use vm::failure::Failure;

use crate::exit::Exit;
use crate::findings::Findings;

/// Why a command could not do its work.
#[derive(Debug)]
pub struct Trouble {
    /// One sentence, lower case, names in backticks, no full stop.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// The stable word in `error_code`.
    pub word: &'static str,
    /// The exit code.
    pub exit: Exit,
    /// What is wrong in macro files, where that is the reason.
    pub findings: Box<Findings>,
    /// The macro it is about, where one is known.
    pub macro_name: Option<String>,
}

impl Trouble {
    /// The command line, a parameter or a secret is wrong, or there is no such macro or file.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(message, "usage", Exit::USAGE)
    }

    /// The system refused to read or write.
    pub fn io(message: impl Into<String>) -> Self {
        Self::new(message, "io_error", Exit::FAILED)
    }

    /// Nobody allowed it.
    pub fn refused(message: impl Into<String>) -> Self {
        Self::new(message, "refused", Exit::REFUSED)
    }

    /// An artifact cannot be used.
    pub fn bad_artifact(message: impl Into<String>) -> Self {
        Self::new(message, "bad_artifact", Exit::BAD_ARTIFACT)
    }

    /// A macro has mistakes.
    pub fn diagnostics(findings: Findings) -> Self {
        let message = findings.summary();
        Self { findings: Box::new(findings), ..Self::new(message, "diagnostics", Exit::DIAGNOSTICS) }
    }

    /// Something failed in the world.
    pub fn failure(failure: &Failure) -> Self {
        let exit = Exit(u8::try_from(failure.kind.exit_code()).unwrap_or(Exit::FAILED.0));
        Self::new(failure.message.as_str(), failure.kind.code(), exit).hint_if(failure.hint.clone())
    }

    /// macrocli itself is wrong.
    pub fn bug(said: &str) -> Self {
        let message = format!("macrocli has a bug: {said}");
        Self::new(message, "internal", Exit::INTERNAL).hint("please report it, with the macro and the command line")
    }

    /// Adds what to do.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds what to do, where there is something to say.
    pub fn hint_if(mut self, hint: Option<String>) -> Self {
        self.hint = hint.or(self.hint);
        self
    }

    /// Says which macro it is about.
    pub fn about(mut self, name: impl Into<String>) -> Self {
        self.macro_name = Some(name.into());
        self
    }

    fn new(message: impl Into<String>, word: &'static str, exit: Exit) -> Self {
        Self { message: message.into(), hint: None, word, exit, findings: Box::default(), macro_name: None }
    }
}
