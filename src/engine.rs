//! The only place that calls the artifact codec and the machine.

use std::io::{self, ErrorKind};

use compiler::Target;
use spec::action::Backend;
use spec::artifact::{Artifact, Capability, MAGIC};
use vm::dry_run::DryRun;
use vm::failure::{Failure, FailureKind};
use vm::guard::Guarded;
use vm::model::Needs;
use vm::need::{Need, Refusal};
use vm::policy::Policy;
use vm::process::Interrupt;
use vm::real::RealWorld;
use vm::report::Report;
use vm::simulated::Simulated;
use vm::world::{Availability, World};

pub use spec::artifact::FORMAT_VERSION;
pub use vm::capture::{Part, Shot};
pub use vm::machine::{Beginning, Given, Inputs, Observer, Pause, Trial};
pub use vm::program::Program;
pub use vm::real::Options;

/// The number of the signal that asks to stop.
const SIGTERM: i32 = 15;

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
    spec::artifact::written_hash(bytes)
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

/// Looks at the screen, if the policy allows it.
///
/// # Errors
/// Why nothing can be seen.
pub fn capture(part: &Part, policy: Option<&Policy>) -> Result<Shot, Failure> {
    if let Some(policy) = policy {
        let window = match part {
            Part::Window(title) => Some(Need::named(Capability::Window, title.as_str())),
            Part::Screen | Part::Area { .. } => None,
        };
        let needs = window.into_iter().chain([Need::named(Capability::Capture, "")]);
        let refusals: Vec<Refusal> = needs.filter_map(|need| policy.judge(&need).err()).collect();
        if !refusals.is_empty() {
            return Err(vm::need::refused(&refusals));
        }
    }
    let interrupt = Interrupt::new()
        .map_err(|error| Failure::new(FailureKind::Limit, format!("nothing can be waited for: {error}")))?;
    vm::capture::capture(part, &interrupt)
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

/// Asks the run to stop, as SIGTERM does, when standard input ends: whoever holds the other end has gone away.
///
/// # Errors
/// Why nothing can be asked, in words.
pub fn stop_when_input_ends() -> Result<(), String> {
    let interrupt = interrupt()?;
    let watch = move || {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        interrupt.raise(SIGTERM);
    };
    let watcher = std::thread::Builder::new().spawn(watch);
    watcher.map(drop).map_err(|error| format!("standard input cannot be watched: {error}"))
}

/// Has signals stop what runs, and nothing else, until [`stop_listening`]; those that came before are forgotten.
pub fn listen() {
    // Where signals cannot be handled, they do what they do by default.
    if let Ok(interrupt) = Interrupt::install() {
        interrupt.clear();
    }
}

/// Has signals end the process again; the last one that came, by its number.
pub fn stop_listening() -> Option<i32> {
    let raised = Interrupt::install().ok().and_then(|interrupt| interrupt.raised());
    Interrupt::release();
    raised
}

/// Runs a program until it ends or a signal asks it to. From then on signals are listened to, until [`stop_listening`]. With a policy, only what
/// that allows is touched.
///
/// # Errors
/// Why signals cannot be handled, in words: a run that could not be stopped is not begun.
pub fn run(
    program: &Program,
    inputs: Inputs,
    pretend: Pretend,
    policy: Option<Policy>,
    observer: &mut dyn Observer,
) -> Result<Report, String> {
    let interrupt = interrupt()?;
    let mut world: Box<dyn World> = match pretend {
        Pretend::Yes => Box::new(DryRun::new(Simulated::default())),
        Pretend::No(options) => {
            let model = Needs::of(&program.artifact().manifest);
            Box::new(RealWorld::with(Options { model, ..options }))
        }
    };
    if let Some(policy) = policy {
        world = Box::new(Guarded::new(world, policy));
    }
    let report = vm::machine::run(program, inputs, world.as_mut(), &interrupt, observer);
    // What a world puts back when it ends is not to be cut short by a second signal.
    drop(world);
    Ok(report)
}

/// What asks the runs of this process to stop: what signals raise from now on, until [`stop_listening`].
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
