//! The namespaces of a source, so that a template in one of them is found by its last name.

use std::collections::BTreeSet;

use super::super::cpp::{plain, words};

/// Words, on one line, that let a template be found in all namespaces that a text opens.
pub(super) fn opened(text: &str) -> String {
    let found: BTreeSet<Vec<&str>> = namespaces(text).into_iter().collect();
    let opened = |path: Vec<&str>| {
        // One that a condition leaves out is empty.
        let (begin, end) = (path.join(" { namespace "), "} ".repeat(path.len()));
        format!("namespace {begin} {{ {end}using namespace {}; ", path.join("::"))
    };
    found.into_iter().map(opened).collect()
}

/// The names of each namespace that is opened, the outermost first.
fn namespaces(text: &str) -> Vec<Vec<&str>> {
    let (mut found, mut inside): (Vec<Vec<&str>>, Vec<&str>) = (Vec::new(), Vec::new());
    // The names that end with each open brace.
    let mut open: Vec<usize> = Vec::new();
    let mut words = plain(&words(text)).into_iter();
    while let Some(word) = words.next() {
        match word.text {
            "{" => open.push(0),
            "}" => inside.truncate(inside.len() - open.pop().unwrap_or(0)),
            "namespace" => {
                let mut names = Vec::new();
                let end = words.by_ref().find(|word| {
                    names.extend(word.is_name().then_some(word.text));
                    matches!(word.text, "{" | ";" | "=" | "}")
                });
                if end.is_some_and(|end| end.text == "{") {
                    open.push(names.len());
                    inside.extend(&names);
                    found.extend((!names.is_empty()).then(|| inside.clone()));
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_opens_the_namespaces_that_it_names() {
        let text = "#define N namespace no {\nnamespace a { /* namespace no { */ namespace { struct s { int b; }; }\n\
                    namespace b::c { const char* t = \"namespace no {\"; } }\nusing namespace std; namespace x = a;\n\
                    inline namespace d { }\nnamespace a {";
        assert_eq!(namespaces(text), [vec!["a"], vec!["a", "b", "c"], vec!["d"], vec!["a"]]);
        assert_eq!(
            opened("namespace a { namespace b {} } }"),
            "namespace a { } using namespace a; namespace a { namespace b { } } using namespace a::b; "
        );
        assert_eq!(opened("__global__ void k() { \" \n '"), "");
    }
}
