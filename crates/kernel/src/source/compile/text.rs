//! The text of a source: its files joined, and the words in it.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::super::cpp::{Declaration, KnownMacros, declarations, plain, words};
use super::super::marks::AssumedLines;
use super::error::CompileError;
use super::namespaces;
use super::target::{ClangLanguage, Form, Language, of_user};
use autotune_base::files;
use autotune_base::files::MIB;

/// The most bytes of a file.
pub(in crate::source) const LONGEST_FILE: u64 = 16 * MIB;

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
    /// True if the compiler has to state the names of structures' fields.
    pub fields: bool,
    /// The lines that a user assumes something of.
    pub assumed: AssumedLines,
    /// The names of the macros that configurations define.
    pub macros: Vec<String>,
    /// The types of arguments by their names, as Triton writes them: `*fp16`. Empty in other languages.
    pub types: Vec<(String, String)>,
    /// The pointers that are not aligned to 16 bytes; for Triton, which takes all others for aligned.
    pub unaligned: Vec<String>,
}

/// A source as the compiler gets it.
#[derive(Debug)]
pub(super) struct Joined {
    /// The text of all files without the macros of a configuration.
    pub(super) text: String,
    /// The names of the kernels' arguments.
    pub(super) arguments: HashSet<String>,
    /// The names of the kernels in OpenCL C; empty if only the preprocessor knows one of them.
    pub(super) kernels: Vec<String>,
    /// The compiler's words for the options.
    pub(super) options: Vec<String>,
}

/// The variable that holds the address of a template's instance.
pub(super) const INSTANCE: &str = "autotune_kernel";

impl KernelSource {
    /// A source of one file, whose ending says its language; `None` if it does not.
    #[must_use]
    pub fn of_file(file: &Path) -> Option<Self> {
        let language = Language::from_file(file)?;
        let files = vec![file.to_owned()];
        Some(Self {
            files,
            include: Vec::new(),
            language,
            options: Vec::new(),
            kernel: None,
            fields: false,
            assumed: AssumedLines::default(),
            macros: Vec::new(),
            types: Vec::new(),
            unaligned: Vec::new(),
        })
    }

    /// The form of the output that is read.
    pub(super) fn form(&self) -> Form {
        Form::Intermediate { fields: self.fields }
    }

    /// Joins the texts of the files.
    ///
    /// # Errors
    /// If an option or the kernel's name is refused.
    pub(super) fn joined(&self, language: ClangLanguage, texts: &[String]) -> Result<Joined, CompileError> {
        let options = self.options.iter().map(|option| of_user(option)).collect::<Result<Vec<_>, _>>()?.concat();
        let mut text = String::new();
        for (file, of_file) in self.files.iter().zip(texts) {
            let _ = writeln!(text, "#line 1 {}", quoted(&file.to_string_lossy()));
            text.push_str(of_file);
        }
        let (arguments, kernels) = (arguments(&text), kernels(&text));
        if let Some(kernel) = &self.kernel {
            let instance = instance(kernel, language.file_name(), &text)?;
            text.push_str(&instance);
        }
        Ok(Joined { text, arguments, kernels, options })
    }
}

/// Reads the files at these places, in their order.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn source_texts(places: &[PathBuf]) -> Result<Vec<String>, CompileError> {
    let text = |place: &PathBuf| {
        let read = files::named(place, LONGEST_FILE).text().map_err(CompileError::Source)?;
        // A host program that has the kernel as a raw string joins it with others.
        let line =
            |line: &str| if matches!(line.trim(), "R\"(" | ")\"") { "\n".to_owned() } else { format!("{line}\n") };
        Ok(unquoted(&read).unwrap_or(read).lines().map(line).collect())
    };
    places.iter().map(text).collect()
}

/// The text of a program that a host makes a string of by a macro: `STRINGIFY(` and `)` on lines of their own around it, and
/// `\n` before directives. `None` for another text. Lines keep their numbers.
fn unquoted(text: &str) -> Option<String> {
    const NEW_LINE: &str = "\\n";
    let (first, rest) = text.trim_start().split_once('\n')?;
    let name = first.trim_end().strip_suffix('(')?.trim_end();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let program = rest.trim_end().trim_end_matches(';').trim_end().strip_suffix(')')?;
    let is_quoted = !name.is_empty() && name.chars().all(is_name) && program.ends_with('\n');
    let before = text.len() - text.trim_start().len();
    let line = |line: &str| match line.trim_start().strip_prefix(NEW_LINE) {
        Some(directive) => format!("{directive}\n"),
        None => format!("{line}\n"),
    };
    is_quoted.then(|| text[..before].to_owned() + "\n" + &program.lines().map(line).collect::<String>())
}

/// The line that makes an instance of a template; nothing for a plain kernel.
fn instance(kernel: &str, file: &str, text: &str) -> Result<String, CompileError> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "_:<>,()+-*/% .".contains(c);
    if kernel.trim().is_empty() || !kernel.chars().all(is_allowed) {
        return Err(CompileError::KernelName(kernel.to_owned()));
    }
    if !kernel.contains('<') {
        return Ok(String::new());
    }
    let namespaces = if kernel.contains("::") { String::new() } else { namespaces::opened(text) };
    // A namespace without a name is part of the one around it.
    let kernel = kernel.replace("(anonymous namespace)::", "");
    let pointer = format!("static __attribute__((used)) __device__ auto* {INSTANCE} = &{kernel};");
    Ok(format!("#line 1 \"{file}\"\n{namespaces}{pointer}\n"))
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
    joins_identifiers(text) || splits_lines(text)
}

/// True if a text can make identifiers from parts.
pub(super) fn joins_identifiers(text: &str) -> bool {
    text.contains("##") || text.contains("%:%:")
}

/// True if a line of a text goes on behind its end.
pub(super) fn splits_lines(text: &str) -> bool {
    text.contains("\\\n") || text.contains("\\\r\n")
}

/// The names of the kernels in OpenCL C of a text; empty if a macro or another file makes one of them.
fn kernels(text: &str) -> Vec<String> {
    let macros = KnownMacros::new(&[text]);
    let declared = declarations(&plain(&words(text)), macros.attributes());
    let kernels: Vec<String> = declared
        .iter()
        .filter(|declaration| is_opencl_kernel(declaration))
        .flat_map(|kernel| kernel.names.iter().map(|name| (*name).to_owned()))
        .collect();
    let is_known = !makes_identifiers(text) && !kernels.iter().any(|name| macros.has(name));
    if is_known { kernels } else { Vec::new() }
}

fn is_opencl_kernel(declaration: &Declaration<'_>) -> bool {
    declaration.head.iter().any(|word| matches!(word.text, "__kernel" | "kernel"))
}

/// The names of the arguments of all kernels in a text.
fn arguments(text: &str) -> HashSet<String> {
    let macros = KnownMacros::new(&[text]);
    let declared = declarations(&plain(&words(text)), macros.attributes());
    let is_kernel =
        |declaration: &Declaration<'_>| is_opencl_kernel(declaration) || macros.are_for_kernels(declaration);
    let kernels = declared.iter().filter(|declaration| is_kernel(declaration));
    kernels.flat_map(|kernel| kernel.arguments.iter().map(|name| (*name).to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_macro_around_the_program_is_left_out() {
        let text = "\nMSTRINGIFY(\n\n\\n#define A 2\n\\n\nkernel void k() {}\n)\n";
        assert_eq!(unquoted(text).as_deref(), Some("\n\n\n#define A 2\n\nkernel void k() {}\n"));
        for plain in ["kernel void k(\nint a)\n{}\n", "f(\n", "f(a)\n", "", "MAKE(\nk)"] {
            assert_eq!(unquoted(plain), None, "{plain}");
        }
    }

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
    fn kernels_are_named_unless_only_the_preprocessor_knows_one() {
        let two = "__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))\nvoid one(int n) {} void f(void) {}\n\
                   kernel void two(global float* a) { f(); }\n";
        assert_eq!(kernels(two), ["one", "two"]);
        for hidden in ["#define two other\n", "#define NAMED(n) void n##_1(void)\n", "int a\\\nb;\n"] {
            assert!(kernels(&format!("{hidden}{two}")).is_empty(), "{hidden}");
        }
    }

    #[test]
    fn a_kernel_can_be_a_template_but_no_statement() {
        let made = instance("matmul<TS, float>", "autotune_source.cu", "").unwrap();
        assert!(made.ends_with("auto* autotune_kernel = &matmul<TS, float>;\n"), "{made}");
        assert_eq!(instance("matmul", "", "").unwrap(), "");
        for name in ["", " ", "k; int x", "k<1>\n#include </etc/passwd>", "k\"", "k<'a'>"] {
            assert!(matches!(instance(name, "", ""), Err(CompileError::KernelName(_))), "{name}");
        }
    }
}
