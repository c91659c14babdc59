//! Templates without detail: the place where the largest difference of colour is least.

use std::ops::Range;

use crate::sight::choose::{Candidate, Found, choose};
use crate::sight::parallel::{GaveUp, Workers, pieces};
use crate::sight::pixels::Pixels;
use crate::sight::score::{FLAT_RANGE, difference, flat_score};
use crate::sight::template::{Flat, Template};

/// The best place, and how many reach the confidence.
pub(crate) fn flat(
    pixels: &Pixels<'_>,
    template: &Template,
    flat: &Flat,
    confidence: f64,
    workers: &Workers<'_>,
) -> Result<Option<Found>, GaveUp> {
    let (columns, rows) = (pixels.columns() - template.width + 1, pixels.rows() - template.height + 1);
    // The largest difference that reaches the confidence.
    let limit = (0..=u8::MAX).rev().find(|most| flat_score(*most) >= confidence && *most <= FLAT_RANGE).unwrap_or(0);
    let found = workers.each(rows * columns < 1 << 14, pieces(rows), |rows| {
        let mut slide = Slide { pixels, template, flat, columns, limit, found: Vec::new(), best: None };
        slide.piece(rows, workers);
        slide.found.extend(slide.best);
        slide.found
    })?;
    let size = (template.width, template.height);
    let score = |x: u32, y: u32| flat_score(difference(pixels, template, x as usize, y as usize, FLAT_RANGE));
    choose(found.concat(), size, confidence, workers, score)
}

/// Finds, for each window of a piece of rows, the largest distance of its pixels from the template's range of colours.
struct Slide<'a> {
    pixels: &'a Pixels<'a>,
    template: &'a Template,
    flat: &'a Flat,
    columns: usize,
    limit: u8,
    found: Vec<Candidate>,
    best: Option<Candidate>,
}

impl Slide<'_> {
    fn piece(&mut self, rows: Range<usize>, workers: &Workers<'_>) {
        let core = self.template.core;
        // Of each row of the core's height: the largest distance in each window along it.
        let mut held: Vec<Vec<u8>> = vec![vec![0; self.columns]; core.height];
        let mut distances = vec![0; self.columns + core.width - 1];
        let mut tallest = vec![0; self.columns];
        let mut scratch = vec![0; distances.len()];
        // Largest distances of whole blocks of rows, forwards and backwards, so that each window is the larger of two.
        let mut backwards: Vec<Vec<u8>> = vec![vec![0; self.columns]; core.height];
        let mut forwards = vec![0; self.columns];
        let first = rows.start;
        let mut filled = 0;
        for y in rows {
            if workers.asked() {
                return;
            }
            let last = y - first + core.height;
            while filled < last {
                if filled % 64 == 0 && workers.asked() {
                    return;
                }
                let shown = self.pixels.span(core.x, first + core.y + filled, distances.len());
                for (distance, pixel) in distances.iter_mut().zip(shown.chunks_exact(4)) {
                    *distance = self.distance(pixel);
                }
                let place = filled % core.height;
                largest_along(&distances, core.width, &mut scratch, &mut held[place]);
                if place == 0 {
                    forwards.fill(0);
                }
                maximum(&mut forwards, &held[place]);
                filled += 1;
                if place + 1 == core.height {
                    backwards[place].copy_from_slice(&held[place]);
                    for above in (0..place).rev() {
                        let (upper, lower) = backwards.split_at_mut(above + 1);
                        upper[above].copy_from_slice(&held[above]);
                        maximum(&mut upper[above], &lower[0]);
                    }
                }
            }
            tallest.copy_from_slice(&forwards);
            let begin = (y - first) % core.height;
            if begin > 0 {
                maximum(&mut tallest, &backwards[begin]);
            }
            self.note(&tallest, y);
        }
    }

    fn note(&mut self, tallest: &[u8], y: usize) {
        for (x, distance) in tallest.iter().enumerate() {
            let candidate = |bound| Some(Candidate { x: u32::try_from(x).ok()?, y: u32::try_from(y).ok()?, bound });
            let bound = flat_score(*distance) as f32;
            if *distance <= self.limit {
                self.found.extend(candidate(bound));
            } else if self.best.is_none_or(|best| bound > best.bound) {
                self.best = candidate(bound);
            }
        }
    }

    /// How far a pixel is from the range of the template's colours.
    fn distance(&self, pixel: &[u8]) -> u8 {
        let Flat { low, high, .. } = self.flat;
        let far = |channel: usize| {
            low[channel].saturating_sub(pixel[channel]).max(pixel[channel].saturating_sub(high[channel]))
        };
        far(0).max(far(1)).max(far(2))
    }
}

/// The largest of `width` values from each on: the larger of a block's end and the next one's beginning (van Herk 1992, Gil and Werman 1993).
fn largest_along(values: &[u8], width: usize, backwards: &mut [u8], result: &mut [u8]) {
    for block in 0..values.len().div_ceil(width) {
        let range = block * width..values.len().min((block + 1) * width);
        let mut most = 0;
        for (to, value) in backwards[range.clone()].iter_mut().zip(&values[range]).rev() {
            most = most.max(*value);
            *to = most;
        }
    }
    let mut most = 0;
    for (end, value) in values.iter().enumerate() {
        most = if end % width == 0 { *value } else { most.max(*value) };
        if let Some(begin) = (end + 1).checked_sub(width) {
            result[begin] = most.max(backwards[begin]);
        }
    }
}

fn maximum(values: &mut [u8], others: &[u8]) {
    for (value, other) in values.iter_mut().zip(others) {
        *value = (*value).max(*other);
    }
}
