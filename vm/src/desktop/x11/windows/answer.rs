//! Answers about windows that may be gone by the time they are asked.

use x11rb::errors::ReplyError;
use x11rb::protocol::xproto::{ConnectionExt, GetPropertyReply, Window};

use crate::desktop::error::DesktopError;
use crate::desktop::x11::stream::Conn;

/// The answer to a question that was asked.
pub type Cookie<'c, R> = x11rb::cookie::Cookie<'c, Conn, R>;

/// Asks for a property of any type, at most `bytes` of it.
pub fn ask(conn: &Conn, window: Window, name: u32, bytes: u32) -> Result<Cookie<'_, GetPropertyReply>, DesktopError> {
    Ok(conn.get_property(false, window, name, 0u32, 0, bytes.div_ceil(4))?)
}

/// What was answered; `None` when the window is gone.
pub fn answer<R>(reply: Result<R, ReplyError>) -> Result<Option<R>, DesktopError> {
    match reply {
        Ok(reply) => Ok(Some(reply)),
        Err(ReplyError::X11Error(_)) => Ok(None),
        Err(ReplyError::ConnectionError(error)) => Err(error.into()),
    }
}

/// The numbers of a property; none when it has another form.
pub fn numbers(reply: &GetPropertyReply) -> Vec<u32> {
    reply.value32().map(Iterator::collect).unwrap_or_default()
}

/// The first number of a property.
pub fn number(reply: &GetPropertyReply) -> Option<u32> {
    reply.value32().and_then(|mut numbers| numbers.next())
}
