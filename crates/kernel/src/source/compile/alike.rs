//! Targets that a source cannot tell apart: the compiler's output for one of them stands for the others, but for the
//! attributes that name the target.
//!
//! Three things are shown. The preprocessor gives the source the same text: no macro that differs between the targets is
//! named, or can be made, in the files that compilations have met. The source asks for nothing else of its target: no
//! instruction of a maker, no 16-bit floating-point number. And for a first configuration, compiled for both targets, the
//! optimiser says the same.

use std::collections::BTreeSet;
use std::sync::PoisonError;

use super::Compiler;
use super::asked::AlikeTargets;
use super::macros::Macros;
use super::text::identifiers;

/// The attributes of a function that name its target.
const ATTRIBUTES: [&str; 2] = ["\"target-cpu\"=\"", "\"target-features\"=\""];

impl Compiler {
    /// Shows by a configuration that this compiler's outputs stand for those of another one for the same source; `None` if
    /// they may not.
    pub(in crate::source) fn alike(&self, other: &Self, macros: &Macros) -> Option<AlikeTargets> {
        let of = |compiler: &Self| Some((compiler.compile(macros).ok()?.text, compiler.macros_behind(macros)?));
        let ((text, defined), (others_text, others_defined)) = (of(self)?, of(other)?);
        let differing = defined.symmetric_difference(&others_defined).filter_map(|line| defined_name(line));
        let alike = AlikeTargets { differing: differing.map(str::to_owned).collect() };
        let is_alike = self.permits(&alike) && other.permits(&alike) && plain(&text) == plain(&others_text);
        is_alike.then_some(alike)
    }

    /// Asks for all that [`Compiler::alike`] compares by this configuration.
    pub(in crate::source) fn make_ready(&self, macros: &Macros) {
        if self.compile(macros).is_ok() {
            self.macros_behind(macros);
        }
    }

    /// True unless a file that compilations have met asks for what differs between two targets.
    pub(in crate::source) fn permits(&self, alike: &AlikeTargets) -> bool {
        let closure = self.closure.lock().unwrap_or_else(PoisonError::into_inner);
        let of_headers = || self.driver.own_headers().into_iter().flat_map(identifiers).collect();
        let words = self.words_of_headers.get_or_init(of_headers);
        !closure.asks(&alike.differing) && !alike.differing.iter().any(|name| words.contains(name.as_str()))
    }

    /// The macros that are defined behind a configuration's text, asked for once; `None` if the compiler has errors.
    fn macros_behind(&self, macros: &Macros) -> Option<BTreeSet<String>> {
        let mut known = self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, defined)) = known.as_ref().filter(|(of, _)| of == macros) {
            return Some(defined.clone());
        }
        let defined = self.driver.macros_behind(macros).ok()?;
        *known = Some((macros.clone(), defined.clone()));
        Some(defined)
    }
}

/// The name in `#define NAME(X) VALUE`.
fn defined_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("#define ")?;
    rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()
}

/// LLVM's text without the attributes that name the target.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if !line.starts_with("attributes #") {
            plain.push_str(line);
            continue;
        }
        let words = line.split(' ');
        let named = |word: &&str| ATTRIBUTES.iter().any(|attribute| word.starts_with(attribute));
        plain.extend(words.filter(|word| !named(word)).map(|word| format!("{word} ")));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_attributes_that_name_the_target_do_not_count() {
        let text = |cpu: &str, items: &str| {
            format!(
                "define void @f() #0\nattributes #0 = {{ nounwind \"amdgpu-flat-work-group-size\"=\"1,{items}\" \
                 \"target-cpu\"=\"{cpu}\" \"target-features\"=\"+{cpu}\" }}\n"
            )
        };
        assert_eq!(plain(&text("sm_80", "256")), plain(&text("sm_90", "256")));
        assert_ne!(plain(&text("sm_80", "256")), plain(&text("sm_90", "512")));
    }

    #[test]
    fn a_macro_has_its_name() {
        assert_eq!(defined_name("#define __INT8_C(c) c"), Some("__INT8_C"));
        assert_eq!(defined_name("#define __gfx906__ 1"), Some("__gfx906__"));
        assert_eq!(defined_name("word"), None);
    }
}
