//! Statements of inline assembly that copy tiles, wait for them, and describe tensors.

use super::super::call::mark;
use super::super::error::{ExecuteError, ExecuteProblem};
use super::super::state::Run;
use super::super::tiles::Tile;
use super::Text;
use crate::source::ir::{AssemblyOperand, AssemblyStatement};
use crate::source::ptx::Ptx;
use crate::source::trace::{AccessKind, Asynchronous, SourceAccess};
use crate::source::value::{Mask, Value};

impl Run<'_> {
    /// Executes a statement on tiles by the work items of `part`.
    pub(super) fn tiles_of_text(
        &mut self,
        text: &mut Text,
        does: Ptx,
        statement: &AssemblyStatement,
        part: &Mask,
        accesses: &mut Vec<SourceAccess>,
    ) -> Result<(), ExecuteError> {
        let Some(lane) = part.ones().next() else { return Ok(()) };
        let operands = &statement.operands;
        let position = operands.iter().position(|operand| matches!(operand, AssemblyOperand::At(..)));
        let address = |run: &mut Self| position.map_or(Value::Unknown, |at| run.value(text, &operands[at]));
        let last = |run: &mut Self| operands.last().map_or(Value::Unknown, |operand| run.value(text, operand));
        match does {
            Ptx::ExpectBytes => {
                let (barrier, bytes) = (address(self), last(self));
                self.expect_bytes(&barrier, &bytes, lane);
            }
            Ptx::AwaitTiles => {
                let barrier = address(self);
                let Some(pending) = self.tiles_behind(&barrier, part) else {
                    return refused(
                        text,
                        statement,
                        "warps that wait for the copies of other warps come in a later version",
                    );
                };
                accesses.push(mark(text.position, AccessKind::Wait(Asynchronous::Tiles, pending)));
            }
            Ptx::DescribeTensor(field) => {
                let (at, value) = (address(self), last(self));
                let dimension = operands.get(1).filter(|_| operands.len() > 2).map(|one| self.value(text, one));
                self.describe(&at, lane, (field, dimension.as_ref()), &value);
            }
            Ptx::CopyDescription => {
                let (to, from) = (address(self), operands.get(1).map_or(Value::Unknown, |from| self.value(text, from)));
                self.copy_description(&to, &from, lane);
            }
            Ptx::Elect => self.elect(text, statement, part),
            _ => return self.copies_of_tiles(text, does, statement, part, accesses),
        }
        Ok(())
    }

    /// `elect.sync`: the first work item of each warp.
    fn elect(&mut self, text: &mut Text, statement: &AssemblyStatement, part: &Mask) {
        let elected = self.first_of_warps(part);
        match statement.operands.first() {
            Some(AssemblyOperand::Register(names)) => {
                let name = names.rsplit('|').next().unwrap_or(names);
                text.predicates.insert(name.into(), elected);
            }
            Some(to @ AssemblyOperand::Slot(0)) => {
                text.set(to, Value::Vector([Value::Unknown, self.truth(&elected)].into()));
            }
            _ => {}
        }
    }

    /// Copies of tiles, one of each work item.
    fn copies_of_tiles(
        &mut self,
        text: &Text,
        does: Ptx,
        statement: &AssemblyStatement,
        part: &Mask,
        accesses: &mut Vec<SourceAccess>,
    ) -> Result<(), ExecuteError> {
        let (Ptx::LoadTile { is_tensor } | Ptx::StoreTile { is_tensor }) = does else { return Ok(()) };
        let is_load = matches!(does, Ptx::LoadTile { .. });
        let values: Vec<Value> = statement.operands.iter().map(|operand| self.value(text, operand)).collect();
        let value = |at: usize| values.get(at).cloned().unwrap_or(Value::Unknown);
        // What is loaded stands behind where it goes, what is stored before where it comes from.
        let (local, described, barrier) = match (is_load, is_tensor) {
            (true, true) => (value(0), 1, value(2)),
            (true, false) => (value(0), 1, value(3)),
            (false, _) => (value(1), 0, Value::Unknown),
        };
        let groups = self.launch.first_items.is_some();
        for lane in part.ones().take(if groups { 1 } else { usize::MAX }) {
            let known = self.tile_of_text(text, statement, described, lane);
            let known = known.or_else(|| self.expected_tile(&barrier, lane).filter(|_| is_load));
            let Some(tile) = known else {
                return refused(
                    text,
                    statement,
                    "it is not known how much this copies; `tensormap.replace` or \
                    `mbarrier.arrive.expect_tx` with a number says it",
                );
            };
            // The first copy of a barrier has the bytes of all.
            if tile.bytes() == 0 {
                continue;
            }
            let mut alone = Mask::with_capacity(part.len());
            alone.insert(lane);
            let kind = if is_load { AccessKind::LoadTile } else { AccessKind::StoreTile };
            let what = text.accessing(kind, tile.bytes(), if groups { part } else { &alone });
            self.access_tile(&tile, (kind, &local), (&what, text.mask), accesses);
            if is_load {
                self.start_tile(&barrier, lane);
            }
        }
        Ok(())
    }

    /// The tile of a copy's operand, for a work item; `None` if it is not known how much it is.
    fn tile_of_text(&mut self, text: &Text, statement: &AssemblyStatement, at: usize, lane: usize) -> Option<Tile> {
        match statement.operands.get(at)? {
            AssemblyOperand::Tile(described, coordinates) => {
                let described = self.value(text, described);
                let coordinates: Vec<Value> = coordinates.iter().map(|one| self.value(text, one)).collect();
                self.tile(&described, &coordinates, lane)
            }
            memory => {
                let (memory, bytes) = (self.value(text, memory), self.value(text, statement.operands.get(2)?));
                self.tile_of_bytes(&memory, &bytes, lane)
            }
        }
    }
}

/// The refusal of a statement.
fn refused(text: &Text, statement: &AssemblyStatement, why: &'static str) -> Result<(), ExecuteError> {
    let problem = ExecuteProblem::Assembly { text: statement.operation.clone(), why };
    Err(ExecuteError { problem, places: text.instruction.places.clone() })
}
