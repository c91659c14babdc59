//! The language from text to artifact: what is accepted, what is refused and with which words.

mod cases;
mod golden;
mod hostile;
mod page;
mod support;
