//! A client of the display that shows images, pixel for pixel, wherever it is told to.

use std::collections::BTreeMap;

use x11rb::COPY_DEPTH_FROM_PARENT;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    ConfigureWindowAux, ConnectionExt, CreateGCAux, CreateWindowAux, EventMask, Rectangle, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use crate::display::Display;
use crate::display::art::{Art, Color};

/// Shows images on a display; they vanish with it.
pub struct Painter {
    conn: RustConnection,
    screen: usize,
}

/// An image that is shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown(Window);

impl Painter {
    /// A painter on this display.
    pub fn new(display: &Display) -> Self {
        let (conn, screen) = x11rb::connect(Some(&display.name)).unwrap();
        Self { conn, screen }
    }

    /// Shows an image with its top left pixel at a place, above everything; it is there when this returns.
    pub fn show(&self, x: i16, y: i16, art: &Art) -> Shown {
        let root = &self.conn.setup().roots[self.screen];
        let (width, height) = (art.width as u16, art.height as u16);
        let pixmap = self.conn.generate_id().unwrap();
        self.conn.create_pixmap(root.root_depth, pixmap, root.root, width, height).unwrap();
        let context = self.conn.generate_id().unwrap();
        for (color, places) in places(art) {
            let pixel = self.pixel(color);
            let values = CreateGCAux::new().foreground(pixel).graphics_exposures(0);
            self.conn.create_gc(context, pixmap, &values).unwrap();
            for places in places.chunks(10_000) {
                self.conn.poly_fill_rectangle(pixmap, context, places).unwrap();
            }
            self.conn.free_gc(context).unwrap();
        }
        let window = self.conn.generate_id().unwrap();
        let values =
            CreateWindowAux::new().override_redirect(1).background_pixmap(pixmap).event_mask(EventMask::NO_EVENT);
        let class = WindowClass::INPUT_OUTPUT;
        self.conn
            .create_window(COPY_DEPTH_FROM_PARENT, window, root.root, x, y, width, height, 0, class, 0, &values)
            .unwrap();
        self.conn.free_pixmap(pixmap).unwrap();
        self.conn.map_window(window).unwrap();
        self.conn.sync().unwrap();
        Shown(window)
    }

    /// Moves an image.
    pub fn place(&self, shown: Shown, x: i32, y: i32) {
        self.conn.configure_window(shown.0, &ConfigureWindowAux::new().x(x).y(y)).unwrap();
        self.conn.sync().unwrap();
    }

    /// Takes an image away.
    pub fn hide(&self, shown: Shown) {
        self.conn.destroy_window(shown.0).unwrap();
        self.conn.sync().unwrap();
    }

    /// The pixel value of a colour, or of the nearest one this display has.
    fn pixel(&self, [red, green, blue]: Color) -> u32 {
        let map = self.conn.setup().roots[self.screen].default_colormap;
        let wide = |part: u8| u16::from(part) * 257;
        self.conn.alloc_color(map, wide(red), wide(green), wide(blue)).unwrap().reply().unwrap().pixel
    }
}

/// Where each colour is, in rows of pixels.
fn places(art: &Art) -> BTreeMap<Color, Vec<Rectangle>> {
    let mut places: BTreeMap<Color, Vec<Rectangle>> = BTreeMap::new();
    for y in 0..art.height {
        let mut x = 0;
        while x < art.width {
            let color = art.at(x, y);
            let width = (x..art.width).take_while(|x| art.at(*x, y) == color).count() as u32;
            let row = Rectangle { x: x as i16, y: y as i16, width: width as u16, height: 1 };
            places.entry(color).or_default().push(row);
            x += width;
        }
    }
    places
}
