//! The coarsest level of a search: the correlation of blocks at every place.

use std::ops::Range;

use crate::sight::levels::Level;
use crate::sight::norms::{NextNorms, Norms};
use crate::sight::parallel::{GaveUp, Workers, pieces};
use crate::sight::planes::Plane;
use crate::sight::wide::{Loop, Vectors, widest};

/// Offsets that share one reading of the screen.
const GROUP: usize = 8;
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
    /// Where in the screen's numbers each block is, from the first.
    at: Vec<usize>,
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
        let at = |index: usize| {
            let (down, across) = (index / level.columns, index % level.columns);
            (down / level.rows * ground.plane.rows + down % level.rows) * ground.plane.stride + across
        };
        let at = (0..level.count() * level.planes).map(at).collect();
        Self { ground, level, floors, columns, groups, at, slack }
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
    fn run<V: Vectors>(mut self) {
        // As many offsets at once as there are, and as registers hold the sums of.
        match self.dense.level.offsets.len() {
            1 => self.places::<V, 1>(0),
            2..GROUP => self.places::<V, 4>(0),
            _ if V::HAS_MANY => self.places::<V, GROUP>(0),
            _ => {
                self.places::<V, 4>(0);
                self.places::<V, 4>(4);
            }
        }
    }
}

impl Row<'_> {
    /// Takes note of the good places at some offsets of the group, from one on.
    #[inline(always)]
    fn places<V: Vectors, const PARTS: usize>(&mut self, begin: usize) {
        let first = self.group * GROUP + begin;
        let floors = self.dense.floors.get(first..).unwrap_or_default();
        let floor = floors.iter().take(PARTS).copied().fold(f32::MAX, f32::min);
        let mut values = [0.0; WIDEST];
        for column in (0..self.dense.columns).step_by(V::LANES * 2) {
            let correlations = self.correlations::<V, PARTS>(column, begin);
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

    /// The correlations at two vectors of places from a column on, at some offsets of the group.
    #[inline(always)]
    fn correlations<V: Vectors, const PARTS: usize>(&self, column: usize, begin: usize) -> [[V::Floats; 2]; PARTS] {
        let mut sums = [[V::splat(self.dense.slack); 2]; PARTS];
        // All blocks in one loop: rows are short.
        let shown = &self.dense.ground.plane.values[self.row * self.dense.ground.plane.stride + column..];
        for (block, at) in self.dense.groups[self.group].iter().zip(&self.dense.at) {
            let shown = &shown[*at..*at + V::LANES * 2];
            let shown = [V::load(shown), V::load(&shown[V::LANES..])];
            for part in 0..PARTS {
                let block = V::splat(block[begin + part]);
                sums[part][0] = V::add_product(block, shown[0], sums[part][0]);
                sums[part][1] = V::add_product(block, shown[1], sums[part][1]);
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
