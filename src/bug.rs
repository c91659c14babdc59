//! What is said when macrocli itself is wrong.

use std::panic;
use std::sync::{Mutex, PoisonError};

use crate::exit::Exit;
use crate::print;
use crate::print::screen::Screen;
use crate::trouble::Trouble;

/// What the first panic said, and where.
static FIRST: Mutex<Option<String>> = Mutex::new(None);

/// Keeps what a panic says, instead of printing it at once.
pub fn watch() {
    panic::set_hook(Box::new(|info| {
        let message = info.payload_as_str().unwrap_or("no message");
        let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line())).unwrap_or_default();
        let mut first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| format!("{message}{place}"));
    }));
}

/// Tells about the panic that was caught.
pub fn report(screen: &Screen) -> Exit {
    let said = FIRST.lock().unwrap_or_else(PoisonError::into_inner).take();
    let trouble = Trouble::bug(said.as_deref().unwrap_or("no message"));
    if screen.json {
        screen.document(&print::trouble::document(&trouble));
    }
    print::trouble::tell(screen, &trouble, crate::args::MessageFormat::Human);
    trouble.exit
}
