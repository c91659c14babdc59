//! Which window a title means.
//!
//! A title is searched for as a plain part, in any case of letters (Unicode case folding, no normalisation); spaces count. A title that is the
//! whole text wins over one that only has it, with the same case first. `class:NAME` as the whole text means windows whose `WM_CLASS` (class or
//! instance) is NAME in any case, and `pid:NUMBER` those of a process; neither is searched for in titles.

use std::collections::HashSet;
use std::fmt;

use unicase::UniCase;

use crate::desktop::windows::{Window, WindowId};

/// Most characters of a title in a message.
const SHOWN: usize = 60;

/// How well a text has a part; a better one is smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// It is the part, letter by letter.
    Same,
    /// It is the part in another case of letters.
    SameFolded,
    /// It has the part somewhere, letter by letter.
    Part,
    /// It has the part somewhere, in another case of letters.
    PartFolded,
}

/// What a macro calls a window by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A part of its title.
    Title {
        /// As it was given.
        text: String,
        /// In folded case.
        folded: String,
    },
    /// Its class or instance.
    Class {
        /// As it was given, without `class:`.
        name: String,
        /// In folded case.
        folded: String,
    },
    /// Its process.
    Process(u32),
}

impl Wanted {
    /// What a text means.
    pub fn new(text: &str) -> Self {
        if let Some(name) =
            text.strip_prefix("class:").filter(|name| name.starts_with(|first: char| !first.is_whitespace()))
        {
            return Self::Class { name: name.to_owned(), folded: fold(name) };
        }
        // A plus sign or a blank makes it a title.
        let digits = text.strip_prefix("pid:").filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
        match digits.and_then(|digits| digits.parse().ok()) {
            Some(pid) => Self::Process(pid),
            None => Self::Title { text: text.to_owned(), folded: fold(text) },
        }
    }

    /// How well a window is what is wanted; `None` when it is not.
    pub fn rank(&self, window: &Window) -> Option<Rank> {
        match self {
            Self::Title { text, folded } => rank(&window.title, text, folded),
            Self::Class { name, folded } => {
                let same = |own: &String| {
                    if own == name { Some(Rank::Same) } else { (fold(own) == *folded).then_some(Rank::SameFolded) }
                };
                [&window.class, &window.instance].into_iter().filter_map(same).min()
            }
            Self::Process(pid) => (window.pid == Some(*pid)).then_some(Rank::Same),
        }
    }

    /// The window that is meant: of the best rank; of these one that is managed, then one that can be seen, then the active one, then the topmost.
    pub fn choose<'w>(&self, windows: &'w [Window], active: Option<WindowId>) -> Option<&'w Window> {
        let ranked = windows.iter().filter_map(|window| Some((self.rank(window)?, window)));
        // Of equals the first is kept, which is the topmost.
        ranked
            .min_by_key(|(rank, window)| (*rank, !window.managed, !window.visible, active != Some(window.id)))
            .map(|(_, window)| window)
    }

    /// That no window is what is wanted, with the titles there are and the nearest one.
    pub fn absent(&self, windows: &[Window]) -> String {
        let mut message = match self {
            Self::Title { text, .. } => format!("no window has {} in its title", shown(text)),
            Self::Class { name, .. } => format!("no window has the class {}", shown(name)),
            Self::Process(pid) => format!("no window belongs to the process {pid}"),
        };
        let mut names: Vec<&str> =
            windows.iter().map(|window| self.name_of(window)).filter(|name| !name.is_empty()).collect();
        // Topmost first, and each once.
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(*name));
        if names.is_empty() {
            message += "; there is none with a name";
            return message;
        }
        if let Some(nearest) = self.nearest(&names) {
            message += &format!("; the nearest is {}", shown(nearest));
            names.retain(|name| *name != nearest);
        }
        let told: Vec<String> = names.iter().take(TOLD).map(|name| shown(name)).collect();
        if !told.is_empty() {
            message += &format!("; there are {}", told.join(", "));
        }
        if names.len() > TOLD {
            message += &format!(" and {} more", names.len() - TOLD);
        }
        message
    }

    /// What of a window is compared.
    fn name_of<'w>(&self, window: &'w Window) -> &'w str {
        match self {
            Self::Title { .. } | Self::Process(_) => &window.title,
            Self::Class { .. } => &window.class,
        }
    }

    fn nearest<'n>(&self, names: &[&'n str]) -> Option<&'n str> {
        let (Self::Title { folded, .. } | Self::Class { folded, .. }) = self else { return None };
        let wanted: String = folded.chars().take(SHOWN).collect();
        let limit = (wanted.chars().count() / 3).clamp(1, 6);
        let distance = |name: &str| {
            let name: String = fold(&name.chars().take(2 * SHOWN).collect::<String>());
            // A title is often longer than what is looked for: its words are compared too.
            let words = name.split([' ', '-', '*', '/']).map(|word| strsim::damerau_levenshtein(&wanted, word));
            words.chain([strsim::damerau_levenshtein(&wanted, &name)]).min().unwrap_or(usize::MAX)
        };
        let near = names.iter().map(|name| (distance(name), *name)).filter(|(distance, _)| *distance <= limit);
        near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
    }
}

/// Most windows that a message names.
const TOLD: usize = 6;

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Title { text, .. } => f.write_str(text),
            Self::Class { name, .. } => write!(f, "class:{name}"),
            Self::Process(pid) => write!(f, "pid:{pid}"),
        }
    }
}

/// How well a text has a part, in any case of letters; the rule of titles, for other names too.
pub fn part_of(text: &str, part: &str) -> Option<Rank> {
    rank(text, part, &fold(part))
}

/// A title in a message: in backticks, its beginning when it is long, without control characters.
pub fn shown(title: &str) -> String {
    let mut text: String = title.chars().take(SHOWN).map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect();
    if title.chars().nth(SHOWN).is_some() {
        text.push('…');
    }
    format!("`{text}`")
}

fn rank(text: &str, part: &str, folded_part: &str) -> Option<Rank> {
    if text == part {
        return Some(Rank::Same);
    }
    let folded = fold(text);
    if folded == folded_part {
        Some(Rank::SameFolded)
    } else if text.contains(part) {
        Some(Rank::Part)
    } else {
        folded.contains(folded_part).then_some(Rank::PartFolded)
    }
}

fn fold(text: &str) -> String {
    UniCase::unicode(text).to_folded_case()
}

#[cfg(test)]
mod tests {
    use crate::desktop::geometry::Rect;
    use crate::desktop::title::{Rank, Wanted, part_of, shown};
    use crate::desktop::windows::{Window, WindowId};

    fn window(id: u32, title: &str) -> Window {
        Window {
            id: WindowId(id),
            title: title.to_owned(),
            class: "Gedit".to_owned(),
            instance: "gedit".to_owned(),
            pid: Some(1000 + id),
            area: Rect::default(),
            visible: true,
            managed: true,
            parent: None,
        }
    }

    fn windows(titles: &[&str]) -> Vec<Window> {
        titles.iter().zip(1..).map(|(title, id)| window(id, title)).collect()
    }

    fn chosen(wanted: &str, windows: &[Window]) -> Option<u32> {
        Wanted::new(wanted).choose(windows, None).map(|window| window.id.0)
    }

    #[test]
    fn a_title_is_a_plain_part() {
        let all = windows(&["axb", "a.b", "[draft] (1) *c* + $5 ^", "a b", "a  b"]);
        for (wanted, id) in [("a.b", 2), ("(1) *c* +", 3), ("[draft", 3), ("$5 ^", 3), ("a b", 4), ("a  b", 5)] {
            assert_eq!(chosen(wanted, &all), Some(id), "{wanted}");
        }
        assert_eq!(chosen(".*", &all), None);
        assert_eq!(chosen("0x00", &all), None);
        assert_eq!(chosen("1001", &all), None);
    }

    #[test]
    fn case_folds_as_unicode_has_it() {
        assert_eq!(part_of("STRASSE 5", "straße"), Some(Rank::PartFolded));
        assert_eq!(part_of("ΣΊΣΥΦΟΣ", "σίσυφος"), Some(Rank::SameFolded));
        assert_eq!(part_of("Привет", "ПРИВЕТ"), Some(Rank::SameFolded));
        assert_eq!(part_of("Editor", "edit"), Some(Rank::PartFolded));
        assert_eq!(part_of("Editor", "Edit"), Some(Rank::Part));
        assert_eq!(part_of("Editor", "x"), None);
        assert_eq!(part_of("", "x"), None);
    }

    #[test]
    fn the_whole_title_wins_over_a_part_and_the_same_case_over_another() {
        let all = windows(&["Zen - Editor", "ZEN", "Zen"]);
        assert_eq!(chosen("Zen", &all), Some(3));
        assert_eq!(chosen("zen", &all), Some(2));
        assert_eq!(chosen("Zen ", &all), Some(1));
    }

    #[test]
    fn of_equals_the_managed_the_seen_the_active_and_the_topmost_one_wins() {
        let mut all = windows(&["Same", "Same", "Same", "Same"]);
        assert_eq!(chosen("Same", &all), Some(1));
        all[0].managed = false;
        all[1].visible = false;
        assert_eq!(chosen("Same", &all), Some(3));
        let active = |id| Wanted::new("same").choose(&all, Some(WindowId(id))).map(|window| window.id.0);
        assert_eq!((active(4), active(2), active(1)), (Some(4), Some(3), Some(3)));
    }

    #[test]
    fn classes_and_processes_are_named_by_a_prefix() {
        let mut all = windows(&["a", "b", "class:xterm", "class: Gedit", "pid:x", "pid: 1002"]);
        all[1].class = "XTerm".to_owned();
        all[1].instance = "Terminal of mine".to_owned();
        assert_eq!(chosen("class:xterm", &all), Some(2));
        assert_eq!(chosen("class:terminal OF mine", &all), Some(2));
        assert_eq!(chosen("class:xter", &all), None);
        assert_eq!(chosen("pid:1002", &all), Some(2));
        assert_eq!(chosen("pid:99", &all), None);
        for (title, id) in [("class: Gedit", 4), ("lass:xterm", 3), ("pid:x", 5), ("pid: 1002", 6)] {
            assert_eq!(chosen(title, &all), Some(id), "{title}");
        }
        assert_eq!(Wanted::new("class:x").to_string(), "class:x");
        assert!(matches!(Wanted::new("pid:"), Wanted::Title { .. }));
        assert!(matches!(Wanted::new("pid:99999999999"), Wanted::Title { .. }));
        assert!(matches!(Wanted::new("Class:x"), Wanted::Title { .. }));
    }

    #[test]
    fn what_is_not_there_is_told_with_what_is() {
        let absent = |wanted: &str, titles: &[&str]| Wanted::new(wanted).absent(&windows(titles));
        assert_eq!(absent("x", &[]), "no window has `x` in its title; there is none with a name");
        let told = absent("Editro", &["Mail", "a.txt - Editor", "Files"]);
        assert_eq!(
            told,
            "no window has `Editro` in its title; the nearest is `a.txt - Editor`; there are `Mail`, `Files`"
        );
        assert_eq!(absent("zzzz", &["a", "b", "a"]), "no window has `zzzz` in its title; there are `a`, `b`");
        let many: Vec<String> = (0..40).map(|number| format!("window {number}")).collect();
        let told = absent("zzz", &many.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(told.ends_with("`window 5` and 34 more"), "{told}");
        assert_eq!(absent("class:x", &["a", "b"]), "no window has the class `x`; there are `Gedit`");
        assert!(absent("pid:7", &["a"]).starts_with("no window belongs to the process 7; there are `a`"));
        let long = absent("x", &[&"y\u{1b}".repeat(10_000)]);
        assert!(long.len() < 500 && !long.contains('\u{1b}'), "{long}");
        assert_eq!(shown("a\nb"), "`a\u{FFFD}b`");
    }
}
