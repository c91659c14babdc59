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
// and routes · E04xx conditions · E05xx calls of other macros · E06xx recordings and images · E07xx secrets ·
// W… warnings.
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
    UnreadableMacro "E0015" Error "a macro's file that cannot be read";
    UnknownKey "E0101" Error "a key that means nothing here";
    WrongShape "E0102" Error "a value of the wrong shape";
    MissingKey "E0103" Error "a required key is missing";
    BadName "E0104" Error "a name with characters it may not have";
    DuplicateName "E0105" Error "the same name twice";
    UnknownWord "E0106" Error "a word that is not one of those allowed";
    BadDuration "E0107" Error "a duration that cannot be read or is out of range";
    ConflictingKeys "E0108" Error "two keys that exclude each other";
    BadDefault "E0109" Error "a default, enum or range that contradicts its parameter";
    OutOfRange "E0110" Error "a number outside its range";
    BadManifest "E0111" Error "a manifest that does not say what is there";
    BadExpression "E0201" Error "an expression that cannot be read";
    UnknownVariable "E0202" Error "a name that no parameter, step or loop declares";
    UnknownFunction "E0203" Error "a function that does not exist";
    FunctionArity "E0204" Error "a function with too few or too many arguments";
    TypeMismatch "E0205" Error "a value of a type that does not fit its place";
    UnknownStep "E0206" Error "a step that does not exist";
    StepOrder "E0207" Error "an output read before its step has run";
    UnknownOutput "E0208" Error "an output that its step does not have";
    MaybeAbsent "E0209" Error "a value that may be absent where it is read";
    NeverThere "E0210" Error "an output that its step never leaves as it is written";
    UnknownBackend "E0301" Error "a backend that does not exist";
    UnknownAction "E0302" Error "an action that its backend does not have";
    UnknownParameter "E0303" Error "a parameter that an action or macro does not have";
    MissingParameter "E0304" Error "a required parameter that is not given";
    BadArgument "E0305" Error "a value that its parameter cannot take";
    BadCommand "E0306" Error "a command written as one text that is no plain list of words";
    NoBackend "E0307" Error "a step that no backend of the target can do";
    BadFallback "E0308" Error "a fallback that cannot stand in";
    NestedRecovery "E0309" Error "recovery inside recovery";
    BadCondition "E0401" Error "a condition of the wrong shape";
    UnknownCondition "E0402" Error "a condition that does not exist";
    ConditionArity "E0403" Error "a condition with too few or too many values";
    UnknownMacro "E0501" Error "a call of a macro that does not exist";
    CallCycle "E0502" Error "macros that call each other in a circle";
    NotComposable "E0503" Error "a call of a macro that is not made to be called";
    BrokenCallee "E0504" Error "a call of a macro that has mistakes";
    UnreadableFile "E0601" Error "a recording or image that cannot be read";
    BadRecording "E0602" Error "a recording with mistakes";
    BadImage "E0603" Error "an image that cannot be used";
    SecretInFile "E0701" Error "the value of a secret in the file";
    SecretShown "E0702" Error "a secret where it could be seen";
    UnusedParameter "W0101" Warning "a parameter that nothing reads";
    UnreachableStep "W0102" Warning "a step that never runs";
    ConstantCondition "W0103" Warning "a condition that is always the same";
    UnsafeRetry "W0104" Warning "a retry of something that must not be done twice";
    OutputNotProduced "W0105" Warning "an output that no step can have produced";
    MaybeMissingParameter "W0106" Warning "a parameter that may have no value where it is read";
    UncheckedConversion "W0107" Warning "a text where another type is wanted";
    RequiredDefault "W0108" Warning "a default that is never used";
    NoBackendForgiven "W0109" Warning "a step that the target cannot do, and that is forgiven";
    NoEffect "W0110" Warning "a setting that has no effect";
    CutShort "W0111" Warning "a wait that the step's timeout cuts short";
    FlatImage "W0601" Warning "an image without detail";
    SensitiveName "W0701" Warning "a parameter that is named like a secret";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
