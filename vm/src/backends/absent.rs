//! A backend that cannot be used: every action of it fails with the same reason.

use spec::action::{Backend, arguments, outputs};

use crate::failure::{Failure, FailureKind};
use crate::world::{Availability, Call, FileTransform, GuiAgent, GuiMacro, NativeApi, SemanticUi, VisualAnchor};

/// A backend that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent {
    backend: Backend,
    reason: String,
    install_hint: Option<String>,
}

impl Absent {
    /// A backend that cannot be used for this reason.
    pub fn new(backend: Backend, reason: &str, install_hint: Option<&str>) -> Self {
        Self { backend, reason: reason.to_owned(), install_hint: install_hint.map(str::to_owned) }
    }

    /// Why it cannot be used, and what to do.
    pub fn availability(&self) -> Availability {
        Availability::Unavailable { reason: self.reason.clone(), install_hint: self.install_hint.clone() }
    }

    fn failure(&self) -> Failure {
        let message = format!("`{}` is unavailable: {}", self.backend.name(), self.reason);
        Failure { hint: self.install_hint.clone(), ..Failure::new(FailureKind::Unavailable, message) }
    }
}

macro_rules! absent {
    ($(
        $(#[doc = $backend_doc:literal])*
        $backend:ident $Backend:ident $priority:literal {
            $(
                $(#[doc = $doc:literal])*
                $number:literal $name:ident $Action:ident: $effect:ident, same as [$($same:ident),*] { $($parameters:tt)* } -> { $($outputs:tt)* }
            )*
        }
    )*) => {
        $(impl $Backend for Absent {
            $(fn $name(&mut self, _: &arguments::$Action, _: &Call<'_>) -> Result<outputs::$Action, Failure> {
                Err(self.failure())
            })*
        })*
    };
}

spec::for_each_action!(absent);
