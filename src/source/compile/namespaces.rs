//! The namespaces of a source, so that a template in one of them is found by its last name.

use std::collections::BTreeSet;

/// The words after which a template is found in all namespaces that a text opens, on one line.
pub(super) fn opened(text: &str) -> String {
    let found: BTreeSet<Vec<&str>> = namespaces(text).into_iter().collect();
    let opened = |path: Vec<&str>| {
        // One that a condition leaves out is empty.
        let (begin, end) = (path.join(" { namespace "), "} ".repeat(path.len()));
        format!("namespace {begin} {{ {end}using namespace {}; ", path.join("::"))
    };
    found.into_iter().map(opened).collect()
}

/// The names of each namespace that is opened, the outermost first.
fn namespaces(text: &str) -> Vec<Vec<&str>> {
    let (mut found, mut inside): (Vec<Vec<&str>>, Vec<&str>) = (Vec::new(), Vec::new());
    // The names that end with each open brace.
    let mut open: Vec<usize> = Vec::new();
    let mut words = Words(text);
    while let Some(word) = words.next() {
        match word {
            "{" => open.push(0),
            "}" => inside.truncate(inside.len() - open.pop().unwrap_or(0)),
            "namespace" => {
                let mut names = Vec::new();
                let end = words.by_ref().find(|word| {
                    names.extend(Some(*word).filter(|word| word.starts_with(begins_name)));
                    ["{", ";", "=", "}"].contains(word)
                });
                if end == Some("{") {
                    open.push(names.len());
                    inside.extend(&names);
                    found.extend((!names.is_empty()).then(|| inside.clone()));
                }
            }
            _ => {}
        }
    }
    found
}

fn begins_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// The identifiers and signs of a text, without comments, strings and directives.
struct Words<'a>(&'a str);

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            self.0 = self.0.trim_start();
            let first = self.0.chars().next()?;
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = |end: Option<usize>| end.unwrap_or(self.0.len());
            let (length, is_word) = match first {
                '#' => (directive(self.0), false),
                '"' | '\'' => (literal(self.0, first), false),
                '/' if self.0.starts_with("//") => (end(self.0.find('\n')), false),
                '/' if self.0.starts_with("/*") => (end(self.0.find("*/").map(|at| at + 2)), false),
                first if is_name(first) => (end(self.0.find(|c| !is_name(c))), true),
                first => (first.len_utf8(), true),
            };
            let (word, rest) = self.0.split_at(length);
            self.0 = rest;
            if is_word {
                return Some(word);
            }
        }
    }
}

/// The bytes of a directive with the lines that continue it.
fn directive(text: &str) -> usize {
    let mut ends = text.match_indices('\n').map(|(at, _)| at);
    ends.find(|at| !text[..*at].trim_end_matches('\r').ends_with('\\')).unwrap_or(text.len())
}

/// The bytes of a string or a character, which ends with its line at the latest.
fn literal(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let is_end = (*c == quote && !is_escaped) || *c == '\n';
        is_escaped = *c == '\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_opens_the_namespaces_that_it_names() {
        let text = "#define N namespace no {\nnamespace a { /* namespace no { */ namespace { struct s { int b; }; }\n\
                    namespace b::c { const char* t = \"namespace no {\"; } }\nusing namespace std; namespace x = a;\n\
                    inline namespace d { }\nnamespace a {";
        assert_eq!(namespaces(text), [vec!["a"], vec!["a", "b", "c"], vec!["d"], vec!["a"]]);
        assert_eq!(
            opened("namespace a { namespace b {} } }"),
            "namespace a { } using namespace a; namespace a { namespace b { } } using namespace a::b; "
        );
        assert_eq!(opened("__global__ void k() { \" \n '"), "");
    }
}
