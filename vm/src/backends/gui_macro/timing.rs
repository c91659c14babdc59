//! How late events were sent.

use std::time::Duration;

use spec::value::{Dict, Value};

/// An event that is sent more than this after its time counts as late, in microseconds.
const LATE_US: u32 = 1_000;

/// The lateness of every event that was sent, in microseconds.
#[derive(Clone, Debug, Default)]
pub struct Timing {
    late_us: Vec<u32>,
}

impl Timing {
    /// Room for this many events, so that nothing is allocated while they are sent.
    pub fn with_capacity(events: usize) -> Self {
        Self { late_us: Vec::with_capacity(events) }
    }

    /// Counts an event.
    pub fn note(&mut self, after: Duration) {
        self.late_us.push(u32::try_from(after.as_micros()).unwrap_or(u32::MAX));
    }

    /// `events`; `p50_us`, `p99_us` and `max_us` by the nearest rank; `late`, how many were more than 1 ms after their time.
    pub fn summary(&self) -> Dict {
        let mut sorted = self.late_us.clone();
        sorted.sort_unstable();
        let late = sorted.len() - sorted.partition_point(|late| *late <= LATE_US);
        let rank = |percent: usize| {
            let index = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
            sorted.get(index).copied().unwrap_or(0)
        };
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        [
            ("events", count(sorted.len())),
            ("p50_us", rank(50).into()),
            ("p99_us", rank(99).into()),
            ("max_us", rank(100).into()),
            ("late", count(late)),
        ]
        .map(|(name, value)| (name.to_owned(), Value::Integer(value)))
        .into_iter()
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use spec::value::Value;

    use crate::backends::gui_macro::timing::Timing;

    fn summary(late_us: &[u64]) -> Vec<i64> {
        let mut timing = Timing::with_capacity(late_us.len());
        late_us.iter().for_each(|late| timing.note(Duration::from_micros(*late)));
        let number = |value: &Value| if let Value::Integer(number) = value { *number } else { -1 };
        timing.summary().iter().map(|(_, value)| number(value)).collect()
    }

    #[test]
    fn ranks_are_those_of_the_sorted_list() {
        assert_eq!(summary(&[]), [0, 0, 0, 0, 0]);
        assert_eq!(summary(&[7]), [1, 7, 7, 7, 0]);
        let backwards: Vec<u64> = (1..=200).rev().map(|late| late * 10).collect();
        assert_eq!(summary(&backwards), [200, 1000, 1980, 2000, 100]);
        assert_eq!(summary(&[u64::MAX])[3], i64::from(u32::MAX));
    }
}
