//! The backends of the real world, one file or folder each. None knows another.

pub mod conditions;
pub mod file_transform;
pub mod gui_agent;
pub mod gui_macro;
pub mod native_api;
pub mod semantic_ui;
#[cfg(test)]
pub(crate) mod testing;
pub mod visual_anchor;
