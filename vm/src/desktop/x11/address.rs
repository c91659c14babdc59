//! What a value of `DISPLAY` names: where to call, which display and which of its screens.
//!
//! Source of the form: X(7), section "Display names", and what libxcb makes of it.

use x11rb::reexports::x11rb_protocol::parse_display::{ParsedDisplay, parse_display};

/// The port of display 0.
const FIRST_PORT: u16 = 6000;

/// A display, as its name says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Where to call, in turn.
    pub calls: Vec<Call>,
    /// The number of the display.
    pub display: u16,
    /// The number of the screen.
    pub screen: usize,
}

/// Where a server may be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// A socket in the file system.
    Socket(String),
    /// A host and a port of TCP.
    Host(String, u16),
}

impl Address {
    /// The display that `name` means: `:1`, `:1.0`, `unix:1`, `HOST:1`, `unix/HOST:1`, or the path of a socket.
    ///
    /// # Errors
    /// It means none: why.
    pub fn of(name: &str) -> Result<Self, String> {
        let number = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
        // A path may follow `unix:` as well.
        let here = name.strip_prefix("unix:").filter(|rest| number(rest) && !rest.contains('/'));
        let parsed = match here {
            Some(rest) => parse_display(Some(&format!("unix/:{rest}"))),
            None => parse_display(Some(name)),
        };
        let parsed = parsed.map_err(|error| error.to_string())?;
        let calls = calls(&parsed);
        Ok(Self { calls, display: parsed.display, screen: usize::from(parsed.screen) })
    }
}

/// A name without a host is this machine's socket, and its port when there is none. `localhost` is the port, as of a tunnel; a server that
/// has only a socket is found too.
fn calls(parsed: &ParsedDisplay) -> Vec<Call> {
    let ParsedDisplay { host, protocol, display, .. } = parsed;
    if host.starts_with('/') {
        return vec![Call::Socket(host.clone())];
    }
    let socket = Call::Socket(format!("/tmp/.X11-unix/X{display}"));
    let port = |host: &str| FIRST_PORT.checked_add(*display).map(|port| Call::Host(host.to_owned(), port));
    match (protocol.as_deref(), host.as_str()) {
        (Some("unix"), _) | (_, "unix") => vec![socket],
        (_, "") => std::iter::once(socket).chain(port("localhost")).collect(),
        (None, "localhost") => port(host).into_iter().chain([socket]).collect(),
        (_, host) => port(host).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::desktop::x11::address::{Address, Call};

    #[test]
    fn each_way_to_name_a_display_is_understood() {
        let socket = || Call::Socket("/tmp/.X11-unix/X93".to_owned());
        let port = |host: &str| Call::Host(host.to_owned(), 6093);
        for (name, calls) in [
            (":93", vec![socket(), port("localhost")]),
            (":93.0", vec![socket(), port("localhost")]),
            ("unix:93", vec![socket()]),
            ("unix:93.0", vec![socket()]),
            ("unix/:93", vec![socket()]),
            ("unix/box:93", vec![socket()]),
            ("localhost:93", vec![port("localhost"), socket()]),
            ("localhost:93.0", vec![port("localhost"), socket()]),
            ("127.0.0.1:93", vec![port("127.0.0.1")]),
            ("tcp/localhost:93", vec![port("localhost")]),
        ] {
            let address = Address::of(name).unwrap();
            assert_eq!((address.calls, address.display, address.screen), (calls, 93, 0), "{name}");
        }
        assert_eq!(Address::of(":93.2").unwrap().screen, 2);
        // No port has such a number.
        assert_eq!(Address::of(":65000").unwrap().calls, [Call::Socket("/tmp/.X11-unix/X65000".to_owned())]);
        for name in ["", "93", ":x", ":70000", "unix:", "unix:/nowhere", ":1.x"] {
            assert!(Address::of(name).is_err(), "{name}");
        }
    }
}
