//! The user's places of a kernel's instructions.

use std::collections::HashMap;
use std::sync::Arc;

use super::execute::operands;
use super::ir::{BlockId, Instruction, IrFunction, Kind, SourcePlace, ValueId};

/// A place in one of the user's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UserPlace {
    /// The position of the file in [`UserPlaces::files`].
    pub file: u16,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
}

/// The user's places of a kernel's instructions.
#[derive(Debug, Clone)]
pub struct UserPlaces {
    files: Vec<Arc<str>>,
    /// The place of each instruction of each block.
    places: Vec<Vec<Option<UserPlace>>>,
}

impl UserPlaces {
    /// The places of a kernel. An instruction that the compiler has made of several, and that has no place therefore,
    /// takes the place of the first instruction that uses its value. An access to memory that still has none takes the place
    /// where its value comes from or goes to.
    pub(super) fn new(kernel: &IrFunction) -> Self {
        let mut files = Vec::new();
        let own = |instruction: &Instruction| instruction.user_place().and_then(|place| numbered(&mut files, place));
        let mut own = own;
        let mut places: Vec<Vec<Option<UserPlace>>> =
            kernel.blocks.iter().map(|block| block.instructions.iter().map(&mut own).collect()).collect();
        // From the end, so that a chain of instructions without places ends in one that has a place.
        let mut uses: HashMap<ValueId, UserPlace> = HashMap::new();
        for (block, of_block) in kernel.blocks.iter().zip(&mut places).rev() {
            for (instruction, place) in block.instructions.iter().zip(of_block).rev() {
                if place.is_none() {
                    *place = instruction.result.and_then(|result| uses.get(&result).copied());
                }
                if let Some(place) = *place {
                    uses.extend(operands(&instruction.kind).map(|value| (value, place)));
                }
            }
        }
        place_accesses(kernel, &mut places, &uses);
        Self { files, places }
    }

    /// The user's files, as the compiler names them.
    #[must_use]
    pub fn files(&self) -> &[Arc<str>] {
        &self.files
    }

    /// The place of an instruction of a block; `None` if it comes from none of the user's lines.
    #[must_use]
    pub fn at(&self, block: BlockId, position: usize) -> Option<UserPlace> {
        self.places[block.index()][position]
    }
}

/// The places by values: where each was made, and where a phi takes it.
#[derive(Default)]
struct Flows {
    made: HashMap<ValueId, UserPlace>,
    taken: HashMap<ValueId, UserPlace>,
}

impl Flows {
    fn new(kernel: &IrFunction, places: &[Vec<Option<UserPlace>>], uses: &HashMap<ValueId, UserPlace>) -> Self {
        let mut flows = Self::default();
        for (block, of_block) in kernel.blocks.iter().zip(places) {
            for (instruction, place) in block.instructions.iter().zip(of_block) {
                let Some(result) = instruction.result else { continue };
                let incoming: Vec<ValueId> = match &instruction.kind {
                    Kind::Phi(_, incoming) => incoming.iter().filter_map(|(_, operand)| operand.value()).collect(),
                    _ => Vec::new(),
                };
                let place = place.or_else(|| incoming.iter().find_map(|value| flows.made.get(value).copied()));
                flows.made.extend(place.map(|place| (result, place)));
                if let Some(place) = place.or_else(|| uses.get(&result).copied()) {
                    flows.taken.extend(incoming.into_iter().map(|value| (value, place)));
                }
            }
        }
        flows
    }
}

/// Gives accesses without a place, which the compiler has moved out of several lines, one of these lines: the line of the
/// phi that takes what is loaded, or the first that made what is stored, or the address.
fn place_accesses(kernel: &IrFunction, places: &mut [Vec<Option<UserPlace>>], uses: &HashMap<ValueId, UserPlace>) {
    let flows = Flows::new(kernel, places, uses);
    for (block, of_block) in kernel.blocks.iter().zip(places) {
        for (instruction, place) in block.instructions.iter().zip(of_block) {
            let is_access = matches!(instruction.kind, Kind::Load { .. } | Kind::Store { .. } | Kind::Atomic(..));
            if place.is_none() && is_access {
                let taken = instruction.result.and_then(|result| flows.taken.get(&result).copied());
                let made = || operands(&instruction.kind).find_map(|value| flows.made.get(&value).copied());
                *place = taken.or_else(made);
            }
        }
    }
}

/// A place with the number of its file; `None` if there are too many files.
fn numbered(files: &mut Vec<Arc<str>>, place: &SourcePlace) -> Option<UserPlace> {
    let known = files.iter().position(|file| *file == place.file);
    let file = u16::try_from(known.unwrap_or(files.len())).ok()?;
    if known.is_none() {
        files.push(Arc::clone(&place.file));
    }
    Some(UserPlace { file, line: place.line, column: place.column })
}
