//! The truth about a kernel: each work item of each group is followed, statement by statement.

use std::collections::HashMap;

use super::language::{Ids, Launch, Numbered, Statement, Stored, WORDS};

/// The work items of a warp.
const WARP: usize = 32;

/// The errors of a launch.
#[derive(Debug, Default)]
pub(super) struct Truth {
    /// A group in which some work items miss a barrier, or two warps touch a word without a barrier between.
    pub(super) unsafe_group: Option<[i64; 2]>,
    /// True if two warps store to a word by one statement: a warning, but an error where the compiler has unrolled a loop.
    pub(super) may_be_unsafe: bool,
    /// Two groups that touch a word of global memory while one stores what the other does not.
    pub(super) between: Option<[[i64; 2]; 2]>,
}

/// An access of a work item.
#[derive(Debug, Clone, Copy)]
struct Access {
    item: usize,
    statement: usize,
    /// The value; `None` for a load.
    stored: Option<Stored>,
}

/// A word of local or of global memory.
type Word = (bool, i64);

/// A group under way.
#[derive(Default)]
struct Group {
    /// The accesses since the last barrier.
    touched: HashMap<Word, Vec<Access>>,
    is_unsafe: bool,
    may_be_unsafe: bool,
    /// All accesses to global memory, one of each statement and value for each word.
    global: HashMap<i64, Vec<Access>>,
}

pub(super) fn truth(kernel: &[Numbered], launch: Launch) -> Truth {
    let mut truth = Truth::default();
    let mut words: HashMap<i64, Vec<([i64; 2], Access)>> = HashMap::new();
    for gy in 0..launch.groups[1] {
        for gx in 0..launch.groups[0] {
            let mut items = Vec::new();
            for y in 0..launch.items[1] {
                items.extend((0..launch.items[0]).map(|x| Ids { local: [x, y], group: [gx, gy], turn: 0 }));
            }
            let items: Vec<(usize, Ids)> = items.into_iter().enumerate().collect();
            let mut group = Group::default();
            group.run(kernel, &items, items.len());
            truth.may_be_unsafe |= group.may_be_unsafe;
            if group.is_unsafe {
                truth.unsafe_group.get_or_insert([gx, gy]);
            }
            for (word, accesses) in group.global {
                words.entry(word).or_default().extend(accesses.into_iter().map(|access| ([gx, gy], access)));
            }
        }
    }
    for accesses in words.values() {
        for (at, (one, first)) in accesses.iter().enumerate() {
            let other = accesses[at + 1..].iter().find(|(other, second)| other != one && conflicts(first, second));
            if let Some((other, _)) = other {
                truth.between.get_or_insert([*one, *other]);
            }
        }
    }
    truth
}

/// True if one of two accesses stores, and not both the same.
fn conflicts(first: &Access, second: &Access) -> bool {
    match (first.stored, second.stored) {
        (None, None) => false,
        (Some(Stored::Constant(one)), Some(Stored::Constant(other))) => one != other,
        _ => true,
    }
}

impl Group {
    /// Executes statements by some work items of a group of `all`.
    fn run(&mut self, statements: &[Numbered], items: &[(usize, Ids)], all: usize) {
        for Numbered(number, statement) in statements {
            if items.is_empty() || self.is_unsafe {
                return;
            }
            match statement {
                Statement::Barrier if items.len() < all => self.is_unsafe = true,
                Statement::Barrier => self.touched.clear(),
                Statement::LoadLocal(at) => self.touch(items, *number, None, |ids| (false, at.at(ids) & (WORDS - 1))),
                Statement::StoreLocal(at) => {
                    self.touch(items, *number, Some(Stored::Own), |ids| (false, at.at(ids) & (WORDS - 1)));
                }
                Statement::LoadGlobal(at) => self.touch(items, *number, None, |ids| (true, at.at(ids))),
                Statement::StoreGlobal(at, stored) => {
                    self.touch(items, *number, Some(*stored), |ids| (true, at.at(ids)));
                }
                Statement::If(condition, inner) => {
                    let some: Vec<(usize, Ids)> =
                        items.iter().filter(|(_, ids)| condition.holds(ids)).copied().collect();
                    self.run(inner, &some, all);
                }
                Statement::Loop(times, inner) => {
                    for turn in 0..*times {
                        let some: Vec<(usize, Ids)> =
                            items.iter().map(|(item, ids)| (*item, Ids { turn, ..*ids })).collect();
                        self.run(inner, &some, all);
                    }
                }
            }
        }
    }

    fn touch(&mut self, items: &[(usize, Ids)], statement: usize, stored: Option<Stored>, word: impl Fn(&Ids) -> Word) {
        for (item, ids) in items {
            let (is_global, at) = word(ids);
            let access = Access { item: *item, statement, stored };
            let known = self.touched.entry((is_global, at)).or_default();
            for other in known.iter().filter(|other| other.item / WARP != item / WARP && conflicts(&access, other)) {
                let are_one = other.statement == statement && stored.is_some();
                self.may_be_unsafe |= are_one;
                self.is_unsafe |= !are_one;
            }
            known.push(access);
            if is_global {
                let all = self.global.entry(at).or_default();
                if !all.iter().any(|other| (other.statement, other.stored) == (statement, stored)) {
                    all.push(access);
                }
            }
        }
    }
}
