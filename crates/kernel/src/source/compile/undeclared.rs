//! Names that a source uses and that nothing declares: macros of the host's build give them. A name that some line of the
//! source declares is none of them; a condition of the preprocessor may leave that line out.

use super::message::Message;
use crate::source::cpp::Word;

/// The compiler's words before a name without a meaning: of a type, and of anything.
const UNKNOWN_TYPE: &str = "unknown type name '";
const UNKNOWN_NAME: &str = "use of undeclared identifier '";
/// The compiler's words about a name that it takes for a mistyped one.
const MISTYPED: &str = "did you mean";
/// The words before a name that they make.
const MAKING: [&str; 6] = ["struct", "class", "union", "using", "typename", "namespace"];
/// The words before a name that is used.
const USING: [&str; 9] = ["return", "case", "goto", "else", "const", "volatile", "new", "typedef", "in"];
/// The signs behind a name that a type before it declares.
const DECLARED: [&str; 6] = ["=", ";", "(", "[", ",", ")"];
/// The numbers of elements of vectors.
const ELEMENTS: [&str; 5] = ["16", "2", "3", "4", "8"];

/// The names of a source without a meaning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Undeclared {
    /// The names that nothing declares; empty if other errors stand beside them.
    pub names: Vec<UndeclaredName>,
    /// The names whose declarations a condition leaves out.
    pub closed: Vec<ClosedName>,
}

/// A name that nothing declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndeclaredName {
    /// The name.
    pub name: String,
    /// A value that lets the source compile: a type, or a number.
    pub value: String,
    /// The first error about the name.
    pub message: Message,
}

/// A name whose declaration a condition of the preprocessor leaves out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedName {
    /// The name.
    pub name: String,
    /// The file of the declaration.
    pub file: String,
    /// The line of the declaration, from 1.
    pub line: usize,
    /// The condition in the source's words.
    pub condition: String,
}

impl Undeclared {
    /// The options that define the names.
    pub(super) fn answers(&self) -> Vec<String> {
        let option = |one: &UndeclaredName| ["--define".to_owned(), format!("{}={}", one.name, one.value)];
        self.names.iter().flat_map(option).collect()
    }

    /// Advice about the names; `None` if there are none.
    pub(super) fn help(&self) -> Option<String> {
        if !self.names.is_empty() {
            let options: Vec<String> = self.answers().chunks(2).map(|option| option.join(" ")).collect();
            let keys: Vec<String> = self.names.iter().map(|one| format!("{}: {}", one.name, one.value)).collect();
            return Some(format!(
                "macros of the host's build give them, with values such as in `{}`, or in `define: {{ {} }}` of `source`",
                options.join(" "),
                keys.join(", ")
            ));
        }
        let of_each = self.closed.iter().map(|ClosedName { name, file, line, condition }| {
            format!("`{name}` is declared at {file}:{line}, which `{condition}` leaves out")
        });
        let told: Vec<String> = of_each.collect();
        (!told.is_empty()).then(|| format!("{}: `--define NAME=VALUE` defines a macro", told.join("; ")))
    }
}

/// The name without a meaning that an error is about, and true for a type; `None` for another error, and if the compiler takes
/// the name for a mistyped one.
pub(super) fn name_in(message: &str) -> Option<(&str, bool)> {
    if message.contains(MISTYPED) {
        return None;
    }
    let of = |before: &str| message.strip_prefix(before)?.split('\'').next();
    of(UNKNOWN_TYPE).map(|name| (name, true)).or_else(|| of(UNKNOWN_NAME).map(|name| (name, false)))
}

/// True for an error about a name without a meaning, mistyped or not.
pub(super) fn is_of_name(message: &str) -> bool {
    [UNKNOWN_TYPE, UNKNOWN_NAME].iter().any(|words| message.starts_with(words))
}

/// A type for a name: of a number, or of a vector of numbers if the name ends like one.
pub(super) fn type_of(name: &str) -> String {
    let elements = ELEMENTS.iter().find(|count| name.ends_with(**count));
    format!("float{}", elements.unwrap_or(&""))
}

/// True if the words of a text use a name as a type, in a cast or as the operand of `sizeof`.
pub(super) fn is_type_in(words: &[Word<'_>], name: &str) -> bool {
    let text_at = |at: usize| words.get(at).map_or("", |word| word.text);
    let is_operand =
        |at: usize| words.get(at).is_some_and(|word| word.is_name() || word.text == "(" || is_number(word));
    let is_type = |at: usize| {
        let end = (at + 1..=words.len()).find(|next| text_at(*next) != "*").unwrap_or(at + 1);
        let before = at.checked_sub(1).map_or("", text_at);
        let of_sizeof = at.checked_sub(2).map_or("", text_at) == "sizeof";
        before == "(" && text_at(end) == ")" && (of_sizeof || is_operand(end + 1))
    };
    words.iter().enumerate().any(|(at, word)| word.is_name() && word.text == name && is_type(at))
}

fn is_number(word: &Word<'_>) -> bool {
    word.text.starts_with(|first: char| first.is_ascii_digit())
}

/// The declaration of a name in the words of a text: the byte where it stands, and the innermost condition around it. `None` if
/// there is none.
pub(super) fn declaration(words: &[Word<'_>], name: &str) -> Option<(usize, Option<String>)> {
    let mut open: Vec<String> = Vec::new();
    let (mut in_typedef, mut in_enum) = (false, false);
    for (at, word) in words.iter().enumerate() {
        let is_made = match word.directive() {
            Some(("define", rest)) => {
                rest.trim_start().split(|c: char| !c.is_alphanumeric() && c != '_').next() == Some(name)
            }
            Some((kind, _)) => {
                follow(&mut open, kind, word.text);
                false
            }
            None => {
                in_typedef = (in_typedef || word.text == "typedef") && word.text != ";";
                in_enum = (in_enum || word.text == "enum") && word.text != ";" && word.text != "}";
                word.is_name() && word.text == name && (in_enum || is_declared(words, at, in_typedef))
            }
        };
        if is_made {
            return Some((word.at, open.pop()));
        }
    }
    None
}

/// Follows a directive into the conditions that are open, or out of them.
fn follow(open: &mut Vec<String>, kind: &str, directive: &str) {
    match kind {
        "if" | "ifdef" | "ifndef" => open.push(directive.split('\n').next().unwrap_or_default().trim().to_owned()),
        "else" | "elif" | "elifdef" | "elifndef" => {
            if let Some(condition) = open.last_mut().filter(|condition| !condition.contains(" of ")) {
                *condition = format!("#{kind} of {condition}");
            }
        }
        "endif" => {
            open.pop();
        }
        _ => {}
    }
}

/// True if the name at a position is declared there, by the words around it.
fn is_declared(words: &[Word<'_>], at: usize, in_typedef: bool) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| words[before]) else { return false };
    let after = words.get(at + 1).map_or("", |word| word.text);
    let is_behind_type = before.is_name() && !USING.contains(&before.text);
    MAKING.contains(&before.text) || (in_typedef && after == ";") || (is_behind_type && DECLARED.contains(&after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::cpp::words;

    #[test]
    fn errors_name_types_and_other_names() {
        assert_eq!(name_in("unknown type name 'real4'"), Some(("real4", true)));
        assert_eq!(name_in("use of undeclared identifier 'N'"), Some(("N", false)));
        assert_eq!(name_in("use of undeclared identifier 'treadIdx'; did you mean 'threadIdx'?"), None);
        assert_eq!(name_in("expected ';'"), None);
        assert_eq!(["real4", "FLOAT", "T16", "vec"].map(type_of), ["float4", "float", "float16", "float"]);
    }

    #[test]
    fn casts_and_sizes_are_of_types() {
        for text in ["x = (T)y;", "(T *) p", "sizeof(T)", "f((T)(1), 2)", "(T)3.0f"] {
            assert!(is_type_in(&words(text), "T"), "{text}");
        }
        for text in ["x = (T) * 2;", "f(T)", "(T + 1)", "a[T]", "(T) - 1", "U(T)"] {
            assert!(!is_type_in(&words(text), "T"), "{text}");
        }
    }

    #[test]
    fn declarations_are_found_with_the_condition_around_them() {
        let found = |text: &str| {
            let (at, condition) = declaration(&words(text), "X")?;
            Some((1 + text[..at].matches('\n').count(), condition.unwrap_or_default()))
        };
        for text in [
            "struct X { int a; };",
            "typedef float X;",
            "#define X 3",
            "#  define X(a) a",
            "using X = int;",
            "const int X = 4;",
            "enum kind { A, X };",
            "int X(int a) { return a; }",
            "void f(int X);",
            "__constant__ float X[4];",
            "template <typename X> void f(X a);",
        ] {
            assert_eq!(found(text), Some((1, String::new())), "{text}");
        }
        for text in
            ["a = X;", "return X;", "__global X *a", "X a;", "f(X, b)", "case X: ;", "(const X)a", "#if X\n#endif"]
        {
            assert_eq!(found(text), None, "{text}");
        }
        let text = "#ifdef A\n#if B > 1 // many\nint Y;\n#else\n// X\ntypedef int X;\n#endif\n#endif\n";
        assert_eq!(found(text), Some((6, "#else of #if B > 1 // many".to_owned())));
        assert_eq!(found("#ifdef A\n#endif\n#ifndef C\n#define X 1\n#endif\n"), Some((4, "#ifndef C".to_owned())));
    }
}
