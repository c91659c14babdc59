//! The widest vectors of the processor.
//!
//! A [`Loop`] is written once, over [`Vectors`], and compiled for each kind of processor; which one runs is decided when it does. The
//! intrinsics have no safe form in a generic function, so this file is the only place where they are.
#![allow(unsafe_code)]

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
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has just been found to have what the function needs, its only condition.
            return unsafe { x86::with_512_bits(work) };
        }
        // SAFETY: as above.
        return unsafe { x86::with_256_bits(work) };
    }
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

#[cfg(target_arch = "x86_64")]
mod x86 {
    // SAFETY, for every block below: the intrinsics need AVX2, FMA or AVX-512F, and every function here is inlined into `with_256_bits` or
    // `with_512_bits` and reached from nowhere else, which run only where these are. Loads and stores are unaligned ones, inside slices or
    // arrays whose length the line before has made sure of.
    use std::arch::x86_64::{
        __m256, __m256i, __m512, _CMP_GE_OQ, _mm_add_ps, _mm_add_ss, _mm_cvtepi32_ps, _mm_cvtss_f32, _mm_hadd_epi32,
        _mm_movehdup_ps, _mm_movehl_ps, _mm_set1_epi32, _mm_storeu_ps, _mm_sub_epi32, _mm256_add_epi16,
        _mm256_add_epi32, _mm256_add_epi64, _mm256_add_ps, _mm256_and_si256, _mm256_castps256_ps128,
        _mm256_castsi256_si128, _mm256_cmp_ps, _mm256_cmpeq_epi32, _mm256_extractf128_ps, _mm256_extracti128_si256,
        _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_max_ps,
        _mm256_movemask_epi8, _mm256_movemask_ps, _mm256_mul_ps, _mm256_or_si256, _mm256_sad_epu8, _mm256_set1_epi16,
        _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_si256, _mm256_storeu_ps, _mm256_storeu_si256, _mm256_sub_ps,
        _mm256_unpackhi_epi8, _mm256_unpacklo_epi8, _mm256_xor_si256, _mm512_add_ps, _mm512_cmp_ps_mask,
        _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_max_ps, _mm512_mul_ps, _mm512_reduce_add_ps, _mm512_set1_ps,
        _mm512_storeu_ps, _mm512_sub_ps,
    };

    use crate::sight::wide::{COLOUR, Loop, PIXELS, Sums, Vectors, plain_squares};

    #[target_feature(enable = "avx512f,avx2,fma")]
    pub(super) fn with_512_bits<L: Loop>(work: L) -> L::Output {
        work.run::<Bits512>()
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn with_256_bits<L: Loop>(work: L) -> L::Output {
        work.run::<Bits256>()
    }

    struct Bits256;
    struct Bits512;

    impl Vectors for Bits256 {
        type Floats = __m256;
        const LANES: usize = 8;

        #[inline(always)]
        fn splat(value: f32) -> __m256 {
            unsafe { _mm256_set1_ps(value) }
        }

        #[inline(always)]
        fn load(from: &[f32]) -> __m256 {
            let from = &from[..8];
            unsafe { _mm256_loadu_ps(from.as_ptr()) }
        }

        #[inline(always)]
        fn store(floats: __m256, to: &mut [f32]) {
            let to = &mut to[..8];
            unsafe { _mm256_storeu_ps(to.as_mut_ptr(), floats) }
        }

        #[inline(always)]
        fn add_product(a: __m256, b: __m256, c: __m256) -> __m256 {
            unsafe { _mm256_fmadd_ps(a, b, c) }
        }

        #[inline(always)]
        fn add(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_add_ps(a, b) }
        }

        #[inline(always)]
        fn subtract(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_sub_ps(a, b) }
        }

        #[inline(always)]
        fn multiply(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_mul_ps(a, b) }
        }

        #[inline(always)]
        fn larger(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_max_ps(a, b) }
        }

        #[inline(always)]
        fn total(a: __m256) -> f32 {
            unsafe {
                let four = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a));
                let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
                _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
            }
        }

        #[inline(always)]
        fn any_at_least(a: __m256, b: __m256) -> bool {
            unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GE_OQ>(a, b)) != 0 }
        }

        #[inline(always)]
        fn any_pixel(first: &[u8; PIXELS * 4], second: &[u8; PIXELS * 4], colours: [u32; 2]) -> bool {
            any_pixel(first, second, colours)
        }

        #[inline(always)]
        fn squares(upper: &[u8], lower: &[u8], weights: [i8; 3], middle: i32, to: &mut [f32]) {
            squares(upper, lower, weights, middle, to);
        }

        #[inline(always)]
        fn sums<'a>(rows: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> Sums {
            sums(rows)
        }
    }

    impl Vectors for Bits512 {
        type Floats = __m512;
        const LANES: usize = 16;

        #[inline(always)]
        fn splat(value: f32) -> __m512 {
            unsafe { _mm512_set1_ps(value) }
        }

        #[inline(always)]
        fn load(from: &[f32]) -> __m512 {
            let from = &from[..16];
            unsafe { _mm512_loadu_ps(from.as_ptr()) }
        }

        #[inline(always)]
        fn store(floats: __m512, to: &mut [f32]) {
            let to = &mut to[..16];
            unsafe { _mm512_storeu_ps(to.as_mut_ptr(), floats) }
        }

        #[inline(always)]
        fn add_product(a: __m512, b: __m512, c: __m512) -> __m512 {
            unsafe { _mm512_fmadd_ps(a, b, c) }
        }

        #[inline(always)]
        fn add(a: __m512, b: __m512) -> __m512 {
            unsafe { _mm512_add_ps(a, b) }
        }

        #[inline(always)]
        fn subtract(a: __m512, b: __m512) -> __m512 {
            unsafe { _mm512_sub_ps(a, b) }
        }

        #[inline(always)]
        fn multiply(a: __m512, b: __m512) -> __m512 {
            unsafe { _mm512_mul_ps(a, b) }
        }

        #[inline(always)]
        fn larger(a: __m512, b: __m512) -> __m512 {
            unsafe { _mm512_max_ps(a, b) }
        }

        #[inline(always)]
        fn total(a: __m512) -> f32 {
            unsafe { _mm512_reduce_add_ps(a) }
        }

        #[inline(always)]
        fn any_at_least(a: __m512, b: __m512) -> bool {
            unsafe { _mm512_cmp_ps_mask::<_CMP_GE_OQ>(a, b) != 0 }
        }

        #[inline(always)]
        fn any_pixel(first: &[u8; PIXELS * 4], second: &[u8; PIXELS * 4], colours: [u32; 2]) -> bool {
            any_pixel(first, second, colours)
        }

        #[inline(always)]
        fn squares(upper: &[u8], lower: &[u8], weights: [i8; 3], middle: i32, to: &mut [f32]) {
            squares(upper, lower, weights, middle, to);
        }

        #[inline(always)]
        fn sums<'a>(rows: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> Sums {
            sums(rows)
        }
    }

    #[inline(always)]
    fn bytes(from: &[u8]) -> __m256i {
        let from = &from[..32];
        unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn any_pixel(first: &[u8; PIXELS * 4], second: &[u8; PIXELS * 4], colours: [u32; 2]) -> bool {
        unsafe {
            let [one, other] = colours.map(|colour| _mm256_set1_epi32(colour.cast_signed()));
            let mask = _mm256_set1_epi32(COLOUR.cast_signed());
            let mut any = _mm256_setzero_si256();
            for (first, second) in first.chunks_exact(32).zip(second.chunks_exact(32)) {
                let differs =
                    _mm256_or_si256(_mm256_xor_si256(bytes(first), one), _mm256_xor_si256(bytes(second), other));
                let equal = _mm256_cmpeq_epi32(_mm256_and_si256(differs, mask), _mm256_setzero_si256());
                any = _mm256_or_si256(any, equal);
            }
            _mm256_movemask_epi8(any) != 0
        }
    }

    #[inline(always)]
    fn squares(upper: &[u8], lower: &[u8], weights: [i8; 3], middle: i32, to: &mut [f32]) {
        let whole = to.len() / 4;
        unsafe {
            let weights =
                _mm256_set1_epi32(i32::from_le_bytes([weights[0], weights[1], weights[2], 0].map(i8::cast_unsigned)));
            let (ones, middle) = (_mm256_set1_epi16(1), _mm_set1_epi32(middle));
            for (sums, (upper, lower)) in to.chunks_exact_mut(4).zip(upper.chunks_exact(32).zip(lower.chunks_exact(32)))
            {
                // Of each pixel: two numbers, of which each is at most four bytes.
                let upper = _mm256_maddubs_epi16(bytes(upper), weights);
                let lower = _mm256_maddubs_epi16(bytes(lower), weights);
                let columns = _mm256_madd_epi16(_mm256_add_epi16(upper, lower), ones);
                let pairs = _mm_hadd_epi32(_mm256_castsi256_si128(columns), _mm256_extracti128_si256::<1>(columns));
                _mm_storeu_ps(sums.as_mut_ptr(), _mm_cvtepi32_ps(_mm_sub_epi32(pairs, middle)));
            }
        }
        plain_squares(&upper[whole * 32..], &lower[whole * 32..], weights, middle, &mut to[whole * 4..]);
    }

    #[inline(always)]
    fn sums<'a>(rows: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> Sums {
        /// Vectors whose squares a lane of 32 bits has room for.
        const RUN: usize = 4096;
        let mut sums = Sums::default();
        let mut added = Vector::default();
        let mut count = 0;
        for (shown, own) in rows {
            for (shown, own) in shown.chunks(32 * RUN).zip(own.chunks(32 * RUN)) {
                if count + shown.len() / 32 > RUN {
                    added.flush(&mut sums);
                    count = 0;
                }
                count += shown.len() / 32;
                for (shown, own) in shown.chunks_exact(32).zip(own.chunks_exact(32)) {
                    added.add(bytes(shown), bytes(own));
                }
                let whole = shown.len() / 32 * 32;
                sums.add(&shown[whole..], &own[whole..]);
            }
        }
        added.flush(&mut sums);
        sums
    }

    /// [`Sums`] by lane: of 64 bits for channels, of 32 for the others.
    #[derive(Clone, Copy)]
    struct Vector {
        channels: [__m256i; 3],
        squares: __m256i,
        products: __m256i,
    }

    impl Vector {
        #[inline(always)]
        fn default() -> Self {
            let zero = unsafe { _mm256_setzero_si256() };
            Self { channels: [zero; 3], squares: zero, products: zero }
        }

        #[inline(always)]
        fn add(&mut self, shown: __m256i, own: __m256i) {
            unsafe {
                let zero = _mm256_setzero_si256();
                let shown = _mm256_and_si256(shown, _mm256_set1_epi32(COLOUR.cast_signed()));
                for (sum, mask) in self.channels.iter_mut().zip([0xff, 0xff00, 0x00ff_0000]) {
                    let channel = _mm256_and_si256(shown, _mm256_set1_epi32(mask));
                    *sum = _mm256_add_epi64(*sum, _mm256_sad_epu8(channel, zero));
                }
                let (low, high) = (_mm256_unpacklo_epi8(shown, zero), _mm256_unpackhi_epi8(shown, zero));
                let (own_low, own_high) = (_mm256_unpacklo_epi8(own, zero), _mm256_unpackhi_epi8(own, zero));
                let square = _mm256_add_epi32(_mm256_madd_epi16(low, low), _mm256_madd_epi16(high, high));
                let product = _mm256_add_epi32(_mm256_madd_epi16(low, own_low), _mm256_madd_epi16(high, own_high));
                self.squares = _mm256_add_epi32(self.squares, square);
                self.products = _mm256_add_epi32(self.products, product);
            }
        }

        #[inline(always)]
        fn flush(&mut self, sums: &mut Sums) {
            for (sum, channel) in sums.shown.iter_mut().zip(self.channels) {
                let mut lanes = [0_u64; 4];
                unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), channel) };
                *sum += lanes.into_iter().sum::<u64>();
            }
            for (sum, vector) in [(&mut sums.squares, self.squares), (&mut sums.products, self.products)] {
                let mut lanes = [0_u32; 8];
                unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), vector) };
                *sum += lanes.into_iter().map(u64::from).sum::<u64>();
            }
            *self = Self::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::sight::wide::{Loop, Plain, Sums, Vectors, plain_squares, widest};

    /// Everything on some bytes, to compare processors.
    struct Everything<'a>(&'a [u8], &'a [u8]);

    impl Loop for Everything<'_> {
        type Output = (Sums, Vec<f32>, bool, bool);

        #[inline(always)]
        fn run<V: Vectors>(self) -> Self::Output {
            let mut squares = vec![0.0; self.0.len() / 8];
            V::squares(self.0, self.1, [1, -2, 1], 77, &mut squares);
            let colour = u32::from_le_bytes([self.0[72], self.0[73], self.0[74], 0]);
            let other = u32::from_le_bytes([self.1[72], self.1[73], self.1[74], 0]);
            let (first, second) = (self.0.first_chunk().unwrap(), self.1.first_chunk().unwrap());
            let found = V::any_pixel(first, second, [colour, other]);
            let missed = V::any_pixel(first, second, [colour, other ^ 1]);
            (V::sums([(self.0, self.1), (&self.0[4..], &self.1[4..])].into_iter()), squares, found, missed)
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
            assert!(found.2);
        }
        let bright = vec![255; 4 * 70_000];
        let own: Vec<u8> = (0..bright.len()).map(|at| if at % 4 == 3 { 0 } else { 255 }).collect();
        assert_eq!(widest(Everything(&bright, &own)).0.squares, 3 * (2 * 70_000 - 1) * 255 * 255);
    }
}
