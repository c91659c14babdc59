//! The screen at every level: sums of blocks, one number each.

use crate::sight::parallel::{GaveUp, Workers};
use crate::sight::pixels::Pixels;

/// Every row has this many zeros at its end, so that whole vectors can be read anywhere.
pub(crate) const PADDING: usize = 32;
/// Taken from the value of each channel, so that numbers are small.
const MIDDLE: i32 = 128;

/// The screen at one level.
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
    /// `length` numbers and the padding after them, from a block on.
    pub(crate) fn from(&self, column: usize, row: usize, length: usize) -> &[f32] {
        let begin = row * self.stride + column;
        &self.values[begin..begin + length]
    }

    fn new(columns: usize, rows: usize) -> Self {
        let stride = columns + PADDING;
        Self { columns, rows, stride, values: vec![0.0; stride * rows] }
    }
}

/// The planes from power `first` (0 or 1) to `last`, by power; empty below `first`.
pub(crate) fn planes(
    pixels: &Pixels<'_>,
    direction: [i32; 3],
    powers: std::ops::RangeInclusive<usize>,
    workers: &Workers<'_>,
) -> Result<Vec<Plane>, GaveUp> {
    let mut planes: Vec<Plane> = Vec::new();
    for power in 0..=*powers.end() {
        let plane = if !powers.contains(&power) {
            Plane::default()
        } else {
            match planes.last() {
                Some(finer) if power > *powers.start() => halved(finer, workers)?,
                Some(_) | None => bottom(pixels, direction, power, workers)?,
            }
        };
        planes.push(plane);
    }
    Ok(planes)
}

/// The plane of single pixels (power 0) or of squares of four (power 1).
fn bottom(pixels: &Pixels<'_>, direction: [i32; 3], power: usize, workers: &Workers<'_>) -> Result<Plane, GaveUp> {
    let side = 1_usize << power;
    let mut plane = Plane::new(pixels.columns() / side, pixels.rows() / side);
    let (columns, stride) = (plane.columns, plane.stride);
    let pieces = plane.values.chunks_mut(stride * 8).enumerate();
    workers.each(columns * plane.rows < 1 << 15, pieces, |(piece, rows)| {
        let mut sums = vec![0_i32; columns * side];
        for (row, values) in rows.chunks_exact_mut(stride).enumerate() {
            sums.fill(0);
            for part in 0..side {
                let bytes = pixels.span(0, (piece * 8 + row) * side + part, columns * side);
                add_joined(&mut sums, bytes, direction);
            }
            if side == 1 {
                for (value, sum) in values.iter_mut().zip(&sums) {
                    *value = *sum as f32;
                }
            } else {
                for (value, pair) in values.iter_mut().zip(sums.chunks_exact(2)) {
                    *value = (pair[0] + pair[1]) as f32;
                }
            }
        }
    })?;
    Ok(plane)
}

/// Adds each pixel's channels, joined along the direction.
fn add_joined(sums: &mut [i32], bytes: &[u8], direction: [i32; 3]) {
    let middle = MIDDLE * direction.iter().sum::<i32>();
    for (sum, pixel) in sums.iter_mut().zip(bytes.chunks_exact(4)) {
        let colour = u32::from_le_bytes([pixel[0], pixel[1], pixel[2], pixel[3]]);
        let channel = |shift: u32| (colour >> shift & 255).cast_signed();
        *sum += direction[0] * channel(0) + direction[1] * channel(8) + direction[2] * channel(16) - middle;
    }
}

/// The next coarser plane.
fn halved(finer: &Plane, workers: &Workers<'_>) -> Result<Plane, GaveUp> {
    let mut plane = Plane::new(finer.columns / 2, finer.rows / 2);
    let (columns, stride) = (plane.columns, plane.stride);
    let pieces = plane.values.chunks_mut(stride * 8).enumerate();
    workers.each(columns * plane.rows < 1 << 16, pieces, |(piece, rows)| {
        for (row, values) in rows.chunks_exact_mut(stride).enumerate() {
            let upper = finer.from(0, (piece * 8 + row) * 2, columns * 2);
            let lower = finer.from(0, (piece * 8 + row) * 2 + 1, columns * 2);
            for (value, (upper, lower)) in values.iter_mut().zip(upper.chunks_exact(2).zip(lower.chunks_exact(2))) {
                *value = (upper[0] + upper[1]) + (lower[0] + lower[1]);
            }
        }
    })?;
    Ok(plane)
}
