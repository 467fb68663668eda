//! Host code in CUDA files, left out before the compiler sees it.
//!
//! ```text
//! files ─▶ declarations ─▶ those that the kernel names, and those that these name ─▶ the rest becomes blank
//! ```
//!
//! Lines keep their numbers. Names decide alone: what has a name that device code uses stays, unless only the host can use it.

mod unit;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::cpp::{Declaration, DeclarationKind, KnownMacros, words};
use super::demangle::last_name;
use super::headers;
use unit::Unit;

/// A file without its host code.
#[derive(Debug)]
pub(super) struct DeviceText {
    /// The text.
    pub(super) text: String,
    /// The host's definitions that are left out.
    pub(super) left_out: Vec<LeftOut>,
}

/// A function, a variable or a macro of the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LeftOut {
    /// The line of its first word, from 1.
    pub(super) line: usize,
    /// The name; `None` if it has none.
    pub(super) name: Option<String>,
}

/// Namespaces that the headers of this program declare.
const NAMESPACES: [&str; 6] = ["std", "cooperative_groups", "cub", "cuda", "nvcuda", "wmma"];
/// Headers with the namespaces that they declare.
const DECLARING: [(&str, &[&str]); 2] = [
    (headers::TORCH, &["torch", "at", "c10", "native", "cuda", "cuda_utils", "memory", "detail", "philox", "compat"]),
    (headers::GLM, &["glm"]),
];

/// Returns the texts without what the kernel does not need. `main` files come first, then those that they include; without
/// a kernel's name, all kernels are needed.
pub(super) fn device_texts(
    texts: &[&str],
    main: usize,
    kernel: Option<&str>,
    macros: &KnownMacros<'_>,
) -> Vec<DeviceText> {
    let units: Vec<Unit<'_>> = texts.iter().map(|text| Unit::new(text, macros)).collect();
    let needed = Needs::new(&units, macros).of_kernels(main, kernel);
    let mut number = 0;
    units
        .iter()
        .map(|unit| {
            let first = number;
            number += unit.declarations.len();
            cut(unit, &needed[first..number], macros)
        })
        .collect()
}

/// A unit without the declarations that are not needed.
fn cut(unit: &Unit<'_>, needed: &[bool], macros: &KnownMacros<'_>) -> DeviceText {
    let mut text = unit.text.as_bytes().to_vec();
    let mut left_out = Vec::new();
    let (mut line, mut counted) = (1, 0);
    for (declaration, is_needed) in unit.declarations.iter().zip(needed) {
        if *is_needed {
            hosts_members(declaration, macros).for_each(|member| blank(&mut text, unit, &member.bytes));
            continue;
        }
        blank(&mut text, unit, &declaration.bytes);
        let is_hosts = match declaration.kind {
            DeclarationKind::Function | DeclarationKind::Variable | DeclarationKind::Macro => true,
            DeclarationKind::Type
            | DeclarationKind::Alias
            | DeclarationKind::UsingNamespace
            | DeclarationKind::Assertion => false,
        };
        if is_hosts && !macros.are_for_device(declaration) {
            line += unit.text[counted..declaration.bytes.start].matches('\n').count();
            counted = declaration.bytes.start;
            let name = declaration.names.first().or(declaration.head.first().map(|word| &word.text));
            left_out.push(LeftOut { line, name: name.map(|name| (*name).to_owned()) });
        }
    }
    // Whole letters became blanks.
    let text = String::from_utf8(text).unwrap_or_default();
    DeviceText { text, left_out }
}

/// Replaces a part of a text by blanks, up to the ends of lines and what the preprocessor needs.
fn blank(text: &mut [u8], unit: &Unit<'_>, bytes: &Range<usize>) {
    let mut clear = |part: Range<usize>| {
        text[part].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    };
    let mut from = bytes.start;
    for kept in unit.directives(bytes) {
        clear(from..kept.start);
        from = kept.end;
    }
    clear(from..bytes.end);
}

/// The functions of a class that only the host can call.
fn hosts_members<'d, 'a>(
    declaration: &'d Declaration<'a>,
    macros: &'d KnownMacros<'a>,
) -> impl Iterator<Item = &'d Declaration<'a>> {
    declaration.members.iter().filter(|member| {
        let has = |word: &str| member.head.iter().any(|head| head.text == word);
        member.kind == DeclarationKind::Function
            && !member.has_no_text
            && !macros.are_for_device(member)
            && !has("virtual")
            && !is_constant(member)
    })
}

/// True for what the compiler computes.
fn is_constant(declaration: &Declaration<'_>) -> bool {
    declaration.head.iter().any(|word| matches!(word.text, "constexpr" | "consteval"))
}

/// The search for all that kernels need.
struct Needs<'u, 'a> {
    /// The declarations of all units, with the number of their unit.
    all: Vec<(usize, &'u Declaration<'a>)>,
    by_name: HashMap<&'a str, Vec<usize>>,
    units: &'u [Unit<'a>],
    macros: &'u KnownMacros<'a>,
    seen: HashSet<&'a str>,
    is_needed: Vec<bool>,
    open: Vec<usize>,
    /// True for the declarations that only instantiate templates for others than the kernel.
    is_spare: Vec<bool>,
}

impl<'u, 'a> Needs<'u, 'a> {
    fn new(units: &'u [Unit<'a>], macros: &'u KnownMacros<'a>) -> Self {
        let of_unit = |(number, unit): (usize, &'u Unit<'a>)| {
            unit.declarations.iter().map(move |declaration| (number, declaration))
        };
        let all: Vec<(usize, &Declaration<'a>)> = units.iter().enumerate().flat_map(of_unit).collect();
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (position, (_, declaration)) in all.iter().enumerate() {
            declaration.names.iter().for_each(|name| by_name.entry(name).or_default().push(position));
        }
        let is_needed = vec![false; all.len()];
        let is_spare = vec![false; all.len()];
        Self { all, by_name, units, macros, seen: HashSet::new(), is_needed, open: Vec::new(), is_spare }
    }

    /// Finds the spare instances: all where the kernel's name has arguments, since these make its instance; else those of other
    /// templates.
    fn find_spare(&mut self, kernel: Option<&str>) {
        let Some(kernel) = kernel else { return };
        let Some((name, _)) = self.by_name.get_key_value(last_name(kernel)) else { return };
        let naming = self.macros.naming(name);
        let is_spare = |declaration: &Declaration<'a>| {
            self.macros.is_instantiation(declaration)
                && (kernel.contains('<') || !declaration.head.iter().any(|word| naming.contains(word.text)))
        };
        self.is_spare = self.all.iter().map(|(_, declaration)| is_spare(declaration)).collect();
    }

    /// For each declaration of all units, true if kernels need it.
    fn of_kernels(mut self, main: usize, kernel: Option<&str>) -> Vec<bool> {
        self.find_spare(kernel);
        for position in self.roots(main, kernel) {
            self.need(position);
        }
        // The arguments of a kernel's template are written outside of the text.
        let arguments = kernel.and_then(|kernel| kernel.split_once('<')).map_or("", |(_, arguments)| arguments);
        for word in words(arguments).iter().filter(|word| word.is_name()) {
            if let Some((name, _)) = self.by_name.get_key_value(word.text) {
                self.name(name);
            }
        }
        // An operator has no name that its users write.
        self.name("operator");
        while let Some(position) = self.open.pop() {
            let (unit, declaration) = self.all[position];
            let mut hosts = hosts_members(declaration, self.macros).map(|member| &member.bytes).peekable();
            for word in self.units[unit].words_in(&declaration.bytes).filter(|word| word.is_name()) {
                while hosts.next_if(|bytes| bytes.end <= word.at).is_some() {}
                if hosts.peek().is_none_or(|bytes| !bytes.contains(&word.at)) {
                    self.name(word.text);
                }
            }
        }
        self.settle();
        self.is_needed
    }

    /// The kernels of this name, or all; and the macros that make device code.
    fn roots(&self, main: usize, kernel: Option<&str>) -> Vec<usize> {
        let name = kernel.map(last_name);
        let positions = |is_root: &dyn Fn(usize, &Declaration<'a>) -> bool| -> Vec<usize> {
            let roots = self.all.iter().enumerate().filter(|(_, (unit, declaration))| is_root(*unit, declaration));
            roots.map(|(position, _)| position).collect()
        };
        let is_kernel = |declaration: &Declaration<'a>| self.macros.are_for_kernels(declaration);
        let named = |_: usize, declaration: &Declaration<'a>| {
            is_kernel(declaration) && name.is_some_and(|name| declaration.names.contains(&name))
        };
        let in_main =
            |unit: usize, declaration: &Declaration<'a>| name.is_none() && unit < main && is_kernel(declaration);
        let anywhere = |_: usize, declaration: &Declaration<'a>| is_kernel(declaration);
        let mut roots = positions(&named);
        if roots.is_empty() {
            roots = positions(&in_main);
        }
        if roots.is_empty() {
            roots = positions(&anywhere);
        }
        let is_made = |_: usize, declaration: &Declaration<'a>| {
            declaration.kind == DeclarationKind::Macro && self.macros.are_for_device(declaration)
        };
        roots.extend(positions(&is_made));
        roots
    }

    fn need(&mut self, position: usize) {
        if !self.is_spare[position] && !std::mem::replace(&mut self.is_needed[position], true) {
            self.open.push(position);
        }
    }

    /// Needs all that has a name, or a name in the text of a macro with this name, and that device code can use.
    fn name(&mut self, name: &'a str) {
        let mut names = vec![name];
        while let Some(name) = names.pop() {
            if !self.seen.insert(name) {
                continue;
            }
            let declared = self.by_name.get(name).cloned().unwrap_or_default();
            for position in declared {
                if self.is_usable(self.all[position].1) {
                    self.need(position);
                }
            }
            names.extend(self.macros.names_in(name));
        }
    }

    /// True for what device code can use.
    fn is_usable(&self, declaration: &Declaration<'a>) -> bool {
        match declaration.kind {
            DeclarationKind::Type | DeclarationKind::Alias => true,
            DeclarationKind::Function => self.macros.are_for_device(declaration) || is_constant(declaration),
            DeclarationKind::Variable => {
                // A texture of the old kind has no attribute.
                let has_word = declaration.head.iter().any(|word| matches!(word.text, "const" | "texture" | "surface"));
                self.macros.are_for_device(declaration) || is_constant(declaration) || has_word
            }
            DeclarationKind::UsingNamespace | DeclarationKind::Assertion | DeclarationKind::Macro => false,
        }
    }

    /// Decides on what has no name: namespaces that are there, and assertions about what is needed.
    fn settle(&mut self) {
        let included = DECLARING.iter().filter(|(header, _)| self.units.iter().any(|unit| unit.includes(header)));
        let declared: Vec<&str> = included.flat_map(|(_, names)| *names).copied().collect();
        let is_there = |name: &&str| {
            NAMESPACES.contains(name)
                || declared.contains(name)
                || self.units.iter().any(|unit| unit.has_namespace(name))
        };
        for position in 0..self.all.len() {
            let (unit, declaration) = self.all[position];
            self.is_needed[position] |= match declaration.kind {
                DeclarationKind::UsingNamespace => declaration.names.iter().all(is_there),
                DeclarationKind::Assertion => self.units[unit].words_in(&declaration.bytes).all(|word| {
                    let declared = self.by_name.get(word.text);
                    word.text != "::" && declared.is_none_or(|all| all.iter().any(|number| self.is_needed[*number]))
                }),
                _ => false,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words that stay of a single text, and the names of what is the host's.
    fn device(text: &str, kernel: Option<&str>) -> (String, String) {
        let DeviceText { text: made, left_out } =
            device_texts(&[text], 1, kernel, &KnownMacros::new(&[text])).remove(0);
        assert_eq!(made.len(), text.len(), "{made}");
        assert_eq!(made.matches('\n').count(), text.matches('\n').count(), "{made}");
        let names = left_out
            .into_iter()
            .map(|declaration| format!("{}:{}", declaration.line, declaration.name.unwrap_or_default()));
        (made.split_whitespace().collect::<Vec<_>>().join(" "), names.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn what_the_kernel_does_not_name_is_left_out() {
        let text = "__device__ int twice(int a) { return 2 * a; }\n__device__ int other(int a) { return a; }\n\
                    __global__ void k(int *p) { *p = twice(*p); }\n__global__ void l(int *p) { *p = other(*p); }\n\
                    int main() { k<<<1, 1>>>(0); }\nstd::vector<int> sizes = {1, 2};\n";
        let (k, hosts) = device(text, Some("k"));
        let twice = "__device__ int twice(int a) { return 2 * a; }";
        assert_eq!(k, format!("{twice} __global__ void k(int *p) {{ *p = twice(*p); }}"));
        assert_eq!(hosts, "5:main 6:sizes");
        let (all, _) = device(text, None);
        assert!(all.contains("other") && all.contains("void l") && !all.contains("main"), "{all}");
        assert_eq!(device(text, Some("no such kernel")).0, all);
        assert_eq!(
            device(&format!("namespace a {{ {text} }}"), Some("a::k<float>")).0,
            format!("namespace a {{ {k} }}")
        );
    }

    #[test]
    fn device_code_keeps_what_the_compiler_computes_types_and_constants() {
        let kept = "enum { W = 4 }; typedef float real; const float half_pi = 1.57f; \
                    constexpr int f(int a) { return a; } template <class T> struct V { static const int n = W; }; \
                    __constant__ real c[W]; static_assert(W > 2, \"\"); \
                    __global__ void k(real *p) { *p = c[f(W)] * half_pi + V<int>::n; }";
        let host = "int g(int a) { return a; } static int counter; struct Timer { std::string s; }; \
                    typedef std::vector<int> ints; static_assert(std::is_same<ints, Timer>::value, \"\");";
        assert_eq!(device(&format!("{kept} {host}"), None), (kept.to_owned(), "1:g 1:counter".to_owned()));
    }

    #[test]
    fn the_hosts_members_of_a_class_are_left_out() {
        let text = "struct A { int a; A(std::string s) { } __device__ int get() const { return a; } \
                    virtual void v(); constexpr int two() { return 2; } A() = default; }; __global__ void k(A a) { a.get(); }";
        assert_eq!(device(text, None).0, text.replace("A(std::string s) { } ", ""));
    }

    #[test]
    fn macros_may_hold_device_code() {
        let text = "#define HD __host__ __device__\n#define MAKE(name) __global__ void name(int *p) { *p = one(); }\n\
                    HD int one() { return 1; }\nMAKE(k)\nREGISTER(k)\nvoid host() {}\n";
        let (made, hosts) = device(text, Some("k"));
        assert!(made.ends_with("HD int one() { return 1; } MAKE(k)"), "{made}");
        assert_eq!(hosts, "5:REGISTER 6:host");
    }

    #[test]
    fn instances_for_others_are_left_out() {
        let kernels =
            "template <class T, int N> __global__ void k(T *a) {} template <class T> __global__ void l(T *a) {}";
        let macros = "#define ONE(T, n) template __global__ void k<T, n>(T *a);\n#define TWO(T) ONE(T, 1) ONE(T, 2)\n\
                      #define OTHER(T) \\\n  template __global__ void l<T>(T *a)\n#define EACH(make) make(float); make(int);\n\
                      #define OWN(T) template <> __global__ void k<T, 3>(T *a) {}\n";
        let calls = "template __global__ void k<float, 4>(float *a); TWO(float) OTHER(float); EACH(OTHER) OWN(float) ONE(int, 1)";
        let text = format!("{macros}{kernels} {calls}");
        let made = |kernel| device(&text, Some(kernel)).0.rsplit("(T *a) {} ").next().unwrap().to_owned();
        assert_eq!(made("k<float, 1>"), "; OWN(float)");
        let plain = "template __global__ void k<float, 4>(float *a); TWO(float) ; OWN(float) ONE(int, 1)";
        assert_eq!(made("k"), plain);
        assert!(made("l").ends_with("OTHER(float); EACH(OTHER) OWN(float)"), "{}", made("l"));
        // Without a kernel's name, and with a name that nothing declares, all stay.
        assert!(device(&text, None).0.ends_with(calls));
        assert!(device(&text, Some("no such kernel")).0.ends_with(calls));
    }

    #[test]
    fn directives_stay_in_what_is_left_out() {
        let text = "void host() {\n#ifdef A\n  f();\n#define B 2\n#pragma unroll\n  for (;;) ;\n#else\n}\nvoid h() {\n#endif\n}\n\
                    __global__ void k() {}\n";
        assert_eq!(device(text, None).0, "#ifdef A #define B 2 #else #endif __global__ void k() {}");
    }

    #[test]
    fn each_side_of_a_condition_ends_what_it_left_out() {
        let text = "int host(int a,\n#ifdef A\n  T b = C);\n#elif B\n  U b);\n#else\n  int b = 1) { return b; }\n#endif\n\
                    __global__ void k() {}\n";
        assert_eq!(device(text, None).0, "#ifdef A #elif B #else #endif __global__ void k() {}");
        // What stands behind it on one side is another's.
        let text = "int host(int a\n#ifdef A\n); typedef int T;\n#else\n); typedef float T;\n#endif\n__global__ void k(T *a) {}\n";
        assert!(device(text, None).0.contains("typedef int T; #else ); typedef float T; #endif"));
    }

    #[test]
    fn namespaces_are_used_if_they_are_there() {
        let text = "namespace own { struct A {}; } using namespace own; using namespace std; using namespace thrust; \
                    namespace cg = cooperative_groups; __global__ void k(cg::A a) { }";
        assert_eq!(device(text, None).0, text.replace("using namespace thrust; ", ""));
        let torch = "using namespace at; using namespace torch::indexing; __global__ void k(Half *a) { }";
        let (at, k) = ("using namespace at;", "__global__ void k(Half *a) { }");
        let includes = "#include <ATen/core/Half.h>\n";
        assert_eq!(device(&format!("{includes}{torch}"), None).0, format!("{}{at} {k}", includes.replace('\n', " ")));
        assert_eq!(device(torch, None).0, k);
    }

    #[test]
    fn macros_of_pytorch_are_attributes() {
        let kept = "C10_HOST_DEVICE inline float one(float a) { return a; } template <typename T> \
                    C10_LAUNCH_BOUNDS_2(256, 4) __global__ void k(T *a) { *a = one(*a); }";
        let text = format!("{kept} at::Tensor f(at::Tensor a) {{ return one(a); }}");
        assert_eq!(device(&text, Some("k<float>")), (kept.to_owned(), "1:f".to_owned()));
    }

    #[test]
    fn names_among_the_arguments_of_a_template_are_kept() {
        let kept = "const int WIDTH = 4; struct Twice { static constexpr int factor = 2; }; \
                    template <class T> struct op { T a; }; __device__ float square(float a) { return a; } \
                    template <class T, class U, float (*F)(float), int N> __global__ void k(T *a) { *a = F(U().a); }";
        let other = "struct Thrice { }; __device__ float cube(float a) { return a; }";
        let kernel = "k<float, op<Twice>, square, WIDTH>";
        assert_eq!(device(&format!("{kept} {other}"), Some(kernel)).0, kept);
    }

    #[test]
    fn any_text_is_read_in_time_that_grows_with_its_length() {
        let many = 20_000;
        let chain = (0..many).map(|n| format!("#define A{} A{n}\n", n + 1)).collect::<Vec<_>>().concat();
        let chain = format!("#define A0 __device__\n{chain}A{many} int f();\n");
        let repeated = [
            "namespace a {",
            "struct a {",
            "{",
            "}",
            "#if A\n",
            "a {} ",
            "() ",
            "using namespace a; ",
            "R\"(",
            "'",
            "/*",
            "template <",
            "void f() {}\n",
            "a(b) ",
            "enum {",
            "int a = b, ",
            "#if A {\n#else\n#endif\n",
        ];
        let texts = repeated.iter().map(|text| text.repeat(many)).chain([chain]);
        for text in texts {
            let text = text + "\n__global__ void k(int n) { int m = n; }\n";
            let macros = KnownMacros::new(&[&text]);
            let made = device_texts(&[&text], 1, Some("k"), &macros).remove(0).text;
            let made = crate::source::cpp::beside_macros(&made, &["n".to_owned(), "a".to_owned()], &macros);
            assert!(made.len() >= text.len());
        }
    }
}
