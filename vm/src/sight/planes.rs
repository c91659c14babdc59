//! The screen at every level: sums of blocks, one number each.

use std::ops::RangeInclusive;

use crate::sight::parallel::{GaveUp, Workers};
use crate::sight::pixels::Pixels;
use crate::sight::wide::{Loop, Vectors, widest};

/// Every row has this many zeros at its end, so that whole vectors can be read anywhere.
pub(crate) const PADDING: usize = 32;
/// Rows of the screen that are done in one go.
const ROWS: usize = 32;
/// Taken from the value of each channel, so that numbers are small.
const MIDDLE: i32 = 128;

/// The screen at one level: one plane for each direction, one below the other.
#[derive(Debug, Default)]
pub(crate) struct Plane {
    /// Whole blocks across and down.
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    /// Numbers from one row to the next.
    pub(crate) stride: usize,
    pub(crate) values: Vec<f32>,
}

impl Plane {
    /// `length` numbers from a block of a plane on, the padding included.
    #[inline(always)]
    pub(crate) fn from(&self, plane: usize, column: usize, row: usize, length: usize) -> &[f32] {
        let begin = (plane * self.rows + row) * self.stride + column;
        &self.values[begin..begin + length]
    }

    fn new(columns: usize, rows: usize, planes: usize) -> Self {
        let stride = columns + PADDING;
        Self { columns, rows, stride, values: vec![0.0; stride * rows * planes] }
    }
}

/// The planes of some powers, by power; empty below the first.
pub(crate) fn planes(
    pixels: &Pixels<'_>,
    directions: &[[i32; 3]],
    powers: RangeInclusive<usize>,
    workers: &Workers<'_>,
) -> Result<Vec<Plane>, GaveUp> {
    let size = |power: usize| (pixels.columns() >> power, pixels.rows() >> power);
    let mut planes: Vec<Plane> = (0..=*powers.end())
        .map(|power| {
            if powers.contains(&power) {
                Plane::new(size(power).0, size(power).1, directions.len())
            } else {
                Plane::default()
            }
        })
        .collect();
    // Each piece is some rows of the screen at all levels, so that a level is made of what was written just before.
    let tall = ROWS.max(1 << powers.end());
    let count = pixels.rows().div_ceil(tall);
    let mut pieces: Vec<Vec<Rows<'_>>> = (0..directions.len() * count).map(|_| Vec::new()).collect();
    for (power, plane) in planes.iter_mut().enumerate().filter(|(power, _)| powers.contains(power)) {
        let (columns, stride) = (plane.columns, plane.stride);
        let planes = plane.values.chunks_mut((plane.rows * stride).max(1));
        for (direction, values) in planes.enumerate() {
            for (piece, values) in values.chunks_mut((tall >> power) * stride).enumerate() {
                // The directions of a piece follow each other, so that the screen is read once.
                pieces[piece * directions.len() + direction].push(Rows { columns, stride, values });
            }
        }
    }
    let small = pixels.columns() * pixels.rows() < 1 << 16;
    let first = *powers.start();
    workers.each(small, pieces.into_iter().enumerate(), |(piece, levels)| {
        let (piece, direction) = (piece / directions.len(), directions[piece % directions.len()]);
        widest(Piece { pixels, direction, power: first, row: piece * tall, levels });
    })?;
    Ok(planes)
}

/// Some rows of a level.
struct Rows<'a> {
    columns: usize,
    stride: usize,
    values: &'a mut [f32],
}

/// Some rows of the screen, at all levels from `power` on.
struct Piece<'a> {
    pixels: &'a Pixels<'a>,
    direction: [i32; 3],
    power: usize,
    row: usize,
    levels: Vec<Rows<'a>>,
}

impl Loop for Piece<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(mut self) {
        let Some(rows) = self.levels.first().map(|rows| rows.values.len() / rows.stride) else { return };
        // Levels finer than those asked for are left in the cache.
        let power = self.power;
        let mut scratch: Vec<(usize, Vec<f32>)> = (1..power)
            .map(|finer| {
                let columns = self.pixels.columns() >> finer;
                (columns, vec![0.0; columns * (rows << (power - finer))])
            })
            .collect();
        let finer = scratch.iter_mut().map(|(columns, values)| Rows { columns: *columns, stride: *columns, values });
        let mut levels = finer.chain(self.levels.drain(..));
        let Some(mut finer) = levels.next() else { return };
        bottom::<V>(&mut finer, self.pixels, self.direction, power.min(1), self.row);
        for mut coarser in levels {
            halve(&finer, &mut coarser);
            finer = coarser;
        }
    }
}

/// The rows of single pixels (power 0) or of squares of four (power 1), from a row of the screen on.
#[inline(always)]
fn bottom<V: Vectors>(rows: &mut Rows<'_>, pixels: &Pixels<'_>, direction: [i32; 3], power: usize, first: usize) {
    let side = 1_usize << power;
    let columns = rows.columns;
    let weights = direction.map(|part| part.clamp(-2, 2) as i8);
    let middle = MIDDLE * 4 * direction.iter().sum::<i32>();
    for (row, values) in rows.values.chunks_exact_mut(rows.stride).enumerate() {
        let shown = |part: usize| pixels.span(0, first + row * side + part, columns * side);
        if side == 1 {
            for (value, pixel) in values.iter_mut().zip(shown(0).chunks_exact(4)) {
                *value = joined(pixel, direction) as f32;
            }
        } else {
            V::squares(shown(0), shown(1), weights, middle, &mut values[..columns]);
        }
    }
}

/// The channels of a pixel, joined along the direction.
#[inline(always)]
fn joined(pixel: &[u8], direction: [i32; 3]) -> i32 {
    let colour = u32::from_le_bytes([pixel[0], pixel[1], pixel[2], pixel[3]]);
    let channel = |shift: u32| (colour >> shift & 255).cast_signed() - MIDDLE;
    direction[0] * channel(0) + direction[1] * channel(8) + direction[2] * channel(16)
}

/// The rows of the next coarser level.
#[inline(always)]
fn halve(finer: &Rows<'_>, coarser: &mut Rows<'_>) {
    let columns = coarser.columns;
    for (values, pair) in
        coarser.values.chunks_exact_mut(coarser.stride).zip(finer.values.chunks_exact(finer.stride * 2))
    {
        let (upper, lower) = (&pair[..columns * 2], &pair[finer.stride..finer.stride + columns * 2]);
        for (value, (upper, lower)) in values.iter_mut().zip(upper.chunks_exact(2).zip(lower.chunks_exact(2))) {
            *value = (upper[0] + upper[1]) + (lower[0] + lower[1]);
        }
    }
}
