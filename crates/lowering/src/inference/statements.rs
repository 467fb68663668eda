//! The statements of a function and the sides of its conditions.

use super::value::{self, Value};
use autotune_kernel::source::Word;

/// The longest chain of `else if` that is followed.
const LONGEST_CHAIN: usize = 64;

/// Words with the positions where their brackets close.
pub(super) struct Statements<'w, 'a> {
    pub(super) words: &'w [Word<'a>],
    closes: Vec<usize>,
}

/// A side of a condition: the statements behind `if (…)`, or behind its `else`. A loop has one side, with an unknown condition.
#[derive(Debug)]
pub(super) struct Side<'a> {
    pub(super) condition: Value<'a>,
    /// True for the side that is taken if the condition holds.
    pub(super) holds: bool,
    /// The byte of the condition.
    pub(super) begin: usize,
    bytes: (usize, usize),
}

impl Side<'_> {
    /// True for a byte of the side's statements.
    pub(super) fn has(&self, byte: usize) -> bool {
        (self.bytes.0..self.bytes.1).contains(&byte)
    }
}

impl<'w, 'a> Statements<'w, 'a> {
    pub(super) fn new(words: &'w [Word<'a>]) -> Self {
        Self { words, closes: closes(words) }
    }

    /// The text of a word; empty behind the last.
    pub(super) fn word(&self, at: usize) -> &'a str {
        self.words.get(at).map_or("", |word| word.text)
    }

    /// The position behind the group that opens here.
    pub(super) fn behind(&self, open: usize) -> usize {
        self.closes.get(open).copied().filter(|end| *end > 0).unwrap_or(open + 1).min(self.words.len())
    }

    /// The words in the group that opens here.
    pub(super) fn inside(&self, open: usize) -> &'w [Word<'a>] {
        let end = self.behind(open);
        &self.words[(open + 1).min(end)..end.saturating_sub(1).max(open + 1).min(self.words.len())]
    }

    /// The position behind the statement that begins here.
    pub(super) fn end_of(&self, at: usize) -> usize {
        let mut end = at;
        while end < self.words.len() {
            match self.word(end) {
                ";" => return end + 1,
                "(" | "[" | "{" => end = self.behind(end),
                "}" => return end,
                _ => end += 1,
            }
        }
        end
    }

    /// The position behind the statement of a condition's side, before an `else` of this condition.
    fn behind_side(&self, at: usize) -> usize {
        match self.word(at) {
            "{" => self.behind(at),
            "if" | "for" | "while" | "switch" => self.behind_statement(at),
            _ => self.end_of(at),
        }
    }

    /// The position behind a statement with all its parts.
    fn behind_statement(&self, at: usize) -> usize {
        let mut end = at;
        for _ in 0..LONGEST_CHAIN {
            match self.word(end) {
                "if" | "for" | "while" | "switch" => {
                    end = self.behind(end + 1);
                    continue;
                }
                "{" => end = self.behind(end),
                _ => end = self.end_of(end),
            }
            if self.word(end) != "else" {
                break;
            }
            end += 1;
        }
        end
    }

    /// The sides of the conditions and of the loops.
    pub(super) fn sides(&self) -> Vec<Side<'a>> {
        (0..self.words.len()).flat_map(|at| self.sides_at(at)).collect()
    }

    /// The sides of the condition, or of the loop, that begins here.
    fn sides_at(&self, at: usize) -> Vec<Side<'a>> {
        let byte = |at: usize| self.words.get(at).or(self.words.last()).map_or(0, |word| word.at);
        let side = |condition: Value<'a>, holds: bool, first: usize, last: usize| Side {
            condition,
            holds,
            begin: self.words[at].at,
            bytes: (byte(first), byte(last)),
        };
        let open = at + 1 + usize::from(self.word(at + 1) == "constexpr");
        let of_loop = |body: usize| vec![side(Value::Unknown, true, body, self.behind_side(body))];
        match self.word(at) {
            "for" | "while" | "switch" if self.word(at + 1) == "(" => of_loop(self.behind(at + 1)),
            "do" => of_loop(at + 1),
            "if" if self.word(open) == "(" => {
                let condition = value::value(self.inside(open));
                let then = self.behind(open);
                let end = self.behind_side(then);
                let mut sides = vec![side(condition.clone(), true, then, end)];
                if self.word(end) == "else" {
                    sides.push(side(condition, false, end + 1, self.behind_statement(end + 1)));
                }
                sides
            }
            _ => Vec::new(),
        }
    }
}

/// The positions behind the brackets that close those at each position; 0 for another word.
fn closes(words: &[Word<'_>]) -> Vec<usize> {
    let mut closes = vec![0; words.len()];
    let mut open = Vec::new();
    for (at, word) in words.iter().enumerate() {
        match word.text {
            "(" | "[" | "{" => open.push(at),
            ")" | "]" | "}" => {
                if let Some(begin) = open.pop() {
                    closes[begin] = at + 1;
                }
            }
            _ => {}
        }
    }
    for begin in open {
        closes[begin] = words.len();
    }
    closes
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_kernel::source::words;

    #[test]
    fn sides_of_conditions_have_their_statements() {
        let text = "if (a) x = 1; else if (b) { y = 2; } else z = 3; if (c) if (d) u = 4; else v = 5; w = 6; for (;;) t = 7; \
                    do { s = 8; } while (0);";
        let all = words(text);
        let sides = Statements::new(&all).sides();
        let shown = |side: &Side<'_>| match side.condition {
            Value::Name(name, _) => format!("{}{name}", if side.holds { "" } else { "!" }),
            _ => "?".to_owned(),
        };
        for (name, expected) in
            [("x", "a"), ("y", "!a b"), ("z", "!a !b"), ("u", "c d"), ("v", "c !d"), ("w", ""), ("t", "?"), ("s", "?")]
        {
            let at = all.iter().find(|word| word.text == name).unwrap().at;
            let own = sides.iter().filter(|side| side.has(at)).map(shown);
            assert_eq!(own.collect::<Vec<_>>().join(" "), expected, "{name}");
        }
    }

    #[test]
    fn any_text_has_sides() {
        for text in ["if (a) ", "if (a", "else ", "do ", "for (;;) {", "if (a) {} else ", "}"] {
            let _ = Statements::new(&words(&text.repeat(2_000))).sides();
        }
    }
}
