//! Names in the compiler's output, as the source has them.

use std::borrow::Cow;

use cpp_demangle::{DemangleOptions, Symbol};

/// The first letters of a name that stands for one of C++.
const MANGLED: &str = "_Z";

/// The name of a namespace without a name.
const ANONYMOUS: &str = "(anonymous namespace)";

/// The name of a function with namespaces and arguments of a template, without the types of its arguments: `n::k<float, 4>`.
/// A name that is not one of C++ stays.
#[must_use]
pub fn function_name(name: &str) -> String {
    demangled(name, DemangleOptions::new().no_params().no_return_type())
}

/// The name of a function with the types of its arguments. A name that is not one of C++ stays.
pub(super) fn declared_name(name: &str) -> String {
    demangled(name, DemangleOptions::new().no_return_type())
}

/// The name of an array or variable, without the names of functions and namespaces around it.
pub fn plain_name(name: &str) -> String {
    let shown = demangled(name, DemangleOptions::new());
    components(&shown).pop().map_or_else(|| shown.clone(), str::to_owned)
}

/// The last part of a kernel's name, without the arguments of a template: `k` of `space::k<32>`.
#[must_use]
pub fn last_name(kernel: &str) -> &str {
    let name = kernel.split('<').next().unwrap_or_default();
    name.rsplit("::").next().unwrap_or_default().trim()
}

/// A text of a compiler or an assembler, with the source's names of functions.
pub(super) fn in_text(text: &str) -> Cow<'_, str> {
    if !text.contains(MANGLED) {
        return text.into();
    }
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == '.';
    let (mut shown, mut rest) = (String::new(), text);
    while let Some(start) = rest.find(MANGLED) {
        let (before, name) = rest.split_at(start);
        let length = name.find(|c| !is_of_name(c)).unwrap_or(name.len());
        let (name, after) = name.split_at(name[..length].trim_end_matches('.').len());
        shown.push_str(before);
        shown.push_str(&if before.ends_with(is_of_name) { name.to_owned() } else { function_name(name) });
        rest = after;
    }
    shown.push_str(rest);
    shown.into()
}

fn demangled(name: &str, options: DemangleOptions) -> String {
    if !name.starts_with(MANGLED) {
        return name.to_owned();
    }
    // The compiler numbers copies behind a point.
    let own = name.split('.').next().unwrap_or(name);
    let symbol = Symbol::new(own).ok();
    symbol.and_then(|symbol| symbol.demangle_with_options(&options).ok()).unwrap_or_else(|| name.to_owned())
}

/// The parts of a name between `::` outside of brackets.
fn components(name: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut parts) = (0_usize, 0, Vec::new());
    for (at, character) in name.char_indices() {
        match character {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ':' if depth == 0 && name[at..].starts_with("::") && at >= begin => {
                parts.push(name[begin..at].trim());
                begin = at + 2;
            }
            _ => {}
        }
    }
    parts.push(name[begin..].trim());
    parts
}

/// The parts of a function's name, without namespaces that have no name and without arguments of templates.
fn bare(name: &str) -> Vec<&str> {
    let named = components(name).into_iter().filter(|part| *part != ANONYMOUS);
    named.map(|part| part.split('<').next().unwrap_or(part).trim()).collect()
}

/// The likeness of a function to the one that a user names: the greater, the more of its name is given. `None` if it is
/// another one.
pub(super) fn likeness(name: &str, wanted: &str) -> Option<Likeness> {
    let without_spaces = |text: &str| text.replace(char::is_whitespace, "");
    let is = |shown: String| without_spaces(&shown) == without_spaces(wanted);
    if name == wanted || is(declared_name(name)) {
        return Some(Likeness::Exact);
    }
    let shown = function_name(name);
    if is(shown.clone()) {
        return Some(Likeness::Named);
    }
    let (own, wanted) = (bare(&shown), bare(wanted));
    match own.len().checked_sub(wanted.len()) {
        Some(0) if own == wanted => Some(Likeness::Bare),
        Some(more) if own[more..] == wanted[..] => Some(Likeness::Last),
        _ => None,
    }
}

/// The likeness of a function to the one that a user names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// The last parts of the name are the same.
    Last,
    /// All parts of the name are the same but the arguments of templates.
    Bare,
    /// The name is the same with all its parts.
    Named,
    /// The name is the same with the types of the arguments, or that of the compiler's output.
    Exact,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_source() {
        for (mangled, function, plain) in [
            ("k", "k", "k"),
            ("k.tile", "k.tile", "k.tile"),
            ("_Z1kPf", "k", "k(float*)"),
            ("_ZN3lib12_GLOBAL__N_14goodIfLi32EEEvPT_S3_", "lib::(anonymous namespace)::good<float, 32>", ""),
            ("_ZZN3lib12_GLOBAL__N_14goodIfLi32EEEvPT_S3_E4tile", "", "tile"),
            ("_ZZN3lib12_GLOBAL__N_15plainEPfE5other.1", "", "other"),
            ("_ZN3libplERKNS_4pairES2_", "lib::operator+", ""),
            ("_ZN3libltERKNS_4pairES2_.3", "lib::operator<", ""),
            ("_Znot_a_name", "_Znot_a_name", "_Znot_a_name"),
        ] {
            if !function.is_empty() {
                assert_eq!(function_name(mangled), function);
            }
            if !plain.is_empty() {
                assert_eq!(plain_name(mangled), plain);
            }
        }
        assert_eq!(declared_name("_Z1kPf"), "k(float*)");
    }

    #[test]
    fn a_kernel_is_found_by_the_last_parts_of_its_name() {
        let good = "_ZN3lib12_GLOBAL__N_14goodIfLi32EEEvPT_S3_";
        for (wanted, expected) in [
            ("good", Some(Likeness::Last)),
            ("lib::good", Some(Likeness::Bare)),
            ("lib::(anonymous namespace)::good", Some(Likeness::Bare)),
            ("lib::(anonymous namespace)::good<float,32>", Some(Likeness::Named)),
            ("lib::(anonymous namespace)::good<float, 32>(float*, float*)", Some(Likeness::Exact)),
            (good, Some(Likeness::Exact)),
            ("other::good", None),
            ("ood", None),
            ("a::lib::good", None),
            ("", None),
        ] {
            assert_eq!(likeness(good, wanted), expected, "{wanted}");
        }
        assert_eq!((likeness("k", "k"), likeness("k", "n::k")), (Some(Likeness::Exact), None));
    }

    #[test]
    fn names_in_messages_are_those_of_the_source() {
        let says = "ptxas error : Entry function '_ZN1n1kILi4EEEvPf' uses too much, see _Z1fv. and a_Z1fv";
        assert_eq!(in_text(says), "ptxas error : Entry function 'n::k<4>' uses too much, see f. and a_Z1fv");
        assert_eq!(in_text("nothing"), "nothing");
    }
}
