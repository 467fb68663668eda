//! Errors as users meet them: an exit status, a message with its causes, and advice.

use std::error::Error;

/// Advice for a failure that no user can mend.
pub const REPORT: &str = "this is a bug of autotune, or the tools it runs are not what they seem; `--keep DIR` \
                                 keeps model, trail and outputs, please report them";

/// The exit status of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// Proved, or done.
    Success = 0,
    /// A failure that neither the input nor a limit causes.
    Failure = 1,
    /// An unusable command line or input.
    Unusable = 2,
    /// The answer is not proved: a limit or an interrupt stopped the work.
    BestEffort = 3,
    /// No configuration is feasible.
    Infeasible = 4,
    /// A change makes a kernel worse.
    Worse = 6,
}

impl ExitStatus {
    /// The statuses of a question about a kernel.
    pub const OF_QUESTIONS: [Self; 5] =
        [Self::Success, Self::Failure, Self::Unusable, Self::BestEffort, Self::Infeasible];
}

/// An error that a user can act on.
pub trait UserError: Error {
    /// The exit status of a command that ends with this error.
    fn status(&self) -> ExitStatus;

    /// Advice on how to mend the error; `None` if the message says it.
    fn help(&self) -> Option<String>;

    /// The options of a command line that answer what the error asks, with proposals for values that only the user knows;
    /// none if it asks nothing.
    fn answers(&self) -> Vec<String> {
        Vec::new()
    }
}

/// An error of the system that no command explains.
impl UserError for std::io::Error {
    fn status(&self) -> ExitStatus {
        ExitStatus::Failure
    }

    fn help(&self) -> Option<String> {
        None
    }
}

impl Error for Box<dyn UserError> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        (**self).source()
    }
}

/// The message of an error and of its causes, a line each.
#[must_use]
pub fn message(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str("\ncaused by: ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// Returns true if a file cannot be used because the command line names it wrongly, and not because the system fails.
#[must_use]
pub fn is_of_the_command_line(why: &std::io::Error) -> bool {
    use std::io::ErrorKind::{
        AlreadyExists, InvalidInput, IsADirectory, NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem,
    };
    let kinds =
        [AlreadyExists, InvalidInput, IsADirectory, NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem];
    kinds.contains(&why.kind())
}
