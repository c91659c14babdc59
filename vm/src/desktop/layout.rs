//! What makes two desktops alike for coordinates and keys, as one short text that is only compared.

use crate::desktop::error::DesktopError;
use crate::desktop::screen::Monitor;
use crate::desktop::{Desktop, Rect};

/// What every text of this kind begins with; a later one that looks at more will have another.
pub const LAYOUT_PREFIX: &str = "l1-";

/// The layout of a desktop: [`LAYOUT_PREFIX`] and the FNV-1a hash, in 16 hexadecimal digits, of a line `keyboard NAMES` and a line
/// `monitor WIDTHxHEIGHT+X+Y` for each monitor, sorted by x and y, each line with its end.
///
/// # Errors
/// The display does not answer.
pub fn layout_hash(desktop: &mut dyn Desktop) -> Result<String, DesktopError> {
    let keyboard = desktop.keyboard_layout()?;
    let monitors = desktop.monitors()?;
    Ok(hash_of(&keyboard, &monitors))
}

fn hash_of(keyboard: &str, monitors: &[Monitor]) -> String {
    let mut areas: Vec<Rect> = monitors.iter().map(|monitor| monitor.area).collect();
    areas.sort_by_key(|area| (area.x, area.y, area.width, area.height));
    let mut text = format!("keyboard {keyboard}\n");
    for Rect { x, y, width, height } in areas {
        text.push_str(&format!("monitor {width}x{height}+{x}+{y}\n"));
    }
    format!("{LAYOUT_PREFIX}{:016x}", fnv1a(text.as_bytes()))
}

/// The 64-bit hash of Fowler, Noll and Vo, variant 1a.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use crate::desktop::layout::{fnv1a, hash_of};
    use crate::desktop::{Monitor, Rect};

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn keyboards_and_monitors_make_a_layout_and_their_order_does_not() {
        let monitor =
            |x| Monitor { name: format!("at {x}"), area: Rect { x, y: 0, width: 800, height: 600 }, primary: x == 0 };
        let one = hash_of("evdev,pc105,us,,", &[monitor(0), monitor(800)]);
        assert_eq!(one.len(), 19);
        assert_eq!(hash_of("evdev,pc105,us,,", &[monitor(800), monitor(0)]), one);
        assert_ne!(hash_of("evdev,pc105,de,,", &[monitor(0), monitor(800)]), one);
        assert_ne!(hash_of("evdev,pc105,us,,", &[monitor(0)]), one);
    }
}
