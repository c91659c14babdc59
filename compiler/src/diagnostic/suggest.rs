//! "Allowed are … ; did you mean …": the two things an author wants to know about an unknown name.

use spec::grammar::nearest::nearest;

/// "did you mean `x`? allowed: `a`, `b` and `c`", with the first part only when a name is near.
pub fn help(found: &str, allowed: &[&str]) -> String {
    let list = list(allowed);
    match nearest(found, allowed.iter().copied()) {
        Some(name) => format!("did you mean `{name}`? allowed: {list}"),
        None => format!("allowed: {list}"),
    }
}

/// "`a`, `b` and `c`"; of very many, the first ones.
pub fn list(names: &[&str]) -> String {
    /// The largest table of ours, and more than a person reads.
    const MOST: usize = 40;
    let quoted = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match names {
        [] => "nothing".to_owned(),
        [one] => format!("`{one}`"),
        _ if names.len() > MOST => format!("{} and {} more", quoted(&names[..MOST]), names.len() - MOST),
        [first @ .., last] => format!("{} and `{last}`", quoted(first)),
    }
}

/// "`a`", or "any of `a`, `b` and `c`".
pub fn either(names: &[&str]) -> String {
    if names.len() < 2 { list(names) } else { format!("any of {}", list(names)) }
}
