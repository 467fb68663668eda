//! A command that is written wrong: the command line takes it for a spec.

use std::ffi::OsString;
use std::path::Path;

use clap::Command;

use super::failure::Failure;
use crate::text::nearest;

/// Options that may stand before a command, and take no value.
const OF_ALL_COMMANDS: [&str; 5] = ["-v", "-vv", "-q", "--verbose", "--quiet"];

/// The failure of arguments whose first word is neither a command nor a file, and is like a command.
pub(super) fn command(all: &Command, arguments: impl Iterator<Item = OsString>) -> Option<Failure> {
    let mut words = arguments.map(|word| word.to_string_lossy().into_owned());
    let word = words.find(|word| !OF_ALL_COMMANDS.contains(&word.as_str())).filter(|word| !word.starts_with('-'))?;
    let is_command = all.get_subcommands().any(|command| command.get_name() == word);
    let shown = all.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::get_name);
    let may_be_a_spec = word.contains(['/', '.']) || Path::new(&word).exists();
    // Clap adds `help` itself.
    if may_be_a_spec || word == "help" || is_command {
        return None;
    }
    let meant = nearest(&word, shown)?;
    Some(Failure::NoCommand { word, meant })
}
