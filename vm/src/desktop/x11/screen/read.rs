//! Pixels of the screen: into shared memory, or over the connection.

use x11rb::connection::Connection;
use x11rb::cookie::Cookie;
use x11rb::errors::{ConnectionError, ReplyError};
use x11rb::protocol::ErrorKind;
use x11rb::protocol::shm::ConnectionExt as _;
use x11rb::protocol::xproto::{Colormap, ConnectionExt, ImageFormat, QueryColorsReply, Window};

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Rect;
use crate::desktop::x11::X11;
use crate::desktop::x11::screen::Reach;
use crate::desktop::x11::screen::colors::{Bgrx, by_cell};
use crate::desktop::x11::screen::format::{Colors, PixelFormat};
use crate::desktop::x11::screen::segment::Segment;
use crate::desktop::x11::stream::Conn;

/// How many bytes of an image are asked for at once when they come over the connection.
const STRIP: usize = 1 << 20;

/// How pixels come here, and where they are.
#[derive(Debug)]
pub struct Reader {
    way: Way,
    format: Option<PixelFormat>,
    /// Pixels that had to be copied.
    copied: Vec<u8>,
}

#[derive(Debug)]
enum Way {
    /// Into shared memory, if that is possible.
    Untried,
    /// Into this memory.
    Shared(Segment),
    /// Over the connection.
    Plain,
}

/// Where the pixels are that were read last.
#[derive(Clone, Copy, Debug)]
pub struct Filled {
    /// Bytes from one row to the next.
    pub stride: usize,
    length: usize,
    shared: bool,
}

/// Why pixels could not be read.
#[derive(Debug)]
pub enum Refused {
    /// The area is not on the screen, says the display.
    Mismatch(DesktopError),
    /// Something else.
    Other(DesktopError),
}

/// A part of the screen in the display's numbers.
#[derive(Clone, Copy, Debug)]
struct Part {
    x: i16,
    y: i16,
    width: u16,
    height: u16,
}

impl Reader {
    /// Nothing read yet.
    pub fn new(reach: Reach) -> Self {
        let way = match reach {
            Reach::Local => Way::Untried,
            Reach::Remote => Way::Plain,
        };
        Self { way, format: None, copied: Vec::new() }
    }

    /// The pixels that were read last.
    pub fn pixels(&self, filled: &Filled) -> &[u8] {
        let bytes = match &self.way {
            Way::Shared(segment) if filled.shared => segment.bytes(),
            Way::Shared(_) | Way::Untried | Way::Plain => &self.copied,
        };
        bytes.get(..filled.length).unwrap_or_default()
    }

    /// Shares at least `size` bytes, if that is possible.
    fn share(&mut self, conn: &Conn, size: usize) -> Result<(), DesktopError> {
        match &self.way {
            Way::Plain => return Ok(()),
            Way::Shared(segment) if segment.bytes().len() >= size => return Ok(()),
            Way::Shared(_) | Way::Untried => {}
        }
        if let Way::Shared(old) = std::mem::replace(&mut self.way, Way::Plain) {
            old.detach(conn)?;
        }
        if let Some(segment) = Segment::new(conn, size)? {
            self.way = Way::Shared(segment);
        }
        Ok(())
    }
}

impl X11 {
    /// Reads a part of the screen, which must lie on it.
    pub(super) fn read_pixels(&mut self, area: Rect) -> Result<Filled, Refused> {
        let part = Part::of(area)?;
        if self.pixels.reader.format.is_none() {
            let screen = self.root_screen().ok_or_else(|| DesktopError::other("the display has no screen"))?;
            self.pixels.reader.format = Some(PixelFormat::of(self.conn.setup(), screen)?);
        }
        let Some(format) = &self.pixels.reader.format else { return Err(unreachable_format()) };
        let stride = format.stride(part.width);
        self.pixels.reader.share(&self.conn, stride.saturating_mul(part.height.into()))?;
        let Reader { way, format: Some(format), copied } = &mut self.pixels.reader else {
            return Err(unreachable_format());
        };
        match way {
            Way::Shared(segment) => read_shared(&self.conn, self.root, part, segment, format, copied),
            Way::Untried | Way::Plain => read_plain(&self.conn, self.root, part, format, copied),
        }
    }
}

/// In one round trip and, when the display has the pixels as we want them, without a copy.
fn read_shared(
    conn: &Conn,
    root: Window,
    part: Part,
    segment: &Segment,
    format: &PixelFormat,
    copied: &mut Vec<u8>,
) -> Result<Filled, Refused> {
    let Part { x, y, width, height } = part;
    let image = conn.shm_get_image(root, x, y, width, height, !0, ImageFormat::Z_PIXMAP.into(), segment.id, 0)?;
    let cells = Cells::ask(conn, format)?;
    image.reply()?;
    let stride = format.stride(width);
    let length = stride * usize::from(height);
    if matches!(format.colors(), Colors::Ready) {
        return Ok(Filled { stride, length, shared: true });
    }
    copied.clear();
    format.unpack(segment.bytes().get(..length).unwrap_or_default(), width, &cells.reply()?, copied);
    Ok(part.copied(copied))
}

/// In strips, so that no reply is very long; all are asked for before the first is waited for.
fn read_plain(
    conn: &Conn,
    root: Window,
    part: Part,
    format: &PixelFormat,
    copied: &mut Vec<u8>,
) -> Result<Filled, Refused> {
    let Part { x, y, width, height } = part;
    let rows = u16::try_from((STRIP / format.stride(width).max(1)).max(1)).unwrap_or(u16::MAX);
    let cells = Cells::ask(conn, format)?;
    let mut strips = Vec::new();
    let mut top = 0;
    while top < height {
        let rows = rows.min(height - top);
        let at = i16::try_from(i32::from(y) + i32::from(top)).map_err(|_| unreachable_format())?;
        strips.push(conn.get_image(ImageFormat::Z_PIXMAP, root, x, at, width, rows, !0)?);
        top += rows;
    }
    let cells = cells.reply()?;
    copied.clear();
    for strip in strips {
        format.unpack(&strip.reply()?.data, width, &cells, copied);
    }
    Ok(part.copied(copied))
}

/// The content of the colour map, if there is one, on its way.
struct Cells<'c>(Option<Cookie<'c, Conn, QueryColorsReply>>);

impl<'c> Cells<'c> {
    fn ask(conn: &'c Conn, format: &PixelFormat) -> Result<Self, ConnectionError> {
        let ask = |map: Colormap, cells: u32| {
            let all: Vec<u32> = (0..cells).collect();
            conn.query_colors(map, &all)
        };
        Ok(Self(match format.colors() {
            Colors::Map(map, cells) => Some(ask(*map, *cells)?),
            Colors::Ready | Colors::Table(_) | Colors::Channels(_) => None,
        }))
    }

    fn reply(self) -> Result<Vec<Bgrx>, ReplyError> {
        let reply = self.0.map(Cookie::reply).transpose()?;
        Ok(reply.map(|reply| reply.colors.iter().map(by_cell).collect()).unwrap_or_default())
    }
}

impl Part {
    fn of(area: Rect) -> Result<Self, Refused> {
        let place = i16::try_from(area.x).ok().zip(i16::try_from(area.y).ok());
        let size = u16::try_from(area.width).ok().zip(u16::try_from(area.height).ok());
        let ((x, y), (width, height)) = place.zip(size).ok_or_else(unreachable_format)?;
        Ok(Self { x, y, width, height })
    }

    /// What was copied.
    fn copied(self, pixels: &[u8]) -> Filled {
        Filled { stride: usize::from(self.width) * 4, length: pixels.len(), shared: false }
    }
}

/// What cannot come of an area that lies on a screen.
fn unreachable_format() -> Refused {
    Refused::Other(DesktopError::other("the area has no place on an X11 screen"))
}

impl From<ReplyError> for Refused {
    fn from(error: ReplyError) -> Self {
        let mismatch = matches!(&error, ReplyError::X11Error(error) if error.error_kind == ErrorKind::Match);
        if mismatch { Self::Mismatch(error.into()) } else { Self::Other(error.into()) }
    }
}

impl From<ConnectionError> for Refused {
    fn from(error: ConnectionError) -> Self {
        Self::Other(error.into())
    }
}

impl From<DesktopError> for Refused {
    fn from(error: DesktopError) -> Self {
        Self::Other(error)
    }
}

impl From<Refused> for DesktopError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Mismatch(error) | Refused::Other(error) => error,
        }
    }
}
