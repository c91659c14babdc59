//! Crafted lengths in a file with a right hash reserve little memory.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use macrocli_spec::artifact::{
    Artifact, Constant, Constants, Debug, Image, Macro, PREALLOCATION_LIMIT, ParameterRecord, Place, RouteRecord,
    Stream, TypeTag, seal,
};

/// The system's allocator, counting what is in use and the most that ever was.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call goes to the system's allocator unchanged; counting touches nothing of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let in_use = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(in_use, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the pointer came from `alloc` with the same layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[test]
fn crafted_lengths_reserve_little() {
    let bytes = artifact().to_bytes();
    let mut worst = 0;
    // A list can lie in a list in a list, each with its own reservation.
    let limit = 3 * PREALLOCATION_LIMIT + (1 << 20);
    for length in [u64::MAX, u64::MAX / 32, 1 << 32, u64::from(u32::MAX), 1 << 23, 1 << 20, 1 << 18, 70_000] {
        for place in 224..bytes.len() - 8 {
            let mut crafted = bytes.clone();
            crafted[place..place + 8].copy_from_slice(&length.to_le_bytes());
            seal(&mut crafted);
            let before = IN_USE.load(Ordering::Relaxed);
            PEAK.store(before, Ordering::Relaxed);
            drop(Artifact::from_bytes(&crafted));
            worst = worst.max(PEAK.load(Ordering::Relaxed) - before);
        }
    }
    assert!(worst > 1 << 20, "no crafted length was tried: {worst} bytes");
    assert!(worst < limit, "{worst} bytes");
}

/// Lists in lists in lists.
fn artifact() -> Artifact {
    let text = || "text".to_owned();
    let parameter = ParameterRecord {
        name: text(),
        ty: TypeTag::String,
        required: true,
        secret: false,
        needed: false,
        default: None,
        choices: vec![1, 2],
        min: None,
        max: None,
        description: text(),
        example: None,
    };
    Artifact {
        constants: Constants {
            list: vec![Constant::String(text()), Constant::List(vec![0]), Constant::Dict(vec![(0, 1)])],
        },
        macros: vec![Macro { name: text(), parameters: vec![parameter], ..Macro::default() }],
        routes: vec![RouteRecord { actions: vec![1, 2, 3] }],
        streams: vec![Stream { path: text(), texts: vec![text()], ..Stream::default() }],
        images: vec![Image { path: text(), width: 1, height: 1, rgba: vec![0; 4] }],
        debug: Debug { files: vec![text()], places: vec![Place::default()], code: vec![0], steps: vec![0] },
        ..Artifact::default()
    }
}
