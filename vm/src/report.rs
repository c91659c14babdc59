//! What a run was: the data behind the JSON document that `run --json` prints.

use spec::artifact::Place;
use spec::value::{Dict, Value};

use crate::failure::Failure;

/// A finished run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The macro's name.
    pub macro_name: String,
    /// Why the run failed; `None` is success.
    pub failure: Option<RunFailure>,
    /// The declared results, by name.
    pub results: Dict,
    /// What did not go as written and was forgiven.
    pub warnings: Vec<String>,
    /// Every step that was run, skipped or forgiven, in order, then those that were not reached.
    pub steps: Vec<StepReport>,
    /// Postconditions and verifications that a simulated world could not evaluate.
    pub not_evaluated: Vec<String>,
    /// The whole run, in microseconds.
    pub duration_us: u64,
    /// How many steps the macro has, those of called macros included, each once.
    pub steps_total: usize,
    /// Whether the world was a simulated one.
    pub simulated: bool,
}

/// Why and where a run failed.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFailure {
    /// The reason.
    pub failure: Failure,
    /// The step that failed, as in its report; `None` outside steps.
    pub step: Option<String>,
    /// Where the macro says so.
    pub place: Option<SourcePlace>,
}

/// A place in a named source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The file, relative to the folder of the macro that runs.
    pub file: String,
    /// The range in it.
    pub place: Place,
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It did what it should.
    Ok,
    /// It failed, and the macro stopped or went on with a warning.
    Failed,
    /// Its `when` was false, or its failure was forgiven by `on_failure: skip`.
    Skipped,
    /// The run ended before it.
    NotRun,
}

impl Status {
    /// The word in a result.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Failed => "failed",
            Status::Skipped => "skipped",
            Status::NotRun => "not_run",
        }
    }
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// The step's id; steps of called macros are `call/inner`.
    pub id: String,
    /// Which turn of its loop, from 0.
    pub iteration: Option<usize>,
    /// How it ended.
    pub status: Status,
    /// The outputs of its last try, by name; of a failed step, what there was.
    pub output: Dict,
    /// Why it failed, also when that was forgiven.
    pub failure: Option<Failure>,
    /// From its begin to its end, in microseconds, pauses between tries included.
    pub duration_us: u64,
    /// The backend that did it, or that failed last; `recovery(…)` around it for recovery steps.
    pub backend_used: Option<String>,
    /// Every try.
    pub attempts: Vec<Attempt>,
    /// In a simulated run, the arguments it would have been done with.
    pub would: Option<Dict>,
    /// Where it is written.
    pub place: Option<SourcePlace>,
}

/// One try of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// The backend tried.
    pub backend: String,
    /// How long it took, in microseconds.
    pub duration_us: u64,
    /// Why it failed; `None` is success.
    pub error: Option<String>,
}

impl Report {
    /// Whether the run succeeded.
    pub fn success(&self) -> bool {
        self.failure.is_none()
    }

    /// The exit code: 0, or the failure's.
    pub fn exit_code(&self) -> i32 {
        self.failure.as_ref().map_or(0, |failed| failed.failure.kind.exit_code())
    }
}

/// The least bytes of a part of a secret that is taken for one: shorter ones are in too many words.
const PART: usize = 4;

/// The most bytes of a part of a secret that is looked for.
const LONGEST_PART: usize = 64 << 10;

/// From this length in bytes on, a text may have been cut at its ends without a mark, as the outputs of programs are.
const CUT: usize = 4000;

/// Replaces every secret in a text by `***`, and what is left of one where the text was cut: at the marks `…`, and at the ends of a long text.
pub fn mask(text: &str, secrets: &[String]) -> String {
    let text = mask_whole(text, secrets);
    let pieces: Vec<&str> = if secrets.is_empty() { vec![&text] } else { text.split('…').collect() };
    let last = pieces.len() - 1;
    let ends = text.len() >= CUT;
    let masked = pieces.iter().enumerate().map(|(place, piece)| {
        let (head, tail) = (place > 0 || ends, place < last || ends);
        mask_ends(piece, secrets, head, tail)
    });
    masked.collect::<Vec<_>>().join("…")
}

fn mask_whole(text: &str, secrets: &[String]) -> String {
    secrets.iter().filter(|secret| !secret.is_empty()).fold(text.to_owned(), |text, secret| text.replace(secret, "***"))
}

/// Replaces the end of a secret at the beginning of a text, and the beginning of one at its end.
fn mask_ends(text: &str, secrets: &[String], head: bool, tail: bool) -> String {
    let longest = |of: fn(&str, &str) -> usize, text: &str, wanted: bool| {
        let secrets = secrets.iter().filter(|_| wanted && text.len() >= PART);
        secrets.map(|secret| of(secret, text)).max().unwrap_or(0)
    };
    let from = longest(end_of_secret, text, head);
    let to = text.len() - longest(begin_of_secret, &text[from..], tail);
    let stars = |shown: bool| if shown { "***" } else { "" };
    format!("{}{}{}", stars(from > 0), &text[from..to], stars(to < text.len()))
}

/// How many bytes of the end of a secret a text begins with. What begins and ends where a text does is whole characters.
fn end_of_secret(secret: &str, text: &str) -> usize {
    part(overlap(secret.as_bytes().get(1..).unwrap_or_default(), text.as_bytes()))
}

/// How many bytes of the beginning of a secret a text ends with.
fn begin_of_secret(secret: &str, text: &str) -> usize {
    let most = secret.len().saturating_sub(1);
    part(overlap(text.as_bytes(), &secret.as_bytes()[..most]))
}

fn part(bytes: usize) -> usize {
    if bytes < PART { 0 } else { bytes }
}

/// How many of the last bytes of one text are the first of another: at most [`LONGEST_PART`], and in linear time however much they
/// repeat themselves (the prefix function of Knuth, Morris and Pratt).
fn overlap(left: &[u8], right: &[u8]) -> usize {
    let most = left.len().min(right.len()).min(LONGEST_PART);
    let (left, right) = (&left[left.len() - most..], &right[..most]);
    let mut borders = vec![0; most];
    let mut known = 0;
    for at in 1..most {
        while known > 0 && right[at] != right[known] {
            known = borders[known - 1];
        }
        known += usize::from(right[at] == right[known]);
        borders[at] = known;
    }
    // No more bytes are known than were looked at, so `known` is below `most` before each.
    left.iter().fold(0, |mut known, byte| {
        while known > 0 && right[known] != *byte {
            known = borders[known - 1];
        }
        known + usize::from(right[known] == *byte)
    })
}

/// Replaces every secret in a value, however deep, by `***`; a number that is a secret becomes that text.
pub fn mask_value(value: Value, secrets: &[String]) -> Value {
    match value {
        Value::String(text) => Value::String(mask(&text, secrets)),
        Value::List(items) => Value::List(items.into_iter().map(|item| mask_value(item, secrets)).collect()),
        Value::Dict(entries) => Value::Dict(
            entries.into_iter().map(|(key, value)| (mask_whole(&key, secrets), mask_value(value, secrets))).collect(),
        ),
        Value::Number(_) | Value::Integer(_) | Value::Float(_) => match spec::kind::text(value.clone()) {
            Ok(text) if secrets.contains(&text) => Value::String("***".to_owned()),
            Ok(_) | Err(_) => value,
        },
        Value::Null | Value::Boolean(_) => value,
    }
}
