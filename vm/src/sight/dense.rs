//! The coarsest level of a search: the correlation of blocks at every place.

use std::ops::Range;

use crate::sight::levels::Level;
use crate::sight::parallel::{GaveUp, Workers, pieces};
use crate::sight::planes::Plane;
use crate::sight::wide::{Loop, Vectors, widest};

/// Offsets that share one reading of the screen.
const GROUP: usize = 4;
/// Below this a variance is 0 and rounding: sums are whole, so it is at least 1/2 where two of them differ, and scales at least 1/6.
pub(crate) const LEAST_VARIANCE: f64 = 0.04;
/// At least the numbers of two vectors.
const WIDEST: usize = 32;
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
    let work = columns * rows * level.side * level.side * level.count() * level.planes;
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
            let mut group = Vec::with_capacity(level.count() * level.planes);
            for index in 0..level.count() * level.planes {
                let at = index / level.columns * level.stride + index % level.columns;
                let value = |part: usize| level.offsets.get(first + part).map_or(0.0, |blocks| blocks[at]);
                group.push(std::array::from_fn(value));
            }
            group
        };
        let count = (level.count() * level.planes) as f64;
        let slack = ((count + 8.0) * ROUNDING * ground.most * count.sqrt()) as f32;
        let groups = (0..level.offsets.len()).step_by(GROUP).map(group).collect();
        Self { ground, level, floors, columns, groups, slack }
    }

    fn piece(&self, rows: Range<usize>, workers: &Workers<'_>) -> Survivors {
        let mut found = Survivors { places: Vec::new(), best: vec![Place { correlation: -1.0, ..Place::default() }] };
        let mut norms = Norms::new(self.ground.plane, self.level, rows.start);
        for row in rows {
            widest(NextNorms(&mut norms));
            for group in 0..self.groups.len() {
                if workers.asked() {
                    return found;
                }
                if self.reaches(group, row) {
                    widest(Row { dense: self, row, group, inverse: &norms.inverse, found: &mut found });
                }
            }
        }
        found
    }

    /// Whether any offset of the group is at a place of the screen, in this row of blocks.
    fn reaches(&self, group: usize, row: usize) -> bool {
        let side = self.level.side;
        let inside = |offset: usize| {
            let y = (row * side).checked_sub(offset / side + self.ground.core.1);
            y.is_some_and(|y| y < self.ground.places.1)
        };
        (group * GROUP..(group + 1) * GROUP).any(inside)
    }

    /// Takes note of the places of a row for one offset that are good enough.
    fn note(&self, correlations: &[f32], offset: usize, (column, row): (usize, usize), found: &mut Survivors) {
        let Some(floor) = self.floors.get(offset) else { return };
        for (lane, correlation) in correlations.iter().enumerate() {
            let better = *correlation > found.best[0].correlation;
            if *correlation < *floor && !better {
                continue;
            }
            let Some((x, y)) = self.place(column + lane, row, offset) else { continue };
            let place = Place { x, y, correlation: *correlation };
            if *correlation >= *floor {
                found.places.push(place);
            }
            if better {
                found.best[0] = place;
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

/// All places of a row of blocks, for one group of offsets.
struct Row<'a> {
    dense: &'a Dense<'a>,
    row: usize,
    group: usize,
    inverse: &'a [f32],
    found: &'a mut Survivors,
}

impl Loop for Row<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self) {
        let first = self.group * GROUP;
        let floors = self.dense.floors.get(first..).unwrap_or_default();
        let floor = floors.iter().take(GROUP).copied().fold(f32::MAX, f32::min);
        let mut values = [0.0; WIDEST];
        for column in (0..self.dense.columns).step_by(V::LANES * 2) {
            let correlations = self.correlations::<V>(column);
            let mut top = correlations[0][0];
            for correlation in correlations.iter().flatten() {
                top = V::larger(top, *correlation);
            }
            if !V::any_at_least(top, V::splat(floor.min(self.found.best[0].correlation))) {
                continue;
            }
            for (part, correlations) in correlations.iter().enumerate() {
                let floor = floors.get(part).copied().unwrap_or(f32::MAX).min(self.found.best[0].correlation);
                if !V::any_at_least(V::larger(correlations[0], correlations[1]), V::splat(floor)) {
                    continue;
                }
                V::store(correlations[0], &mut values);
                V::store(correlations[1], &mut values[V::LANES..]);
                self.dense.note(&values[..V::LANES * 2], first + part, (column, self.row), self.found);
            }
        }
    }
}

impl Row<'_> {
    /// The correlations at two vectors of places from a column on, at each offset of the group.
    #[inline(always)]
    fn correlations<V: Vectors>(&self, column: usize) -> [[V::Floats; 2]; GROUP] {
        let level = self.dense.level;
        let mut sums = [[V::splat(self.dense.slack); 2]; GROUP];
        let mut all = self.dense.groups[self.group].chunks_exact(level.columns);
        for (plane, down) in (0..level.planes).flat_map(|plane| (0..level.rows).map(move |down| (plane, down))) {
            let Some(blocks) = all.next() else { break };
            let shown = self.dense.ground.plane.from(plane, column, self.row + down, level.columns + V::LANES * 2);
            for (block, shown) in blocks.iter().zip(shown.windows(V::LANES * 2)) {
                let shown = [V::load(shown), V::load(&shown[V::LANES..])];
                for part in 0..GROUP {
                    let block = V::splat(block[part]);
                    sums[part][0] = V::add_product(block, shown[0], sums[part][0]);
                    sums[part][1] = V::add_product(block, shown[1], sums[part][1]);
                }
            }
        }
        let inverse = &self.inverse[column..column + V::LANES * 2];
        let inverse = [V::load(inverse), V::load(&inverse[V::LANES..])];
        for sums in &mut sums {
            sums[0] = V::multiply(sums[0], inverse[0]);
            sums[1] = V::multiply(sums[1], inverse[1]);
        }
        sums
    }
}

/// For a row of blocks: one over the norm of the screen's blocks about their means, and 0 where each plane's are all equal.
struct Norms<'a> {
    plane: &'a Plane,
    level: &'a Level,
    row: usize,
    /// Of each column of the rows the blocks cover, plane by plane: the sum, and that of the squares. Exact: the numbers are whole.
    sums: Vec<f64>,
    squares: Vec<f64>,
    scratch: [Vec<f64>; 2],
    window: Vec<f64>,
    variances: Vec<f64>,
    inverse: Vec<f32>,
}

impl<'a> Norms<'a> {
    /// Before the row `row`.
    fn new(plane: &'a Plane, level: &'a Level, row: usize) -> Self {
        let zeros = |length: usize| vec![0.0; length];
        let (all, places) = (plane.columns * level.planes, plane.columns + 1 - level.columns);
        let mut norms = Self {
            plane,
            level,
            row,
            sums: zeros(all),
            squares: zeros(all),
            scratch: [zeros(plane.columns), zeros(plane.columns)],
            window: zeros(places),
            variances: zeros(places),
            inverse: vec![0.0; plane.stride],
        };
        for above in row..row + level.rows - 1 {
            norms.add(above, 1.0);
        }
        norms
    }

    #[inline(always)]
    fn add(&mut self, row: usize, sign: f64) {
        let columns = self.plane.columns;
        let planes = self.sums.chunks_exact_mut(columns).zip(self.squares.chunks_exact_mut(columns));
        for (plane, (sums, squares)) in planes.enumerate() {
            let shown = self.plane.from(plane, 0, row, columns);
            for ((sum, square), value) in sums.iter_mut().zip(squares).zip(shown) {
                let value = f64::from(*value);
                *sum += sign * value;
                *square += sign * value * value;
            }
        }
    }
}

/// The norms of the next row.
struct NextNorms<'a, 'b>(&'a mut Norms<'b>);

impl Loop for NextNorms<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self) {
        let Self(norms) = self;
        norms.add(norms.row + norms.level.rows - 1, 1.0);
        let each = (norms.level.count() as f64).recip();
        norms.variances.fill(0.0);
        let columns = norms.plane.columns;
        let planes = norms.sums.chunks_exact(columns).zip(norms.squares.chunks_exact(columns));
        for ((sums, squares), scale) in planes.zip(&norms.level.scales) {
            slide(sums, norms.level.columns, &mut norms.scratch, &mut norms.window);
            for (variance, sum) in norms.variances.iter_mut().zip(&norms.window) {
                *variance -= sum * sum * each * scale;
            }
            slide(squares, norms.level.columns, &mut norms.scratch, &mut norms.window);
            for (variance, square) in norms.variances.iter_mut().zip(&norms.window) {
                *variance += square * scale;
            }
        }
        for (inverse, variance) in norms.inverse.iter_mut().zip(&norms.variances) {
            *inverse = if *variance > LEAST_VARIANCE { variance.sqrt().recip() as f32 } else { 0.0 };
        }
        norms.add(norms.row, -1.0);
        norms.row += 1;
    }
}

/// The sums of `count` values from each on, put together from sums of 1, 2, 4, ... values: additions of whole rows, which vectors do.
#[inline(always)]
fn slide(values: &[f64], count: usize, [scratch, other]: &mut [Vec<f64>; 2], window: &mut [f64]) {
    scratch.copy_from_slice(values);
    window.fill(0.0);
    let (mut begin, mut joined) = (0, 1);
    loop {
        if count & joined != 0 {
            for (sum, value) in window.iter_mut().zip(&scratch[begin..]) {
                *sum += value;
            }
            begin += joined;
        }
        if joined * 2 > count {
            return;
        }
        // Those at the end lack a partner; no window reaches them.
        for (sum, (first, second)) in other.iter_mut().zip(scratch.iter().zip(&scratch[joined..])) {
            *sum = first + second;
        }
        std::mem::swap(scratch, other);
        joined *= 2;
    }
}
