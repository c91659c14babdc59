//! What is known before an instruction, whatever way led there.

/// The state of a macro between two instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// How many values are on the stack.
    pub depth: u32,
    /// The open step.
    pub step: Option<Open>,
    /// The `next` of the running loop.
    pub turn: Option<u32>,
    /// How far the `finally` block is.
    pub guard: Guard,
}

/// An open step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// The step.
    pub step: u32,
    /// The instruction after it.
    pub end: u32,
    /// How far it is.
    pub stage: Stage,
}

/// How far a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Begun; nothing was tried.
    Begun,
    /// In the try that begins there; nothing was done.
    Trying(u32),
    /// In the try that begins there; the action or call is done.
    Acted(u32),
    /// In the handler of the try that begins there.
    Handling(u32),
    /// In the handler, past the retries.
    GivenUp,
    /// In the fallback's try; nothing was done.
    Falling,
    /// In the fallback's try; the action is done.
    FallbackActed,
    /// In the fallback's handler.
    Fallen,
    /// A try has succeeded.
    Done,
}

/// How far the `finally` block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Not guarded yet.
    None,
    /// A failure goes to the `finally` there.
    Armed(u32),
    /// Inside the block.
    Inside,
    /// Past the block.
    Past,
}

impl State {
    /// At the first instruction of a macro.
    pub const START: State = State { depth: 0, step: None, turn: None, guard: Guard::None };
}
