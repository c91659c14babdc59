//! The only place that calls the artifact codec and the machine.
//!
//! What is marked STAND-IN is replaced by one call when the part it stands for is merged; the signatures stay.

use compiler::Target;
use spec::action::Backend;
use spec::artifact::Artifact;
use vm::report::{Report, StepReport};
use vm::world::Availability;

/// What a run is given. STAND-IN for `vm::machine::Inputs`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    /// Values by the parameters' names.
    pub given: Vec<(String, Given)>,
    /// Names of given values that must never be shown, whatever the macro declares.
    pub secrets: Vec<String>,
}

/// A given value. STAND-IN for `vm::machine::Given`.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// Text, read as the declared type is written (`--param name=text`).
    Text(String),
    /// A JSON value, which has a type of its own (`--params-json`).
    Json(spec::value::Value),
}

/// Is told what a run does. STAND-IN for `vm::machine::Observer`.
pub trait Observer {
    /// A step begins; `iteration` is the turn of its loop, from 0.
    fn step_started(&mut self, _id: &str, _iteration: Option<usize>) {}
    /// A step ended.
    fn step_finished(&mut self, _step: &StepReport) {}
    /// Something was forgiven.
    fn warned(&mut self, _warning: &str) {}
}

/// A program that may be run. STAND-IN for `vm::program::Program`.
pub struct Program {
    artifact: Artifact,
}

/// The artifact as bytes. STAND-IN for `artifact.to_bytes()`.
pub fn to_bytes(artifact: &Artifact) -> Vec<u8> {
    format!("STAND-IN {artifact:?}").into_bytes()
}

/// Reads an artifact. STAND-IN for `Artifact::from_bytes`.
///
/// # Errors
/// Why the bytes are none, in words.
pub fn artifact(_bytes: &[u8]) -> Result<Artifact, String> {
    Err("the reader of artifacts is not built in".to_owned())
}

/// Loads and verifies an artifact. STAND-IN for `vm::load::load`.
///
/// # Errors
/// Why the bytes are no program, in words.
pub fn load(bytes: &[u8]) -> Result<Program, String> {
    artifact(bytes).map(|artifact| Program { artifact })
}

/// Verifies a compiled macro. STAND-IN for `vm::load::load(&artifact.to_bytes())`.
///
/// # Errors
/// Why the machine refuses it, in words: a bug of the compiler.
pub fn verify(artifact: &Artifact) -> Result<Program, String> {
    Ok(Program { artifact: artifact.clone() })
}

/// What a program was made of. STAND-IN for `program.artifact()`.
pub fn contents(program: &Program) -> &Artifact {
    &program.artifact
}

/// The instructions as text. STAND-IN for `artifact.disassemble()`.
pub fn disassemble(artifact: &Artifact) -> String {
    artifact.code.iter().map(|op| format!("{op:?}\n")).collect()
}

/// The content hash in an artifact's header, in hexadecimal. STAND-IN for the header's own.
pub fn content_hash(bytes: &[u8]) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(bytes))
}

/// The version of the artifact format. STAND-IN for the codec's constant.
pub const FORMAT_VERSION: u16 = 1;

/// Whether bytes begin as an artifact does. STAND-IN for the codec's magic.
pub fn is_artifact(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89MCB") || bytes.starts_with(b"MCB")
}

/// Whether a backend can be used here. STAND-IN for `vm::real::RealWorld::availability`.
pub fn availability(backend: Backend) -> Availability {
    match backend {
        Backend::NativeApi | Backend::FileTransform => Availability::Available,
        Backend::GuiMacro | Backend::VisualAnchor | Backend::GuiAgent | Backend::SemanticUi => {
            Availability::Unavailable { reason: "not built in yet".to_owned(), install_hint: None }
        }
    }
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

/// Runs a program, in the simulated world when `pretend` says so. STAND-IN for `vm::machine::run`.
///
/// # Errors
/// Why the world or the signal handlers could not be set up, in words.
pub fn run(
    program: &Program,
    _inputs: Inputs,
    pretend: Pretend,
    _observer: &mut dyn Observer,
) -> Result<Report, String> {
    let failure = vm::failure::Failure::new(vm::failure::FailureKind::Refused, "the machine is not built in");
    Ok(Report {
        macro_name: program.artifact.meta.name.clone(),
        failure: Some(vm::report::RunFailure { failure, step: None, place: None }),
        results: spec::value::Dict::new(),
        warnings: Vec::new(),
        steps: Vec::new(),
        not_evaluated: Vec::new(),
        duration_us: 0,
        steps_total: program.artifact.steps.len(),
        simulated: pretend == Pretend::Yes,
    })
}

/// Whether a run only pretends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pretend {
    /// The simulated world.
    Yes,
    /// The real one.
    No,
}
