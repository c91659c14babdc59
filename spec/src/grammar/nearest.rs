//! The known name that was probably meant by an unknown one.

/// The name of `known` nearest to `found` by edits and swapped neighbours, when it is near enough to be a slip of the
/// hand: one edit in three characters, four at most, and never as many as the name has characters. Without one, the only
/// name that begins with `found`, of three characters or more. Case is ignored.
pub fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// No name is this long, and the distance of two long texts is expensive.
    const LONGEST: usize = 128;
    if found.len() > LONGEST {
        return None;
    }
    let found = found.to_lowercase();
    let limit = (found.chars().count() / 3).clamp(1, 4);
    let mut best: Option<(usize, &str)> = None;
    let mut begun = Vec::new();
    for name in known {
        let lower = name.to_lowercase();
        let distance = strsim::damerau_levenshtein(&found, &lower);
        let near = distance <= limit && distance < name.chars().count();
        if near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
        if found.len() >= 3 && lower.starts_with(&found) {
            begun.push(name);
        }
    }
    match (best, begun.as_slice()) {
        (Some((_, name)), _) => Some(name),
        (None, [only]) => Some(only),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_slips_and_nothing_far() {
        assert_eq!(nearest("shfit", ["ctrl", "shift"]), Some("shift"));
        assert_eq!(nearest("SHIFT", ["ctrl", "shift"]), Some("shift"));
        assert_eq!(nearest("banana", ["ctrl", "shift"]), None);
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest("native", ["native_api", "gui_macro"]), Some("native_api"));
        assert_eq!(nearest("gui", ["gui_macro", "gui_agent"]), None);
        assert_eq!(nearest(&"shift".repeat(100_000), ["shift"]), None);
    }
}
