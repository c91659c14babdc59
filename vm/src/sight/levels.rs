//! The template in blocks: its share of every coarser level of the screen, for every way the blocks can lie over it.
//!
//! A level joins squares of `side` pixels to blocks, and three channels to one along a fixed direction of colour. The screen is divided in
//! one way only; a template whose left edge is not at the edge of a block lies over it with an offset, and there are `side * side` of
//! these. Each takes the blocks that lie inside the core for certain.

use crate::sight::template::{Area, Template};

/// The side of the largest block, as a power of two.
pub(crate) const COARSEST: usize = 5;
/// Rows are padded to a multiple of this, with zeros.
pub(crate) const LANES: usize = 8;
/// Directions of colour to join channels along, in blue, green and red: small numbers, so that sums stay exact in `f32`.
const DIRECTIONS: [[i32; 3]; 13] = [
    [1, 1, 1],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 0],
    [0, 1, 1],
    [1, 0, 1],
    [1, -1, 0],
    [0, 1, -1],
    [1, 0, -1],
    [1, -1, 1],
    [1, 1, -1],
    [1, -1, -1],
];

/// All levels of a template.
#[derive(Debug)]
pub(crate) struct Levels {
    pub(crate) direction: [i32; 3],
    /// By power of two; none where the core is too small.
    pub(crate) levels: Vec<Option<Level>>,
}

/// A template at one level.
#[derive(Debug)]
pub(crate) struct Level {
    /// Pixels along a block.
    pub(crate) side: usize,
    /// Blocks across and down.
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    /// Numbers in a row, with its padding.
    pub(crate) stride: usize,
    /// For the offset (x, y), at index `y * side + x`: the blocks, of mean 0 and norm 1.
    pub(crate) offsets: Vec<Vec<f32>>,
    /// For each of them: the share of the template's variance that its blocks have.
    pub(crate) shares: Vec<f64>,
    /// The least of the shares.
    pub(crate) share: f64,
}

impl Levels {
    pub(crate) fn of(template: &Template) -> Self {
        let core = template.core;
        let direction = direction(template);
        let values: Vec<i64> = (0..core.width * core.height)
            .map(|index| {
                let colour =
                    template.colour((core.y + index / core.width) * template.width + core.x + index % core.width);
                (0..3).map(|channel| i64::from(direction[channel]) * i64::from(colour[channel])).sum()
            })
            .collect();
        let table = Table::of(&values, core.width, core.height);
        let norm: i32 = direction.iter().map(|part| part * part).sum();
        // The weights are 1 in the core, so the whole is taken with weights from 0 to 1.
        let weight = template.moments.weight as f64;
        let unit = if template.weights.is_some() { 255.0 } else { 1.0 };
        let whole = template.moments.variance as f64 / (weight * unit) * f64::from(norm);
        let level = |power| Level::of(&table, core, 1_usize << power, whole);
        Self { direction, levels: (0..=COARSEST).map(level).collect() }
    }
}

impl Level {
    fn of(table: &Table, core: Area, side: usize, whole: f64) -> Option<Self> {
        let (columns, rows) = ((core.width + 1).checked_sub(side)? / side, (core.height + 1).checked_sub(side)? / side);
        if columns * rows < 2 {
            return None;
        }
        let stride = columns.next_multiple_of(LANES);
        let mut shares = Vec::with_capacity(side * side);
        let mut offsets = Vec::with_capacity(side * side);
        for offset in 0..side * side {
            let (left, top) = (offset % side, offset / side);
            let mut sums = vec![0.0; rows * columns];
            for (index, sum) in sums.iter_mut().enumerate() {
                let (x, y) = (left + index % columns * side, top + index / columns * side);
                *sum = table.sum(x, y, side) as f64;
            }
            let mean = sums.iter().sum::<f64>() / sums.len() as f64;
            let variance: f64 = sums.iter().map(|sum| (sum - mean).powi(2)).sum();
            shares.push(variance / (side * side) as f64 / whole);
            let norm = if variance > 0.0 { variance.sqrt().recip() } else { 0.0 };
            let mut blocks = vec![0.0; rows * stride];
            for (index, sum) in sums.iter().enumerate() {
                blocks[index / columns * stride + index % columns] = ((sum - mean) * norm) as f32;
            }
            offsets.push(blocks);
        }
        let share = shares.iter().copied().fold(f64::MAX, f64::min);
        Some(Self { side, columns, rows, stride, offsets, shares, share })
    }

    /// Blocks in all.
    pub(crate) fn count(&self) -> usize {
        self.columns * self.rows
    }
}

/// The direction of colour along which the core differs most.
fn direction(template: &Template) -> [i32; 3] {
    let core = template.core;
    let (mut sums, mut products) = ([0_i64; 3], [[0_i64; 3]; 3]);
    for index in 0..core.width * core.height {
        let colour = template.colour((core.y + index / core.width) * template.width + core.x + index % core.width);
        for (one, value) in colour.into_iter().enumerate() {
            sums[one] += i64::from(value);
            for (other, second) in colour.into_iter().enumerate() {
                products[one][other] += i64::from(value) * i64::from(second);
            }
        }
    }
    let count = (core.width * core.height) as f64;
    let covariance =
        |one: usize, other: usize| products[one][other] as f64 - sums[one] as f64 * sums[other] as f64 / count;
    let along = |direction: &[i32; 3]| {
        let pairs = (0..9).map(|pair| (pair / 3, pair % 3));
        let sum: f64 =
            pairs.map(|(one, other)| f64::from(direction[one] * direction[other]) * covariance(one, other)).sum();
        sum / f64::from(direction.iter().map(|part| part * part).sum::<i32>())
    };
    let best = |best: [i32; 3], next: [i32; 3]| if along(&next) > along(&best) { next } else { best };
    DIRECTIONS.into_iter().reduce(best).unwrap_or([1; 3])
}

/// Sums from the corner, so that any rectangle's is four look-ups.
struct Table {
    stride: usize,
    sums: Vec<i64>,
}

impl Table {
    fn of(values: &[i64], width: usize, height: usize) -> Self {
        let stride = width + 1;
        let mut sums = vec![0; stride * (height + 1)];
        for y in 0..height {
            let mut row = 0;
            for x in 0..width {
                row += values[y * width + x];
                sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] + row;
            }
        }
        Self { stride, sums }
    }

    fn sum(&self, x: usize, y: usize, side: usize) -> i64 {
        let at = |x: usize, y: usize| self.sums[y * self.stride + x];
        at(x + side, y + side) - at(x, y + side) - at(x + side, y) + at(x, y)
    }
}
