//! The known name that was probably meant by an unknown one.

/// The name of `known` nearest to `found` by edits and swapped neighbours, when it is near enough to be a slip of the
/// hand: one edit in three characters, four at most, and never as many as the name has characters. Case is ignored.
pub fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// No name is this long, and the distance of two long texts is expensive.
    const LONGEST: usize = 128;
    if found.len() > LONGEST {
        return None;
    }
    let found = found.to_lowercase();
    let limit = (found.chars().count() / 3).clamp(1, 4);
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&found, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= limit && *distance < name.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
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
        assert_eq!(nearest(&"shift".repeat(100_000), ["shift"]), None);
    }
}
