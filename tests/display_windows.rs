//! Windows: which one a title means, waiting, focus, closing and moving, with a window manager and without.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::display::{Display, Neighbour, Options, Sink, Tk};
use crate::harness::{Place, finish};
use crate::witness::{eventually, rests, step};

/// Steps of `semantic_ui`, one line each: an action and its parameters.
fn steps(lines: &[&str]) -> Place {
    let step = |(number, line): (usize, &&str)| {
        let (action, params) = line.split_once(' ').unwrap();
        format!("  - {{id: s{number}, backend: semantic_ui, action: {action}, params: {params}}}\n")
    };
    let steps: String = lines.iter().enumerate().map(step).collect();
    Place::new().file("m.yaml", format!("name: m\nversion: \"1\"\nsteps:\n{steps}"))
}

/// Runs one action, which must succeed; its output.
fn done(display: &Display, line: &str) -> Value {
    all_done(display, &steps(&[line]))
}

/// Runs steps, which must succeed; the output of the first.
fn all_done(display: &Display, place: &Place) -> Value {
    let document = display.call(place, &["run", "m.yaml", "--json"]).status(0).json();
    step(&document, "s0")["output"].clone()
}

/// Steps of `visual_anchor`.
fn clicks(lines: &[&str]) -> Place {
    let place = steps(lines);
    place.write("m.yaml", place.read("m.yaml").replace("semantic_ui", "visual_anchor"));
    place
}

/// Runs one action, which must fail; what it says.
fn fails(display: &Display, line: &str) -> String {
    let document = display.call(&steps(&[line]), &["run", "m.yaml", "--json"]).run().json();
    assert_eq!(document["success"], false, "{document:#}");
    step(&document, "s0")["error"].as_str().unwrap().to_owned()
}

fn without_manager() -> Display {
    Display::with(Options { window_manager: false, ..Options::default() })
}

#[test]
fn a_huge_title_is_cut() {
    let display = without_manager();
    let neighbour = Neighbour::new(&display);
    let title = format!("Huge {}", "é".repeat(5_000_000));
    neighbour.open((20, 20, 300, 200), title.as_bytes(), "UTF8_STRING");
    let focused = done(&display, "focus_window {title_contains: huge}")["focused"].as_str().unwrap().to_owned();
    assert!(title.starts_with(&focused) && (16_000..=16_384).contains(&focused.len()), "{}", focused.len());
    let said = fails(&display, "focus_window {title_contains: other}");
    assert!(said.len() < 1000 && said.contains("`Huge é") && said.contains("é…`"), "{said}");
    let found = done(&display, "wait_for_window {title_contains: huge}")["found"].as_str().unwrap().to_owned();
    assert_eq!(found, focused);
}

#[test]
fn a_title_is_a_plain_part_in_any_case() {
    let mut display = Display::new();
    for title in ["a.b", "axb", "[draft] (1) *c* + $5 ^", "Straße - Éditeur"] {
        Tk::titled(&mut display, title);
        Neighbour::new(&display).window(title);
    }
    for (wanted, title) in [
        ("a.b", "a.b"),
        ("A.B", "a.b"),
        ("axb", "axb"),
        ("(1) *c* +", "[draft] (1) *c* + $5 ^"),
        ("[draft", "[draft] (1) *c* + $5 ^"),
        ("$5 ^", "[draft] (1) *c* + $5 ^"),
        ("STRASSE - é", "Straße - Éditeur"),
    ] {
        // A dollar sign alone is no expression.
        let found = done(&display, &format!("wait_for_window {{title_contains: '{wanted}', timeout_ms: 0}}"));
        assert_eq!(found, json!({"found": title, "method": "events"}), "{wanted}");
    }
    let said = fails(&display, "focus_window {title_contains: 'a*b'}");
    assert!(said.starts_with("no window has `a*b` in its title; the nearest is `a"), "{said}");
    let place = steps(&["focus_window {title_contains: ''}"]);
    display.call(&place, &["run", "m.yaml"]).status(3);
}

#[test]
fn only_titles_are_searched() {
    let mut display = Display::new();
    let window = Tk::titled(&mut display, "Zen");
    let neighbour = Neighbour::new(&display);
    let id = neighbour.window("Zen");
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    for wanted in [host.trim(), "0x00", &format!("{id:#010x}"), &window.pid.to_string(), "300", "Win"] {
        let said = fails(&display, &format!("wait_for_window {{title_contains: '{wanted}', timeout_ms: 0}}"));
        assert!(said.ends_with("in its title; there are `Zen`"), "{said}");
    }
    for wanted in ["Zen", "en"] {
        assert_eq!(done(&display, &format!("focus_window {{title_contains: {wanted}}}"))["focused"], "Zen");
    }
    let area = neighbour.area(id);
    let moved = done(&display, &format!("move_window {{title_contains: Zen, x: {}}}", area.0));
    assert_eq!(moved, json!({"moved": "Zen", "geometry": [area.0, area.1, area.2, area.3]}));
    for title in ["12 34 56", "a b", "a  b"] {
        Tk::titled(&mut display, title);
        neighbour.window(title);
    }
    for wanted in ["12 34 56", "34", "a  b", "a b"] {
        let found = done(&display, &format!("wait_for_window {{title_contains: '{wanted}', timeout_ms: 0}}"));
        assert!(found["found"].as_str().unwrap().contains(wanted), "{found}");
    }
}

#[test]
fn a_class_and_a_process_are_named_by_a_prefix() {
    let mut display = Display::new();
    let one = Tk::titled(&mut display, "One");
    let two = Tk::run(&mut display, "root.title('Two class:nothing'); root.wm_iconname('x')");
    let sink = Sink::text_field(&mut display, "Three", "200x100+500+20");
    let focused =
        |wanted: String| done(&display, &format!("focus_window {{title_contains: '{wanted}'}}"))["focused"].clone();
    assert_eq!(focused(format!("pid:{}", one.pid)), "One");
    assert_eq!(focused(format!("pid:{}", two.pid)), "Two class:nothing");
    assert_eq!(focused("class:SINK".to_owned()), "Three");
    sink.has_focus();
    let said = fails(&display, "focus_window {title_contains: 'class:nothing'}");
    assert!(said.starts_with("no window has the class `nothing`; there are "), "{said}");
    assert_eq!(focused("lass:nothing".to_owned()), "Two class:nothing");
}

#[test]
fn titles_of_every_encoding_and_length_are_read() {
    // A window manager would draw the title.
    let display = without_manager();
    let neighbour = Neighbour::new(&display);
    neighbour.open((10, 10, 90, 40), b"caf\xE9 one", "STRING");
    neighbour.open((10, 90, 90, 40), b"a\xFFb two", "UTF8_STRING");
    neighbour.open((10, 180, 90, 40), b"\x1B%G\xE2\x82\xAC\x1B%@ three", "COMPOUND_TEXT");
    let mut long = "ü".repeat(12_000).into_bytes();
    long.extend(b"\x1B]0;pwned\x07\n");
    neighbour.open((10, 270, 90, 40), &long, "UTF8_STRING");
    for (wanted, title) in [("one", "café one"), ("two", "a\u{FFFD}b two"), ("three", "€ three")] {
        let found = done(&display, &format!("wait_for_window {{title_contains: {wanted}}}"));
        assert_eq!(found["found"], title);
    }
    let found = done(&display, "wait_for_window {title_contains: üüü}");
    assert!(found["found"].as_str().unwrap().chars().all(|c| c == 'ü'));
    let said = fails(&display, "focus_window {title_contains: nothing}");
    assert!(said.len() < 1000 && !said.contains('\u{1b}'), "{said}");
}

#[test]
fn focus_brings_a_window_from_wherever_it_is() {
    let mut display = Display::new();
    let neighbour = Neighbour::new(&display);
    neighbour.tell(None, "_NET_NUMBER_OF_DESKTOPS", [4, 0, 0, 0, 0]);
    eventually("four desktops", || (neighbour.told("_NET_NUMBER_OF_DESKTOPS") == 4).then_some(()));
    let sinks: Vec<Sink> = ["icon", "shaded", "far", "behind"]
        .iter()
        .map(|title| Sink::text_field(&mut display, title, "300x200+100+100"))
        .collect();
    Tk::run(&mut display, "root.title('everything'); root.attributes('-fullscreen', True)");
    let [icon, shaded, far, behind] = ["icon", "shaded", "far", "behind"].map(|title| neighbour.window(title));
    neighbour.tell(Some(icon), "WM_CHANGE_STATE", [3, 0, 0, 0, 0]);
    neighbour.state(shaded, "_NET_WM_STATE_SHADED");
    neighbour.tell(Some(far), "_NET_WM_DESKTOP", [2, 2, 0, 0, 0]);
    for hidden in [icon, far] {
        eventually("a window that is hidden", || (!neighbour.is_viewable(hidden)).then_some(()));
    }
    for (title, window, sink) in
        [("icon", icon, 0), ("shaded", shaded, 1), ("behind", behind, 3), ("far", far, 2), ("icon", icon, 0)]
    {
        let found = done(&display, &format!("wait_for_window {{title_contains: {title}, timeout_ms: 0}}"));
        assert_eq!(found["found"], title);
        let focused = done(&display, &format!("focus_window {{title_contains: {title}}}"));
        assert_eq!(focused, json!({"focused": title, "method": "ewmh"}));
        // No waiting here: it was so when success was told.
        assert_eq!(neighbour.told("_NET_ACTIVE_WINDOW"), window, "{title}");
        assert!(neighbour.is_viewable(window) && neighbour.focus().contains(&window), "{title}");
        sinks[sink].has_focus();
    }
    let lines = ["focus_window {title_contains: shaded}", "type_text {text: arrives}"];
    all_done(&display, &steps(&lines));
    sinks[1].becomes("arrives");
}

#[test]
fn what_is_typed_after_focus_is_typed_into_that_window() {
    let mut display = Display::new();
    let one = Sink::text_field(&mut display, "One", "300x200+20+30");
    let late = Tk::run(
        &mut display,
        "import time
root.title('Late')
text = tkinter.Text(root)
text.pack()
text.focus_set()
text.bind('<FocusIn>', lambda _: time.sleep(0.3))
text.bind('<KeyRelease>', lambda _: say(text.get('1.0', 'end-1c')))",
    );
    let neighbour = Neighbour::new(&display);
    neighbour.window("One");
    neighbour.window("Late");
    done(&display, "focus_window {title_contains: One}");
    one.has_focus();
    let typed = "0123456789abcdefghij".repeat(10);
    let typing = format!("type_text {{text: {typed}}}");
    let lines = [
        "focus_window {title_contains: Late}",
        &typing,
        "focus_window {title_contains: One}",
        "shortcut {keys: ctrl+a}",
    ];
    all_done(&display, &steps(&lines));
    late.says(&typed);
    assert_eq!(one.text(), "");
}

#[test]
fn fractions_are_pixels_of_the_client_area_as_it_is_now() {
    let mut display = Display::new();
    let neighbour = Neighbour::new(&display);
    let target = Tk::run(
        &mut display,
        "root.title('Target')
root.geometry('200x100+50+60')
root.bind('<Button-1>', click)
pop = tkinter.Toplevel(root)
pop.title('Bare')
pop.overrideredirect(True)
pop.geometry('40x30+700+500')
pop.bind('<Button-1>', click)",
    );
    neighbour.window("Target");
    let click = |title: &str, at: f64| {
        let line = format!("click_relative {{window_title: {title}, x_pct: {at}, y_pct: {at}}}");
        all_done(&display, &clicks(&[&line]))
    };
    let mut expected = Vec::new();
    for (x, y) in [(50, 60), (321, 234), (900, 600)] {
        done(&display, &format!("move_window {{title_contains: Target, x: {x}, y: {y}}}"));
        for (at, dx, dy) in [(0.0, 0, 0), (0.5, 100, 50), (1.0, 199, 99)] {
            let output = click("Target", at);
            assert_eq!(output, json!({"clicked_at": [x + dx, y + dy], "x_pct": at, "y_pct": at}));
            expected.push(format!("click {dx} {dy}"));
        }
    }
    click("Bare", 1.0);
    expected.push("click 39 29".to_owned());
    eventually("every click", || (target.said().len() > expected.len()).then_some(()));
    let said: Vec<String> = target.said().into_iter().filter(|line| line != "ready").collect();
    assert_eq!(said, expected);
    assert_eq!(
        all_done(&display, &clicks(&["click_relative {x_pct: 1.0, y_pct: 1.0}"]))["clicked_at"],
        json!([1279, 799])
    );
    for at in ["1.01", "-0.1", "50"] {
        let place = clicks(&[&format!("click_relative {{window_title: Target, x_pct: {at}}}")]);
        display.call(&place, &["run", "m.yaml"]).status(3);
    }
}

#[test]
fn nothing_is_clicked_where_a_window_is_covered_or_off_the_screen() {
    let mut display = Display::new();
    let neighbour = Neighbour::new(&display);
    let below =
        Tk::run(&mut display, "root.title('Below')\nroot.geometry('200x100+200+200')\nroot.bind('<Button>', click)");
    neighbour.window("Below");
    let above =
        Tk::run(&mut display, "root.title('Above')\nroot.geometry('200x100+250+250')\nroot.bind('<Button>', click)");
    let cover = neighbour.window("Above");
    let clicked = |at: &str| {
        let place = clicks(&[&format!("click_relative {{window_title: Below, {at}}}")]);
        display.call(&place, &["run", "m.yaml", "--json"]).run().json()
    };
    // A window that can be raised is.
    done(&display, "focus_window {title_contains: Above}");
    assert_eq!(clicked("x_pct: 0.9, y_pct: 0.9")["success"], true);
    eventually("a click", || below.said().iter().any(|line| line == "click 180 90").then_some(()));
    // One that is active and covered is raised too.
    neighbour.raise(cover);
    assert_eq!(clicked("x_pct: 0.8, y_pct: 0.8")["success"], true);
    neighbour.state(cover, "_NET_WM_STATE_ABOVE");
    let document = clicked("x_pct: 0.9, y_pct: 0.9");
    let said = step(&document, "s0")["error"].as_str().unwrap();
    assert!(said.ends_with("in the window `Below` is covered by the window `Above`"), "{said}");
    // Where it is not covered it is clicked.
    assert_eq!(clicked("x_pct: 0.0, y_pct: 0.0")["success"], true);
    let line = "drag_relative {window_title: Below, to_x_pct: 0.9, to_y_pct: 0.9}";
    let document = display.call(&clicks(&[line]), &["run", "m.yaml", "--json"]).status(1).json();
    assert!(step(&document, "s0")["error"].as_str().unwrap().contains("is covered by"), "{document:#}");
    let aside = Tk::run(
        &mut display,
        "root.title('Aside')\nroot.overrideredirect(True)\nroot.geometry('200x100+-100+500')\nroot.bind('<Button>', click)",
    );
    neighbour.window("Aside");
    let line = "click_relative {window_title: Aside, x_pct: 0.1}";
    let document = display.call(&clicks(&[line]), &["run", "m.yaml", "--json"]).status(1).json();
    let said = step(&document, "s0")["error"].as_str().unwrap();
    assert_eq!(said, "(-80, 550) is outside of the screen, which has 1280x800 pixels");
    assert_eq!((above.said().len(), aside.said().len(), below.said().len()), (1, 1, 4));
}

#[test]
fn a_modal_dialog_is_focused_and_keeps_its_parent_from_the_keyboard() {
    let mut display = Display::new();
    let neighbour = Neighbour::new(&display);
    Tk::run(
        &mut display,
        "root.title('Document')
dialog = tkinter.Toplevel(root)
dialog.title('Really?')
dialog.transient(root)",
    );
    Tk::titled(&mut display, "Other");
    neighbour.window("Other");
    let (parent, dialog) = (neighbour.window("Document"), neighbour.window("Really?"));
    neighbour.state(dialog, "_NET_WM_STATE_SKIP_TASKBAR");
    // Not modal yet.
    assert_eq!(done(&display, "focus_window {title_contains: Document}")["focused"], "Document");
    assert_eq!(neighbour.told("_NET_ACTIVE_WINDOW"), parent);
    neighbour.state(dialog, "_NET_WM_STATE_MODAL");
    assert_eq!(done(&display, "focus_window {title_contains: Other}")["focused"], "Other");
    let said = fails(&display, "focus_window {title_contains: Document}");
    assert_eq!(said, "the window `Document` has the modal dialog `Really?` open, which takes its keys");
    assert_eq!(done(&display, "focus_window {title_contains: 'really?'}")["focused"], "Really?");
    assert_eq!(neighbour.told("_NET_ACTIVE_WINDOW"), dialog);
    assert!(neighbour.focus().contains(&dialog));
}

#[test]
fn a_dialog_of_the_same_title_as_its_parent_is_the_one_that_is_meant() {
    let mut display = Display::new();
    let neighbour = Neighbour::new(&display);
    Tk::run(
        &mut display,
        "root.title('Same')
dialog = tkinter.Toplevel(root)
dialog.title('Same')
dialog.transient(root)
dialog.bind('<FocusIn>', lambda _: say('dialog'))",
    );
    neighbour.window("Same");
    eventually("both windows", || (neighbour.told_all("_NET_CLIENT_LIST").len() == 2).then_some(()));
    Tk::titled(&mut display, "Other");
    neighbour.window("Other");
    done(&display, "focus_window {title_contains: Other}");
    assert_eq!(done(&display, "focus_window {title_contains: same}")["focused"], "Same");
    let active = neighbour.told("_NET_ACTIVE_WINDOW");
    assert!(!neighbour.numbers(active, "WM_TRANSIENT_FOR").is_empty());
}

#[test]
fn a_gtk_dialog_is_found_and_focused() {
    let mut display = Display::new();
    Tk::titled(&mut display, "Other");
    Neighbour::new(&display).window("Other");
    display.spawn("zenity", &["--question", "--modal", "--title", "Sure?", "--text", "Go on"]);
    let lines =
        ["wait_for_window {title_contains: 'sure?', timeout_ms: 25000}", "focus_window {title_contains: Other}"];
    for line in
        lines.iter().chain(["focus_window {title_contains: 'Sure?'}", "close_window {title_contains: 'Sure?'}"].iter())
    {
        done(&display, line);
    }
    fails(&display, "wait_for_window {title_contains: 'sure?', timeout_ms: 0}");
}

#[test]
fn a_pop_up_that_nobody_manages_is_found_while_it_is_shown() {
    let mut display = Display::new();
    let neighbour = Neighbour::new(&display);
    Tk::run(
        &mut display,
        "root.title('pop: the program')
pop = tkinter.Toplevel(root)
pop.title('pop')
pop.overrideredirect(True)
pop.geometry('200x100+600+300')",
    );
    neighbour.window("pop: the program");
    let found =
        |wanted: &str| done(&display, &format!("wait_for_window {{title_contains: '{wanted}'}}"))["found"].clone();
    assert_eq!(found("pop"), "pop");
    // Of windows that only have the part, one that is managed is meant.
    assert_eq!(found("po"), "pop: the program");
    let pop = neighbour.window("pop");
    assert_eq!(done(&display, "focus_window {title_contains: pop}"), json!({"focused": "pop", "method": "x11"}));
    assert!(neighbour.focus().contains(&pop));
}

#[test]
fn windows_that_come_and_go_disturb_nothing() {
    let mut display = Display::new();
    Tk::run(
        &mut display,
        "root.title('base')
def more(number=0):
    window = tkinter.Toplevel(root)
    window.title(f'short {number}')
    window.geometry(f'80x50+{100 + number * 37 % 800}+{100 + number * 53 % 500}')
    window.after(100, window.destroy)
    root.after(50, more, number + 1)
more()",
    );
    let place = steps(&["wait_for_window {title_contains: never, timeout_ms: 5000}"]);
    let began = Instant::now();
    let child = display.call(&place, &["run", "m.yaml", "--json"]).start();
    let stat = format!("/proc/{}/stat", child.id());
    let watcher = thread::spawn(move || {
        let mut ticks = 0;
        while let Ok(text) = fs::read_to_string(&stat) {
            let fields: Vec<&str> = text.rsplit_once(')').unwrap().1.split_whitespace().collect();
            ticks = ticks.max(fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap());
            if fields[0] == "Z" {
                break;
            }
            thread::sleep(Duration::from_millis(20));
        }
        ticks
    });
    let outcome = finish(child);
    let took = began.elapsed();
    assert!(took >= Duration::from_secs(5) && took < Duration::from_secs(20), "{took:?}");
    let document = outcome.json();
    let said = step(&document, "s0")["error"].as_str().unwrap();
    assert!(said.starts_with("timed out after 5000 ms: no window has `never` in its title; there are "), "{said}");
    assert!(step(&document, "s0")["duration_ms"].as_f64().unwrap() < 5500.0, "{document:#}");
    // In hundredths of a second; a build for tests is several times slower than one for use.
    let ticks = watcher.join().unwrap();
    assert!(ticks < 50, "{ticks} ticks of 500");
    for _ in 0..10 {
        let outcome =
            display.call(&steps(&["focus_window {title_contains: short}"]), &["run", "m.yaml", "--json"]).run();
        let document = outcome.json();
        let error = step(&document, "s0")["error"].as_str().unwrap_or("was closed").to_owned();
        let fine =
            ["was closed", "no window has", "keeps it", "no other window has it"].iter().any(|end| error.contains(end));
        assert!(fine, "{error}");
    }
}

#[test]
fn a_window_that_closes_meanwhile_is_said_to_be_closed() {
    let mut display = Display::new();
    let neighbour = Neighbour::new(&display);
    // Openbox may not let it have the keyboard: it is stopped.
    let manager = display.manager.unwrap();
    let dying = Tk::titled(&mut display, "dying");
    Tk::titled(&mut display, "other");
    let window = neighbour.window("dying");
    neighbour.window("other");
    done(&display, "focus_window {title_contains: other}");
    signal(manager, Signal::STOP);
    let place = steps(&["focus_window {title_contains: dying}"]);
    let child = display.call(&place, &["run", "m.yaml", "--json"]).start();
    rests(&child);
    signal(dying.pid, Signal::KILL);
    eventually("a window that is gone", || (!neighbour.is_viewable(window)).then_some(()));
    signal(manager, Signal::CONT);
    let document = finish(child).json();
    assert_eq!(step(&document, "s0")["error"], "the window `dying` was closed", "{document:#}");
}

#[test]
fn who_keeps_the_keyboard_is_named() {
    let mut display = Display::new();
    let manager = display.manager.unwrap();
    let neighbour = Neighbour::new(&display);
    for title in ["wanted", "keeper"] {
        Tk::titled(&mut display, title);
        neighbour.window(title);
        done(&display, &format!("focus_window {{title_contains: {title}}}"));
    }
    signal(manager, Signal::STOP);
    let place = Place::new().file(
        "m.yaml",
        "name: m\nversion: \"1\"\nsteps:\n  - {id: s0, backend: semantic_ui, action: focus_window, timeout_ms: 700, params: {title_contains: wanted}}\n",
    );
    let document = display.call(&place, &["run", "m.yaml", "--json"]).status(5).json();
    let said = step(&document, "s0")["error"].as_str().unwrap();
    let expected = "timed out after 700 ms: the window `wanted` did not get the keyboard: the window `keeper` keeps it";
    assert_eq!(said, expected);
    signal(manager, Signal::CONT);
}

#[test]
fn a_wait_looks_at_least_once_and_sees_what_comes() {
    let mut display = Display::new();
    let neighbour = Neighbour::new(&display);
    Tk::run(&mut display, "root.title('Loading')\nroot.after(700, lambda: root.title('Doc - Editor'))");
    neighbour.window("Loading");
    // The title changes during the wait; a poll longer than the wait means nothing.
    let found = done(&display, "wait_for_window {title_contains: Editor, timeout_ms: 20000, poll_ms: 60000}");
    assert_eq!(found["found"], "Doc - Editor");
    for line in [
        "wait_for_window {title_contains: editor, timeout_ms: 0}",
        "wait_for_window {title_contains: editor, timeout_ms: 0, poll_ms: 0}",
        "wait_for_window {title_contains: editor, poll_ms: 0}",
    ] {
        assert_eq!(done(&display, line)["found"], "Doc - Editor");
    }
    // Nothing has changed since the first of two waits.
    let place = steps(&["wait_for_window {title_contains: editor}", "wait_for_window {title_contains: doc}"]);
    let document = display.call(&place, &["run", "m.yaml", "--json"]).status(0).json();
    assert_eq!(step(&document, "s1")["output"]["found"], "Doc - Editor");
    let said = fails(&display, "wait_for_window {title_contains: Editro, timeout_ms: 0}");
    assert_eq!(said, "timed out after 0 ms: no window has `Editro` in its title; the nearest is `Doc - Editor`");
    let waiting = |title: &str, display: &Display| {
        let line = format!("wait_for_window {{title_contains: {title}, timeout_ms: 30000, poll_ms: 0}}");
        let place = steps(&[&line]);
        let child = display.call(&place, &["run", "m.yaml", "--json"]).start();
        (place, child)
    };
    let (_place, child) = waiting("late", &display);
    rests(&child);
    Tk::titled(&mut display, "the late one");
    assert_eq!(step(&finish(child).json(), "s0")["output"]["found"], "the late one");
    // One that is there for a moment may be missed; the wait goes on.
    let (_place, child) = waiting("brief", &display);
    rests(&child);
    Tk::run(&mut display, "root.title('brief')\nroot.after(100, root.destroy)");
    Tk::titled(&mut display, "brief again");
    let found = step(&finish(child).json(), "s0")["output"]["found"].clone();
    assert!(found == "brief" || found == "brief again", "{found}");
}

#[test]
fn the_step_s_time_ends_a_wait_too() {
    let display = Display::new();
    let place = Place::new().file(
        "m.yaml",
        "name: m\nversion: \"1\"\nsteps:\n  - {id: s0, backend: semantic_ui, action: wait_for_window, timeout_ms: 300, params: {title_contains: x, timeout_ms: 60000}}\n",
    );
    let document = display.call(&place, &["run", "m.yaml", "--json"]).status(5).json();
    let said = step(&document, "s0")["error"].as_str().unwrap();
    assert_eq!(said, "timed out after 300 ms: no window has `x` in its title; there is none with a name");
}

#[test]
fn windows_are_found_and_driven_without_a_window_manager() {
    let mut display = without_manager();
    let neighbour = Neighbour::new(&display);
    let one = Sink::text_field(&mut display, "One", "300x200+20+30");
    let two = Sink::text_field(&mut display, "Two", "300x200+100+100");
    for (title, sink) in [("One", &one), ("Two", &two), ("One", &one)] {
        let focused = done(&display, &format!("focus_window {{title_contains: {title}}}"));
        assert_eq!(focused, json!({"focused": title, "method": "x11"}));
        assert!(neighbour.focus().contains(&neighbour.window(title)));
        sink.has_focus();
    }
    let moved = done(&display, "move_window {title_contains: one, x: 300, y: 250, width: 420}");
    assert_eq!(moved, json!({"moved": "One", "geometry": [300, 250, 420, 200]}));
    let closed = done(&display, "close_window {title_contains: two}");
    assert_eq!(closed, json!({"closed": "Two", "method": "x11"}));
    let place = steps(&["wait_for_window {title_contains: late, timeout_ms: 30000}"]);
    let child = display.call(&place, &["run", "m.yaml", "--json"]).start();
    rests(&child);
    Tk::run(&mut display, "root.title('early')\nroot.after(300, lambda: root.title('Late'))");
    assert_eq!(step(&finish(child).json(), "s0")["output"]["found"], "Late");
}

#[test]
fn a_window_is_closed_or_says_what_keeps_it() {
    let mut display = Display::new();
    let neighbour = Neighbour::new(&display);
    Tk::titled(&mut display, "Plain");
    let asking = Tk::run(
        &mut display,
        "root.title('Unsaved')
def ask():
    dialog = tkinter.Toplevel(root)
    dialog.title('Save changes?')
    dialog.transient(root)
root.protocol('WM_DELETE_WINDOW', ask)",
    );
    Tk::run(&mut display, "root.title('Stubborn')\nroot.protocol('WM_DELETE_WINDOW', lambda: say('no'))");
    Tk::run(
        &mut display,
        "root.title('Slow')
def slow():
    dialog = tkinter.Toplevel(root)
    dialog.title('Saving')
    dialog.transient(root)
    root.after(500, root.destroy)
root.protocol('WM_DELETE_WINDOW', slow)",
    );
    let mute = neighbour.open((700, 400, 100, 80), b"Mute", "STRING");
    for title in ["Plain", "Unsaved", "Stubborn", "Slow", "Mute"] {
        neighbour.window(title);
    }
    assert_eq!(done(&display, "close_window {title_contains: plain}"), json!({"closed": "Plain", "method": "ewmh"}));
    assert_eq!(done(&display, "close_window {title_contains: slow}")["closed"], "Slow");
    let said = fails(&display, "close_window {title_contains: Unsaved, timeout_ms: 20000}");
    assert_eq!(said, "the window `Unsaved` is still open: the dialog `Save changes?` came up");
    let said = fails(&display, "close_window {title_contains: Stubborn, timeout_ms: 300}");
    assert_eq!(said, "timed out after 300 ms: the window `Stubborn` is still open");
    let said = fails(&display, "close_window {title_contains: Mute}");
    assert_eq!(said, "the window `Mute` cannot be asked to close: it does not take part in it");
    assert!(neighbour.is_viewable(mute));
    assert!(crate::witness::Process(asking.pid.cast_signed()).runs());
}

#[test]
fn a_window_is_moved_by_its_client_area_or_says_where_it_is() {
    let mut display = Display::new();
    let neighbour = Neighbour::new(&display);
    Tk::run(&mut display, "root.title('Free')\nroot.minsize(150, 90)");
    let free = neighbour.window("Free");
    let moved = done(&display, "move_window {title_contains: Free, x: 210, y: 180, width: 400, height: 300}");
    assert_eq!(moved, json!({"moved": "Free", "geometry": [210, 180, 400, 300]}));
    assert_eq!(neighbour.area(free), (210, 180, 400, 300));
    done(&display, "move_window {title_contains: Free, height: 222}");
    assert_eq!(neighbour.area(free), (210, 180, 400, 222));
    neighbour.state(free, "_NET_WM_STATE_MAXIMIZED_VERT");
    neighbour.state(free, "_NET_WM_STATE_MAXIMIZED_HORZ");
    eventually("a maximised window", || (neighbour.area(free).2 > 1000).then_some(()));
    done(&display, "move_window {title_contains: Free, x: 300, y: 100, width: 200, height: 100}");
    assert_eq!(neighbour.area(free), (300, 100, 200, 100));
    let said = fails(&display, "move_window {title_contains: Free, width: 20, height: 10}");
    assert_eq!(
        said,
        "the window `Free` is at (300, 100) with 150x90 pixels, not 20x10 pixels; it allows no less than 150x90"
    );
    let said = fails(&display, "move_window {title_contains: Free}");
    assert_eq!(said, "nothing says where the window should go");
    let said = fails(&display, "move_window {title_contains: Free, x: 100000}");
    assert!(said.starts_with("a window cannot be at (100000, "), "{said}");
    display.spawn("xterm", &["-title", "Grid", "-geometry", "40x10+30+30"]);
    neighbour.window("Grid");
    let said = fails(&display, "move_window {title_contains: Grid, width: 401}");
    assert!(said.contains("; its size goes in steps of "), "{said}");
}

#[test]
fn a_condition_looks_for_windows_in_a_dry_run_too() {
    let mut display = Display::new();
    let neighbour = Neighbour::new(&display);
    Tk::titled(&mut display, "a window");
    neighbour.window("a window");
    let place = |title: &str| {
        let text = "name: m\nversion: \"1\"\npreconditions:\n  - window_exists: TITLE\nsteps:\n  - {id: s, action: run_command, params: {command: ['true']}}\n";
        Place::new().file("m.yaml", text.replace("TITLE", title))
    };
    for more in [&["run", "m.yaml", "--json"] as &[_], &["run", "m.yaml", "--json", "--dry-run"]] {
        display.call(&place("A WINDOW"), more).status(0);
        let document = display.call(&place("another"), more).status(4).json();
        let said = document["error"].as_str().unwrap();
        assert!(said.contains("no window has `another` in its title; there are `a window`"), "{said}");
        let document = place("a window").call(more).run().json();
        let said = document["error"].as_str().unwrap();
        assert!(said.contains("windows cannot be seen: no DISPLAY"), "{said}");
    }
}

fn signal(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), signal).unwrap();
}
