//! `agent_hints`: free metadata with a few known keys, whose words are checked.

use spec::danger::DangerLevel;
use spec::value::{Dict, Value};

use crate::parse::Context;
use crate::yaml::Node;

impl Context<'_> {
    /// The hints as a dict; null is an empty one.
    pub fn hints(&mut self, node: &Node) -> Value {
        let Some(entries) = node.map() else {
            if !node.is_null() {
                self.wrong_shape(node, "`agent_hints` must be a mapping");
            }
            return Value::Dict(Dict::new());
        };
        for entry in entries {
            match &*entry.key.node {
                DangerLevel::KEY => drop(self.word(&entry.value, DangerLevel::KEY, DangerLevel::NAMES)),
                "side_effects" => drop(self.items(&entry.value, "side_effects")),
                "reversible" | "recorded" => drop(self.boolean(&entry.value, &entry.key.node)),
                "estimated_duration_ms" => drop(self.whole(&entry.value, "estimated_duration_ms", 0, u64::MAX)),
                _ => {}
            }
        }
        self.value(node)
    }
}
