//! What YAML reads as something else than an expression, told from the line as it stands.
//!
//! It is asked only where something went wrong, so that a wrong guess costs a misplaced hint and no more.

use crate::text::Source;

/// Why YAML took an expression apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trap {
    /// `? :` outside quotes: the colon makes a mapping.
    Choice,
    /// A first character that means a tag, an alias, an anchor or a directive.
    First(char),
    /// A comma inside a flow list or a flow mapping.
    Comma,
}

/// The trap in the line that a byte is in, if there is one.
pub(in crate::spec) fn at(source: &Source, byte: usize) -> Option<Trap> {
    let line = source.line_of(byte);
    first(line).or_else(|| (line.contains(" ? ") || line.contains("? ")).then_some(Trap::Choice))
}

/// A character that is something else to YAML where a value begins.
fn first(line: &str) -> Option<Trap> {
    let characters: Vec<char> = line.chars().collect();
    characters.windows(3).find_map(|window| match window {
        [':' | '-' | ',', ' ', trap @ ('!' | '*' | '&' | '%')] | ['[' | '{', trap @ ('!' | '*' | '&' | '%'), _] => {
            Some(Trap::First(*trap))
        }
        _ => None,
    })
}

impl Trap {
    /// How to get out of it.
    pub(in crate::spec) fn advice(self) -> String {
        let why = match self {
            Self::Choice => "with `? :`".to_owned(),
            Self::First(first) => format!("that begins with `{first}`"),
            Self::Comma => "with a comma inside a list".to_owned(),
        };
        format!("put an expression {why} in quotes, or YAML reads it as something else")
    }
}
