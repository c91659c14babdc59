//! The types of steps and their fields.

macro_rules! step_types {
    ($($(#[doc = $doc:literal])* $Name:ident $text:literal [$($field:literal)*];)*) => {
        /// What a step does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum StepType { $($(#[doc = $doc])* $Name,)* }

        impl StepType {
            /// The names of all types.
            pub const NAMES: &'static [&'static str] = &[$($text,)*];

            /// The type of a name.
            pub fn by_name(name: &str) -> Option<StepType> {
                match name { $($text => Some(StepType::$Name),)* _ => None }
            }

            /// The fields it may have.
            pub const fn fields(self) -> &'static [&'static str] {
                match self { $(StepType::$Name => &["type", $($field,)* "delay_ms"],)* }
            }
        }
    };
}

step_types! {
    /// Moves to a place and clicks.
    Click "click" ["x" "y" "button"];
    /// Moves to a place and clicks twice.
    DoubleClick "double_click" ["x" "y" "button"];
    /// Moves the pointer.
    Move "move" ["x" "y"];
    /// Presses a button.
    Down "down" ["button"];
    /// Releases a button.
    Up "up" ["button"];
    /// Drags from one place to another.
    Drag "drag" ["from_x" "from_y" "to_x" "to_y" "button" "duration_ms"];
    /// Turns the wheel.
    Scroll "scroll" ["dx" "dy"];
    /// Presses and releases a key chord.
    Key "key" ["keys" "key"];
    /// Presses a key.
    KeyDown "key_down" ["key"];
    /// Releases a key.
    KeyUp "key_up" ["key"];
    /// Types a text.
    Type "type" ["text"];
    /// Does nothing for a while.
    Sleep "sleep" ["ms"];
    /// Waits for a file.
    WaitFile "wait_file" ["path" "timeout_ms" "stable_ms" "newer_than_start"];
    /// Waits for a window.
    WaitWindow "wait_window" ["title_contains" "timeout_ms"];
    /// Waits for an image.
    WaitImage "wait_image" ["template" "timeout_ms" "confidence"];
}

impl StepType {
    /// The pause after it when the step does not say, in milliseconds.
    pub const fn default_delay_ms(self) -> i64 {
        match self {
            StepType::Sleep | StepType::WaitFile | StepType::WaitWindow | StepType::WaitImage => 0,
            StepType::Click
            | StepType::DoubleClick
            | StepType::Move
            | StepType::Down
            | StepType::Up
            | StepType::Drag
            | StepType::Scroll
            | StepType::Key
            | StepType::KeyDown
            | StepType::KeyUp
            | StepType::Type => 100,
        }
    }
}
