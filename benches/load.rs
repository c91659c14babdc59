//! Artifact bytes to a verified program. A macro of 20 steps must take less than 100 microseconds.

use std::hint::black_box;

use criterion::{Criterion, Throughput};

mod support {
    mod allocator;
    pub mod artifact;
    pub mod generate;
}

use support::{artifact, generate};

fn main() -> Result<(), String> {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("load");
    for steps in [1, 20, 100] {
        let artifact = artifact::of(&generate::text(7, steps))?;
        let bytes = artifact.to_bytes();
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(format!("load and verify {steps} steps"), |bencher| {
            bencher.iter(|| vm::load::load(black_box(&bytes)).is_ok());
        });
        if steps == 20 {
            group.bench_function("write 20 steps", |bencher| bencher.iter(|| black_box(&artifact).to_bytes()));
        }
    }
    group.finish();
    criterion.final_summary();
    Ok(())
}
