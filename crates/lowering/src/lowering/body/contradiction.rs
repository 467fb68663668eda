//! Stated footprints that contradict the subscripts of their accesses.

use super::around::Around;
use super::statement::Costing;
use super::subscripted::Unit;
use crate::lowering::exact::Exact;
use crate::lowering::stop::LoweringStop;
use crate::spec::{Access, Statement};
use autotune_base::text::Place;

/// A stated footprint that contradicts the subscripts of its access.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contradiction {
    /// The place of the stated footprint.
    pub place: Place,
    /// The key of the footprint: `group` or `together`.
    pub key: &'static str,
    /// Unique bytes of one execution, as the spec states them.
    pub stated: u64,
    /// Unique bytes of one execution that follow from the subscripts, in whole sectors; the mean over the loops without
    /// a barrier around the access.
    pub follows: Exact,
}

/// The contradictions in the statements of one configuration, in the order of the body.
pub(in crate::lowering) fn contradictions<'a>(
    costing: &'a Costing<'a>,
    around: Around<'a>,
    body: &'a [Statement],
) -> Result<Vec<Contradiction>, LoweringStop> {
    let mut walk = Walk { costing, around, found: Vec::new() };
    walk.body(body)?;
    Ok(walk.found)
}

struct Walk<'a> {
    costing: &'a Costing<'a>,
    around: Around<'a>,
    found: Vec<Contradiction>,
}

impl<'a> Walk<'a> {
    fn body(&mut self, statements: &'a [Statement]) -> Result<(), LoweringStop> {
        for statement in statements {
            match statement {
                Statement::Load(access) | Statement::Store(access) => self.access(access)?,
                Statement::Copy(copy) => self.access(&copy.access)?,
                Statement::Local(_)
                | Statement::Wait(_)
                | Statement::Compute(_)
                | Statement::Matrix(_)
                | Statement::Barrier(_) => {}
                Statement::Branch(branch) => {
                    self.around.enter_branch();
                    self.body(&branch.then)?;
                    self.body(&branch.otherwise)?;
                    self.around.leave_branch();
                }
                Statement::Loop(repeated) => {
                    let count = repeated.count.count(self.costing.scope)?.unsigned_abs();
                    if count > 0 {
                        self.around.enter_loop(repeated, count);
                        self.body(&repeated.body)?;
                        self.around.leave_loop();
                    }
                }
            }
        }
        Ok(())
    }

    fn access(&mut self, access: &Access) -> Result<(), LoweringStop> {
        let stated = [("group", &access.footprint.group), ("together", &access.footprint.together)];
        if stated.iter().all(|(_, stated)| stated.is_none()) {
            return Ok(());
        }
        let Some(memory) = self.costing.memory(access, &self.around)?.filter(|memory| memory.is_whole) else {
            return Ok(());
        };
        for (key, expression) in stated {
            let Some(expression) = expression else { continue };
            let patterns = self.costing.patterns;
            let bytes =
                |unit| if key == "group" { memory.group(patterns, unit) } else { memory.together(patterns, unit) };
            let (Some(least), Some(greatest)) = (bytes(Unit::Byte), bytes(Unit::Sector)) else { continue };
            let stated = expression.count(self.costing.scope)?.unsigned_abs();
            if contradicts(Exact::from(stated), least, greatest) {
                self.found.push(Contradiction { place: expression.place(), key, stated, follows: greatest });
            }
        }
        Ok(())
    }
}

/// True if a footprint is more than 10 % below the bytes that work items ask for, or above their sectors.
fn contradicts(stated: Exact, least: Exact, greatest: Exact) -> bool {
    let [nine, ten, eleven] = [9, 10, 11].map(Exact::from);
    stated * ten < least * nine || stated * ten > greatest * eleven
}
