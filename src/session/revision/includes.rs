//! The names of the files that a text includes.

use std::sync::LazyLock;

use regex::Regex;

/// The names in the directives of a text that include a file, as they are written, those in inactive parts too.
pub(super) fn included(text: &str) -> Vec<String> {
    static DIRECTIVE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?m)^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]"#).expect("the expression is a constant")
    });
    DIRECTIVE.captures_iter(text).map(|found| found[1].to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_found_with_both_quotes_and_blanks() {
        let text = "#include \"tile.h\"\n  #  include <shared/load.h>\n// #include \"no.h\"\n#include NAME\n#if 0\n#include \"off.h\"\n";
        assert_eq!(included(text), ["tile.h", "shared/load.h", "off.h"]);
    }
}
