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
    /// Environment variables read, and those that commands are given.
    pub environment: Vec<String>,
    /// Parts of window titles and application names; `*` for every window.
    pub windows: Vec<String>,
    /// Servers asked.
    pub hosts: Vec<String>,
    /// Whether it types, presses keys or sets the text of fields.
    pub types: bool,
    /// Whether it moves or clicks the pointer, or presses, selects, closes or moves things without it.
    pub clicks: bool,
    /// Whether it looks at the screen.
    pub captures: bool,
    /// Whether it asks a model.
    pub model: bool,
}

/// A kind of thing a macro can touch, as policies name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// Running programs.
    Run,
    /// Reading files.
    Read,
    /// Writing, making and deleting files.
    Write,
    /// Reading environment variables, and setting those of commands.
    Env,
    /// Finding windows and applications.
    Window,
    /// Asking servers.
    Host,
    /// Typing and pressing keys.
    Type,
    /// Moving and clicking the pointer.
    Click,
    /// Looking at the screen.
    Capture,
    /// Asking a model.
    Model,
}

impl Capability {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Capability; 10] = [
        Self::Run,
        Self::Read,
        Self::Write,
        Self::Env,
        Self::Window,
        Self::Host,
        Self::Type,
        Self::Click,
        Self::Capture,
        Self::Model,
    ];

    /// The word in a policy.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Read => "read",
            Self::Write => "write",
            Self::Env => "env",
            Self::Window => "window",
            Self::Host => "host",
            Self::Type => "type",
            Self::Click => "click",
            Self::Capture => "capture",
            Self::Model => "model",
        }
    }

    /// The capability of that word.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Whether it is about something with a name: a program, a file, a window.
    pub const fn is_named(self) -> bool {
        match self {
            Self::Run | Self::Read | Self::Write | Self::Env | Self::Window | Self::Host => true,
            Self::Type | Self::Click | Self::Capture | Self::Model => false,
        }
    }
}

impl Manifest {
    /// Every capability that is used, with the names of what is touched; an empty name where it has none.
    pub fn entries(&self) -> Vec<(Capability, &str)> {
        let named = [
            (Capability::Run, &self.programs),
            (Capability::Read, &self.reads),
            (Capability::Write, &self.writes),
            (Capability::Env, &self.environment),
            (Capability::Window, &self.windows),
            (Capability::Host, &self.hosts),
        ];
        let devices = [
            (Capability::Type, self.types),
            (Capability::Click, self.clicks),
            (Capability::Capture, self.captures),
            (Capability::Model, self.model),
        ];
        let names = named.into_iter().flat_map(|(kind, names)| names.iter().map(move |name| (kind, name.as_str())));
        names.chain(devices.into_iter().filter(|(_, used)| *used).map(|(kind, _)| (kind, ""))).collect()
    }
}
