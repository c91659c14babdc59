//! From places in the image a model was sent to places on the screen.

use spec::kind::CoordinateSpace;

use crate::desktop::{Point, Rect};

/// The parts of a side in [`CoordinateSpace::Normalized1000`].
const PARTS: u32 = 1000;

/// How the image that was sent lies on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The part of the screen it shows.
    pub area: Rect,
    /// Its width and height in pixels.
    pub sent: (u32, u32),
    /// What coordinates in it are.
    pub space: CoordinateSpace,
}

impl Scale {
    /// The largest coordinates there are, for x and y.
    pub fn largest(&self) -> (u32, u32) {
        match self.space {
            CoordinateSpace::Image => (self.sent.0.saturating_sub(1), self.sent.1.saturating_sub(1)),
            CoordinateSpace::Normalized1000 => (PARTS, PARTS),
        }
    }

    /// The pixel of the screen that coordinates mean: the one at the same fraction of the screen, rounded towards the origin.
    ///
    /// # Errors
    /// They are outside of the image: which, and what is allowed.
    pub fn place(&self, x: f64, y: f64) -> Result<Point, String> {
        let (width, height) = match self.space {
            CoordinateSpace::Image => self.sent,
            CoordinateSpace::Normalized1000 => (PARTS, PARTS),
        };
        let most = self.largest();
        // Fractions within the last pixel belong to it.
        let inside = |at: f64, most: u32| at >= 0.0 && at < f64::from(most) + 1.0;
        if !inside(x, most.0) || !inside(y, most.1) {
            return Err(format!("({x}, {y}) is outside: x is from 0 to {}, and y from 0 to {}", most.0, most.1));
        }
        let along = |at: f64, all: u32, start: i32, length: u32| {
            // The cast saturates; 1000 of 1000 is the last pixel.
            let offset = (at * f64::from(length) / f64::from(all)).floor() as u32;
            start.saturating_add_unsigned(offset.min(length.saturating_sub(1)))
        };
        Ok(Point {
            x: along(x, width, self.area.x, self.area.width),
            y: along(y, height, self.area.y, self.area.height),
        })
    }
}

#[cfg(test)]
mod tests {
    use spec::kind::CoordinateSpace;

    use crate::backends::gui_agent::scale::Scale;
    use crate::desktop::{Point, Rect};

    const SCREEN: Rect = Rect { x: 0, y: 0, width: 2560, height: 1440 };

    #[test]
    fn places_are_scaled_exactly() {
        let scale = Scale { area: SCREEN, sent: (1280, 720), space: CoordinateSpace::Image };
        assert_eq!(scale.place(640.0, 360.0), Ok(Point { x: 1280, y: 720 }));
        assert_eq!(scale.place(0.0, 0.0), Ok(Point { x: 0, y: 0 }));
        assert_eq!(scale.place(1279.0, 719.0), Ok(Point { x: 2558, y: 1438 }));
        assert_eq!(scale.place(640.5, 719.9), Ok(Point { x: 1281, y: 1439 }));
        for (x, y) in [(-5.0, 1.0), (99_999.0, 1.0), (1.0, 720.0), (1280.0, 1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)]
        {
            assert!(scale.place(x, y).is_err(), "{x} {y}");
        }
        let offset = Scale { area: Rect { x: -100, y: 50, width: 640, height: 480 }, sent: (640, 480), ..scale };
        assert_eq!(offset.place(10.0, 20.0), Ok(Point { x: -90, y: 70 }));
    }

    #[test]
    fn thousandths_are_only_what_is_declared() {
        let scale = Scale { area: SCREEN, sent: (1280, 720), space: CoordinateSpace::Normalized1000 };
        assert_eq!(scale.place(500.0, 500.0), Ok(Point { x: 1280, y: 720 }));
        assert_eq!(scale.place(1000.0, 1000.0), Ok(Point { x: 2559, y: 1439 }));
        assert!(scale.place(1001.0, 0.0).is_err());
    }
}
