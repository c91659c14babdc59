//! Usage: capture ROUNDS
//!
//! Captures the whole desktop ROUNDS times, as a macro that looks for an image does, and prints the median in microseconds.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use vm::desktop::SharedDesktop;
use vm::process::Interrupt;
use vm::stop::Stop;

fn main() -> ExitCode {
    let rounds = std::env::args().nth(1).and_then(|rounds| rounds.parse::<usize>().ok());
    let Some(rounds) = rounds.filter(|rounds| *rounds > 0) else {
        eprintln!("usage: capture ROUNDS");
        return ExitCode::from(2);
    };
    match median_us(rounds) {
        Ok(median) => {
            println!("{median:.3}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

fn median_us(rounds: usize) -> Result<f64, String> {
    let interrupt = Interrupt::new().map_err(|error| error.to_string())?;
    let stop = Stop::within(Duration::from_secs(600), &interrupt);
    let shared = SharedDesktop::default();
    let mut desktop = shared.get(&stop).map_err(|error| error.to_string())?;
    let area = desktop.desktop_area().map_err(|error| error.to_string())?;
    let mut times = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        let start = Instant::now();
        let frame = desktop.capture(area).map_err(|error| error.to_string())?;
        std::hint::black_box(frame.pixels);
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    times.get(rounds / 2).copied().ok_or_else(|| "nothing was measured".to_owned())
}
