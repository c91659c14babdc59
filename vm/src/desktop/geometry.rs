//! Places on the screen. The origin is the top left corner of the whole desktop, x grows to the right and y downwards.

/// A pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Point {
    /// Pixels from the left edge.
    pub x: i32,
    /// Pixels from the top edge.
    pub y: i32,
}

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

impl Rect {
    /// Whether a pixel lies inside.
    pub fn contains(&self, point: Point) -> bool {
        inside(self.x, self.width, point.x) && inside(self.y, self.height, point.y)
    }

    /// Whether a rectangle lies inside with all its pixels.
    pub fn covers(&self, other: Rect) -> bool {
        self.intersection(other) == Some(other)
    }

    /// The pixels both have; `None` when there are none.
    pub fn intersection(&self, other: Rect) -> Option<Rect> {
        let (x, width) = overlap((self.x, self.width), (other.x, other.width))?;
        let (y, height) = overlap((self.y, self.height), (other.y, other.height))?;
        Some(Rect { x, y, width, height })
    }

    /// The smallest rectangle that has the pixels of both.
    #[must_use]
    pub fn union(&self, other: Rect) -> Rect {
        let (x, width) = span((self.x, self.width), (other.x, other.width));
        let (y, height) = span((self.y, self.height), (other.y, other.height));
        Rect { x, y, width, height }
    }

    /// The pixel in the middle, rounded towards the origin.
    pub fn middle(&self) -> Point {
        let half = |start: i32, length: u32| start.saturating_add(i32::try_from(length / 2).unwrap_or(i32::MAX));
        Point { x: half(self.x, self.width), y: half(self.y, self.height) }
    }
}

fn inside(start: i32, length: u32, at: i32) -> bool {
    let offset = i64::from(at) - i64::from(start);
    (0..i64::from(length)).contains(&offset)
}

fn overlap(one: (i32, u32), other: (i32, u32)) -> Option<(i32, u32)> {
    let start = one.0.max(other.0);
    let end = end(one).min(end(other));
    let length = u32::try_from(end - i64::from(start)).ok().filter(|length| *length > 0)?;
    Some((start, length))
}

fn span(one: (i32, u32), other: (i32, u32)) -> (i32, u32) {
    let start = one.0.min(other.0);
    let length = end(one).max(end(other)) - i64::from(start);
    (start, u32::try_from(length).unwrap_or(u32::MAX))
}

fn end((start, length): (i32, u32)) -> i64 {
    i64::from(start) + i64::from(length)
}

#[cfg(test)]
mod tests {
    use crate::desktop::geometry::{Point, Rect};

    const SCREEN: Rect = Rect { x: 0, y: 0, width: 1280, height: 800 };

    #[test]
    fn edges_belong_to_the_left_and_top() {
        assert!(SCREEN.contains(Point { x: 1279, y: 799 }));
        assert!(!SCREEN.contains(Point { x: 1280, y: 0 }));
        assert!(!SCREEN.contains(Point { x: -1, y: 5 }));
    }

    #[test]
    fn rectangles_meet() {
        let other = Rect { x: 1200, y: 700, width: 200, height: 200 };
        assert_eq!(SCREEN.intersection(other), Some(Rect { x: 1200, y: 700, width: 80, height: 100 }));
        assert_eq!(SCREEN.union(other), Rect { x: 0, y: 0, width: 1400, height: 900 });
        assert!(!SCREEN.covers(other));
        assert_eq!(SCREEN.intersection(Rect { x: 1280, ..SCREEN }), None);
        assert_eq!(SCREEN.middle(), Point { x: 640, y: 400 });
    }
}
