//! Finer levels of a search: the correlation of blocks at single places.

use crate::sight::dense::{Ground, Place};
use crate::sight::levels::{LANES, Level};
use crate::sight::parallel::{GaveUp, Workers};

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
    let small = places.len() * level.count() < 1 << 18;
    let kept = workers.each(small, places.chunks(PIECE), |places| {
        let mut kept = Vec::new();
        for (turn, place) in places.iter().enumerate() {
            if level.count() > 1 << 10 && turn % 16 == 0 && workers.asked() {
                break;
            }
            let (offset, correlation) = correlation(ground, level, *place);
            if correlation >= floors[offset] {
                kept.push(Place { correlation, ..*place });
            }
        }
        kept
    })?;
    Ok(kept.concat())
}

/// The offset and the correlation of the blocks at a place.
fn correlation(ground: Ground<'_>, level: &Level, place: Place) -> (usize, f32) {
    let side = level.side;
    let (x, y) = (place.x as usize + ground.core.0, place.y as usize + ground.core.1);
    let (column, row) = (x.div_ceil(side), y.div_ceil(side));
    let offset = (row * side - y) * side + (column * side - x);
    let blocks = &level.offsets[offset];
    // The numbers are taken relative to one of them, so that their squares are small where contrast is.
    let origin = ground.plane.from(column, row, 1)[0];
    let mut product = [0.0_f32; LANES];
    let mut sums = [0.0_f32; LANES];
    let mut squares = [0.0_f32; LANES];
    let whole = level.columns / LANES * LANES;
    let ends: [f32; LANES] = std::array::from_fn(|lane| if whole + lane < level.columns { 1.0 } else { 0.0 });
    for (down, blocks) in blocks.chunks_exact(level.stride).enumerate() {
        let shown = ground.plane.from(column, row + down, level.stride);
        let mut pieces = blocks.chunks_exact(LANES).zip(shown.chunks_exact(LANES));
        for (blocks, shown) in pieces.by_ref().take(whole / LANES) {
            for lane in 0..LANES {
                let value = shown[lane] - origin;
                product[lane] += blocks[lane] * value;
                sums[lane] += value;
                squares[lane] += value * value;
            }
        }
        for (blocks, shown) in pieces {
            for lane in 0..LANES {
                let value = (shown[lane] - origin) * ends[lane];
                product[lane] += blocks[lane] * value;
                sums[lane] += value;
                squares[lane] += value * value;
            }
        }
    }
    let total = |lanes: [f32; LANES]| lanes.into_iter().map(f64::from).sum::<f64>();
    let squares = total(squares);
    let mut variance = squares - total(sums).powi(2) / level.count() as f64;
    if variance < squares * 0.02 {
        // Too much was cancelled for this precision.
        variance = exact_variance(ground, level, (column, row), f64::from(origin));
    }
    let correlation = if variance > 0.25 { total(product) / variance.sqrt() } else { -1.0 };
    (offset, correlation as f32)
}

fn exact_variance(ground: Ground<'_>, level: &Level, (column, row): (usize, usize), origin: f64) -> f64 {
    let (mut sum, mut squares) = (0.0, 0.0);
    for down in 0..level.rows {
        for value in ground.plane.from(column, row + down, level.columns) {
            let value = f64::from(*value) - origin;
            sum += value;
            squares += value * value;
        }
    }
    squares - sum * sum / level.count() as f64
}
