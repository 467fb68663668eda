//! The command that answers the questions of an error, to be pasted.

use std::path::Path;

use clap::FromArgMatches;

use super::arguments::{Arguments, with_groups};
use super::failure::Failure;
use super::{config, output, question};
use crate::session::kernel_of_file;
use autotune_base::text::words::shell_words;
use autotune_kernel::source::Language;

/// The most rounds of questions: what the text leaves open, and what the execution then depends on.
const MOST_ROUNDS: usize = 3;

/// Prints a failure, its help, and the command that answers it.
pub(super) fn error(failure: &Failure) {
    output::error(failure);
    if let Some(command) = command(failure) {
        output::command(&command);
    }
}

/// Returns the command line of this process with options that answer what its failure asks about a source; `None` if it
/// asks nothing that an option answers. What the answers leave open is answered, too.
fn command(failure: &Failure) -> Option<String> {
    let given: Option<Vec<String>> = std::env::args_os().skip(1).map(|word| word.into_string().ok()).collect();
    let mut words = given.filter(|words| words.iter().any(|word| is_source(word)))?;
    let mut answers = failure.answers();
    if answers.is_empty() {
        return None;
    }
    for _ in 0..MOST_ROUNDS {
        words.append(&mut answers);
        answers = parsed(&words)?.question.0.map(|question| question::open(&question)).unwrap_or_default();
        if answers.is_empty() {
            break;
        }
    }
    Some(format!("autotune {}", shell_words(&words)))
}

fn is_source(word: &str) -> bool {
    let path = Path::new(word);
    kernel_of_file(path).is_some() || Language::from_file(path).is_some()
}

/// The arguments that words stand for; `None` if they make none.
fn parsed(words: &[String]) -> Option<Arguments> {
    let command = config::with_defaults(<Arguments as clap::CommandFactory>::command()).ok()?;
    let words = std::iter::once("autotune").chain(words.iter().map(String::as_str));
    let matches = with_groups(command).try_get_matches_from(words).ok()?;
    Arguments::from_arg_matches(&matches).ok()
}
