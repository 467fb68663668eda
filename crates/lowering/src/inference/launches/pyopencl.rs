//! Launches by `pyopencl`: `program.kernel(queue, (n, m), (16, 16), a, numpy.int32(n))`.

use super::super::resolve::{Resolver, Scope, Sizes};
use super::super::value::{self, Value};
use super::{Extent, Launch, Passed, shown};
use autotune_kernel::source::{Word, behind_group, inside_group};

/// The launches in hosts in Python, in the order of the files.
pub(in crate::inference) fn pyopencl<'p, 'a>(resolver: &Resolver<'p, 'a>) -> Vec<Launch<'p, 'a>> {
    let kernels: Vec<&str> =
        resolver.program.functions.iter().filter(|one| one.is_kernel).map(|one| one.name).collect();
    let mut found = Vec::new();
    for function in resolver.program.functions.iter().filter(|one| one.name == super::super::python::MODULE) {
        let body = &function.body;
        for at in 1..body.len().saturating_sub(1) {
            if body[at - 1].text != "." || body[at + 1].text != "(" || !kernels.contains(&body[at].text) {
                continue;
            }
            let parts = value::parts(inside_group(body, at + 1));
            let [_, global, local, arguments @ ..] = parts.as_slice() else { continue };
            let scope = Scope::new(function, body[at].at);
            let sizes = |words: &[Word<'a>]| tuple(resolver, words, scope);
            let extent = sizes(global).map_or_else(|| Extent::unknown(global), Extent::WorkItems);
            found.push(Launch {
                kernel: body[at].text,
                template: Vec::new(),
                function,
                at: scope.at,
                shown: shown(resolver, function, at..behind_group(body, at + 1)),
                extent,
                group: sizes(local),
                shared: None,
                arguments: arguments.iter().map(|words| passed(resolver, words, scope)).collect(),
                guards: Vec::new(),
            });
        }
    }
    found
}

/// The sizes in a tuple, or in a variable that is one; `None` for `None`.
fn tuple<'p, 'a>(resolver: &Resolver<'p, 'a>, words: &[Word<'a>], scope: Scope<'p, 'a>) -> Option<Sizes> {
    match words {
        [open, inside @ .., close] if open.text == "(" && close.text == ")" => {
            let values: Vec<Value<'a>> =
                value::parts(inside).into_iter().filter(|part| !part.is_empty()).map(value::value).collect();
            resolver.three(&values, scope)
        }
        [name] if name.is_name() => {
            let defined =
                scope.function?.variables.iter().rfind(|one| one.name == name.text && one.at < scope.at.byte)?;
            match defined.value.as_ref()? {
                Value::List(values) => resolver.three(values, scope),
                _ => None,
            }
        }
        _ => None,
    }
}

/// An argument; `LocalMemory(bytes)` is local memory.
fn passed<'p, 'a>(resolver: &Resolver<'p, 'a>, words: &[Word<'a>], scope: Scope<'p, 'a>) -> Passed<'a> {
    match value::value(words) {
        Value::Method(_, "LocalMemory", arguments) | Value::Call { name: "LocalMemory", arguments, .. } => {
            Passed::Local(arguments.first().and_then(|bytes| resolver.term(bytes, scope)))
        }
        other => Passed::Value(other),
    }
}
