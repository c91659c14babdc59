//! `mcp`, as clients of the protocol see it.

mod client;
mod raw;
mod session;
