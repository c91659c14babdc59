//! What a recording says of itself.

use std::ops::Range;

use spec::grammar::shown;
use spec::kind::Int;

use crate::assets::recording::fields::Fields;

/// The one version there is.
const VERSION: i64 = 1;
/// Longest side of a screen, in pixels.
const MAX_SIDE: u32 = 1_000_000;

/// Everything but the steps.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// Width and height in pixels; zero when it does not say.
    pub screen: (u32, u32),
    /// Where the screen is written.
    pub screen_range: Range<usize>,
    /// An opaque text.
    pub layout_hash: String,
}

impl Header {
    /// Reads it; mistakes leave a part out.
    pub fn read(fields: &mut Fields<'_, '_, '_>) -> Header {
        if let Some((version, range)) = fields.optional::<Int>("version")
            && version != VERSION
        {
            let help = format!("this is read: `\"version\": {VERSION}`");
            fields.report().add(range, format!("version `{version}` of recordings is not supported"), Some(help));
        }
        let mut header = Header::default();
        if let Some((text, range)) = fields.text("screen_resolution") {
            match resolution(&text) {
                Some(screen) => header.screen = screen,
                None => {
                    let message = format!("`screen_resolution` must be a width and a height, found `{}`", shown(&text));
                    let help = "write pixels joined by an `x`, such as \"1920x1080\"".to_owned();
                    fields.report().add(range.clone(), message, Some(help));
                }
            }
            header.screen_range = range;
        }
        if let Some((text, _)) = fields.text("layout_hash") {
            header.layout_hash = text;
        }
        header
    }
}

/// An empty text is a screen that was not known.
fn resolution(text: &str) -> Option<(u32, u32)> {
    if text.is_empty() {
        return Some((0, 0));
    }
    let side = |digits: &str| {
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<u32>().ok().filter(|side| plain && (1..=MAX_SIDE).contains(side))
    };
    let (width, height) = text.split_once('x')?;
    Some((side(width)?, side(height)?))
}
