//! The score of one place, from exact sums of integers.

use crate::sight::pixels::Pixels;
use crate::sight::template::{Moments, Template};
use crate::sight::wide::{Loop, Sums, Vectors, widest};

/// Contrast that differs by less than this factor is free.
const FREE_CONTRAST: f64 = 0.7;
/// The difference of colour, in 255ths of a channel, at which a flat template scores 0.
pub(crate) const FLAT_RANGE: u8 = 64;
/// The largest number below 1: what a place that is not a copy can reach.
pub(crate) const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

/// The score of the template at (x, y), where it must fit: 1 exactly when every pixel that counts is equal.
pub(crate) fn score(pixels: &Pixels<'_>, template: &Template, x: usize, y: usize) -> f64 {
    if is_copy(pixels, template, x, y) {
        return 1.0;
    }
    match template.flat {
        Some(_) => flat_score(difference(pixels, template, x, y, u8::MAX)),
        None => {
            let sums = match &template.weights {
                None => widest(Opaque { pixels, template, x, y }),
                Some(weights) => masked_sums(pixels, template, weights, x, y),
            };
            sums.score(&template.moments)
        }
    }
}

/// Whether every pixel that counts is equal.
pub(crate) fn is_copy(pixels: &Pixels<'_>, template: &Template, x: usize, y: usize) -> bool {
    let width = template.width;
    (0..template.height).all(|row| {
        let shown = pixels.span(x, y + row, width);
        let own = &template.bgrx[row * width * 4..(row + 1) * width * 4];
        let differs = |shown: &[u8], own: &[u8]| shown[..3] != own[..3];
        match &template.weights {
            None => same_colours(shown, own),
            Some(weights) => {
                let weights = &weights[row * width..(row + 1) * width];
                let mut pairs = shown.chunks_exact(4).zip(own.chunks_exact(4)).zip(weights);
                !pairs.any(|((shown, own), weight)| *weight > 0 && differs(shown, own))
            }
        }
    })
}

/// The largest difference of a channel of a pixel that counts; at least `enough` when it is found to be more than that.
pub(crate) fn difference(pixels: &Pixels<'_>, template: &Template, x: usize, y: usize, enough: u8) -> u8 {
    let width = template.width;
    let mut most = 0;
    if let Some(odd) = template.flat.and_then(|flat| flat.odd) {
        let shown = pixels.span(x + odd % width, y + odd / width, 1);
        most = furthest(shown, &template.bgrx[odd * 4..odd * 4 + 4]);
    }
    for row in 0..template.height {
        if most > enough {
            break;
        }
        let shown = pixels.span(x, y + row, width);
        let own = &template.bgrx[row * width * 4..(row + 1) * width * 4];
        for (column, (shown, own)) in shown.chunks_exact(4).zip(own.chunks_exact(4)).enumerate() {
            if template.counts(row * width + column) {
                most = most.max(furthest(shown, own));
            }
        }
    }
    most
}

/// The score of a flat template whose largest difference is this.
pub(crate) fn flat_score(difference: u8) -> f64 {
    (1.0 - f64::from(difference) / f64::from(FLAT_RANGE)).max(0.0)
}

/// Weighted sums over a window.
#[derive(Default)]
struct Window {
    shown: [i64; 3],
    squares: i64,
    products: i64,
}

impl Window {
    fn score(&self, own: &Moments) -> f64 {
        let weight = i128::from(own.weight);
        let (mut covariance, mut variance) = (weight * i128::from(self.products), weight * i128::from(self.squares));
        for (own, shown) in own.sum.into_iter().zip(self.shown) {
            covariance -= i128::from(own) * i128::from(shown);
            variance -= i128::from(shown) * i128::from(shown);
        }
        if covariance <= 0 || variance <= 0 || own.variance <= 0 {
            return 0.0;
        }
        let (variance, own_variance) = (variance as f64, own.variance as f64);
        let correlation = covariance as f64 / (variance.sqrt() * own_variance.sqrt());
        let gain = (variance / own_variance).sqrt();
        let contrast = (gain.min(gain.recip()) / FREE_CONTRAST).min(1.0);
        let score = correlation * contrast * self.tint(own, gain);
        if score.is_finite() { score.clamp(0.0, BELOW_ONE) } else { 0.0 }
    }

    /// How well the mean colours agree once brightness and contrast are allowed for.
    fn tint(&self, own: &Moments, gain: f64) -> f64 {
        let weight = own.weight as f64;
        let rest = |channel: usize| (self.shown[channel] as f64 - gain * own.sum[channel] as f64) / weight;
        let rests = [rest(0), rest(1), rest(2)];
        let spread = rests.into_iter().fold(f64::MIN, f64::max) - rests.into_iter().fold(f64::MAX, f64::min);
        (1.0 - spread / (255.0 * gain.min(1.0))).max(0.0)
    }
}

/// The sums at a place, of a template without a mask.
struct Opaque<'a> {
    pixels: &'a Pixels<'a>,
    template: &'a Template,
    x: usize,
    y: usize,
}

impl Loop for Opaque<'_> {
    type Output = Window;

    #[inline(always)]
    fn run<V: Vectors>(self) -> Window {
        let width = self.template.width;
        let own = self.template.bgrx.chunks_exact(width * 4).enumerate();
        let Sums { shown, squares, products } =
            V::sums(own.map(|(row, own)| (self.pixels.span(self.x, self.y + row, width), own)));
        Window { shown: shown.map(u64::cast_signed), squares: squares.cast_signed(), products: products.cast_signed() }
    }
}

fn masked_sums(pixels: &Pixels<'_>, template: &Template, weights: &[u8], x: usize, y: usize) -> Window {
    let width = template.width;
    let mut window = Window::default();
    for row in 0..template.height {
        let shown = pixels.span(x, y + row, width).chunks_exact(4);
        let own = template.bgrx[row * width * 4..(row + 1) * width * 4].chunks_exact(4);
        for ((shown, own), weight) in shown.zip(own).zip(&weights[row * width..(row + 1) * width]) {
            for channel in 0..3 {
                let value = i64::from(shown[channel]);
                let weighted = i64::from(*weight) * value;
                window.shown[channel] += weighted;
                window.squares += weighted * value;
                window.products += weighted * i64::from(own[channel]);
            }
        }
    }
    window
}

fn same_colours(shown: &[u8], own: &[u8]) -> bool {
    const LANES: usize = 32;
    let (shown, own) = (shown.chunks_exact(LANES), own.chunks_exact(LANES));
    let rest = shown.remainder().iter().zip(own.remainder()).enumerate();
    let mut rest = rest.filter(|(lane, _)| lane % 4 != 3);
    rest.all(|(_, (shown, own))| shown == own)
        && shown.zip(own).all(|(shown, own)| {
            let differ =
                (0..LANES).fold(0, |differ, lane| differ | if lane % 4 == 3 { 0 } else { shown[lane] ^ own[lane] });
            differ == 0
        })
}

fn furthest(shown: &[u8], own: &[u8]) -> u8 {
    (0..3).map(|channel| shown[channel].abs_diff(own[channel])).max().unwrap_or(0)
}
