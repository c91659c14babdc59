//! Where a macro is to run, and which backends are there.

use spec::action::Backend;

macro_rules! targets {
    ($($(#[doc = $doc:literal])* $Target:ident $name:literal: $($Backend:ident)*;)*) => {
        /// A kind of machine a macro is checked for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Target { $($(#[doc = $doc])* $Target,)* }

        impl Target {
            /// Every target.
            pub const ALL: &'static [Target] = &[$(Target::$Target,)*];

            /// The name on the command line.
            pub const fn name(self) -> &'static str {
                match self { $(Target::$Target => $name,)* }
            }

            /// Whether machines of this kind can have a backend.
            pub fn has(self, backend: Backend) -> bool {
                let backends: &[Backend] = match self { $(Target::$Target => &[$(Backend::$Backend),*],)* };
                backends.contains(&backend)
            }
        }
    };
}

targets! {
    /// Nothing is known of the machine.
    Any "any": NativeApi GuiMacro VisualAnchor FileTransform GuiAgent SemanticUi;
    /// Linux with an X server.
    LinuxX11 "linux-x11": NativeApi GuiMacro VisualAnchor FileTransform GuiAgent SemanticUi;
    /// Linux with a Wayland compositor.
    LinuxWayland "linux-wayland": NativeApi GuiMacro VisualAnchor FileTransform GuiAgent SemanticUi;
    /// Linux without a display.
    LinuxHeadless "linux-headless": NativeApi FileTransform;
    /// macOS.
    MacOs "macos": NativeApi GuiMacro VisualAnchor FileTransform GuiAgent;
    /// Windows.
    Windows "windows": NativeApi GuiMacro VisualAnchor FileTransform GuiAgent;
}

impl Target {
    /// The target of that name; `host` is the caller's to resolve.
    pub fn by_name(name: &str) -> Option<Target> {
        Target::ALL.iter().copied().find(|target| target.name() == name)
    }
}
