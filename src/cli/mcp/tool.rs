//! The names of the server's tools.

/// A tool of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    /// Errors and warnings.
    Check,
    /// Counts what each line executes.
    Inspect,
    /// The fastest configurations.
    Evaluate,
    /// Shows where the time of a configuration goes.
    Explain,
    /// Shows what a change does.
    Diff,
    /// The GPUs.
    Gpus,
}

impl Tool {
    /// All tools, in the order of their list.
    pub(super) const ALL: [Self; 6] =
        [Self::Check, Self::Inspect, Self::Evaluate, Self::Explain, Self::Diff, Self::Gpus];

    /// The name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Inspect => "inspect",
            Self::Evaluate => "evaluate",
            Self::Explain => "explain",
            Self::Diff => "diff",
            Self::Gpus => "gpus",
        }
    }

    /// The tool of a name; `None` if there is none.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }
}
