//! Files of others: never removed, never overwritten, never waited for.

mod believed;
mod read;
mod removed;

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};

use nix::sys::stat::Mode;
use nix::unistd::{geteuid, mkfifo};

use super::*;

/// A user who does not run the tests.
const NOBODY: u32 = 65534;

/// Everything below a folder: kind, mode and content. Links are not followed.
fn snapshot(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let found = path.symlink_metadata().unwrap();
            let content = if found.is_dir() {
                folders.push(path.clone());
                String::new()
            } else if found.is_symlink() {
                std::fs::read_link(&path).unwrap().display().to_string()
            } else if found.is_file() {
                String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned()
            } else {
                String::new()
            };
            all.insert(path, format!("{:o} {} {content}", found.mode(), found.uid()));
        }
    }
    all
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn fifo(path: &Path) {
    mkfifo(path, Mode::S_IRWXU).unwrap();
}

/// An action that spoils a path, by putting something into its place.
type Spoil = fn(&Path);

/// Returns true if the tests may give files to another user; prints a note if not.
#[expect(clippy::print_stderr, reason = "a part that is left out is printed")]
fn is_root() -> bool {
    let is_root = geteuid().is_root();
    if !is_root {
        eprintln!("this part is left out: only root can give a file to another user");
    }
    is_root
}

/// Checks that the command fails with this status and these words, too quickly to have waited for anything.
fn assert_refused(command: &mut Command, status: i32, words: &[&str]) {
    let ended = run(command.timeout(std::time::Duration::from_secs(60)));
    assert_eq!((ended.status, ended.stdout.as_str()), (status, ""), "{}", ended.stderr);
    // A cause that the message contains already is not repeated.
    for (place, cause) in ended.stderr.match_indices("caused by: ") {
        let words = ended.stderr[place + cause.len()..].lines().next().unwrap_or_default();
        assert!(!ended.stderr[..place].contains(words), "{}", ended.stderr);
    }
    for word in words {
        assert!(ended.stderr.contains(word), "no `{word}` in: {}", ended.stderr);
    }
}

/// Models read these variables; values from the user's environment must not reach them.
#[test]
fn variables_of_the_models_do_not_come_from_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    std::fs::write(&tables, "1 2 3").unwrap();
    let ask = |question: &[&str], is_misled: bool| {
        let mut command = autotune();
        command.args(question).args(["--no-cost", "--no-cache", "--format", "json"]);
        if is_misled {
            command.env("AUTOTUNE_MT", "7").env("AUTOTUNE_TABLES", &tables).env("AUTOTUNE_DESCEND", "1");
        }
        let ended = run(&mut command);
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        ended.stdout
    };
    let bisection = [&SMALL[..], &["--strategy", "bisection"]].concat();
    let descent = [&SMALL[..], &["--strategy", "branch-and-bound"]].concat();
    for question in [&SMALL[..], &bisection, &descent] {
        assert_eq!(ask(question, true), ask(question, false), "{question:?}");
    }
}
