//! The widest vectors of the processor.
//!
//! A [`Loop`] is written once, over [`Vectors`], and compiled for each kind of processor; which one runs is decided when it does.

#[cfg(target_arch = "x86_64")]
mod x86;

/// Pixels that [`Vectors::any_pixel`] compares in one go.
pub(crate) const PIXELS: usize = 32;
/// Blue, green and red of a pixel as a little-endian number.
pub(crate) const COLOUR: u32 = 0x00ff_ffff;

/// Work on vectors.
pub(crate) trait Loop {
    /// What it computes.
    type Output;

    /// Does it. Implementations and what they call are `#[inline(always)]`: only then are they compiled for the caller's processor.
    fn run<V: Vectors>(self) -> Self::Output;
}

/// Operations on some numbers at once.
pub(crate) trait Vectors {
    /// Some `f32`.
    type Floats: Copy;
    /// How many.
    const LANES: usize;
    /// Whether registers hold 20 vectors and more.
    const HAS_MANY: bool;

    /// The same number in each lane.
    fn splat(value: f32) -> Self::Floats;
    /// The first numbers of a slice, which has enough.
    fn load(from: &[f32]) -> Self::Floats;
    /// Into the first numbers of a slice, which has enough.
    fn store(floats: Self::Floats, to: &mut [f32]);
    /// `a * b + c`, rounded once or twice.
    fn add_product(a: Self::Floats, b: Self::Floats, c: Self::Floats) -> Self::Floats;
    /// `a + b`.
    fn add(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// `a - b`.
    fn subtract(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// `a * b`.
    fn multiply(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// The larger, lane by lane.
    fn larger(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// The sum of all lanes.
    fn total(a: Self::Floats) -> f32;
    /// Whether `a >= b` in any lane.
    fn any_at_least(a: Self::Floats, b: Self::Floats) -> bool;
    /// Whether any pixel has the first colour while the pixel at its place in the second row has the second.
    fn any_pixel(first: &[u8; PIXELS * 4], second: &[u8; PIXELS * 4], colours: [u32; 2]) -> bool {
        (0..PIXELS).fold(false, |any, at| any | is_pixel(first, second, at, colours))
    }
    /// For each square of four pixels: the sum of the channels, each times its weight from -2 to 2, less `middle`. There are twice as many
    /// pixels as sums.
    fn squares(upper: &[u8], lower: &[u8], weights: [i8; 3], middle: i32, sums: &mut [f32]) {
        plain_squares(upper, lower, weights, middle, sums);
    }
    /// The sums over rows of pixels, those shown and those of a template.
    #[inline(always)]
    fn sums<'a>(rows: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> Sums {
        plain_sums(rows)
    }
}

/// Sums over pixels shown and those of a template, whose fourth byte is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    /// Of each channel shown.
    pub(crate) shown: [u64; 3],
    /// Of their squares, over all channels.
    pub(crate) squares: u64,
    /// Of their products with the template's, over all channels.
    pub(crate) products: u64,
}

/// Does work on the widest vectors there are.
#[inline]
pub(crate) fn widest<L: Loop>(work: L) -> L::Output {
    #[cfg(target_arch = "x86_64")]
    let work = match x86::widest(work) {
        Ok(done) => return done,
        Err(work) => work,
    };
    work.run::<Plain>()
}

/// Whether the pixels at a place have the colours.
#[inline(always)]
pub(crate) fn is_pixel(first: &[u8], second: &[u8], at: usize, colours: [u32; 2]) -> bool {
    let number =
        |bytes: &[u8]| u32::from_le_bytes([bytes[at * 4], bytes[at * 4 + 1], bytes[at * 4 + 2], bytes[at * 4 + 3]]);
    ((number(first) ^ colours[0]) | (number(second) ^ colours[1])) & COLOUR == 0
}

#[inline(always)]
fn plain_squares(upper: &[u8], lower: &[u8], weights: [i8; 3], middle: i32, sums: &mut [f32]) {
    for (sum, (upper, lower)) in sums.iter_mut().zip(upper.chunks_exact(8).zip(lower.chunks_exact(8))) {
        let joined = |channel: usize| {
            let four = [upper[channel], upper[channel + 4], lower[channel], lower[channel + 4]];
            i32::from(weights[channel]) * four.into_iter().map(i32::from).sum::<i32>()
        };
        *sum = (joined(0) + joined(1) + joined(2) - middle) as f32;
    }
}

#[inline(always)]
fn plain_sums<'a>(rows: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> Sums {
    let mut sums = Sums::default();
    for (shown, own) in rows {
        sums.add(shown, own);
    }
    sums
}

impl Sums {
    #[inline(always)]
    fn add(&mut self, shown: &[u8], own: &[u8]) {
        for (shown, own) in shown.chunks_exact(4).zip(own.chunks_exact(4)) {
            for channel in 0..3 {
                let (shown, own) = (u64::from(shown[channel]), u64::from(own[channel]));
                self.shown[channel] += shown;
                self.squares += shown * shown;
                self.products += shown * own;
            }
        }
    }
}

/// What every processor can do.
struct Plain;

impl Vectors for Plain {
    type Floats = [f32; 8];
    const LANES: usize = 8;
    const HAS_MANY: bool = false;

    #[inline(always)]
    fn splat(value: f32) -> Self::Floats {
        [value; 8]
    }

    #[inline(always)]
    fn load(from: &[f32]) -> Self::Floats {
        std::array::from_fn(|lane| from[lane])
    }

    #[inline(always)]
    fn store(floats: Self::Floats, to: &mut [f32]) {
        to[..8].copy_from_slice(&floats);
    }

    #[inline(always)]
    fn add_product(a: Self::Floats, b: Self::Floats, c: Self::Floats) -> Self::Floats {
        std::array::from_fn(|lane| a[lane] * b[lane] + c[lane])
    }

    #[inline(always)]
    fn add(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        std::array::from_fn(|lane| a[lane] + b[lane])
    }

    #[inline(always)]
    fn subtract(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        std::array::from_fn(|lane| a[lane] - b[lane])
    }

    #[inline(always)]
    fn multiply(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        std::array::from_fn(|lane| a[lane] * b[lane])
    }

    #[inline(always)]
    fn larger(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        std::array::from_fn(|lane| if a[lane] > b[lane] { a[lane] } else { b[lane] })
    }

    #[inline(always)]
    fn total(a: Self::Floats) -> f32 {
        a.into_iter().sum()
    }

    #[inline(always)]
    fn any_at_least(a: Self::Floats, b: Self::Floats) -> bool {
        (0..8).fold(false, |any, lane| any | (a[lane] >= b[lane]))
    }
}

#[cfg(test)]
mod tests {
    use crate::sight::wide::{Loop, Plain, Sums, Vectors, plain_squares, widest};

    /// Everything on some bytes, to compare processors.
    struct Everything<'a>(&'a [u8], &'a [u8]);

    impl Loop for Everything<'_> {
        type Output = (Sums, Vec<f32>, [bool; 4], [f32; 4]);

        #[inline(always)]
        fn run<V: Vectors>(self) -> Self::Output {
            let mut squares = vec![0.0; self.0.len() / 8];
            V::squares(self.0, self.1, [1, -2, 1], 77, &mut squares);
            let colour = u32::from_le_bytes([self.0[72], self.0[73], self.0[74], 0]);
            let other = u32::from_le_bytes([self.1[72], self.1[73], self.1[74], 0]);
            let (first, second) = (self.0.first_chunk().unwrap(), self.1.first_chunk().unwrap());
            // Whole numbers, so that the order of additions does not matter.
            let floats: Vec<f32> = self.0[..V::LANES * 2].iter().map(|value| f32::from(*value)).collect();
            let (one, other_one) = (V::load(&floats), V::load(&floats[V::LANES..]));
            let bools = [
                V::any_pixel(first, second, [colour, other]),
                V::any_pixel(first, second, [colour, other ^ 1]),
                V::any_at_least(V::splat(2.0), V::splat(2.0)),
                V::any_at_least(one, V::add(one, V::splat(1.0))),
            ];
            let mut stored = vec![0.0; V::LANES];
            V::store(V::larger(one, other_one), &mut stored);
            let larger = floats.iter().zip(&floats[V::LANES..]).map(|(one, other)| one.max(*other));
            let totals = [
                V::total(V::splat(3.0)) / V::LANES as f32,
                V::total(V::subtract(V::add_product(one, other_one, one), V::multiply(one, other_one)))
                    - floats[..V::LANES].iter().sum::<f32>(),
                stored.iter().sum::<f32>() - larger.sum::<f32>(),
                0.0,
            ];
            let rows = [(self.0, self.1), (&self.0[4..], &self.1[4..])];
            (V::sums(rows.into_iter()), squares, bools, totals)
        }
    }

    #[test]
    fn all_processors_agree() {
        for length in [128, 132, 180, 1000, 4 * 70_001] {
            let shown: Vec<u8> = (0..length).map(|at| (at * at * 7 + at) as u8).collect();
            let own: Vec<u8> = (0..length).map(|at| if at % 4 == 3 { 0 } else { (at * 31 + at / 9) as u8 }).collect();
            let found = widest(Everything(&shown, &own));
            assert_eq!(found, Everything(&shown, &own).run::<Plain>());
            let mut squares = vec![0.0; length / 8];
            plain_squares(&shown, &own, [1, -2, 1], 77, &mut squares);
            assert_eq!(found.1, squares);
            assert_eq!((found.2[0], found.2[2], found.2[3]), (true, true, false));
            assert_eq!(found.3, [3.0, 0.0, 0.0, 0.0]);
            #[cfg(target_arch = "x86_64")]
            if let Ok(narrower) = crate::sight::wide::x86::on_256_bits(Everything(&shown, &own)) {
                assert_eq!(found, narrower);
            }
        }
        let bright = vec![255; 4 * 70_000];
        let own: Vec<u8> = (0..bright.len()).map(|at| if at % 4 == 3 { 0 } else { 255 }).collect();
        assert_eq!(widest(Everything(&bright, &own)).0.squares, 3 * (2 * 70_000 - 1) * 255 * 255);
    }
}
