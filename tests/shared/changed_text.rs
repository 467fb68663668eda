//! Texts that are changed at random.

use proptest::prelude::*;

/// A change of a text.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    Byte(prop::sample::Index, u8),
    Word(prop::sample::Index, prop::sample::Index),
    Swap(prop::sample::Index, prop::sample::Index),
    Remove(prop::sample::Index),
    Repeat(prop::sample::Index, prop::sample::Index),
    Cut(prop::sample::Index),
}

pub(crate) fn change() -> impl Strategy<Value = Change> {
    let index = || any::<prop::sample::Index>();
    prop_oneof![
        (index(), 0x20..0x7f_u8).prop_map(|(at, byte)| Change::Byte(at, byte)),
        (index(), index()).prop_map(|(at, word)| Change::Word(at, word)),
        (index(), index()).prop_map(|(one, other)| Change::Swap(one, other)),
        index().prop_map(Change::Remove),
        (index(), index()).prop_map(|(one, other)| Change::Repeat(one, other)),
        index().prop_map(Change::Cut),
    ]
}

/// A text with changes in the lines from the first one that begins with `begin` to the last `}`. `words` are those that it
/// may contain then.
pub(crate) fn changed(text: &str, begin: &str, changes: &[Change], words: &[&str]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for change in changes {
        let inside = lines.iter().position(|line| line.starts_with(begin)).unwrap_or(0);
        let end = lines.iter().rposition(|line| line == "}").unwrap_or(lines.len()).max(inside + 1).min(lines.len());
        let at = |index: &prop::sample::Index| inside + index.index(end - inside);
        match change {
            Change::Byte(place, byte) => {
                let line = &mut lines[at(place)];
                let middle = line.len() / 2;
                if line.is_char_boundary(middle) && !line.is_empty() {
                    line.replace_range(middle..=middle, &char::from(*byte).to_string());
                }
            }
            Change::Word(place, word) => {
                let line = &mut lines[at(place)];
                let old: Vec<&str> = line.split(' ').collect();
                let chosen = word.index(old.len());
                let new = words[word.index(words.len())];
                let new: Vec<&str> =
                    old.iter().enumerate().map(|(n, old)| if n == chosen { new } else { old }).collect();
                *line = new.join(" ");
            }
            Change::Swap(one, other) => {
                let (one, other) = (at(one), at(other));
                lines.swap(one, other);
            }
            Change::Remove(place) => _ = lines.remove(at(place)),
            Change::Repeat(place, other) => {
                let line = lines[at(place)].clone();
                lines.insert(at(other), line);
            }
            Change::Cut(place) => {
                let line = &mut lines[at(place)];
                line.truncate(line.len() / 2);
            }
        }
        if lines.is_empty() {
            break;
        }
    }
    lines.join("\n")
}
