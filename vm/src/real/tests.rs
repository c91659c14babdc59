use std::time::{Duration, Instant};

use spec::action::Backend;

use crate::process::Interrupt;
use crate::real::RealWorld;
use crate::world::{Availability, World};

#[test]
fn the_clock_goes_on_and_a_wait_ends_at_its_time_or_with_a_signal() {
    let mut world = RealWorld::new();
    let interrupt = Interrupt::new().unwrap();
    let until = world.now_us() + 20_000;
    world.sleep_until(until, &interrupt);
    assert!(world.now_us() >= until);
    world.sleep_until(0, &interrupt);
    let began = Instant::now();
    interrupt.raise(15);
    world.sleep_until(u64::MAX, &interrupt);
    assert!(began.elapsed() < Duration::from_secs(30));
}

#[test]
fn what_needs_only_this_process_is_there() {
    let mut world = RealWorld::new();
    let interrupt = Interrupt::new().unwrap();
    for backend in [Backend::NativeApi, Backend::FileTransform] {
        assert_eq!(world.availability(backend, &interrupt), Availability::Available);
    }
}

#[test]
fn the_environment_is_this_process_s() {
    let world = RealWorld::new();
    assert_eq!(world.environment("PATH"), std::env::var("PATH").ok());
    assert_eq!(world.environment("MACROCLI_NO_SUCH_VARIABLE"), None);
    assert_eq!(world.environment(""), None);
    assert!(!world.simulated());
}
