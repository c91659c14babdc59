//! The names of tools.

use xxhash_rust::xxh3::xxh3_64;

/// The longest name, in characters: clients add their own name for the server in front, and some allow 64 for both.
const LONGEST: usize = 48;

/// The name of a macro's tool: the macro's own, where that can be a tool's name and is not taken by `reserved`; else one made of it that
/// depends on nothing but the macro's name, so that it stays the same whatever other macros there are.
pub fn tool(name: &str, reserved: &[&str]) -> String {
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    if !name.is_empty() && name.len() <= LONGEST && name.chars().all(allowed) && !reserved.contains(&name) {
        return name.to_owned();
    }
    let hash = format!("_{:08x}", xxh3_64(name.as_bytes()) & 0xffff_ffff);
    let letters = name.chars().map(|letter| if allowed(letter) { letter } else { '_' });
    let mut short: String = letters.take(LONGEST - hash.len()).collect();
    short.push_str(&hash);
    short
}

/// The name for people: `backup_folder` is "Backup folder".
pub fn title(name: &str) -> String {
    let words = name.replace(['_', '-'], " ");
    let words = words.trim();
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::mcp::name::{title, tool};

    #[test]
    fn names_are_kept_where_they_can_be() {
        assert_eq!(tool("backup_folder", &["run_status"]), "backup_folder");
        assert_eq!(tool("01-a", &[]), "01-a");
    }

    #[test]
    fn other_names_are_made_of_them_and_differ() {
        let long = "x".repeat(128);
        let made =
            ["run_status", "a.b", "a/b", "é", "", long.as_str(), &long[1..]].map(|name| tool(name, &["run_status"]));
        for name in &made {
            assert!((9..=48).contains(&name.len()), "{name}");
            assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'), "{name}");
        }
        let different: std::collections::BTreeSet<_> = made.iter().collect();
        assert_eq!(different.len(), made.len());
        assert!(made[0].starts_with("run_status_"));
    }

    #[test]
    fn titles_are_words() {
        assert_eq!(title("backup_folder"), "Backup folder");
        assert_eq!(title("_x-y"), "X y");
        assert_eq!(title(""), "");
    }
}
