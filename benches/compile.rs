//! Text to artifact bytes: one macro, and a thousand. Each file alone and on one core; the command line spreads them.

use std::hint::black_box;
use std::time::Duration;

use compiler::Target;
use compiler::sources::NoSources;
use criterion::{Criterion, Throughput};

mod support {
    mod allocator;
    pub mod artifact;
    pub mod generate;
}

use support::{artifact, generate};

const FILES: u64 = 1_000;

fn main() -> Result<(), String> {
    let mut criterion = Criterion::default().configure_from_args();
    one(&mut criterion)?;
    folder(&mut criterion);
    criterion.final_summary();
    Ok(())
}

fn one(criterion: &mut Criterion) -> Result<(), String> {
    let mut group = criterion.benchmark_group("compile");
    for steps in [1, 4, 20, 100] {
        let text = generate::text(7, steps);
        // Fails here, and not in the middle of measuring, when the generator and the language have parted.
        artifact::of(&text)?;
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(format!("{steps} steps"), |bencher| bencher.iter(|| bytes(black_box(&text))));
    }
    group.finish();
    Ok(())
}

fn folder(criterion: &mut Criterion) {
    let texts: Vec<String> = (0..FILES).map(|number| generate::text(number, 4)).collect();
    let mut group = criterion.benchmark_group("compile");
    group.sample_size(10).measurement_time(Duration::from_secs(5)).throughput(Throughput::Elements(FILES));
    group.bench_function("1000 files", |bencher| {
        bencher.iter(|| texts.iter().map(|text| bytes(text).len()).sum::<usize>());
    });
    group.finish();
}

fn bytes(text: &str) -> Vec<u8> {
    let compiled = compiler::compile("macro.yaml", text.as_bytes(), &NoSources, Target::Any);
    compiled.artifact.map(|artifact| artifact.to_bytes()).unwrap_or_default()
}
