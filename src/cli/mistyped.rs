//! Mistyped commands, which the command line would take for specs.

use std::ffi::OsString;
use std::path::Path;

use clap::Command;

use super::failure::Failure;
use autotune_base::text::nearest;

/// The options without a value that can stand before a command.
const OF_ALL_COMMANDS: [&str; 5] = ["-v", "-vv", "-q", "--verbose", "--quiet"];

/// Returns the failure of arguments whose first word resembles a command and is neither a command nor a file; `None`
/// for all others.
pub(super) fn command(all: &Command, arguments: impl Iterator<Item = OsString>) -> Option<Failure> {
    let mut words = arguments.map(|word| word.to_string_lossy().into_owned());
    let word = words.find(|word| !OF_ALL_COMMANDS.contains(&word.as_str())).filter(|word| !word.starts_with('-'))?;
    let is_command = all.get_subcommands().any(|command| command.get_name() == word);
    let shown = all.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::get_name);
    let may_be_a_spec = word.contains(['/', '.']) || Path::new(&word).exists();
    // Clap adds the command `help` itself.
    if may_be_a_spec || word == "help" || is_command {
        return None;
    }
    let meant = nearest(&word, shown)?;
    Some(Failure::NoCommand { word, meant })
}
