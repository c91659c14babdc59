//! Moves bytes between us and the pipes of a child while something else is waited for.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::Child;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::{Errno, read, retry_on_intr, write};

use crate::process::capture::Captured;

/// Read at once: what a pipe holds by default.
const CHUNK: usize = 64 << 10;

/// The most that a pipe can hold without privileges; more than that was written after we began to look.
const PIPE_MAX: usize = 1 << 20;

/// The pipes of one child.
pub(crate) struct Pump<'a> {
    outputs: [Output; 2],
    input: Option<Input<'a>>,
    limit: usize,
    chunk: Vec<u8>,
}

struct Output {
    pipe: Option<OwnedFd>,
    captured: Captured,
}

struct Input<'a> {
    pipe: OwnedFd,
    rest: &'a [u8],
}

/// What a turn found beside the pipes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ready {
    pub(crate) exited: bool,
    pub(crate) interrupted: bool,
}

#[derive(Clone, Copy)]
enum Source {
    Exit,
    Interrupt,
    Output(usize),
    Input,
}

impl<'a> Pump<'a> {
    /// Takes the pipes of the child. `limit` bytes of each output are kept.
    pub(crate) fn new(child: &mut Child, stdin: Option<&'a [u8]>, limit: usize) -> io::Result<Self> {
        let output = |pipe: Option<OwnedFd>| {
            pipe.as_ref().map(do_not_block).transpose()?;
            io::Result::Ok(Output { pipe, captured: Captured::default() })
        };
        let outputs = [output(child.stdout.take().map(Into::into))?, output(child.stderr.take().map(Into::into))?];
        let input = match (child.stdin.take(), stdin) {
            (Some(pipe), Some(rest)) if !rest.is_empty() => {
                let pipe = OwnedFd::from(pipe);
                do_not_block(&pipe)?;
                Some(Input { pipe, rest })
            }
            (Some(_) | None, _) => None,
        };
        Ok(Self { outputs, input, limit, chunk: vec![0; CHUNK] })
    }

    /// Waits until a pipe can be served, `exit` or `interrupt` is readable, or the time is over, and serves the pipes.
    pub(crate) fn turn(
        &mut self,
        exit: Option<BorrowedFd<'_>>,
        interrupt: Option<BorrowedFd<'_>>,
        timeout: Option<Duration>,
    ) -> io::Result<Ready> {
        let mut ready = Ready::default();
        for source in self.wait(exit, interrupt, timeout)? {
            match source {
                Source::Exit => ready.exited = true,
                Source::Interrupt => ready.interrupted = true,
                Source::Output(index) => {
                    self.read(index)?;
                }
                Source::Input => self.write()?,
            }
        }
        Ok(ready)
    }

    /// Reads what the output pipes hold now, without waiting.
    pub(crate) fn drain(&mut self) -> io::Result<()> {
        for index in 0..self.outputs.len() {
            let mut taken = 0;
            while taken < PIPE_MAX {
                match self.read(index)? {
                    0 => break,
                    count => taken += count,
                }
            }
        }
        Ok(())
    }

    /// Closes the input: the child has ended or is about to.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Whether nobody can write to the outputs any more.
    pub(crate) fn is_dry(&self) -> bool {
        self.outputs.iter().all(|output| output.pipe.is_none())
    }

    /// Closes the pipes and gives what came through the two outputs.
    pub(crate) fn finish(self) -> (Captured, Captured) {
        let [stdout, stderr] = self.outputs;
        (stdout.captured, stderr.captured)
    }

    fn wait(
        &self,
        exit: Option<BorrowedFd<'_>>,
        interrupt: Option<BorrowedFd<'_>>,
        timeout: Option<Duration>,
    ) -> io::Result<Vec<Source>> {
        let mut sources = Vec::with_capacity(5);
        let mut fds = Vec::with_capacity(5);
        let mut add = |source, fd, flags| {
            sources.push(source);
            fds.push(PollFd::from_borrowed_fd(fd, flags));
        };
        for (index, output) in self.outputs.iter().enumerate() {
            if let Some(pipe) = &output.pipe {
                add(Source::Output(index), pipe.as_fd(), PollFlags::IN);
            }
        }
        if let Some(input) = &self.input {
            add(Source::Input, input.pipe.as_fd(), PollFlags::OUT);
        }
        if let Some(fd) = exit {
            add(Source::Exit, fd, PollFlags::IN);
        }
        if let Some(fd) = interrupt {
            add(Source::Interrupt, fd, PollFlags::IN);
        }
        // A time beyond the clock's range is no limit.
        let timeout = timeout.and_then(|span| Timespec::try_from(span).ok());
        match poll(&mut fds, timeout.as_ref()) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        }
        let woken = sources.into_iter().zip(&fds).filter(|(_, fd)| !fd.revents().is_empty());
        Ok(woken.map(|(source, _)| source).collect())
    }

    /// Reads once from an output and tells how much; 0 when there is nothing now, or never again.
    fn read(&mut self, index: usize) -> io::Result<usize> {
        let output = &mut self.outputs[index];
        let Some(pipe) = &output.pipe else { return Ok(0) };
        match retry_on_intr(|| read(pipe, &mut *self.chunk)) {
            Ok(0) => output.pipe = None,
            Ok(count) => {
                output.captured.push(&self.chunk[..count], self.limit);
                return Ok(count);
            }
            Err(Errno::AGAIN) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(0)
    }

    /// Writes what fits. A child that does not read its input is no fault. SIGPIPE does not come: the runtime of Rust
    /// ignores it.
    fn write(&mut self) -> io::Result<()> {
        let Some(input) = &mut self.input else { return Ok(()) };
        match write(&input.pipe, input.rest) {
            Ok(count) => input.rest = input.rest.get(count..).unwrap_or_default(),
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(Errno::PIPE) => input.rest = &[],
            Err(error) => return Err(error.into()),
        }
        if input.rest.is_empty() {
            self.input = None;
        }
        Ok(())
    }
}

fn do_not_block(pipe: &OwnedFd) -> io::Result<()> {
    Ok(fcntl_setfl(pipe, fcntl_getfl(pipe)? | OFlags::NONBLOCK)?)
}
