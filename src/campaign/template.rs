//! Texts with the values of parameters: `{NAME}` stands for a value, `{{` and `}}` stand for braces.

use std::ops::Range;

use thiserror::Error;

use autotune_base::text::{list, nearest};

/// A text with places for the values of parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Template(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// The value of a parameter, by its place in the spec.
    Value(usize),
}

/// A brace that stands neither for a value nor for itself.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BraceError {
    /// A word in braces that is not a parameter's name.
    #[error("`{{{word}}}` is not a parameter")]
    Unknown {
        /// The word.
        word: String,
        /// The parameter that was probably meant; `None` if no name is similar.
        meant: Option<String>,
        /// The names of all parameters.
        parameters: Vec<String>,
    },
    /// A parameter that is written like a variable of a shell.
    #[error("`${{{parameter}}}` would become `$` and the value of the parameter `{parameter}`")]
    Variable {
        /// The parameter's name.
        parameter: String,
    },
    /// An opening brace without its end.
    #[error("`{{` is not closed")]
    Unclosed,
    /// A closing brace without its beginning.
    #[error("`}}` closes nothing")]
    Unopened,
}

impl BraceError {
    pub(super) fn help(&self) -> String {
        const PLAIN: &str = "`{{` and `}}` stand for braces, `${{HOME}}` for a variable of the shell";
        match self {
            Self::Unknown { meant: Some(meant), .. } => format!("did you mean `{{{meant}}}`? {PLAIN}"),
            Self::Unknown { parameters, .. } => format!("the parameters are {}; {PLAIN}", list(parameters)),
            Self::Variable { parameter } => {
                format!("write `{{{parameter}}}` for the value, or `${{{{{parameter}}}}}` for a variable of the shell")
            }
            Self::Unclosed | Self::Unopened => format!("`{{NAME}}` is the value of a parameter; {PLAIN}"),
        }
    }
}

impl Template {
    /// Reads a text with the names of these parameters.
    ///
    /// # Errors
    /// [`BraceError`] with the bytes that it is about, of the first brace that stands for nothing.
    pub(super) fn parse(text: &str, parameters: &[&str]) -> Result<Self, (BraceError, Range<usize>)> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(brace) = rest.find(['{', '}']) {
            let (before, behind) = rest.split_at(brace);
            pieces.push(Piece::Text(before.to_owned()));
            let length = if behind.starts_with("{{") || behind.starts_with("}}") {
                pieces.push(Piece::Text(behind[..1].to_owned()));
                2
            } else {
                let start = text.len() - behind.len();
                let (parameter, length) =
                    value(behind, parameters).map_err(|(error, length)| (error, start..start + length))?;
                pieces.push(Piece::Value(parameter));
                length
            };
            rest = &behind[length..];
        }
        pieces.push(Piece::Text(rest.to_owned()));
        Ok(Self(pieces))
    }

    /// The text with these values, in the order of the parameters.
    pub(super) fn filled(&self, values: &[String]) -> String {
        self.with(|parameter| values[parameter].clone())
    }

    /// The text if it depends on no value.
    pub(super) fn constant(&self) -> Option<String> {
        let is_constant = self.values() == 0;
        is_constant.then(|| self.filled(&[]))
    }

    /// The text of the same meaning before `{{` and `}}` stood for braces, when every brace that did not belong to a
    /// parameter stood for itself; `None` if that text never had this meaning, or has another one today.
    pub(super) fn earlier(&self, parameters: &[&str]) -> Option<String> {
        let place = |name: &str| format!("{{{name}}}");
        let text = self.with(|parameter| place(parameters[parameter]));
        let places: usize = parameters.iter().map(|name| text.matches(&place(name)).count()).sum();
        (places == self.values() && Self::parse(&text, parameters).is_err()).then_some(text)
    }

    fn with(&self, value: impl Fn(usize) -> String) -> String {
        let texts = self.0.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Value(parameter) => value(*parameter),
        });
        texts.collect()
    }

    /// The number of places for values.
    fn values(&self) -> usize {
        self.0.iter().filter(|piece| matches!(piece, Piece::Value(_))).count()
    }
}

/// The parameter that the text names at its beginning, in braces, and the length of its name with them; the length of
/// an error is that of the bytes that it is about.
fn value(text: &str, parameters: &[&str]) -> Result<(usize, usize), (BraceError, usize)> {
    if text.starts_with('}') {
        return Err((BraceError::Unopened, 1));
    }
    let end = text[1..].find(['{', '}']).map(|end| end + 1).filter(|end| text[*end..].starts_with('}'));
    let Some(end) = end else {
        let name = text[1..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len() - 1);
        return Err((BraceError::Unclosed, 1 + name));
    };
    let word = &text[1..end];
    let found = parameters.iter().position(|name| *name == word);
    found.map(|parameter| (parameter, end + 1)).ok_or_else(|| {
        let meant = nearest(word.trim(), parameters.iter().copied());
        let parameters = parameters.iter().map(|&name| name.to_owned()).collect();
        (BraceError::Unknown { word: word.to_owned(), meant, parameters }, end + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 2] = ["TS", "N"];

    fn filled(text: &str) -> String {
        Template::parse(text, &NAMES).unwrap().filled(&["32".to_owned(), "-1".to_owned()])
    }

    #[test]
    fn doubled_braces_stand_for_braces() {
        for (text, expected) in [
            ("", ""),
            ("a_{TS}{N}.o", "a_32-1.o"),
            ("${{HOME}}/x{N}", "${HOME}/x-1"),
            ("{{TS}} {{{TS}}} {TS}}}", "{TS} {32} 32}"),
            ("{{print $1}}", "{print $1}"),
            ("µ{TS}µ", "µ32µ"),
        ] {
            assert_eq!(filled(text), expected, "{text}");
        }
        assert_eq!(Template::parse("make{{}}", &NAMES).unwrap().constant().as_deref(), Some("make{}"));
        assert_eq!(Template::parse("make{N}", &NAMES).unwrap().constant(), None);
    }

    #[test]
    fn a_brace_that_stands_for_nothing_is_refused_with_its_place() {
        for (text, shown, message, help) in [
            ("b_{TZ} 5", "{TZ}", "`{TZ}` is not a parameter", "did you mean `{TS}`?"),
            ("b { TS }", "{ TS }", "`{ TS }` is not a parameter", "did you mean `{TS}`?"),
            ("b {}", "{}", "`{}` is not a parameter", "the parameters are `TS`, `N`"),
            ("${HOME}/b", "{HOME}", "`{HOME}` is not a parameter", "`${{HOME}}` for a variable of the shell"),
            ("µ {TS 5", "{TS", "`{` is not closed", "`{{` and `}}` stand for braces"),
            ("b {TS {N}", "{TS", "`{` is not closed", ""),
            ("b {", "{", "`{` is not closed", ""),
            ("b }", "}", "`}` closes nothing", "`{{` and `}}` stand for braces"),
            ("{TS}}", "}", "`}` closes nothing", ""),
            ("{{TS}", "}", "`}` closes nothing", ""),
        ] {
            let (error, span) = Template::parse(text, &NAMES).unwrap_err();
            assert_eq!((&text[span], error.to_string().as_str()), (shown, message), "{text}");
            assert!(error.help().contains(help), "{text}: {}", error.help());
        }
    }

    #[test]
    fn a_text_has_its_earlier_form_if_that_was_and_is_no_other_text() {
        let earlier = |text: &str| Template::parse(text, &NAMES).unwrap().earlier(&NAMES);
        assert_eq!(earlier("awk '{{print $1}}' {TS}").as_deref(), Some("awk '{print $1}' {TS}"));
        // The same text, a text that had a value, and a text that means another today.
        for text in ["bench {TS}", "{{TS}} {{x}}", "{{{{TS}}}}", "{{{{x}}}}{{{{y}}}}"] {
            assert_eq!(earlier(text), None, "{text}");
        }
    }
}
