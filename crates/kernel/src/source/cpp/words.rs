//! The words of a text: names, numbers, quoted texts, signs and directives.

/// A word of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<'a> {
    /// The kind.
    pub kind: WordKind,
    /// The text, from `#` to the end of its last line for a directive.
    pub text: &'a str,
    /// The position of its first byte.
    pub at: usize,
}

/// The kind of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    /// An identifier or a keyword.
    Name,
    /// A number.
    Number,
    /// A string or a character in quotes.
    Quoted,
    /// A sign of one letter, or one of two letters such as `->`.
    Sign,
    /// A line for the preprocessor, with those that continue it.
    Directive,
}

/// Signs of two letters whose letters mean something else alone.
const PAIRS: [&str; 6] = ["::", "->", "==", "<=", ">=", "!="];

impl<'a> Word<'a> {
    /// The position behind its last byte.
    #[must_use]
    pub fn end(&self) -> usize {
        self.at + self.text.len()
    }

    /// True for an identifier or a keyword.
    #[must_use]
    pub fn is_name(&self) -> bool {
        self.kind == WordKind::Name
    }

    /// The word behind `#` of a directive, and what follows it; `None` for another word.
    #[must_use]
    pub fn directive(&self) -> Option<(&'a str, &'a str)> {
        let text = self.text.strip_prefix('#').filter(|_| self.kind == WordKind::Directive)?.trim_start();
        let end = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
        Some((&text[..end], &text[end..]))
    }
}

fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '$' || !letter.is_ascii()
}

/// The words of a text. Comments do not count as words.
#[must_use]
pub fn words(text: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut is_line_start = true;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let comment = comment(rest);
        if comment > 0 || first.is_whitespace() || rest.starts_with("\\\n") {
            is_line_start |= first == '\n';
            at += comment.max(first.len_utf8());
            continue;
        }
        let (kind, length) = if first == '#' && is_line_start { (WordKind::Directive, line(rest)) } else { word(rest) };
        found.push(Word { kind, text: &rest[..length], at });
        at += length;
        is_line_start = false;
    }
    found
}

/// The length of a comment at the start of a text; 0 if there is none.
fn comment(text: &str) -> usize {
    if text.starts_with("//") {
        line(text)
    } else if text.starts_with("/*") {
        text.find("*/").map_or(text.len(), |end| end + 2)
    } else {
        0
    }
}

/// The length of a line with those that continue it, up to a comment of several lines.
fn line(text: &str) -> usize {
    let mut at = 0;
    loop {
        let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
        if let Some(open) = text[at..end].find("/*").map(|open| at + open)
            && !text[at..open].contains("//")
        {
            at = open + comment(&text[open..]);
        } else if text[at..end].trim_end_matches('\r').ends_with('\\') && end < text.len() {
            at = end + 1;
        } else {
            return end;
        }
    }
}

/// The kind and the length of the word at the start of a text.
fn word(text: &str) -> (WordKind, usize) {
    let first = text.chars().next().unwrap_or(' ');
    if let Some(length) = raw_string(text) {
        return (WordKind::Quoted, length);
    }
    if first.is_ascii_digit() {
        let is_part = |(at, letter): (usize, char)| {
            let before = text[..at].chars().last().unwrap_or(' ');
            is_part(letter) || letter == '.' || letter == '\'' || ("eEpP".contains(before) && "+-".contains(letter))
        };
        let is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
        let end = text.char_indices().find(|(at, letter)| {
            // A hexadecimal number may end in `e`, and a sum goes on behind it.
            !is_part((*at, *letter)) || (is_hexadecimal && "+-".contains(*letter) && !text[..*at].contains(['p', 'P']))
        });
        return (WordKind::Number, end.map_or(text.len(), |(at, _)| at));
    }
    if is_part(first) {
        return (WordKind::Name, text.find(|c: char| !is_part(c)).unwrap_or(text.len()));
    }
    if let Some(length) = quoted(text) {
        return (WordKind::Quoted, length);
    }
    let is_pair = PAIRS.iter().any(|pair| text.starts_with(pair));
    (WordKind::Sign, if is_pair { 2 } else { first.len_utf8() })
}

/// The length of a string or character in quotes on one line; `None` if there is none.
fn quoted(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' => return None,
            _ if letter == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The length of `R"end(…)end"`, up to the end of the text if it has no end; `None` if there is none.
fn raw_string(text: &str) -> Option<usize> {
    let start = ["R\"", "u8R\"", "uR\"", "UR\"", "LR\""].iter().find(|start| text.starts_with(**start))?;
    let (delimiter, _) = text[start.len()..].split_once('(').filter(|(delimiter, _)| delimiter.len() <= 16)?;
    let end = format!("){delimiter}\"");
    Some(text.find(&end).map_or(text.len(), |at| at + end.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_in_words() {
        let text = "#define A(x) \\\n  x /* two\nlines */ + 1 // end\nint a\\\nb = 0xe+1'000.5e-3f; // it's\nR\"x(a\")b)x\" \
                    'c' \"d\\\"#\" u->v::w>>2 /* # */ don't";
        let found: Vec<&str> = words(text).iter().map(|word| word.text).collect();
        let expected = [
            "#define A(x) \\\n  x /* two\nlines */ + 1 // end",
            "int",
            "a",
            "b",
            "=",
            "0xe",
            "+",
            "1'000.5e-3f",
            ";",
            "R\"x(a\")b)x\"",
            "'c'",
            "\"d\\\"#\"",
            "u",
            "->",
            "v",
            "::",
            "w",
            ">",
            ">",
            "2",
            "don",
            "'",
            "t",
        ];
        assert_eq!(found, expected);
        assert_eq!(words(text)[0].directive(), Some(("define", &text[7..45])));
        assert!(words(text).iter().all(|word| &text[word.at..word.end()] == word.text));
    }
}
