//! What a window says of itself.

use x11rb::connection::RequestConnection;
use x11rb::protocol::res::{ClientIdMask, ClientIdSpec, ConnectionExt as _, QueryClientIdsReply, X11_EXTENSION_NAME};
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ConnectionExt, EventMask, GetGeometryReply, GetPropertyReply,
    GetWindowAttributesReply, MapState, TranslateCoordinatesReply, Window, WindowClass,
};

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Rect;
use crate::desktop::windows;
use crate::desktop::windows::WindowId;
use crate::desktop::x11::stream::Conn;
use crate::desktop::x11::windows::answer::{Cookie, answer, ask, number, numbers};
use crate::desktop::x11::windows::atoms::Atoms;
use crate::desktop::x11::windows::text::{MAX_BYTES, class, text};

/// Windows that are asked at once, so that neither side's queue grows long.
const BATCH: usize = 128;

/// Most bytes of a list of atoms.
const MAX_ATOMS: u32 = 1024;

/// On every desktop, as `_NET_WM_DESKTOP` says it.
pub const EVERY_DESKTOP: u32 = u32::MAX;

/// `IconicState` of `WM_STATE`.
const ICONIC: u32 = 3;

/// A window, as it was a moment ago.
#[derive(Clone, Debug)]
pub struct Client {
    pub id: Window,
    pub title: String,
    pub instance: String,
    pub class: String,
    pub pid: Option<u32>,
    pub area: Rect,
    /// The window manager leaves it alone.
    pub override_redirect: bool,
    /// It is on the screen, though perhaps covered.
    pub viewable: bool,
    /// It has pixels.
    pub drawn: bool,
    /// `WM_STATE`: set by the window manager on the windows it manages.
    pub state: Option<u32>,
    /// `None` where desktops are unknown.
    pub desktop: Option<u32>,
    pub parent: Option<Window>,
    pub modal: bool,
    pub shaded: bool,
    pub hidden: bool,
    pub maximized: bool,
    pub fullscreen: bool,
    pub dialog: bool,
    /// A menu, tooltip or the like.
    pub fleeting: bool,
}

impl Client {
    /// Whether it is an icon now.
    pub fn iconic(&self) -> bool {
        self.state == Some(ICONIC) || (self.hidden && !self.shaded)
    }

    /// Whether it can be seen when `current` is the desktop that is shown.
    pub fn visible(&self, current: Option<u32>) -> bool {
        self.viewable && !self.iconic() && !self.shaded && self.is_on(current)
    }

    /// Whether it is on this desktop.
    pub fn is_on(&self, current: Option<u32>) -> bool {
        match (self.desktop, current) {
            (Some(own), Some(current)) => own == current || own == EVERY_DESKTOP,
            (None, _) | (_, None) => true,
        }
    }

    /// The same for everyone.
    pub fn window(&self, current: Option<u32>) -> windows::Window {
        windows::Window {
            id: WindowId(self.id),
            title: self.title.clone(),
            class: self.class.clone(),
            instance: self.instance.clone(),
            pid: self.pid,
            area: self.area,
            visible: self.visible(current),
            managed: !self.override_redirect,
            parent: self.parent.map(WindowId),
        }
    }
}

/// Asks windows what they are, and to tell of changes; `None` for one that is gone.
pub fn read(conn: &Conn, atoms: &Atoms, root: Window, ids: &[Window]) -> Result<Vec<Option<Client>>, DesktopError> {
    let mut clients = Vec::with_capacity(ids.len());
    for batch in ids.chunks(BATCH) {
        let asked: Vec<_> = batch.iter().map(|id| Asked::new(conn, atoms, root, *id)).collect::<Result<_, _>>()?;
        for asked in asked {
            clients.push(asked.client(atoms, root)?);
        }
    }
    Ok(clients)
}

struct Asked<'c> {
    id: Window,
    attributes: Cookie<'c, GetWindowAttributesReply>,
    geometry: Cookie<'c, GetGeometryReply>,
    origin: Cookie<'c, TranslateCoordinatesReply>,
    utf8_name: Cookie<'c, GetPropertyReply>,
    name: Cookie<'c, GetPropertyReply>,
    class: Cookie<'c, GetPropertyReply>,
    pid: Cookie<'c, GetPropertyReply>,
    owner: Option<Cookie<'c, QueryClientIdsReply>>,
    parent: Cookie<'c, GetPropertyReply>,
    desktop: Cookie<'c, GetPropertyReply>,
    state: Cookie<'c, GetPropertyReply>,
    states: Cookie<'c, GetPropertyReply>,
    types: Cookie<'c, GetPropertyReply>,
}

impl<'c> Asked<'c> {
    fn new(conn: &'c Conn, atoms: &Atoms, root: Window, id: Window) -> Result<Self, DesktopError> {
        // Before the questions: a change after the answer is told of. No other part of this connection listens to these windows.
        let mask = EventMask::PROPERTY_CHANGE | EventMask::STRUCTURE_NOTIFY | EventMask::FOCUS_CHANGE;
        conn.change_window_attributes(id, &ChangeWindowAttributesAux::new().event_mask(mask))?.ignore_error();
        let owner = ClientIdSpec { client: id, mask: ClientIdMask::LOCAL_CLIENT_PID };
        // Many programs do not say which process they are, but the server knows of those on its own machine.
        let known = conn.extension_information(X11_EXTENSION_NAME)?.is_some();
        Ok(Self {
            id,
            attributes: conn.get_window_attributes(id)?,
            geometry: conn.get_geometry(id)?,
            origin: conn.translate_coordinates(id, root, 0, 0)?,
            utf8_name: ask(conn, id, atoms._NET_WM_NAME, MAX_BYTES)?,
            name: ask(conn, id, AtomEnum::WM_NAME.into(), MAX_BYTES)?,
            class: ask(conn, id, AtomEnum::WM_CLASS.into(), MAX_BYTES)?,
            pid: ask(conn, id, atoms._NET_WM_PID, 4)?,
            owner: if known { Some(conn.res_query_client_ids(&[owner])?) } else { None },
            parent: ask(conn, id, AtomEnum::WM_TRANSIENT_FOR.into(), 4)?,
            desktop: ask(conn, id, atoms._NET_WM_DESKTOP, 4)?,
            state: ask(conn, id, atoms.WM_STATE, 4)?,
            states: ask(conn, id, atoms._NET_WM_STATE, MAX_ATOMS)?,
            types: ask(conn, id, atoms._NET_WM_WINDOW_TYPE, MAX_ATOMS)?,
        })
    }

    fn client(self, atoms: &Atoms, root: Window) -> Result<Option<Client>, DesktopError> {
        // Every answer is taken, so that none is left over as an error.
        let attributes = answer(self.attributes.reply())?;
        let geometry = answer(self.geometry.reply())?;
        let origin = answer(self.origin.reply())?;
        let utf8_name = answer(self.utf8_name.reply())?;
        let name = answer(self.name.reply())?;
        let classes = answer(self.class.reply())?;
        let pid = answer(self.pid.reply())?;
        let owner = self.owner.map_or(Ok(None), |owner| answer(owner.reply()))?;
        let parent = answer(self.parent.reply())?;
        let desktop = answer(self.desktop.reply())?;
        let state = answer(self.state.reply())?;
        let states = answer(self.states.reply())?;
        let types = answer(self.types.reply())?;
        // The last answer tells that it was there all the time.
        let (Some(attributes), Some(geometry), Some(origin), Some(types)) = (attributes, geometry, origin, types)
        else {
            return Ok(None);
        };
        let first = |reply: &Option<GetPropertyReply>| reply.as_ref().and_then(number);
        let title = |reply: &Option<GetPropertyReply>| reply.as_ref().and_then(|reply| text(reply, atoms));
        let states = states.as_ref().map(numbers).unwrap_or_default();
        let types = numbers(&types);
        let (instance, class) = classes.as_ref().map(class).unwrap_or_default();
        Ok(Some(Client {
            id: self.id,
            title: title(&utf8_name).or_else(|| title(&name)).unwrap_or_default(),
            instance,
            class,
            pid: first(&pid).filter(|pid| *pid > 0).or_else(|| process(&owner?)),
            area: Rect {
                x: origin.dst_x.into(),
                y: origin.dst_y.into(),
                width: geometry.width.into(),
                height: geometry.height.into(),
            },
            override_redirect: attributes.override_redirect,
            viewable: attributes.map_state == MapState::VIEWABLE,
            drawn: attributes.class == WindowClass::INPUT_OUTPUT,
            state: first(&state),
            desktop: first(&desktop),
            parent: first(&parent).filter(|parent| *parent != 0 && *parent != root && *parent != self.id),
            modal: states.contains(&atoms._NET_WM_STATE_MODAL),
            shaded: states.contains(&atoms._NET_WM_STATE_SHADED),
            hidden: states.contains(&atoms._NET_WM_STATE_HIDDEN),
            maximized: states.contains(&atoms._NET_WM_STATE_MAXIMIZED_VERT)
                || states.contains(&atoms._NET_WM_STATE_MAXIMIZED_HORZ),
            fullscreen: states.contains(&atoms._NET_WM_STATE_FULLSCREEN),
            dialog: types.contains(&atoms._NET_WM_WINDOW_TYPE_DIALOG),
            fleeting: types.iter().any(|kind| fleeting(atoms).contains(kind)),
        }))
    }
}

/// The process of a client on the server's machine.
fn process(owner: &QueryClientIdsReply) -> Option<u32> {
    owner.ids.iter().flat_map(|id| &id.value).copied().find(|pid| *pid > 0)
}

fn fleeting(atoms: &Atoms) -> [u32; 6] {
    [
        atoms._NET_WM_WINDOW_TYPE_COMBO,
        atoms._NET_WM_WINDOW_TYPE_DND,
        atoms._NET_WM_WINDOW_TYPE_DROPDOWN_MENU,
        atoms._NET_WM_WINDOW_TYPE_NOTIFICATION,
        atoms._NET_WM_WINDOW_TYPE_POPUP_MENU,
        atoms._NET_WM_WINDOW_TYPE_TOOLTIP,
    ]
}
