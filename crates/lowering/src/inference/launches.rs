//! The launches of kernels in host code.

mod opencl;
mod pyopencl;

use std::ops::Range;

use super::function::{At, Function};
use super::launching::{CALLS, has_launch, is_triple};
use super::program::Program;
use super::resolve::{Resolver, Scope, Sizes};
use super::term::Term;
use super::value::{self, Value, behind_template};
use autotune_kernel::source::{Word, behind_group, inside_group};

pub(super) use opencl::opencl;
pub(super) use pyopencl::pyopencl;

/// A launch of a kernel in host code.
#[derive(Debug, Clone)]
pub(super) struct Launch<'p, 'a> {
    /// The kernel's name, without namespaces.
    pub(super) kernel: &'a str,
    /// The arguments of the kernel's template, in words.
    pub(super) template: Vec<Vec<Word<'a>>>,
    pub(super) function: &'p Function<'a>,
    pub(super) at: At,
    /// The text of the launch on one line, without the kernel's arguments.
    pub(super) shown: String,
    /// The work groups, or the work items.
    pub(super) extent: Extent,
    /// The work items of a group; `None` if host code leaves them to the driver, or they are not followed.
    pub(super) group: Option<Sizes>,
    /// Bytes of local memory; `None` if there are none.
    pub(super) shared: Option<Term>,
    pub(super) arguments: Vec<Passed<'a>>,
    /// The variables whose value a condition around the launch fixes, `None` for the other side of such a condition.
    pub(super) guards: Vec<(&'a str, Option<i64>)>,
}

/// The size of a launch.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Extent {
    Groups(Sizes),
    WorkItems(Sizes),
    /// A part of the text that is not followed.
    Unknown(String),
}

impl Extent {
    /// A part of the text, in its words.
    fn unknown(words: &[Word<'_>]) -> Self {
        Self::Unknown(words.iter().map(|word| word.text).collect::<Vec<_>>().join(" "))
    }
}

/// An argument of a launch.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Passed<'a> {
    Value(Value<'a>),
    /// Local memory of these bytes.
    Local(Option<Term>),
}

impl<'p, 'a> Launch<'p, 'a> {
    pub(super) fn scope(&self) -> Scope<'p, 'a> {
        Scope::new(self.function, self.at.byte)
    }

    /// The variable that has this value wherever the launch is reached; `None` if there is none.
    pub(super) fn guard(&self, number: i64) -> Option<&'a str> {
        let guard = self.guards.iter().find(|(_, value)| value.is_none_or(|value| value == number));
        guard.map(|(name, _)| *name)
    }
}

/// The most words of a launch, and of what is looked at before it.
const LONGEST: usize = 1_000;

/// The launches in CUDA and HIP, in the order of the files.
pub(super) fn cuda<'p, 'a>(resolver: &Resolver<'p, 'a>) -> Vec<Launch<'p, 'a>> {
    let mut found: Vec<Launch<'p, 'a>> = Vec::new();
    for function in &resolver.program.functions {
        for at in 0..function.body.len() {
            if is_triple(&function.body, at, "<") {
                found.extend(triple(resolver, function, at));
            } else if let Some((name, places)) = CALLS.iter().find(|(name, _)| *name == function.body[at].text)
                && function.body.get(at + 1).is_some_and(|next| next.text == "(")
            {
                found.extend(called(resolver, function, at, name, *places));
            }
        }
    }
    found.into_iter().flat_map(|launch| by_name(resolver.program, launch)).collect()
}

/// A launch by a kernel's name, or one for each kernel that a pointer to kernels may be.
fn by_name<'p, 'a>(program: &Program<'a>, launch: Launch<'p, 'a>) -> Vec<Launch<'p, 'a>> {
    let is_kernel = |name: &str| program.named(name).any(|function| function.is_kernel);
    if is_kernel(launch.kernel) {
        return vec![launch];
    }
    let values = launch.function.variables.iter().filter(|one| one.name == launch.kernel);
    let named = values.filter_map(|one| match one.value.as_ref()? {
        Value::Address(of) => of.last_name(),
        other => other.last_name(),
    });
    let mut kernels: Vec<&str> = named.filter(|name| is_kernel(name)).collect();
    kernels.sort_unstable();
    kernels.dedup();
    kernels.into_iter().map(|kernel| Launch { kernel, ..launch.clone() }).collect()
}

/// The variables that conditions around a position compare with numbers: `if (n == 16)`, `case 16:` in `switch (n)`.
fn guards<'a>(body: &[Word<'a>], at: usize) -> Vec<(&'a str, Option<i64>)> {
    let mut found = Vec::new();
    let mut case = None;
    let mut end = at;
    while end > at.saturating_sub(LONGEST) {
        end -= 1;
        match body[end].text {
            ")" | "]" | "}" => end = before_group(body, end),
            "case" if case.is_none() => {
                if let Some(Value::Integer(number)) = body.get(end + 1..=end + 1).map(value::value) {
                    case = Some(number);
                }
            }
            "if" => {
                let open = end + 1 + usize::from(body.get(end + 1).is_some_and(|word| word.text == "constexpr"));
                let close = behind_group(body, open);
                // The launch is the statement, or in the block, behind the condition.
                if close <= at && reaches(body, close, at) {
                    found.extend(compared(inside_group(body, open)));
                }
            }
            "else" if reaches(body, end + 1, at) => {
                // The condition stands before the block or the statement that ends here.
                let first = (0..end).rev().find(|at| body[*at].text == "if");
                let compared = first.and_then(|first| compared(inside_group(body, first + 1)));
                found.extend(compared.map(|(name, _)| (name, None)));
            }
            "switch" => {
                let close = behind_group(body, end + 1);
                let switched = inside_group(body, end + 1);
                if let ([name], Some(number), true) = (switched, case, reaches(body, close, at)) {
                    found.push((name.text, Some(number)));
                    case = None;
                }
            }
            _ => {}
        }
    }
    found
}

/// True if a position lies in the statement or the block that begins at another one.
fn reaches(body: &[Word<'_>], begin: usize, at: usize) -> bool {
    match body.get(begin).map(|word| word.text) {
        Some("{") => behind_group(body, begin) > at,
        _ => !body[begin..at].iter().any(|word| matches!(word.text, ";" | "{" | "}")),
    }
}

/// The position of the bracket that opens the group which closes at a position.
fn before_group(body: &[Word<'_>], close: usize) -> usize {
    let mut depth = 0_usize;
    for at in (0..=close).rev() {
        match body[at].text {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    0
}

/// A comparison of a variable with a number.
fn compared<'a>(words: &[Word<'a>]) -> Option<(&'a str, Option<i64>)> {
    match value::value(words) {
        Value::Binary("==", sides) => match *sides {
            [Value::Name(name, _), Value::Integer(number)] => Some((name, Some(number))),
            _ => None,
        },
        _ => None,
    }
}

/// The macros whose text launches a kernel and is not followed, with their places.
pub(super) fn hidden<'a>(program: &Program<'a>) -> Vec<(&'a str, At)> {
    let is_hidden = |name: &str| !program.launching.contains(name);
    let macros = program.macros.iter().filter(|(name, known)| is_hidden(name) && has_launch(&known.text));
    macros.map(|(name, known)| (*name, At { file: known.file, byte: known.at })).collect()
}

/// The launch whose `<<<` stands at a position.
fn triple<'p, 'a>(resolver: &Resolver<'p, 'a>, function: &'p Function<'a>, open: usize) -> Option<Launch<'p, 'a>> {
    let body = &function.body;
    let (first, kernel, template) = kernel_before(body, open)?;
    let close = end_of_triple(body, open + 3)?;
    let configuration = value::parts(&body[open + 3..close]);
    let [groups, group, rest @ ..] = configuration.as_slice() else { return None };
    body.get(close + 3).filter(|word| word.text == "(")?;
    let arguments = value::values(inside_group(body, close + 3));
    let scope = Scope::new(function, body[open].at);
    Some(Launch {
        kernel,
        template,
        function,
        at: scope.at,
        shown: shown(resolver, function, first..close + 3),
        extent: extent(resolver, groups, scope),
        group: resolver.sizes(&value::value(group), scope),
        shared: rest.first().and_then(|shared| resolver.term(&value::value(shared), scope)).filter(is_some_bytes),
        arguments: arguments.into_iter().map(Passed::Value).collect(),
        guards: guards(body, first),
    })
}

fn is_some_bytes(term: &Term) -> bool {
    term.number() != Some(0)
}

fn extent<'p, 'a>(resolver: &Resolver<'p, 'a>, words: &[Word<'a>], scope: Scope<'p, 'a>) -> Extent {
    match resolver.sizes(&value::value(words), scope) {
        Some(sizes) => Extent::Groups(sizes),
        None => Extent::unknown(words),
    }
}

/// The position of the `>>>` that ends a launch.
fn end_of_triple(words: &[Word<'_>], from: usize) -> Option<usize> {
    let mut at = from;
    let words = &words[..words.len().min(from + LONGEST)];
    while at < words.len() {
        match words[at].text {
            "(" | "[" | "{" => at = behind_group(words, at),
            ";" => return None,
            _ if is_triple(words, at, ">") => return Some(at),
            _ => at += 1,
        }
    }
    None
}

/// A kernel's name with the arguments of its template.
type NamedKernel<'a> = (usize, &'a str, Vec<Vec<Word<'a>>>);

/// The kernel whose name ends before a position: the position of its first word, the name, and the arguments of its
/// template.
fn kernel_before<'a>(words: &[Word<'a>], end: usize) -> Option<NamedKernel<'a>> {
    let mut name = end.checked_sub(1)?;
    let mut template = Vec::new();
    if words[name].text == ">" {
        let open = (0..name).rev().take(200).find(|at| {
            words[*at].text == "<"
                && behind_template(words, *at) == Some(name + 1)
                && words[at.saturating_sub(1)].is_name()
        })?;
        template = value::parts(&words[open + 1..name]).into_iter().map(<[Word<'a>]>::to_vec).collect();
        name = open.checked_sub(1)?;
    }
    let kernel = words[name].is_name().then_some(words[name].text)?;
    let mut first = name;
    while first >= 2 && words[first - 1].text == "::" && words[first - 2].is_name() {
        first -= 2;
    }
    Some((first, kernel, template))
}

/// A launch by a call such as `hipLaunchKernelGGL(kernel, groups, group, shared, stream, arguments)`.
fn called<'p, 'a>(
    resolver: &Resolver<'p, 'a>,
    function: &'p Function<'a>,
    at: usize,
    name: &str,
    [kernel, groups, group]: [usize; 3],
) -> Option<Launch<'p, 'a>> {
    let body = &function.body;
    let parts = value::parts(inside_group(body, at + 1));
    let (kernel, template) = kernel_in(parts.get(kernel)?)?;
    let scope = Scope::new(function, body[at].at);
    let is_by_structure = name.contains("KernelEx");
    let is_by_array = !is_by_structure && name != "hipLaunchKernelGGL";
    let values = |from: usize| parts.iter().skip(from).map(|part| Passed::Value(value::value(part))).collect();
    let launch = |extent, group, shared, arguments| Launch {
        kernel,
        template,
        function,
        at: scope.at,
        shown: shown(resolver, function, at..behind_group(body, at + 1)),
        extent,
        group,
        shared,
        arguments,
        guards: guards(body, at),
    };
    if is_by_structure {
        let of = match value::value(parts[0]) {
            Value::Address(of) => of,
            other => Box::new(other),
        };
        let of_member = |member: &'static str| resolver.sizes_of_member(&of, member, scope);
        let extent = of_member("gridDim").map_or_else(|| Extent::Unknown("gridDim".to_owned()), Extent::Groups);
        let shared = resolver.term(&Value::Member(of.clone(), "dynamicSmemBytes"), scope).filter(is_some_bytes);
        return Some(launch(extent, of_member("blockDim"), shared, values(2)));
    }
    let shared_at = if is_by_array { 4 } else { 3 };
    let shared = parts.get(shared_at).and_then(|shared| resolver.term(&value::value(shared), scope));
    let arguments = if is_by_array { of_array(function, parts.get(3)?, scope.at) } else { values(5) };
    let groups = extent(resolver, parts.get(groups)?, scope);
    let group = resolver.sizes(&value::value(parts.get(group)?), scope);
    Some(launch(groups, group, shared.filter(is_some_bytes), arguments))
}

/// The kernel that an argument names: `k`, `(void*)k<16>`, `HIP_KERNEL_NAME(k<16>)`.
fn kernel_in<'a>(words: &[Word<'a>]) -> Option<(&'a str, Vec<Vec<Word<'a>>>)> {
    let mut words = words;
    loop {
        match words {
            [open, .., close] if open.text == "(" && close.text == ")" => {
                let end = behind_group(words, 0);
                words = if end == words.len() { &words[1..end - 1] } else { &words[end..] };
            }
            [open, ..] if open.text == "(" => words = &words[behind_group(words, 0)..],
            [and, rest @ ..] if and.text == "&" => words = rest,
            [name, open, inside @ .., _] if open.text == "(" && name.text == "HIP_KERNEL_NAME" => words = inside,
            [cast, open, ..] if open.text == "<" && cast.text.ends_with("_cast") => {
                let end = behind_template(words, 1)?;
                words = words.get(end..)?;
            }
            _ => break,
        }
    }
    let (_, kernel, template) = kernel_before(words, words.len())?;
    Some((kernel, template))
}

/// The arguments in an array of their addresses: `void* args[] = { &a, &n };`
fn of_array<'a>(function: &Function<'a>, words: &[Word<'a>], at: At) -> Vec<Passed<'a>> {
    let Some(name) = words.iter().rev().find(|word| word.is_name()) else { return Vec::new() };
    let defined = function.variables.iter().rfind(|one| one.name == name.text && one.at < at.byte);
    let Some(Value::List(values)) = defined.and_then(|one| one.value.clone()) else { return Vec::new() };
    let inside = |value| if let Value::Address(of) = value { *of } else { value };
    values.into_iter().map(|value| Passed::Value(inside(value))).collect()
}

/// The text of some words of a function on one line, shortened.
fn shown(resolver: &Resolver<'_, '_>, function: &Function<'_>, words: Range<usize>) -> String {
    let words = &function.body[words];
    let line = if words.windows(2).all(|two| two[0].end() <= two[1].at) {
        let bytes = words.first().map_or(0, |word| word.at)..words.last().map_or(0, Word::end);
        resolver.program.files[function.file].text[bytes].split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        of_macro(words)
    };
    match line.char_indices().nth(160) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// The text of words that a macro stands for.
fn of_macro(words: &[Word<'_>]) -> String {
    let mut line = String::new();
    for word in words {
        let is_spaced = match word.text {
            "+" | "-" | "*" | "/" | "%" | "?" => true,
            _ if word.is_name() => line.ends_with(|c: char| c.is_alphanumeric() || c == '_'),
            _ => false,
        };
        line.push_str(if is_spaced && !line.ends_with([' ', '(']) { " " } else { "" });
        line.push_str(word.text);
        line.push_str(if is_spaced && !word.is_name() || word.text == "," { " " } else { "" });
    }
    line
}
