//! Finer levels of a search: the correlation of blocks at single places.

use crate::sight::dense::{Ground, Place};
use crate::sight::levels::Level;
use crate::sight::norms::LEAST_VARIANCE;
use crate::sight::parallel::{GaveUp, Workers};
use crate::sight::wide::{Loop, Vectors, widest};

/// At least the numbers of a vector.
const WIDEST: usize = 16;
/// Places compared between two looks at the clock.
const PIECE: usize = 256;

/// The places that reach the floor of their offset at this level, with their correlation there.
pub(crate) fn refine(
    ground: Ground<'_>,
    level: &Level,
    floors: &[f32],
    places: &[Place],
    workers: &Workers<'_>,
) -> Result<Vec<Place>, GaveUp> {
    let small = places.len() * level.count() * level.planes < 1 << 18;
    let kept = workers.each(small, places.chunks(PIECE), |places| {
        let mut kept = Vec::new();
        for places in places.chunks((1_usize << 15).div_ceil(level.count() * level.planes)) {
            if workers.asked() {
                break;
            }
            widest(Places { ground, level, floors, places, kept: &mut kept });
        }
        kept
    })?;
    Ok(kept.concat())
}

/// A few places.
struct Places<'a> {
    ground: Ground<'a>,
    level: &'a Level,
    floors: &'a [f32],
    places: &'a [Place],
    kept: &'a mut Vec<Place>,
}

impl Loop for Places<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self) {
        for place in self.places {
            let (offset, correlation) = correlation::<V>(self.ground, self.level, *place);
            if correlation >= self.floors[offset] {
                self.kept.push(Place { correlation, ..*place });
            }
        }
    }
}

/// The offset and the correlation of the blocks at a place.
#[inline(always)]
fn correlation<V: Vectors>(ground: Ground<'_>, level: &Level, place: Place) -> (usize, f32) {
    let side = level.side;
    let (x, y) = (place.x as usize + ground.core.0, place.y as usize + ground.core.1);
    let (column, row) = (x.div_ceil(side), y.div_ceil(side));
    let offset = (row * side - y) * side + (column * side - x);
    let blocks = &level.offsets[offset];
    let zero = V::splat(0.0);
    let (mut product, mut variance) = (zero, 0.0);
    let whole = level.columns / V::LANES;
    let mut ends = [0.0; WIDEST];
    ends[..level.columns - whole * V::LANES].fill(1.0);
    let ends = V::load(&ends);
    for (plane, blocks) in blocks.chunks_exact(level.rows * level.stride).enumerate() {
        // The numbers are taken relative to one of them, so that their squares are small where contrast is.
        let origin = ground.plane.from(plane, column, row, 1)[0];
        let from = V::splat(origin);
        let (mut sums, mut squares) = (zero, zero);
        for (down, blocks) in blocks.chunks_exact(level.stride).enumerate() {
            let shown = ground.plane.from(plane, column, row + down, level.stride);
            let mut pieces = blocks.chunks_exact(V::LANES).zip(shown.chunks_exact(V::LANES));
            for (blocks, shown) in pieces.by_ref().take(whole) {
                let value = V::subtract(V::load(shown), from);
                product = V::add_product(V::load(blocks), value, product);
                sums = V::add(sums, value);
                squares = V::add_product(value, value, squares);
            }
            if let Some((blocks, shown)) = pieces.next() {
                let value = V::multiply(V::subtract(V::load(shown), from), ends);
                product = V::add_product(V::load(blocks), value, product);
                sums = V::add(sums, value);
                squares = V::add_product(value, value, squares);
            }
        }
        let (sum, squares) = (f64::from(V::total(sums)), f64::from(V::total(squares)));
        let own = squares - sum * sum / level.count() as f64;
        // Too much may have been cancelled for this precision.
        let exact = || exact_variance(ground, level, (plane, column, row));
        variance += level.scales[plane] * if own < squares * 0.02 { exact() } else { own };
    }
    let correlation = if variance > LEAST_VARIANCE { f64::from(V::total(product)) / variance.sqrt() } else { -1.0 };
    (offset, correlation as f32)
}

fn exact_variance(ground: Ground<'_>, level: &Level, (plane, column, row): (usize, usize, usize)) -> f64 {
    let (mut sum, mut squares) = (0.0, 0.0);
    for down in 0..level.rows {
        for value in ground.plane.from(plane, column, row + down, level.columns) {
            let value = f64::from(*value);
            sum += value;
            squares += value * value;
        }
    }
    squares - sum * sum / level.count() as f64
}
