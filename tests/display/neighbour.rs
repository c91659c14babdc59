//! Another client of the display, which does what users and other programs do.

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use crate::display::Display;
use crate::witness::eventually;

/// A connection of the test's own.
pub struct Neighbour {
    conn: RustConnection,
    root: Window,
}

impl Neighbour {
    /// Connects to a display.
    pub fn new(display: &Display) -> Self {
        let (conn, screen) = x11rb::connect(Some(&display.name)).unwrap();
        let root = conn.setup().roots[screen].root;
        Self { conn, root }
    }

    /// The number of a name.
    pub fn atom(&self, name: &str) -> u32 {
        self.conn.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
    }

    /// The numbers of a property.
    pub fn numbers(&self, window: Window, name: &str) -> Vec<u32> {
        let reply = self.conn.get_property(false, window, self.atom(name), AtomEnum::ANY, 0, 4096).unwrap().reply();
        reply.ok().and_then(|reply| reply.value32().map(Iterator::collect)).unwrap_or_default()
    }

    /// A number of the root window.
    pub fn told(&self, name: &str) -> u32 {
        self.numbers(self.root, name).first().copied().unwrap_or(0)
    }

    /// The numbers of a property of the root window.
    pub fn told_all(&self, name: &str) -> Vec<u32> {
        self.numbers(self.root, name)
    }

    /// Waits for the window of a title; with a window manager, until that manages it or leaves it alone.
    pub fn window(&self, title: &str) -> Window {
        eventually(title, || {
            let mut windows = self.numbers(self.root, "_NET_CLIENT_LIST");
            let alone = self.told("_NET_SUPPORTING_WM_CHECK") == 0;
            let tops = self.conn.query_tree(self.root).unwrap().reply().unwrap().children;
            windows.extend(tops.into_iter().filter(|top| alone || self.is_pop_up(*top)));
            windows.into_iter().find(|window| self.title(*window) == title)
        })
    }

    /// The window's title.
    pub fn title(&self, window: Window) -> String {
        let names = [self.atom("_NET_WM_NAME"), AtomEnum::WM_NAME.into()];
        let read = |name| self.conn.get_property(false, window, name, AtomEnum::ANY, 0, 4096).unwrap().reply().ok();
        let found = names.into_iter().filter_map(read).find(|reply| !reply.value.is_empty());
        found.map(|reply| String::from_utf8_lossy(&reply.value).into_owned()).unwrap_or_default()
    }

    /// Sends the window manager a message about a window, or about the desktop.
    pub fn tell(&self, window: Option<Window>, kind: &str, data: [u32; 5]) {
        let event = ClientMessageEvent::new(32, window.unwrap_or(self.root), self.atom(kind), data);
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        self.conn.send_event(false, self.root, mask, event).unwrap();
        self.conn.sync().unwrap();
    }

    /// Adds a state to a window and waits until it has it.
    pub fn state(&self, window: Window, name: &str) {
        let state = self.atom(name);
        self.tell(Some(window), "_NET_WM_STATE", [1, state, 0, 2, 0]);
        eventually(name, || self.numbers(window, "_NET_WM_STATE").contains(&state).then_some(()));
    }

    /// The window X sends keys to, with those around it.
    pub fn focus(&self) -> Vec<Window> {
        let mut chain = Vec::new();
        let mut window = self.conn.get_input_focus().unwrap().reply().unwrap().focus;
        while window > 1 && window != self.root {
            chain.push(window);
            window = self.conn.query_tree(window).unwrap().reply().map_or(0, |tree| tree.parent);
        }
        chain
    }

    /// Brings a window to the front without giving it the keyboard.
    pub fn raise(&self, window: Window) {
        // Above all others, as a tool asks for it.
        self.tell(Some(window), "_NET_RESTACK_WINDOW", [2, 0, 0, 0, 0]);
        let topmost = || self.told_all("_NET_CLIENT_LIST_STACKING").last() == Some(&window);
        eventually("a window in front", || topmost().then_some(()));
    }

    /// Shows a window of its own, with a title of this type as bytes.
    pub fn open(&self, area: (i16, i16, u16, u16), title: &[u8], kind: &str) -> Window {
        let window = self.conn.generate_id().unwrap();
        let (x, y, width, height) = area;
        let copy = CreateWindowAux::new().background_pixel(0);
        let class = WindowClass::INPUT_OUTPUT;
        self.conn.create_window(0, window, self.root, x, y, width, height, 0, class, 0, &copy).unwrap();
        let kind = self.atom(kind);
        self.conn.change_property8(PropMode::REPLACE, window, AtomEnum::WM_NAME, kind, title).unwrap();
        self.conn.map_window(window).unwrap();
        self.conn.sync().unwrap();
        window
    }

    /// Whether a window is on the screen.
    pub fn is_viewable(&self, window: Window) -> bool {
        let attributes = self.conn.get_window_attributes(window).unwrap().reply();
        attributes.is_ok_and(|attributes| attributes.map_state == x11rb::protocol::xproto::MapState::VIEWABLE)
    }

    fn is_pop_up(&self, window: Window) -> bool {
        let attributes = self.conn.get_window_attributes(window).unwrap().reply();
        attributes.is_ok_and(|attributes| attributes.override_redirect)
    }

    /// The client area of a window: x, y, width, height.
    pub fn area(&self, window: Window) -> (i64, i64, i64, i64) {
        let size = self.conn.get_geometry(window).unwrap().reply().unwrap();
        let origin = self.conn.translate_coordinates(window, self.root, 0, 0).unwrap().reply().unwrap();
        (origin.dst_x.into(), origin.dst_y.into(), size.width.into(), size.height.into())
    }
}
