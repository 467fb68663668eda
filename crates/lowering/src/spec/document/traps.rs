//! Expressions that YAML reads as something else, guessed from the line.
//!
//! The guess is made only after an error, so that a wrong guess costs no more than a misplaced hint.

use autotune_base::text::Source;

/// The rule of YAML that took an expression apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trap {
    /// A `? :` outside quotes: the colon makes a mapping.
    Choice,
    /// A first character that means a tag, an alias, an anchor or a directive.
    First(char),
    /// A comma inside a flow list or a flow mapping.
    Comma,
}

/// The trap in the line of a byte, if there is one.
pub(in crate::spec) fn at(source: &Source, byte: usize) -> Option<Trap> {
    let line = source.line_of(byte);
    first(line).or_else(|| (line.contains(" ? ") || line.contains("? ")).then_some(Trap::Choice))
}

/// The trap of a first character of a value that has a meaning in YAML.
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
    /// The advice that avoids the trap.
    pub(in crate::spec) fn advice(self) -> String {
        let why = match self {
            Self::Choice => "with `? :`".to_owned(),
            Self::First(first) => format!("that begins with `{first}`"),
            Self::Comma => "with a comma inside a list".to_owned(),
        };
        format!("put an expression {why} in quotes, or YAML reads it as something else")
    }
}
