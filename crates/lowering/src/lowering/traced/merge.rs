//! The accesses that a GPU makes of those in the source: compilers join neighbours, split what is too wide, and load an
//! address once.

use std::collections::HashMap;

use super::alias::{Memory, Target};
use autotune_base::limits::watch::{Phase, look};
use autotune_kernel::source::{
    AccessKind, Asynchronous, BlockJoins, BlockRun, Joined, Lanes, Mask, Reached, Shape, SourceAccess, SourceMemory,
    TracedKernel,
};

/// What a work item has loaded since the last barrier or loop: a load from there again is not made.
#[derive(Debug, Default)]
pub(super) struct Known<'a>(HashMap<u32, Vec<Loaded<'a>>>);

/// A load and the work items that have made it.
#[derive(Debug)]
struct Loaded<'a> {
    target: Target,
    reached: Reached,
    items: &'a Mask,
}

impl Known<'_> {
    /// Ends a stretch.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }

    /// True if the same work items have loaded the same before.
    fn has(&self, reached: &Reached, items: &Mask) -> bool {
        let is_same = |known: &Loaded| {
            known.reached.covers(reached) && (std::ptr::eq(known.items, items) || items.is_subset(known.items))
        };
        self.0.get(&reached.sum).is_some_and(|loads| loads.iter().any(is_same))
    }

    /// Forgets what a store may change.
    fn store(&mut self, memory: Memory<'_>, store: &Target) {
        self.0.retain(|_, loads| {
            look(Phase::Merging);
            loads.retain(|known| !memory.may_change(store, &known.target));
            !loads.is_empty()
        });
    }
}

/// The accesses and barriers of an execution of a block, equal loads once: as the source has them, or with neighbours
/// joined as compilers join them.
pub(in crate::lowering) fn accesses(traced: &TracedKernel, run: &BlockRun, joined: bool) -> Vec<SourceAccess> {
    merged(traced, run, &mut Known::default(), joined)
}

/// The accesses and barriers of an execution of a block, in order.
///
/// Equal loads with no store or fence between them that may change what they load are one, those of earlier blocks of the
/// stretch too. If `joins`, accesses are joined and split as the back end of the compiler does.
pub(super) fn merged<'a>(
    traced: &TracedKernel,
    run: &'a BlockRun,
    known: &mut Known<'a>,
    joins: bool,
) -> Vec<SourceAccess> {
    let plan = traced.kernel.joins.block(run.block);
    let mut merging = Merging { traced, run, plan, known, joins, of_instruction: HashMap::new(), fences: 0 };
    if joins && !plan.joined.is_empty() {
        merging.count();
    }
    merging.all()
}

/// An execution of a block whose accesses are merged.
struct Merging<'t, 'a, 'k> {
    traced: &'t TracedKernel,
    run: &'a BlockRun,
    plan: &'t BlockJoins,
    known: &'k mut Known<'a>,
    joins: bool,
    /// The access of an instruction; `None` if it makes several.
    of_instruction: HashMap<usize, Option<&'a SourceAccess>>,
    /// The fences that have been passed.
    fences: usize,
}

impl<'t, 'a> Merging<'t, 'a, '_> {
    fn count(&mut self) {
        for access in &self.run.accesses {
            let one = self.of_instruction.entry(access.instruction).or_insert(Some(access));
            *one = one.filter(|first| std::ptr::eq(*first, access));
        }
    }

    fn all(&mut self) -> Vec<SourceAccess> {
        let mut done = Vec::with_capacity(self.run.accesses.len());
        for access in &self.run.accesses {
            look(Phase::Merging);
            self.pass(access.instruction);
            match access.kind {
                AccessKind::Barrier | AccessKind::GridBarrier | AccessKind::Atomic => {
                    self.known.forget();
                    done.push(access.clone());
                }
                kind if kind.keeps_order() => {
                    // What has been copied is loaded anew.
                    if matches!(kind, AccessKind::Wait(Asynchronous::Copies, _)) {
                        self.known.forget();
                    }
                    done.push(access.clone());
                }
                AccessKind::Load | AccessKind::Store => self.access(access, &mut done),
                _ => done.push(access.clone()),
            }
        }
        self.pass(usize::MAX);
        done
    }

    /// Passes the fences before an instruction.
    fn pass(&mut self, position: usize) {
        let fences = self.plan.fences[self.fences..].iter().take_while(|fence| **fence < position).count();
        if fences > 0 {
            self.fences += fences;
            self.known.forget();
        }
    }

    /// A load or a store, unless it is known or part of another one.
    fn access(&mut self, access: &'a SourceAccess, done: &mut Vec<SourceAccess>) {
        let reached = self.plan.reached(access.instruction).filter(|_| access.items.is_none());
        if access.kind == AccessKind::Store {
            self.known.store(Memory::of(self.traced), &Target::new(access, reached));
        }
        if let Some((joined, members)) = self.joined(access) {
            if joined.stands_at == access.instruction && !self.is_known(&members) {
                done.push(self.one(joined, &members));
            }
            return;
        }
        if self.is_known(&[access]) {
            return;
        }
        let may_split = self.joins && is_shared(access);
        match self.plan.widest(access.instruction).filter(|widest| may_split && *widest < access.bytes) {
            Some(widest) => done.extend(pieces(access, widest, &self.traced.shape)),
            None => done.push(access.clone()),
        }
    }

    /// The accesses that one is joined with; `None` if it stays by itself.
    fn joined(&self, access: &SourceAccess) -> Option<(&'t Joined, Vec<&'a SourceAccess>)> {
        let is_joinable = |access: &SourceAccess| access.items.is_none() && is_shared(access);
        let joined = self.plan.joined_with(access.instruction).filter(|_| self.joins)?;
        let members = joined.members.iter().map(|position| self.of_instruction.get(position).copied().flatten());
        let members: Vec<_> = members.collect::<Option<_>>()?;
        members.iter().all(|member| is_joinable(member) && member.memory == access.memory).then_some((joined, members))
    }

    /// True if the same work items have made these loads before; else notes them.
    fn is_known(&mut self, loads: &[&'a SourceAccess]) -> bool {
        let items = &*self.run.items;
        let of = |load: &&'a SourceAccess| {
            let is_load = load.kind == AccessKind::Load && load.items.is_none();
            Some((*load, *self.plan.reached(load.instruction).filter(|_| is_load)?))
        };
        let reached: Vec<_> = loads.iter().filter_map(of).collect();
        if !reached.is_empty()
            && reached.len() == loads.len()
            && reached.iter().all(|(_, one)| self.known.has(one, items))
        {
            return true;
        }
        for (access, reached) in reached {
            self.known.0.entry(reached.sum).or_default().push(Loaded {
                target: Target::new(access, Some(&reached)),
                reached,
                items,
            });
        }
        false
    }

    /// The one access that some become.
    fn one(&self, joined: &Joined, members: &[&SourceAccess]) -> SourceAccess {
        let first = members[0];
        let before = joined.before.cast_signed();
        let all_known = members.iter().all(|member| member.address.is_some());
        let mut address = first.address.clone().filter(|_| all_known);
        if let Some(known) = &mut address {
            known.base = known.base.plus(&Lanes::Same(before), -1, &self.traced.shape);
        }
        SourceAccess {
            instruction: joined.stands_at,
            address,
            bytes: joined.bytes,
            // Words that no member wants are loaded, too.
            elements: joined.bytes * first.elements / first.bytes.max(1),
            level: members.iter().map(|member| member.level).max().unwrap_or(0),
            is_sure: members.iter().all(|member| member.is_sure),
            ..first.clone()
        }
    }
}

/// True for an access of memory that work items share.
fn is_shared(access: &SourceAccess) -> bool {
    matches!(access.memory, SourceMemory::Global | SourceMemory::Local)
}

/// The instructions of at most this many bytes that an access is split into.
fn pieces(access: &SourceAccess, widest: u64, shape: &Shape) -> impl Iterator<Item = SourceAccess> {
    let number = access.bytes.div_ceil(widest.max(1));
    (0..number).map(move |at| {
        let bytes = widest.min(access.bytes - at * widest);
        let mut piece = SourceAccess { bytes, elements: (access.elements / number).max(1), ..access.clone() };
        if let Some(known) = &mut piece.address {
            known.base = known.base.plus(&Lanes::Same((at * widest).cast_signed()), 1, shape);
        }
        piece
    })
}
