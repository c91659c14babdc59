use proptest::prelude::*;

use super::{Chord, Key, KeyError, Modifiers, parse, parse_list};

fn chord(modifiers: Modifiers, key: Key) -> Result<Chord, KeyError> {
    Ok(Chord { modifiers, key })
}

#[test]
fn plus_and_minus_are_keys() {
    let ctrl_plus = chord(Modifiers::CTRL, Key::Char('+'));
    for text in ["ctrl++", "ctrl+plus", "Ctrl + +", "control+PLUS", " ctrl + plus "] {
        assert_eq!(parse(text), ctrl_plus, "{text}");
    }
    assert_eq!(parse_list(&["ctrl", "+"]), ctrl_plus);
    assert_eq!(parse("+"), chord(Modifiers::NONE, Key::Char('+')));
    assert_eq!(parse(" + "), chord(Modifiers::NONE, Key::Char('+')));
    assert_eq!(parse("ctrl+-"), chord(Modifiers::CTRL, Key::Char('-')));
    assert_eq!(parse("ctrl+minus"), chord(Modifiers::CTRL, Key::Char('-')));
    assert_eq!(parse("ctrl+="), chord(Modifiers::CTRL, Key::Char('=')));
}

#[test]
fn spellings_of_one_key() {
    let same: [(u32, &[&str]); 14] = [
        (0xff56, &["page_down", "pagedown", "pgdn", "Page_Down", "Next", "page down", "PAGE-DOWN"]),
        (0xff1b, &["esc", "escape", "Escape"]),
        (0xff0d, &["enter", "return", "Return"]),
        (0xffff, &["del", "delete"]),
        (0xffeb, &["super", "win", "meta", "cmd", "Super_L"]),
        (0xffbe, &["f1", "F1"]),
        (0xffca, &["f13"]),
        (0xffe0, &["f35"]),
        (0xffab, &["kp_add", "num_add", "KP_Add"]),
        (0xffb0, &["kp_0", "num0", "numpad_0"]),
        (0xffb9, &["kp_9"]),
        (0xff61, &["print_screen", "PrintScreen", "Print"]),
        (0xff67, &["menu"]),
        (
            0x1008_ff13,
            &["volume_up", "VolumeUp", "media_volume_up", "AudioVolumeUp", "XF86AudioRaiseVolume", "0x1008FF13"],
        ),
    ];
    for (keysym, names) in same {
        for name in names {
            assert_eq!(parse(name), chord(Modifiers::NONE, Key::Keysym(keysym)), "{name}");
        }
    }
    assert_eq!(parse("space"), chord(Modifiers::NONE, Key::Char(' ')));
    assert_eq!(parse("0xe9"), chord(Modifiers::NONE, Key::Char('é')));
    assert_eq!(parse("0x10020ac"), chord(Modifiers::NONE, Key::Char('€')));
}

#[test]
fn case_counts_only_alone() {
    let both = Modifiers::CTRL.union(Modifiers::SHIFT);
    assert_eq!(parse("Ctrl + Shift + S"), chord(both, Key::Char('s')));
    assert_eq!(parse("shift+control+s"), chord(both, Key::Char('s')));
    assert_eq!(parse("A"), chord(Modifiers::NONE, Key::Char('A')));
    assert_eq!(parse("a"), chord(Modifiers::NONE, Key::Char('a')));
}

#[test]
fn a_modifier_alone_is_a_key() {
    assert_eq!(parse("ctrl"), chord(Modifiers::NONE, Key::Keysym(0xffe3)));
    assert_eq!(parse("ctrl+shift"), chord(Modifiers::CTRL, Key::Keysym(0xffe1)));
    assert_eq!(parse("right_ctrl+a"), chord(Modifiers::CTRL, Key::Char('a')));
    let pressed: Vec<u32> = Modifiers::SUPER.union(Modifiers::CTRL).keysyms().collect();
    assert_eq!(pressed, [0xffe3, 0xffeb]);
}

#[test]
fn refuses_what_is_no_chord() {
    let unknown = |name: &str, nearest| Err(KeyError::Unknown { name: name.to_owned(), nearest });
    let missing = |text: &str| Err(KeyError::MissingKey { text: text.to_owned() });
    assert_eq!(parse(""), Err(KeyError::Empty));
    assert_eq!(parse("  "), Err(KeyError::Empty));
    assert_eq!(parse_list(&[]), Err(KeyError::Empty));
    assert_eq!(parse("ctrl+"), missing("ctrl+"));
    assert_eq!(parse("ctrl+ "), missing("ctrl+ "));
    assert_eq!(parse("+ctrl+"), missing("+ctrl+"));
    assert_eq!(parse("ctrl+shfit+s"), unknown("shfit", Some("shift")));
    assert_eq!(parse_list(&["ctrl", "shfit", "q"]), unknown("shfit", Some("shift")));
    assert_eq!(parse("f36"), unknown("f36", Some("f35")));
    assert_eq!(parse("f0"), unknown("f0", Some("f35")));
    assert_eq!(parse("f01"), unknown("f01", Some("f35")));
    assert_eq!(parse("Foo"), unknown("Foo", None));
    assert_eq!(parse("ctrl+entre"), unknown("entre", Some("enter")));
    assert_eq!(parse("0x0"), unknown("0x0", None));
    assert_eq!(parse("0x20000000"), unknown("0x20000000", None));
    assert_eq!(parse("a+b"), Err(KeyError::NotAModifier { name: "a".to_owned() }));
    assert_eq!(parse("enter+b"), Err(KeyError::NotAModifier { name: "enter".to_owned() }));
    assert_eq!(parse("ctrl+Control+a"), Err(KeyError::Duplicate { name: "Control".to_owned() }));
    assert_eq!(parse("ctrl+ctrl"), Err(KeyError::Duplicate { name: "ctrl".to_owned() }));
    assert!(parse_list(&["ctrl", ""]).is_err() && parse_list(&["ctrl+c"]).is_err());
    assert!(parse("\u{1b}").is_err());
}

#[test]
fn display_is_canonical() {
    let shown = [
        ("Shift+Control+PgDn", "ctrl+shift+page_down"),
        ("ctrl++", "ctrl+plus"),
        ("cmd+space", "super+space"),
        ("ctrl", "ctrl"),
        ("ctrl+F13", "ctrl+f13"),
        ("num_5", "kp_5"),
        ("Return", "enter"),
        ("0x1008FF41", "0x1008ff41"),
    ];
    for (text, canonical) in shown {
        assert_eq!(parse(text).unwrap().to_string(), canonical);
    }
}

#[test]
fn long_input_is_refused_quickly() {
    for text in ["+".repeat(1_000_000), "ctrl+".repeat(200_000), "a".repeat(1_000_000), " ".repeat(1_000_000) + "+"] {
        let _ = parse(&text);
    }
    assert!(matches!(parse(&"ctrl+".repeat(200_000)), Err(KeyError::MissingKey { .. })));
}

fn any_key() -> impl Strategy<Value = Key> {
    prop_oneof![
        any::<char>().prop_filter("no control characters", |c| !c.is_control()).prop_map(Key::Char),
        (1u32..0x2000_0000).prop_map(Key::of_keysym),
        (0xff00u32..0x10000).prop_map(Key::of_keysym),
        (0x1008_ff00u32..0x1009_0000).prop_map(Key::of_keysym),
    ]
}

proptest! {
    #[test]
    fn display_round_trips(bits in 0u8..32, key in any_key()) {
        let written = Chord { modifiers: Modifiers::from_bits(bits).unwrap(), key };
        // What a chord may not hold (`ctrl+ctrl`, `ctrl+A`) has no spelling of its own.
        if let Ok(read) = parse(&written.to_string()) {
            prop_assert_eq!(read.modifiers, written.modifiers);
            prop_assert_eq!(parse(&read.to_string()), Ok(read));
            if bits == 0 {
                prop_assert_eq!(read, written);
            }
        } else {
            prop_assert!(matches!(key, Key::Keysym(keysym) if Modifiers::of(keysym).is_some()));
        }
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,30}|[a-z+ _]{0,20}") {
        if let Err(error) = parse(&text) {
            prop_assert!(!error.to_string().is_empty() && !error.help().is_empty());
        }
    }
}
