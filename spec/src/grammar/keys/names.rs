//! The names of keys that are more than one character long, with X11's numbers (`X11/keysymdef.h`, `X11/XF86keysym.h`).

use crate::grammar::keys::Key;

pub const SHIFT_L: u32 = 0xffe1;
pub const SHIFT_R: u32 = 0xffe2;
pub const CONTROL_L: u32 = 0xffe3;
pub const CONTROL_R: u32 = 0xffe4;
pub const ALT_L: u32 = 0xffe9;
pub const ALT_R: u32 = 0xffea;
pub const SUPER_L: u32 = 0xffeb;
pub const SUPER_R: u32 = 0xffec;
pub const ISO_LEVEL3_SHIFT: u32 = 0xfe03;

const F1: u32 = 0xffbe;
const FUNCTION_KEYS: u32 = 35;
const KP_0: u32 = 0xffb0;
/// The largest keysym X11 allows: 29 bits.
const LARGEST: u32 = 0x1fff_ffff;

/// The key of a name, whatever its case, blanks, `_` and `-`; or of a keysym in hexadecimal.
pub fn key(name: &str) -> Option<Key> {
    let plain = plain(name)?;
    if let Some(digits) = plain.strip_prefix("0x") {
        return u32::from_str_radix(digits, 16)
            .ok()
            .filter(|keysym| (1..=LARGEST).contains(keysym))
            .map(Key::of_keysym);
    }
    if let Some((_, character)) = characters().find(|(name, _)| is(name, &plain)) {
        return Some(Key::Char(character));
    }
    let keysym =
        KEYS.iter().find(|(_, name, aliases)| is(name, &plain) || aliases.iter().any(|alias| is(alias, &plain)));
    keysym.map(|(keysym, _, _)| *keysym).or_else(|| numbered(&plain)).map(Key::Keysym)
}

/// The usual name of a keysym that has one.
pub fn name_of(keysym: u32) -> Option<String> {
    if (F1..F1 + FUNCTION_KEYS).contains(&keysym) {
        return Some(format!("f{}", keysym - F1 + 1));
    }
    if (KP_0..KP_0 + 10).contains(&keysym) {
        return Some(format!("kp_{}", keysym - KP_0));
    }
    KEYS.iter().find(|(own, _, _)| *own == keysym).map(|(_, name, _)| (*name).to_owned())
}

/// Every name and alias, to find the one that was meant.
pub fn all() -> impl Iterator<Item = &'static str> {
    // The usual names come first, so that they win over an alias that is just as near.
    let usual = KEYS.iter().map(|(_, name, _)| *name);
    let aliases = KEYS.iter().flat_map(|(_, _, aliases)| aliases.iter().copied());
    usual.chain(characters().map(|(name, _)| name)).chain(aliases)
}

fn numbered(plain: &str) -> Option<u32> {
    let number = |digits: &str, last: u32| {
        let plain = !digits.is_empty() && !digits.starts_with(['+', '0']) || digits == "0";
        digits.parse::<u32>().ok().filter(|number| plain && *number <= last)
    };
    if let Some(number) = plain.strip_prefix('f').and_then(|digits| number(digits, FUNCTION_KEYS)) {
        return number.checked_sub(1).map(|offset| F1 + offset);
    }
    let digits = ["kp", "num", "numpad"].iter().find_map(|prefix| number(plain.strip_prefix(prefix)?, 9))?;
    Some(KP_0 + digits)
}

/// `name` in lower case without what is ignored in names; `None` when it is longer than any of them.
fn plain(name: &str) -> Option<String> {
    const LONGEST: usize = 64;
    (name.len() <= LONGEST).then(|| name.chars().filter(|c| !ignored(*c)).flat_map(char::to_lowercase).collect())
}

fn is(name: &str, plain: &str) -> bool {
    name.chars().filter(|c| !ignored(*c)).eq(plain.chars())
}

fn ignored(character: char) -> bool {
    matches!(character, '_' | '-') || character.is_whitespace()
}

fn characters() -> impl Iterator<Item = (&'static str, char)> {
    CHARACTERS.iter().flat_map(|(character, names)| names.iter().map(|name| (*name, *character)))
}

const CHARACTERS: [(char, &[&str]); 33] = [
    (' ', &["space", "spacebar"]),
    ('+', &["plus"]),
    ('-', &["minus", "hyphen", "dash"]),
    ('=', &["equal", "equals"]),
    ('_', &["underscore"]),
    (',', &["comma"]),
    ('.', &["period", "dot"]),
    ('/', &["slash"]),
    ('\\', &["backslash"]),
    (';', &["semicolon"]),
    (':', &["colon"]),
    ('\'', &["apostrophe", "quote"]),
    ('"', &["quotedbl", "double_quote"]),
    ('`', &["grave", "backtick", "backquote"]),
    ('[', &["bracketleft", "left_bracket"]),
    (']', &["bracketright", "right_bracket"]),
    ('{', &["braceleft", "left_brace"]),
    ('}', &["braceright", "right_brace"]),
    ('(', &["parenleft", "left_paren"]),
    (')', &["parenright", "right_paren"]),
    ('!', &["exclam", "exclamation"]),
    ('@', &["at"]),
    ('#', &["numbersign", "hash"]),
    ('$', &["dollar"]),
    ('%', &["percent"]),
    ('^', &["asciicircum", "caret"]),
    ('&', &["ampersand"]),
    ('*', &["asterisk", "star"]),
    ('<', &["less"]),
    ('>', &["greater"]),
    ('|', &["bar", "pipe"]),
    ('~', &["asciitilde", "tilde"]),
    ('?', &["question"]),
];

/// Keysym, usual name, other names; all in lower case.
const KEYS: [(u32, &str, &[&str]); 110] = [
    (CONTROL_L, "ctrl", &["control", "ctrl_l", "control_l", "ctrl_left", "left_ctrl", "lctrl"]),
    (ALT_L, "alt", &["option", "alt_l", "alt_left", "left_alt", "lalt"]),
    (ISO_LEVEL3_SHIFT, "altgr", &["alt_graph", "iso_level3_shift"]),
    (SHIFT_L, "shift", &["shift_l", "shift_left", "left_shift", "lshift"]),
    (
        SUPER_L,
        "super",
        &[
            "win",
            "windows",
            "meta",
            "cmd",
            "command",
            "super_l",
            "win_left",
            "left_win",
            "lwin",
            "left_super",
            "left_cmd",
        ],
    ),
    (CONTROL_R, "ctrl_r", &["control_r", "ctrl_right", "right_ctrl", "rctrl"]),
    (ALT_R, "alt_r", &["alt_right", "right_alt", "ralt", "option_right"]),
    (SHIFT_R, "shift_r", &["shift_right", "right_shift", "rshift"]),
    (SUPER_R, "super_r", &["win_right", "right_win", "rwin", "right_super", "right_cmd"]),
    (0xffe7, "meta_l", &[]),
    (0xffe8, "meta_r", &[]),
    (0xffed, "hyper", &["hyper_l"]),
    (0xffee, "hyper_r", &[]),
    (0xff0d, "enter", &["return", "ret"]),
    (0xff1b, "escape", &["esc"]),
    (0xff09, "tab", &[]),
    (0xfe20, "back_tab", &["iso_left_tab"]),
    (0xff08, "backspace", &["bksp"]),
    (0xffff, "delete", &["del"]),
    (0xff63, "insert", &["ins"]),
    (0xff50, "home", &[]),
    (0xff57, "end", &[]),
    (0xff55, "page_up", &["pgup", "prior"]),
    (0xff56, "page_down", &["pgdn", "pgdown", "next"]),
    (0xff51, "left", &["arrow_left", "left_arrow"]),
    (0xff52, "up", &["arrow_up", "up_arrow"]),
    (0xff53, "right", &["arrow_right", "right_arrow"]),
    (0xff54, "down", &["arrow_down", "down_arrow"]),
    (0xff58, "begin", &[]),
    (0xff61, "print_screen", &["print", "prtsc", "prtscr", "prtscn", "printscrn"]),
    (0xff15, "sys_req", &[]),
    (0xff67, "menu", &["apps", "context_menu"]),
    (0xff13, "pause", &[]),
    (0xff6b, "break", &[]),
    (0xffe5, "caps_lock", &["caps"]),
    (0xff7f, "num_lock", &[]),
    (0xff14, "scroll_lock", &[]),
    (0xffe6, "shift_lock", &[]),
    (0xff60, "select", &[]),
    (0xff62, "execute", &[]),
    (0xff65, "undo", &[]),
    (0xff66, "redo", &["again"]),
    (0xff68, "find", &[]),
    (0xff69, "cancel", &[]),
    (0xff6a, "help", &[]),
    (0xff0b, "clear", &[]),
    (0xff0a, "linefeed", &[]),
    (0xff20, "compose", &["multi_key"]),
    (0xff7e, "mode_switch", &[]),
    (0xff22, "muhenkan", &[]),
    (0xff23, "henkan", &["henkan_mode"]),
    (0xff27, "hiragana_katakana", &[]),
    (0xff2a, "zenkaku_hankaku", &[]),
    (0xff30, "eisu_toggle", &[]),
    (0xff31, "hangul", &[]),
    (0xff34, "hanja", &["hangul_hanja"]),
    (0xffab, "kp_add", &["num_add", "numpad_add", "kp_plus", "num_plus"]),
    (0xffad, "kp_subtract", &["num_subtract", "numpad_subtract", "kp_minus", "num_minus"]),
    (0xffaa, "kp_multiply", &["num_multiply", "numpad_multiply"]),
    (0xffaf, "kp_divide", &["num_divide", "numpad_divide"]),
    (0xffae, "kp_decimal", &["num_decimal", "numpad_decimal"]),
    (0xffac, "kp_separator", &["num_separator"]),
    (0xffbd, "kp_equal", &["num_equal", "numpad_equal"]),
    (0xff8d, "kp_enter", &["num_enter", "numpad_enter"]),
    (0xff80, "kp_space", &[]),
    (0xff89, "kp_tab", &[]),
    (0xff91, "kp_f1", &[]),
    (0xff92, "kp_f2", &[]),
    (0xff93, "kp_f3", &[]),
    (0xff94, "kp_f4", &[]),
    (0xff95, "kp_home", &[]),
    (0xff96, "kp_left", &[]),
    (0xff97, "kp_up", &[]),
    (0xff98, "kp_right", &[]),
    (0xff99, "kp_down", &[]),
    (0xff9a, "kp_page_up", &["kp_prior"]),
    (0xff9b, "kp_page_down", &["kp_next"]),
    (0xff9c, "kp_end", &[]),
    (0xff9d, "kp_begin", &[]),
    (0xff9e, "kp_insert", &[]),
    (0xff9f, "kp_delete", &[]),
    (
        0x1008_ff13,
        "volume_up",
        &["media_volume_up", "audio_volume_up", "audio_raise_volume", "xf86_audio_raise_volume"],
    ),
    (
        0x1008_ff11,
        "volume_down",
        &["media_volume_down", "audio_volume_down", "audio_lower_volume", "xf86_audio_lower_volume"],
    ),
    (
        0x1008_ff12,
        "volume_mute",
        &["mute", "media_mute", "media_volume_mute", "audio_volume_mute", "audio_mute", "xf86_audio_mute"],
    ),
    (0x1008_ffb2, "mic_mute", &["media_mic_mute", "microphone_mute", "audio_mic_mute", "xf86_audio_mic_mute"]),
    (0x1008_ff14, "media_play", &["play_pause", "media_play_pause", "audio_play", "xf86_audio_play"]),
    (0x1008_ff31, "media_pause", &["audio_pause", "xf86_audio_pause"]),
    (0x1008_ff15, "media_stop", &["audio_stop", "xf86_audio_stop"]),
    (
        0x1008_ff16,
        "media_previous",
        &[
            "media_prev",
            "media_previous_track",
            "media_prev_track",
            "media_track_previous",
            "prev_track",
            "previous_track",
            "audio_prev",
            "xf86_audio_prev",
        ],
    ),
    (
        0x1008_ff17,
        "media_next",
        &["media_next_track", "media_track_next", "next_track", "audio_next", "xf86_audio_next"],
    ),
    (0x1008_ff3e, "media_rewind", &["audio_rewind", "xf86_audio_rewind"]),
    (0x1008_ff97, "media_forward", &["media_fast_forward", "audio_forward", "xf86_audio_forward"]),
    (0x1008_ff1c, "media_record", &["audio_record", "xf86_audio_record"]),
    (0x1008_ff02, "brightness_up", &["xf86_mon_brightness_up"]),
    (0x1008_ff03, "brightness_down", &["xf86_mon_brightness_down"]),
    (0x1008_ff26, "browser_back", &["xf86_back"]),
    (0x1008_ff27, "browser_forward", &["xf86_forward"]),
    (0x1008_ff29, "browser_refresh", &["xf86_refresh"]),
    (0x1008_ff28, "browser_stop", &["xf86_stop"]),
    (0x1008_ff1b, "browser_search", &["xf86_search"]),
    (0x1008_ff30, "browser_favorites", &["xf86_favorites"]),
    (0x1008_ff18, "browser_home", &["xf86_home_page"]),
    (0x1008_ff19, "launch_mail", &["xf86_mail"]),
    (0x1008_ff1d, "launch_calculator", &["calculator", "xf86_calculator"]),
    (0x1008_ff2c, "eject", &["xf86_eject"]),
    (0x1008_ff2f, "sleep", &["xf86_sleep"]),
    (0x1008_ff2b, "wake_up", &["xf86_wake_up"]),
    (0x1008_ff57, "copy", &["xf86_copy"]),
    (0x1008_ff58, "cut", &["xf86_cut"]),
    (0x1008_ff6d, "paste", &["xf86_paste"]),
];

#[cfg(test)]
mod tests {
    use super::{CHARACTERS, KEYS, ignored, key};
    use crate::grammar::keys::Key;

    #[test]
    fn every_name_means_its_own_key() {
        for (keysym, name, aliases) in KEYS {
            for name in aliases.iter().chain([&name]) {
                assert_eq!(key(name), Some(Key::Keysym(keysym)), "{name}");
                assert_eq!(name.to_lowercase(), **name);
            }
        }
        for (character, names) in CHARACTERS {
            for name in names {
                assert_eq!(key(name), Some(Key::Char(character)), "{name}");
            }
        }
    }

    #[test]
    fn no_keysym_is_listed_twice() {
        let mut keysyms: Vec<u32> = KEYS.iter().map(|row| row.0).collect();
        keysyms.sort_unstable();
        keysyms.dedup();
        assert_eq!(keysyms.len(), KEYS.len());
        assert!(KEYS.iter().all(|row| !row.1.contains(|c: char| ignored(c) && c != '_')));
    }
}
