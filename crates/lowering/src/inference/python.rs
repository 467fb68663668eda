//! Hosts in Python: lines become statements, and each assignment declares its variable.

use super::function::Function;
use super::variables::assigned_in_python;
use autotune_kernel::source::{Word, words};

/// The name of the function that a whole file is.
pub(super) const MODULE: &str = "<module>";

/// A text of Python with the letters of C, each at its place: comments are blank, and a line outside of brackets ends with `;`.
pub(super) fn as_statements(text: &str) -> String {
    let mut made = Made { text: String::with_capacity(text.len()), depth: 0, quote: None, is_comment: false };
    let mut rest = text;
    while !rest.is_empty() {
        rest = &rest[made.part(rest)..];
    }
    made.text
}

/// The quotes of a text of several lines.
const QUOTES: [&str; 2] = ["\"\"\"", "'''"];

/// A text while it is made.
struct Made {
    text: String,
    /// The brackets that are open.
    depth: usize,
    /// The quotes that are open; `None` outside of them.
    quote: Option<&'static str>,
    is_comment: bool,
}

impl Made {
    /// Takes the first part of a text, and returns its bytes.
    fn part(&mut self, text: &str) -> usize {
        let letter = text.chars().next().unwrap_or('\n');
        let opens = QUOTES.into_iter().find(|quote| text.starts_with(quote)).filter(|_| !self.is_comment);
        match (self.quote, opens) {
            (Some(open), Some(quote)) if open == quote => self.quote = None,
            (None, Some(quote)) => self.quote = Some(quote),
            (Some(_), _) => return self.blank(letter),
            (None, None) => return self.outside(letter, text),
        }
        self.text.push_str("   ");
        QUOTES[0].len()
    }

    fn blank(&mut self, letter: char) -> usize {
        match letter {
            '\n' => self.text.push('\n'),
            letter => self.text.extend(std::iter::repeat_n(' ', letter.len_utf8())),
        }
        letter.len_utf8()
    }

    fn outside(&mut self, letter: char, text: &str) -> usize {
        match letter {
            '\n' => {
                self.end_line();
                return 1;
            }
            _ if self.is_comment => return self.blank(letter),
            '#' => {
                self.is_comment = true;
                return self.blank(letter);
            }
            // The quotient of Python is a comment in C.
            '/' if text.starts_with("//") => {
                self.text.push_str("/ ");
                return 2;
            }
            '(' | '[' | '{' => self.depth += 1,
            ')' | ']' | '}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.text.push(letter);
        letter.len_utf8()
    }

    /// Ends a line outside of brackets as a statement.
    fn end_line(&mut self) {
        self.is_comment = false;
        self.text.push(if self.depth > 0 { '\n' } else { ';' });
    }
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
