//! `autotune completions` and `autotune man`: made from the same arguments that the command line parses.

use std::path::Path;

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use super::arguments::{self, Arguments};
use super::failure::Failure;
use super::{Status, output};
use crate::{files, gpu};

/// The number of bytes at the beginning of a file that identify a page of this program.
const BEGINNING: u64 = 1024;

/// Prints a shell's completions.
pub(super) fn completions(request: &arguments::Completions) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(request.shell, &mut Arguments::command(), "autotune", &mut script);
    output::text(&with_files(request.shell, &String::from_utf8_lossy(&script)))?;
    Ok(Status::Success)
}

/// Returns a script whose `--gpu` completes the names of files besides those of shipped profiles. Bash needs no
/// change.
fn with_files(shell: Shell, script: &str) -> String {
    let names: Vec<&str> = gpu::shipped_names().collect();
    match (shell, names.first()) {
        (Shell::Zsh, _) => {
            let names = names.join(" ");
            script.replace(&format!(":GPU:({names})"), &format!(":GPU:{{compadd -- {names}; _files}}"))
        }
        (Shell::Fish, Some(first)) => {
            script.replace(&format!(" -r -f -a \"{first}\\t"), &format!(" -r -F -a \"{first}\\t"))
        }
        _ => script.to_owned(),
    }
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

fn pages(command: &Command, folder: &Path) -> Result<(), Failure> {
    for command in command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help") {
        pages(command, folder)?;
    }
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render(&mut page)?;
    let path = folder.join(man.get_filename());
    // A file that begins otherwise is not a page of this program.
    let is_replaceable = match files::kept(&path, BEGINNING).beginning() {
        Ok(beginning) => String::from_utf8_lossy(&beginning).contains("\n.TH autotune"),
        Err(why) => why.kind() == std::io::ErrorKind::NotFound,
    };
    if !is_replaceable {
        return Err(Failure::Foreign(path));
    }
    Ok(fs_err::write(path, page)?)
}
