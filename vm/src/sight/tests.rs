//! The search against a plain one that scores every place by the formula, in `f64`.

use std::sync::OnceLock;

use proptest::prelude::{Strategy, any, prop, prop_assert, prop_assert_eq, proptest};
use proptest::test_runner::Config;

use crate::sight::correlate::correlate;
use crate::sight::parallel::Workers;
use crate::sight::{Found, GaveUp, MOST_MATCHES, Match, Pixels, Template, TemplateError, search, search_on};

/// An image, as red, green, blue and alpha.
#[derive(Clone, Debug)]
struct Image {
    width: usize,
    height: usize,
    rgba: Vec<u8>,
}

impl Image {
    fn new(width: usize, height: usize, colour: impl Fn(usize, usize) -> [u8; 3]) -> Self {
        let pixels = (0..width * height).map(|index| colour(index % width, index / width));
        Self { width, height, rgba: pixels.flat_map(|[red, green, blue]| [red, green, blue, 255]).collect() }
    }

    fn at(&self, x: usize, y: usize) -> &[u8] {
        &self.rgba[(y * self.width + x) * 4..][..4]
    }

    fn set(&mut self, x: usize, y: usize, colour: [u8; 3]) {
        self.rgba[(y * self.width + x) * 4..][..3].copy_from_slice(&colour);
    }

    fn paste(&mut self, other: &Self, x: usize, y: usize) {
        for row in 0..other.height {
            for column in 0..other.width {
                let pixel = other.at(column, row);
                if pixel[3] > 0 && x + column < self.width && y + row < self.height {
                    self.set(x + column, y + row, [pixel[0], pixel[1], pixel[2]]);
                }
            }
        }
    }

    fn part(&self, x: usize, y: usize, width: usize, height: usize) -> Self {
        Self::new(width, height, |column, row| {
            let pixel = self.at(x + column, y + row);
            [pixel[0], pixel[1], pixel[2]]
        })
    }

    fn changed(&self, change: impl Fn([u8; 3]) -> [u8; 3]) -> Self {
        Self::new(self.width, self.height, |x, y| {
            let pixel = self.at(x, y);
            change([pixel[0], pixel[1], pixel[2]])
        })
    }

    /// As a screen gives it, with a fourth byte that means nothing and with more bytes in a row than pixels.
    fn bgrx(&self) -> (Vec<u8>, usize) {
        let mut bytes = Vec::new();
        for row in self.rgba.chunks_exact(self.width * 4) {
            for (index, pixel) in row.chunks_exact(4).enumerate() {
                bytes.extend([pixel[2], pixel[1], pixel[0], (index * 37) as u8]);
            }
            bytes.extend([99; 12]);
        }
        (bytes, self.width * 4 + 12)
    }

    fn template(&self) -> Template {
        Template::new(self.width as u32, self.height as u32, &self.rgba).unwrap()
    }
}

fn look(screen: &Image, template: &Image, confidence: f64) -> Option<Found> {
    let (bgrx, stride) = screen.bgrx();
    let pixels = Pixels { width: screen.width as u32, height: screen.height as u32, stride, bgrx: &bgrx };
    let template = template.template();
    let found = search(pixels, &template, confidence, &|| false).unwrap();
    assert_eq!(found, search_on(pixels, &template, confidence, Some(1), &|| false).unwrap());
    found
}

/// The formula, word by word.
fn plain_score(screen: &Image, template: &Image, is_flat: bool, x: usize, y: usize) -> f64 {
    let indices =
        || (0..template.width * template.height).map(|index| (index % template.width, index / template.width));
    let counted: Vec<_> = indices().filter(|(column, row)| template.at(*column, *row)[3] > 0).collect();
    let pair = |(column, row): (usize, usize), channel: usize| {
        (f64::from(template.at(column, row)[channel]), f64::from(screen.at(x + column, y + row)[channel]))
    };
    let each = || counted.iter().flat_map(|place| (0..3).map(|channel| (*place, channel)));
    if each().all(|(place, channel)| pair(place, channel).0 == pair(place, channel).1) {
        return 1.0;
    }
    if is_flat {
        let furthest =
            each().map(|(place, channel)| (pair(place, channel).0 - pair(place, channel).1).abs()).fold(0.0, f64::max);
        return (1.0 - furthest / 64.0).max(0.0);
    }
    let weight = |(column, row): (usize, usize)| f64::from(template.at(column, row)[3]);
    let total: f64 = counted.iter().map(|place| weight(*place)).sum();
    let mean = |channel: usize, shown: bool| {
        let value = |place: (usize, usize)| if shown { pair(place, channel).1 } else { pair(place, channel).0 };
        counted.iter().map(|place| weight(*place) * value(*place)).sum::<f64>() / total
    };
    let own: Vec<f64> = (0..3).map(|channel| mean(channel, false)).collect();
    let shown: Vec<f64> = (0..3).map(|channel| mean(channel, true)).collect();
    let (mut product, mut first, mut second) = (0.0, 0.0, 0.0);
    for (place, channel) in each() {
        let (one, other) = pair(place, channel);
        let (one, other) = (one - own[channel], other - shown[channel]);
        product += weight(place) * one * other;
        first += weight(place) * one * one;
        second += weight(place) * other * other;
    }
    if product <= 0.0 || second < 1e-6 {
        return 0.0;
    }
    let gain = (second / first).sqrt();
    let rests: Vec<f64> = (0..3).map(|channel| shown[channel] - gain * own[channel]).collect();
    let spread = rests.iter().copied().fold(f64::MIN, f64::max) - rests.iter().copied().fold(f64::MAX, f64::min);
    let tint = (1.0 - spread / (255.0 * gain.min(1.0))).max(0.0);
    product / (first * second).sqrt() * (gain.min(1.0 / gain) / 0.7).min(1.0) * tint
}

/// All places, best first, then those that are kept.
fn plain(screen: &Image, template: &Image, confidence: f64) -> (Match, usize) {
    let is_flat = template.template().is_flat();
    let mut all = Vec::new();
    for y in 0..=screen.height - template.height {
        for x in 0..=screen.width - template.width {
            all.push(Match { x: x as u32, y: y as u32, score: plain_score(screen, template, is_flat, x, y) });
        }
    }
    // The sort is stable, so equals stay in reading order; scores that differ by rounding alone are equal.
    all.sort_by_key(|place| std::cmp::Reverse((place.score * 1e9).round() as i64));
    let copies = all[0].score == 1.0;
    let mut kept: Vec<Match> = Vec::new();
    for place in all.iter().filter(|place| if copies { place.score == 1.0 } else { place.score >= confidence }) {
        let near = |other: &Match| {
            place.x.abs_diff(other.x) as usize * 2 < template.width
                && place.y.abs_diff(other.y) as usize * 2 < template.height
        };
        if !kept.iter().any(near) && kept.len() < MOST_MATCHES {
            kept.push(*place);
        }
    }
    (all[0], kept.len())
}

/// Pixels that look a little like a screen: areas of few colours, with some noise.
fn screens() -> impl Strategy<Value = Image> {
    let rectangle = (0_usize..60, 0_usize..44, 1_usize..30, 1_usize..20, any::<[u8; 3]>());
    let rectangles = prop::collection::vec(rectangle, 0..25);
    (20_usize..64, 16_usize..48, any::<[u8; 3]>(), rectangles, 0_u8..40, any::<u32>()).prop_map(
        |(width, height, ground, rectangles, noise, seed)| {
            let mut image = Image::new(width, height, |_, _| ground);
            for (x, y, wide, tall, colour) in rectangles {
                image.paste(&Image::new(wide, tall, |_, _| colour), x, y);
            }
            noisy(&image, noise, seed)
        },
    )
}

fn noisy(image: &Image, noise: u8, seed: u32) -> Image {
    let mut image = image.clone();
    let mut state = seed | 1;
    for (index, value) in image.rgba.iter_mut().enumerate().filter(|(index, _)| index % 4 != 3) {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223 ^ index as u32);
        let part = (state >> 24) as u8;
        *value = value.saturating_add(if noise == 0 { 0 } else { part % noise });
    }
    image
}

fn agrees(screen: &Image, template: &Image, confidence: f64) -> Result<(), proptest::test_runner::TestCaseError> {
    let (best, matches) = plain(screen, template, confidence);
    let found = look(screen, template, confidence);
    let Some(found) = found else {
        prop_assert!(best.score < confidence.max(1e-9), "nothing found, but {best:?}");
        return Ok(());
    };
    let is_flat = template.template().is_flat();
    let own = plain_score(screen, template, is_flat, found.best.x as usize, found.best.y as usize);
    prop_assert!((own - found.best.score).abs() < 1e-9, "{found:?} scores {own}");
    prop_assert!((found.best.score == 1.0) == (own == 1.0));
    prop_assert!((0.0..=1.0).contains(&found.best.score));
    // At the very edge rounding may decide either way.
    if best.score >= confidence + 1e-9 {
        prop_assert!((best.score - found.best.score).abs() < 1e-9, "{found:?} is not {best:?}");
        prop_assert_eq!((best.x, best.y), (found.best.x, found.best.y));
        prop_assert_eq!(found.matches, matches);
    } else if best.score < confidence - 1e-9 {
        prop_assert_eq!(found.matches, 0);
    }
    Ok(())
}

proptest! {
    #![proptest_config(Config::with_cases(100))]

    #[test]
    fn a_part_of_the_screen_is_found(
        screen in screens(), x in 0.0_f64..1.0, y in 0.0_f64..1.0, wide in 1_usize..24, tall in 1_usize..20,
        noise in prop::sample::select(vec![0_u8, 0, 1, 8, 30]), seed in any::<u32>(), confidence in 0.75_f64..1.0,
        gain in prop::sample::select(vec![1.0_f64, 1.0, 0.8]), copies in 0_usize..3,
    ) {
        let mut screen = screen;
        let (wide, tall) = (wide.min(screen.width), tall.min(screen.height));
        let left = (x * (screen.width - wide) as f64) as usize;
        let top = (y * (screen.height - tall) as f64) as usize;
        let part = screen.part(left, top, wide, tall);
        for copy in 0..copies {
            screen.paste(&noisy(&part, seed as u8 % 3, seed), (seed as usize >> (8 * copy)) % screen.width, copy * 17 % screen.height);
        }
        let template = noisy(&part, noise, seed).changed(|colour| colour.map(|value| (f64::from(value) * gain) as u8));
        agrees(&screen, &template, confidence)?;
    }

    #[test]
    fn a_masked_part_of_the_screen_is_found(
        screen in screens(), x in 0.0_f64..1.0, y in 0.0_f64..1.0, wide in 2_usize..20, tall in 2_usize..20,
        noise in prop::sample::select(vec![0_u8, 0, 6]), seed in any::<u32>(), confidence in 0.8_f64..1.0, soft in any::<bool>(),
    ) {
        let (wide, tall) = (wide.min(screen.width), tall.min(screen.height));
        let left = (x * (screen.width - wide) as f64) as usize;
        let top = (y * (screen.height - tall) as f64) as usize;
        let mut template = noisy(&screen.part(left, top, wide, tall), noise, seed);
        // A disc, with or without a soft edge.
        let radius = wide.min(tall) as f64 / 2.0;
        for index in 0..wide * tall {
            let across = (index % wide) as f64 + 0.5 - wide as f64 / 2.0;
            let down = (index / wide) as f64 + 0.5 - tall as f64 / 2.0;
            let depth = radius - across.hypot(down);
            let alpha = if soft { (depth / 2.0 * 255.0).clamp(0.0, 255.0) as u8 } else if depth > 0.0 { 255 } else { 0 };
            template.rgba[index * 4 + 3] = alpha;
        }
        if template.rgba.chunks_exact(4).any(|pixel| pixel[3] > 0) {
            agrees(&screen, &template, confidence)?;
        }
    }

    #[test]
    fn pure_noise_is_found(
        width in 30_usize..60, height in 30_usize..50, seed in any::<u32>(), wide in 2_usize..20, tall in 2_usize..20,
        noise in prop::sample::select(vec![0_u8, 20, 90]), confidence in 0.7_f64..1.0,
    ) {
        let screen = noisy(&Image::new(width, height, |_, _| [0; 3]), 255, seed);
        let template = noisy(&screen.part(width / 4, height / 5, wide, tall), noise, seed ^ 77);
        agrees(&screen, &template, confidence)?;
    }

    #[test]
    fn anything_may_be_asked(
        width in 0_u32..40, height in 0_u32..40, stride in 0_usize..200, bytes in 0_usize..5000, wide in 1_u32..9, tall in 1_u32..9,
        confidence in prop::sample::select(vec![0.0, 0.3, 0.9, 1.0, 2.0, -1.0, f64::NAN, f64::INFINITY]), seed in any::<u32>(),
    ) {
        let screen = noisy(&Image::new(bytes / 4 + 1, 1, |_, _| [40; 3]), 60, seed);
        let pixels = Pixels { width, height, stride, bgrx: &screen.rgba[..bytes.min(screen.rgba.len())] };
        let template = noisy(&Image::new(wide as usize, tall as usize, |_, _| [40; 3]), 60, seed ^ 5).template();
        if let Some(found) = search(pixels, &template, confidence, &|| false).unwrap() {
            prop_assert!((0.0..=1.0).contains(&found.best.score));
        }
    }
}

/// A part of a picture of a desktop.
fn desktop(x: usize, y: usize, width: usize, height: usize) -> Image {
    static PICTURE: OnceLock<Image> = OnceLock::new();
    let whole = PICTURE.get_or_init(|| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../benches/data/desktop.png");
        let picture = image::open(path).unwrap().to_rgba8();
        Image { width: picture.width() as usize, height: picture.height() as usize, rgba: picture.into_raw() }
    });
    whole.part(x, y, width, height)
}

fn blurred(image: &Image) -> Image {
    Image::new(image.width, image.height, |x, y| {
        let near = [(x, y), (x.saturating_sub(1), y), ((x + 1).min(image.width - 1), y)];
        [0, 1, 2].map(|channel| (near.iter().map(|(x, y)| u32::from(image.at(*x, *y)[channel])).sum::<u32>() / 3) as u8)
    })
}

/// What is assumed for large templates holds on a desktop: without any proof the result is that of a search with all of it.
#[test]
fn what_is_likely_is_what_is_proven() {
    let mut state = 12_345_u32;
    let mut random = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    };
    let mut matched = 0;
    for turn in 0..24 {
        let screen = desktop(random(1920 - 240), random(1080 - 160), 240, 160);
        let (wide, tall) = (16 + random(100), 12 + random(60));
        let part = screen.part(random(240 - wide), random(160 - tall), wide, tall);
        let part = match turn % 4 {
            0 => noisy(&part, 30, turn),
            1 => blurred(&part),
            2 => part.changed(|colour| colour.map(|value| (f64::from(value) * 0.8 + 30.0) as u8)),
            _ => noisy(&blurred(&part), 12, turn),
        };
        let template = part.template();
        if template.is_flat() {
            continue;
        }
        let (bgrx, stride) = screen.bgrx();
        let pixels = Pixels { width: 240, height: 160, stride, bgrx: &bgrx };
        let workers = Workers::new(Some(2), &|| false);
        let of = |work| correlate(&pixels, &template, 0.85, work, &workers).unwrap();
        let (proven, likely) = (of(usize::MAX), of(0));
        if proven.is_some_and(|found| found.matches > 0) {
            assert_eq!(proven, likely, "turn {turn}");
            matched += 1;
        }
    }
    assert!(matched > 10, "only {matched} matched");
}

/// Another matcher, of the `imageproc` crate, has the same place for a noisy copy.
#[test]
fn another_matcher_finds_the_same_place() {
    for (turn, (x, y)) in [(30, 40), (700, 60), (1300, 650)].into_iter().enumerate() {
        let screen = desktop(x, y, 110, 80);
        let template = noisy(&screen.part(31 + turn, 22, 40, 25), 12, 7);
        let grey = |image: &Image| {
            let pixels = image
                .rgba
                .chunks_exact(4)
                .map(|pixel| ((u32::from(pixel[0]) + u32::from(pixel[1]) + u32::from(pixel[2])) / 3) as u8);
            image::GrayImage::from_raw(image.width as u32, image.height as u32, pixels.collect()).unwrap()
        };
        let method = imageproc::template_matching::MatchTemplateMethod::SumOfSquaredErrorsNormalized;
        let scores = imageproc::template_matching::match_template(&grey(&screen), &grey(&template), method);
        let theirs = imageproc::template_matching::find_extremes(&scores).min_value_location;
        let ours = look(&screen, &template, 0.6).unwrap();
        assert_eq!((ours.best.x, ours.best.y), theirs);
        assert!(ours.matches > 0);
    }
}

fn button(fill: [u8; 3], text: [u8; 3]) -> Image {
    Image::new(80, 30, |x, y| {
        let border = x < 2 || y < 2 || x >= 78 || y >= 28;
        let ink = (20..60).contains(&x) && (10..20).contains(&y) && (x * 7 + y * 13) % 5 < 2;
        if border {
            [240; 3]
        } else if ink {
            text
        } else {
            fill
        }
    })
}

#[test]
fn colours_of_equal_brightness_differ() {
    let (red, green) = (button([200, 60, 60], [255; 3]), button([60, 131, 60], [255; 3]));
    let mut screen = Image::new(300, 100, |_, _| [220, 222, 225]);
    screen.paste(&red, 20, 30);
    screen.paste(&green, 180, 31);
    let slightly = noisy(&green, 4, 1);
    for template in [&green, &slightly] {
        let found = look(&screen, template, 0.9).unwrap();
        assert_eq!((found.best.x, found.best.y, found.matches), (180, 31, 1));
    }
    // Grey copies, as disabled controls are drawn, of the same contrast and of half of it.
    let grey = green.changed(|[red, green, blue]| {
        [((u32::from(red) * 299 + u32::from(green) * 587 + u32::from(blue) * 114) / 1000) as u8; 3]
    });
    let faint = grey.changed(|colour| colour.map(|value| value / 2 + 110));
    let faint_black = button([240; 3], [60; 3]).changed(|colour| colour.map(|value| value / 2 + 110));
    for (template, shown) in
        [(&green, &grey), (&green, &faint), (&green, &red), (&button([240; 3], [60; 3]), &faint_black)]
    {
        let mut screen = Image::new(300, 100, |_, _| [220, 222, 225]);
        screen.paste(shown, 180, 31);
        let found = look(&screen, template, 0.9).unwrap();
        assert_eq!(found.matches, 0);
        assert!(found.best.score < 0.9, "{found:?}");
    }
    // Brighter and paler alike is the same button.
    let mut screen = Image::new(300, 100, |_, _| [220, 222, 225]);
    screen.paste(&green, 100, 40);
    let bright = green.changed(|colour| colour.map(|value| (f64::from(value) * 0.8 + 30.0) as u8));
    let found = look(&screen, &bright, 0.95).unwrap();
    assert_eq!((found.best.x, found.best.y, found.matches), (100, 40, 1));
    assert!(found.best.score < 1.0);
}

#[test]
fn a_confidence_of_one_finds_copies_only() {
    let template = button([200, 60, 60], [255; 3]);
    let mut screen = Image::new(200, 90, |x, y| [(x * 3) as u8, (y * 5) as u8, 90]);
    screen.paste(&template, 50, 20);
    let found = look(&screen, &template, 1.0).unwrap();
    assert_eq!(found, Found { best: Match { x: 50, y: 20, score: 1.0 }, matches: 1 });
    let pixel = screen.at(90, 35).to_vec();
    screen.set(90, 35, [pixel[0] ^ 1, pixel[1], pixel[2]]);
    let found = look(&screen, &template, 1.0).unwrap();
    assert_eq!((found.best.x, found.best.y, found.matches), (50, 20, 0));
    assert!(found.best.score < 1.0 && found.best.score > 0.9999);
    let found = look(&screen, &template, 0.95).unwrap();
    assert_eq!((found.best.x, found.best.y, found.matches), (50, 20, 1));
}

#[test]
fn flat_templates_are_compared_by_colour() {
    let blue = Image::new(20, 20, |_, _| [0, 0, 255]);
    let white = Image::new(160, 120, |_, _| [255; 3]);
    let found = look(&white, &blue, 0.85).unwrap();
    assert_eq!((found.matches, found.best.score), (0, 0.0));
    let mut one = white.clone();
    one.paste(&blue, 33, 44);
    assert_eq!(look(&one, &blue, 0.85).unwrap(), Found { best: Match { x: 33, y: 44, score: 1.0 }, matches: 1 });
    let all = Image::new(160, 120, |_, _| [0, 0, 255]);
    let found = look(&all, &blue, 0.85).unwrap();
    assert_eq!(found.best, Match { x: 0, y: 0, score: 1.0 });
    assert!(found.matches > 1);
    let dot = Image::new(1, 1, |_, _| [0, 0, 250]);
    assert_eq!(look(&one, &dot, 0.9).unwrap().best, Match { x: 33, y: 44, score: 1.0 - 5.0 / 64.0 });
    let mut odd = blue.clone();
    odd.set(7, 3, [255, 255, 255]);
    assert!(odd.template().is_flat());
    assert_eq!(look(&one, &odd, 0.85).unwrap().matches, 0);
    assert_eq!(look(&all, &odd, 0.85).unwrap().matches, 0);
    one.paste(&odd, 100, 80);
    assert_eq!(look(&one, &odd, 0.85).unwrap(), Found { best: Match { x: 100, y: 80, score: 1.0 }, matches: 1 });
}

#[test]
fn a_template_that_does_not_fit_is_nowhere() {
    let screen = Image::new(40, 30, |x, y| [x as u8, y as u8, 0]);
    for (wide, tall) in [(41, 10), (10, 31), (500, 500)] {
        assert_eq!(look(&screen, &Image::new(wide, tall, |x, y| [x as u8, y as u8, 7]), 0.5), None);
    }
    assert_eq!(Template::new(0, 4, &[]).unwrap_err(), TemplateError::Empty { width: 0, height: 4 });
    assert_eq!(Template::new(1, 1, &[0; 3]).unwrap_err(), TemplateError::Bytes { found: 3, wanted: 4 });
    assert_eq!(Template::new(1, 1, &[9, 9, 9, 0]).unwrap_err(), TemplateError::Transparent);
    let error = Template::new(60_000, 60_000, &[]).unwrap_err();
    assert_eq!(error, TemplateError::TooLarge { width: 60_000, height: 60_000 });
}

#[test]
fn it_gives_up_when_told() {
    let screen = noisy(&Image::new(400, 300, |_, _| [0; 3]), 255, 9);
    let (bgrx, stride) = screen.bgrx();
    let pixels = Pixels { width: 400, height: 300, stride, bgrx: &bgrx };
    for template in [Image::new(9, 9, |x, y| [x as u8 * 20, y as u8 * 20, 3]), Image::new(9, 9, |_, _| [1; 3])] {
        assert_eq!(search(pixels, &template.template(), 0.8, &|| true), Err(GaveUp));
    }
}
