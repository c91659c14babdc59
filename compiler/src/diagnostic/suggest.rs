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
