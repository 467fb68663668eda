//! The words of LLVM's text.

use std::ops::Range;

/// A word; names are without their sign and quotation marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word<'a> {
    /// The end of a line.
    End,
    Local(&'a str),
    Global(&'a str),
    /// A name of metadata or the `!` before its braces.
    Metadata(&'a str),
    /// A group of attributes or a record of the debugger.
    Attributes(&'a str),
    Integer(&'a str),
    Float(&'a str),
    Name(&'a str),
    Text(&'a str),
    Bytes(&'a str),
    /// Three points.
    More,
    Sign(char),
}

/// The words of a text, each with its range of bytes; a word is `None` where the text has none.
pub(super) fn lex(text: &str) -> impl Iterator<Item = (Option<Word<'_>>, Range<usize>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += skipped(&text[at..]);
        let rest = &text[at..];
        let first = rest.chars().next()?;
        let word = first_word(first, rest);
        let begin = at;
        at += word.map_or(first.len_utf8(), |(_, length)| length);
        Some((word.map(|(word, _)| word), begin..at))
    })
}

/// The bytes of blanks and comments at a text's beginning.
fn skipped(text: &str) -> usize {
    let mut at = 0;
    loop {
        at += count(&text[at..], |byte| matches!(byte, b' ' | b'\t' | b'\r'));
        if !text[at..].starts_with(';') {
            return at;
        }
        at += count(&text[at..], |byte| byte != b'\n');
    }
}

/// The word at a text's beginning and its length in bytes; `None` if there is none.
fn first_word(first: char, text: &str) -> Option<(Word<'_>, usize)> {
    match first {
        '\n' => Some((Word::End, 1)),
        '%' => named(text).map(|(name, length)| (Word::Local(name), length)),
        '@' => named(text).map(|(name, length)| (Word::Global(name), length)),
        '!' => Some(taken(Word::Metadata, 1, 1 + count(&text[1..], in_name), text)),
        '#' => match count(&text[1..], |byte| byte == b'_' || byte.is_ascii_alphanumeric()) {
            0 => None,
            length => Some(taken(Word::Attributes, 0, 1 + length, text)),
        },
        '"' => quoted(text).map(|(name, length)| (Word::Text(name), length)),
        'c' if text[1..].starts_with('"') => {
            quoted(&text[1..]).map(|(_, length)| taken(Word::Bytes, 0, 1 + length, text))
        }
        '0'..='9' | '+' | '-' => number(text),
        'a'..='z' | 'A'..='Z' | '$' | '.' | '_' => Some(match count(text, in_name) {
            3 if text.starts_with("...") => (Word::More, 3),
            length if length == own_bits(text) => taken(Word::Float, 0, length, text),
            length => taken(Word::Name, 0, length, text),
        }),
        '(' | ')' | '{' | '}' | '[' | ']' | '<' | '>' | ',' | '=' | '*' | ':' | '|' | '^' | '&' => {
            Some((Word::Sign(first), 1))
        }
        _ => None,
    }
}

fn taken<'a>(kind: fn(&'a str) -> Word<'a>, begin: usize, length: usize, text: &'a str) -> (Word<'a>, usize) {
    (kind(&text[begin..length]), length)
}

/// The name behind a sign, plain or quoted, and the bytes of both.
fn named(text: &str) -> Option<(&str, usize)> {
    let name = &text[1..];
    if name.starts_with('"') {
        return quoted(name).map(|(name, length)| (name, 1 + length));
    }
    match count(name, in_name) {
        0 => None,
        length => Some((&name[..length], 1 + length)),
    }
}

/// The text between quotation marks on one line, and its bytes with them.
fn quoted(text: &str) -> Option<(&str, usize)> {
    let inside = &text[1..];
    let length = count(inside, |byte| !matches!(byte, b'"' | b'\n'));
    inside[length..].starts_with('"').then(|| (&inside[..length], length + 2))
}

/// The number at a text's beginning: decimal, hexadecimal (a float's bits), or a signed `inf` or `nan`.
fn number(text: &str) -> Option<(Word<'_>, usize)> {
    let sign = usize::from(text.starts_with(['+', '-']));
    let digits = count(&text[sign..], |byte| byte.is_ascii_digit());
    let whole = sign + digits;
    match &text.as_bytes()[whole..] {
        _ if digits == 0 && sign == 1 => special(&text[1..]).map(|length| taken(Word::Float, 0, 1 + length, text)),
        _ if digits == 0 => None,
        [b'.', ..] => {
            let fraction = whole + 1 + count(&text[whole + 1..], |byte| byte.is_ascii_digit());
            Some(taken(Word::Float, 0, fraction + exponent(&text[fraction..]), text))
        }
        [b'x', kind, ..] if text.starts_with('0') && digits == 1 => {
            let bits = 2 + usize::from(b"KLMHR".contains(kind));
            match count(&text[bits..], |byte| byte.is_ascii_hexdigit()) {
                0 => Some(taken(Word::Integer, 0, 1, text)),
                length => Some(taken(Word::Float, 0, bits + length, text)),
            }
        }
        _ if text.starts_with('+') => None,
        _ => Some(taken(Word::Integer, 0, whole, text)),
    }
}

/// The bytes of `inf`, of `nan`, `qnan` or `snan` with the bits of its fraction in parentheses, at a text's beginning;
/// `None` if there is none.
fn special(text: &str) -> Option<usize> {
    let name = count(text, |byte| byte.is_ascii_lowercase());
    let is_number = |name| matches!(name, "nan" | "qnan" | "snan");
    match &text[..name] {
        "inf" => Some(name),
        of if is_number(of) => {
            let bits =
                text[name..].strip_prefix('(').map_or(0, |rest| count(rest, |byte| byte.is_ascii_alphanumeric()));
            let closes = bits > 0 && text[name + 1 + bits..].starts_with(')');
            Some(name + if closes { bits + 2 } else { 0 })
        }
        _ => None,
    }
}

/// The bytes of a floating-point number by its own bits, `f0x3F800000`, at a text's beginning; 0 if there is none.
fn own_bits(text: &str) -> usize {
    match text.strip_prefix("f0x").map_or(0, |digits| count(digits, |byte| byte.is_ascii_hexdigit())) {
        0 => 0,
        digits => 3 + digits,
    }
}

/// The bytes of a decimal exponent at a text's beginning.
fn exponent(text: &str) -> usize {
    if !text.starts_with(['e', 'E']) {
        return 0;
    }
    let sign = 1 + usize::from(text[1..].starts_with(['+', '-']));
    match count(&text[sign..], |byte| byte.is_ascii_digit()) {
        0 => 0,
        digits => sign + digits,
    }
}

fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'.' | b'_')
}

/// The number of bytes at a text's beginning that are of a kind.
fn count(text: &str, is: impl Fn(u8) -> bool) -> usize {
    text.bytes().position(|byte| !is(byte)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Option<Word<'_>>> {
        lex(text).map(|(word, _)| word).collect()
    }

    #[test]
    fn names_numbers_and_texts_are_words() {
        let text = "%a.1 = call @\"f g\"(!dbg !7, #0) c\"\\00\" \"t\" ... ; a comment\n";
        let expected = [
            Word::Local("a.1"),
            Word::Sign('='),
            Word::Name("call"),
            Word::Global("f g"),
            Word::Sign('('),
            Word::Metadata("dbg"),
            Word::Metadata("7"),
            Word::Sign(','),
            Word::Attributes("#0"),
            Word::Sign(')'),
            Word::Bytes("c\"\\00\""),
            Word::Text("t"),
            Word::More,
            Word::End,
        ];
        assert_eq!(words(text), expected.map(Some));
        let numbers = "1 -2 1.5 -1.0e+09 2.e 0x3FF 0xK7F 0x +nan(1) -inf) -snan(0x3F) +qnan( f0x3FB8AA3B f0x f0xg ....";
        let [integer, float] = [Word::Integer as fn(_) -> _, Word::Float as fn(_) -> _];
        let mut expected =
            vec![integer("1"), integer("-2"), float("1.5"), float("-1.0e+09"), float("2."), Word::Name("e")];
        expected.extend([float("0x3FF"), float("0xK7F"), integer("0"), Word::Name("x")]);
        expected.extend([float("+nan(1)"), float("-inf"), Word::Sign(')'), float("-snan(0x3F)"), float("+qnan")]);
        expected.extend([
            Word::Sign('('),
            float("f0x3FB8AA3B"),
            Word::Name("f0x"),
            Word::Name("f0xg"),
            Word::Name("...."),
        ]);
        assert_eq!(words(numbers), expected.into_iter().map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn a_text_that_is_no_word_has_its_range() {
        for (text, range) in [("a é", 2..4), ("%", 0..1), ("@\"open\n\"", 0..1), ("+5", 0..1), ("a # b", 2..3)] {
            let unknown = lex(text).find(|(word, _)| word.is_none());
            assert_eq!(unknown.map(|(_, range)| range), Some(range), "{text}");
        }
    }
}
