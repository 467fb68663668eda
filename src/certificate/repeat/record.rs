//! How a model was searched, as its folder records it: the commands, and the files that they must have left.

use std::sync::LazyLock;

use fs_err as fs;
use regex::Regex;

use super::Repetition;
use crate::spin::pan_output::{self, Searched, Verdict};
use crate::spin::{SpinError, TABLES, WITNESSES};

/// The commands that this program writes, a program's path being one word.
const COMMANDS: [&str; 5] = [
    r"TOOL -n1 -T -B model\.pml",
    r"TOOL -a model\.pml",
    r"TOOL (?<compile>-w -O[02] -DSAFETY -DVECTORSZ=\d+ -DMEMLIM=\d+)(?<ends> -DNOCLAIM -DPRINTF -o pan_ends| -o pan) pan\.c",
    r"(?<tables>AUTOTUNE_TABLES=tables\.txt )?AUTOTUNE_MT=(?<bound>\d+) (?<descent>AUTOTUNE_DESCEND=1 )?\./(?<binary>pan|pan_ends) (?<search>-n -w\d+ -m\d+)(?<all> -c0 -e)?",
    r"(?:AUTOTUNE_TABLES=tables\.txt )?AUTOTUNE_MT=(?<replayed>\d+) \./pan -w16 -r -S model\.pml\d*\.trail",
];

static COMMAND: LazyLock<Regex> = LazyLock::new(|| {
    let commands = COMMANDS.join("|").replace("TOOL", r"(?:[\w.+,:=/-]+|'(?:[^']|'\\'')+')");
    Regex::new(&format!("^(?:{commands})$")).expect("it is tested")
});

/// What the commands tell.
#[derive(Default)]
struct Record {
    /// Options of the last compilation, and of the last search.
    compile: String,
    search: String,
    searches: Vec<Search>,
}

/// A search that was made.
struct Search {
    bound: u64,
    /// The file of its output.
    output: String,
    /// Whether it looked for all runs before the bound.
    all: bool,
    /// How many trails were replayed after it.
    replays: usize,
}

impl Repetition<'_> {
    /// The scripts, outputs and trails must be those that this program leaves where `done` runs end before T + 1.
    pub(super) fn check_record(&mut self, done: usize) -> Result<(), SpinError> {
        let Some(record) = self.commands() else { return Ok(()) };
        let Record { compile, search, .. } = &record;
        let expected = format!("ticks={}\ncompile='{compile}'\nsearch='{search}'\n", self.theorem.ticks);
        if fs::read_to_string(self.folder.join("search.sh")).ok().as_ref() != Some(&expected) {
            self.differs("search.sh", format!("it is not how the model was searched: {}", expected.replace('\n', " ")));
        }
        let (mut outputs, mut trails) = (Vec::new(), Vec::new());
        for (number, search) in record.searches.iter().enumerate() {
            let found = self.counterexamples(search, done)?;
            if found > search.replays || (found == 0) != (search.replays == 0) {
                let what =
                    format!("{} replays follow the search of {}, it has {found} trails", search.replays, search.output);
                self.differs("commands.sh", what);
            }
            trails.extend((1..=found).map(|trail| format!("{:02}-{}-{trail}.trail", number + 1, search.bound)));
            outputs.push(search.output.clone());
        }
        let kept: Vec<String> = self.files("")?.into_iter().filter(|name| is_output(name)).collect();
        self.check_files("", &outputs, &kept);
        let kept = self.files(WITNESSES)?;
        self.check_files(&format!("{WITNESSES}/"), &trails, &kept);
        Ok(())
    }

    /// What `commands.sh` tells, if it holds nothing but commands that this program writes.
    fn commands(&mut self) -> Option<Record> {
        let text = match fs::read_to_string(self.folder.join("commands.sh")) {
            Ok(text) => text,
            Err(error) => {
                self.differs("commands.sh", format!("it cannot be read: {error}"));
                return None;
            }
        };
        let mut record = Record::default();
        for line in text.lines() {
            if !record.take(line) {
                self.differs("commands.sh", format!("this program makes no such command: {line}"));
                return None;
            }
        }
        let has_tables = text.contains(TABLES);
        if has_tables != self.folder.join(TABLES).exists() {
            self.differs("commands.sh", format!("its searches and the folder differ in {TABLES}"));
        }
        Some(record)
    }

    /// How many trails a search leaves: one if it found a run before its bound, or those of all such runs.
    fn counterexamples(&self, search: &Search, done: usize) -> Result<usize, SpinError> {
        let path = self.folder.join(&search.output);
        if search.all || !path.exists() {
            return Ok(if search.all { done } else { 0 });
        }
        let output = pan_output::read(&fs::read_to_string(path)?, Searched::Claim);
        Ok(usize::from(output.is_ok_and(|output| matches!(output.verdict, Verdict::ClaimViolated { .. }))))
    }

    fn check_files(&mut self, folder: &str, expected: &[String], kept: &[String]) {
        for missing in expected.iter().filter(|name| !kept.contains(name)) {
            self.differs(&format!("{folder}{missing}"), "the commands leave it, but it is missing");
        }
        for other in kept.iter().filter(|name| !expected.contains(name)) {
            self.differs(&format!("{folder}{other}"), "no command leaves it");
        }
    }
}

/// Whether a file in a model's folder is what a search printed: these are numbered.
pub(super) fn is_output(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_digit())
}

impl Record {
    /// Takes the next command, or says that it is none.
    fn take(&mut self, line: &str) -> bool {
        let Some(command) = COMMAND.captures(line) else { return false };
        let part = |name| command.name(name).map(|part| part.as_str());
        let number = |name| part(name).map(str::parse::<u64>);
        if let Some(compile) = part("compile") {
            compile.clone_into(&mut self.compile);
        }
        if let (Some(search), Some(binary), Some(bound)) = (part("search"), part("binary"), number("bound")) {
            let Ok(bound) = bound else { return false };
            let all = part("all").is_some();
            let what = if part("descent").is_some() { "descent" } else { binary };
            let output = format!("{:02}-{what}-{bound}.txt", self.searches.len() + 1);
            search.clone_into(&mut self.search);
            self.searches.push(Search { bound, output, all, replays: 0 });
        }
        match (number("replayed"), self.searches.last_mut()) {
            (None, _) => true,
            (Some(bound), Some(search)) if bound == Ok(search.bound) => {
                search.replays += 1;
                true
            }
            _ => false,
        }
    }
}
