//! The texts that a reader takes away: compiler flags, a header, the JSON.

use serde::Serialize;

use crate::result::Report;
use crate::text::words::label;

/// Bytes of JSON that a page holds, at most.
const MOST_JSON: usize = 256 << 10;

/// A result in other programs' forms; an error says why there is no such text.
#[derive(Debug)]
pub struct Copies {
    /// `-D` options of a compiler; `None` if nothing is proved.
    pub flags: Option<Result<String, String>>,
    /// A C header; `None` if nothing is proved.
    pub header: Option<Result<String, String>>,
    /// The result as JSON.
    pub json: String,
}

/// The data of the part.
#[derive(Serialize)]
pub(super) struct Part {
    /// The configuration that flags and header hold, where it is not the optimum.
    preferred: Option<String>,
    texts: Vec<Text>,
    /// Why texts are missing.
    missing: Vec<String>,
}

/// A text that a button copies.
#[derive(Serialize)]
struct Text {
    id: &'static str,
    name: &'static str,
    /// Escaped as the content of an element.
    content: String,
    /// The words of a line that is seen at once, none of which is broken; empty for what is behind a heading.
    words: Vec<String>,
}

impl Part {
    pub(super) fn new(report: &Report, copies: &Copies) -> Self {
        let json = if copies.json.len() <= MOST_JSON {
            Ok(copies.json.clone())
        } else {
            Err(format!("it has {} KiB; `--format json` prints it", copies.json.len() >> 10))
        };
        let all = [
            ("copy-flags", "flags", copies.flags.as_ref()),
            ("copy-header", "header", copies.header.as_ref()),
            ("copy-json", "JSON", Some(&json)),
        ];
        let (mut texts, mut missing) = (Vec::new(), Vec::new());
        for (id, name, text) in all {
            match text {
                Some(Ok(text)) => texts.push(Text { id, name, content: escaped(text), words: words(id, text) }),
                Some(Err(why)) => missing.push(format!("The {name} cannot be copied from here: {why}.")),
                None => {}
            }
        }
        let preferred = copies.flags.as_ref().and(report.choice());
        Self { preferred: preferred.map(|choice| label(&choice.parameters)), texts, missing }
    }
}

/// The flags one by one.
fn words(id: &str, text: &str) -> Vec<String> {
    if id == "copy-flags" { text.split_whitespace().map(escaped).collect() } else { Vec::new() }
}

/// A text as the content of an element. Quotes stay as they are, since JSON would double with them escaped.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_end_its_element() {
        assert_eq!(escaped("a</pre>&\"lt;'"), "a&lt;/pre&gt;&amp;\"lt;'");
    }
}
