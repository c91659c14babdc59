//! "Allowed are … ; did you mean …": the two things an author wants to know about an unknown name.

/// The name of `allowed` nearest to `found`, when one is near enough to be a slip of the hand.
pub fn nearest<'a>(found: &str, allowed: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let found = found.to_lowercase();
    // One slip in three characters, and never the whole of a short word.
    let limit = (found.chars().count() / 3).clamp(1, 4);
    allowed
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&found, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= limit && *distance < name.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// "did you mean `x`? allowed: `a`, `b` and `c`", with the first part only when a name is near.
pub fn help(found: &str, allowed: &[&str]) -> String {
    let list = list(allowed);
    match nearest(found, allowed.iter().copied()) {
        Some(name) => format!("did you mean `{name}`? allowed: {list}"),
        None => format!("allowed: {list}"),
    }
}

/// "`a`, `b` and `c`".
pub fn list(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => format!("`{one}`"),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(|name| format!("`{name}`")).collect();
            format!("{} and `{last}`", first.join(", "))
        }
    }
}
