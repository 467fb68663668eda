//! The amount of text on standard error besides errors.

use std::io::{self, IsTerminal};
use std::sync::OnceLock;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::fmt::time;

use super::arguments;

static VERBOSITY: OnceLock<Verbosity> = OnceLock::new();

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verbosity {
    /// Errors only.
    Quiet,
    /// Notes, and progress on a terminal.
    Usual,
    /// Each step, as a line.
    Verbose,
}

/// Sets the verbosity of this process, once, at its beginning.
pub(super) fn set(request: &arguments::Verbosity) {
    let verbosity = match (request.quiet, request.verbose) {
        (true, _) => Verbosity::Quiet,
        (false, 0) => Verbosity::Usual,
        (false, _) => Verbosity::Verbose,
    };
    let level = if request.verbose > 1 { LevelFilter::DEBUG } else { LevelFilter::INFO };
    if verbosity == Verbosity::Verbose {
        // The target of an event, such as `checker.search`, is its id. Tests look for ids, so that the wording can
        // change.
        let coloured = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let lines = tracing_subscriber::fmt().with_max_level(level).with_ansi(coloured);
        lines.with_writer(io::stderr).with_timer(time::uptime()).init();
    }
    let _ = VERBOSITY.set(verbosity);
}

/// Returns the verbosity of this process; [`Verbosity::Usual`] before it is set.
pub(super) fn verbosity() -> Verbosity {
    VERBOSITY.get().copied().unwrap_or(Verbosity::Usual)
}
