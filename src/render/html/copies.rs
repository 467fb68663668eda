//! The texts that a reader can copy from a page: compiler flags, a C header, the JSON.

use serde::Serialize;

use crate::result::Values;
use autotune_base::text::words::label;

/// The most bytes of JSON that a page holds.
const MOST_JSON: usize = 256 << 10;

/// A tuning's result in the forms of other programs. An `Err` holds the reason why the result has no such form.
#[derive(Debug)]
pub struct Copies {
    /// Options of a compiler, as `-DWG=64`; `None` if no optimum is proved.
    pub flags: Option<Result<String, String>>,
    /// A C header; `None` if no optimum is proved.
    pub header: Option<Result<String, String>>,
    /// The result as JSON.
    pub json: String,
}

/// The data of the part.
#[derive(Serialize)]
pub(super) struct Part {
    /// The parameters of the chosen configuration, if flags and header hold them; `None` if they hold the optimum or
    /// do not exist.
    preferred: Option<String>,
    texts: Vec<Text>,
    /// A sentence for each missing text, with the reason.
    missing: Vec<String>,
}

/// A text that a button copies.
#[derive(Serialize)]
struct Text {
    id: &'static str,
    name: &'static str,
    /// The text, escaped as the content of an HTML element.
    content: String,
    /// The words of a text that is visible at once; each stays on one line. Empty for a text behind a heading.
    words: Vec<String>,
}

impl Part {
    /// The part of a page. `preferred` is the chosen configuration that flags and header hold; `None` if they hold the optimum.
    pub(super) fn new(preferred: Option<&Values>, copies: &Copies) -> Self {
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
        let preferred = copies.flags.as_ref().and(preferred);
        Self { preferred: preferred.map(label), texts, missing }
    }
}

/// Returns the flags one by one, escaped; empty for all other texts.
fn words(id: &str, text: &str) -> Vec<String> {
    if id == "copy-flags" { text.split_whitespace().map(escaped).collect() } else { Vec::new() }
}

/// Escapes a text as the content of an HTML element. Quotes are kept, since escaped quotes would double the size of
/// JSON.
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
