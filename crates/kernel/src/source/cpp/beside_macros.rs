//! The macros of a configuration beside the names of a source: a name that the source declares itself is not a macro
//! there, and a value that the source gives is one for all who give no other.
//!
//! Lines and columns stay: `#line` numbers them again behind each line that is put between.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::ops::Range;

use super::branches::plain;
use super::declaration::{Declaration, DeclarationKind, declarations};
use super::known_macros::KnownMacros;
use super::variables::variables;
use super::words::{Word, WordKind, words};

/// A text to put between the letters of another one.
struct Between {
    at: usize,
    /// Lines for the preprocessor, each with its end.
    lines: String,
}

/// Returns a text whose declarations hide the macros of these names, and whose own constants give way to them.
pub(crate) fn beside_macros(text: &str, names: &[String], macros: &KnownMacros<'_>) -> String {
    let all = words(text);
    let there = names_in(&all);
    let names: HashSet<&str> = names.iter().map(String::as_str).filter(|name| there.contains(name)).collect();
    if names.is_empty() {
        return text.to_owned();
    }
    let mut between: Vec<Between> = Vec::new();
    let plain = plain(&all);
    for declaration in declarations(&plain, macros.attributes()) {
        // A macro of the source itself may stand for more than a name, and a condition asks for the macro.
        let asked = conditions(&all, &declaration.bytes);
        let hidden = |name: &&str| names.contains(name) && !macros.has(name) && !asked.contains(name);
        hide(&declaration, &plain, &hidden, &mut between);
    }
    for word in all.iter().filter(|word| is_constant_macro(word) && names.contains(name(word))) {
        give_way(word.at..word.end(), name(word), &mut between);
    }
    for (name, bytes) in constants(&all).into_iter().filter(|(name, _)| names.contains(name)) {
        give_way(bytes, name, &mut between);
    }
    between.sort_by_key(|text| text.at);
    between.extend(behind_conditions(&all, &between));
    between.sort_by_key(|text| text.at);
    woven(text, &between)
}

/// The names in a text, those in directives too.
fn names_in<'a>(all: &[Word<'a>]) -> HashSet<&'a str> {
    let mut names: HashSet<&str> = all.iter().filter(|word| word.is_name()).map(|word| word.text).collect();
    for (_, rest) in all.iter().filter_map(Word::directive) {
        names.extend(words(rest).iter().filter(|word| word.is_name()).map(|word| word.text));
    }
    names
}

/// The names in the conditions of the preprocessor in a part of the text.
fn conditions<'a>(all: &[Word<'a>], bytes: &Range<usize>) -> HashSet<&'a str> {
    let first = all.partition_point(|word| word.at < bytes.start);
    let inside = all[first..].iter().take_while(|word| word.at < bytes.end);
    let directives = inside.filter_map(Word::directive);
    let asked = directives.filter(|(kind, _)| kind.starts_with("if") || kind.starts_with("elif"));
    asked.flat_map(|(_, condition)| words(condition)).filter(Word::is_name).map(|word| word.text).collect()
}

/// Hides the macros that have names of a declaration, and those of its members.
fn hide(
    declaration: &Declaration<'_>,
    plain: &[Word<'_>],
    hidden: &impl Fn(&&str) -> bool,
    between: &mut Vec<Between>,
) {
    let (mut push, mut pop) = (String::new(), String::new());
    for name in declared(declaration, plain).into_iter().filter(hidden) {
        let _ = write!(push, "#pragma push_macro(\"{name}\")\n#undef {name}\n");
        let _ = writeln!(pop, "#pragma pop_macro(\"{name}\")");
    }
    let hides = !push.is_empty();
    between.extend(hides.then_some(Between { at: declaration.bytes.start, lines: push }));
    declaration.members.iter().for_each(|member| hide(member, plain, hidden, between));
    between.extend(hides.then_some(Between { at: declaration.bytes.end, lines: pop }));
}

/// The names that are a declaration's own: its parameters, variables, members, and members of others that it reaches.
fn declared<'a>(declaration: &Declaration<'a>, plain: &[Word<'a>]) -> BTreeSet<&'a str> {
    let first = plain.partition_point(|word| word.at < declaration.bytes.start);
    let end = plain.partition_point(|word| word.at < declaration.bytes.end);
    let words = &plain[first..end];
    let mut variables = if declaration.kind == DeclarationKind::Function { variables(words) } else { Vec::new() };
    // A constant gives way instead.
    let constants: Vec<&str> = constants(words).into_iter().map(|(name, _)| name).collect();
    variables.retain(|name| !constants.contains(name));
    let is_variable = |member: &&Declaration<'_>| member.kind == DeclarationKind::Variable;
    let members = declaration.members.iter().filter(is_variable).flat_map(|member| member.names.iter().copied());
    let parameters = declaration.template.iter().chain(&declaration.arguments).copied();
    parameters.chain(variables).chain(members).chain(accessed(words)).collect()
}

/// The names behind `.` and `->`, which no macro for a number can be.
fn accessed<'a>(words: &[Word<'a>]) -> Vec<&'a str> {
    let pairs = words.windows(2).filter(|pair| matches!(pair[0].text, "." | "->") && pair[1].is_name());
    pairs.map(|pair| pair[1].text).collect()
}

/// Leaves out a part of the text where a macro of this name is defined.
fn give_way(bytes: Range<usize>, name: &str, between: &mut Vec<Between>) {
    between.push(Between { at: bytes.start, lines: format!("#ifndef {name}\n") });
    between.push(Between { at: bytes.end, lines: "#endif\n".to_owned() });
}

/// Places for numbers of lines: the preprocessor may skip what is put between the lines of a condition, and its numbers too. So
/// each further part of the condition, and the text behind it, begin with their own.
fn behind_conditions(all: &[Word<'_>], between: &[Between]) -> Vec<Between> {
    let mut open: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for word in all {
        match word.directive() {
            Some(("if" | "ifdef" | "ifndef", _)) => open.push(word.at),
            Some((kind @ ("elif" | "elifdef" | "elifndef" | "else" | "endif"), _)) => {
                let Some(&begin) = open.last() else { continue };
                let first = between.partition_point(|one| one.at < begin);
                if between.get(first).is_some_and(|one| one.at < word.at) {
                    found.push(Between { at: word.end(), lines: String::new() });
                }
                if kind == "endif" {
                    open.pop();
                }
            }
            _ => {}
        }
    }
    found
}

/// True for a macro without parameters that has a text.
fn is_constant_macro(word: &Word<'_>) -> bool {
    let Some(("define", rest)) = word.directive() else { return false };
    let rest = rest.trim_start();
    let body = &rest[name(word).len()..];
    body.starts_with([' ', '\t']) && !words(body).is_empty()
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

/// The names and bytes of all `const int NAME = 8;`, whatever the level.
fn constants<'a>(all: &[Word<'a>]) -> Vec<(&'a str, Range<usize>)> {
    let is_value = |open: usize| {
        all.get(open..open + 3)
            .is_some_and(|group| group[0].text == "{" && group[1].kind == WordKind::Number && group[2].text == "}")
    };
    let mut found = Vec::new();
    let mut begin = 0;
    for (position, word) in all.iter().enumerate() {
        if word.text == ";" {
            let statement = &all[begin..=position];
            found.extend(constant(statement).map(|name| (name, statement[0].at..word.end())));
        }
        if is_value(position) || position.checked_sub(2).is_some_and(is_value) {
            continue;
        }
        if matches!(word.text, ";" | "{" | "}" | ")" | ":") || word.kind == WordKind::Directive {
            begin = position + 1;
        }
    }
    found
}

/// The name of a constant integer with the value of a number, also in braces; `None` for another statement.
fn constant<'a>(statement: &[Word<'a>]) -> Option<&'a str> {
    let (head, name, value) = match statement {
        [head @ .., name, equals, value, _] if equals.text == "=" => (head, name, value),
        [head @ .., name, open, value, close, _] if open.text == "{" && close.text == "}" => (head, name, value),
        _ => return None,
    };
    let is_const = head.iter().any(|word| matches!(word.text, "const" | "constexpr"));
    let is_integer = head.iter().any(|word| INTEGERS.contains(&word.text));
    let is_known = |word: &Word<'_>| {
        matches!(word.text, "const" | "constexpr" | "static" | "inline") || INTEGERS.contains(&word.text)
    };
    let is_all = is_const && is_integer && head.iter().all(is_known);
    (is_all && name.is_name() && value.kind == WordKind::Number).then_some(name.text)
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
        let names = ["BM", "n", "TS", "W", "A", "ARGUMENTS"].map(str::to_owned);
        beside_macros(text, &names, &KnownMacros::new(&[text]))
    }

    #[test]
    fn a_declaration_hides_a_macro_of_its_name() {
        let text = "int a; template <int BM>\nvoid k(int n, int m) {\n}\nint b;\n";
        let expected = "int a; \n#pragma push_macro(\"BM\")\n#undef BM\n#pragma push_macro(\"n\")\n#undef n\n#line 1\n       \
                        template <int BM>\nvoid k(int n, int m) {\n}\n#pragma pop_macro(\"BM\")\n\
                        #pragma pop_macro(\"n\")\n#line 3\n \nint b;\n";
        assert_eq!(made(text), expected);
        assert!(made("void f() { for (int n = 0; n < BM; n++) g(n); }").contains("#undef n\n#line 1\nvoid"));
        assert!(made("struct S { int n; int f() { return n; } };").contains("#undef n\n#line 1\nstruct"));
        assert!(made("void f(S s) { s.n = 1; }").contains("#undef n\n#line 1\nvoid"));
        for plain in [
            "#define ARGUMENTS int a\nvoid f(const ARGUMENTS);\n",
            "void f() { return n; }",
            "int m;\n",
            "void f() {\n#if n > 2\n  int n;\n#endif\n}\n",
        ] {
            assert!(!made(plain).contains("push_macro"), "{plain}");
        }
    }

    #[test]
    fn a_value_of_the_source_gives_way_to_a_macro() {
        let text = "#define TS 16\nvoid k() {\n  const int W = 8; int V = 4;\n}\n";
        let expected = "#ifndef TS\n#line 1\n#define TS 16\n#endif\n#line 1\n             \nvoid k() {\n  \n#ifndef W\n#line 3\n  \
                        const int W = 8;\n#endif\n#line 3\n                   int V = 4;\n}\n";
        assert_eq!(made(text), expected);
        assert!(made("#define A \\\n  1 \\\n\nint a;").contains("  1 \\\n\n#endif\n#line 3\n\nint a;"));
        // Behind the condition, the lines count as before even where the preprocessor skips it.
        let expected = "#ifndef TS\n#ifndef TS\n#line 2\n#define TS 16\n#endif\n#line 2\n             \n#else\n#line 3\n     \n\
                        #endif // TS\n#line 4\n            \nint a;\n";
        assert_eq!(made("#ifndef TS\n#define TS 16\n#else\n#endif // TS\nint a;\n"), expected);
        assert!(made("constexpr auto W{ 8 };").starts_with("#ifndef W\n#line 1\nconstexpr auto W{ 8 };\n#endif"));
        for plain in ["#define A\n", "#define A(x) x\n", "const int A = b;\n", "const int other = 1;\n"] {
            assert_eq!(made(plain), plain);
        }
    }
}
