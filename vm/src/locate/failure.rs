//! What is told when an image is not there, or does not go.

use std::time::Duration;

use spec::value::Value;

use crate::desktop::{Point, Rect};
use crate::failure::{Failure, FailureKind};
use crate::locate::{Scene, Sighting, Wanted};
use crate::stop::Stop;

/// How far below the confidence the right place often scores: by another font, or by the pointer on it.
const CLOSE: f64 = 0.15;

/// An image that is not there.
#[derive(Clone, Copy, Debug)]
pub struct Missing {
    /// The best place there was; `None` when no place was judged.
    pub best: Option<Sighting>,
    /// Whether everything was looked at.
    pub whole: Whole,
    /// The whole desktop.
    pub screen: Rect,
    /// How long was looked.
    pub looked: Duration,
}

/// Whether a look at the whole screen came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// It did.
    Yes,
    /// Its time was over before.
    No,
}

impl Scene<'_> {
    /// The failure of an image that is not there; saves the screen, if that is asked for.
    pub(in crate::locate) fn missing(&mut self, wanted: &Wanted<'_>, missing: &Missing) -> Failure {
        let mut failure = judged(said(wanted, missing), self.stop);
        if !matches!(failure.kind, FailureKind::Step | FailureKind::Timeout) {
            return failure;
        }
        let mut hints = advice(wanted, missing);
        if let Some(best) = missing.best {
            let at = best.area.middle();
            failure = failure.partial("best_score", Value::Float(rounded(best.score))).partial("best_at", place(at));
        }
        if let Some(keep) = &self.locator.keep {
            match keep.save(self.desktop, missing.best.map(|best| best.area), self.stop, self.call) {
                Ok(path) => {
                    hints.push(format!("the screen was saved as `{path}`"));
                    failure = failure.partial("screenshot", Value::String(path));
                }
                Err(reason) => hints.push(format!("the screen could not be saved: {reason}")),
            }
        }
        failure.hint(hints.join("; "))
    }
}

/// The failure of an image that does not go.
pub fn staying(wanted: &Wanted<'_>, there: &Sighting, waited: Duration, stop: &Stop<'_>) -> Failure {
    let Point { x, y } = there.area.middle();
    let (image, score, waited) = (wanted.image, rounded(there.score), waited.as_millis());
    judged(
        format!("`{image}` is still on the screen after {waited} ms: around ({x}, {y}), with a score of {score}"),
        stop,
    )
}

/// A failure of the step, or of its time.
fn judged(message: String, stop: &Stop<'_>) -> Failure {
    let failure = Failure::step(message);
    if stop.asked() { stop.expired(stop, failure) } else { failure }
}

/// What was wanted and what was found.
fn said(wanted: &Wanted<'_>, missing: &Missing) -> String {
    let (image, confidence) = (wanted.image, wanted.confidence);
    let Some(best) = missing.best else {
        return match missing.whole {
            Whole::Yes => format!("`{image}` is not on the screen: nothing on it resembles the image"),
            Whole::No => {
                let looked = missing.looked.as_millis();
                format!("`{image}` was not found: one look at the whole screen takes longer than {looked} ms")
            }
        };
    };
    let Point { x, y } = best.area.middle();
    let score = rounded(best.score);
    format!(
        "`{image}` is not on the screen: the best place, around ({x}, {y}), scores {score}, and {confidence} is needed"
    )
}

fn advice(wanted: &Wanted<'_>, missing: &Missing) -> Vec<String> {
    let mut hints = Vec::new();
    if let Some(best) = missing.best.filter(|best| best.score > 0.0 && best.score >= wanted.confidence - CLOSE) {
        let lower = (best.score * 100.0).floor() / 100.0;
        hints.push(format!("if that is the right place, set `confidence` to {lower}, or capture the image again"));
    }
    let Rect { width, height, .. } = missing.screen;
    hints.push(format!(
        "the image must look as it does on this screen of {width}x{height} pixels: in the same scale, theme and font"
    ));
    hints
}

/// A place as an output.
pub fn place(at: Point) -> Value {
    Value::List(vec![Value::Integer(at.x.into()), Value::Integer(at.y.into())])
}

/// Three digits, rounded downwards: what is below the confidence must not look as if it reached it.
fn rounded(score: f64) -> f64 {
    (score * 1000.0).floor() / 1000.0
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::desktop::Rect;
    use crate::locate::failure::{Missing, Whole, advice, said};
    use crate::locate::{Sighting, Wanted};

    #[test]
    fn the_best_place_is_named_and_close_ones_are_advised_on() {
        let wanted = Wanted { image: "ok.png", confidence: 0.85 };
        let missing = |score| Missing {
            best: Some(Sighting { area: Rect { x: 100, y: 50, width: 20, height: 11 }, score, matches: 0 }),
            whole: Whole::Yes,
            screen: Rect { x: 0, y: 0, width: 1280, height: 800 },
            looked: Duration::from_millis(12),
        };
        let text = said(&wanted, &missing(0.849_99));
        assert!(text.ends_with("around (110, 55), scores 0.849, and 0.85 is needed"), "{text}");
        assert!(advice(&wanted, &missing(0.849_99))[0].contains("`confidence` to 0.84,"));
        let far = advice(&wanted, &missing(0.3));
        assert!(far.len() == 1 && far[0].contains("1280x800"), "{far:?}");
        let nothing = said(&wanted, &Missing { best: None, ..missing(0.0) });
        assert!(nothing.contains("`ok.png` is not on the screen"), "{nothing}");
    }
}
