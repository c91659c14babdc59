//! THE table: every backend, action, condition, function and instruction there is.
//!
//! Each `for_each_*!` macro hands its rows to the macro named by its argument. The enums, the codec, the disassembler, the checker, the
//! verifier, the traits of the world and the reference pages are all made from these rows, so that none can drift from another.
//! Numbers are written here and never reused: `.mcb` files outlive the program that wrote them.
//!
//! A backend is `name Variant priority { actions }`. An action is
//! `number name Variant: effect, same as [equivalents] { parameters } -> { outputs }`:
//! - *effect*: `Reads` observes only; `Writes` may be repeated without harm; `Acts` must not be repeated blindly.
//! - a *parameter* is `name: Kind, presence`, the kinds are in [`crate::kind`]; presence is `required`, `optional` (absent when not
//!   given), `default(Type value)`, or `same(other)` (the value of another parameter when not given).
//! - an *output* is `name: Kind, always|maybe`; `maybe` outputs can be absent after a success.

/// The backends and their actions.
#[macro_export]
macro_rules! for_each_action {
    ($consumer:ident) => {
        $consumer! {
            /// Programs of the system: commands, background processes.
            native_api NativeApi 100 {
                /// Runs a program, waits for it to end and judges it by its exit code.
                0x10 run_command RunCommand: Acts, same as [] {
                    /// The program and its arguments: a list, or one text that is split into words as a shell splits it.
                    command: Argv, required;
                    /// The folder to run in.
                    cwd: Path, optional;
                    /// Environment variables to set; `null` removes one.
                    env: Environment, optional;
                    /// Whether standard output becomes the output `stdout`.
                    capture_stdout: Bool, default(Bool false);
                    /// Text given on standard input.
                    stdin: Confidential, optional;
                    /// The exit codes that mean success.
                    ok_exit_codes: ExitCodes, default(Ints &[0]);
                } -> {
                    /// The exit code.
                    returncode: Integer, always;
                    /// What the program wrote to standard output, if captured.
                    stdout: String, maybe;
                    /// What the program wrote to standard error.
                    stderr: String, always;
                    /// Whether more was written than is kept.
                    truncated: Boolean, always;
                    /// How many bytes were written to standard output, kept or not.
                    stdout_bytes: Integer, always;
                    /// How many bytes were written to standard error, kept or not.
                    stderr_bytes: Integer, always;
                }
                /// Starts a program in its own session and does not wait for it.
                0x11 start_process StartProcess: Acts, same as [] {
                    /// The program and its arguments.
                    command: Argv, required;
                    /// The folder to run in.
                    cwd: Path, optional;
                    /// Environment variables to set; `null` removes one.
                    env: Environment, optional;
                    /// Where its standard output and error go.
                    log_file: WritePath, default(Text "/dev/null");
                } -> {
                    /// The process id.
                    pid: Integer, always;
                    /// The program and its arguments as started.
                    command: List, always;
                }
                /// Finds a program on this machine.
                0x12 find_executable FindExecutable: Reads, same as [] {
                    /// What is looked for; also the only candidate when none are given.
                    name: NonEmpty, optional;
                    /// Names or paths to try in order.
                    candidates: Texts, optional;
                    /// What to tell the user when none is found.
                    install_hint: Text, optional;
                } -> {
                    /// The absolute path of the first candidate found.
                    executable: String, always;
                    /// The name that was looked for.
                    name: String, always;
                }
            }

            /// Precompiled recordings, replayed by coordinates.
            gui_macro GuiMacro 80 {
                /// Replays a recording of pointer and key events.
                0x20 replay Replay: Acts, same as [] {
                    /// The recording (JSON), relative to the macro's file.
                    macro_file: Recording, required;
                    /// Whether another screen size or layout is a failure.
                    layout_strict: Bool, default(Bool false);
                    /// What to do with coordinates when the screen has another size.
                    scale: Scale, default(Text "none");
                    /// Time factor: 2.0 replays twice as fast.
                    speed: Speed, default(Float 1.0);
                    /// What `${…}` in the recording's texts, paths and titles gives, in the order of its blanks.
                    texts: Blanks, filled;
                } -> {
                    /// How many steps of the recording were executed.
                    steps_executed: Integer, always;
                    /// The recording.
                    macro_file: String, always;
                    /// `events`; `p50_us`, `p99_us` and `max_us`, how long after its time an event was sent; `late`, how many were by more than 1 ms.
                    timing: Dict, always;
                }
            }

            /// Pointer and keys, aimed by images of what is on the screen.
            visual_anchor VisualAnchor 75 {
                /// Clicks the middle of the best match of an image.
                0x30 click_image ClickImage: Acts, same as [] {
                    /// The image to look for (PNG), relative to the macro's file.
                    template: Image, required;
                    /// The least score that counts as found.
                    confidence: Confidence, default(Float 0.85);
                    /// How long to look.
                    timeout_ms: Millis, default(Int 5000);
                    /// The button.
                    button: Button, default(Text "left");
                    /// Whether to click twice.
                    double: Bool, default(Bool false);
                } -> {
                    /// Where was clicked, `[x, y]` in pixels.
                    clicked_at: List, always;
                    /// The score of the match, at most 1.
                    match_score: Float, always;
                    /// The image.
                    template: String, always;
                    /// How many places reached the confidence; where there are exact copies, how many of those.
                    matches: Integer, always;
                }
                /// Clicks a place given in fractions of a window or of the screen.
                0x31 click_relative ClickRelative: Acts, same as [] {
                    /// Part of the window's title; empty is the whole screen.
                    window_title: OptionalTitle, default(Text "");
                    /// Fraction of the width, 0 to 1.
                    x_pct: Fraction, default(Float 0.5);
                    /// Fraction of the height, 0 to 1.
                    y_pct: Fraction, default(Float 0.5);
                    /// The button.
                    button: Button, default(Text "left");
                    /// Whether to click twice.
                    double: Bool, default(Bool false);
                } -> {
                    /// Where was clicked, `[x, y]` in pixels.
                    clicked_at: List, always;
                    /// The fraction of the width.
                    x_pct: Float, always;
                    /// The fraction of the height.
                    y_pct: Float, always;
                }
                /// Waits until an image is on the screen.
                0x32 wait_image WaitImage: Reads, same as [] {
                    /// The image to look for.
                    template: Image, required;
                    /// The least score that counts as found.
                    confidence: Confidence, default(Float 0.85);
                    /// How long to look.
                    timeout_ms: Millis, default(Int 10000);
                } -> {
                    /// The middle of the match, `[x, y]` in pixels.
                    found_at: List, always;
                    /// The score of the match.
                    match_score: Float, always;
                }
                /// Waits until an image is no longer on the screen.
                0x33 wait_gone WaitGone: Reads, same as [] {
                    /// The image to look for.
                    template: Image, required;
                    /// The least score that counts as found.
                    confidence: Confidence, default(Float 0.85);
                    /// How long to wait.
                    timeout_ms: Millis, default(Int 10000);
                } -> {
                    /// Whether the image is gone.
                    gone: Boolean, always;
                    /// How long it was still there, in milliseconds.
                    waited_ms: Integer, always;
                }
                /// Types text into whatever has the focus.
                0x34 type_text VisualTypeText: Acts, same as [UiTypeText] {
                    /// The text.
                    text: Typed, required;
                    /// The pause after each character.
                    interval_ms: Millis, default(Int 30);
                } -> {
                    /// How many characters were typed.
                    typed: Integer, always;
                }
                /// Presses a key chord.
                0x35 hotkey Hotkey: Acts, same as [Shortcut] {
                    /// The chord, as `ctrl+shift+e` or a list of keys.
                    keys: Keys, required;
                } -> {
                    /// The chord as pressed.
                    hotkey: String, always;
                }
                /// Turns the wheel at the pointer or at an image.
                0x36 scroll Scroll: Acts, same as [] {
                    /// The image to scroll at; empty is the pointer's place.
                    template: OptionalImage, default(Text "");
                    /// Notches to the right.
                    dx: Notches, default(Int 0);
                    /// Notches up; negative is down.
                    dy: Notches, default(Int -3);
                    /// How long to look for the image.
                    timeout_ms: Millis, default(Int 5000);
                    /// The least score that counts as found.
                    confidence: Confidence, default(Float 0.85);
                } -> {
                    /// Where was scrolled, `[x, y]` in pixels.
                    scrolled_at: List, always;
                    /// Notches to the right.
                    dx: Integer, always;
                    /// Notches up.
                    dy: Integer, always;
                }
                /// Drags from one place to another.
                0x37 drag Drag: Acts, same as [] {
                    /// The image to start at.
                    from_template: OptionalImage, default(Text "");
                    /// Where to start without an image, in pixels.
                    from_x: Pixel, default(Int 0);
                    /// Where to start without an image, in pixels.
                    from_y: Pixel, default(Int 0);
                    /// The image to end at.
                    to_template: OptionalImage, default(Text "");
                    /// Where to end without an image, in pixels.
                    to_x: Pixel, same(from_x);
                    /// Where to end without an image, in pixels.
                    to_y: Pixel, same(from_y);
                    /// The button held.
                    button: Button, default(Text "left");
                    /// How long the motion takes.
                    duration_ms: Millis, default(Int 200);
                    /// The least score that counts as found.
                    confidence: Confidence, default(Float 0.85);
                    /// How long to look for the images.
                    timeout_ms: Millis, default(Int 5000);
                } -> {
                    /// Where the drag began, `[x, y]` in pixels.
                    dragged_from: List, always;
                    /// Where the drag ended, `[x, y]` in pixels.
                    dragged_to: List, always;
                }
                /// Drags between two places given in fractions of a window or of the screen.
                0x38 drag_relative DragRelative: Acts, same as [] {
                    /// Part of the window's title; empty is the whole screen.
                    window_title: OptionalTitle, default(Text "");
                    /// Start, fraction of the width.
                    from_x_pct: Fraction, default(Float 0.0);
                    /// Start, fraction of the height.
                    from_y_pct: Fraction, default(Float 0.0);
                    /// End, fraction of the width.
                    to_x_pct: Fraction, default(Float 1.0);
                    /// End, fraction of the height.
                    to_y_pct: Fraction, default(Float 1.0);
                    /// The button held.
                    button: Button, default(Text "left");
                    /// How long the motion takes.
                    duration_ms: Millis, default(Int 200);
                } -> {
                    /// Where the drag began, `[x, y]` in pixels.
                    dragged_from: List, always;
                    /// Where the drag ended, `[x, y]` in pixels.
                    dragged_to: List, always;
                }
                /// Saves a part of the screen as an image.
                0x39 capture_region CaptureRegion: Writes, same as [] {
                    /// The file to write: `.png`, `.jpg` or `.jpeg`.
                    output: PicturePath, required;
                    /// Left edge in pixels.
                    x: Pixel, default(Int 0);
                    /// Top edge in pixels.
                    y: Pixel, default(Int 0);
                    /// Width in pixels.
                    width: Extent, default(Int 100);
                    /// Height in pixels.
                    height: Extent, default(Int 50);
                } -> {
                    /// The file written.
                    saved: String, always;
                    /// `[x, y, width, height]` in pixels.
                    region: List, always;
                    /// Size of the file in bytes.
                    file_size: Integer, always;
                }
                /// Moves the pointer to a place or to an image.
                0x3A move_to MoveTo: Writes, same as [] {
                    /// Where to move without an image, in pixels.
                    x: Pixel, default(Int 0);
                    /// Where to move without an image, in pixels.
                    y: Pixel, default(Int 0);
                    /// The image to move to.
                    template: OptionalImage, default(Text "");
                    /// The least score that counts as found.
                    confidence: Confidence, default(Float 0.85);
                    /// How long to look for the image.
                    timeout_ms: Millis, default(Int 5000);
                } -> {
                    /// Where the pointer is now, `[x, y]` in pixels.
                    moved_to: List, always;
                }
            }

            /// Edits of JSON, XML and text files that leave every other byte as it was.
            file_transform FileTransform 70 {
                /// Reads a value of a JSON file.
                0x50 json_get JsonGet: Reads, same as [] {
                    /// The file to read.
                    input_file: ReadPath, required;
                    /// Keys and indexes joined by dots.
                    path: JsonPath, required;
                } -> {
                    /// The value found.
                    value: Any, always;
                    /// The path.
                    path: String, always;
                }
                /// Sets a value in a JSON file.
                0x51 json_set JsonSet: Writes, same as [] {
                    /// The file to read.
                    input_file: ReadPath, required;
                    /// The file to write.
                    output_file: WritePath, same(input_file);
                    /// Keys and indexes joined by dots.
                    path: JsonPath, required;
                    /// The new value.
                    value: Any, required;
                } -> {
                    /// The path.
                    path: String, always;
                    /// The value as set.
                    value: Any, always;
                }
                /// Removes a key or an element from a JSON file.
                0x52 json_delete JsonDelete: Writes, same as [] {
                    /// The file to read.
                    input_file: ReadPath, required;
                    /// The file to write.
                    output_file: WritePath, same(input_file);
                    /// Keys and indexes joined by dots.
                    path: JsonPath, required;
                } -> {
                    /// The path that was removed, or `false` when there was nothing.
                    deleted: Any, always;
                }
                /// Reads an attribute of every element an XPath selects.
                0x53 xml_get_attr XmlGetAttr: Reads, same as [] {
                    /// The file to read.
                    input_file: ReadPath, required;
                    /// XPath 1.0 that selects elements.
                    xpath: XPath, required;
                    /// The attribute's name.
                    attr: NonEmpty, required;
                } -> {
                    /// The values, in document order.
                    values: List, always;
                    /// The attribute's name.
                    attr: String, always;
                }
                /// Sets an attribute of every element an XPath selects.
                0x54 xml_set_attr XmlSetAttr: Writes, same as [] {
                    /// The file to read.
                    input_file: ReadPath, required;
                    /// The file to write.
                    output_file: WritePath, same(input_file);
                    /// XPath 1.0 that selects elements.
                    xpath: XPath, required;
                    /// The attribute's name.
                    attr: NonEmpty, required;
                    /// The attribute's new value.
                    value: Text, required;
                } -> {
                    /// How many elements matched.
                    matched: Integer, always;
                    /// The attribute's name.
                    attr: String, always;
                }
                /// Reads the text of every node an XPath selects.
                0x55 xml_get_text XmlGetText: Reads, same as [] {
                    /// The file to read.
                    input_file: ReadPath, required;
                    /// XPath 1.0 that selects nodes.
                    xpath: XPath, required;
                } -> {
                    /// The texts, in document order.
                    values: List, always;
                }
                /// Replaces the text of every element an XPath selects.
                0x56 xml_set_text XmlSetText: Writes, same as [] {
                    /// The file to read.
                    input_file: ReadPath, required;
                    /// The file to write.
                    output_file: WritePath, same(input_file);
                    /// XPath 1.0 that selects elements.
                    xpath: XPath, required;
                    /// The new text.
                    value: Text, required;
                } -> {
                    /// How many elements matched.
                    matched: Integer, always;
                }
                /// Replaces every occurrence of a text, byte for byte.
                0x57 text_replace TextReplace: Writes, same as [] {
                    /// The file to read.
                    input_file: ReadPath, required;
                    /// The file to write.
                    output_file: WritePath, same(input_file);
                    /// The text to find.
                    find: NonEmpty, required;
                    /// What to put in its place.
                    replace: Text, required;
                } -> {
                    /// How many occurrences were replaced.
                    replacements: Integer, always;
                }
                /// Replaces every match of a regular expression.
                0x58 regex_replace RegexReplace: Writes, same as [] {
                    /// The file to read.
                    input_file: ReadPath, required;
                    /// The file to write.
                    output_file: WritePath, same(input_file);
                    /// The regular expression.
                    find: Regex, required;
                    /// The replacement; `$1` and `$name` stand for groups.
                    replace: Text, required;
                } -> {
                    /// How many matches were replaced.
                    replacements: Integer, always;
                }
                /// Copies a file.
                0x59 copy_file CopyFile: Writes, same as [] {
                    /// The file to read.
                    src: ReadPath, required;
                    /// The file or folder to write to.
                    dst: WritePath, required;
                } -> {
                    /// The file read.
                    src: String, always;
                    /// The file written.
                    dst: String, always;
                    /// Its size in bytes.
                    size: Integer, always;
                }
                /// Writes a text to a file.
                0x5A write_file WriteFile: Writes, same as [] {
                    /// The file to write.
                    output_file: WritePath, required;
                    /// Its new content.
                    text: Text, required;
                } -> {
                    /// The file written.
                    path: String, always;
                    /// Its size in bytes.
                    size: Integer, always;
                }
                /// Makes a folder and those above it.
                0x5B make_dir MakeDir: Writes, same as [] {
                    /// The folder.
                    path: WritePath, required;
                } -> {
                    /// The folder.
                    path: String, always;
                    /// Whether it was not there before.
                    created: Boolean, always;
                }
                /// Deletes a file; one that is not there is no failure.
                0x5C delete_file DeleteFile: Writes, same as [] {
                    /// The file.
                    path: WritePath, required;
                } -> {
                    /// The file.
                    path: String, always;
                    /// Whether it was there.
                    deleted: Boolean, always;
                }
            }

            /// A vision model that looks, decides and looks again.
            gui_agent GuiAgent 60 {
                /// Follows an instruction until its end state is reached.
                0x70 instruct Instruct: Acts, same as [] {
                    /// What to do.
                    description: NonEmpty, required;
                    /// How the end looks, in words.
                    end_state_description: Text, optional;
                    /// How the end looks, as an image.
                    end_state_snapshot: Image, optional;
                    /// The window to focus first.
                    window_title: OptionalTitle, optional;
                    /// The most times the model is asked what to do next.
                    max_steps: Steps, default(Int 8);
                    /// The model's name; else that of `MACROCLI_MODEL`.
                    model: Text, optional;
                    /// The key for the model's server; else that of `MACROCLI_API_KEY`, for the server that the environment names. Empty for a server without keys.
                    api_key: Confidential, optional;
                    /// Where the model's server is; else `MACROCLI_BASE_URL`.
                    base_url: Address, optional;
                    /// What the model's coordinates are: pixels of the image it was sent, or thousandths of its sides.
                    coordinate_space: Space, default(Text "image");
                    /// A folder of decisions that were taken before: the same step on the same screen does not ask again.
                    cache: WritePath, optional;
                } -> {
                    /// The last action, in pixels of the screen; `taken` is false in one that did nothing.
                    action: Dict, always;
                    /// Whether the end was reached: as judged from the screen, or without an end state as the model says.
                    done: Boolean, always;
                    /// Every action, what was judged of the screen after it, and whether it comes from the cache.
                    tries: List, always;
                }
                /// As `instruct`, and corrects a first try by comparing before, after and target.
                0x71 instruct_with_refine InstructWithRefine: Acts, same as [] {
                    /// What to do.
                    description: NonEmpty, required;
                    /// How the end looks, in words.
                    end_state_description: Text, optional;
                    /// How the end looks, as an image.
                    end_state_snapshot: Image, optional;
                    /// The window to focus first.
                    window_title: OptionalTitle, optional;
                    /// The most times the model is asked what to do next.
                    max_steps: Steps, default(Int 8);
                    /// The model's name; else that of `MACROCLI_MODEL`.
                    model: Text, optional;
                    /// The key for the model's server; else that of `MACROCLI_API_KEY`, for the server that the environment names. Empty for a server without keys.
                    api_key: Confidential, optional;
                    /// Where the model's server is; else `MACROCLI_BASE_URL`.
                    base_url: Address, optional;
                    /// Whether a wrong try is undone before the next, by Ctrl+Z.
                    undo: Bool, default(Bool false);
                    /// What the model's coordinates are: pixels of the image it was sent, or thousandths of its sides.
                    coordinate_space: Space, default(Text "image");
                    /// A folder of decisions that were taken before: the same step on the same screen does not ask again.
                    cache: WritePath, optional;
                } -> {
                    /// The last action, in pixels of the screen; `taken` is false in one that did nothing.
                    action: Dict, always;
                    /// Whether the end was reached: as judged from the screen, or without an end state as the model says.
                    done: Boolean, always;
                    /// Every action, what was judged of the screen after it, and whether it comes from the cache.
                    tries: List, always;
                }
            }

            /// Accessible controls, windows and keys.
            semantic_ui SemanticUi 50 {
                /// Presses a key chord.
                0x90 shortcut Shortcut: Acts, same as [Hotkey] {
                    /// The chord, as `ctrl+s` or a list of keys.
                    keys: Keys, required;
                } -> {
                    /// The chord as pressed.
                    keys: String, always;
                    /// How it was done.
                    method: String, always;
                }
                /// Types text into whatever has the focus.
                0x91 type_text UiTypeText: Acts, same as [VisualTypeText] {
                    /// The text.
                    text: Typed, required;
                } -> {
                    /// How many characters were typed.
                    typed: Integer, always;
                    /// How it was done.
                    method: String, always;
                }
                /// Chooses an item of a menu.
                0x92 menu_click MenuClick: Acts, same as [] {
                    /// The labels from the menu bar down to the item.
                    menu_path: MenuPath, required;
                    /// Part of the application's name.
                    app_name: Title, required;
                } -> {
                    /// The labels.
                    menu_path: List, always;
                    /// How it was done.
                    method: String, always;
                }
                /// Presses a button by its label.
                0x93 button_click ButtonClick: Acts, same as [] {
                    /// The button's label.
                    label: NonEmpty, required;
                    /// Part of the application's name.
                    app_name: Title, required;
                } -> {
                    /// The label of the button pressed.
                    clicked: String, always;
                    /// How it was done.
                    method: String, always;
                }
                /// Waits until a window is there.
                0x94 wait_for_window WaitForWindow: Reads, same as [] {
                    /// Part of the window's title.
                    title_contains: Title, required;
                    /// How long to wait.
                    timeout_ms: Millis, default(Int 5000);
                    /// Kept for older macros; windows are awaited by events.
                    poll_ms: Millis, default(Int 300);
                } -> {
                    /// The title of the window found.
                    found: String, always;
                    /// How it was done.
                    method: String, always;
                }
                /// Brings a window to the front and gives it the focus.
                0x95 focus_window FocusWindow: Writes, same as [] {
                    /// Part of the window's title.
                    title_contains: Title, required;
                } -> {
                    /// The title of the window focused.
                    focused: String, always;
                    /// How it was done.
                    method: String, always;
                }
                /// Lists the accessible controls of a window.
                0x96 get_controls GetControls: Reads, same as [] {
                    /// Part of the window's title; empty is every window.
                    window_title: OptionalTitle, default(Text "");
                    /// How deep to look.
                    max_depth: Depth, default(Int 5);
                } -> {
                    /// `role`, `name`, `depth` and `states` of each control, and its `description` when it has one.
                    controls: List, always;
                    /// How many there are.
                    count: Integer, always;
                    /// What is missing and why, in words; empty when nothing is.
                    left_out: List, always;
                }
                /// Replaces the text of a text field.
                0x97 set_text SetText: Writes, same as [] {
                    /// The field's label.
                    label: NonEmpty, required;
                    /// Part of the application's name.
                    app_name: Title, required;
                    /// The new text.
                    text: Confidential, required;
                    /// The field's role, when the label alone is not enough.
                    role: Text, optional;
                } -> {
                    /// The text as the field holds it now.
                    text: String, always;
                    /// How it was done.
                    method: String, always;
                }
                /// Reads the text of a control.
                0x98 get_text GetText: Reads, same as [] {
                    /// The control's label.
                    label: NonEmpty, required;
                    /// Part of the application's name.
                    app_name: Title, required;
                    /// The control's role, when the label alone is not enough.
                    role: Text, optional;
                } -> {
                    /// The text.
                    text: String, always;
                }
                /// Waits until a control is there.
                0x99 wait_for_control WaitForControl: Reads, same as [] {
                    /// The control's label.
                    label: NonEmpty, required;
                    /// Part of the application's name.
                    app_name: Title, required;
                    /// The control's role, when the label alone is not enough.
                    role: Text, optional;
                    /// How long to wait.
                    timeout_ms: Millis, default(Int 5000);
                } -> {
                    /// The label of the control found.
                    found: String, always;
                    /// The role of the control found.
                    role: String, always;
                }
                /// Sets a check box, switch or toggle button.
                0x9A toggle Toggle: Writes, same as [] {
                    /// The control's label.
                    label: NonEmpty, required;
                    /// Part of the application's name.
                    app_name: Title, required;
                    /// The state to reach; without it the state is inverted.
                    state: Bool, optional;
                } -> {
                    /// The state now.
                    state: Boolean, always;
                    /// How it was done.
                    method: String, always;
                }
                /// Selects an item of a list, combo box or tab row.
                0x9B select Select: Writes, same as [] {
                    /// The container's label.
                    label: NonEmpty, required;
                    /// Part of the application's name.
                    app_name: Title, required;
                    /// The item's label.
                    item: NonEmpty, required;
                } -> {
                    /// The label of the item selected.
                    selected: String, always;
                    /// How it was done.
                    method: String, always;
                }
                /// Asks a window to close.
                0x9C close_window CloseWindow: Acts, same as [] {
                    /// Part of the window's title.
                    title_contains: Title, required;
                    /// How long to wait until it is gone.
                    timeout_ms: Millis, default(Int 5000);
                } -> {
                    /// The title of the window closed.
                    closed: String, always;
                    /// How it was done.
                    method: String, always;
                }
                /// Moves or resizes a window.
                0x9D move_window MoveWindow: Writes, same as [] {
                    /// Part of the window's title.
                    title_contains: Title, required;
                    /// Left edge in pixels.
                    x: Pixel, optional;
                    /// Top edge in pixels.
                    y: Pixel, optional;
                    /// Width in pixels.
                    width: Extent, optional;
                    /// Height in pixels.
                    height: Extent, optional;
                } -> {
                    /// The title of the window moved.
                    moved: String, always;
                    /// `[x, y, width, height]` in pixels.
                    geometry: List, always;
                }
            }
        }
    };
}

/// The conditions: `number name Variant(arguments)`. `not`, `any` and `all` are made of jumps and have no row.
#[macro_export]
macro_rules! for_each_condition {
    ($consumer:ident) => {
        $consumer! {
            /// The path exists; a link counts when its target exists.
            0x01 file_exists FileExists(path: ReadPath);
            /// The file is larger than so many bytes.
            0x02 file_size_gt FileSizeGt(path: ReadPath, bytes: Size);
            /// A process of exactly this name runs.
            0x03 process_running ProcessRunning(name: NonEmpty);
            /// The environment variable is set, even if empty.
            0x04 env_var EnvVar(name: VariableName);
            /// Always so, or never.
            0x05 always Always(value: Bool);
            /// Nothing is at the path.
            0x06 file_absent FileAbsent(path: ReadPath);
            /// The file holds the text.
            0x07 file_contains FileContains(path: ReadPath, text: NonEmpty);
            /// A window whose title has this part is there.
            0x08 window_exists WindowExists(title: Title);
        }
    };
}

/// The functions of expressions: `number name Variant(argument types) -> result`. All are pure. One that `asks` tells something about its
/// arguments, and its result is no secret when they are; the result of any other is.
#[macro_export]
macro_rules! for_each_function {
    ($consumer:ident) => {
        $consumer! {
            /// The number of characters, elements or entries.
            0x01 len Len(value: Any) -> Integer, asks;
            /// The value as text.
            0x02 string ToString(value: Any) -> String;
            /// The text or number as a whole number.
            0x03 int ToInteger(value: Any) -> Integer;
            /// The text or number as a number.
            0x04 float ToFloat(value: Any) -> Float;
            /// In lower case.
            0x05 lower Lower(text: String) -> String;
            /// In upper case.
            0x06 upper Upper(text: String) -> String;
            /// Without white space at both ends.
            0x07 trim Trim(text: String) -> String;
            /// With every occurrence of `find` replaced.
            0x08 replace Replace(text: String, find: String, with: String) -> String;
            /// Split at every separator.
            0x09 split Split(text: String, separator: String) -> List;
            /// The elements as text, joined by a separator.
            0x0A join Join(list: List, separator: String) -> String;
            /// The lines of a text.
            0x0B lines Lines(text: String) -> List;
            /// Whether a text has a part, a list an element, a dict a key.
            0x0C contains Contains(value: Any, part: Any) -> Boolean, asks;
            /// Whether a text begins so.
            0x0D starts_with StartsWith(text: String, part: String) -> Boolean, asks;
            /// Whether a text ends so.
            0x0E ends_with EndsWith(text: String, part: String) -> Boolean, asks;
            /// The last part of a path.
            0x0F basename BaseName(path: String) -> String;
            /// A path without its last part.
            0x10 dirname DirName(path: String) -> String;
            /// The last part of a path without its extension.
            0x11 stem Stem(path: String) -> String;
            /// The extension of a path, without the dot.
            0x12 ext Extension(path: String) -> String;
            /// The keys of a dict.
            0x13 keys Keys(dict: Dict) -> List;
            /// The whole numbers from 0 up to, but without, `count`.
            0x14 range Range(count: Integer) -> List;
            /// The value as JSON text.
            0x15 json Json(value: Any) -> String;
        }
    };
}

/// The instructions: `number mnemonic Variant { operands }`. Operand kinds are in [`crate::operand`]; stack effects in [`crate::effect`].
#[macro_export]
macro_rules! for_each_op {
    ($consumer:ident) => {
        $consumer! {
            /// Pushes a constant.
            0x01 const Const { value: Const };
            /// Pushes a slot's value; an absent one is a failure.
            0x02 load Load { slot: Slot };
            /// Pushes a slot's value, absent or not.
            0x03 load_maybe LoadMaybe { slot: Slot };
            /// Pops into a slot.
            0x04 store Store { slot: Slot };
            /// Makes a slot absent.
            0x05 clear Clear { slot: Slot };
            /// Pushes an environment variable, absent when it is not set.
            0x06 env Env { name: Const };
            /// Pops `count` values and pushes them joined as one text.
            0x07 concat Concat { count: Count };
            /// Pops `count` values and pushes them as a list.
            0x08 list List { count: Count };
            /// Pops `count` pairs of key and value and pushes them as a dict.
            0x09 dict Dict { count: Count };
            /// Pops a value and pushes one of its fields, absent when it has none of that name.
            0x0A field Field { name: Const };
            /// Pops an index or key and a value; pushes the element, absent when there is none.
            0x0B index Index {};
            /// Pops the function's arguments and pushes its result.
            0x0C apply Apply { function: Function };
            /// Pops a boolean and pushes its opposite.
            0x10 not Not {};
            /// Pops a number and pushes its negative.
            0x11 neg Neg {};
            /// Pops two values and pushes whether they are equal.
            0x12 eq Eq {};
            /// Pops two values and pushes whether they differ.
            0x13 ne Ne {};
            /// Pops two numbers or texts and pushes whether the first is less.
            0x14 lt Lt {};
            /// Pops two numbers or texts and pushes whether the first is not greater.
            0x15 le Le {};
            /// Pops two numbers or texts and pushes whether the first is greater.
            0x16 gt Gt {};
            /// Pops two numbers or texts and pushes whether the first is not less.
            0x17 ge Ge {};
            /// Pops two numbers and pushes their sum.
            0x18 add Add {};
            /// Pops two numbers and pushes their difference.
            0x19 sub Sub {};
            /// Pops two numbers and pushes their product.
            0x1A mul Mul {};
            /// Pops two numbers and pushes their quotient; of whole numbers, cut towards zero.
            0x1B div Div {};
            /// Pops two numbers and pushes the remainder.
            0x1C rem Rem {};
            /// Pops a value; goes on only if it is present and a boolean, and pushes it back.
            0x1D bool Bool {};
            /// Goes to a later instruction.
            0x20 jump Jump { target: Label };
            /// Pops a boolean; false goes to a later instruction.
            0x21 jump_unless JumpUnless { target: Label };
            /// Pops a boolean; true goes to a later instruction.
            0x22 jump_if JumpIf { target: Label };
            /// Keeps a top value that is neither absent, null nor empty text and goes to a later instruction; pops any other.
            0x23 or_else OrElse { target: Label };
            /// Pops a condition's arguments and pushes whether it holds; notes what was observed.
            0x28 test Test { condition: Condition };
            /// Pops a boolean; false is an unmet precondition or postcondition.
            0x29 demand Demand { phase: Phase };
            /// In a simulated world, notes that a phase was not evaluated and goes to a later instruction.
            0x2A skip_simulated SkipSimulated { phase: Phase, target: Label };
            /// Begins a step: its report, its deadline, and where it ends.
            0x30 step Step { step: Step, end: Label };
            /// Pops a boolean; false ends the step as skipped.
            0x31 when When {};
            /// Pops a number of milliseconds, or a duration as text; the step may take so long from its begin.
            0x3D limit Limit {};
            /// Pops a value and makes it one of the step's settings: a number of retries, pauses in milliseconds, a duration, or a word.
            0x3E policy Policy { setting: Setting };
            /// Begins a try; a failure inside goes to the handler.
            0x32 try Try { handler: Label };
            /// Pops the given arguments and performs an action by its route.
            0x33 act Act { route: Route, given: Mask };
            /// Pops the given arguments and calls a linked macro.
            0x34 call Call { callee: Callee, given: Mask };
            /// Puts an output of the action or call just done into a slot.
            0x35 output Output { index: Index, slot: Slot };
            /// Pops a boolean; false waits and goes back to evaluate again, until the step's `within` is over.
            0x36 verify Verify { again: Label };
            /// Ends a try that succeeded.
            0x37 end_try EndTry {};
            /// In a handler: when tries are left, backs off and goes back to the try.
            0x38 retry Retry { again: Label };
            /// In a handler: begins the fallback's try.
            0x39 fallback Fallback { handler: Label };
            /// In a handler: the step has failed; forgives or raises, as the step says.
            0x3A settle Settle {};
            /// Ends a step.
            0x3B end_step EndStep {};
            /// Pops a value and adds it to the list in a slot.
            0x3C append Append { slot: Slot };
            /// Pops a list and begins a loop over it.
            0x40 each Each { list: Slot, index: Slot };
            /// Puts the next element and its index into slots, or goes past the loop.
            0x41 next Next { list: Slot, index: Slot, item: Slot, end: Label };
            /// Goes back to a loop's `next`.
            0x42 loop Loop { next: Label };
            /// From here a failure runs the `finally` block first.
            0x48 guard Guard { finally: Label };
            /// Begins the `finally` block.
            0x49 finally Finally {};
            /// Ends the `finally` block; a failure that was pending goes on.
            0x4A end_finally EndFinally {};
            /// Pops a value and declares it as a result of the macro.
            0x4B result Result { index: Index };
            /// Ends the macro.
            0x4C return Return {};
            /// Pops a number of milliseconds, or a duration as text; the macro may take so long from here on.
            0x4D total Total {};
        }
    };
}
