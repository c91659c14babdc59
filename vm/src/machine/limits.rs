//! What a run may use at most; beyond it, the run fails instead of growing or running on.

/// Bytes of one text.
pub const TEXT_BYTES: usize = 64 << 20;
/// Elements of one list, and entries of one dict.
pub const ELEMENTS: usize = 1_000_000;
/// The greatest argument of `range`.
pub const RANGE: i64 = 100_000;
/// Turns of one loop.
pub const TURNS: usize = 10_000;
/// Steps begun in one run; each turn of a loop and each step of a called macro counts.
pub const STEPS: usize = 100_000;
/// Bytes of all values one run makes, whether it still holds them or not.
pub const RUN_BYTES: usize = 1 << 30;
/// Instructions of one run: more than the greatest number of steps can need.
pub const INSTRUCTIONS: u64 = 20_000_000;
/// Macros inside each other.
pub const CALL_DEPTH: usize = 64;
/// Lists and dicts inside each other.
pub const VALUE_DEPTH: usize = 128;
/// Microseconds that all `finally` blocks together may take when a failure ends a run.
pub const FINALLY_US: u64 = 60_000_000;
/// Microseconds a condition outside steps may take to be looked at.
pub const LOOK_US: u64 = 30_000_000;
