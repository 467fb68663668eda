//! The place of the cursor: what the arguments before it make of its word.

use clap::builder::ValueRange;
use clap::{Arg, ArgAction, Command};

/// What may stand at the cursor.
#[derive(Debug)]
pub(super) struct Place<'a> {
    /// The command whose arguments are typed.
    pub(super) command: &'a Command,
    /// The word at the cursor as far as it is fixed, such as `--gpu=`.
    pub(super) fixed: String,
    /// The rest of the word.
    pub(super) rest: String,
    pub(super) slot: Slot<'a>,
}

/// The part of a command line that a word can be.
#[derive(Debug)]
pub(super) enum Slot<'a> {
    /// The value of an option.
    Value(&'a Arg),
    /// The value of an argument without a name, and a command if `commands` is true.
    Positional { arg: &'a Arg, commands: bool },
    /// A command of the command.
    Commands,
    /// The name of an option.
    Option,
    /// Nothing that is known.
    Nothing,
}

/// The arguments of a command by the names that clap has for them, each with a value; empty for a switch.
#[derive(Debug, Default)]
pub(super) struct Given<'a>(Vec<(&'a str, String)>);

impl Given<'_> {
    /// The values of an argument, in the order of the line.
    pub(super) fn values(&self, id: &str) -> impl DoubleEndedIterator<Item = &str> {
        self.0.iter().filter(move |(known, _)| *known == id).map(|(_, value)| value.as_str())
    }

    /// True if the argument stands in the line.
    pub(super) fn has(&self, id: &str) -> bool {
        self.values(id).next().is_some()
    }
}

/// A walk over the words of a line.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    command: &'a Command,
    /// The arguments that stand in the line.
    pub(super) given: Given<'a>,
    /// The option whose values follow, and the number of those that stood already.
    pending: Option<(&'a Arg, usize)>,
    positionals: usize,
    /// True behind `--`.
    is_escaped: bool,
    /// True if an argument of the command's own has been met: commands below it stand before these.
    has_own: bool,
}

impl<'a> Walk<'a> {
    /// A walk that begins behind the program's name. The command has been built.
    pub(super) fn new(command: &'a Command) -> Self {
        let given = Given::default();
        Self { command, given, pending: None, positionals: 0, is_escaped: false, has_own: false }
    }

    /// Walks over a word.
    pub(super) fn step(&mut self, word: &str) {
        if let Some(arg) = self.awaits(word) {
            let met = self.pending.take().map_or(0, |(_, met)| met) + 1;
            self.pending = (met < range(arg).max_values()).then_some((arg, met));
            return self.give(arg, word);
        }
        self.pending = None;
        if self.is_escaped {
            self.positional(word);
        } else if word == "--" {
            (self.is_escaped, self.has_own) = (true, true);
        } else if let Some(option) = word.strip_prefix("--") {
            self.long(option);
        } else if let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            letters.chars().for_each(|letter| self.short(letter));
        } else {
            self.positional(word);
        }
    }

    /// The option that takes the word as a value; `None` if none does.
    fn awaits(&self, word: &str) -> Option<&'a Arg> {
        let (arg, met) = self.pending?;
        let is_taken = met == 0 && arg.is_allow_hyphen_values_set();
        (is_taken || word == "-" || !word.starts_with('-')).then_some(arg)
    }

    fn long(&mut self, option: &str) {
        let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
        let Some(arg) = self.command.get_arguments().find(|arg| arg.get_long() == Some(name)) else { return };
        self.option(arg, value);
    }

    fn short(&mut self, letter: char) {
        if let Some(arg) = self.command.get_arguments().find(|arg| arg.get_short() == Some(letter)) {
            self.option(arg, None);
        }
    }

    fn option(&mut self, arg: &'a Arg, value: Option<&str>) {
        match value {
            None if arg.get_action().takes_values() => self.pending = Some((arg, 0)),
            value => self.give(arg, value.unwrap_or_default()),
        }
        self.has_own |= !arg.is_global_set();
    }

    fn positional(&mut self, word: &str) {
        if let Some(command) = self.command.find_subcommand(word).filter(|_| !self.has_own) {
            *self = Self::new(command);
            return;
        }
        if let Some(arg) = positional(self.command, self.positionals) {
            self.give(arg, word);
        }
        self.positionals += 1;
        self.has_own = true;
    }

    fn give(&mut self, arg: &'a Arg, value: &str) {
        self.given.0.push((arg.get_id().as_str(), value.to_owned()));
    }

    /// The place of the next word, at whose end the cursor is.
    pub(super) fn place(&self, word: &str) -> Place<'a> {
        let whole = |slot| Place { command: self.command, fixed: String::new(), rest: word.to_owned(), slot };
        match (self.pending, self.awaits(word)) {
            (_, Some(arg)) => return whole(Slot::Value(arg)),
            // The option still lacks its value.
            (Some((_, 0)), None) => return whole(Slot::Nothing),
            _ => {}
        }
        if !self.is_escaped && word.starts_with('-') {
            let option = word.strip_prefix("--").and_then(|option| option.split_once('='));
            let Some((name, value)) = option else { return whole(Slot::Option) };
            let arg = self.command.get_arguments().find(|arg| arg.get_long() == Some(name));
            let slot = arg.filter(|arg| arg.get_action().takes_values()).map_or(Slot::Nothing, Slot::Value);
            return Place { fixed: format!("--{name}="), rest: value.to_owned(), ..whole(slot) };
        }
        let commands = !self.has_own && self.command.has_subcommands();
        whole(match positional(self.command, self.positionals) {
            Some(arg) => Slot::Positional { arg, commands },
            None if commands => Slot::Commands,
            None if self.is_escaped || !word.is_empty() => Slot::Nothing,
            None => Slot::Option,
        })
    }
}

/// True if another argument of the same option may follow.
pub(super) fn may_repeat(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append | ArgAction::Count)
}

/// The numbers of values that may follow an option, or that an argument without a name has.
fn range(arg: &Arg) -> ValueRange {
    arg.get_num_args().unwrap_or(ValueRange::SINGLE)
}

/// The argument without a name at a position from 0; `None` behind the last.
fn positional(command: &Command, position: usize) -> Option<&Arg> {
    let mut behind = 0_usize;
    command.get_positionals().find(|arg| {
        behind = behind.saturating_add(range(arg).max_values());
        position < behind
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::super::super::arguments::Arguments;
    use super::*;

    /// The place of the last word: its command, what is fixed and the slot.
    fn place(line: &[&str]) -> String {
        let mut command = Arguments::command();
        command.build();
        let mut walk = Walk::new(&command);
        let (word, before) = line.split_last().unwrap();
        for word in before {
            walk.step(word);
        }
        let Place { command, fixed, slot, .. } = walk.place(word);
        let slot = match slot {
            Slot::Value(arg) => format!("value of {}", arg.get_id()),
            Slot::Positional { arg, commands: true } => format!("{} or command", arg.get_id()),
            Slot::Positional { arg, .. } => arg.get_id().to_string(),
            Slot::Commands => "command".to_owned(),
            Slot::Option => "option".to_owned(),
            Slot::Nothing => "nothing".to_owned(),
        };
        format!("{} {fixed}: {slot}", command.get_name())
    }

    #[test]
    fn the_words_before_the_cursor_say_what_follows() {
        for (line, expected) in [
            (&[""][..], "autotune : spec or command"),
            (&["-vv", ""], "autotune : spec or command"),
            (&["--", ""], "autotune : spec"),
            (&["--gpu", ""], "autotune : value of gpu"),
            (&["--gpu", "--s"], "autotune : nothing"),
            (&["--gpu=a"], "autotune --gpu=: value of gpu"),
            (&["--rank=a"], "autotune --rank=: nothing"),
            (&["--gpu", "fermi", ""], "autotune : spec"),
            (&["--gpu=fermi", "k.yaml", ""], "autotune : option"),
            (&["k.yaml", "x"], "autotune : nothing"),
            (&["k.yaml", "-"], "autotune : option"),
            (&["k.yaml", "--", "-"], "autotune : nothing"),
            (&["k.yaml", "check", "--"], "autotune : option"),
            (&["-v", "check", "-q", ""], "check : spec"),
            (&["cache", ""], "cache : command"),
            (&["cache", "--format", "json", ""], "cache : command"),
            (&["cache", "clear", ""], "clear : option"),
            (&["help", "ev"], "help : command"),
            (&["diff", "a", ""], "diff : kernels"),
            (&["diff", "a", "b", ""], "diff : option"),
            (&["export", "a", "b", ""], "export : files"),
            (&["suggest", "--measured", "a", ""], "suggest : value of measured"),
            (&["suggest", "--measured", "a", "--"], "suggest : option"),
            (&["suggest", "--measured", "a", "--gpu", "fermi", ""], "suggest : spec"),
            (&["measure", "--run", "-"], "measure : value of run"),
        ] {
            assert_eq!(place(line), expected, "{line:?}");
        }
    }
}
