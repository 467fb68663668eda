//! `autotune complete`: the candidates for the word at the cursor, which the scripts of `autotune completions` ask for.
//!
//! It prints what is fixed of the word, what is typed of the rest, the files that may stand there, and `open` or `space`,
//! each on a line; then a line for each candidate of the rest, with its description behind a tab. Whatever is wrong with
//! the line or its files gives no candidates and no message: a message would stand in the prompt.

mod answer;
mod candidates;
mod described;
mod place;
mod typed;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::CommandFactory;

use super::arguments::Arguments;
use super::output;
use answer::Answer;
use place::Walk;
use typed::Typed;

/// The name of the command. It stands in no help: only scripts use it.
const COMMAND: &str = "complete";

/// Answers the command and its arguments: `bash BEFORE BEHIND`, the line before and behind the cursor; or
/// another shell, the place of the word at the cursor, and all words. `None` for
/// another command, and for what no script writes: a user may have meant `completions`.
pub(super) fn run(arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let mut arguments = arguments.map(|word| word.to_string_lossy().into_owned());
    arguments.next().filter(|first| first == COMMAND)?;
    let arguments: Vec<String> = arguments.collect();
    let typed = Typed::read(&arguments)?;
    // The shell may have closed the output.
    let _ = output::text(&answer(&typed).to_text());
    Some(ExitCode::SUCCESS)
}

fn answer(typed: &Typed) -> Answer {
    let mut command = Arguments::command();
    command.build();
    let mut walk = Walk::new(&command);
    for word in &typed.before {
        walk.step(word);
    }
    let place = walk.place(&typed.word);
    for word in std::iter::once(&typed.word).chain(&typed.behind) {
        walk.step(word);
    }
    candidates::of(&place, &walk.given)
}
