//! What a macro's text may cost. Each limit is far above any macro written by hand and keeps hostile text cheap.

/// Largest file, in bytes: as stored when it is opened, as decoded when it is read.
pub const MAX_BYTES: usize = 1 << 20;

/// Deepest nesting of lists and mappings, aliases followed.
pub const MAX_DEPTH: usize = 64;

/// Most nodes (scalars, lists and mappings that are not keys) once aliases are replaced by what they name; the copy kept
/// of every anchored value counts too.
pub const MAX_NODES: usize = 100_000;

/// Most bytes of decoded text in the tree once aliases are replaced by what they name, kept copies included.
pub const MAX_TEXT: usize = 4 << 20;

/// Most faults reported for one file before the one that ends its reading; further ones are left out.
pub const MAX_REPORTS: usize = 100;
