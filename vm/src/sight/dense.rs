//! The coarsest level of a search: the correlation of blocks at every place.

use std::ops::Range;

use crate::sight::levels::Level;
use crate::sight::parallel::{GaveUp, Workers, pieces};
use crate::sight::planes::Plane;

/// Places along a row of blocks that are computed in one go.
const LANES: usize = 16;
/// Offsets that share one reading of the screen.
const GROUP: usize = 4;
/// More than the relative error of one operation in `f32`.
const ROUNDING: f64 = 1.2e-7;

/// A place and the correlation of its blocks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) correlation: f32,
}

/// The places whose correlation reaches the floor of their offset, and the best few of all places.
#[derive(Debug, Default)]
pub(crate) struct Survivors {
    pub(crate) places: Vec<Place>,
    pub(crate) best: Vec<Place>,
}

/// What a level is compared with.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) plane: &'a Plane,
    /// Where the core lies in the template, in pixels.
    pub(crate) core: (usize, usize),
    /// Places across and down, in pixels.
    pub(crate) places: (usize, usize),
    /// The largest absolute value of a block.
    pub(crate) most: f64,
}

/// Compares a level everywhere. `floors` has one for each offset.
pub(crate) fn survivors(
    ground: Ground<'_>,
    level: &Level,
    floors: &[f32],
    workers: &Workers<'_>,
) -> Result<Survivors, GaveUp> {
    let (Some(columns), Some(rows)) =
        ((ground.plane.columns + 1).checked_sub(level.columns), (ground.plane.rows + 1).checked_sub(level.rows))
    else {
        return Ok(Survivors::default());
    };
    let dense = Dense::new(ground, level, floors, columns);
    let work = columns * rows * level.side * level.side * level.count();
    let found = workers.each(work < 1 << 20, pieces(rows), |rows| dense.piece(rows, workers))?;
    let mut all = Survivors::default();
    for piece in found {
        all.places.extend(piece.places);
        all.best.extend(piece.best);
    }
    Ok(all)
}

struct Dense<'a> {
    ground: Ground<'a>,
    level: &'a Level,
    floors: &'a [f32],
    /// Positions of the blocks' top left one in a row of the screen.
    columns: usize,
    /// By group of offsets: for each block, its value at the offsets of the group.
    groups: Vec<Vec<[f32; GROUP]>>,
    /// Added to each product, so that rounding never lowers a correlation.
    slack: f32,
}

impl<'a> Dense<'a> {
    fn new(ground: Ground<'a>, level: &'a Level, floors: &'a [f32], columns: usize) -> Self {
        let group = |first: usize| {
            let mut group = Vec::with_capacity(level.count());
            for index in 0..level.count() {
                let at = index / level.columns * level.stride + index % level.columns;
                let value = |part: usize| level.offsets.get(first + part).map_or(0.0, |blocks| blocks[at]);
                group.push(std::array::from_fn(value));
            }
            group
        };
        let count = level.count() as f64;
        let slack = ((count + 8.0) * ROUNDING * ground.most * count.sqrt()) as f32;
        let groups = (0..level.offsets.len()).step_by(GROUP).map(group).collect();
        Self { ground, level, floors, columns, groups, slack }
    }

    fn piece(&self, rows: Range<usize>, workers: &Workers<'_>) -> Survivors {
        let mut found = Survivors { places: Vec::new(), best: vec![Place { correlation: -1.0, ..Place::default() }] };
        let mut norms = Norms::new(self.ground.plane, self.level, rows.start);
        for row in rows {
            norms.next();
            for (group, blocks) in self.groups.iter().enumerate() {
                let top = group * GROUP / self.level.side;
                let inside = |offset: usize| {
                    let y = (row * self.level.side).checked_sub(offset / self.level.side + self.ground.core.1);
                    y.is_some_and(|y| y < self.ground.places.1)
                };
                if workers.asked() {
                    return found;
                }
                if self.level.side >= GROUP && !inside(top * self.level.side) {
                    continue;
                }
                for column in (0..self.columns).step_by(LANES) {
                    let correlations =
                        correlate(self.ground.plane, self.level, (column, row), blocks, &norms.inverse, self.slack);
                    self.note(&correlations, group * GROUP, (column, row), &mut found);
                }
            }
        }
        found
    }

    fn note(
        &self,
        correlations: &[[f32; LANES]; GROUP],
        first: usize,
        (column, row): (usize, usize),
        found: &mut Survivors,
    ) {
        for (part, correlations) in correlations.iter().enumerate() {
            let Some(floor) = self.floors.get(first + part) else { return };
            let top = correlations.iter().fold(0.0_f32, |top, value| if *value > top { *value } else { top });
            if top < *floor && top <= found.best[0].correlation {
                continue;
            }
            for (lane, correlation) in correlations.iter().enumerate() {
                let better = *correlation > found.best[0].correlation;
                if *correlation < *floor && !better {
                    continue;
                }
                let Some((x, y)) = self.place(column + lane, row, first + part) else { continue };
                let place = Place { x, y, correlation: *correlation };
                if *correlation >= *floor {
                    found.places.push(place);
                }
                if better {
                    found.best[0] = place;
                }
            }
        }
    }

    /// Where the template is when its blocks at this offset begin at this block of the screen; none outside.
    fn place(&self, column: usize, row: usize, offset: usize) -> Option<(u32, u32)> {
        if column >= self.columns {
            return None;
        }
        let side = self.level.side;
        let x = (column * side).checked_sub(offset % side + self.ground.core.0)?;
        let y = (row * side).checked_sub(offset / side + self.ground.core.1)?;
        let inside = x < self.ground.places.0 && y < self.ground.places.1;
        if inside { Some((u32::try_from(x).ok()?, u32::try_from(y).ok()?)) } else { None }
    }
}

/// The correlations at `LANES` places in a row of blocks, for the offsets of a group.
#[inline(always)]
fn correlate(
    plane: &Plane,
    level: &Level,
    (column, row): (usize, usize),
    blocks: &[[f32; GROUP]],
    inverse: &[f32],
    slack: f32,
) -> [[f32; LANES]; GROUP] {
    let mut sums = [[slack; LANES]; GROUP];
    for (down, blocks) in blocks.chunks_exact(level.columns).enumerate() {
        let shown = plane.from(column, row + down, level.columns + LANES);
        for (across, block) in blocks.iter().enumerate() {
            let Some(shown) = shown[across..].first_chunk::<LANES>() else { break };
            for part in 0..GROUP {
                for lane in 0..LANES {
                    sums[part][lane] += block[part] * shown[lane];
                }
            }
        }
    }
    if let Some(inverse) = inverse[column..].first_chunk::<LANES>() {
        for sums in &mut sums {
            for lane in 0..LANES {
                sums[lane] *= inverse[lane];
            }
        }
    }
    sums
}

/// For a row of blocks: one over the norm of the screen's blocks about their mean, and 0 where they are all equal.
struct Norms<'a> {
    plane: &'a Plane,
    level: &'a Level,
    row: usize,
    /// Of each column of the rows the blocks cover: the sum, and that of the squares. Exact: the numbers are whole.
    sums: Vec<[f64; 2]>,
    inverse: Vec<f32>,
}

impl<'a> Norms<'a> {
    /// Before the row `row`.
    fn new(plane: &'a Plane, level: &'a Level, row: usize) -> Self {
        let inverse = vec![0.0; plane.stride];
        let mut norms = Self { plane, level, row, sums: vec![[0.0; 2]; plane.columns], inverse };
        for above in row..row + level.rows - 1 {
            norms.add(above, 1.0);
        }
        norms
    }

    fn add(&mut self, row: usize, sign: f64) {
        for (sums, value) in self.sums.iter_mut().zip(self.plane.from(0, row, self.plane.columns)) {
            let value = f64::from(*value);
            sums[0] += sign * value;
            sums[1] += sign * value * value;
        }
    }

    fn next(&mut self) {
        self.add(self.row + self.level.rows - 1, 1.0);
        let count = self.level.count() as f64;
        let columns = self.level.columns;
        let mut window = [0.0; 2];
        for (end, sums) in self.sums.iter().enumerate() {
            window = [window[0] + sums[0], window[1] + sums[1]];
            if let Some(begin) = (end + 1).checked_sub(columns) {
                let variance = window[1] - window[0] * window[0] / count;
                self.inverse[begin] = if variance > 0.25 { variance.sqrt().recip() as f32 } else { 0.0 };
                let first = self.sums[begin];
                window = [window[0] - first[0], window[1] - first[1]];
            }
        }
        self.add(self.row, -1.0);
        self.row += 1;
    }
}
