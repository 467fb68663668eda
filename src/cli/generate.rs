//! `autotune completions`, scripts that ask the program; and `autotune man`, made from the arguments that the command line
//! parses.

use std::path::Path;

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use super::arguments::{self, Arguments};
use super::failure::Failure;
use super::{Status, output};
use autotune_base::files;

/// The number of bytes at the beginning of a file that identify a page of this program.
const BEGINNING: u64 = 1024;

/// The file that has the day of the release.
const CITATION: &str = include_str!("../../CITATION.cff");

/// The scripts that ask the program what may stand at the cursor.
const BASH: &str = include_str!("../../templates/completions/autotune.bash");
const ZSH: &str = include_str!("../../templates/completions/autotune.zsh");
const FISH: &str = include_str!("../../templates/completions/autotune.fish");

/// Prints a shell's completions.
pub(super) fn completions(request: &arguments::Completions) -> Result<Status, Failure> {
    let generated;
    output::text(match request.shell {
        Shell::Bash => BASH,
        Shell::Zsh => ZSH,
        Shell::Fish => FISH,
        shell => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut shown(), "autotune", &mut script);
            generated = String::from_utf8_lossy(&script).into_owned();
            &generated
        }
    })?;
    Ok(Status::Success)
}

/// The program's command without the commands that no help shows.
fn shown() -> Command {
    let all = Arguments::command();
    let commands = all.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    Command::new("autotune").args(all.get_arguments().cloned()).subcommands(commands)
}

/// Prints the manual page, or writes one for each command into a folder.
pub(super) fn man(request: &arguments::Man) -> Result<Status, Failure> {
    // `help` has no page.
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    match &request.out {
        None => output::text(&page(&command)?)?,
        Some(folder) => {
            fs_err::create_dir_all(folder)?;
            pages(&command, folder)?;
        }
    }
    Ok(Status::Success)
}

fn pages(command: &Command, folder: &Path) -> Result<(), Failure> {
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        pages(command, folder)?;
    }
    let path = folder.join(Man::new(command.clone()).get_filename());
    // A file that begins otherwise is not a page of this program.
    let is_replaceable = match files::kept(&path, BEGINNING).beginning() {
        Ok(beginning) => String::from_utf8_lossy(&beginning).contains("\n.TH autotune"),
        Err(why) => why.kind() == std::io::ErrorKind::NotFound,
    };
    if !is_replaceable {
        return Err(Failure::Foreign(path));
    }
    Ok(fs_err::write(path, page(command)?)?)
}

/// The manual page of a command.
fn page(command: &Command) -> Result<String, Failure> {
    let man = Man::new(command.clone()).source(concat!("autotune ", env!("CARGO_PKG_VERSION"))).date(released());
    let mut page = Vec::new();
    man.render(&mut page)?;
    // A break beside a blank line breaks nothing.
    Ok(String::from_utf8_lossy(&page).replace(".br\n\n.br\n", ".sp\n"))
}

/// The day of the release, as the citation has it.
fn released() -> &'static str {
    let line = CITATION.lines().find_map(|line| line.strip_prefix("date-released:"));
    line.unwrap_or_default().trim_matches([' ', '"'])
}
