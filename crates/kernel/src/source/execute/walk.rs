//! The walk over a kernel's blocks, in the order of its flow.

use super::super::ir::Type;
use super::super::trace::SourceMemory;
use super::super::value::Value;
use super::error::ExecuteError;
use super::launch::Argument;
use super::memory;
use super::state::Run;

impl Run<'_> {
    /// Executes the group from the kernel's beginning to its end.
    pub(super) fn start(&mut self) -> Result<(), ExecuteError> {
        for (position, parameter) in self.module.kernel.parameters.iter().enumerate() {
            let given = self.launch.arguments.get(&position).copied();
            let value = match (&parameter.of, given) {
                (Type::Pointer(space), given) => {
                    let local = if let Some(Argument::Local(bytes)) = given { Some(bytes) } else { None };
                    let memory = match *space {
                        _ if local.is_some() => SourceMemory::Local,
                        _ if parameter.by_value => SourceMemory::Constant,
                        space => memory::of_space(space),
                    };
                    let bytes = match given {
                        Some(Argument::Global(bytes)) if memory == SourceMemory::Global => Some(bytes),
                        _ => local,
                    };
                    let region = self.region(&parameter.name, memory, bytes);
                    self.keep_fields(position, region);
                    Value::constant(region.address())
                }
                (Type::Integer(_), Some(Argument::Integer(value))) => Value::constant(value),
                (Type::Float(_), Some(Argument::Float(value))) => Value::real(value),
                (Type::Vector(..), _) => self.vector(position, &parameter.of),
                (Type::Structure(..) | Type::Named(_) | Type::Array(..), _) => self.structure(position, parameter),
                (of, _) => Value::unknown(of.elements()),
            };
            self.values[parameter.value.index()] = Some(value);
        }
        self.run(self.flow.end())
    }

    /// Executes until all work items stand at a position or at the kernel's end.
    pub(super) fn run(&mut self, stop: usize) -> Result<(), ExecuteError> {
        let outer = self.loops.len();
        loop {
            let next = self.fronts.lowest(stop).filter(|next| *next < self.flow.end());
            while self.loops.len() > outer
                && next.is_none_or(|next| {
                    !self.loops.last().is_some_and(|last| self.flow.is_in(last.head, self.flow.block(next)))
                })
            {
                self.leave();
            }
            let Some(next) = next else { return Ok(()) };
            let arrivals = self.fronts.take(next);
            self.block(self.flow.block(next), &arrivals)?;
        }
    }
}
