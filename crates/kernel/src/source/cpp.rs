//! The text of C and C++ sources: words, and the declarations in files, namespaces and classes.
//!
//! ```text
//! text ─▶ words ─▶ branches: one side of each condition that splits a declaration ─▶ declarations
//! ```
//!
//! Macros are not expanded, and no file is included: a text is read before any configuration is known.

mod beside_macros;
mod branches;
mod declaration;
mod known_macros;
mod parameters;
mod variables;
mod words;

pub(super) use beside_macros::beside_macros;
pub(super) use branches::plain;
pub use declaration::{Declaration, DeclarationKind, declarations};
pub use known_macros::KnownMacros;
pub use words::{Word, WordKind, words};

/// Position behind the sign that closes the group which the sign at a position opens; the number of words if none does.
#[must_use]
pub fn behind_group(words: &[Word<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (position, word) in words.iter().enumerate().skip(open) {
        match word.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return position + 1;
        }
    }
    words.len()
}

/// The words in the group that the sign at a position opens, without its brackets; none if no bracket opens there.
#[must_use]
pub fn inside_group<'w, 'a>(words: &'w [Word<'a>], open: usize) -> &'w [Word<'a>] {
    let opens = words.get(open).is_some_and(|word| matches!(word.text, "(" | "[" | "{"));
    let inside = || words.get(open + 1..behind_group(words, open) - 1);
    if opens { inside().unwrap_or_default() } else { &[] }
}
