//! What command lines take: `-D` options and variables of a shell. Names are identifiers and values integers
//! (see [`super::Kept`]), so that nothing needs quotes.

use std::fmt::Write;

use super::names::{Taken, prefix};
use super::{ExportError, Proved, question};

/// Variables by which a shell itself goes: to assign one would change what the rest of a script does.
const OF_THE_SHELL: [&str; 24] = [
    "BASH_ENV", "CDPATH", "COLUMNS", "ENV", "EUID", "FPATH", "HISTFILE", "HOME", "IFS", "LC_ALL", "LANG", "LINENO",
    "LINES", "MAIL", "OLDPWD", "OPTARG", "OPTIND", "PATH", "PPID", "PS1", "PS2", "PS4", "PWD", "UID",
];

/// `-DWG=64 -DTS=16`, a line for each result.
pub(super) fn flags(results: &[Proved]) -> String {
    let mut text = String::new();
    for one in results {
        let flags = one.optimum.parameters.iter().map(|(name, value)| format!("-D{name}={value}"));
        let _ = writeln!(text, "{}", flags.collect::<Vec<_>>().join(" "));
    }
    text
}

/// `WG=64`, a line for each parameter; several results have names that tell them apart.
pub(super) fn variables(results: &[Proved]) -> Result<String, ExportError> {
    let (mut text, mut taken) = (String::new(), Taken::default());
    for one in results {
        let prefix = prefix(results, *one);
        for (name, value) in &one.optimum.parameters {
            let variable = format!("{prefix}{name}");
            if OF_THE_SHELL.contains(&variable.as_str()) || variable.starts_with("LD_") {
                return Err(ExportError::Reserved { name: variable, means: "a shell itself goes by" });
            }
            taken.take(&variable, &format!("{name} of {}", question(one.report)))?;
            let _ = writeln!(text, "{variable}={value}");
        }
    }
    Ok(text)
}
