//! Where a path leads in a checked document.

use crate::edit::json::error::{JsonEditError, show};
use crate::edit::json::lex::Document;
use crate::edit::json::scan::{Child, Kind, Node, children};

/// Lists and objects on the way, from the root inwards, and what was found at their end.
pub(crate) struct Located {
    /// The containers the path went through; the last holds the target or lacks it.
    pub(crate) chain: Vec<Container>,
    /// How many segments exist.
    pub(crate) found: usize,
    /// The scalar that stands in the way of the next segment.
    pub(crate) blocked: Option<Kind>,
}

/// A list or object and those of its children an edit has to know.
pub(crate) struct Container {
    pub(crate) node: Node,
    /// How many children it has.
    pub(crate) count: usize,
    /// The child the path names; of a key that is written twice, the last.
    pub(crate) target: Option<Child>,
    /// The child before the target.
    pub(crate) previous: Option<Child>,
    /// The child after the target.
    pub(crate) next: Option<Child>,
    /// The last child.
    pub(crate) last: Option<Child>,
    /// Whether the key is written more than once.
    pub(crate) duplicate: bool,
}

/// Follows `path` from `root` as far as it exists.
///
/// # Errors
/// A list's segment that is no index; a scalar root when the path is not empty.
pub(crate) fn locate(document: &Document<'_>, root: &Node, path: &[String]) -> Result<Located, JsonEditError> {
    let mut located = Located { chain: Vec::new(), found: 0, blocked: None };
    let mut node = root.clone();
    for (depth, segment) in path.iter().enumerate() {
        if !matches!(node.kind, Kind::Object | Kind::List) {
            if depth == 0 {
                let position = document.position(root.range.start);
                return Err(JsonEditError::RootScalar { position, kind: root.kind.name(), path: show(path) });
            }
            located.blocked = Some(node.kind);
            break;
        }
        if node.kind == Kind::List && index(segment).is_none() {
            return Err(JsonEditError::NotAnIndex { prefix: show(&path[..depth]), segment: segment.clone() });
        }
        let container = look(document, node, segment)?;
        let target = container.target.as_ref().map(|child| child.value.clone());
        located.chain.push(container);
        match target {
            Some(value) => {
                node = value;
                located.found += 1;
            }
            None => break,
        }
    }
    Ok(located)
}

/// Why the path does not exist, for a `located` that ended early.
pub(crate) fn missing(document: &Document<'_>, located: &Located, path: &[String]) -> JsonEditError {
    let prefix = show(&path[..located.found]);
    let segment = path.get(located.found).cloned().unwrap_or_default();
    if let Some(kind) = located.blocked {
        return JsonEditError::Scalar { prefix, kind: kind.name(), segment };
    }
    match located.chain.last() {
        Some(list) if list.node.kind == Kind::List => JsonEditError::OutOfRange { prefix, segment, length: list.count },
        Some(object) => {
            let nearest = nearest(document, &object.node, &segment);
            JsonEditError::Missing { path: show(path), prefix, segment, nearest }
        }
        None => JsonEditError::Missing { path: show(path), prefix, segment, nearest: None },
    }
}

/// A list's index: decimal digits without sign and leading zeros. Beyond the machine's range it is beyond any list.
pub(crate) fn index(segment: &str) -> Option<usize> {
    let digits = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
    (digits && (segment == "0" || !segment.starts_with('0'))).then(|| segment.parse().unwrap_or(usize::MAX))
}

fn look(document: &Document<'_>, node: Node, segment: &str) -> Result<Container, JsonEditError> {
    let wanted = (node.kind == Kind::List).then(|| index(segment)).flatten();
    let mut walk = children(document, &node);
    let mut container =
        Container { node, count: 0, target: None, previous: None, next: None, last: None, duplicate: false };
    let mut follows = false;
    while let Some((name, child)) = walk.next()? {
        if follows {
            container.next = Some(child.clone());
        }
        follows = match &child.key {
            // A lone surrogate equals no text.
            Some(key) => name == segment && !document.is_masked(key.clone()),
            None => wanted == Some(container.count),
        };
        if follows {
            container.duplicate = container.target.is_some();
            container.target = Some(child.clone());
            container.previous = container.last.take();
            container.next = None;
        }
        container.count += 1;
        container.last = Some(child);
    }
    Ok(container)
}

/// Among the first keys only: a message is not worth more.
fn nearest(document: &Document<'_>, object: &Node, segment: &str) -> Option<String> {
    const KEYS: usize = 10_000;
    const LENGTH: usize = 64;
    let wanted = segment.to_lowercase();
    if wanted.len() > LENGTH {
        return None;
    }
    let limit = (wanted.chars().count() / 3).clamp(1, 4);
    let mut best: Option<(usize, String)> = None;
    let mut walk = children(document, object);
    for _ in 0..KEYS {
        let Ok(Some((name, _))) = walk.next() else { break };
        if name.len() > LENGTH {
            continue;
        }
        let distance = strsim::damerau_levenshtein(&wanted, &name.to_lowercase());
        let nearer = best.as_ref().is_none_or(|(least, _)| distance < *least);
        // A one-letter slip in a one-letter name is still the likeliest name there is.
        if nearer && distance <= limit {
            best = Some((distance, name.into_owned()));
        }
    }
    best.map(|(_, name)| name)
}
