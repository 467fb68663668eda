//! The names of structures in LLVM's text. A process that compiles several sources numbers equal names of all of them, so
//! they are numbered anew in each text: it is the same whatever was compiled before.

use std::collections::HashMap;

/// LLVM's text with structures of one name numbered from 0, in the order of their definitions.
pub(super) fn numbered(text: String) -> String {
    let names = names(&text);
    if names.iter().all(|(old, new)| old == new) {
        return text;
    }
    let mut numbered = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(sign) = rest.find(['%', '"']) {
        let begins_name = rest[sign..].starts_with('%');
        let name = sign + usize::from(begins_name);
        numbered.push_str(&rest[..name]);
        let length = length(&rest[name..]);
        let word = &rest[name..name + length];
        let new = names.get(word).filter(|_| begins_name);
        numbered.push_str(new.map_or(word, String::as_str));
        rest = &rest[name + length..];
    }
    numbered + rest
}

/// True if names of structures stand within those of functions, which are numbered as the compiler does.
pub(super) fn are_within_names(text: &str) -> bool {
    ["s_struct.", "s_class.", "s_union."].iter().any(|part| text.contains(part))
}

/// The new names of the structures that a text defines, by the old ones; quotes belong to them.
fn names(text: &str) -> HashMap<&str, String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut names = HashMap::new();
    let defined = text.lines().filter_map(|line| line.strip_prefix('%')?.split_once(" = type "));
    for (name, _) in defined {
        let (open, inner) = name.strip_prefix('"').map_or(("", name), |inner| ("\"", inner.trim_end_matches('"')));
        let base = without_number(inner);
        let count = counts.entry(base).or_default();
        let number = count.checked_sub(1).map_or_else(String::new, |number| format!(".{number}"));
        *count += 1;
        names.insert(name, format!("{open}{base}{number}{open}"));
    }
    names
}

/// A name without the number that LLVM adds: `struct.pair` of `struct.pair.7`.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((base, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => base,
        _ => name,
    }
}

/// The bytes of the name or the quoted text at a text's beginning.
fn length(text: &str) -> usize {
    match text.strip_prefix('"') {
        // LLVM writes a quote within quotes as a number.
        Some(quoted) => quoted.find('"').map_or(text.len(), |end| end + 2),
        None => text.find(|c: char| !c.is_ascii_alphanumeric() && !"-_$.".contains(c)).unwrap_or(text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALONE: &str = "%struct.P = type { %struct.Q, %struct.Q.0*, i32 }\n%struct.Q = type { i32 }\n\
                         %struct.Q.0 = type { float }\n%\"struct.n::R\" = type opaque\n\
                         @text = c\"%struct.Q.8\"\n  %p = getelementptr %struct.Q.0, ptr %x.9, i32 %struct.Q\n";

    #[test]
    fn a_text_does_not_show_what_its_process_compiled_before() {
        assert_eq!(numbered(ALONE.to_owned()), ALONE);
        let after = ALONE.replace("%struct.Q.0", "%struct.Q.o").replace("struct.P", "struct.P.3");
        let after = after.replace("%struct.Q ", "%struct.Q.7 ").replace("%struct.Q,", "%struct.Q.7,");
        let after = after.replace("i32 %struct.Q\n", "i32 %struct.Q.7\n").replace("struct.Q.o", "struct.Q.12");
        let after = after.replace("n::R", "n::R.11");
        assert!(after.contains("%struct.P.3 = type { %struct.Q.7, %struct.Q.12*, i32 }"), "{after}");
        assert_eq!(numbered(after), ALONE);
    }

    #[test]
    fn names_within_names_are_noticed() {
        assert!(are_within_names("declare void @llvm.f.p0s_struct.Q.7s(ptr)"));
        assert!(!are_within_names(ALONE));
    }
}
