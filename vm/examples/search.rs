//! Times searches of templates on one picture, told line by line on standard input, so that another program can take turns with it.
//!
//! `search SCREEN.png`, then lines of `METHOD THREADS TEMPLATE.png`, each answered by one line: microseconds, x, y, score, matches.
//! Methods: `search` (confidence 0.85), `prepare` (makes the template and searches), `read` (reads the screen once),
//! `imageproc` (its parallel matcher, in grey, on all cores whatever is said).
// What goes wrong here has nothing to measure.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::hint::black_box;
use std::io::{BufRead, Write};
use std::time::Instant;

use image::{DynamicImage, GrayImage, RgbaImage};
use imageproc::template_matching::{MatchTemplateMethod, find_extremes, match_template_parallel};
use macrocli_vm::sight::{Match, Pixels, Template, search_on};
use mimalloc::MiMalloc;

/// That of the command line, so that what is timed is what it does.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const CONFIDENCE: f64 = 0.85;

struct Screen {
    width: u32,
    height: u32,
    bgrx: Vec<u8>,
    grey: GrayImage,
}

impl Screen {
    fn open(path: &str) -> Self {
        let image = open(path);
        let bgrx = image.pixels().flat_map(|pixel| [pixel[2], pixel[1], pixel[0], 0]).collect();
        let (width, height) = image.dimensions();
        Self { width, height, bgrx, grey: DynamicImage::from(image).to_luma8() }
    }

    fn pixels(&self) -> Pixels<'_> {
        Pixels { width: self.width, height: self.height, stride: self.width as usize * 4, bgrx: &self.bgrx }
    }
}

fn main() {
    let path = std::env::args().nth(1).expect("the path of a picture");
    let screen = Screen::open(&path);
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let [method, threads, path] = words[..] else { panic!("not METHOD THREADS TEMPLATE: {line}") };
        let answer = answer(&screen, method, threads.parse().expect("a number of threads"), &open(path));
        println!("{answer}");
        std::io::stdout().flush().unwrap();
    }
}

fn answer(screen: &Screen, method: &str, threads: usize, image: &RgbaImage) -> String {
    let template = || Template::new(image.width(), image.height(), image.as_raw()).unwrap();
    let search =
        |template: &Template| search_on(screen.pixels(), template, CONFIDENCE, Some(threads), &|| false).unwrap();
    match method {
        "search" | "prepare" => {
            let ready = template();
            if method == "search" {
                search(&ready);
            }
            let start = Instant::now();
            let found = if method == "search" { search(&ready) } else { search(&template()) };
            let micros = micros(start);
            let Some(found) = found else { return format!("{micros} - - 0 0") };
            let Match { x, y, score } = found.best;
            format!("{micros} {x} {y} {score} {}", found.matches)
        }
        "read" => {
            let start = Instant::now();
            let sum = screen.bgrx.chunks_exact(8).fold(0_u64, |sum, part| {
                sum ^ u64::from_le_bytes([part[0], part[1], part[2], part[3], part[4], part[5], part[6], part[7]])
            });
            black_box(sum);
            format!("{} 0 0 0 0", micros(start))
        }
        "imageproc" => {
            let grey = DynamicImage::from(image.clone()).to_luma8();
            let start = Instant::now();
            let method = MatchTemplateMethod::SumOfSquaredErrorsNormalized;
            let extremes = find_extremes(&match_template_parallel(&screen.grey, &grey, method));
            let (x, y) = extremes.min_value_location;
            format!("{} {x} {y} {} 1", micros(start), 1.0 - extremes.min_value)
        }
        other => panic!("no method `{other}`"),
    }
}

fn micros(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e6
}

fn open(path: &str) -> RgbaImage {
    image::open(path).expect("a picture").to_rgba8()
}
