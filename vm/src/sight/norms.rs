//! The contrast of the screen at every place of a level, by sums that slide over it.

use crate::sight::levels::Level;
use crate::sight::planes::Plane;
use crate::sight::wide::{Loop, Vectors};

/// Below this a variance is 0 and rounding: sums are whole, so it is at least 1/2 where two of them differ, and scales at least 1/6.
pub(crate) const LEAST_VARIANCE: f64 = 0.04;

/// For a row of blocks: one over the norm of the screen's blocks about their means, and 0 where each plane's are all equal.
pub(crate) struct Norms<'a> {
    plane: &'a Plane,
    level: &'a Level,
    row: usize,
    /// Of each column of the rows the blocks cover, plane by plane: the sum, and that of the squares. Exact: the numbers are whole.
    sums: Vec<f64>,
    squares: Vec<f64>,
    scratch: [Vec<f64>; 2],
    window: Vec<f64>,
    variances: Vec<f64>,
    pub(crate) inverse: Vec<f32>,
}

impl<'a> Norms<'a> {
    /// Before the row `row`.
    pub(crate) fn new(plane: &'a Plane, level: &'a Level, row: usize) -> Self {
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
pub(crate) struct NextNorms<'a, 'b>(pub(crate) &'a mut Norms<'b>);

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
