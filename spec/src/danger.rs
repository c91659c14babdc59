//! How dangerous a macro calls itself, in its `agent_hints`.

/// A level of danger, the least first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum DangerLevel {
    /// Nothing that could not be undone; what says nothing of it is this.
    #[default]
    Safe,
    /// Worth a look before it runs.
    Moderate,
    /// Runs only when somebody consents.
    Dangerous,
}

impl DangerLevel {
    /// The hint that says it.
    pub const KEY: &str = "danger_level";

    /// The words of all levels, the least first.
    pub const NAMES: &[&str] = &["safe", "moderate", "dangerous"];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            DangerLevel::Safe => "safe",
            DangerLevel::Moderate => "moderate",
            DangerLevel::Dangerous => "dangerous",
        }
    }

    /// What a word means. No compiler writes one that is none of them: whoever made it meant it to be misunderstood, so it is the worst.
    pub fn of(word: &str) -> DangerLevel {
        match word {
            "safe" => DangerLevel::Safe,
            "moderate" => DangerLevel::Moderate,
            _ => DangerLevel::Dangerous,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DangerLevel;

    #[test]
    fn words_mean_their_levels() {
        for (level, name) in
            [DangerLevel::Safe, DangerLevel::Moderate, DangerLevel::Dangerous].into_iter().zip(DangerLevel::NAMES)
        {
            assert_eq!((level.name(), DangerLevel::of(name)), (*name, level));
        }
        assert_eq!(DangerLevel::of("Safe"), DangerLevel::Dangerous);
        assert!(DangerLevel::Safe < DangerLevel::Moderate && DangerLevel::Moderate < DangerLevel::Dangerous);
    }
}
