//! The compiler's messages.

use super::super::ir::SourcePlace;

/// The most messages that are shown.
const MOST: usize = 5;

/// An error that the compiler finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The place; `None` if the error has none.
    pub place: Option<SourcePlace>,
    /// The error in the compiler's words.
    pub text: String,
}

/// The first errors in the compiler's output.
pub(super) fn messages(output: &str) -> Vec<Message> {
    let errors = output.lines().filter_map(error);
    errors.filter(|error| !error.text.starts_with("too many errors emitted")).take(MOST).collect()
}

/// The messages, a line each.
pub(super) fn listed(messages: &[Message]) -> String {
    let line = |message: &Message| match &message.place {
        Some(place) => format!("  {}:{}:{}: {}", place.file, place.line, place.column, message.text),
        None => format!("  {}", message.text),
    };
    messages.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The name of a file that the compiler does not find.
pub(super) fn missing(message: &Message) -> Option<&str> {
    message.text.strip_prefix('\'')?.strip_suffix("' file not found")
}

/// `file:line:column: error: text`, or without a place, after the compiler's name.
fn error(line: &str) -> Option<Message> {
    let (before, text) = [": fatal error: ", ": error: "].iter().find_map(|kind| line.split_once(kind))?;
    Some(Message { place: place(before), text: text.to_owned() })
}

fn place(text: &str) -> Option<SourcePlace> {
    let (rest, column) = text.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some(SourcePlace { file: file.into(), line: line.parse().ok()?, column: column.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_their_places_and_no_more_than_five_are_told() {
        let output = "In file included from k.cl:1:\na b/h: x.h:3:7: error: no type: error: here\nk.cl:9:1: note: see\n\
                      clang: error: unknown argument: '-x'\nk.cl:2:3: fatal error: 'm.h' file not found\n";
        let found = messages(output);
        let at = |file: &str, line, column| Some(SourcePlace { file: file.into(), line, column });
        assert_eq!(found[0], Message { place: at("a b/h: x.h", 3, 7), text: "no type: error: here".to_owned() });
        assert_eq!((&found[1].place, found[1].text.as_str()), (&None, "unknown argument: '-x'"));
        assert_eq!((missing(&found[1]), missing(&found[2])), (None, Some("m.h")));
        let many = "k.cl:1:1: error: one\n".repeat(9) + "fatal error: too many errors emitted, stopping now\n";
        assert_eq!(messages(&many).len(), 5);
    }
}
