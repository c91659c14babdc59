//! The search for places that correlate: coarse to fine, by bounds.
//!
//! Let `s` be the least score wanted. A place scores at most its correlation `r` over all channels, so `r >= s` is needed. The best fit of
//! the screen's window to the template, with any gain and offset, then leaves at most `(1 - s^2) V` of the template's variance `V`
//! unexplained. Joining pixels to blocks and channels to one is an orthogonal projection: it cannot make what is left larger. A level
//! that keeps the share `a` of `V` therefore needs a correlation `q` of its blocks with `a V (1 - q^2) <= (1 - s^2) V`, that is
//! `q^2 >= 1 - (1 - s^2) / a`. The same bound upwards says what a place can still score: `r^2 <= 1 - a (1 - q^2)`.

use crate::sight::choose::{Candidate, Found, choose};
use crate::sight::dense::{Ground, Place, survivors};
use crate::sight::levels::{COARSEST, Level, Levels, Set};
use crate::sight::parallel::{GaveUp, Workers};
use crate::sight::pixels::Pixels;
use crate::sight::planes::planes;
use crate::sight::refine::refine;
use crate::sight::score::score;
use crate::sight::template::Template;

/// Blocks times places that may be compared for the sake of a proof.
pub(crate) const PROVEN_WORK: usize = 200_000_000;
/// Blocks that are enough without one, and the share of the variance they must have.
const FEW_BLOCKS: usize = 16;
const LEAST_SHARE: f64 = 0.03;
/// The share of the variance that the core must have.
const LEAST_CORE: f64 = 0.5;
/// How many times their share the blocks may have of what is unexplained, where a proof would cost too much.
const UNEVEN: f64 = 2.0;
/// Where the floor is below this, channels are compared apart if that lifts it by as much as `WORTH`.
const SURE_FLOOR: f64 = 0.6;
const WORTH: f64 = 0.1;
/// A floor below this rejects too little.
const LEAST_FLOOR: f64 = 0.25;
/// Places below the floor that are scored, so that there is a best one.
const LOOKED_AT: usize = 4;
/// Rounding of correlations, generously.
const SLACK: f64 = 1e-3;

/// The best place, and how many reach the confidence; none when there are no places with any detail. A proof may cost as much as `work`.
pub(crate) fn correlate(
    pixels: &Pixels<'_>,
    template: &Template,
    confidence: f64,
    work: usize,
    workers: &Workers<'_>,
) -> Result<Option<Found>, GaveUp> {
    let levels = template.levels.get_or_init(|| Levels::of(template));
    workers.check()?;
    let least = confidence.clamp(0.0, 1.0 - 1e-9);
    let size = (template.width, template.height);
    let count = (pixels.columns() - size.0 + 1, pixels.rows() - size.1 + 1);
    let Some(plan) = plan(levels, least, work / (count.0 * count.1)) else {
        return everywhere(pixels, template, confidence, workers);
    };
    let core = (template.core.x, template.core.y);
    let floors = |level: &Level| floors(level, least, plan.uneven);
    // Where channels are apart, only the coarsest level is: few places are left after it.
    let set = &levels.joined;
    let finest = usize::from(plan.power > 0);
    let is_joined = plan.set.directions.len() == 1;
    let mut all =
        planes(pixels, &plan.set.directions, if is_joined { finest } else { plan.power }..=plan.power, workers)?;
    let ground = Ground { plane: &all[plan.power], core, places: count, most: plan.set.most(plan.power) };
    let found = survivors(ground, plan.level, &floors(plan.level), workers)?;
    let (mut places, mut level) = (found.places, plan.level);
    if !is_joined && plan.power > finest && !places.is_empty() {
        all = planes(pixels, &set.directions, finest..=plan.power - 1, workers)?;
    }
    for power in (finest..plan.power).rev() {
        if places.is_empty() {
            break;
        }
        let Some(finer) = set.level(power) else { continue };
        let ground = Ground { plane: &all[power], core, places: count, most: set.most(power) };
        places = refine(ground, finer, &floors(finer), &places, workers)?;
        level = finer;
    }
    let bound = |place: &Place| {
        let rest = 1.0 - (f64::from(place.correlation) + SLACK).clamp(0.0, 1.0).powi(2);
        (1.0 - level.share * rest).sqrt()
    };
    let candidate = |place: &Place| Candidate { x: place.x, y: place.y, bound: (bound(place) + 1e-6) as f32 };
    let mut candidates: Vec<Candidate> = places.iter().map(candidate).collect();
    // Places that were best at the coarsest level, so that there is a best one even when all are below the confidence.
    let mut best: Vec<Place> = found.best.into_iter().filter(|place| place.correlation > 0.0).collect();
    best.sort_by(|one, other| {
        other.correlation.total_cmp(&one.correlation).then((one.y, one.x).cmp(&(other.y, other.x)))
    });
    candidates.extend(best.iter().take(LOOKED_AT).map(|place| Candidate { x: place.x, y: place.y, bound: 1.0 }));
    choose(candidates, size, confidence, workers, |x, y| score(pixels, template, x as usize, y as usize))
}

/// Where to begin.
#[derive(Clone, Copy)]
struct Plan<'a> {
    set: &'a Set,
    power: usize,
    level: &'a Level,
    /// See [`UNEVEN`]; none when the bound holds for everything.
    uneven: Option<f64>,
}

fn plan(levels: &Levels, least: f64, most: usize) -> Option<Plan<'_>> {
    proven(levels, least, most).or_else(|| likely(levels, least))
}

/// The coarsest level whose bound rejects enough, if it has few enough blocks.
fn proven(levels: &Levels, least: f64, most: usize) -> Option<Plan<'_>> {
    let missed = 1.0 - least * least;
    let floor = |level: &Level| (1.0 - missed / level.share.max(1e-12)).max(0.0).sqrt();
    for power in (0..=COARSEST).rev() {
        let [joined, coloured] = [&levels.joined, &levels.coloured].map(|set| {
            let level = if set.count(power) <= most { set.level(power) } else { None };
            level.map(|level| (floor(level), Plan { set, power, level, uneven: None }))
        });
        let joined = joined.filter(|(floor, _)| *floor >= LEAST_FLOOR);
        let coloured = coloured.filter(|(floor, _)| *floor >= LEAST_FLOOR);
        match (joined, coloured) {
            (Some((low, _)), Some((high, plan))) if low < SURE_FLOOR && high > low + WORTH => return Some(plan),
            (Some((_, plan)), _) | (None, Some((_, plan))) => return Some(plan),
            (None, None) => {}
        }
    }
    None
}

/// The coarsest level that tells places apart in all likelihood, or else the finest; none where a mask leaves no rectangle that holds
/// much of the template.
fn likely(levels: &Levels, least: f64) -> Option<Plan<'_>> {
    let set = &levels.joined;
    if levels.coloured.level(0)?.share < LEAST_CORE {
        return None;
    }
    let missed = 1.0 - least * least;
    let plan = |power: usize| {
        let uneven = Some(UNEVEN.min(0.9 / missed.max(1e-9)));
        Some(Plan { set, power, level: set.level(power)?, uneven })
    };
    let enough = |power: &usize| {
        set.count(*power) >= FEW_BLOCKS && set.level(*power).is_some_and(|level| level.share >= LEAST_SHARE)
    };
    (0..=COARSEST).rev().find(enough).and_then(plan).or_else(|| (0..=COARSEST).find_map(plan))
}

/// The least correlation of blocks, for each offset.
fn floors(level: &Level, least: f64, uneven: Option<f64>) -> Vec<f32> {
    let missed = 1.0 - least * least;
    let floor = |share: &f64| {
        let times = share.max(1e-12).recip();
        let times = uneven.map_or(times, |uneven| times.min(uneven));
        ((1.0 - times * missed).max(0.0).sqrt() - SLACK).max(1e-3) as f32
    };
    level.shares.iter().map(floor).collect()
}

/// Scores every place: for templates of which no rectangle is left under their mask.
fn everywhere(
    pixels: &Pixels<'_>,
    template: &Template,
    confidence: f64,
    workers: &Workers<'_>,
) -> Result<Option<Found>, GaveUp> {
    let (columns, rows) = (pixels.columns() - template.width + 1, pixels.rows() - template.height + 1);
    let scored = workers.each(false, 0..rows, |y| {
        let mut scores = Vec::with_capacity(columns);
        for x in 0..columns {
            if workers.asked() {
                break;
            }
            let candidate = |bound| Some(Candidate { x: u32::try_from(x).ok()?, y: u32::try_from(y).ok()?, bound });
            let score = score(pixels, template, x, y) as f32;
            if score > 0.0 {
                scores.extend(candidate(score.next_up()));
            }
        }
        scores
    })?;
    let size = (template.width, template.height);
    choose(scored.concat(), size, confidence, workers, |x, y| score(pixels, template, x as usize, y as usize))
}
