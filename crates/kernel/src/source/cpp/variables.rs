//! The names of the variables that a function declares.

use super::words::{Word, WordKind};

/// Words that begin no declaration, although a name may follow.
const NO_TYPES: [&str; 14] = [
    "return", "goto", "case", "else", "new", "delete", "sizeof", "throw", "do", "if", "while", "switch", "operator",
    "break",
];

/// Words that begin a declaration wherever they stand.
const SURE_TYPES: [&str; 19] = [
    "const",
    "static",
    "volatile",
    "constexpr",
    "register",
    "extern",
    "unsigned",
    "signed",
    "int",
    "long",
    "short",
    "char",
    "float",
    "double",
    "bool",
    "auto",
    "size_t",
    "half",
    "__shared__",
];

/// The names of the variables and types that the words of a function declare, as far as their form shows it.
pub(super) fn variables<'a>(words: &[Word<'a>]) -> Vec<&'a str> {
    let mut names = Vec::new();
    let mut begin = 0;
    for (position, word) in words.iter().enumerate() {
        let is_end = matches!(word.text, ";" | "{" | "}" | "(" | ")") || word.kind == WordKind::Directive;
        if is_end {
            let is_in_brackets = begin > 0 && words[begin - 1].text == "(";
            names.extend(declared(&words[begin..=position], is_in_brackets));
            begin = position + 1;
        }
    }
    names
}

/// The names that a statement declares; its last word ends it or opens a group.
fn declared<'a>(statement: &[Word<'a>], is_in_brackets: bool) -> Vec<&'a str> {
    let Some(first) = statement.first().filter(|first| first.is_name() && !NO_TYPES.contains(&first.text)) else {
        return Vec::new();
    };
    let is_sure = SURE_TYPES.contains(&first.text);
    let Some(name) = behind_type(statement) else { return Vec::new() };
    let is_pointer = matches!(statement[name - 1].text, "*" | "&");
    // `f(a * b, c)` has the form of a declaration.
    if is_in_brackets && is_pointer && !is_sure {
        return Vec::new();
    }
    let mut names = vec![statement[name].text];
    // Behind a comma of a list of arguments stands a type.
    if is_in_brackets && statement.last().is_some_and(|last| last.text == ")") {
        return names;
    }
    let mut depth = 0_usize;
    // A name may follow: behind a comma and the signs of a pointer, but not in a value.
    let mut is_open = false;
    for word in &statement[name + 1..] {
        match word.text {
            "[" | "<" => depth += 1,
            "]" | ">" => depth = depth.saturating_sub(1),
            "," if depth == 0 => is_open = true,
            "*" | "&" => {}
            _ => {
                names.extend((is_open && depth == 0 && word.is_name()).then_some(word.text));
                is_open = false;
            }
        }
    }
    names
}

/// Position of the first name behind a type; `None` if the words are not a declaration.
fn behind_type(statement: &[Word<'_>]) -> Option<usize> {
    let mut at = 1;
    let mut depth = 0_usize;
    while at + 1 < statement.len() {
        let (word, next) = (&statement[at], &statement[at + 1]);
        match word.text {
            "<" => depth += 1,
            ">" => depth = depth.checked_sub(1)?,
            _ if depth > 0 => {}
            "::" => at += 1,
            "*" | "&" => {}
            _ if !word.is_name() => return None,
            _ if matches!(next.text, "=" | ";" | "," | "[" | "{" | "(" | ":") => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    #[test]
    fn variables_are_known_by_the_form_of_their_declarations() {
        for (text, expected) in [
            ("{ float n, w = 1, *e; }", "n w e"),
            ("{ for (uint32_t n = 0; n < 8; n++) f(n); }", "n"),
            ("{ std::array<int, 4> a{1}; const auto* b = f(a * c, d); T *t; }", "a b t"),
            ("{ __shared__ float tile[N][N + 1]; return n; }", "tile"),
            ("{ x = a * n; f(a * n, b); goto n; if (n) g(a, n); else n = 3; case n: h[n] = m; }", ""),
            ("{ unsigned int i(4); struct n { int a; }; using m = float; }", "i n a m"),
            ("for (float v : values) {}", "v"),
            ("void f(const A *a, B *b) { for (int i = 0, n = 1; i < n; i++) g<A, B>(a); }", "f a i n"),
            ("{ int x = a * n, y = b[n], *z = c * n; float w = n * a, v = -n; }", "x y z w v"),
        ] {
            assert_eq!(variables(&words(text)).join(" "), expected, "{text}");
        }
    }
}
