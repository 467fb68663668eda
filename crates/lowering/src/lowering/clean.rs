//! Bodies of counts only, whose errors follow from few values: configurations that have these in common with one without an
//! error need no program.
//!
//! A *question* is a part of a statement whose errors follow from the values of some slots, from the group's shape, or from the
//! groups that run together. Where a configuration was lowered without an error, the answers to its questions are known. If all
//! of another configuration's are, it has no error either, but for the size of its program, which [`CleanBody`] bounds.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use smallvec::SmallVec;

use super::launch::Launched;
use crate::spec::{Access, Banks, Expression, LocalAccess, Pattern, Slot, Spec, Statement};
use autotune_machine::machine::{Program, TICK_LIMIT};

/// The most answers that are kept.
const MOST: usize = 1 << 20;
/// A statement may take this many times as long in another launch: the multiprocessors that share DRAM are fewer, and so are the
/// warps that share an access.
const LONGER: u128 = 1 << 10;

/// The number of a question, and the values that its answer follows from.
type Key = SmallVec<[i64; 16]>;

/// A part of a statement whose errors follow from the same values.
#[derive(Debug, Clone, Default, PartialEq)]
struct Question {
    slots: Vec<Slot>,
    /// True if they follow from the group's shape, too.
    of_group: bool,
    /// True if they follow from the number of groups that run together, too.
    of_concurrent: bool,
    /// True if they follow from what spills, too.
    of_spilled: bool,
}

/// What is known of the configurations of one spec on one GPU. Threads may share it.
#[derive(Debug)]
pub(super) struct CleanBody {
    questions: Vec<Question>,
    known: RwLock<HashSet<Key>>,
    /// The longest way of a warp through a body that was lowered, in ticks.
    longest: AtomicU64,
    /// The number of configurations that others answered for.
    #[cfg(test)]
    answered: AtomicU64,
}

/// The answers of the configuration before, which the next one mostly shares. Each thread has its own.
#[derive(Debug, Default)]
pub struct Neighbour(Vec<Key>);

impl CleanBody {
    /// The questions of a spec; `None` if it has more than counts.
    pub(super) fn new(spec: &Spec) -> Option<Self> {
        let has_only_counts = spec.kernel_source.is_none() && Statement::all(&spec.body).all(is_of_counts);
        if !has_only_counts {
            return None;
        }
        let mut walk = Walk { spec, around: Vec::new(), questions: Vec::new() };
        walk.body(&spec.body);
        walk.ask(spec.resources.spill_uses.iter(), &Question { of_spilled: true, ..Question::default() });
        let all = walk.questions;
        // Another question's answer may say this one's.
        let is_needed = |(place, one): (usize, &Question)| {
            let others = all.iter().enumerate().filter(|(other, _)| *other != place);
            !others.into_iter().any(|(other, more)| one.is_within(more) && (other < place || !more.is_within(one)))
        };
        let questions = all.iter().enumerate().filter(|one| is_needed(*one)).map(|(_, one)| one.clone()).collect();
        Some(Self {
            questions,
            known: RwLock::default(),
            longest: AtomicU64::new(0),
            #[cfg(test)]
            answered: AtomicU64::new(0),
        })
    }

    /// True if a configuration has no error, as others say that have its values. `head` is its program without a body.
    pub(super) fn is_clean(&self, launched: &Launched, head: &Program, before: &mut Neighbour) -> bool {
        if !launched.scope.rounded.is_empty() || !self.is_short(head) {
            return false;
        }
        before.0.resize_with(self.questions.len(), Key::new);
        let is_clean = self.questions.iter().enumerate().all(|(number, question)| {
            let key = question.key(number, launched);
            if before.0[number] == key {
                return true;
            }
            // A poisoned lock still guards whole entries: nothing here panics between two writes.
            let is_known = self.known.read().unwrap_or_else(PoisonError::into_inner).contains(&key);
            if is_known {
                before.0[number] = key;
            }
            is_known
        });
        #[cfg(test)]
        self.answered.fetch_add(u64::from(is_clean), Ordering::Relaxed);
        is_clean
    }

    /// The number of configurations that others answered for.
    #[cfg(test)]
    pub(super) fn answered(&self) -> u64 {
        self.answered.load(Ordering::Relaxed)
    }

    /// Takes note of a configuration that was lowered without an error.
    pub(super) fn note(&self, launched: &Launched, program: &Program) {
        if !launched.scope.rounded.is_empty() {
            return;
        }
        let latencies = u64::try_from(program.latencies()).unwrap_or(u64::MAX);
        self.longest.fetch_max(latencies, Ordering::Relaxed);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() < MOST {
            known.extend(self.questions.iter().enumerate().map(|(number, question)| question.key(number, launched)));
        }
    }

    /// True if no body whose statements were all lowered before takes so long in this launch that it is refused.
    fn is_short(&self, head: &Program) -> bool {
        let (full, rest) = head.waves();
        let waves = u128::from(head.passes) * (u128::from(full) + u128::from(rest > 0));
        let longest = u128::from(self.longest.load(Ordering::Relaxed)) * LONGER;
        let all = longest.saturating_mul(self.questions.len() as u128).saturating_mul(waves);
        all.saturating_add(head.launch.into()) < TICK_LIMIT && head.check_lowered().is_ok()
    }
}

impl Question {
    fn key(&self, number: usize, launched: &Launched) -> Key {
        let mut key = Key::new();
        key.push(i64::try_from(number).unwrap_or(i64::MAX));
        key.extend(self.slots.iter().map(|slot| launched.scope.values[*slot]));
        if self.of_group {
            // Different numbers of 64 bits are different with a sign, too.
            key.extend(launched.geometry.dims.map(u64::cast_signed));
        }
        if self.of_concurrent {
            key.push(launched.concurrent.cast_signed());
        }
        if self.of_spilled {
            key.push(launched.registers.spilled.cast_signed());
        }
        key
    }

    /// True if another question's answer says this one's, too.
    fn is_within(&self, other: &Self) -> bool {
        self.slots.iter().all(|slot| other.slots.contains(slot))
            && self.of_group <= other.of_group
            && self.of_concurrent <= other.of_concurrent
            && self.of_spilled <= other.of_spilled
    }
}

/// True for a statement whose errors follow from counts: it has no subscripts, and starts nothing that others wait for.
fn is_of_counts(statement: &Statement) -> bool {
    !statement.keeps_order()
        && match statement {
            Statement::Load(access) | Statement::Store(access) => !matches!(access.pattern, Pattern::Index(_)),
            Statement::Local(access) => {
                !matches!(&access.banks, Banks::Pattern(one) if matches!(**one, Pattern::Index(_)))
            }
            Statement::Compute(_) | Statement::Branch(_) | Statement::Loop(_) => true,
            // A barrier of all groups asks how many of them run at the same time.
            Statement::Barrier(barrier) => !barrier.is_of_grid,
            Statement::Copy(_) | Statement::Wait(_) | Statement::Matrix(_) => false,
        }
}

/// The walk over a body for its questions.
struct Walk<'a> {
    spec: &'a Spec,
    /// The slots of the loops and branches around a statement, which say whether it is executed.
    around: Vec<Slot>,
    questions: Vec<Question>,
}

impl Walk<'_> {
    fn body(&mut self, body: &[Statement]) {
        for statement in body {
            match statement {
                Statement::Load(access) | Statement::Store(access) => self.access(access),
                Statement::Local(access) => self.local(access),
                Statement::Compute(compute) => {
                    let asked = [&compute.per_item, &compute.constants].into_iter();
                    let of_group = compute.items.is_some();
                    let question = Question { of_group, ..Question::default() };
                    self.ask(asked.chain(&compute.chain).chain(&compute.items), &question);
                }
                Statement::Loop(repeated) => self.within(&repeated.count, &[&repeated.body]),
                Statement::Branch(branch) => self.within(&branch.divergent, &[&branch.then, &branch.otherwise]),
                Statement::Barrier(_) => self.ask([], &Question::default()),
                Statement::Copy(_) | Statement::Wait(_) | Statement::Matrix(_) => {}
            }
        }
    }

    /// The questions of statements that an expression leads to.
    fn within(&mut self, leading: &Expression, bodies: &[&[Statement]]) {
        let outside = self.around.len();
        self.around.extend(leading.slots());
        self.ask([], &Question::default());
        for body in bodies {
            self.body(body);
        }
        self.around.truncate(outside);
    }

    fn access(&mut self, access: &Access) {
        // No field is left out by `..`, so that a new one is thought of.
        let Access {
            place: _,
            array: _,
            var: _,
            queue: _,
            per_item,
            bytes,
            vector,
            pattern,
            items,
            guarded,
            ordered,
            atomic,
            in_flight,
            round_trips,
            footprint,
        } = access;
        let asked = [per_item, bytes, vector, guarded, atomic].into_iter().chain(items).chain(&footprint.group);
        let asked = asked.chain(&footprint.together).chain(&footprint.sectors).chain(&footprint.lines);
        let asked =
            asked.chain(footprint.rows.iter().flat_map(|rows| [&rows.bytes, &rows.pitch])).chain(steps(pattern));
        let of_concurrent = footprint.together.is_some();
        self.ask(asked, &Question { of_group: true, of_concurrent, ..Question::default() });
        let waited = [per_item, ordered, in_flight].into_iter().chain(items).chain(round_trips);
        self.ask(waited, &Question::default());
    }

    fn local(&mut self, access: &LocalAccess) {
        let LocalAccess { place: _, var: _, array: _, queue: _, per_item, bytes, vector, guarded, items, banks } =
            access;
        let asked = [per_item, bytes, vector, guarded].into_iter().chain(items);
        let question = Question { of_group: true, ..Question::default() };
        match banks {
            Banks::Pattern(pattern) => self.ask(asked.chain(steps(pattern)), &question),
            Banks::Conflict(ways) => self.ask(asked.chain([ways]), &question),
        }
    }

    /// Adds a question about some expressions.
    fn ask<'a>(&mut self, asked: impl IntoIterator<Item = &'a Expression>, question: &Question) {
        let slots = asked.into_iter().flat_map(Expression::slots).chain(self.around.iter().copied());
        let mut slots: Vec<Slot> = slots.filter(|slot| self.spec.slot_varies(*slot)).collect();
        slots.sort_unstable();
        slots.dedup();
        self.questions.push(Question { slots, ..question.clone() });
    }
}

/// The strides of a pattern.
fn steps(pattern: &Pattern) -> Vec<&Expression> {
    match pattern {
        Pattern::Lanes(stride) => vec![stride],
        Pattern::Axes(strides) => strides.iter().collect(),
        Pattern::Index(_) => Vec::new(),
    }
}
