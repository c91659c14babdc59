//! The allocator of the command line, so that what is measured is what it does.

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;
