//! The text of a source: its files joined, and the words in it.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::error::CompileError;
use super::target::{Form, Language, of_user};
use crate::files;
use crate::files::MIB;

/// The most bytes of a file.
pub(super) const LONGEST_FILE: u64 = 16 * MIB;

/// A kernel's source as a user describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelSource {
    /// The files, which are joined in order.
    pub files: Vec<PathBuf>,
    /// The folders for included files, besides those of the files.
    pub include: Vec<PathBuf>,
    /// The language.
    pub language: Language,
    /// Options of the compiler: some standards, fast mathematics, contraction.
    pub options: Vec<String>,
    /// The kernel: a name, or a template with its arguments; `None` if there is only one.
    pub kernel: Option<String>,
    /// True if the compiler is asked for the names of structures' fields.
    pub fields: bool,
}

/// A source as the compiler gets it.
#[derive(Debug)]
pub(super) struct Joined {
    /// The text of all files without the macros of a configuration.
    pub(super) text: String,
    /// The names of the kernels' arguments.
    pub(super) arguments: HashSet<String>,
    /// The compiler's words for the options.
    pub(super) options: Vec<String>,
}

/// The variable that holds the address of a template's instance.
pub(super) const INSTANCE: &str = "autotune_kernel";

impl KernelSource {
    /// A source of one file, whose ending says its language; `None` if it does not.
    #[must_use]
    pub fn of_file(file: &Path) -> Option<Self> {
        let language = Language::of(file)?;
        let files = vec![file.to_owned()];
        Some(Self { files, include: Vec::new(), language, options: Vec::new(), kernel: None, fields: false })
    }

    /// The file's name that the compiler gets.
    pub(super) fn file_name(&self) -> String {
        format!("autotune_source.{}", self.language.ending())
    }

    /// The form of the output that is read.
    pub(super) fn form(&self) -> Form {
        Form::Intermediate { fields: self.fields }
    }

    /// Reads the files at these places, in their order.
    ///
    /// # Errors
    /// If a file cannot be read, or an option or the kernel's name is refused.
    pub(super) fn joined(&self, places: &[PathBuf]) -> Result<Joined, CompileError> {
        let options = self.options.iter().map(|option| of_user(option)).collect::<Result<Vec<_>, _>>()?.concat();
        let mut text = String::new();
        for (file, place) in self.files.iter().zip(places) {
            let read = files::named(place, LONGEST_FILE).text().map_err(CompileError::Source)?;
            let _ = writeln!(text, "#line 1 {}", quoted(&file.to_string_lossy()));
            for line in read.lines() {
                // A host program that has the kernel as a raw string joins it with others.
                let is_quote = matches!(line.trim(), "R\"(" | ")\"");
                text.push_str(if is_quote { "" } else { line });
                text.push('\n');
            }
        }
        let arguments = arguments(&text);
        if let Some(kernel) = &self.kernel {
            text.push_str(&instance(kernel, &self.file_name())?);
        }
        Ok(Joined { text, arguments, options })
    }
}

/// The line that makes an instance of a template; nothing for a plain kernel.
fn instance(kernel: &str, file: &str) -> Result<String, CompileError> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "_:<>,()+-*/% .".contains(c);
    if kernel.trim().is_empty() || !kernel.chars().all(is_allowed) {
        return Err(CompileError::KernelName(kernel.to_owned()));
    }
    if !kernel.contains('<') {
        return Ok(String::new());
    }
    Ok(format!("#line 1 \"{file}\"\nstatic __attribute__((used)) __device__ auto* {INSTANCE} = &{kernel};\n"))
}

/// A file's name in a `#line`.
fn quoted(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The identifiers of a text, those in comments too.
pub(super) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_'))
}

/// True if a text can make identifiers that are not in it: from parts, or from halves on two lines.
pub(super) fn makes_identifiers(text: &str) -> bool {
    text.contains("##") || text.contains("\\\n") || text.contains("\\\r\n") || text.contains("%:%:")
}

/// The words before a list in parentheses that has no arguments of the kernel.
const ATTRIBUTES: [&str; 4] = ["__launch_bounds__", "__attribute__", "__cluster_dims__", "__declspec"];

/// The names of the arguments of all kernels in a text.
fn arguments(text: &str) -> HashSet<String> {
    let words: Vec<&str> = words(text);
    let mut names = HashSet::new();
    let starts = words.iter().enumerate().filter(|(_, word)| ["__kernel", "kernel", "__global__"].contains(word));
    for (start, _) in starts {
        let mut depth = 0_usize;
        let mut last = None;
        let mut before = "";
        let mut is_attribute = false;
        for word in &words[start..] {
            match *word {
                "(" => {
                    if depth == 0 {
                        is_attribute = ATTRIBUTES.contains(&before);
                    }
                    depth += 1;
                    if depth == 1 {
                        names.extend(last.take());
                    }
                }
                ")" | "," if depth <= 1 => {
                    names.extend(last.take().filter(|_| !is_attribute));
                    depth -= usize::from(*word == ")" && depth > 0);
                }
                ")" => depth -= 1,
                "{" | ";" => break,
                word if depth == 1 && word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') => {
                    last = Some(word.to_owned());
                }
                _ => {}
            }
            before = word;
        }
    }
    names
}

/// The identifiers and signs of a text, without comments.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first.is_ascii_alphanumeric() || first == '_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            words.push(&rest[..end]);
            end
        } else {
            if !first.is_whitespace() {
                words.push(&rest[..first.len_utf8()]);
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_found_behind_attributes_and_templates() {
        let found = |text: &str| {
            let mut found: Vec<String> = arguments(text).into_iter().collect();
            found.sort();
            found.join(" ")
        };
        let opencl = "__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))\nvoid k(__global float* restrict a /* m */, \
                      const int n, __local float part[W]) { for (int i = 0; i < p; ++i) f(q); } void f(int x) {}";
        assert!(found(opencl).contains("a n"), "{}", found(opencl));
        for name in ["p", "q", "x", "i", "m"] {
            assert!(!arguments(opencl).contains(name), "{name} of {}", found(opencl));
        }
        let cuda =
            "template <int N, class T> __global__ void __launch_bounds__(256, 2) k(T* out, int size = 3, long2) {}";
        assert!(found(cuda).contains("out size"), "{}", found(cuda));
        assert!(!arguments(cuda).contains("N") && !arguments(cuda).contains("k"));
        let bounded = "__global__ void __launch_bounds__(WG, GROUPS) k(int n) {}";
        assert_eq!(found(bounded), "n");
    }

    #[test]
    fn a_kernel_can_be_a_template_but_no_statement() {
        let made = instance("matmul<TS, float>", "autotune_source.cu").unwrap();
        assert!(made.ends_with("auto* autotune_kernel = &matmul<TS, float>;\n"), "{made}");
        assert_eq!(instance("matmul", "").unwrap(), "");
        for name in ["", " ", "k; int x", "k<1>\n#include </etc/passwd>", "k\"", "k<'a'>"] {
            assert!(matches!(instance(name, ""), Err(CompileError::KernelName(_))), "{name}");
        }
    }
}
