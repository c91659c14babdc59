//! The search of an image in pixels.

/// Pixels.
#[derive(Clone, Copy, Debug)]
pub struct Pixels<'a> {
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
    /// Bytes of a row.
    pub stride: usize,
    /// The bytes.
    pub bgrx: &'a [u8],
}

/// An image to look for.
#[derive(Clone, Debug)]
pub struct Template {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

/// Why not.
#[derive(Clone, Debug, thiserror::Error)]
#[error("no template")]
pub struct TemplateError;

/// A place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// Left.
    pub x: u32,
    /// Top.
    pub y: u32,
    /// Score.
    pub score: f64,
}

/// What was found.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Best.
    pub best: Match,
    /// How many.
    pub matches: usize,
}

/// Given up.
#[derive(Clone, Copy, Debug)]
pub struct GaveUp;

impl Template {
    /// Makes one.
    pub fn new(width: u32, height: u32, rgba: &[u8]) -> Result<Self, TemplateError> {
        Ok(Self { width, height, rgba: rgba.to_vec() })
    }
}

/// Searches.
pub fn search(
    pixels: Pixels<'_>,
    template: &Template,
    confidence: f64,
    give_up: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Found>, GaveUp> {
    if template.width > pixels.width || template.height > pixels.height {
        return Ok(None);
    }
    let mut found: Option<Found> = None;
    for y in 0..=pixels.height - template.height {
        if give_up() {
            return Err(GaveUp);
        }
        for x in 0..=pixels.width - template.width {
            let (mut same, mut all) = (0u32, 0u32);
            'rows: for row in 0..template.height {
                for column in 0..template.width {
                    let at = (y + row) as usize * pixels.stride + (x + column) as usize * 4;
                    let of = ((row * template.width + column) * 4) as usize;
                    let (seen, wanted) = (&pixels.bgrx[at..at + 3], &template.rgba[of..of + 3]);
                    all += 1;
                    if seen[0] == wanted[2] && seen[1] == wanted[1] && seen[2] == wanted[0] {
                        same += 1;
                    } else if all > 50 && same * 2 < all {
                        break 'rows;
                    }
                }
            }
            let score = f64::from(same) / f64::from(all);
            let hit = usize::from(score >= confidence);
            match &mut found {
                Some(found) => {
                    found.matches += hit;
                    if score > found.best.score {
                        found.best = Match { x, y, score };
                    }
                }
                None => found = Some(Found { best: Match { x, y, score }, matches: hit }),
            }
        }
    }
    Ok(found)
}
