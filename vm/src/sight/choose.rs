//! From candidates to the answer: the best place and how many there are.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::sight::parallel::{GaveUp, Workers};

/// The most places that are counted.
pub const MOST_MATCHES: usize = 1000;

/// A place that may match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) x: u32,
    pub(crate) y: u32,
    /// At least its score.
    pub(crate) bound: f32,
}

/// A place and its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// The left edge, in pixels of the area searched.
    pub x: u32,
    /// The top edge.
    pub y: u32,
    /// From 0 to 1.
    pub score: f64,
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The best place, even when it is below the confidence.
    pub best: Match,
    /// How many places there are at or above the confidence, at most [`MOST_MATCHES`].
    pub matches: usize,
}

/// The first and number of places that are all equally good, in reading order.
pub(crate) fn equals(
    mut places: Vec<(u32, u32)>,
    score: f64,
    size: (usize, usize),
    workers: &Workers<'_>,
) -> Result<Option<Found>, GaveUp> {
    places.sort_unstable();
    let mut kept = Kept::new(size);
    let mut best = None;
    for (turn, (y, x)) in places.into_iter().enumerate() {
        if turn.is_multiple_of(1024) {
            workers.check()?;
        }
        best.get_or_insert(Match { x, y, score });
        if kept.len() == MOST_MATCHES {
            break;
        }
        if !kept.is_near(x, y) {
            kept.insert(x, y);
        }
    }
    Ok(best.map(|best| Found { best, matches: kept.len() }))
}

/// The best of the candidates, and how many are kept when each, best first, takes those that overlap it by more than half with it. Only
/// candidates that can still matter are scored. A candidate below the confidence can only become the best.
pub(crate) fn choose(
    candidates: Vec<Candidate>,
    size: (usize, usize),
    confidence: f64,
    workers: &Workers<'_>,
    score: impl Fn(u32, u32) -> f64,
) -> Result<Option<Found>, GaveUp> {
    let order = |candidate: Candidate| {
        // Bounds are not negative, so their bits are in the order of their values.
        (candidate.bound.max(0.0).to_bits(), Reverse((candidate.y, candidate.x)))
    };
    let mut waiting: BinaryHeap<_> = candidates.into_iter().map(order).collect();
    let mut scored: BinaryHeap<(u64, Reverse<(u32, u32)>)> = BinaryHeap::new();
    let mut kept = Kept::new(size);
    let mut best: Option<Match> = None;
    let mut turn = 0_u32;
    while kept.len() < MOST_MATCHES {
        turn = turn.wrapping_add(1);
        if turn.is_multiple_of(16) {
            workers.check()?;
        }
        let certain = scored.peek().map(|(bits, _)| f64::from_bits(*bits));
        let next = waiting.peek().map(|(bits, _)| f64::from(f32::from_bits(*bits)));
        match (next, certain) {
            (Some(bound), _) if bound >= certain.unwrap_or(0.0) => {
                let Some((_, Reverse((y, x)))) = waiting.pop() else { break };
                let useless = bound < confidence && best.is_some_and(|best| best.score > bound);
                if !useless && !kept.is_near(x, y) {
                    workers.check()?;
                    scored.push((score(x, y).max(0.0).to_bits(), Reverse((y, x))));
                }
            }
            (_, Some(value)) => {
                let Some((_, Reverse((y, x)))) = scored.pop() else { break };
                let best = best.get_or_insert(Match { x, y, score: value });
                let lesser = value < 1.0 && best.score == 1.0;
                if value < confidence || lesser {
                    break;
                }
                if !kept.is_near(x, y) {
                    kept.insert(x, y);
                }
            }
            (_, None) => break,
        }
    }
    Ok(best.map(|best| Found { best, matches: kept.len() }))
}

/// Places that are kept, in cells of half the template, so that only near ones are compared.
struct Kept {
    width: u64,
    height: u64,
    cells: HashMap<(u64, u64), Vec<(u32, u32)>>,
    count: usize,
}

impl Kept {
    fn new((width, height): (usize, usize)) -> Self {
        Self { width: width as u64, height: height as u64, cells: HashMap::new(), count: 0 }
    }

    fn len(&self) -> usize {
        self.count
    }

    /// Twice a place in units of the template: places that are near are in the same or neighbouring cells.
    fn cell(&self, x: u32, y: u32) -> (u64, u64) {
        (u64::from(x) * 2 / self.width, u64::from(y) * 2 / self.height)
    }

    fn insert(&mut self, x: u32, y: u32) {
        self.cells.entry(self.cell(x, y)).or_default().push((x, y));
        self.count += 1;
    }

    /// Whether a kept place is less than half the template away in both axes.
    fn is_near(&self, x: u32, y: u32) -> bool {
        let (column, row) = self.cell(x, y);
        let near = |(other_x, other_y): &(u32, u32)| {
            u64::from(x.abs_diff(*other_x)) * 2 < self.width && u64::from(y.abs_diff(*other_y)) * 2 < self.height
        };
        (column.saturating_sub(1)..=column + 1)
            .any(|column| (row.saturating_sub(1)..=row + 1).any(|row| self.holds((column, row), near)))
    }

    fn holds(&self, cell: (u64, u64), near: impl Fn(&(u32, u32)) -> bool) -> bool {
        self.cells.get(&cell).is_some_and(|places| places.iter().any(near))
    }
}
