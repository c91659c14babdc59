//! A program run to its end, and a look for a process, beside the same by the standard library alone.
// A bench that cannot do its work has nothing to measure.
#![allow(clippy::panic)]

use std::fs;
use std::hint::black_box;
use std::io;
use std::process::Stdio;

use criterion::Criterion;
use vm::process::{Command, Deadline, Interrupt, first_running, run};

mod support {
    mod allocator;
}

const PROGRAM: &str = "/bin/true";

/// No process is called so: every look goes through all of them.
const NOBODY: &str = "no-such-process";

fn main() -> io::Result<()> {
    let mut criterion = Criterion::default().configure_from_args();
    spawn(&mut criterion)?;
    look(&mut criterion);
    criterion.final_summary();
    Ok(())
}

fn spawn(criterion: &mut Criterion) -> io::Result<()> {
    let interrupt = Interrupt::new()?;
    let command = Command::new([PROGRAM]);
    let mut group = criterion.benchmark_group("spawn");
    group.bench_function("vm::process::run", |bencher| {
        bencher.iter(|| {
            let finished = run(&command, Deadline::never(), &interrupt);
            assert!(finished.is_ok_and(|finished| finished.status.is_success()));
        });
    });
    group.bench_function("std, output captured", |bencher| {
        bencher.iter(|| {
            let output = std::process::Command::new(PROGRAM).stdin(Stdio::null()).output();
            assert!(output.is_ok_and(|output| output.status.success()));
        });
    });
    group.bench_function("std, nothing captured", |bencher| {
        bencher.iter(|| {
            let status = std::process::Command::new(PROGRAM).stdin(Stdio::null()).stdout(Stdio::null()).status();
            assert!(status.is_ok_and(|status| status.success()));
        });
    });
    group.finish();
    Ok(())
}

fn look(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("process_running");
    group.bench_function("vm::process::first_running", |bencher| {
        bencher.iter(|| assert!(first_running(black_box(NOBODY)).is_ok_and(|found| found.is_none())));
    });
    group.bench_function("bare scan", |bencher| bencher.iter(|| assert!(!bare_scan(black_box(NOBODY)))));
    group.finish();
}

/// Reads `/proc/PID/comm` of every process; without `/proc` it finds nothing at once.
fn bare_scan(name: &str) -> bool {
    let Ok(entries) = fs::read_dir("/proc") else { return false };
    entries.flatten().any(|entry| {
        let numbered = entry.file_name().as_encoded_bytes().first().is_some_and(u8::is_ascii_digit);
        numbered
            && fs::read(entry.path().join("comm")).is_ok_and(|comm| comm.strip_suffix(b"\n") == Some(name.as_bytes()))
    })
}
