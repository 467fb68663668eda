//! Declarations in files, namespaces and classes.

use std::collections::HashSet;
use std::ops::Range;

use super::words::{Word, WordKind};
use super::{behind_group, parameters};

/// A declaration or definition, from its first word to its last.
#[derive(Debug)]
pub struct Declaration<'a> {
    /// The kind.
    pub kind: DeclarationKind,
    /// The names that it declares, as far as they are known, without the namespaces around it.
    pub names: Vec<&'a str>,
    /// The names of a template's parameters.
    pub(crate) template: Vec<&'a str>,
    /// The names of a function's parameters.
    pub(crate) arguments: Vec<&'a str>,
    /// The words before the body or the value.
    pub head: Vec<Word<'a>>,
    /// The bytes of the text.
    pub bytes: Range<usize>,
    /// The declarations in a class.
    pub members: Vec<Declaration<'a>>,
    /// True for a function that the compiler makes, or that has none: `= default`, `= delete`, `= 0`.
    pub(crate) has_no_text: bool,
}

/// The kind of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeclarationKind {
    /// A function.
    Function,
    /// A class, a structure, a union or an enumeration with its body.
    Type,
    /// Another name for a type or a namespace, or a type without its body.
    Alias,
    /// A variable.
    Variable,
    /// `using namespace`, with the last part of the namespace's name.
    UsingNamespace,
    /// `static_assert`.
    Assertion,
    /// A macro that stands alone.
    Macro,
}

/// The declarations of a text, those in namespaces and in `extern "C"` beside those outside of them.
///
/// `attributes` are the macros with arguments that stand for attributes.
#[must_use]
#[expect(clippy::implicit_hasher, reason = "all sets of macros are those of `KnownMacros`")]
pub fn declarations<'a>(words: &[Word<'a>], attributes: &HashSet<&str>) -> Vec<Declaration<'a>> {
    let mut reader = Reader { words, attributes, at: 0, depth: 0 };
    let mut found = Vec::new();
    while reader.at < words.len() {
        found.extend(reader.level());
        // A bracket that closes nothing.
        reader.at += 1;
    }
    found
}

/// Words before a group in parentheses that holds no parameters of a function.
const ATTRIBUTES: [&str; 23] = [
    "sizeof",
    "alignof",
    "__alignof__",
    "asm",
    "__asm",
    "__asm__",
    "__launch_bounds__",
    "__attribute__",
    "__attribute",
    "__align__",
    "__cluster_dims__",
    "__block_size__",
    "__maxnreg__",
    "__declspec",
    "alignas",
    "decltype",
    "noexcept",
    "throw",
    "explicit",
    "requires",
    "asm",
    "__asm__",
    "typeof",
];

/// The deepest level that is read in declarations.
const DEEPEST: usize = 64;
/// The most groups of a declaration that are searched for its parameters.
const MOST_GROUPS: usize = 32;

/// The keywords of types with a body.
const TYPES: [&str; 4] = ["class", "struct", "union", "enum"];

struct Reader<'w, 'a> {
    words: &'w [Word<'a>],
    attributes: &'w HashSet<&'w str>,
    at: usize,
    /// The levels around this one.
    depth: usize,
}

impl<'a> Reader<'_, 'a> {
    fn word(&self, position: usize) -> &'a str {
        self.words.get(position).map_or("", |word| word.text)
    }

    /// Reads declarations up to the bracket that closes the level.
    fn level(&mut self) -> Vec<Declaration<'a>> {
        let mut found = Vec::new();
        self.depth += 1;
        while self.at < self.words.len() && self.word(self.at) != "}" {
            match (self.word(self.at), self.word(self.at + 1)) {
                (";" | ")" | "]", _) => self.at += 1,
                ("public" | "private" | "protected", ":") => self.at += 2,
                _ => match self.namespace().filter(|_| self.depth < DEEPEST) {
                    Some(body) => {
                        self.at = body;
                        found.extend(self.level());
                        self.at += 1;
                    }
                    None => found.push(self.declaration()),
                },
            }
        }
        self.depth -= 1;
        found
    }

    /// Position of the body of a namespace, or of `extern "C"`, that begins here; `None` if something else does.
    fn namespace(&self) -> Option<usize> {
        let begin = self.at + usize::from(self.word(self.at) == "inline");
        if self.word(begin) == "extern" && self.words.get(begin + 1)?.kind == WordKind::Quoted {
            return (self.word(begin + 2) == "{").then_some(begin + 3);
        }
        let mut end = begin + 1;
        if self.word(begin) != "namespace" {
            return None;
        }
        while self
            .words
            .get(end)
            .is_some_and(|word| word.is_name() || matches!(word.text, "::" | "[" | "]" | "(" | ")"))
        {
            end += 1;
        }
        (self.word(end) == "{").then_some(end + 1)
    }

    /// Reads a declaration. At least one word is read.
    fn declaration(&mut self) -> Declaration<'a> {
        let begin = self.at;
        let mut parts = Parts::default();
        self.template(&mut parts);
        parts.first = self.at;
        if let Some(end) = self.lonely_macro() {
            self.at = end;
            return self.made(DeclarationKind::Macro, begin..end, parts);
        }
        while self.step(&mut parts) {}
        // At least one word, so that the reading ends.
        self.at = self.at.max(begin + 1).min(self.words.len());
        self.made(self.kind(&parts), begin..self.at, parts)
    }

    /// Reads a word of a declaration, or a group. Returns false behind the last one.
    fn step(&mut self, parts: &mut Parts<'a>) -> bool {
        match self.word(self.at) {
            "" | "}" => return false,
            ";" => {
                self.at += 1;
                return false;
            }
            "{" => return self.braces(parts),
            "(" => {
                if parts.value.is_none() && parts.initialisers.is_none() && parts.groups.len() < MOST_GROUPS {
                    parts.groups.push(self.at);
                }
                self.at = behind_group(self.words, self.at);
                return true;
            }
            "[" => {
                self.at = behind_group(self.words, self.at);
                return true;
            }
            "=" if parts.value.is_none() && !self.is_operator() => {
                parts.value = Some(self.at);
                parts.head_end = parts.head_end.or(Some(self.at));
            }
            ":" if parts.value.is_none() && self.parameters(parts).is_some() => parts.initialisers = Some(self.at),
            "enum" => (parts.is_type, parts.is_enum) = (true, true),
            "class" | "struct" | "union" => parts.is_type = true,
            _ => {}
        }
        self.at += 1;
        true
    }

    /// True behind the word `operator`.
    fn is_operator(&self) -> bool {
        self.at > 0 && self.word(self.at - 1) == "operator"
    }

    /// Reads a group in braces: a type's or a function's body, or a value. Returns false behind a function's body.
    fn braces(&mut self, parts: &mut Parts<'a>) -> bool {
        parts.head_end = parts.head_end.or(Some(self.at));
        if self.is_type(parts) {
            parts.body = Some(self.at);
            if parts.is_enum || self.depth >= DEEPEST {
                self.at = behind_group(self.words, self.at);
            } else {
                self.at += 1;
                parts.members = self.level();
                self.at += 1;
            }
            parts.behind_body = Some(self.at.min(self.words.len()));
            return true;
        }
        let before = self.words[..self.at].last();
        let is_initialiser =
            parts.initialisers.is_some() && before.is_some_and(|word| word.is_name() || word.text == ">");
        parts.has_body = parts.value.is_none() && !is_initialiser && self.parameters(parts).is_some();
        self.at = behind_group(self.words, self.at);
        !parts.has_body
    }

    /// Reads the heads of templates.
    fn template(&mut self, parts: &mut Parts<'a>) {
        while self.word(self.at) == "template" && self.word(self.at + 1) == "<" {
            let mut depth = 0_usize;
            let mut end = self.at + 1;
            while end < self.words.len() {
                match self.word(end) {
                    "<" => depth += 1,
                    ">" if depth == 1 => break,
                    ">" => depth -= 1,
                    "(" | "[" | "{" => end = behind_group(self.words, end) - 1,
                    _ => {}
                }
                end += 1;
            }
            let list = &self.words[(self.at + 2).min(end)..end.min(self.words.len())];
            parts.template.extend(parameters::names(list));
            self.at = (end + 1).min(self.words.len());
        }
    }

    /// Position behind a macro with arguments that does not belong to a declaration; `None` if there is none here.
    fn lonely_macro(&self) -> Option<usize> {
        let first = self.words.get(self.at).filter(|word| word.is_name() && !self.is_attribute(word))?;
        if self.word(self.at + 1) != "(" || first.text == "static_assert" {
            return None;
        }
        let end = behind_group(self.words, self.at + 1);
        let follows = self.words.get(end);
        let is_next = follows.is_none_or(|word| word.is_name() || matches!(word.text, "}" | "[" | ";"));
        // Words behind the parameters of a constructor.
        (is_next && !matches!(self.word(end), "const" | "noexcept")).then_some(end)
    }

    /// True for a word before a group in parentheses that holds no parameters.
    fn is_attribute(&self, word: &Word<'_>) -> bool {
        ATTRIBUTES.contains(&word.text) || self.attributes.contains(word.text)
    }

    /// The group with the parameters of a function; `None` if the declaration has no such group yet.
    fn parameters(&self, parts: &Parts<'a>) -> Option<usize> {
        let is_of_function = |open: &usize| {
            let before = open.checked_sub(1).map(|before| self.words[before]);
            let is_operator = self.words[open.saturating_sub(4)..*open].iter().any(|word| word.text == "operator");
            is_operator || before.is_some_and(|word| (word.is_name() && !self.is_attribute(&word)) || word.text == ">")
        };
        parts.groups.iter().copied().rev().find(is_of_function)
    }

    /// True if the brace here opens the body of a type.
    fn is_type(&self, parts: &Parts<'a>) -> bool {
        parts.is_type && parts.value.is_none() && self.parameters(parts).is_none() && parts.behind_body.is_none()
    }

    fn kind(&self, parts: &Parts<'a>) -> DeclarationKind {
        match [self.word(parts.first), self.word(parts.first + 1)] {
            ["using", "namespace"] => DeclarationKind::UsingNamespace,
            ["using" | "typedef" | "namespace", _] => DeclarationKind::Alias,
            ["static_assert", _] => DeclarationKind::Assertion,
            _ if parts.has_body => DeclarationKind::Function,
            _ if parts.body.is_some() => DeclarationKind::Type,
            _ if self.parameters(parts).is_some() => DeclarationKind::Function,
            [start, _] if TYPES.contains(&start) && self.at == parts.first + 3 => DeclarationKind::Alias,
            _ => DeclarationKind::Variable,
        }
    }

    fn made(&self, kind: DeclarationKind, words: Range<usize>, parts: Parts<'a>) -> Declaration<'a> {
        let names = self.names(kind, &words, &parts);
        let list = self.parameters(&parts).filter(|_| kind == DeclarationKind::Function).map(|open| {
            let end = behind_group(self.words, open) - 1;
            &self.words[(open + 1).min(end)..end]
        });
        let arguments = list.map(parameters::names).unwrap_or_default();
        let bytes = self.words[words.start].at..self.words[words.end.max(words.start + 1) - 1].end();
        let head_end = parts.head_end.unwrap_or(words.end).clamp(words.start, words.end);
        // What follows a type's body belongs to the variables that it declares.
        let behind = parts.behind_body.map_or(&[][..], |behind| &self.words[behind.min(words.end)..words.end]);
        let head = self.words[words.start..head_end].iter().chain(behind).copied().collect();
        let has_no_text = kind == DeclarationKind::Function && parts.value.is_some();
        Declaration {
            kind,
            names,
            template: parts.template,
            arguments,
            head,
            bytes,
            members: parts.members,
            has_no_text,
        }
    }

    /// The names that a declaration declares.
    fn names(&self, kind: DeclarationKind, words: &Range<usize>, parts: &Parts<'a>) -> Vec<&'a str> {
        let all = &self.words[words.clone()];
        match kind {
            DeclarationKind::Function => {
                self.parameters(parts).map(|open| self.name_before(words.start, open)).unwrap_or_default()
            }
            DeclarationKind::Type => self.names_of_type(words, parts),
            DeclarationKind::Alias if parts.behind_body.is_some() => self.names_of_type(words, parts),
            DeclarationKind::Alias => {
                let pointer = all.windows(3).find(|three| three[0].text == "(" && three[1].text == "*");
                let end = all.iter().position(|word| word.text == "=").unwrap_or(all.len());
                let last = self.without_attributes(&all[..end]).rfind(|word| word.is_name());
                pointer.map(|three| &three[2]).or(last).map(|word| word.text).into_iter().collect()
            }
            DeclarationKind::UsingNamespace => {
                all.iter().rfind(|word| word.is_name()).map(|word| word.text).into_iter().collect()
            }
            DeclarationKind::Variable => names_of_variables(all),
            DeclarationKind::Assertion | DeclarationKind::Macro => Vec::new(),
        }
    }

    /// Words without attributes and their arguments.
    fn without_attributes<'w>(&self, words: &'w [Word<'a>]) -> impl DoubleEndedIterator<Item = &'w Word<'a>> {
        let mut left = Vec::with_capacity(words.len());
        let mut at = 0;
        while let Some(word) = words.get(at) {
            at += 1;
            if !self.is_attribute(word) {
                left.push(word);
            } else if words.get(at).is_some_and(|next| next.text == "(") {
                at = behind_group(words, at);
            }
        }
        left.into_iter()
    }

    /// The name of a type with a body, its enumerators, and the names behind the body.
    fn names_of_type(&self, words: &Range<usize>, parts: &Parts<'a>) -> Vec<&'a str> {
        let behind = parts.behind_body.unwrap_or(words.end).min(words.end);
        let body = parts.body.unwrap_or(behind);
        let mut names = self.type_name(words.start, body);
        names.extend(names_in(&self.words[behind..words.end]));
        if parts.is_enum {
            names.extend(names_in(&self.words[body..behind]));
        }
        names
    }

    /// The name of a function before its parameters, and those of the classes around it: `f` and `A` of `A<T>::f<U>(`.
    fn name_before(&self, begin: usize, open: usize) -> Vec<&'a str> {
        if self.words[begin..open].iter().any(|word| word.text == "operator") {
            return vec!["operator"];
        }
        let mut names = Vec::new();
        let mut at = open;
        while at > begin {
            at -= 1;
            if self.word(at) == ">" {
                at = self.before_angles(begin, at);
                continue;
            }
            if !self.words[at].is_name() {
                break;
            }
            names.push(self.word(at));
            if at == begin || self.word(at - 1) != "::" {
                break;
            }
            at -= 1;
        }
        names
    }

    /// Position of the `<` that the `>` at a position closes.
    fn before_angles(&self, begin: usize, close: usize) -> usize {
        let mut depth = 0_usize;
        for at in (begin..=close).rev() {
            match self.word(at) {
                ">" => depth += 1,
                "<" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at;
            }
        }
        begin
    }

    /// The name of a type before its body: behind its keyword and attributes, before its bases.
    fn type_name(&self, begin: usize, body: usize) -> Vec<&'a str> {
        let mut at = (begin..body).find(|at| TYPES.contains(&self.word(*at))).unwrap_or(body);
        let mut name = None;
        while at < body {
            match self.word(at) {
                "(" | "[" => at = behind_group(self.words, at) - 1,
                ":" | "<" => break,
                word if TYPES.contains(&word) || word == "final" || self.is_attribute(&self.words[at]) => {}
                word if self.words[at].is_name() => name = Some(word),
                _ => {}
            }
            at += 1;
        }
        name.into_iter().collect()
    }
}

/// All names of some words.
fn names_in<'a>(words: &[Word<'a>]) -> impl Iterator<Item = &'a str> {
    words.iter().filter(|word| word.is_name()).map(|word| word.text)
}

/// The names of variables: before their values, sizes and ends.
fn names_of_variables<'a>(words: &[Word<'a>]) -> Vec<&'a str> {
    let is_value = words.iter().scan(false, |is_value, word| {
        *is_value = word.text == "=" || (*is_value && word.text != ",");
        Some(*is_value)
    });
    let pairs = words.windows(2).zip(is_value).filter(|(pair, is_value)| pair[0].is_name() && !is_value);
    let is_end = |word: &Word<'_>| matches!(word.text, "=" | "[" | ";" | "," | "{");
    pairs.filter(|(pair, _)| is_end(&pair[1])).map(|(pair, _)| pair[0].text).collect()
}

/// The parts of a declaration that are met while it is read, as positions of words.
#[derive(Debug, Default)]
struct Parts<'a> {
    /// The names of a template's parameters.
    template: Vec<&'a str>,
    /// The first word behind the heads of templates.
    first: usize,
    /// The word behind the head: the body or the value.
    head_end: Option<usize>,
    /// The groups in parentheses outside of other groups, before a value.
    groups: Vec<usize>,
    /// The `=` before a value.
    value: Option<usize>,
    /// The `:` before what initialises members.
    initialisers: Option<usize>,
    /// The bracket that opens a type's body.
    body: Option<usize>,
    /// The word behind a type's body.
    behind_body: Option<usize>,
    /// True behind the keyword of a type.
    is_type: bool,
    /// True behind `enum`.
    is_enum: bool,
    /// True if a function's body was read.
    has_body: bool,
    /// The declarations in a type's body.
    members: Vec<Declaration<'a>>,
}

#[cfg(test)]
mod tests {
    use super::super::{plain, words};
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let line = |found: &Declaration<'_>| {
            let members: Vec<_> = found.members.iter().map(|member| member.names.join(" ")).collect();
            let parameters = [found.template.as_slice(), &found.arguments].concat().join(" ");
            format!("{:?} {} ({parameters}) [{}]", found.kind, found.names.join(" "), members.join(", "))
        };
        declarations(&plain(&words(text)), &HashSet::from(["LIMIT"])).iter().map(line).collect()
    }

    #[test]
    fn functions_are_named_before_their_parameters() {
        for (text, expected) in [
            ("int f(int a, float b) { return g(a); }", "Function f (a b) []"),
            (
                "template <int N, class T> __global__ void __launch_bounds__(256, 2) k(T* out, int n = N) {}",
                "Function k (N T out n) []",
            ),
            ("__global__ void LIMIT(N) k(T* out) {}", "Function k (out) []"),
            ("template <> __device__ float f<float, 4>(float x) { return x; }", "Function f (x) []"),
            ("template <class T> __device__ A<T>::A(int x) : a{x}, b(2) { c(); }", "Function A A (T x) []"),
            ("__device__ float2 operator+(float2 a, float2 b) { return a; }", "Function operator (a b) []"),
            ("__device__ int operator()(int a) const { return a; }", "Function operator (a) []"),
            ("auto f(int a) -> decltype(g(a)) { return g(a); }", "Function f (a) []"),
            ("extern \"C\" __global__ void k(int n);", "Function k (n) []"),
            ("template void launch<float>(float* p);", "Function launch (p) []"),
            (
                "__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))\nvoid k(__global float* restrict a /* m */, const int n) {}",
                "Function k (a n) []",
            ),
        ] {
            assert_eq!(shown(text), [expected], "{text}");
        }
    }

    #[test]
    fn other_declarations_have_names_too() {
        for (text, expected) in [
            (
                "struct __align__(16) A : B<int> { int a; __device__ A() : a(1) {} int f() const { return a; } };",
                "Type A () [a, A, f]",
            ),
            ("typedef struct { float x, y; } point;", "Alias point () [x y]"),
            ("typedef float (*function)(int);", "Alias function () []"),
            ("typedef unsigned int uint_t;", "Alias uint_t () []"),
            ("float load(int at) __asm(\"llvm.load\");", "Function load (at) []"),
            ("typedef float four __attribute__((ext_vector_type(4)));", "Alias four () []"),
            ("typedef __attribute__((address_space(3))) int local;", "Alias local () []"),
            ("using real = float;", "Alias real () []"),
            ("using namespace a::b;", "UsingNamespace b () []"),
            ("namespace cg = cooperative_groups;", "Alias cg () []"),
            ("enum class E : int { ONE, TWO = 2 };", "Type E ONE TWO () []"),
            ("struct A;", "Alias A () []"),
            ("constexpr int a = f(1, 2), b{3};", "Variable a b () []"),
            ("__constant__ float weights[N][M] = { { 1, 2 } };", "Variable weights () []"),
            ("template <int N> struct A<N, 4> { static const int value = N; };", "Type A (N) [value]"),
            ("template <class T> struct bits : constant<sizeof(T) * 8> {};", "Type bits (T) []"),
            ("static_assert(N > 1, \"one\");", "Assertion  () []"),
            ("INSTANTIATE(float)", "Macro  () []"),
        ] {
            assert_eq!(shown(text), [expected], "{text}");
        }
    }

    #[test]
    fn namespaces_are_levels_and_any_text_has_an_end() {
        let text = "namespace a { namespace { int f() {} } inline namespace b { struct S { }; } } extern \"C\" { void g(); } \
                    MACRO(x)\n__global__ void k() {}";
        let expected = ["Function f () []", "Type S () []", "Function g () []", "Macro  () []", "Function k () []"];
        assert_eq!(shown(text), expected);
        for text in [
            "}",
            "} int a; }",
            "int f(",
            "template <",
            "template <int",
            "struct {",
            "enum",
            "= {",
            "operator",
            ")",
            "f(){",
            "a b",
        ] {
            shown(text);
            shown(&format!("{text} {text}"));
        }
    }
}
