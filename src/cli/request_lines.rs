//! Requests on standard input, a line each, of a limited length.

use std::io::{self, BufRead, Read};

/// The bytes that are kept of the beginning and of the end of a line that is too long.
const KEPT_END: usize = 1024;
/// The bytes of the rest of such a line that are read at a time.
const SKIPPED_AT_ONCE: u64 = 1 << 16;

/// A line of requests.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RequestLine {
    /// A line that a request may have.
    Whole(Vec<u8>),
    /// The beginning and the end of a line of more bytes than a request may have; the rest is not kept.
    TooLong { begin: Vec<u8>, end: Vec<u8> },
}

impl RequestLine {
    /// Reads the next line, with its end; `None` at the end of the input.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(super) fn read(input: &mut impl BufRead, most: usize) -> io::Result<Option<Self>> {
        let mut line = Vec::new();
        input.by_ref().take(most as u64 + 1).read_until(b'\n', &mut line)?;
        if line.len() <= most || line.ends_with(b"\n") {
            return Ok((!line.is_empty()).then_some(Self::Whole(line)));
        }
        let mut end = line[line.len().saturating_sub(KEPT_END)..].to_vec();
        line.truncate(KEPT_END);
        loop {
            let mut part = Vec::new();
            input.by_ref().take(SKIPPED_AT_ONCE).read_until(b'\n', &mut part)?;
            end.extend(&part);
            end.drain(..end.len().saturating_sub(KEPT_END));
            if part.is_empty() || part.ends_with(b"\n") {
                return Ok(Some(Self::TooLong { begin: line, end }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_not_kept_and_the_next_one_is_read() {
        let text = format!("{{\"id\":7,{}end}}\n{{}}\nlast", "x".repeat(5_000));
        let mut input = text.as_bytes();
        let Some(RequestLine::TooLong { begin, end }) = RequestLine::read(&mut input, 3_000).unwrap() else {
            panic!("{text} is too long")
        };
        assert!(begin.starts_with(b"{\"id\":7,x") && end.ends_with(b"xend}\n"));
        assert!(begin.len() <= KEPT_END && end.len() <= KEPT_END);
        assert_eq!(RequestLine::read(&mut input, 3_000).unwrap(), Some(RequestLine::Whole(b"{}\n".to_vec())));
        assert_eq!(RequestLine::read(&mut input, 3_000).unwrap(), Some(RequestLine::Whole(b"last".to_vec())));
        assert_eq!(RequestLine::read(&mut input, 3_000).unwrap(), None);
    }

    #[test]
    fn a_line_of_the_greatest_length_is_whole() {
        for (text, is_whole) in [("abcd\n", true), ("abcd", true), ("abcde\n", false), ("abcde", false)] {
            let line = RequestLine::read(&mut text.as_bytes(), 4).unwrap();
            assert_eq!(matches!(line, Some(RequestLine::Whole(_))), is_whole, "{text}");
        }
    }
}
