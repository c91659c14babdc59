//! Recordings, packed as fixed-size events with absolute times.

/// A recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stream {
    /// The path as the macro writes it; an action's argument names the recording by it.
    pub path: String,
    /// Width and height of the screen it was made on, in pixels; zero when the recording does not say.
    pub screen: (u32, u32),
    /// The layout it was made with, as an opaque text.
    pub layout_hash: String,
    /// How many steps the recording has; a step can be several events.
    pub steps: u32,
    /// The events.
    pub events: Vec<Event>,
    /// Texts, paths and titles, by an event's `text`.
    pub texts: Vec<String>,
}

/// One event, 40 bytes in an artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// When it is due, in microseconds since the start of the recording or since the end of the last wait.
    pub at_us: u64,
    /// What happens.
    pub kind: EventKind,
    /// Pointer button: 1 left, 2 middle, 3 right; 0 for none.
    pub button: u8,
    /// Modifiers held, one bit each, as in a key chord.
    pub modifiers: u16,
    /// Horizontal place or amount: pixels, or notches of the wheel.
    pub x: i32,
    /// Vertical place or amount.
    pub y: i32,
    /// X11 keysym, or a score in millionths for an image wait.
    pub value: u32,
    /// Index into the stream's texts plus one; 0 for none.
    pub text: u32,
    /// The step of the recording it belongs to, from 0.
    pub step: u32,
    /// How long a wait may take, or a drag takes, in milliseconds.
    pub duration_ms: u32,
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $number:literal $Kind:ident;)*) => {
        /// What an event does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum EventKind { $($(#[doc = $doc])* $Kind = $number,)* }

        impl EventKind {
            /// The kind with this number.
            pub const fn by_number(number: u8) -> Option<EventKind> {
                match number { $($number => Some(EventKind::$Kind),)* _ => None }
            }
        }
    };
}

kinds! {
    /// Moves the pointer.
    1 Move;
    /// Presses a button.
    2 ButtonDown;
    /// Releases a button.
    3 ButtonUp;
    /// Presses and releases a key chord.
    4 Chord;
    /// Presses a key.
    5 KeyDown;
    /// Releases a key.
    6 KeyUp;
    /// Types a text.
    7 Text;
    /// Turns the wheel.
    8 Scroll;
    /// Does nothing until it is due.
    9 Sleep;
    /// Waits for a file.
    10 WaitFile;
    /// Waits for a window.
    11 WaitWindow;
    /// Waits for an image.
    12 WaitImage;
}
