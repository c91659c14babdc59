//! What the machine itself costs: 10,000 steps in the simulated world, where an action does nothing.
// A bench that cannot do its work has nothing to measure.
#![allow(clippy::panic)]

use std::error::Error;
use std::time::Duration;

use criterion::{Criterion, Throughput};
use vm::machine::{Inputs, Silent, run};
use vm::process::Interrupt;
use vm::program::Program;
use vm::simulated::Simulated;

mod support {
    mod allocator;
    pub mod artifact;
}

use support::artifact;

/// One step that does as little as a step can, for each number below `turns`.
fn smallest(turns: u64) -> String {
    format!(
        r#"
name: smallest
steps:
  - id: press
    for_each: ${{range({turns})}}
    backend: visual_anchor
    action: hotkey
    params:
      keys: ctrl+s
"#
    )
}

/// One step that computes its arguments, is guarded, and whose output is read, for each number below `turns`.
fn usual(turns: u64) -> String {
    format!(
        r#"
name: usual
parameters:
  folder:
    type: string
    default: /tmp/out
    description: Where the files go.
steps:
  - id: convert
    for_each: ${{range({turns})}}
    when: ${{item >= 0}}
    backend: native_api
    action: run_command
    params:
      command: [convert, "${{folder}}/in_${{item}}.png", "-resize", "50%", "${{folder}}/out_${{item}}.png"]
      capture_stdout: true
    timeout_ms: 5000
outputs:
  - name: codes
    value: ${{steps.convert.returncode:-none}}
    description: How the programs ended.
"#
    )
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = Criterion::default().configure_from_args();
    let interrupt = Interrupt::new()?;
    let mut group = criterion.benchmark_group("dispatch");
    group.sample_size(20).measurement_time(Duration::from_secs(5));
    for turns in [100, 10_000] {
        for (name, text) in [("smallest", smallest(turns)), ("usual", usual(turns))] {
            let program = vm::verify::verify(artifact::of(&text)?)?;
            group.throughput(Throughput::Elements(turns));
            group.bench_function(format!("{turns} {name} steps"), |bencher| {
                bencher.iter(|| perform(&program, &interrupt, turns));
            });
        }
    }
    group.finish();
    criterion.final_summary();
    Ok(())
}

fn perform(program: &Program, interrupt: &Interrupt, turns: u64) {
    let report = run(program, Inputs::default(), &mut Simulated::default(), interrupt, &mut Silent);
    assert!(report.success() && report.steps.len() as u64 == turns, "{:?}", report.failure);
}
