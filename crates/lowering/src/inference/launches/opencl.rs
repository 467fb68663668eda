//! Launches by OpenCL's interface in C and C++.

use std::collections::HashMap;

use super::super::function::{At, Function};
use super::super::resolve::{Resolver, Scope, Sizes};
use super::super::term::Term;
use super::super::value::{self, Value};
use super::{Extent, Launch, Passed, shown};
use autotune_kernel::source::{Word, behind_group, inside_group};

/// The launches by `clEnqueueNDRangeKernel` and `enqueueNDRangeKernel`, in the order of the files.
pub(in crate::inference) fn opencl<'p, 'a>(resolver: &Resolver<'p, 'a>) -> Vec<Launch<'p, 'a>> {
    let kernels = kernels(resolver);
    let mut found = Vec::new();
    for function in &resolver.program.functions {
        for (at, word) in function.body.iter().enumerate() {
            let is_call = function.body.get(at + 1).is_some_and(|next| next.text == "(");
            let call = Call { resolver, function, at, scope: Scope::new(function, word.at) };
            match word.text {
                "clEnqueueNDRangeKernel" if is_call => found.extend(call.by_c(&kernels)),
                "enqueueNDRangeKernel" if is_call => found.extend(call.by_cpp(&kernels)),
                _ => {}
            }
        }
    }
    found
}

/// The words of the arguments of the call at a position.
fn arguments<'w, 'a>(body: &'w [Word<'a>], at: usize) -> Vec<&'w [Word<'a>]> {
    value::parts(inside_group(body, at + 1))
}

/// The last name in words.
fn last_name<'a>(words: &[Word<'a>]) -> Option<&'a str> {
    let end = words.iter().position(|word| word.text == "[").unwrap_or(words.len());
    words[..end].iter().rev().find(|word| word.is_name()).map(|word| word.text)
}

/// The kernels' names by the variables that hold them, each with the place where the variable gets it.
type Kernels<'a> = HashMap<&'a str, Vec<(&'a str, At)>>;

/// The kernels that variables of all functions hold.
fn kernels<'a>(resolver: &Resolver<'_, 'a>) -> Kernels<'a> {
    let mut found = Kernels::new();
    for function in &resolver.program.functions {
        for (at, word) in function.body.iter().enumerate() {
            let body = &function.body;
            let is_c = word.text == "clCreateKernel";
            let is_cpp = word.text == "Kernel" && at >= 1 && body[at - 1].text == "::";
            if !is_c && !is_cpp {
                continue;
            }
            // `cl::Kernel k(program, "name")`, or `k = clCreateKernel(program, "name", &error)`
            let is_made = is_cpp && body.get(at + 1).is_some_and(Word::is_name);
            let open = at + usize::from(is_made);
            if body.get(open + 1).is_none_or(|next| next.text != "(") {
                continue;
            }
            let named = arguments(body, open).get(1).and_then(|words| name_of_kernel(resolver, function, words));
            let Some(name) = named else { continue };
            let variable = if is_made { Some(body[open].text) } else { before_equals(&body[..at]) };
            if let Some(variable) = variable {
                found.entry(variable).or_default().push((name, Scope::new(function, word.at).at));
            }
        }
    }
    found
}

/// The text in quotes, or that of a macro or a constant.
fn name_of_kernel<'a>(resolver: &Resolver<'_, 'a>, function: &Function<'a>, words: &[Word<'a>]) -> Option<&'a str> {
    match value::value(words) {
        Value::Text(name) => Some(name),
        Value::Name(name, _) | Value::OfClass(_, name, _) => {
            let of_function = function.variables.iter().rfind(|one| one.name == name).and_then(|one| one.value.clone());
            let of_file = || resolver.program.globals.get(name).and_then(|(_, one)| one.value.clone());
            let of_macro = || resolver.program.macros.get(name).map(|known| value::value(&known.text));
            match of_function.or_else(of_file).or_else(of_macro) {
                Some(Value::Text(name)) => Some(name),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The variable that an assignment at the end of words is to.
fn before_equals<'a>(words: &[Word<'a>]) -> Option<&'a str> {
    let equals = words.iter().rposition(|word| matches!(word.text, "=" | ";" | "{" | "}"))?;
    if words[equals].text != "=" {
        return None;
    }
    let begin = words[..equals].iter().rposition(|word| matches!(word.text, ";" | "{" | "}")).map_or(0, |at| at + 1);
    last_name(&words[begin..equals])
}

/// The name that all names are; `None` if they differ, or there is none.
fn only<'a>(mut all: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// The kernel of a variable: the last that its function gives it, else the only one that it holds anywhere.
fn kernel_of<'a>(variable: &str, kernels: &Kernels<'a>, function: &Function<'_>, launch: At) -> Option<&'a str> {
    // A variable of another name where it is launched holds the one kernel that there is.
    let Some(held) = kernels.get(variable) else {
        return only(kernels.values().flatten().map(|(name, _)| *name));
    };
    let is_own =
        |(_, at): &&(&str, At)| at.file == launch.file && at.byte < launch.byte && function.bytes.contains(&at.byte);
    let own = held.iter().rfind(is_own).map(|(name, _)| *name);
    own.or_else(|| only(held.iter().map(|(name, _)| *name)))
}

/// A call that launches a kernel: its arguments, and the variable of the kernel.
struct Call<'p, 'q, 'a> {
    resolver: &'q Resolver<'p, 'a>,
    function: &'p Function<'a>,
    /// The position of the called name.
    at: usize,
    scope: Scope<'p, 'a>,
}

impl<'p, 'a> Call<'p, '_, 'a> {
    /// The launch of the kernel that words name.
    fn launch(
        &self,
        kernel: &[Word<'a>],
        kernels: &Kernels<'a>,
        extent: Extent,
        group: Option<Sizes>,
    ) -> Option<Launch<'p, 'a>> {
        let Self { resolver, function, at, scope } = *self;
        let variable = last_name(kernel)?;
        Some(Launch {
            kernel: kernel_of(variable, kernels, function, scope.at)?,
            template: Vec::new(),
            function,
            at: scope.at,
            shown: shown(resolver, function, at..behind_group(&function.body, at + 1)),
            extent,
            group,
            shared: None,
            arguments: set_arguments(resolver, function, variable, scope.at),
            guards: Vec::new(),
        })
    }

    /// `clEnqueueNDRangeKernel(queue, kernel, 1, NULL, global, local, …)`
    fn by_c(&self, kernels: &Kernels<'a>) -> Option<Launch<'p, 'a>> {
        let parts = arguments(&self.function.body, self.at);
        let [_, kernel, dimensions, _, global, local, ..] = parts.as_slice() else { return None };
        let axes =
            self.resolver.term(&value::value(dimensions), self.scope).and_then(|term| term.number()).unwrap_or(3);
        let sizes = |words: &[Word<'a>]| array(self.resolver, words, axes, self.scope);
        let extent = sizes(global).map_or_else(|| Extent::unknown(global), Extent::WorkItems);
        self.launch(kernel, kernels, extent, sizes(local))
    }

    /// `queue.enqueueNDRangeKernel(kernel, offset, cl::NDRange(n), cl::NDRange(64))`
    fn by_cpp(&self, kernels: &Kernels<'a>) -> Option<Launch<'p, 'a>> {
        let parts = arguments(&self.function.body, self.at);
        let [kernel, _, global, rest @ ..] = parts.as_slice() else { return None };
        let extent = self.range(global).map_or_else(|| Extent::unknown(global), Extent::WorkItems);
        self.launch(kernel, kernels, extent, rest.first().and_then(|local| self.range(local)))
    }

    /// The sizes in an `NDRange`, or in a variable that is one.
    fn range(&self, words: &[Word<'a>]) -> Option<Sizes> {
        let Self { resolver, function, scope, .. } = *self;
        match value::value(words) {
            Value::Call { name: "NDRange", arguments, .. } => resolver.three(&arguments, scope),
            Value::Name(name, _) | Value::OfClass(_, name, _) => {
                let defined = function.variables.iter().rfind(|one| one.name == name && one.at < scope.at.byte)?;
                match &defined.value {
                    Some(Value::Call { name: "NDRange", arguments, .. }) => resolver.three(arguments, scope),
                    Some(_) => None,
                    None => resolver.three(&defined.made_of, scope).filter(|_| !defined.made_of.is_empty()),
                }
            }
            other => resolver.term(&other, scope).map(|term| [term, Term::Number(1), Term::Number(1)]),
        }
    }
}

/// The sizes in an array of the host; `None` for a pointer to nothing.
fn array<'p, 'a>(resolver: &Resolver<'p, 'a>, words: &[Word<'a>], axes: i64, scope: Scope<'p, 'a>) -> Option<Sizes> {
    let mut sizes = [Term::Number(1), Term::Number(1), Term::Number(1)];
    let value = value::value(words);
    match value {
        Value::Address(of) => sizes[0] = resolver.term(&of, scope)?,
        Value::Name("NULL" | "nullptr", _) | Value::Integer(0) => return None,
        Value::Name(name, at) => {
            let axes = usize::try_from(axes).ok().filter(|axes| (1..=3).contains(axes))?;
            for (axis, size) in sizes.iter_mut().enumerate().take(axes) {
                let number = Value::Integer(i64::try_from(axis).ok()?);
                let element = Value::Element(Box::new(Value::Name(name, at)), Box::new(number));
                match resolver.known_element(&element, scope) {
                    Some(term) => *size = term,
                    None if axis == 0 => return None,
                    None => break,
                }
            }
        }
        _ => return None,
    }
    Some(sizes)
}

/// The arguments that `clSetKernelArg` sets, of the kernel of a variable.
fn set_arguments<'p, 'a>(
    resolver: &Resolver<'p, 'a>,
    function: &'p Function<'a>,
    variable: &str,
    launch: At,
) -> Vec<Passed<'a>> {
    let mut found: Vec<Passed<'a>> = Vec::new();
    let mut counted = 0;
    for (at, word) in function.body.iter().enumerate() {
        if word.at > launch.byte || function.body.get(at + 1).is_none_or(|next| next.text != "(") {
            continue;
        }
        let parts = arguments(&function.body, at);
        let scope = Scope::new(function, word.at);
        let (number, passed) = match (word.text, parts.as_slice()) {
            ("clSetKernelArg", [kernel, number, bytes, of]) if last_name(kernel) == Some(variable) => {
                (number, passed(resolver, bytes, of, scope))
            }
            ("setArg", [number, of]) if at >= 2 && function.body[at - 2].text == variable => {
                (number, Passed::Value(value::value(of)))
            }
            _ => continue,
        };
        let number = resolver.term(&value::value(number), scope).and_then(|term| term.number());
        // `argument++` counts.
        let position = number.and_then(|number| usize::try_from(number).ok()).unwrap_or(counted);
        counted = position + 1;
        if position < 256 {
            found.resize(found.len().max(counted), Passed::Value(Value::Unknown));
            found[position] = passed;
        }
    }
    found
}

fn passed<'p, 'a>(
    resolver: &Resolver<'p, 'a>,
    bytes: &[Word<'a>],
    of: &[Word<'a>],
    scope: Scope<'p, 'a>,
) -> Passed<'a> {
    match value::value(of) {
        Value::Name("NULL" | "nullptr", _) | Value::Integer(0) => {
            Passed::Local(resolver.term(&value::value(bytes), scope))
        }
        Value::Address(of) => Passed::Value(*of),
        other => Passed::Value(other),
    }
}
