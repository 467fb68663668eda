//! The command of the compiler itself, which clang's driver would start: it takes several files.

use std::path::Path;

/// A command without its files and its output.
#[derive(Debug)]
pub(super) struct Command {
    arguments: Vec<String>,
    /// The folder that the arguments name.
    folder: String,
}

impl Command {
    /// The command that a driver prints for a file in a folder; `None` if it would start something else.
    pub(super) fn read(says: &str, folder: &Path, file: &str) -> Option<Self> {
        let mut commands = says.lines().filter(|line| line.starts_with(" \""));
        let (Some(line), None) = (commands.next(), commands.next()) else { return None };
        let mut arguments = words(line);
        let output = arguments.iter().position(|word| word == "-o")?;
        arguments.drain(output..(output + 2).min(arguments.len()));
        // The first word is the program, which is the driver itself.
        arguments.remove(0);
        let is_known = arguments.first()? == "-cc1" && arguments.pop()? == file;
        is_known.then(|| Self { arguments, folder: folder.display().to_string() })
    }

    /// The arguments for another folder.
    pub(super) fn arguments(&self, folder: &Path) -> Vec<String> {
        let folder = folder.display().to_string();
        self.arguments.iter().map(|word| word.replace(&self.folder, &folder)).collect()
    }

    /// The arguments for LLVM's text in another folder, in place of a source.
    pub(super) fn for_text(&self, folder: &Path) -> Vec<String> {
        let mut arguments = self.arguments(folder);
        // The files that the source includes are known.
        while let Some(at) = arguments.iter().position(|word| word == "-dependency-file" || word == "-MT") {
            arguments.drain(at..(at + 2).min(arguments.len()));
        }
        let language = arguments.iter().rposition(|word| word == "-x").map(|at| at + 1);
        if let Some(language) = language.and_then(|at| arguments.get_mut(at)) {
            "ir".clone_into(language);
        }
        arguments
    }
}

/// The words of a line, each of them in quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut letters = line.chars();
    while letters.any(|letter| letter == '"') {
        let mut word = String::new();
        while let Some(letter) = letters.next().filter(|letter| *letter != '"') {
            word.extend(if letter == '\\' { letters.next() } else { Some(letter) });
        }
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAYS: &str = "clang version 19\nTarget: nvptx64\n \"/usr/bin/clang\" \"-cc1\" \"-D\" \"A=\\\"b c\\\"\" \
                        \"-dir=/t/one\" \"-o\" \"out.ll\" \"-x\" \"cl\" \"k.cl\"\n";

    #[test]
    fn a_command_is_read_without_its_file_and_moves_to_another_folder() {
        let command = Command::read(SAYS, Path::new("/t/one"), "k.cl").unwrap();
        assert_eq!(command.arguments(Path::new("/t/two")), ["-cc1", "-D", "A=\"b c\"", "-dir=/t/two", "-x", "cl"]);
    }

    #[test]
    fn a_driver_that_starts_more_than_the_compiler_has_no_such_command() {
        for says in [
            "",
            "clang: error: unknown argument: '-###'\n",
            &format!("{SAYS} \"/usr/bin/ld\" \"-o\" \"a\" \"k.cl\"\n"),
            &SAYS.replace("-cc1", "-cc1as"),
            &SAYS.replace("k.cl", "other.cl"),
            " \"\n",
        ] {
            assert!(Command::read(says, Path::new("/t/one"), "k.cl").is_none(), "{says}");
        }
    }
}
