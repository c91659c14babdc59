//! Macros as tools of the Model Context Protocol, over standard input and output.
//!
//! The protocol itself, its revisions from 2024-11-05 to 2026-07-28 with and without a handshake, is rmcp's. What is here are the tools,
//! and how a call becomes a run: in a process of its own, so that nothing a macro does harms the server, and a run can be stopped from
//! outside. Standard output carries the protocol alone; remarks go to standard error.

mod annotations;
mod call;
mod catalogue;
mod child;
mod name;
mod progress;
mod reply;
mod runs;
mod schema;
mod server;
mod state;
mod tools;
mod transport;
mod unanswered;
mod watch;

use std::sync::Arc;
use std::time::Duration;

use rmcp::service::serve_server;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::runtime::Builder;

use crate::args::{Globals, PolicyArgs};
use crate::exit::Exit;
use crate::mcp::server::Server;
use crate::mcp::state::State;
use crate::mcp::transport::BoundedTransport;
use crate::policy::Policy;
use crate::print::screen::Screen;
use crate::trouble::Trouble;

/// The longest message that is read, in bytes; a longer one is dropped.
const MESSAGE_LIMIT: usize = 8 << 20;
/// The stack of a thread that compiles, in bytes: as much as a main thread has.
const STACK: usize = 8 << 20;
/// How many threads may compile, capture, read and write at once.
const THREADS: usize = 16;
/// How long runs that are stopped may take beyond their grace before the server ends without them.
const SLACK: Duration = Duration::from_secs(5);

/// How the server works.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// Where macros are looked for, and how they run.
    pub globals: Globals,
    /// Where remarks go.
    pub screen: Screen,
    /// What its runs may touch, as each of them reads it anew.
    pub allowed: PolicyArgs,
    /// The same as it was when the server was started, for what it does by itself.
    pub policy: Option<Policy>,
    /// How many may run at once.
    pub jobs: u16,
}

/// Serves until standard input ends or a signal comes; what runs then is stopped.
///
/// # Errors
/// The system refuses what a server needs.
pub fn serve(settings: ServerSettings) -> Result<Exit, Trouble> {
    // One thread is enough for the protocol: the runs are processes.
    let runtime = Builder::new_current_thread()
        .enable_all()
        .thread_stack_size(STACK)
        .max_blocking_threads(THREADS)
        .build()
        .map_err(|error| Trouble::io(format!("the server cannot be started: {error}")))?;
    let exit = runtime.block_on(session(settings));
    // The thread that reads standard input cannot be asked to end.
    runtime.shutdown_background();
    exit
}

async fn session(settings: ServerSettings) -> Result<Exit, Trouble> {
    let ended = signal().map_err(|error| Trouble::io(format!("signals cannot be handled: {error}")))?;
    let state = Arc::new(State::new(settings));
    let stdio = AsyncRwTransport::new_server(tokio::io::stdin(), tokio::io::stdout());
    let transport = BoundedTransport::new(stdio.with_max_line_length(MESSAGE_LIMIT), state.closing.clone());
    let served = async {
        match serve_server(Server(Arc::clone(&state)), transport).await {
            Ok(running) => drop(running.waiting().await),
            Err(reason) if state.closing.is_cancelled() => drop(reason),
            Err(reason) => state.warn(&format!("the client and the server do not understand each other: {reason}")),
        }
        Exit::OK
    };
    let exit = tokio::select! {
        exit = served => exit,
        exit = ended => exit,
    };
    state.closing.cancel();
    // What does not end in time ends with this process.
    let _ = tokio::time::timeout(child::GRACE + SLACK, state.runs.idle()).await;
    Ok(exit)
}

/// Waits for a signal that ends the server.
#[cfg(unix)]
fn signal() -> std::io::Result<impl Future<Output = Exit>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => Exit(130),
            _ = terminate.recv() => Exit(143),
        }
    })
}

/// Waits for a signal that ends the server.
#[cfg(not(unix))]
fn signal() -> std::io::Result<impl Future<Output = Exit>> {
    Ok(async {
        match tokio::signal::ctrl_c().await {
            Ok(()) => Exit(130),
            Err(_) => std::future::pending().await,
        }
    })
}
