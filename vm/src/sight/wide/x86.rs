//! The vectors of x86: AVX2 with FMA, and AVX-512F. The intrinsics have no safe form in a generic function, so this file is the only one
//! that has them.
#![allow(unsafe_code)]

// SAFETY, for every block below: the intrinsics need AVX2, FMA or AVX-512F, and every function here is inlined into `with_256_bits` or
// `with_512_bits` and reached from nowhere else, which run only where these are. Loads and stores are unaligned ones, inside slices or
// arrays whose length the line before has made sure of.
use std::arch::x86_64::{
    __m256, __m256i, __m512, _CMP_GE_OQ, _mm_add_ps, _mm_add_ss, _mm_cvtss_f32, _mm_movehdup_ps, _mm_movehl_ps,
    _mm256_add_epi16, _mm256_add_epi32, _mm256_add_epi64, _mm256_add_ps, _mm256_and_si256, _mm256_castps256_ps128,
    _mm256_cmp_ps, _mm256_cmpeq_epi32, _mm256_cvtepi32_ps, _mm256_extractf128_ps, _mm256_fmadd_ps, _mm256_hadd_epi32,
    _mm256_loadu_ps, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_max_ps, _mm256_movemask_epi8,
    _mm256_movemask_ps, _mm256_mul_ps, _mm256_or_si256, _mm256_permute4x64_epi64, _mm256_sad_epu8, _mm256_set1_epi16,
    _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_si256, _mm256_storeu_ps, _mm256_storeu_si256, _mm256_sub_epi32,
    _mm256_sub_ps, _mm256_unpackhi_epi8, _mm256_unpacklo_epi8, _mm256_xor_si256, _mm512_add_ps, _mm512_cmp_ps_mask,
    _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_max_ps, _mm512_mul_ps, _mm512_reduce_add_ps, _mm512_set1_ps,
    _mm512_storeu_ps, _mm512_sub_ps,
};

use crate::sight::wide::{COLOUR, Loop, PIXELS, Sums, Vectors, plain_squares};

/// Does work on the widest vectors there are, or gives it back where there are none of these.
#[inline]
pub(crate) fn widest<L: Loop>(work: L) -> Result<L::Output, L> {
    if !is_x86_feature_detected!("avx2") || !is_x86_feature_detected!("fma") {
        return Err(work);
    }
    // SAFETY, twice: the processor has just been found to have what the function needs, its only condition.
    Ok(if is_x86_feature_detected!("avx512f") {
        unsafe { with_512_bits(work) }
    } else {
        unsafe { with_256_bits(work) }
    })
}

/// The same on vectors of 256 bits, however wide there are.
#[cfg(test)]
pub(crate) fn on_256_bits<L: Loop>(work: L) -> Result<L::Output, L> {
    if !is_x86_feature_detected!("avx2") || !is_x86_feature_detected!("fma") {
        return Err(work);
    }
    // SAFETY: as above.
    Ok(unsafe { with_256_bits(work) })
}

#[target_feature(enable = "avx512f,avx2,fma")]
fn with_512_bits<L: Loop>(work: L) -> L::Output {
    work.run::<Bits512>()
}

#[target_feature(enable = "avx2,fma")]
fn with_256_bits<L: Loop>(work: L) -> L::Output {
    work.run::<Bits256>()
}

struct Bits256;
struct Bits512;

impl Vectors for Bits256 {
    type Floats = __m256;
    const LANES: usize = 8;
    const HAS_MANY: bool = false;

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
    const HAS_MANY: bool = true;

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
        let one = _mm256_set1_epi32(colours[0].cast_signed());
        let other = _mm256_set1_epi32(colours[1].cast_signed());
        let mask = _mm256_set1_epi32(COLOUR.cast_signed());
        let mut any = _mm256_setzero_si256();
        for (first, second) in first.chunks_exact(32).zip(second.chunks_exact(32)) {
            let differs = _mm256_or_si256(_mm256_xor_si256(bytes(first), one), _mm256_xor_si256(bytes(second), other));
            let equal = _mm256_cmpeq_epi32(_mm256_and_si256(differs, mask), _mm256_setzero_si256());
            any = _mm256_or_si256(any, equal);
        }
        _mm256_movemask_epi8(any) != 0
    }
}

/// For eight pixels and those below: the sum of both, with the channels joined.
#[inline(always)]
fn columns(upper: &[u8], lower: &[u8], each: __m256i) -> __m256i {
    unsafe {
        // Of each pixel: two numbers, of which each is at most six bytes.
        let (upper, lower) = (_mm256_maddubs_epi16(bytes(upper), each), _mm256_maddubs_epi16(bytes(lower), each));
        _mm256_madd_epi16(_mm256_add_epi16(upper, lower), _mm256_set1_epi16(1))
    }
}

#[inline(always)]
fn squares(upper: &[u8], lower: &[u8], weights: [i8; 3], middle: i32, to: &mut [f32]) {
    let whole = to.len() / 8;
    unsafe {
        let four = [weights[0], weights[1], weights[2], 0].map(i8::cast_unsigned);
        let (each, middle) = (_mm256_set1_epi32(i32::from_le_bytes(four)), _mm256_set1_epi32(middle));
        for (sums, (upper, lower)) in to.chunks_exact_mut(8).zip(upper.chunks_exact(64).zip(lower.chunks_exact(64))) {
            let first = columns(&upper[..32], &lower[..32], each);
            let second = columns(&upper[32..], &lower[32..], each);
            let pairs = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_hadd_epi32(first, second));
            _mm256_storeu_ps(sums.as_mut_ptr(), _mm256_cvtepi32_ps(_mm256_sub_epi32(pairs, middle)));
        }
    }
    plain_squares(&upper[whole * 64..], &lower[whole * 64..], weights, middle, &mut to[whole * 8..]);
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
