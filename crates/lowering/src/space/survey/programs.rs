//! The different programs of a survey, packed: a large space has millions.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use typed_index_collections::TiVec;

use autotune_base::index::{EntryId, ProgramId};
use autotune_machine::machine::{Program, ProgramError};

/// A program and the first configuration that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniqueProgram {
    /// The first entry with this program.
    pub entry: EntryId,
    /// The program.
    pub program: Program,
    /// The number of work items of a group.
    pub work_group: u64,
    /// The upper bound that makes the program's time too long to compute; `None` if the time can be computed.
    pub too_long: Option<ProgramError>,
}

/// Different programs, in the order of their first configuration.
#[derive(Debug, Default)]
pub struct Programs {
    /// The programs one after the other.
    bytes: Vec<u8>,
    places: TiVec<ProgramId, Place>,
    too_long: HashMap<ProgramId, ProgramError>,
}

/// The end of a program's bytes, and what belongs to the program.
#[derive(Debug)]
struct Place {
    end: usize,
    work_group: u64,
    entry: EntryId,
}

impl Programs {
    /// The number of programs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// True if there is no program.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// A program.
    ///
    /// # Panics
    /// If there is no such program.
    #[must_use]
    pub fn get(&self, program: ProgramId) -> UniqueProgram {
        let Place { work_group, entry, .. } = self.places[program];
        UniqueProgram {
            entry,
            work_group,
            program: postcard::from_bytes(self.packed(program)).expect("it was packed here"),
            too_long: self.too_long.get(&program).cloned(),
        }
    }

    /// The indices of all programs.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = ProgramId> + use<> {
        (0..self.len()).map(ProgramId::from)
    }

    /// All programs.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = UniqueProgram> {
        self.keys().map(|program| self.get(program))
    }

    /// True if the time of the program is too long to compute.
    #[must_use]
    pub fn is_too_long(&self, program: ProgramId) -> bool {
        self.too_long.contains_key(&program)
    }

    /// The number of programs whose time is too long to compute.
    #[must_use]
    pub fn too_long(&self) -> usize {
        self.too_long.len()
    }

    /// The first entry with a program.
    #[must_use]
    pub fn entry(&self, program: ProgramId) -> EntryId {
        self.places[program].entry
    }

    /// Adds a packed program without a look at the others.
    pub(super) fn push(&mut self, Packed(bytes): &Packed, of: FirstOf) -> ProgramId {
        self.bytes.extend(bytes);
        let FirstOf { entry, work_group, too_long } = of;
        let program = self.places.push_and_get_key(Place { end: self.bytes.len(), work_group, entry });
        self.too_long.extend(too_long.map(|why| (program, why)));
        program
    }

    /// The bytes of a program.
    pub(super) fn packed(&self, program: ProgramId) -> &[u8] {
        let begin = usize::from(program).checked_sub(1).map_or(0, |before| self.places[ProgramId::from(before)].end);
        &self.bytes[begin..self.places[program].end]
    }
}

/// Packs programs without a look at what they have in common.
impl FromIterator<UniqueProgram> for Programs {
    fn from_iter<I: IntoIterator<Item = UniqueProgram>>(all: I) -> Self {
        let mut programs = Self::default();
        for UniqueProgram { entry, program, work_group, too_long } in all {
            programs.push(&Packed::new(&program), FirstOf { entry, work_group, too_long });
        }
        programs
    }
}

/// The first configuration of a program.
pub(super) struct FirstOf {
    pub(super) entry: EntryId,
    pub(super) work_group: u64,
    pub(super) too_long: Option<ProgramError>,
}

/// A program as bytes; equal programs have equal bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Packed(Vec<u8>);

impl Packed {
    pub(super) fn new(program: &Program) -> Self {
        Self(postcard::to_allocvec(program).expect("a program has numbers and lists alone"))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The hash of a packed program.
pub(super) fn hash_of(packed: &[u8]) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(packed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_machine::machine::{Server, Statement};

    fn program(groups: u64) -> Program {
        let memory = Statement::Use { server: Server::Memory, occupancy: 300, latency: 1 << 40 };
        let body = vec![memory.clone(), Statement::Loop { count: groups, body: vec![Statement::barrier(4), memory] }];
        Program {
            multiprocessors: 16,
            dispatchers: 2,
            groups,
            resident_groups: 8,
            warps_per_group: 1,
            passes: 1,
            launch: 0,
            body,
        }
    }

    #[test]
    fn what_is_packed_comes_back() {
        let all = (1..=3).map(|groups| UniqueProgram {
            entry: EntryId::from(70_000 * usize::try_from(groups).unwrap()),
            program: program(groups),
            work_group: 32 * groups,
            too_long: (groups == 2).then_some(ProgramError::Zero("passes")),
        });
        let programs: Programs = all.clone().collect();
        assert!(programs.iter().eq(all));
        assert_eq!((programs.len(), programs.too_long()), (3, 1));
        assert!(programs.bytes.len() < 3 * 40, "{} bytes", programs.bytes.len());
    }
}
