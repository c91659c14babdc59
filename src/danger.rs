//! How dangerous an artifact calls itself.

use serde_json::Value;
use spec::artifact::Artifact;
use spec::danger::DangerLevel;

/// What an artifact says of itself, or of the macros that were linked with it.
pub fn of(artifact: &Artifact) -> DangerLevel {
    let hints: Value = serde_json::from_str(&artifact.meta.agent_hints).unwrap_or(Value::Null);
    level(&hints[DangerLevel::KEY])
}

/// What a hint means; without one nothing is dangerous, and what no compiler writes is the worst.
pub fn level(hint: &Value) -> DangerLevel {
    match hint {
        Value::Null => DangerLevel::default(),
        Value::String(word) => DangerLevel::of(word),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => DangerLevel::Dangerous,
    }
}

#[cfg(test)]
mod tests {
    use spec::artifact::Artifact;
    use spec::danger::DangerLevel;

    use crate::danger::of;

    #[test]
    fn only_words_of_the_compiler_are_harmless() {
        for (hints, level) in [
            ("", DangerLevel::Safe),
            ("null", DangerLevel::Safe),
            ("{}", DangerLevel::Safe),
            (r#"{"danger_level": "safe"}"#, DangerLevel::Safe),
            (r#"{"danger_level": "moderate"}"#, DangerLevel::Moderate),
            (r#"{"danger_level": "dangerous"}"#, DangerLevel::Dangerous),
            (r#"{"danger_level": "Dangerous"}"#, DangerLevel::Dangerous),
            (r#"{"danger_level": ["dangerous"]}"#, DangerLevel::Dangerous),
        ] {
            let mut artifact = Artifact::default();
            artifact.meta.agent_hints = hints.to_owned();
            assert_eq!(of(&artifact), level, "{hints}");
        }
    }
}
