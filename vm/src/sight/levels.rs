//! The template in blocks: its share of every coarser level of the screen, for every way the blocks can lie over it.
//!
//! A level joins squares of `side` pixels to blocks, and three channels to one along a fixed direction of colour. The screen is divided in
//! one way only; a template whose left edge is not at the edge of a block lies over it with an offset, and there are `side * side` of
//! these. Each takes the blocks that lie inside the core for certain.

use std::sync::OnceLock;

use crate::sight::template::{Area, Template};

/// The side of the largest block, as a power of two.
pub(crate) const COARSEST: usize = 5;
/// Rows are padded to a multiple of this, with zeros.
pub(crate) const LANES: usize = 16;
/// All channels alike.
const BRIGHTNESS: [i32; 3] = [1, 1, 1];
/// Directions of colour to join channels along, in blue, green and red: small numbers, so that sums stay exact in `f32`.
const DIRECTIONS: [[i32; 3]; 13] = [
    BRIGHTNESS,
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
/// Those at right angles to brightness.
const ACROSS: [[i32; 3]; 6] = [[1, -1, 0], [0, 1, -1], [1, 0, -1], [1, 1, -2], [1, -2, 1], [-2, 1, 1]];

/// All levels of a template, each made when it is first asked for.
#[derive(Debug)]
pub(crate) struct Levels {
    /// Channels joined to one.
    pub(crate) joined: Set,
    /// Brightness, and the direction across it along which colours differ most: nearly all there is in three channels.
    pub(crate) coloured: Set,
}

/// The levels of one way to take channels.
#[derive(Debug)]
pub(crate) struct Set {
    /// One direction for each plane, each at right angles to the others.
    pub(crate) directions: Vec<[i32; 3]>,
    core: Area,
    tables: Vec<Table>,
    /// The template's variance over all channels.
    whole: f64,
    levels: [OnceLock<Option<Level>>; COARSEST + 1],
}

/// A template at one level.
#[derive(Debug)]
pub(crate) struct Level {
    /// Pixels along a block.
    pub(crate) side: usize,
    /// Blocks across and down, and planes of these.
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) planes: usize,
    /// Of each plane: one over the square of its direction's length.
    pub(crate) scales: Vec<f64>,
    /// Numbers in a row, with its padding.
    pub(crate) stride: usize,
    /// For the offset (x, y), at index `y * side + x`: the blocks of all planes, of mean 0 in each and norm 1 over all,
    /// times the root of the scale for lengths of directions, and that root once more for those of the screen.
    pub(crate) offsets: Vec<Vec<f32>>,
    /// For each of them: the share of the template's variance that its blocks have.
    pub(crate) shares: Vec<f64>,
    /// The least of the shares.
    pub(crate) share: f64,
}

impl Levels {
    pub(crate) fn of(template: &Template) -> Self {
        let covariance = Covariance::of(template);
        let across = ACROSS.into_iter().reduce(|one, other| covariance.larger(one, other)).unwrap_or(ACROSS[0]);
        let along = DIRECTIONS.into_iter().reduce(|one, other| covariance.larger(one, other)).unwrap_or(BRIGHTNESS);
        Self { joined: Set::of(template, vec![along]), coloured: Set::of(template, vec![BRIGHTNESS, across]) }
    }
}

impl Set {
    fn of(template: &Template, directions: Vec<[i32; 3]>) -> Self {
        let tables = directions.iter().map(|direction| Table::of(template, *direction)).collect();
        // The weights are 1 in the core, so the whole is taken with weights from 0 to 1.
        let weight = template.moments.weight as f64;
        let unit = if template.weights.is_some() { 255.0 } else { 1.0 };
        let whole = template.moments.variance as f64 / (weight * unit);
        Self { directions, core: template.core, tables, whole, levels: Default::default() }
    }

    /// The level of this power of two; none where the core is too small.
    pub(crate) fn level(&self, power: usize) -> Option<&Level> {
        self.levels.get(power)?.get_or_init(|| self.made(1 << power)).as_ref()
    }

    /// How many blocks that level has, in all planes; 0 where the core is too small.
    pub(crate) fn count(&self, power: usize) -> usize {
        self.size(1 << power).map_or(0, |(columns, rows)| columns * rows * self.directions.len())
    }

    /// The largest absolute value of a block of the screen at that level.
    pub(crate) fn most(&self, power: usize) -> f64 {
        let length = |direction: &[i32; 3]| direction.iter().map(|part| part.abs()).sum::<i32>();
        f64::from(self.directions.iter().map(length).max().unwrap_or(0)) * 128.0 * f64::from(1 << (2 * power))
    }

    fn size(&self, side: usize) -> Option<(usize, usize)> {
        let inside = |length: usize| Some((length + 1).checked_sub(side)? / side);
        let (columns, rows) = (inside(self.core.width)?, inside(self.core.height)?);
        (columns * rows > 1).then_some((columns, rows))
    }

    fn made(&self, side: usize) -> Option<Level> {
        let (columns, rows) = self.size(side)?;
        let stride = columns.next_multiple_of(LANES);
        let planes = self.tables.len();
        let scales: Vec<f64> = self.directions.iter().map(|direction| f64::from(square(direction)).recip()).collect();
        let mut shares = Vec::with_capacity(side * side);
        let mut offsets = Vec::with_capacity(side * side);
        for offset in 0..side * side {
            let (left, top) = (offset % side, offset / side);
            let mut blocks = vec![0.0; planes * rows * stride];
            let mut variance = 0.0;
            for (index, blocks) in blocks.chunks_exact_mut(rows * stride).enumerate() {
                let (table, scale) = (&self.tables[index], scales[index]);
                let mut sum = 0.0;
                for (down, blocks) in blocks.chunks_exact_mut(stride).enumerate() {
                    table.blocks(left, top + down * side, side, &mut blocks[..columns]);
                    sum += blocks[..columns].iter().copied().map(f64::from).sum::<f64>();
                }
                let mean = sum / (columns * rows) as f64;
                for value in blocks.chunks_exact_mut(stride).flat_map(|blocks| &mut blocks[..columns]) {
                    let rest = f64::from(*value) - mean;
                    variance += scale * rest * rest;
                    *value = (scale * rest) as f32;
                }
            }
            shares.push(variance / (side * side) as f64 / self.whole);
            let norm = if variance > 0.0 { variance.sqrt().recip() as f32 } else { 0.0 };
            blocks.iter_mut().for_each(|value| *value *= norm);
            offsets.push(blocks);
        }
        let share = shares.iter().copied().fold(f64::MAX, f64::min);
        Some(Level { side, columns, rows, planes, scales, stride, offsets, shares, share })
    }
}

impl Level {
    /// Blocks of a plane.
    pub(crate) fn count(&self) -> usize {
        self.columns * self.rows
    }
}

/// How channels differ together in the core.
struct Covariance([[f64; 3]; 3]);

impl Covariance {
    fn of(template: &Template) -> Self {
        let core = template.core;
        let (mut sums, mut products) = ([0_i64; 3], [[0_i64; 3]; 3]);
        for index in 0..core.width * core.height {
            let colour = template.colour((core.y + index / core.width) * template.width + core.x + index % core.width);
            let colour = colour.map(i64::from);
            for one in 0..3 {
                sums[one] += colour[one];
                for other in 0..3 {
                    products[one][other] += colour[one] * colour[other];
                }
            }
        }
        let count = (core.width * core.height) as f64;
        let at = |one: usize, other: usize| products[one][other] as f64 - sums[one] as f64 * sums[other] as f64 / count;
        Self([0, 1, 2].map(|one| [0, 1, 2].map(|other| at(one, other))))
    }

    /// The variance along a direction.
    fn along(&self, direction: &[i32; 3]) -> f64 {
        let row = |one: usize| -> f64 { (0..3).map(|other| f64::from(direction[other]) * self.0[one][other]).sum() };
        let sum: f64 = (0..3).map(|one| f64::from(direction[one]) * row(one)).sum();
        sum / f64::from(square(direction))
    }

    fn larger(&self, one: [i32; 3], other: [i32; 3]) -> [i32; 3] {
        if self.along(&other) > self.along(&one) { other } else { one }
    }
}

fn square(direction: &[i32; 3]) -> i32 {
    direction.iter().map(|part| part * part).sum()
}

/// Sums from the corner, so that any rectangle's is four look-ups. They may wrap: the sum of a block never does.
#[derive(Debug)]
struct Table {
    stride: usize,
    sums: Vec<i32>,
}

impl Table {
    /// Of the core, with channels joined along a direction.
    fn of(template: &Template, direction: [i32; 3]) -> Self {
        let core = template.core;
        let stride = core.width + 1;
        let mut sums = vec![0_i32; stride * (core.height + 1)];
        for y in 0..core.height {
            let begin = ((core.y + y) * template.width + core.x) * 4;
            let pixels = template.bgrx[begin..begin + core.width * 4].chunks_exact(4);
            let (above, below) = sums[y * stride..(y + 2) * stride].split_at_mut(stride);
            let mut row = 0_i32;
            for (pixel, (above, below)) in pixels.zip(above[1..].iter().zip(&mut below[1..])) {
                let value = |channel: usize| direction[channel] * i32::from(pixel[channel]);
                row = row.wrapping_add(value(0) + value(1) + value(2));
                *below = above.wrapping_add(row);
            }
        }
        Self { stride, sums }
    }

    /// The sums of the blocks in a row, from (x, y) on.
    fn blocks(&self, x: usize, y: usize, side: usize, sums: &mut [f32]) {
        let (above, below) = (&self.sums[y * self.stride + x..], &self.sums[(y + side) * self.stride + x..]);
        let mut before = below[0].wrapping_sub(above[0]);
        for (sum, (above, below)) in
            sums.iter_mut().zip(above[side..].iter().step_by(side).zip(below[side..].iter().step_by(side)))
        {
            let next = below.wrapping_sub(*above);
            *sum = next.wrapping_sub(before) as f32;
            before = next;
        }
    }
}
