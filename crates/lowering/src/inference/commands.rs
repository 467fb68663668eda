//! Commands of a Makefile or a script that start the host's program: their arguments are what it reads from `argv`.

use std::path::Path;

use super::function::At;

/// A command that starts the host's program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Start<'a> {
    /// The place of the program's name.
    pub(super) at: At,
    /// The words behind the program's name.
    pub(super) arguments: Vec<&'a str>,
}

impl Start<'_> {
    /// The integer that the program reads from `argv[number]`; `None` if there is none.
    pub(super) fn integer(&self, number: i64) -> Option<i64> {
        self.arguments.get(usize::try_from(number).ok()?.checked_sub(1)?)?.parse().ok()
    }
}

/// True for a Makefile or a script of a shell.
pub(super) fn are_in(path: &Path, text: &str) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let first = text.lines().next().unwrap_or_default();
    matches!(name.to_ascii_lowercase().as_str(), "makefile" | "gnumakefile" | "run")
        || matches!(ending, "mk" | "sh" | "bash")
        || (first.starts_with("#!") && first.ends_with("sh"))
}

/// The commands that start a program of the own folder with an integer among its arguments, those that differ.
pub(super) fn starts(text: &str, file: usize) -> Vec<Start<'_>> {
    let mut found: Vec<Start<'_>> = Vec::new();
    let mut begin = 0;
    while begin < text.len() {
        let end = end_of_command(text, begin);
        if let Some(start) = start(&text[begin..end], file, begin)
            && found.iter().all(|known| known.arguments != start.arguments)
        {
            found.push(start);
        }
        begin = end;
    }
    found
}

/// The end of the line that begins here, with those that continue it behind a backslash.
fn end_of_command(text: &str, begin: usize) -> usize {
    let mut end = begin;
    for line in text[begin..].split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    end
}

fn start(command: &str, file: usize, begin: usize) -> Option<Start<'_>> {
    if command.trim_start().starts_with('#') {
        return None;
    }
    let mut words = command.split_whitespace();
    let program = words.find(|word| word.starts_with("./"))?;
    let byte = begin + program.as_ptr().addr() - command.as_ptr().addr();
    let mut arguments = Vec::new();
    for word in words.filter(|word| *word != "\\") {
        let plain = word.trim_end_matches(';');
        if plain.starts_with(['|', '>', '<', '&', '#']) || plain.starts_with("2>") || plain.is_empty() {
            break;
        }
        arguments.push(plain.trim_matches(['"', '\'']));
        if plain.len() < word.len() {
            break;
        }
    }
    let has_integer = arguments.iter().any(|word| word.parse::<i64>().is_ok());
    has_integer.then_some(Start { at: At { file, byte }, arguments })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_with_numbers_start_the_program() {
        for (text, expected) in [
            ("run: $(program)\n\t$(LAUNCHER) ./$(program) 3 1024\n", &[&["3", "1024"][..]][..]),
            ("#!/bin/bash\n# ./a 7\n./a.out 8 \\\n  -p 0 > log 2>&1\n./a.out 8 -p 0; ls 3\n", &[&["8", "-p", "0"]]),
            ("./configure --prefix=/usr\n./a 'x' \"12\" | tee 3\n./a 13 && ./b 14\n", &[&["x", "12"], &["13"]]),
            ("all: a.cu\n\tnvcc -O3 a.cu -o a 3\n", &[]),
            ("./a 1 \\", &[&["1"]]),
        ] {
            let read = starts(text, 0);
            assert_eq!(read.iter().map(|start| start.arguments.as_slice()).collect::<Vec<_>>(), expected, "{text}");
            assert!(read.iter().all(|start| text[start.at.byte..].starts_with("./")), "{text}");
        }
        let start = &starts("./a 16 x", 0)[0];
        assert_eq!([-1, 0, 1, 2, 3].map(|number| start.integer(number)), [None, None, Some(16), None, None]);
    }

    #[test]
    fn scripts_are_known_by_their_names_or_their_first_line() {
        for (name, text, expected) in [
            ("a/Makefile", "", true),
            ("a/run", "./a 3", true),
            ("run.sh", "", true),
            ("start", "#!/usr/bin/env bash\n", true),
            ("main.cpp", "int main() {}", false),
            ("start", "#!/usr/bin/python3\n", false),
        ] {
            assert_eq!(are_in(Path::new(name), text), expected, "{name}");
        }
    }
}
