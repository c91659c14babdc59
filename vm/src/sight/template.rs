//! What is looked for: an image with its mask, and everything about it that does not depend on where it is compared.

use std::sync::OnceLock;

use crate::sight::levels::Levels;

/// The most pixels a template may have: more than any screen. It bounds memory, and keeps every sum within its type.
pub const MOST_PIXELS: usize = 1 << 26;
/// Below this standard deviation (of one channel, in 255ths) a template has no detail to correlate.
const LEAST_DEVIATION: f64 = 4.0;

/// An image to look for. Made once, it can be searched for many times.
#[derive(Debug)]
pub struct Template {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Blue, green, red and 0 of each pixel, row by row; black where the weight is 0.
    pub(crate) bgrx: Vec<u8>,
    /// The weight of each pixel, its alpha; none when all are 255.
    pub(crate) weights: Option<Vec<u8>>,
    pub(crate) moments: Moments,
    /// Set when the template has no detail; then differences of colour decide, not correlation.
    pub(crate) flat: Option<Flat>,
    /// The largest rectangle whose pixels all have weight 255 (of a flat template: any weight, and not the odd pixel).
    pub(crate) core: Area,
    pub(crate) levels: OnceLock<Levels>,
}

/// Sums over the template: `weight` is the sum of the weights, each 1 when there is no mask.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moments {
    pub(crate) weight: i64,
    /// Of each channel: the weighted sum of its values.
    pub(crate) sum: [i64; 3],
    /// Over all channels: `weight` times the weighted sum of squares less the square of the sum.
    pub(crate) variance: i128,
}

/// The colours of a template without detail, but for one pixel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flat {
    pub(crate) low: [u8; 3],
    pub(crate) high: [u8; 3],
    /// The one pixel that differs from all others, as an index.
    pub(crate) odd: Option<usize>,
}

/// A rectangle in the template.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) x: usize,
    pub(crate) y: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// Why an image cannot be looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// It has no pixels.
    #[error("the template is empty ({width} x {height} pixels)")]
    Empty {
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
    },
    /// It has more than [`MOST_PIXELS`].
    #[error("the template is too large ({width} x {height} pixels; at most {MOST_PIXELS} pixels are possible)")]
    TooLarge {
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
    },
    /// Its bytes are not four for each pixel.
    #[error("the template has {found} bytes where its size asks for {wanted}")]
    Bytes {
        /// Bytes given.
        found: usize,
        /// Four for each pixel.
        wanted: usize,
    },
    /// No pixel can be seen.
    #[error("the template is fully transparent")]
    Transparent,
}

impl Template {
    /// A template of `width * height` pixels, four bytes each: red, green, blue and alpha, row by row. Alpha is the pixel's weight.
    ///
    /// # Errors
    /// The size is zero, too large or not that of the bytes, or every pixel is transparent.
    pub fn new(width: u32, height: u32, rgba: &[u8]) -> Result<Self, TemplateError> {
        if width == 0 || height == 0 {
            return Err(TemplateError::Empty { width, height });
        }
        let too_large = TemplateError::TooLarge { width, height };
        let side = |length: u32| usize::try_from(length).map_err(|_| too_large);
        let (columns, rows) = (side(width)?, side(height)?);
        let count = columns.checked_mul(rows).filter(|count| *count <= MOST_PIXELS).ok_or(too_large)?;
        if rgba.len() != count * 4 {
            return Err(TemplateError::Bytes { found: rgba.len(), wanted: count * 4 });
        }
        let weights: Option<Vec<u8>> = rgba
            .chunks_exact(4)
            .any(|pixel| pixel[3] != 255)
            .then(|| rgba.chunks_exact(4).map(|pixel| pixel[3]).collect());
        let seen = |pixel: &[u8]| pixel[3] > 0;
        if !rgba.chunks_exact(4).any(seen) {
            return Err(TemplateError::Transparent);
        }
        let colour = |pixel: &[u8]| if seen(pixel) { [pixel[2], pixel[1], pixel[0], 0] } else { [0; 4] };
        let bgrx: Vec<u8> = rgba.chunks_exact(4).flat_map(colour).collect();
        let moments = Moments::of(&bgrx, weights.as_deref());
        let flat = flat(&bgrx, weights.as_deref(), &moments);
        let counts = |index: usize| match (&flat, &weights) {
            (Some(flat), _) if flat.odd == Some(index) => false,
            (_, None) => true,
            (Some(_), Some(weights)) => weights[index] > 0,
            (None, Some(weights)) => weights[index] == 255,
        };
        let core = largest(columns, rows, counts);
        Ok(Self { width: columns, height: rows, bgrx, weights, moments, flat, core, levels: OnceLock::new() })
    }

    /// Width in pixels.
    pub fn width(&self) -> u32 {
        u32::try_from(self.width).unwrap_or(u32::MAX)
    }

    /// Height in pixels.
    pub fn height(&self) -> u32 {
        u32::try_from(self.height).unwrap_or(u32::MAX)
    }

    /// Whether it has no detail: one colour, one colour but for a single pixel, or next to no contrast. Such a template is compared by
    /// difference of colour.
    pub fn is_flat(&self) -> bool {
        self.flat.is_some()
    }

    /// Whether a pixel of this index counts at all.
    pub(crate) fn counts(&self, index: usize) -> bool {
        self.weights.as_ref().is_none_or(|weights| weights[index] > 0)
    }

    /// Blue, green and red of a pixel.
    pub(crate) fn colour(&self, index: usize) -> [u8; 3] {
        [self.bgrx[index * 4], self.bgrx[index * 4 + 1], self.bgrx[index * 4 + 2]]
    }
}

impl Moments {
    fn of(bgrx: &[u8], weights: Option<&[u8]>) -> Self {
        let (mut weight, mut sum, mut squares) = (0_i64, [0_i64; 3], [0_i64; 3]);
        for (index, pixel) in bgrx.chunks_exact(4).enumerate() {
            let own = weights.map_or(1, |weights| i64::from(weights[index]));
            weight += own;
            for channel in 0..3 {
                let value = i64::from(pixel[channel]);
                sum[channel] += own * value;
                squares[channel] += own * value * value;
            }
        }
        let variance = |channel: usize| {
            i128::from(weight) * i128::from(squares[channel]) - i128::from(sum[channel]) * i128::from(sum[channel])
        };
        Self { weight, sum, variance: (0..3).map(variance).sum() }
    }
}

fn flat(bgrx: &[u8], weights: Option<&[u8]>, moments: &Moments) -> Option<Flat> {
    let seen = |index: &usize| weights.is_none_or(|weights| weights[*index] > 0);
    let colour = |index: usize| [bgrx[index * 4], bgrx[index * 4 + 1], bgrx[index * 4 + 2]];
    let count = bgrx.len() / 4;
    let odd = odd_one((0..count).filter(seen).map(|index| (index, colour(index))));
    let weight = moments.weight as f64;
    let deviation = (moments.variance as f64 / (weight * weight * 3.0)).sqrt();
    if odd.is_none() && deviation >= LEAST_DEVIATION {
        return None;
    }
    let odd = odd.flatten();
    let (mut low, mut high) = ([255; 3], [0; 3]);
    for index in (0..count).filter(seen).filter(|index| odd != Some(*index)) {
        for (channel, value) in colour(index).into_iter().enumerate() {
            low[channel] = value.min(low[channel]);
            high[channel] = value.max(high[channel]);
        }
    }
    Some(Flat { low, high, odd })
}

/// Some when all colours are one, or all but one: then that one's index.
fn odd_one(pixels: impl Iterator<Item = (usize, [u8; 3])>) -> Option<Option<usize>> {
    // The first colours seen, each with the index where it came first and how often it came.
    let mut found: [Option<([u8; 3], usize, usize)>; 2] = [None; 2];
    for (index, colour) in pixels {
        let place = found.iter_mut().find(|place| place.is_none_or(|(known, ..)| known == colour))?;
        let (_, _, times) = place.get_or_insert((colour, index, 0));
        *times += 1;
    }
    match found {
        [Some(_), None] | [None, _] => Some(None),
        [Some((_, _, many)), Some((_, index, 1))] if many > 1 => Some(Some(index)),
        [Some((_, index, 1)), Some((_, _, many))] if many > 1 => Some(Some(index)),
        [Some(_), Some(_)] => None,
    }
}

/// The largest rectangle of pixels that count, by the heights of columns that end in each row.
fn largest(width: usize, height: usize, counts: impl Fn(usize) -> bool) -> Area {
    let mut best = Area::default();
    let mut heights = vec![0_usize; width + 1];
    let mut stack: Vec<usize> = Vec::with_capacity(width + 1);
    for y in 0..height {
        for (x, tall) in heights[..width].iter_mut().enumerate() {
            *tall = if counts(y * width + x) { *tall + 1 } else { 0 };
        }
        stack.clear();
        for x in 0..=width {
            while let Some(top) = stack.pop_if(|top| heights[*top] >= heights[x] && x > *top) {
                let begin = stack.last().map_or(0, |left| left + 1);
                let area = Area { x: begin, y: y + 1 - heights[top], width: x - begin, height: heights[top] };
                if area.width * area.height > best.width * best.height {
                    best = area;
                }
            }
            stack.push(x);
        }
    }
    best
}
