//! Every diagnostic code there is. `spec/checks.md` has an entry for each; a number is never reused.

use std::fmt;

/// Whether a diagnostic stops the build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The macro cannot be built.
    Error,
    /// The macro is built; something looks wrong.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

macro_rules! codes {
    ($($name:ident $text:literal $severity:ident $title:literal;)*) => {
        /// A stable diagnostic code; its variant says what it means, its text (`E0107`) is what people see.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $title] $name,)*
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The code as it is printed.
            pub const fn text(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }

            /// What the code is about, in a few words.
            pub const fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }

            /// Error or warning.
            pub const fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity,)* }
            }
        }
    };
}

// E00xx the text as YAML · E01xx keys, shapes and names · E02xx expressions and types · E03xx actions, their parameters
// and routes · E04xx conditions · E05xx calls of other macros · E06xx recordings and images · W… warnings.
codes! {
    InvalidYaml "E0001" Error "the text is not valid YAML";
    NotUtf8 "E0002" Error "the file is not UTF-8 text";
    DuplicateKey "E0003" Error "a mapping has the same key twice";
    LimitExceeded "E0004" Error "the file is larger, deeper or more aliased than a macro may be";
    SeveralDocuments "E0005" Error "the file holds more than one document";
    EmptyDocument "E0006" Error "the file holds no macro";
    UnknownAnchor "E0007" Error "an alias whose anchor is not defined before it";
    RecursiveAlias "E0008" Error "an alias inside the very value it names";
    UnsupportedTag "E0009" Error "a tag that is none of the core ones";
    TagMismatch "E0010" Error "a value that is not what its tag says";
    BadKey "E0011" Error "a mapping key that is not a text";
    BadMerge "E0012" Error "a merge of something that is no mapping";
    TabIndent "E0013" Error "a tab used as indentation";
    ControlCharacter "E0014" Error "a control character, which YAML does not allow";
    UnknownKey "E0101" Error "a key that means nothing here";
    WrongShape "E0102" Error "a value of the wrong shape";
    MissingKey "E0103" Error "a required key is missing";
    BadName "E0104" Error "a name with characters it may not have";
    DuplicateName "E0105" Error "the same name twice";
    UnknownWord "E0106" Error "a word that is not one of those allowed";
    BadDuration "E0107" Error "a duration that cannot be read or is out of range";
    ConflictingKeys "E0108" Error "two keys that exclude each other";
    BadDefault "E0109" Error "a default, enum or range that contradicts its parameter";
    BadExpression "E0201" Error "an expression that cannot be read";
    UnknownVariable "E0202" Error "a name that no parameter, step or loop declares";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
