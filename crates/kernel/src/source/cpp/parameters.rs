//! The names of the parameters of functions and templates.

use super::words::Word;

/// Words that stand where a parameter's name can stand, but are not names.
const TYPES: [&str; 22] = [
    "void",
    "bool",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "signed",
    "unsigned",
    "const",
    "volatile",
    "struct",
    "class",
    "typename",
    "auto",
    "restrict",
    "__restrict",
    "__restrict__",
    "enum",
    "size_t",
    "wchar_t",
];

/// The names of the parameters in a list without its brackets. A parameter without a name has none.
pub(super) fn names<'a>(list: &[Word<'a>]) -> Vec<&'a str> {
    let mut names = Vec::new();
    let mut depth = 0_usize;
    let mut begin = 0;
    for (position, word) in list.iter().enumerate() {
        match word.text {
            "(" | "[" | "{" | "<" => depth += 1,
            ")" | "]" | "}" | ">" => depth = depth.saturating_sub(1),
            "," if depth == 0 => {
                names.extend(name(&list[begin..position]));
                begin = position + 1;
            }
            _ => {}
        }
    }
    names.extend(name(&list[begin..]));
    names
}

/// The name of a parameter; `None` if it has none.
fn name<'a>(parameter: &[Word<'a>]) -> Option<&'a str> {
    let end = parameter.iter().position(|word| matches!(word.text, "=" | "["));
    let declared = &parameter[..end.unwrap_or(parameter.len())];
    // A pointer to a function has its name in the first brackets.
    let inner = declared.windows(3).find(|three| three[0].text == "(" && matches!(three[1].text, "*" | "&"));
    if let Some(pointer) = inner {
        return pointer[2].is_name().then_some(pointer[2].text);
    }
    let [.., before, last] = declared else { return None };
    let is_behind_type = before.is_name() || matches!(before.text, "*" | "&" | ">" | ".");
    (is_behind_type && last.is_name() && !TYPES.contains(&last.text)).then_some(last.text)
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    #[test]
    fn parameters_are_named_last() {
        let list = "const float* __restrict__ a, int n = N, T, std::array<int, TS> b, float (&c)[TS], int, class U, \
                    typename... V, typename = std::enable_if_t<(A > B)>, void (*f)(int x), float part[W], unsigned int, \
                    __local float *restrict p, float&";
        assert_eq!(names(&words(list)), ["a", "n", "b", "c", "U", "V", "f", "part", "p"]);
        assert!(names(&[]).is_empty());
    }
}
