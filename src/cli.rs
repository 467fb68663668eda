//! The command line: arguments to requests, results to text. The only module that prints.

use std::process::ExitCode;

/// Runs the command line of this process and returns its exit status.
#[must_use]
pub fn run() -> ExitCode {
    ExitCode::SUCCESS
}
