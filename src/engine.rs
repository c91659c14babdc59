//! The only place that calls the artifact codec and the machine.

use std::io::ErrorKind;

use compiler::Target;
use spec::action::Backend;
use spec::artifact::{Artifact, MAGIC};
use vm::dry_run::DryRun;
use vm::model::Needs;
use vm::process::Interrupt;
use vm::real::RealWorld;
use vm::report::Report;
use vm::simulated::Simulated;
use vm::world::{Availability, World};

pub use spec::artifact::FORMAT_VERSION;
pub use vm::machine::{Given, Inputs, Observer};
pub use vm::program::Program;
pub use vm::real::Options;

/// Where an artifact's header has its content hash.
const HASH: std::ops::Range<usize> = 16..48;

/// Whether a run only pretends.
#[derive(Clone, Debug)]
pub enum Pretend {
    /// The simulated world.
    Yes,
    /// The real one, used in this way.
    No(Options),
}

/// The artifact as bytes.
pub fn to_bytes(artifact: &Artifact) -> Vec<u8> {
    artifact.to_bytes()
}

/// Reads an artifact; what it says is not checked.
///
/// # Errors
/// Why the bytes are none, in words.
pub fn artifact(bytes: &[u8]) -> Result<Artifact, String> {
    Artifact::from_bytes(bytes).map_err(|error| error.to_string())
}

/// Loads and verifies an artifact.
///
/// # Errors
/// Why the bytes are no program, in words.
pub fn load(bytes: &[u8]) -> Result<Program, String> {
    vm::load::load(bytes).map_err(|error| error.to_string())
}

/// What the first bytes of a file and its length tell of an artifact before it is read.
///
/// # Errors
/// Why it is none, in words.
pub fn check_head(head: &[u8], length: u64) -> Result<(), String> {
    spec::artifact::check_head(head, length).map_err(|error| error.to_string())
}

/// Verifies a compiled macro.
///
/// # Errors
/// Why the machine refuses it, in words: it is larger than a limit, or the compiler is wrong.
pub fn verify(artifact: Artifact) -> Result<Program, String> {
    vm::verify::verify(artifact).map_err(|error| error.to_string())
}

/// What a program was made of.
pub fn contents(program: &Program) -> &Artifact {
    program.artifact()
}

/// The instructions as text.
pub fn disassemble(artifact: &Artifact) -> String {
    artifact.disassemble()
}

/// The content hash in an artifact's header, in hexadecimal.
pub fn content_hash(bytes: &[u8]) -> String {
    bytes.get(HASH).unwrap_or_default().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether bytes begin as an artifact does.
pub fn is_artifact(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Whether each backend can be used here.
///
/// # Errors
/// The system has no descriptor left, in words.
pub fn availability() -> Result<Vec<(Backend, Availability)>, String> {
    let interrupt = Interrupt::new().map_err(|error| format!("nothing can be waited for: {error}"))?;
    let mut world = RealWorld::new();
    Ok(Backend::ALL.iter().map(|backend| (*backend, world.availability(*backend, &interrupt))).collect())
}

/// The target macrocli itself runs on.
pub fn host() -> Target {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if cfg!(target_os = "macos") {
        Target::MacOs
    } else if cfg!(windows) {
        Target::Windows
    } else if set("WAYLAND_DISPLAY") {
        Target::LinuxWayland
    } else if set("DISPLAY") {
        Target::LinuxX11
    } else {
        Target::LinuxHeadless
    }
}

/// What signals raise from now on, until [`Interrupt::release`].
///
/// # Errors
/// Why signals cannot be handled, in words.
pub fn interrupt() -> Result<Interrupt, String> {
    let interrupt = match Interrupt::install() {
        Err(error) if error.kind() == ErrorKind::Unsupported => Interrupt::new(),
        other => other,
    };
    interrupt.map_err(|error| format!("signals cannot be handled: {error}"))
}

/// Runs a program until it ends or a signal asks it to.
///
/// # Errors
/// Why signals cannot be handled, in words: a run that could not be stopped is not begun.
pub fn run(program: &Program, inputs: Inputs, pretend: Pretend, observer: &mut dyn Observer) -> Result<Report, String> {
    let interrupt = interrupt()?;
    let mut world: Box<dyn World> = match pretend {
        Pretend::Yes => Box::new(DryRun::new(Simulated::default())),
        Pretend::No(options) => {
            let model = Needs::of(&program.artifact().manifest);
            Box::new(RealWorld::with(Options { model, ..options }))
        }
    };
    let report = vm::machine::run(program, inputs, world.as_mut(), &interrupt, observer);
    // What a world puts back when it ends is not to be cut short by a second signal.
    drop(world);
    Interrupt::release();
    Ok(report)
}
