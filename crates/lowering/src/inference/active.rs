//! The words of a file that a compiler without further options sees, and the macros that it defines.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::value::{self, Value};
use autotune_kernel::source::{Word, WordKind, behind_group, words};

/// The deepest chain of macros that a condition is followed through.
const DEEPEST: usize = 16;

/// The macros that compilers of kernels define.
const DEFINED: [&str; 8] = [
    "__CUDACC__",
    "__NVCC__",
    "__HIPCC__",
    "__HIP__",
    "__cplusplus",
    "__OPENCL_VERSION__",
    "__OPENCL_C_VERSION__",
    "__linux__",
];

/// A macro of a file.
#[derive(Debug, Clone)]
pub(super) struct Macro<'a> {
    /// The names of its arguments; `None` for a macro without brackets.
    pub(super) arguments: Option<Vec<&'a str>>,
    /// The words that stand for it.
    pub(super) text: Vec<Word<'a>>,
    /// The file that defines it, by its position, and the byte of the name.
    pub(super) file: usize,
    pub(super) at: usize,
    /// True for the default of a macro that is not defined before: `#ifndef BX`, `#define BX 16`.
    pub(super) is_guarded: bool,
    /// True if the files define it again with another text.
    pub(super) is_ambiguous: bool,
}

/// The macros of all files.
pub(super) type Macros<'a> = IndexMap<&'a str, Macro<'a>>;

/// A condition that is open: true if a side of it was taken, and if this side is.
struct Open<'a> {
    was_taken: bool,
    is_taken: bool,
    /// The macro that `#ifndef` asks for.
    guards: Option<&'a str>,
}

/// Returns the words of a text that are not left out by its conditions, without directives, and adds its macros.
pub(super) fn active<'a>(
    text: &'a str,
    file: usize,
    macros: &mut Macros<'a>,
    asked: &mut HashSet<&'a str>,
    asked_for: &mut HashSet<&'a str>,
) -> Vec<Word<'a>> {
    let mut kept = Vec::new();
    let mut open: Vec<Open<'a>> = Vec::new();
    for word in words(text) {
        let is_active = open.iter().all(|condition| condition.is_taken);
        let Some((kind, rest)) = word.directive() else {
            if is_active {
                kept.push(word);
            }
            continue;
        };
        let first_name = || words(rest).first().filter(|name| name.is_name()).map(|name| name.text);
        match kind {
            "ifdef" | "ifndef" | "if" => {
                let guards = first_name().filter(|_| kind == "ifndef");
                asked_for.extend(first_name().filter(|_| kind != "if"));
                let holds = match kind {
                    "ifdef" => first_name().is_some_and(|name| is_defined(name, macros)),
                    "ifndef" => first_name().is_none_or(|name| !is_defined(name, macros)),
                    _ => {
                        asked.extend(words(rest).iter().filter(|word| word.is_name()).map(|word| word.text));
                        condition(rest, macros)
                    }
                };
                open.push(Open { was_taken: holds, is_taken: holds, guards });
            }
            "elif" | "else" => {
                if let Some(last) = open.last_mut() {
                    let holds = !last.was_taken && (kind == "else" || condition(rest, macros));
                    *last = Open { was_taken: last.was_taken || holds, is_taken: holds, guards: None };
                }
            }
            "endif" => {
                open.pop();
            }
            "define" if is_active => {
                let guards = open.last().and_then(|last| last.guards);
                define(&word, rest, file, guards, macros);
            }
            "undef" if is_active => {
                if let Some(name) = first_name() {
                    macros.shift_remove(name);
                }
            }
            "pragma" if is_active => kept.push(word),
            _ => {}
        }
    }
    kept
}

fn is_defined(name: &str, macros: &Macros<'_>) -> bool {
    macros.contains_key(name) || DEFINED.contains(&name)
}

fn define<'a>(word: &Word<'a>, rest: &'a str, file: usize, guards: Option<&str>, macros: &mut Macros<'a>) {
    let all = words(rest);
    let Some(name) = all.first().filter(|name| name.is_name()) else { return };
    let has_arguments = all.get(1).is_some_and(|next| next.text == "(" && next.at == name.end());
    let end = if has_arguments { behind_group(&all, 1) } else { 1 };
    let names = || all[2..end.max(2)].iter().filter(|word| word.is_name()).map(|word| word.text).collect();
    let at = word.end() - rest.len() + name.at;
    let text: Vec<Word<'a>> = all[end..].to_vec();
    let before = macros.get(name.text);
    let differs = |before: &Macro<'_>| before.text.iter().map(|word| word.text).ne(text.iter().map(|word| word.text));
    let is_ambiguous = before.is_some_and(|before| before.is_ambiguous || differs(before));
    let is_guarded = guards == Some(name.text);
    let arguments = has_arguments.then(names);
    macros.insert(name.text, Macro { arguments, text, file, at, is_guarded, is_ambiguous });
}

/// The value of a condition; unknown names are 0, as for a compiler.
fn condition(text: &str, macros: &Macros<'_>) -> bool {
    // `defined X` has no brackets, and the reader of expressions wants some.
    let all = words(text);
    let mut clear = Vec::new();
    let mut at = 0;
    while let Some(word) = all.get(at) {
        let name = all.get(at + 1).filter(|next| word.text == "defined" && next.is_name());
        let number = |name: &Word<'_>| if is_defined(name.text, macros) { "1" } else { "0" };
        let bracketed = all.get(at + 2).filter(|_| word.text == "defined" && all[at + 1].text == "(");
        if let Some(name) = name {
            clear.push(Word { kind: WordKind::Number, text: number(name), at: word.at });
            at += 2;
        } else if let Some(name) = bracketed {
            clear.push(Word { kind: WordKind::Number, text: number(name), at: word.at });
            at += 4;
        } else {
            clear.push(*word);
            at += 1;
        }
    }
    evaluated(&value::value(&clear), macros, 0) != Some(0)
}

/// The integer that a condition or a macro without arguments is; `None` if it is not known.
pub(super) fn evaluated(of: &Value<'_>, macros: &Macros<'_>, depth: usize) -> Option<i64> {
    let deeper = |of: &Value<'_>| evaluated(of, macros, depth + 1);
    if depth > 4 * DEEPEST {
        return None;
    }
    match of {
        Value::Integer(value) | Value::Size(value) => Some(*value),
        Value::Name("true", _) => Some(1),
        Value::Name(name, _) => match macros.get(name) {
            Some(known) if known.arguments.is_none() && depth < DEEPEST => deeper(&value::value(&known.text)),
            Some(_) => None,
            None => Some(0),
        },
        Value::Unary(sign, of) => {
            let value = deeper(of)?;
            Some(match *sign {
                "-" => value.checked_neg()?,
                "!" => (value == 0).into(),
                "~" => !value,
                _ => value,
            })
        }
        Value::Binary(sign, sides) => operation(sign, deeper(&sides[0]), deeper(&sides[1])),
        Value::Choice(parts) => deeper(if deeper(&parts[0])? == 0 { &parts[2] } else { &parts[1] }),
        _ => None,
    }
}

/// The result of an operator on two integers; `None` without one.
pub(super) fn operation(sign: &str, left: Option<i64>, right: Option<i64>) -> Option<i64> {
    match (sign, left, right) {
        ("&&", Some(0), _) | ("&&", _, Some(0)) => return Some(0),
        ("||", Some(value), _) | ("||", _, Some(value)) if value != 0 => return Some(1),
        _ => {}
    }
    let (left, right) = (left?, right?);
    match sign {
        "||" | "&&" => Some((if sign == "&&" { left != 0 && right != 0 } else { left != 0 || right != 0 }).into()),
        "|" => Some(left | right),
        "^" => Some(left ^ right),
        "&" => Some(left & right),
        "==" => Some((left == right).into()),
        "!=" => Some((left != right).into()),
        "<" => Some((left < right).into()),
        ">" => Some((left > right).into()),
        "<=" => Some((left <= right).into()),
        ">=" => Some((left >= right).into()),
        "<<" => left.checked_mul(1_i64.checked_shl(right.try_into().ok()?).filter(|power| *power > 0)?),
        ">>" => left.checked_shr(right.try_into().ok()?),
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        "%" => left.checked_rem(right),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, Vec<(String, bool)>) {
        let (mut macros, mut asked) = (Macros::new(), HashSet::new());
        let kept = active(text, 0, &mut macros, &mut asked, &mut HashSet::new());
        let kept = kept.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
        (kept, macros.iter().map(|(name, known)| ((*name).to_owned(), known.is_guarded)).collect())
    }

    #[test]
    fn a_file_has_the_sides_of_its_conditions_that_hold() {
        assert_eq!(read("#ifdef A\na;\n#elif defined(B) || 0\nb;\n#else\nc;\n#endif").0, "c ;");
        assert_eq!(read("#define A 3\n#if A > 2 && !defined B\na;\n#else\nb;\n#endif").0, "a ;");
        assert_eq!(read("#if 0\n#if 1\na;\n#endif\n#else\nb;\n#endif\nc;").0, "b ; c ;");
        assert_eq!(read("#if UNKNOWN\na;\n#endif\n#ifdef __CUDACC__\nb;\n#endif").0, "b ;");
    }

    #[test]
    fn the_default_of_a_macro_is_known_by_its_condition() {
        let text = "#ifndef BX\n#define BX 16\n#endif\n#define F(a, b) ((a) + (b))\n#define G 1\n#undef G\n";
        assert_eq!(read(text).1, [("BX".to_owned(), true), ("F".to_owned(), false)]);
    }
}
