//! The search for a template on a desktop of 1920x1080, by what is on the screen: the template itself, a noisy copy, or nothing like it.
// A bench that cannot do its work has nothing to measure.
#![allow(clippy::panic)]

use std::error::Error;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion};
use vm::sight::{Pixels, Template, search_on};

mod support {
    mod allocator;
}

const CONFIDENCE: f64 = 0.85;

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = Criterion::default().configure_from_args();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/data");
    let screen = image::open(format!("{folder}/desktop.png"))?.to_rgba8();
    let (width, height) = screen.dimensions();
    let bgrx: Vec<u8> = screen.pixels().flat_map(|pixel| [pixel[2], pixel[1], pixel[0], 0]).collect();
    let pixels = Pixels { width, height, stride: width as usize * 4, bgrx: &bgrx };
    let mut group = criterion.benchmark_group("matching");
    group.sample_size(20).measurement_time(Duration::from_secs(2));
    for name in ["icon24", "button80x30", "block120", "panel300x200"] {
        for variant in ["exact", "noise", "absent"] {
            let image = image::open(format!("{folder}/templates/{name}_{variant}.png"))?.to_rgba8();
            let template = Template::new(image.width(), image.height(), image.as_raw())?;
            for threads in [1, 2] {
                let id = BenchmarkId::new(format!("{name} {variant}"), format!("{threads} threads"));
                group.bench_function(id, |bencher| {
                    bencher.iter(|| search_on(pixels, &template, CONFIDENCE, Some(threads), &|| false));
                });
            }
        }
    }
    group.finish();
    criterion.final_summary();
    Ok(())
}
