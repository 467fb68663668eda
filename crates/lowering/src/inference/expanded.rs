//! Macros that launch a kernel, written out where a function uses them.

use std::collections::HashSet;

use super::active::{Macro, Macros};
use super::launching::has_launch;
use super::value;
use autotune_kernel::source::{Word, behind_group, inside_group};

/// The deepest chain of macros that is followed.
const DEEPEST: usize = 4;
/// The most words of a body with its macros written out.
const LONGEST: usize = 1 << 20;
/// The name that stands for the arguments behind the named ones.
const OTHERS: &str = "__VA_ARGS__";

/// The macros with arguments whose text launches a kernel, or uses such a macro. A text that makes new names of its
/// arguments (`##`) is not followed.
pub(super) fn launching<'a>(macros: &Macros<'a>) -> HashSet<&'a str> {
    let can_follow = |known: &&Macro<'a>| known.arguments.is_some() && !pastes(&known.text);
    let mut found: HashSet<&'a str> = HashSet::new();
    for _ in 0..DEEPEST {
        let uses =
            |known: &Macro<'a>| has_launch(&known.text) || known.text.iter().any(|word| found.contains(word.text));
        let next: HashSet<&'a str> =
            macros.iter().filter(|(_, known)| can_follow(known) && uses(known)).map(|(name, _)| *name).collect();
        if next.len() == found.len() {
            break;
        }
        found = next;
    }
    found
}

/// True if a text joins words by `##`; `, ##__VA_ARGS__` joins none.
fn pastes(text: &[Word<'_>]) -> bool {
    text.windows(2).enumerate().any(|(at, two)| {
        two.iter().all(|word| word.text == "#") && text.get(at + 2).is_none_or(|next| next.text != OTHERS)
    })
}

/// The words of a body with the uses of these macros written out. A word of a macro's text has the place of the use, and a
/// word of an argument has its own.
pub(super) fn expanded<'a>(body: &[Word<'a>], macros: &Macros<'a>, launching: &HashSet<&'a str>) -> Vec<Word<'a>> {
    let mut words = body.to_vec();
    for _ in 0..DEEPEST {
        let is_use = |words: &[Word<'a>], at: usize| {
            launching.contains(words[at].text) && words.get(at + 1).is_some_and(|next| next.text == "(")
        };
        if launching.is_empty() || words.len() > LONGEST || !(0..words.len()).any(|at| is_use(&words, at)) {
            break;
        }
        let mut next = Vec::with_capacity(words.len());
        let mut at = 0;
        while at < words.len() {
            if let Some(text) = is_use(&words, at).then(|| written_out(&words, at, macros)).flatten() {
                next.extend(text);
                at = behind_group(&words, at + 1);
            } else {
                next.push(words[at]);
                at += 1;
            }
        }
        words = next;
    }
    words
}

/// The text of the macro that is used at a position, with its arguments; `None` if their number differs.
fn written_out<'a>(words: &[Word<'a>], at: usize, macros: &Macros<'a>) -> Option<Vec<Word<'a>>> {
    let known = macros.get(words[at].text)?;
    let names = known.arguments.as_ref()?;
    let inside = inside_group(words, at + 1);
    let given = value::parts(inside);
    let takes_others = known.text.iter().any(|word| word.text == OTHERS);
    if given.len() < names.len() || (given.len() > names.len() && !takes_others) {
        return None;
    }
    // The parts lie between commas.
    let before: usize = given.iter().take(names.len()).map(|part| part.len() + 1).sum();
    let others = inside.get(before..).filter(|_| takes_others).unwrap_or_default();
    let mut text: Vec<Word<'a>> = Vec::new();
    for (position, word) in known.text.iter().enumerate() {
        let name = names.iter().position(|name| *name == word.text);
        match name {
            Some(name) => text.extend_from_slice(given[name]),
            None if word.text == OTHERS => {
                // Without other arguments, `, ##__VA_ARGS__` leaves its comma out.
                let is_joined = position >= 2 && known.text[position - 2..position].iter().all(|sign| sign.text == "#");
                text.truncate(text.len() - if is_joined { 2 } else { 0 });
                if is_joined && others.is_empty() && text.last().is_some_and(|last| last.text == ",") {
                    text.pop();
                }
                text.extend_from_slice(others);
            }
            None => {
                // `<<<` stays three signs side by side.
                let before = position.checked_sub(1).map(|before| known.text[before]);
                let is_side_by_side = before.is_some_and(|before| before.end() == word.at && before.text == word.text);
                let place = text.last().filter(|_| is_side_by_side).map_or(words[at].at, Word::end);
                text.push(Word { at: place, ..*word });
            }
        }
    }
    Some(text)
}
