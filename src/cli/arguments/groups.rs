//! The help of the program itself: the commands by what people want of them, and on one screen with `-h`.

use std::fmt::Write;

use clap::Command;

use super::examples;

/// The commands by what people want of them.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Prove and evaluate", &["evaluate", "verify", "model", "doctor", "cache"]),
    ("Understand", &["explain", "inspect", "locality", "gpus"]),
    ("Change and review", &["init", "check", "diff", "extract"]),
    ("Measure", &["suggest", "measure", "validate"]),
    ("Many questions", &["batch", "table"]),
    ("With other programs", &["export", "mcp", "completions", "man"]),
    ("The literature's formulas, for comparison", &["compare", "predict", "efficiency", "graph"]),
];

/// The options that `-h` shows, by their long names.
const SHOWN: [&str; 8] = ["gpu", "set", "config", "top", "time-limit", "keep", "help", "version"];

const TEMPLATE: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}";

/// Returns the command whose help has the commands in groups.
pub(in crate::cli) fn with_groups(command: Command) -> Command {
    let (short, long) = (groups(&command, ""), groups(&command, "\n"));
    let command = command.help_template(TEMPLATE).before_help(short).before_long_help(long);
    let command = command.after_help(examples::SHORT).after_long_help(examples::TUNE);
    // They stand in the groups.
    let command = command.mut_subcommands(|below| below.hide(true));
    command.mut_args(|arg| {
        let is_shown = arg.get_long().is_some_and(|option| SHOWN.contains(&option));
        arg.hide_short_help(!is_shown)
    })
}

/// The groups with a line for each command, and `between` before each group but the first.
fn groups(command: &Command, between: &str) -> String {
    let mut text = String::new();
    for (number, (title, names)) in GROUPS.iter().enumerate() {
        let between = if number == 0 { "" } else { between };
        let _ = writeln!(text, "{between}{title}:");
        for name in *names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {name:11}  {about}");
        }
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use clap::{Args, CommandFactory};

    use super::super::kernel::{KernelOptions, SourceTools};
    use super::super::{Arguments, FilesBeside, Tune, Verbosity};
    use super::*;

    /// The names of a group of options, by its heading.
    fn named<A: Args>() -> BTreeMap<String, BTreeSet<String>> {
        let mut named: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for one in A::augment_args(Command::new("group")).get_arguments() {
            named.entry(one.get_help_heading().unwrap().to_owned()).or_default().insert(one.get_id().to_string());
        }
        named
    }

    #[test]
    fn each_option_stands_under_a_heading_that_is_true() {
        let mut headings = named::<SourceTools>();
        headings.extend(named::<KernelOptions>());
        headings.extend(named::<Tune>());
        headings.extend(named::<FilesBeside>());
        headings.extend(named::<Verbosity>());
        let mut seen = 0;
        let whole = Arguments::command();
        for command in std::iter::once(&whole).chain(whole.get_subcommands()) {
            for one in command.get_arguments() {
                let Some(names) = one.get_help_heading().and_then(|heading| headings.get(heading)) else { continue };
                let at = (command.get_name(), one.get_id());
                assert!(names.contains(one.get_id().as_str()), "{at:?} stands under {:?}", one.get_help_heading());
                seen += 1;
            }
        }
        assert!(seen > 100, "{seen}");
    }

    #[test]
    fn each_command_stands_in_one_group_and_on_one_line() {
        let command = Arguments::command();
        let commands: BTreeSet<&str> =
            command.get_subcommands().filter(|one| !one.is_hide_set()).map(Command::get_name).collect();
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        assert_eq!((grouped.len(), grouped.into_iter().collect::<BTreeSet<_>>()), (commands.len(), commands));
        let widest = groups(&command, "").lines().map(|line| line.chars().count()).max();
        assert!(widest.is_some_and(|widest| widest <= 80), "{widest:?}");
    }
}
