//! Patterns of names: `*` is any part, in paths without a slash, `**` any folders, `?` one character, `[…]` some, `{a,b}` either.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use spec::artifact::Capability;
use thiserror::Error;

use crate::need::{Need, literal};
use crate::policy::place::{absolute, named, real};
use crate::process;
use crate::server;

/// Characters that mean something in a pattern.
const SPECIAL: [char; 5] = ['*', '?', '[', '{', '\\'];

/// A pattern.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Everything.
    Any,
    /// A name.
    Name(GlobMatcher),
    /// An absolute path.
    Path(Vec<GlobMatcher>),
}

/// Why a text is no pattern.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PatternError {
    /// It is empty.
    #[error("a pattern must not be empty; `*` allows everything")]
    Empty,
    /// The capability is about no names.
    #[error("`{0}` takes no pattern: it is allowed or not")]
    Nameless(&'static str),
    /// `..` behind a wildcard leads nowhere in particular.
    #[error("`..` cannot stand behind a wildcard in `{0}`")]
    UpBehindWildcard(String),
    /// `~/` without a home, or no current folder.
    #[error("`{0}` is relative to a folder that cannot be found")]
    Nowhere(String),
    /// Brackets that do not close and the like.
    #[error("`{pattern}` is no pattern: {reason}")]
    Malformed {
        /// The pattern.
        pattern: String,
        /// Why.
        reason: String,
    },
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Pattern::Any, Pattern::Any) => true,
            (Pattern::Name(left), Pattern::Name(right)) => left.glob() == right.glob(),
            (Pattern::Path(left), Pattern::Path(right)) => {
                left.iter().map(GlobMatcher::glob).eq(right.iter().map(GlobMatcher::glob))
            }
            (Pattern::Any | Pattern::Name(_) | Pattern::Path(_), _) => false,
        }
    }
}

impl Pattern {
    /// The pattern of a capability as a policy writes it.
    ///
    /// # Errors
    /// See [`PatternError`].
    pub fn of(capability: Capability, text: &str) -> Result<Pattern, PatternError> {
        if text.is_empty() {
            return Err(PatternError::Empty);
        }
        if capability.is_named() && matches!(text, "*" | "**") {
            return Ok(Pattern::Any);
        }
        match capability {
            Capability::Type | Capability::Click | Capability::Capture | Capability::Model => {
                Err(PatternError::Nameless(capability.name()))
            }
            Capability::Read | Capability::Write => path(text),
            Capability::Run if text.contains('/') || text.starts_with('~') => path(text),
            Capability::Run | Capability::Env => name(text, false),
            Capability::Window | Capability::Host => name(text, true),
        }
    }
}

/// Whether one of the patterns of its capability matches a need.
pub fn matches<'p>(patterns: impl Iterator<Item = &'p Pattern> + Clone, need: &Need) -> bool {
    let is_name = |name: &str| {
        patterns.clone().any(|pattern| matches!(pattern, Pattern::Name(glob) if glob.is_match(Path::new(name))))
    };
    let is_path = |path: Option<PathBuf>| {
        let Some(path) = path else { return false };
        patterns
            .clone()
            .any(|pattern| matches!(pattern, Pattern::Path(globs) if globs.iter().any(|glob| glob.is_match(&path))))
    };
    match need.capability {
        Capability::Env | Capability::Window => is_name(&need.name),
        Capability::Host => server::parse(&need.name).is_ok_and(|url| {
            let host = server::host(&url);
            is_name(&host) || url.port_or_known_default().is_some_and(|port| is_name(&format!("{host}:{port}")))
        }),
        Capability::Run => {
            if !need.name.contains('/') && is_name(&need.name) {
                return true;
            }
            let file = program(&need.name);
            is_path(file.as_deref().and_then(named)) || is_path(file.as_deref().and_then(real))
        }
        Capability::Read => NOTHING == need.name || is_path(absolute(&need.name).as_deref().and_then(real)),
        // A link itself may be replaced or deleted, and what it leads to changed: both must be allowed.
        Capability::Write => {
            let path = written(need);
            NOTHING == need.name
                || (is_path(path.as_deref().and_then(named)) && is_path(path.as_deref().and_then(real)))
        }
        Capability::Type | Capability::Click | Capability::Capture | Capability::Model => false,
    }
}

/// Whether a need writes one of these places.
pub fn writes(need: &Need, places: &[PathBuf]) -> bool {
    if need.capability != Capability::Write || places.is_empty() {
        return false;
    }
    let path = written(need);
    let found = [path.as_deref().and_then(named), path.as_deref().and_then(real)];
    found.into_iter().flatten().any(|path| places.contains(&path))
}

/// The name of a need as it is judged.
pub fn shown(need: &Need) -> String {
    let path = match need.capability {
        Capability::Read => absolute(&need.name).as_deref().and_then(real),
        Capability::Write => written(need).as_deref().and_then(real),
        Capability::Run if need.name.contains('/') => program(&need.name).as_deref().and_then(named),
        Capability::Host => {
            return server::parse(&need.name).map_or(need.name.clone(), |url| match url.port() {
                Some(port) => format!("{}:{port}", server::host(&url)),
                None => server::host(&url),
            });
        }
        Capability::Run
        | Capability::Env
        | Capability::Window
        | Capability::Type
        | Capability::Click
        | Capability::Capture
        | Capability::Model => None,
    };
    path.map_or(need.name.clone(), |path| path.display().to_string())
}

/// A name as the pattern that matches it alone; a folder with all that is in it.
pub fn escaped(capability: Capability, name: &str) -> String {
    let pattern = literal(name);
    let folder = capability == Capability::Write && Path::new(name).is_dir();
    if folder { format!("{}/**", pattern.trim_end_matches('/')) } else { pattern }
}

/// What every program may read and write: there is nothing in it.
const NOTHING: &str = "/dev/null";

/// The file a need writes: its own, or the one inside when it is a folder.
fn written(need: &Need) -> Option<PathBuf> {
    let path = absolute(&need.name)?;
    Some(match &need.inside {
        Some(inside) if path.is_dir() => path.join(inside),
        Some(_) | None => path,
    })
}

/// The file of a program.
fn program(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return absolute(name);
    }
    process::resolve(name, None, std::env::var_os("PATH").as_deref()).ok()
}

fn name(text: &str, any_case: bool) -> Result<Pattern, PatternError> {
    let mut builder = GlobBuilder::new(text);
    builder.backslash_escape(true).case_insensitive(any_case);
    compiled(text, &builder).map(Pattern::Name)
}

/// A pattern of paths: its folders up to the first wildcard are where they really are.
fn path(text: &str) -> Result<Pattern, PatternError> {
    let fixed: usize = text.split_inclusive('/').take_while(|part| !part.contains(SPECIAL)).map(str::len).sum();
    let (fixed, wild) = text.split_at(fixed);
    if wild.split('/').any(|part| part == "..") {
        return Err(PatternError::UpBehindWildcard(text.to_owned()));
    }
    let base = absolute(fixed).as_deref().and_then(real);
    let base = base.ok_or_else(|| PatternError::Nowhere(text.to_owned()))?;
    let base = literal(&base.display().to_string());
    let wild = wild.trim_start_matches("./");
    let whole = if wild.is_empty() { base.clone() } else { format!("{}/{wild}", base.trim_end_matches('/')) };
    let mut globs = Vec::new();
    // `dir/**` is the folder, too.
    for pattern in
        [Some(whole.as_str()), whole.strip_suffix("/**").filter(|folder| !folder.is_empty())].into_iter().flatten()
    {
        let mut builder = GlobBuilder::new(pattern);
        builder.backslash_escape(true).literal_separator(true);
        globs.push(compiled(text, &builder)?);
    }
    Ok(Pattern::Path(globs))
}

fn compiled(pattern: &str, builder: &GlobBuilder<'_>) -> Result<GlobMatcher, PatternError> {
    let glob = builder.build();
    glob.map(|glob| glob.compile_matcher())
        .map_err(|error| PatternError::Malformed { pattern: pattern.to_owned(), reason: error.kind().to_string() })
}
