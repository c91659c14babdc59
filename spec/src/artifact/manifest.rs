//! What running a macro touches, inferred by the compiler.

use wincode::{SchemaRead, SchemaWrite};

/// The capabilities a macro uses. Texts may hold `${…}` where a value is only known in a run. Lists are sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, SchemaWrite, SchemaRead)]
pub struct Manifest {
    /// The backends its steps name.
    pub backends: Vec<String>,
    /// Programs run.
    pub programs: Vec<String>,
    /// Files read.
    pub reads: Vec<String>,
    /// Files written, made or deleted.
    pub writes: Vec<String>,
    /// Environment variables read.
    pub environment: Vec<String>,
    /// Parts of window titles and application names.
    pub windows: Vec<String>,
    /// Servers asked.
    pub hosts: Vec<String>,
    /// Whether it types or presses keys.
    pub types: bool,
    /// Whether it moves or clicks the pointer.
    pub clicks: bool,
    /// Whether it looks at the screen.
    pub captures: bool,
    /// Whether it asks a model.
    pub model: bool,
}
