//! The accesses that a group executes, counted.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use autotune::limits::Limits;
use autotune::source::{
    AccessKind, Argument, Assumptions, Asynchronous, Clang, Compiler, Executed, KernelSource, Macros, Maker,
    SourceAccess, SourceKernel, SourceLaunch, SourceMemory, Step, Target,
};

pub(crate) const GLOBAL: SourceMemory = SourceMemory::Global;
pub(crate) const LOCAL: SourceMemory = SourceMemory::Local;

/// The end of a group of copies.
pub(crate) const END: AccessKind = AccessKind::Commit(Asynchronous::Copies);

/// A wait for all groups of copies but the last ones.
pub(crate) fn waits(pending: u32) -> AccessKind {
    AccessKind::Wait(Asynchronous::Copies, pending)
}

/// The execution of a kernel by a group of so many work items, some integer arguments given by their positions.
pub(crate) fn executed(text: &str, name: &str, [items, warp_size]: [u32; 2], arguments: &[(usize, i64)]) -> Executed {
    let maker = if warp_size == 32 { Maker::Nvidia } else { Maker::Other };
    let kernel = Arc::new(SourceKernel::read(text, Some(name), maker).unwrap());
    let arguments = arguments.iter().map(|(position, value)| (*position, Argument::Integer(*value))).collect();
    let launch =
        SourceLaunch { sizes: [items, 1, 1], groups: [64, 64, 1], warp_size, arguments, ..SourceLaunch::default() };
    let executed = kernel.execute(&launch, &Assumptions::default(), &Limits::default());
    executed.unwrap_or_else(|why| panic!("{name}: {why}"))
}

/// The accesses in order, each with the work items that take part and its executions.
pub(crate) fn accesses(executed: &Executed) -> Vec<(SourceAccess, usize, u64)> {
    let mut all = Vec::new();
    for (step, times) in Step::all(&executed.trace) {
        let Step::Block(run) = step else { continue };
        let items = |access: &SourceAccess| access.items.as_ref().unwrap_or(&run.items).count_ones(..);
        all.extend(run.accesses.iter().map(|access| (access.clone(), items(access), times)));
    }
    all
}

/// The executions of accesses by kind, memory, and bytes of a work item.
pub(crate) fn counts(executed: &Executed) -> BTreeMap<(AccessKind, SourceMemory, u64), u64> {
    let mut counts = BTreeMap::new();
    for (access, _, times) in accesses(executed) {
        *counts.entry((access.kind, access.memory, access.bytes)).or_default() += times;
    }
    counts
}

/// The output of a clang for a kernel of an example.
pub(crate) fn example(clang: Clang, file: &str, kernel: &str, target: Target) -> String {
    let mut source = KernelSource::of_file(&PathBuf::from("examples/kernels").join(file)).unwrap();
    source.kernel = Some(kernel.to_owned());
    let compiler = Compiler::new(clang, source, target, None, Limits::default()).unwrap();
    compiler.compile(&Macros::default()).unwrap_or_else(|why| panic!("{why}")).text
}
