//! How much is told on standard error besides errors.

use std::io::{self, IsTerminal};
use std::sync::OnceLock;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::fmt::time;

use super::arguments;

static VOICE: OnceLock<Voice> = OnceLock::new();

/// How much is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Voice {
    /// Errors only.
    Quiet,
    /// Notes, and progress on a terminal.
    Usual,
    /// Each step, in lines.
    Verbose,
}

/// Sets how much is told from here on.
pub(super) fn set(request: &arguments::Voice) {
    let voice = match (request.quiet, request.verbose) {
        (true, _) => Voice::Quiet,
        (false, 0) => Voice::Usual,
        (false, _) => Voice::Verbose,
    };
    let level = if request.verbose > 1 { LevelFilter::DEBUG } else { LevelFilter::INFO };
    if voice == Voice::Verbose {
        let coloured = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let lines = tracing_subscriber::fmt().with_max_level(level).with_target(false).with_ansi(coloured);
        lines.with_writer(io::stderr).with_timer(time::uptime()).init();
    }
    // Set once, at the beginning.
    let _ = VOICE.set(voice);
}

/// How much is told.
pub(super) fn voice() -> Voice {
    VOICE.get().copied().unwrap_or(Voice::Usual)
}
