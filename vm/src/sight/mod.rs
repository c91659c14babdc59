//! The search for a template in an area of pixels. Pure: no IO, no clock.
//!
//! # The score
//! For weights `w` (alpha, 0 to 255; pixels of weight 0 do not exist), template `T` and window `S`, with means `mT`, `mS` of each channel
//! of its own, sums over pixels and all three channels:
//!
//! ```text
//! correlation = sum w (T - mT)(S - mS) / sqrt(sum w (T - mT)^2 * sum w (S - mS)^2)
//! gain        = sqrt(sum w (S - mS)^2 / sum w (T - mT)^2)
//! contrast    = min(1, min(gain, 1 / gain) / 0.7)
//! tint        = max(0, 1 - spread / (255 min(1, gain)))     spread = max - min over the channels of mS - gain mT
//! score       = correlation * contrast * tint, from 0 to 1
//! ```
//!
//! The correlation is OpenCV's `TM_CCOEFF_NORMED` of a colour image (zero-mean normalised cross-correlation). It alone does not see that
//! all pixels have another colour, nor that an image is paler: it takes a greyed button for the button. So the score falls in the measure
//! that the mean colours disagree (a change of brightness and contrast, the same for all channels, is allowed for and costs nothing) and
//! that contrast differs by more than a factor 0.7.
//!
//! A score of exactly 1 means that every pixel that counts is equal, and nothing else gets it: this is decided on the pixels, not on the
//! sums. So a confidence of 1 finds only pixel-perfect copies. Windows without variance score 0.
//!
//! A template without detail (one colour, one colour but for a single pixel, or a standard deviation below 4 of 255) has nothing to
//! correlate. Its score is `max(0, 1 - d / 64)` with the largest difference `d` of any channel of any pixel.
//!
//! # The answer
//! The best place comes first; of equals, the first in reading order, top to bottom and left to right. [`Found::matches`] counts the
//! places at or above the confidence, taken best first, each with all that are less than half the template away in both axes. When there
//! are pixel-perfect copies, only these are counted: a lesser likeness beside them is not the template.
//!
//! When no place reaches the confidence, [`Found::best`] is a place with its true score, the best of those that looked best from afar,
//! but perhaps not the best of all.
//!
//! # What is guaranteed
//! Pixel-perfect copies are always found, all of them, and so is everything about flat templates. Below that the search goes from coarse
//! to fine (see `correlate.rs`). It gives the result of scoring every place, by a bound that is proven, as long as that takes few enough
//! comparisons: for icons on a full screen at the usual confidences, for more the smaller the area and the higher the confidence. For
//! larger templates it assumes of a match that, where coarse levels hold some share of the template's detail, they hold at most twice
//! that share of what a match of exactly the confidence may leave unexplained. Noise, compression, scaling of brightness and a pointer
//! before the image keep far from that.
//!
//! Memory is at most some tens of bytes for each pixel of the area and of the template.

mod choose;
mod copies;
mod correlate;
mod dense;
mod flat;
mod levels;
mod norms;
mod parallel;
mod pixels;
mod planes;
mod refine;
mod score;
mod template;
#[cfg(test)]
mod tests;
mod wide;

pub use crate::sight::choose::{Found, MOST_MATCHES, Match};
pub use crate::sight::parallel::GaveUp;
pub use crate::sight::pixels::Pixels;
pub use crate::sight::template::{MOST_PIXELS, Template, TemplateError};

use crate::sight::correlate::PROVEN_WORK;
use crate::sight::parallel::Workers;

/// Looks for a template with a confidence from 0 to 1, on all cores. None when it does not fit or no place resembles it at all.
///
/// # Errors
/// `give_up` said so. It is asked many times in every millisecond.
pub fn search(
    pixels: Pixels<'_>,
    template: &Template,
    confidence: f64,
    give_up: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Found>, GaveUp> {
    search_on(pixels, template, confidence, None, give_up)
}

/// The same on at most so many cores.
///
/// # Errors
/// As [`search`].
pub fn search_on(
    pixels: Pixels<'_>,
    template: &Template,
    confidence: f64,
    threads: Option<usize>,
    give_up: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Found>, GaveUp> {
    if template.width > pixels.columns() || template.height > pixels.rows() {
        return Ok(None);
    }
    let confidence = if confidence.is_nan() { 1.0 } else { confidence.clamp(0.0, 1.0) };
    let workers = Workers::new(threads, give_up);
    if let Some(flat) = &template.flat {
        return flat::flat(&pixels, template, flat, confidence, &workers);
    }
    let copies = copies::copies(&pixels, template, &workers)?;
    if copies.is_empty() {
        return correlate::correlate(&pixels, template, confidence, PROVEN_WORK, &workers);
    }
    choose::equals(copies, 1.0, (template.width, template.height), &workers)
}
