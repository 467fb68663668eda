//! Units of measured times.

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    /// A billionth of a second.
    Nanoseconds,
    /// A millionth of a second.
    Microseconds,
    /// A thousandth of a second.
    Milliseconds,
    /// A second.
    Seconds,
}

impl TimeUnit {
    /// All units, the shortest first.
    pub const ALL: [Self; 4] = [Self::Nanoseconds, Self::Microseconds, Self::Milliseconds, Self::Seconds];

    /// The symbol: `ns`, `us`, `ms` or `s`.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Nanoseconds => "ns",
            Self::Microseconds => "us",
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
        }
    }

    /// The number of milliseconds of the unit.
    #[must_use]
    pub fn milliseconds(self) -> f64 {
        match self {
            Self::Nanoseconds => 1e-6,
            Self::Microseconds => 1e-3,
            Self::Milliseconds => 1.0,
            Self::Seconds => 1e3,
        }
    }

    /// The unit at the end of a column's name, as in `time_us`; `None` if the name states no unit.
    pub(super) fn of_column(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('_')?;
        Self::ALL.into_iter().find(|unit| unit.symbol() == ending)
    }
}
