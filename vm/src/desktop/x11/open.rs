//! Connecting to the display that `DISPLAY` names.

use std::env;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use x11rb::connection::{Connection, RequestConnection};
use x11rb::errors::ConnectError;
use x11rb::protocol::xproto::{ChangeWindowAttributesAux, ConnectionExt, EventMask};
use x11rb::protocol::xtest;
use x11rb::reexports::x11rb_protocol::parse_display::ConnectAddress;
use x11rb::reexports::x11rb_protocol::xauth::{Family, get_auth};
use x11rb::rust_connection::{DefaultStream, RustConnection};

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;
use crate::desktop::x11::address::{Address, Call};
use crate::desktop::x11::input::InputState;
use crate::desktop::x11::screen::{Reach, ScreenState};
use crate::desktop::x11::stream::{Bounded, Conn};
use crate::desktop::x11::windows::WindowState;
use crate::stop::Stop;

/// How long a call to a server goes on before it is looked whether to give up.
const GLANCE: Duration = Duration::from_millis(20);

impl X11 {
    /// Connects to the display that `DISPLAY` names.
    ///
    /// # Errors
    /// There is none, it refuses, or it does not answer before `stop`.
    pub fn open(stop: &Stop<'_>) -> Result<Self, DesktopError> {
        let name = env::var("DISPLAY").unwrap_or_default();
        if name.is_empty() {
            let hint = "run in a graphical session, or start one with `Xvfb :99` and set `DISPLAY=:99`";
            return Err(absent("no DISPLAY", hint));
        }
        let (conn, screen, reach) = connect(&name, stop)?;
        if conn.extension_information(xtest::X11_EXTENSION_NAME)?.is_none() {
            return Err(absent(format!("the display `{name}` has no XTEST extension"), "use a display that has it"));
        }
        let root = conn.setup().roots.get(screen).map(|root| root.root);
        let root =
            root.ok_or_else(|| absent(format!("the display `{name}` has no screen {screen}"), "set `DISPLAY`"))?;
        let mask = EventMask::PROPERTY_CHANGE | EventMask::SUBSTRUCTURE_NOTIFY | EventMask::STRUCTURE_NOTIFY;
        conn.change_window_attributes(root, &ChangeWindowAttributesAux::new().event_mask(mask))?;
        Ok(Self {
            conn,
            screen,
            root,
            input: InputState::default(),
            pixels: ScreenState::new(reach),
            windows: WindowState::default(),
        })
    }
}

fn connect(name: &str, stop: &Stop<'_>) -> Result<(Conn, usize, Reach), DesktopError> {
    let refused = |reason: String| {
        absent(
            format!("the display `{name}` cannot be used: {reason}"),
            "check that the display server runs, and that `DISPLAY` and `XAUTHORITY` are those of its session",
        )
    };
    let Address { calls, display, screen } = Address::of(name).map_err(refused)?;
    let Called { stream, family, peer, reach } = call(calls, stop)?.map_err(refused)?;
    // Without an authorisation the server may still let us in.
    let auth = get_auth(family, &peer, display).ok().flatten();
    let (auth_name, auth_data) = auth.unwrap_or_default();
    let stream = Bounded::new(stream, stop);
    match RustConnection::connect_to_stream_with_auth_info(stream, screen, auth_name, auth_data) {
        Ok(conn) => Ok((conn, screen, reach)),
        Err(ConnectError::IoError(error)) => {
            stop.check()?;
            Err(refused(error.to_string()))
        }
        Err(ConnectError::InvalidScreen) => Err(refused(format!("it has no screen {screen}"))),
        Err(error) => Err(refused(error.to_string())),
    }
}

/// A server that took the call.
struct Called {
    stream: DefaultStream,
    family: Family,
    peer: Vec<u8>,
    reach: Reach,
}

/// Calls the addresses of a display in turn; `Err` inside is why none of them answers. A server may let its callers wait for ever, and
/// nothing wakes them: the call is left to a thread, and given up as `stop` says.
fn call(calls: Vec<Call>, stop: &Stop<'_>) -> Result<Result<Called, String>, DesktopError> {
    let (tell, told) = mpsc::channel();
    let caller = thread::Builder::new().name("display".to_owned()).spawn(move || {
        let mut trouble = None;
        for call in calls {
            let (address, reach) = match &call {
                Call::Socket(path) => (ConnectAddress::Socket(path.clone()), Reach::Local),
                Call::Host(host, port) => (ConnectAddress::Hostname(host, *port), Reach::Remote),
            };
            match DefaultStream::connect(&address) {
                Ok((stream, (family, peer))) => {
                    // Nobody listens any more when it took too long.
                    let _ = tell.send(Ok(Called { stream, family, peer, reach }));
                    return;
                }
                Err(error) => {
                    trouble.get_or_insert(error.to_string());
                }
            }
        }
        let _ = tell.send(Err(trouble.unwrap_or_else(|| "it names no address".to_owned())));
    });
    caller.map_err(|error| DesktopError::other(format!("no thread can be started: {error}")))?;
    loop {
        match told.recv_timeout(GLANCE) {
            Ok(called) => return Ok(called),
            Err(RecvTimeoutError::Timeout) => stop.check()?,
            Err(RecvTimeoutError::Disconnected) => return Ok(Err("the call to it broke off".to_owned())),
        }
    }
}

fn absent(reason: impl Into<String>, hint: &str) -> DesktopError {
    DesktopError::Absent { reason: reason.into(), hint: hint.to_owned() }
}
