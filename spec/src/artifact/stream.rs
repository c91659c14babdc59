//! Recordings, packed as fixed-size events with absolute times.
//!
//! A replay keeps one clock that starts at 0, waits until each event is due and does it. After an event that takes as long as it takes
//! (`Text`, `WaitFile`, `WaitWindow`, `WaitImage`) the clock starts again at 0: between two of them times only grow, and after one they may be
//! smaller. What a step of a recording becomes:
//!
//! | step | events |
//! |---|---|
//! | `click` | `Move`, `ButtonDown`, `ButtonUp`, all due at once |
//! | `double_click` | `Move` and two times `ButtonDown`, `ButtonUp`, all due at once |
//! | `move` `down` `up` `key` `key_down` `key_up` `type` `scroll` | one event |
//! | `drag` | `Move` and `ButtonDown` at its start; a `Move` every 10 ms along the line (less often beyond 10 s: at most 1000; one halfway when the drag is no longer than that); `Move` to the end and `ButtonUp` after its duration |
//! | `sleep` | one event, due when the time has passed |
//! | a wait | one event; the wait begins when it is due |
//!
//! The pause after a step moves what follows; after the last step it is a `Sleep`. Texts, paths and titles are what the recording
//! says, with `$${` for a literal `${`. One with an expression in it is a blank: the step that replays the recording computes it, and gives the
//! results in its argument `texts`, so that two steps can replay one recording with different values.

/// A recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stream {
    /// The file's path relative to the folder of the macro that runs, with forward slashes and without `.` and `folder/..`; an
    /// action's argument names the recording by it.
    pub path: String,
    /// Width and height of the screen it was made on, in pixels; zero when the recording does not say.
    pub screen: (u32, u32),
    /// The layout it was made with, as an opaque text.
    pub layout_hash: String,
    /// How many steps the recording has; a step can be several events.
    pub steps: u32,
    /// The events.
    pub events: Vec<Event>,
    /// Texts, paths and titles, by an event's `text`; for an image wait the path of one of the artifact's images.
    pub texts: Vec<String>,
    /// Texts, paths and titles with expressions, as they are written; they are counted on after the texts. What they give comes with the
    /// arguments of the replay.
    pub blanks: Vec<String>,
}

/// One event, 40 bytes in an artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// When it is due, in microseconds since the start of the recording or since the clock started again.
    pub at_us: u64,
    /// What happens.
    pub kind: EventKind,
    /// Pointer button of `ButtonDown` and `ButtonUp`: 1 left, 2 middle, 3 right; 0 for none.
    pub button: u8,
    /// Modifiers of a `Chord`: the bits of [`Modifiers`](crate::grammar::keys::Modifiers). Of a `WaitFile`: [`FILE_NEWER`], [`FILE_ANY_AGE`].
    pub modifiers: u16,
    /// Horizontal place of a `Move` in pixels, or notches to the right of a `Scroll`; otherwise 0.
    pub x: i32,
    /// Vertical place of a `Move`, or notches up of a `Scroll`, so that negative is down; otherwise 0.
    pub y: i32,
    /// X11 keysym of `Chord`, `KeyDown` and `KeyUp`: `A` has its own, with shift where the layout needs it. The least score of an
    /// image wait, in millionths. How long the size of a file must stay the same, in milliseconds; 0 when it only has to be there.
    pub value: u32,
    /// Index into the stream's texts, and after them its blanks, plus one; 0 for none.
    pub text: u32,
    /// The step of the recording it belongs to, from 0.
    pub step: u32,
    /// How long a wait may take, or, in the `ButtonDown` of a drag, the drag takes, in milliseconds.
    pub duration_ms: u32,
}

/// In the `modifiers` of a `WaitFile`: only a file that changed after the replay began counts.
pub const FILE_NEWER: u16 = 1;
/// In the `modifiers` of a `WaitFile`: a file that was there before is expected and needs no warning.
pub const FILE_ANY_AGE: u16 = 2;

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $number:literal $Kind:ident;)*) => {
        /// What an event does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum EventKind { $($(#[doc = $doc])* $Kind = $number,)* }

        impl EventKind {
            /// Whether it takes as long as it takes, so that the clock starts again after it.
            pub const fn restarts_clock(self) -> bool {
                match self {
                    EventKind::Text | EventKind::WaitFile | EventKind::WaitWindow | EventKind::WaitImage => true,
                    EventKind::Move
                    | EventKind::ButtonDown
                    | EventKind::ButtonUp
                    | EventKind::Chord
                    | EventKind::KeyDown
                    | EventKind::KeyUp
                    | EventKind::Scroll
                    | EventKind::Sleep => false,
                }
            }

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
    /// Waits until a file is there and its size stays the same.
    10 WaitFile;
    /// Waits for a window.
    11 WaitWindow;
    /// Waits for an image.
    12 WaitImage;
}
