//! The line that is typed, in words.

/// The words of a command line, without the program's name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Typed {
    /// The words before the one at the cursor.
    pub(super) before: Vec<String>,
    /// The word at the cursor, as far as the cursor.
    pub(super) word: String,
    /// The words behind the one at the cursor.
    pub(super) behind: Vec<String>,
}

impl Typed {
    /// Reads a shell's name and the line as this shell knows it; `None` if something lacks.
    pub(super) fn read(arguments: &[String]) -> Option<Self> {
        match arguments {
            [shell, before, behind] if shell == "bash" => Self::of_line(before, behind),
            [_, place, words @ ..] => {
                let place: usize = place.parse().ok()?;
                let word = words.get(place)?.clone();
                let before = words.get(1..place)?.to_vec();
                Some(Self { before, word, behind: words[place + 1..].to_vec() })
            }
            _ => None,
        }
    }

    /// Reads the line before and behind the cursor. Bash itself splits words at `=` and `:` too, and leaves the quotes.
    fn of_line(before: &str, behind: &str) -> Option<Self> {
        let mut words = split(before);
        let word = words.pop()?;
        // The first piece belongs to the word at the cursor.
        let behind = split(behind).split_off(1);
        (!words.is_empty()).then(|| Self { before: words.split_off(1), word, behind })
    }
}

/// Splits a line as a shell does, without what a shell puts in place of variables and patterns. The last word may be
/// empty, and its quote need not be closed.
fn split(line: &str) -> Vec<String> {
    let (mut words, mut quote) = (vec![String::new()], None);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None, '\'' | '"') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            (None | Some('"'), '\\') => add(&mut words, letters.next()),
            (None, ' ' | '\t' | '\n') if words.last().is_some_and(String::is_empty) && words.len() > 1 => {}
            (None, ' ' | '\t' | '\n') => words.push(String::new()),
            _ => add(&mut words, Some(letter)),
        }
    }
    words
}

fn add(words: &mut [String], letter: Option<char>) {
    if let Some(word) = words.last_mut() {
        word.extend(letter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(before: &[&str], word: &str, behind: &[&str]) -> Typed {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Typed { before: owned(before), word: word.to_owned(), behind: owned(behind) }
    }

    #[test]
    fn a_line_of_bash_becomes_words() {
        let read = |before: &str, behind: &str| Typed::read(&["bash", before, behind].map(str::to_owned));
        assert_eq!(read("autotune ", ""), Some(typed(&[], "", &[])));
        assert_eq!(read("autotune k.yaml  --gpu=fermi,vol", ""), Some(typed(&["k.yaml"], "--gpu=fermi,vol", &[])));
        assert_eq!(
            read("autotune 'my kernel.yaml' --se", "t n=3 -v"),
            Some(typed(&["my kernel.yaml"], "--se", &["n=3", "-v"]))
        );
        assert_eq!(read("autotune my\\ kernel.yaml \"a b", ""), Some(typed(&["my kernel.yaml"], "a b", &[])));
        assert_eq!(read("auto", ""), None);
    }

    #[test]
    fn other_shells_give_words_and_a_place() {
        let read = |arguments: &[&str]| {
            Typed::read(&arguments.iter().map(|argument| (*argument).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(read(&["zsh", "2", "autotune", "gpus", "", "--why"]), Some(typed(&["gpus"], "", &["--why"])));
        for arguments in
            [&["zsh", "2", "autotune"][..], &["zsh", "0", "autotune"], &["zsh", "x", "autotune"], &["zsh"], &[]]
        {
            assert_eq!(read(arguments), None, "{arguments:?}");
        }
    }
}
