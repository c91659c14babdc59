//! Pixel-perfect copies: a scan for the two pixels of the template that are rarest on the screen, at the speed of memory.

use crate::sight::parallel::{GaveUp, Workers};
use crate::sight::pixels::Pixels;
use crate::sight::score::is_copy;
use crate::sight::template::Template;
use crate::sight::wide::{Loop, PIXELS, Vectors, is_pixel, widest};

/// Cells of the sample of colours.
const CELLS: usize = 4096;

/// All places (y, x) where every pixel that counts is equal, in no certain order. The template must fit.
pub(crate) fn copies(
    pixels: &Pixels<'_>,
    template: &Template,
    workers: &Workers<'_>,
) -> Result<Vec<(u32, u32)>, GaveUp> {
    let anchors = anchors(pixels, template);
    let rows = pixels.rows() - template.height + 1;
    let columns = pixels.columns() - template.width + 1;
    let step = (1_usize << 15).div_ceil(columns);
    let pieces = (0..rows).step_by(step).map(|begin| begin..rows.min(begin + step));
    let found = workers.each(rows * columns < 1 << 16, pieces, |rows| {
        let mut found = Vec::new();
        for y in rows {
            let [first, second] = anchors.map(|anchor| pixels.span(anchor.x, y + anchor.y, columns));
            let mut hits = 0_u32;
            let hit = |x: usize| {
                hits += 1;
                let given_up = hits.is_multiple_of(16) && workers.asked();
                if !given_up && is_copy(pixels, template, x, y) {
                    found.push((index(y), index(x)));
                }
            };
            widest(Scan { first, second, colours: anchors.map(|anchor| anchor.colour), hit });
        }
        found
    })?;
    Ok(found.concat())
}

/// Calls `hit` for each place where both rows have their colour.
struct Scan<'a, F> {
    first: &'a [u8],
    second: &'a [u8],
    colours: [u32; 2],
    hit: F,
}

impl<F: FnMut(usize)> Loop for Scan<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(mut self) {
        let bytes = PIXELS * 4;
        for (piece, (first, second)) in self.first.chunks(bytes).zip(self.second.chunks(bytes)).enumerate() {
            let whole = first.first_chunk().zip(second.first_chunk());
            if whole.is_some_and(|(first, second)| !V::any_pixel(first, second, self.colours)) {
                continue;
            }
            for at in 0..first.len() / 4 {
                if is_pixel(first, second, at, self.colours) {
                    (self.hit)(piece * PIXELS + at);
                }
            }
        }
    }
}

/// A pixel of the template that tells it from other places.
#[derive(Clone, Copy, Default)]
struct Anchor {
    x: usize,
    y: usize,
    colour: u32,
}

/// The pixel whose colour is rarest in a sample of the screen, and the rarest of another colour (the same pixel when there is none).
fn anchors(pixels: &Pixels<'_>, template: &Template) -> [Anchor; 2] {
    let mut sample = [0_u32; CELLS];
    // Odd steps, so that patterns are not met in step.
    let (across, down) = ((pixels.columns() / 128) | 1, (pixels.rows() / 72) | 1);
    for y in (0..pixels.rows()).step_by(down) {
        let row = pixels.span(0, y, pixels.columns());
        for x in (0..pixels.columns()).step_by(across) {
            sample[cell(pixel(row, x))] += 1;
        }
    }
    let mut best: [Option<(u32, Anchor)>; 2] = [None; 2];
    for index in (0..template.width * template.height).filter(|index| template.counts(*index)) {
        let colour = pixel(&template.bgrx, index);
        let often = sample[cell(colour)];
        let anchor = Anchor { x: index % template.width, y: index / template.width, colour };
        let rarer = |known: &Option<(u32, Anchor)>| known.is_none_or(|(times, _)| often < times);
        let is_first = best[0].is_some_and(|(_, first)| first.colour == colour);
        if rarer(&best[0]) {
            if !is_first {
                best[1] = best[0];
            }
            best[0] = Some((often, anchor));
        } else if !is_first && rarer(&best[1]) {
            best[1] = Some((often, anchor));
        }
    }
    let [first, second] = best.map(|found| found.map(|(_, anchor)| anchor));
    let first = first.unwrap_or_default();
    [first, second.unwrap_or(first)]
}

fn pixel(bytes: &[u8], index: usize) -> u32 {
    u32::from_le_bytes([bytes[index * 4], bytes[index * 4 + 1], bytes[index * 4 + 2], 0])
}

fn cell(colour: u32) -> usize {
    (colour.wrapping_mul(0x9e37_79b1) >> 20) as usize % CELLS
}

fn index(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
