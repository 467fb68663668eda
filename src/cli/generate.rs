//! `autotune completions` and `autotune man`: made from the very arguments that are parsed.

use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::arguments::{self, Arguments};
use super::failure::Failure;
use super::{Status, output};

/// Prints a shell's completions.
pub(super) fn completions(request: &arguments::Completions) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(request.shell, &mut Arguments::command(), "autotune", &mut script);
    output::text(&String::from_utf8_lossy(&script))?;
    Ok(Status::Success)
}

/// Prints the manual page, or writes one for each command into a folder.
pub(super) fn man(request: &arguments::Man) -> Result<Status, Failure> {
    let mut command = Arguments::command();
    command.build();
    match &request.out {
        None => {
            let mut page = Vec::new();
            Man::new(command).render(&mut page)?;
            output::text(&String::from_utf8_lossy(&page))?;
        }
        Some(folder) => {
            fs_err::create_dir_all(folder)?;
            pages(&command, folder)?;
        }
    }
    Ok(Status::Success)
}

fn pages(command: &Command, folder: &Path) -> std::io::Result<()> {
    for command in command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help") {
        pages(command, folder)?;
    }
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render(&mut page)?;
    fs_err::write(folder.join(man.get_filename()), page)
}
