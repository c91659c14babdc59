//! The command line, declared. `spec/cli.md` describes it.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

/// Compiles GUI macros and runs them.
#[derive(Debug, Parser)]
#[command(name = "macrocli", version, propagate_version = true, arg_required_else_help = true, max_term_width = 100)]
#[command(about = "Compiles GUI macros and runs them: one YAML file becomes one checked command")]
pub struct Cli {
    /// What holds for every command.
    #[command(flatten)]
    pub globals: Globals,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// Flags that may stand anywhere.
#[derive(Clone, Debug, Args)]
pub struct Globals {
    /// Print exactly one JSON document on standard output, whatever happens
    #[arg(long, global = true, overrides_with = "json")]
    pub json: bool,
    /// Run in a simulated world: files are read, nothing is changed
    #[arg(long, global = true, overrides_with = "dry_run")]
    pub dry_run: bool,
    /// The session a run belongs to
    #[arg(long, global = true, value_name = "ID", value_parser = session_id)]
    pub session_id: Option<String>,
    /// A folder of macros to look into first; may be given several times
    #[arg(long, global = true, value_name = "DIR")]
    pub macros: Vec<PathBuf>,
    /// Colours on standard error
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Leave out progress and remarks on standard error
    #[arg(long, short, global = true, overrides_with = "quiet")]
    pub quiet: bool,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compile macros to artifacts
    Build(Build),
    /// Report the mistakes of macros, without writing anything
    Check(Check),
    /// Run a macro
    Run(Run),
    /// List the macros that can be run by name
    List,
    /// Show a macro: parameters, conditions, steps, outputs
    Info(Info),
    /// Write the skeleton of a new macro
    Define(Define),
    /// Say of each macro whether it is valid
    Validate(Validate),
    /// Print the instructions of a compiled macro
    Disasm(Target),
    /// Print what a compiled macro says of itself and what running it touches
    Inspect(Target),
    /// Say what differs between two macros, and what the second one may do that the first may not
    Diff(Diff),
    /// Explain a diagnostic code
    Explain(Explain),
    /// Show the backends and whether they can be used here
    Backends,
    /// Serve the macros as tools of the Model Context Protocol, over standard input and output
    Mcp(Mcp),
    /// Print completions for a shell
    Completions(Completions),
    /// The same commands, spelled `macro …`
    #[command(subcommand)]
    Macro(MacroVerb),
}

/// The verbs of `macro`.
#[derive(Debug, Subcommand)]
pub enum MacroVerb {
    /// Run a macro
    Run(Run),
    /// Run a macro in a simulated world
    DryRun(Run),
    /// List the macros that can be run by name
    List,
    /// Show a macro: parameters, conditions, steps, outputs
    Info(Info),
    /// Say of each macro whether it is valid
    Validate(Validate),
    /// Write the skeleton of a new macro
    Define(Define),
}

/// `build`.
#[derive(Debug, Args)]
pub struct Build {
    /// Macro files, and folders of them
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Where artifacts go
    #[arg(long, short, value_name = "DIR", default_value = "build")]
    pub output: PathBuf,
    /// Compile also what is up to date
    #[arg(long)]
    pub force: bool,
    /// How it is judged.
    #[command(flatten)]
    pub compile: Compile,
    /// How diagnostics are printed.
    #[command(flatten)]
    pub format: Format,
}

/// `check`.
#[derive(Debug, Args)]
pub struct Check {
    /// Macro files, and folders of them; `-` is standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How it is judged.
    #[command(flatten)]
    pub compile: Compile,
    /// How diagnostics are printed.
    #[command(flatten)]
    pub format: Format,
}

/// How macros are judged.
#[derive(Clone, Debug, Args)]
pub struct Compile {
    /// Treat warnings as errors
    #[arg(long, value_name = "WHAT")]
    pub deny: Option<Deny>,
    /// The machines the macros are for
    #[arg(long, value_name = "TARGET", default_value = "any", value_parser = target)]
    pub target: TargetName,
}

/// How diagnostics are printed.
#[derive(Clone, Copy, Debug, Args)]
pub struct Format {
    /// How diagnostics are printed
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
}

/// What `--deny` can deny.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Deny {
    /// Warnings.
    Warnings,
}

/// The forms of diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// With the source text, on standard error.
    Human,
    /// One line each, on standard error.
    Short,
    /// One document, on standard output.
    Json,
}

/// What `--target` accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetName {
    /// The machine macrocli runs on.
    Host,
    /// One of the compiler's targets.
    Named(compiler::Target),
}

/// `run`.
#[derive(Debug, Args)]
pub struct Run {
    /// A macro's name, or a file (.yaml, .yml, .mcb), or `-` for YAML on standard input
    #[arg(value_name = "MACRO", required_unless_present = "macro_file")]
    pub target: Option<String>,
    /// A parameter; may be given several times
    #[arg(long, short, value_name = "NAME=VALUE")]
    pub param: Vec<String>,
    /// Parameters as a JSON object: `@FILE`, `-` for standard input, or the text itself
    #[arg(long, value_name = "@FILE|-|TEXT")]
    pub params_json: Option<String>,
    /// Take parameters from the first line of standard input, as JSON, and stop the run when standard input ends
    #[arg(long, conflicts_with = "params_json")]
    pub attached: bool,
    /// A secret parameter: NAME=env:VAR, NAME=file:PATH or NAME=stdin
    #[arg(long, value_name = "NAME=SOURCE")]
    pub secret: Vec<String>,
    /// The file to run, instead of looking the name up
    #[arg(long, value_name = "FILE")]
    pub macro_file: Option<PathBuf>,
    /// Save the screen to this folder when an image is not on it
    #[arg(long, value_name = "DIR")]
    pub save_failures: Option<PathBuf>,
    /// Tell what happens while it happens, one JSON object a line, on standard error or to PATH
    #[arg(long, value_name = "ndjson[:PATH]", value_parser = events_target)]
    pub events: Option<EventsTarget>,
    /// What it may touch.
    #[command(flatten)]
    pub policy: PolicyArgs,
    /// How diagnostics are printed.
    #[command(flatten)]
    pub format: Format,
}

/// Where events go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventsTarget {
    /// Standard error.
    Stderr,
    /// A descriptor the caller opened.
    Descriptor(i32),
    /// A file or a named pipe.
    Path(PathBuf),
}

/// What macros may touch, for every command that runs some.
#[derive(Clone, Debug, Default, Args)]
pub struct PolicyArgs {
    /// Refuse whatever this file (TOML or YAML) does not allow
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Refuse whatever is not allowed: run=PROGRAM, read=PATH, write=PATH, env=NAME, window=TITLE, host=NAME, type, click, capture, model;
    /// joined by commas, may be given several times, adds to --policy
    #[arg(long, value_name = "LIST")]
    pub allow: Vec<String>,
    /// Run macros that call themselves dangerous
    #[arg(long, short)]
    pub yes: bool,
}

/// `info`.
#[derive(Debug, Args)]
pub struct Info {
    /// A macro's name or file
    #[arg(value_name = "MACRO")]
    pub target: String,
}

/// `define`.
#[derive(Debug, Args)]
pub struct Define {
    /// The new macro's name
    pub name: String,
    /// The file to write; NAME.yaml when not given
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write over a file that is there
    #[arg(long)]
    pub force: bool,
}

/// `validate`.
#[derive(Debug, Args)]
pub struct Validate {
    /// Names, files and folders; every macro that is found when there are none
    #[arg(value_name = "MACRO")]
    pub targets: Vec<String>,
}

/// A macro or artifact to look into.
#[derive(Debug, Args)]
pub struct Target {
    /// An artifact, or a macro's name or file, which is compiled first
    #[arg(value_name = "MACRO")]
    pub target: String,
}

/// `diff`.
#[derive(Debug, Args)]
pub struct Diff {
    /// The macro before: an artifact, or a macro's name or file, which is compiled first
    #[arg(value_name = "A")]
    pub before: String,
    /// The macro after
    #[arg(value_name = "B")]
    pub after: String,
    /// Fail only when the second one may do or takes more than the first
    #[arg(long)]
    pub widened: bool,
}

/// `explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// A diagnostic code, as E0101
    pub code: String,
}

/// `mcp`.
#[derive(Debug, Args)]
pub struct Mcp {
    /// What its runs may touch.
    #[command(flatten)]
    pub policy: PolicyArgs,
    /// How many macros may run at once; further calls wait
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub jobs: u16,
}

/// `completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

fn session_id(text: &str) -> Result<String, String> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let begins = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    if begins && text.len() <= 64 && text.bytes().all(allowed) && !text.contains("..") {
        return Ok(text.to_owned());
    }
    Err("a session's id is made of letters, digits, `.`, `_` and `-`, begins with a letter or digit, has no `..` and at most 64 characters"
        .to_owned())
}

fn events_target(text: &str) -> Result<EventsTarget, String> {
    let path = match text.split_once(':') {
        None if text == "ndjson" => return Ok(EventsTarget::Stderr),
        Some(("ndjson", path)) if !path.is_empty() => path,
        Some(_) | None => return Err("allowed: ndjson, ndjson:PATH".to_owned()),
    };
    let number = match path {
        "-" | "/dev/stdin" | "/dev/stdout" => Some(1),
        "/dev/stderr" => Some(2),
        _ => ["/dev/fd/", "/proc/self/fd/"]
            .iter()
            .find_map(|folder| path.strip_prefix(folder)?.parse().ok())
            .filter(|number: &i32| *number >= 0),
    };
    match number {
        None => Ok(EventsTarget::Path(PathBuf::from(path))),
        Some(0 | 1) => Err("standard output is for the result: name a file, or another descriptor".to_owned()),
        Some(2) => Ok(EventsTarget::Stderr),
        Some(number) => Ok(EventsTarget::Descriptor(number)),
    }
}

fn target(text: &str) -> Result<TargetName, String> {
    if text == "host" {
        return Ok(TargetName::Host);
    }
    compiler::Target::by_name(text).map(TargetName::Named).ok_or_else(|| {
        let names: Vec<&str> = compiler::Target::ALL.iter().map(|target| target.name()).collect();
        format!("allowed: host, {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use crate::args::{Cli, EventsTarget, events_target, session_id};

    #[test]
    fn the_declaration_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn session_ids_are_plain_names() {
        for good in ["a", "0", "a.b-c_d", &"x".repeat(64)] {
            assert!(session_id(good).is_ok(), "{good}");
        }
        for bad in ["", ".a", "-a", "a/b", "a..b", "a b", "é", &"x".repeat(65)] {
            assert!(session_id(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn events_go_where_they_harm_nothing() {
        let path = |path: &str| Ok(EventsTarget::Path(path.into()));
        for (text, target) in [
            ("ndjson", Ok(EventsTarget::Stderr)),
            ("ndjson:/dev/stderr", Ok(EventsTarget::Stderr)),
            ("ndjson:/dev/fd/2", Ok(EventsTarget::Stderr)),
            ("ndjson:/dev/fd/3", Ok(EventsTarget::Descriptor(3))),
            ("ndjson:/dev/fd/-1", path("/dev/fd/-1")),
            ("ndjson:a:b", path("a:b")),
        ] {
            assert_eq!(events_target(text), target, "{text}");
        }
        for bad in ["", "json", "ndjson:", "ndjson:-", "ndjson:/dev/stdout", "ndjson:/dev/fd/1", "ndjson:/dev/fd/0"] {
            assert!(events_target(bad).is_err(), "{bad}");
        }
    }
}
