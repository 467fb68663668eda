//! Hosts in Python: lines become statements, and each assignment declares its variable.

use super::program::Function;
use super::variables::assigned_in_python;
use crate::source::{Word, words};

/// The name of the function that a whole file is.
pub(super) const MODULE: &str = "<module>";

/// A text of Python with the letters of C, each at its place: comments are blank, and a line outside of brackets ends with `;`.
pub(super) fn as_statements(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let (mut depth, mut quote, mut is_comment) = (0_usize, None, false);
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let mut at = 0;
    while let Some((byte, letter)) = letters.get(at).copied() {
        let triple = ["\"\"\"", "'''"].into_iter().find(|triple| text[byte..].starts_with(triple));
        let blank = |letter: char| if letter == '\n' { "\n".to_owned() } else { " ".repeat(letter.len_utf8()) };
        at += 1;
        match (quote, triple) {
            (Some(open), Some(triple)) if open == triple => {
                made.push_str("   ");
                at += 2;
                quote = None;
                continue;
            }
            (Some(_), _) => {
                made.push_str(&blank(letter));
                continue;
            }
            (None, Some(triple)) if !is_comment => {
                made.push_str("   ");
                at += 2;
                quote = Some(triple);
                continue;
            }
            _ => {}
        }
        match letter {
            '#' => is_comment = true,
            '(' | '[' | '{' if !is_comment => depth += 1,
            ')' | ']' | '}' if !is_comment => depth = depth.saturating_sub(1),
            _ => {}
        }
        if letter == '\n' {
            // A blank before the end of the line keeps the places of what follows.
            let ends = depth == 0 && made.ends_with([' ', '\r']);
            if ends {
                made.pop();
                made.push(';');
            }
            made.push(if ends || depth > 0 { '\n' } else { ';' });
            is_comment = false;
        } else if is_comment {
            made.push_str(&blank(letter));
        } else if text[byte..].starts_with("//") {
            // The quotient of Python is a comment in C.
            made.push_str("/ ");
            at += 1;
        } else {
            made.push(letter);
        }
    }
    made
}

/// The function that a file in Python is.
pub(super) fn module(text: &str, file: usize) -> Function<'_> {
    let body: Vec<Word<'_>> = words(text);
    Function {
        name: MODULE,
        file,
        bytes: 0..text.len(),
        template: Vec::new(),
        parameters: Vec::new(),
        head: Vec::new(),
        variables: assigned_in_python(&body),
        body,
        is_kernel: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_python_are_statements() {
        let text = "n = 4  # four\nf(a,\n  b)\n\"\"\"x = 1\ny\"\"\"\nm = n\n";
        let made = as_statements(text);
        assert_eq!(made.len(), text.len());
        let body = module(&made, 0);
        let names: Vec<&str> = body.variables.iter().map(|one| one.name).collect();
        assert_eq!(names, ["n", "m"]);
    }
}
