//! The macros of a configuration beside the names of a source: a name that the source declares itself is no macro there,
//! and a value that the source gives is one for all who give no other.
//!
//! Lines and columns stay: `#line` numbers them again behind each line that is put between.

use std::fmt::Write;

use super::branches::plain;
use super::declaration::{Declaration, declarations};
use super::known_macros::KnownMacros;
use super::words::{Word, WordKind, words};

/// A text to put between the letters of another one.
struct Between {
    at: usize,
    /// Lines for the preprocessor, each with its end.
    lines: String,
}

/// Returns a text in which the parameters of functions and templates hide macros of the same names, and in which
/// constants that the source defines give way to macros.
pub(in crate::source) fn beside_macros(text: &str, macros: &KnownMacros<'_>) -> String {
    let all = words(text);
    let mut between: Vec<Between> = Vec::new();
    for declaration in declarations(&plain(&all), macros.attributes()) {
        hide(&declaration, macros, &mut between);
    }
    all.iter()
        .filter(|word| is_constant_macro(word))
        .for_each(|word| give_way(word.at..word.end(), name(word), &mut between));
    constants(&all, &mut between);
    between.sort_by_key(|one| one.at);
    woven(text, &between)
}

/// Hides the macros of a declaration's parameters, and of those of its members.
fn hide(declaration: &Declaration<'_>, macros: &KnownMacros<'_>, between: &mut Vec<Between>) {
    // A macro of the source itself may stand for more than a name.
    let hidden: Vec<&str> =
        declaration.template.iter().chain(&declaration.arguments).copied().filter(|name| !macros.has(name)).collect();
    let (mut push, mut pop) = (String::new(), String::new());
    for name in hidden {
        let _ = write!(push, "#pragma push_macro(\"{name}\")\n#undef {name}\n");
        let _ = writeln!(pop, "#pragma pop_macro(\"{name}\")");
    }
    if !push.is_empty() {
        between.push(Between { at: declaration.bytes.start, lines: push });
    }
    declaration.members.iter().for_each(|member| hide(member, macros, between));
    if !pop.is_empty() {
        between.push(Between { at: declaration.bytes.end, lines: pop });
    }
}

/// Leaves out a part of the text where a macro of this name is defined.
fn give_way(bytes: std::ops::Range<usize>, name: &str, between: &mut Vec<Between>) {
    between.push(Between { at: bytes.start, lines: format!("#ifndef {name}\n") });
    between.push(Between { at: bytes.end, lines: "#endif\n".to_owned() });
}

/// True for a macro without parameters that has a text.
fn is_constant_macro(word: &Word<'_>) -> bool {
    let Some(("define", rest)) = word.directive() else { return false };
    let rest = rest.trim_start();
    let body = &rest[name(word).len()..];
    body.starts_with([' ', '\t']) && words(body).first().is_some()
}

/// The name of a macro that a directive defines.
fn name<'a>(word: &Word<'a>) -> &'a str {
    let rest = word.directive().map_or("", |(_, rest)| rest.trim_start());
    words(rest).first().filter(|first| first.kind == WordKind::Name).map_or("", |first| &rest[..first.text.len()])
}

/// The types of constants that give way.
const INTEGERS: [&str; 14] = [
    "int", "unsigned", "signed", "long", "short", "char", "size_t", "uint", "int32_t", "uint32_t", "int64_t",
    "uint64_t", "auto", "bool",
];

/// Finds `const int NAME = 8;` in all levels.
fn constants(all: &[Word<'_>], between: &mut Vec<Between>) {
    let mut begin = 0;
    for (position, word) in all.iter().enumerate() {
        if word.text == ";" {
            let statement = &all[begin..=position];
            if let Some(name) = constant(statement) {
                give_way(statement[0].at..word.end(), name, between);
            }
        }
        if matches!(word.text, ";" | "{" | "}" | ")" | ":") || word.kind == WordKind::Directive {
            begin = position + 1;
        }
    }
}

/// The name of a constant integer with the value of a number; `None` for another statement.
fn constant<'a>(statement: &[Word<'a>]) -> Option<&'a str> {
    let [head @ .., name, equals, value, _] = statement else { return None };
    let is_const = head.iter().any(|word| matches!(word.text, "const" | "constexpr"));
    let is_integer = head.iter().any(|word| INTEGERS.contains(&word.text));
    let is_known = |word: &Word<'_>| {
        matches!(word.text, "const" | "constexpr" | "static" | "inline") || INTEGERS.contains(&word.text)
    };
    let is_all = is_const && is_integer && head.iter().all(is_known);
    (is_all && name.is_name() && equals.text == "=" && value.kind == WordKind::Number).then_some(name.text)
}

/// A text with others between its letters.
fn woven(text: &str, between: &[Between]) -> String {
    let mut made = String::with_capacity(text.len() * 2);
    let mut from = 0;
    let mut line = 1;
    for (number, one) in between.iter().enumerate() {
        made.push_str(&text[from..one.at]);
        line += text[from..one.at].matches('\n').count();
        from = one.at;
        // A directive may end with an empty line that continues it.
        let is_line_start = made.ends_with('\n') && !made.ends_with("\\\n") && !made.ends_with("\\\r\n");
        if !made.is_empty() && !is_line_start {
            made.push('\n');
        }
        made.push_str(&one.lines);
        // Behind the last one here, the line goes on at its column.
        if between.get(number + 1).is_none_or(|next| next.at != one.at) {
            let column = text[..one.at].rfind('\n').map_or(one.at, |end| one.at - end - 1);
            let _ = write!(made, "#line {line}\n{}", " ".repeat(column));
        }
    }
    made.push_str(&text[from..]);
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str) -> String {
        beside_macros(text, &KnownMacros::of(&[text]))
    }

    #[test]
    fn a_parameter_hides_a_macro_of_its_name() {
        let text = "int a; template <int BM>\nvoid k(int n) {\n}\nint b;\n";
        let expected = "int a; \n#pragma push_macro(\"BM\")\n#undef BM\n#pragma push_macro(\"n\")\n#undef n\n#line 1\n       \
                        template <int BM>\nvoid k(int n) {\n}\n#pragma pop_macro(\"BM\")\n#pragma pop_macro(\"n\")\n\
                        #line 3\n \nint b;\n";
        assert_eq!(made(text), expected);
        let own = "#define ARGUMENTS int a\nvoid f(const ARGUMENTS);\n";
        assert!(!made(own).contains("push_macro"));
    }

    #[test]
    fn a_value_of_the_source_gives_way_to_a_macro() {
        let text = "#define TS 16\nvoid k() {\n  const int W = 8; int V = 4;\n}\n";
        let expected = "#ifndef TS\n#line 1\n#define TS 16\n#endif\n#line 1\n             \nvoid k() {\n  \n#ifndef W\n#line 3\n  \
                        const int W = 8;\n#endif\n#line 3\n                   int V = 4;\n}\n";
        assert_eq!(made(text).replace("             \n", "             \n"), expected);
        assert!(made("#define A \\\n  1 \\\n\nint a;").contains("  1 \\\n\n#endif\n#line 3\n\nint a;"));
        for plain in ["#define GUARD_H\n", "#define F(x) x\n", "const int a = b;\n", "for (const int i = 0; ;) ;\n"] {
            assert_eq!(made(plain), plain);
        }
    }
}
