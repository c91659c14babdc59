//! Remarks on a run while it goes on, written by a thread of their own: a reader who is slow, or reads nothing, must not hold up the run, its
//! time limits and its answer to a signal.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

use crate::print::screen::Screen;

/// Where remarks go. When it is dropped, all of them have been written.
pub struct Remarks<'a> {
    screen: &'a Screen,
    writer: Option<Writer>,
}

struct Writer {
    line: Sender<String>,
    thread: JoinHandle<()>,
}

impl<'a> Remarks<'a> {
    /// No remark yet, and no thread.
    pub fn new(screen: &'a Screen) -> Self {
        Self { screen, writer: None }
    }

    /// The screen they are for.
    pub fn screen(&self) -> &'a Screen {
        self.screen
    }

    /// Writes a remark soon, unless the screen is to be quiet.
    pub fn add(&mut self, text: String) {
        if self.screen.quiet {
            return;
        }
        if self.writer.is_none() {
            self.writer = start(*self.screen);
        }
        match &self.writer {
            Some(writer) => {
                // The thread lives as long as this end of the line.
                let _ = writer.line.send(text);
            }
            // Where no thread can be had, the reader is waited for.
            None => self.screen.remark(&text),
        }
    }
}

impl Drop for Remarks<'_> {
    fn drop(&mut self) {
        if let Some(Writer { line, thread }) = self.writer.take() {
            drop(line);
            let _ = thread.join();
        }
    }
}

fn start(screen: Screen) -> Option<Writer> {
    let (line, texts): (Sender<String>, Receiver<String>) = channel();
    let write = move || texts.into_iter().for_each(|text| screen.remark(&text));
    let thread = Builder::new().name("remarks".to_owned()).spawn(write).ok()?;
    Some(Writer { line, thread })
}
