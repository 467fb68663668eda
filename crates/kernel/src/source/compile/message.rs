//! The compiler's messages.

use super::super::demangle::in_text;
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

/// An error, and the places of the code that led to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Traced {
    pub(super) message: Message,
    /// The places that ask for the code with the error, from the innermost: instances of templates, and macros.
    asking: Vec<SourcePlace>,
    /// The places that include the file with the error, from the innermost.
    including: Vec<SourcePlace>,
}

/// The words of a note about code that asks for the code with the error.
const ASKS: [&str; 6] = ["in instantiation of", "requested here", "expanded from", "in call to", "while ", "required "];

/// The words before a place that includes a file.
const INCLUDES: &str = "In file included from ";

impl Traced {
    /// The places of the error and of what led to it, from the innermost.
    pub(super) fn places(&self) -> impl Iterator<Item = &SourcePlace> {
        self.message.place.iter().chain(&self.asking).chain(&self.including)
    }

    /// The error at the innermost place that `name` accepts, in a file that the user has; without a place if there is
    /// none.
    pub(super) fn placed(self, name: impl Fn(&SourcePlace) -> Option<SourcePlace>) -> Message {
        let place = self.places().find_map(name);
        Message { place, text: self.message.text }
    }
}

/// The first errors in the compiler's output.
pub(super) fn messages(output: &str) -> Vec<Traced> {
    let (mut found, mut including): (Vec<Traced>, Vec<SourcePlace>) = (Vec::new(), Vec::new());
    for line in output.lines() {
        if let Some(file) = line.strip_prefix(INCLUDES) {
            including.splice(0..0, including_place(file));
        } else if let Some(message) = error(line).filter(|error| !error.text.starts_with("too many errors emitted")) {
            if found.len() == MOST {
                break;
            }
            found.push(Traced { message, asking: Vec::new(), including: std::mem::take(&mut including) });
        } else if let Some((before, text)) = line.split_once(": note: ") {
            including.clear();
            let asks = ASKS.iter().any(|words| text.contains(words));
            if let Some((last, place)) = found.last_mut().filter(|_| asks).zip(place(before)) {
                last.asking.push(place);
            }
        } else if line.contains(": warning: ") {
            including.clear();
        }
    }
    found
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
    Some(Message { place: place(before), text: in_text(text).into_owned() })
}

/// `file:line:`, behind the words that say that this file includes another.
fn including_place(text: &str) -> Option<SourcePlace> {
    let (file, line) = text.strip_suffix(':')?.rsplit_once(':')?;
    Some(SourcePlace { file: file.into(), line: line.parse().ok()?, column: 1 })
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
        let found: Vec<Message> = messages(output).into_iter().map(|message| message.message).collect();
        let at = |file: &str, line, column| Some(SourcePlace { file: file.into(), line, column });
        assert_eq!(found[0], Message { place: at("a b/h: x.h", 3, 7), text: "no type: error: here".to_owned() });
        assert_eq!((&found[1].place, found[1].text.as_str()), (&None, "unknown argument: '-x'"));
        assert_eq!((missing(&found[1]), missing(&found[2])), (None, Some("m.h")));
        let many = "k.cl:1:1: error: one\n".repeat(9) + "fatal error: too many errors emitted, stopping now\n";
        assert_eq!(messages(&many).len(), 5);
    }

    #[test]
    fn an_error_in_a_header_is_at_the_users_line_that_led_there() {
        let output = "In file included from k.cu:7:\nIn file included from a.h:2:\nown/h.h:3:7: error: one\n\
                      own/h.h:1:1: note: candidate function\nown/h.h:9:2: note: in instantiation of 'f' requested here\n\
                      k.cu:4:5: note: in instantiation of 'g' requested here\nIn file included from k.cu:8:\n\
                      own/i.h:1:2: warning: two\nown/i.h:1:3: error: three\nIn file included from k.cu:9:\n\
                      own/i.h:1:4: error: four\n";
        let is_users = |place: &SourcePlace| Some(place.clone()).filter(|place| !place.file.starts_with("own/"));
        let places = messages(output).into_iter().map(|message| message.placed(is_users).place);
        let places: Vec<_> = places.map(|place| place.map(|at| format!("{}:{}", at.file, at.line))).collect();
        assert_eq!(places, [Some("k.cu:4".to_owned()), None, Some("k.cu:9".to_owned())]);
        let included = "In file included from k.cu:7:\nIn file included from a.h:2:\nown/h.h:3:7: error: one\n";
        let place = messages(included).remove(0).placed(is_users).place.unwrap();
        assert_eq!((&*place.file, place.line), ("a.h", 2));
    }
}
