//! The values of instructions.

use super::super::ir::{Instruction, Kind, Operator, Type, Typed};
use super::super::trace::{AccessKind, SourceAccess, SourceMemory};
use super::super::value::{Known, Lanes, Mask, Number, Value};
use super::data;
use super::error::{ExecuteError, ExecuteProblem};
use super::memory::Accessing;
use super::operand::Rules;
use super::state::Run;

impl Run<'_> {
    /// Executes an instruction. Returns its value; `None` if it has none.
    pub(super) fn instruction(
        &mut self,
        position: usize,
        instruction: &Instruction,
        mask: &Mask,
        accesses: &mut Vec<SourceAccess>,
    ) -> Result<Option<Value>, ExecuteError> {
        let accessing = Accessing::by(position, instruction, mask);
        let value = match &instruction.kind {
            Kind::Load { of, from, .. } => {
                let address = self.typed(from);
                let bytes = self.module.size(of);
                let reached =
                    self.access(&from.of, &address, &accessing(AccessKind::Load, bytes, of.elements()), accesses);
                let value = match reached.only() {
                    Some(SourceMemory::Private) => self.loaded(&address, bytes, of),
                    Some(SourceMemory::Constant) => match self.field(&address, of) {
                        Some(value) => value,
                        None => self.loaded_data(instruction, &address, of, mask),
                    },
                    Some(_) => self.loaded_data(instruction, &address, of, mask),
                    None => self.data(instruction, of),
                };
                Some(value)
            }
            Kind::Store { value, to, .. } => {
                let (stored, address) = (self.typed(value), self.typed(to));
                let bytes = self.module.size(&value.of);
                let what = accessing(AccessKind::Store, bytes, value.of.elements());
                if self.access(&to.of, &address, &what, accesses).has(SourceMemory::Private) {
                    self.stored(&address, bytes, &stored, mask);
                }
                None
            }
            Kind::Atomic(to, value) => {
                let address = self.typed(to);
                let bytes = self.module.size(&value.of);
                self.access(&to.of, &address, &accessing(AccessKind::Atomic, bytes, 1), accesses);
                Some(Value::Unknown)
            }
            Kind::Call { callee, returns, arguments, .. } => {
                self.call(position, instruction, callee, returns, arguments, mask, accesses)?
            }
            Kind::Element(source, operands) => Some(self.address(instruction, source, operands)?),
            kind => Some(self.computed(instruction, kind, mask)),
        };
        Ok(value)
    }

    /// Notes the quotients of integers by 0, which are not defined. Data that a user assumes to be small is not known to be 0.
    pub(super) fn check_divisor(&mut self, instruction: &Instruction, mask: &Mask) {
        let Kind::Binary {
            operator: Operator::UDiv | Operator::SDiv | Operator::URem | Operator::SRem,
            left,
            right,
            ..
        } = &instruction.kind
        else {
            return;
        };
        let mut lanes = mask.clone();
        match self.operand(&left.of, right) {
            Value::Known(known) if known.is_on_data() => return,
            Value::Known(Known { base: Lanes::Same(0), .. }) => {}
            Value::Known(Known { base: Lanes::Same(_), .. }) | Value::Unknown | Value::Float(_) => return,
            Value::Known(Known { base, .. }) => {
                mask.ones().for_each(|lane| lanes.set(lane, base.at(lane, &self.shape) == 0));
            }
            Value::Vector(elements) if elements.iter().any(|element| *element == Value::constant(0)) => {}
            Value::Vector(_) => return,
        }
        let argument = self.module.kernel.argument_behind(right);
        let is_assumed = argument.is_none() && !self.assumptions.zeros.is_empty();
        if let Some(result) = instruction.result.filter(|_| !is_assumed && !lanes.is_clear()) {
            let problem = ExecuteProblem::ZeroDivisor { argument: argument.map(Into::into) };
            let error = ExecuteError { problem, places: instruction.places.clone() };
            self.set_undefined(result, lanes, error);
        }
    }

    fn address(&mut self, instruction: &Instruction, source: &Type, operands: &[Typed]) -> Result<Value, ExecuteError> {
        if operands.first().is_some_and(|base| base.of.elements() > 1) {
            let places = instruction.places.clone();
            return Err(ExecuteError { problem: ExecuteProblem::VectorOfAddresses, places });
        }
        Ok(self.element(source, operands))
    }

    /// The value of an instruction that only computes.
    #[expect(clippy::too_many_lines, reason = "an arm for each kind of instruction")]
    fn computed(&mut self, instruction: &Instruction, kind: &Kind, mask: &Mask) -> Value {
        match kind {
            Kind::Binary { operator, left, right, no_wrap, disjoint, contract, approximate, .. } => {
                let (one, other) = (self.typed(left), self.operand(&left.of, right));
                let is_fused = *contract && instruction.result.is_some_and(|id| self.fusable.contains(id.index()));
                let rules = Rules { no_wrap: *no_wrap || *disjoint, is_loose: *approximate || is_fused };
                // What has no bit in common is added, as the source may have it.
                let operator = if *disjoint { Operator::Add } else { *operator };
                self.binary(operator, &left.of, &one, &other, rules)
            }
            Kind::Negate(value) => {
                let known = self.typed(value);
                self.elementwise(&value.of, &[&known], |run, operands| {
                    run.pointwise(operands, |numbers| match numbers {
                        [Number::Real(number)] => Some(Number::Real(number.negated())),
                        _ => None,
                    })
                })
            }
            Kind::Freeze(value) => self.typed(value),
            Kind::Cast(cast, from, to) => {
                let value = self.typed(from);
                match self.cast(*cast, &from.of, to, &value) {
                    value if value.is_unknown() => self.data(instruction, to),
                    value => value,
                }
            }
            Kind::Compare(predicate, left, right) => {
                let (one, other) = (self.typed(left), self.operand(&left.of, right));
                let bits = left.of.bits().unwrap_or(64);
                self.elementwise(&left.of, &[&one, &other], |run, operands| {
                    run.arithmetic().compare(*predicate, bits, operands[0], operands[1], mask)
                })
            }
            Kind::CompareFloat(predicate, left, right) => {
                let (one, other) = (self.typed(left), self.operand(&left.of, right));
                self.elementwise(&left.of, &[&one, &other], |run, operands| {
                    run.pointwise(operands, |numbers| match numbers {
                        [Number::Real(left), Number::Real(right)] => {
                            Some(Number::Whole(predicate.holds(left.value(), right.value()).into()))
                        }
                        _ => None,
                    })
                })
            }
            Kind::Select([condition, first, second]) => {
                let all = [condition, first, second].map(|operand| self.typed(operand));
                if condition.of.elements() > 1 {
                    return self.elementwise(&first.of, &all.each_ref(), |run, operands| {
                        run.arithmetic().choose(operands[0], operands[1], operands[2], mask)
                    });
                }
                match self.arithmetic().choose(&all[0], &all[1], &all[2], mask) {
                    value if value.is_unknown() => Value::unknown(first.of.elements()),
                    value => value,
                }
            }
            Kind::Allocate(of, _, name) => {
                let bytes = self.module.size(of);
                // No argument and no variable has a name like this.
                let name = format!("%{name}");
                let known = self.regions.len();
                let region = self.region(&name.into(), SourceMemory::Private, Some(bytes));
                self.private_bytes += if self.regions.len() > known { bytes } else { 0 };
                Value::constant(region.address())
            }
            Kind::Extract(vector, at) => {
                let at = self.typed(at).known().and_then(Known::as_constant).and_then(|at| usize::try_from(at).ok());
                match (self.typed(vector), at) {
                    (Value::Vector(elements), Some(at)) => elements.get(at).cloned().unwrap_or(Value::Unknown),
                    _ => Value::Unknown,
                }
            }
            Kind::Insert([vector, element, at]) => {
                let of = vector.of.clone();
                let at = self.typed(at).known().and_then(Known::as_constant).and_then(|at| usize::try_from(at).ok());
                match (self.typed(vector), at) {
                    (Value::Vector(elements), Some(at)) if at < elements.len() => {
                        let mut elements = elements.to_vec();
                        elements[at] = self.typed(element);
                        Value::Vector(elements.into())
                    }
                    _ => Value::unknown(of.elements()),
                }
            }
            Kind::Shuffle(operands) => self.shuffled(operands),
            Kind::ExtractValue(aggregate, positions) => self.extracted(aggregate, positions),
            Kind::InsertValue(of) => Value::unknown(of.elements()),
            _ => Value::Unknown,
        }
    }

    fn shuffled(&mut self, [first, second, places]: &[Typed; 3]) -> Value {
        let elements = |value: Value, of: &Type| match value {
            Value::Vector(elements) => elements.to_vec(),
            _ => (0..of.elements()).map(|_| Value::Unknown).collect(),
        };
        let mut all = elements(self.typed(first), &first.of);
        all.extend(elements(self.typed(second), &second.of));
        let places = elements(self.typed(places), &places.of);
        let element = |place: Value| {
            let place = place.known().and_then(Known::as_constant).and_then(|place| usize::try_from(place).ok());
            place.and_then(|place| all.get(place).cloned()).unwrap_or(Value::Unknown)
        };
        Value::Vector(places.into_iter().map(element).collect())
    }

    /// A value that is loaded: what the array is assumed to hold, or data, which work items may have in common.
    pub(super) fn loaded_data(&mut self, instruction: &Instruction, address: &Value, of: &Type, mask: &Mask) -> Value {
        if let Some(value) = self.assumed(instruction, address, of, mask) {
            return value;
        }
        match self.data(instruction, of) {
            value if value.is_unknown() => self.loaded_numbers(instruction, address, of, mask),
            value => value,
        }
    }

    /// A value that depends on data: 0 if the user says that it is small.
    pub(super) fn data(&mut self, instruction: &Instruction, of: &Type) -> Value {
        let is_zero = matches!(of, Type::Integer(_))
            && data::user_line(instruction).is_some_and(|line| self.assumptions.zeros.contains(&line));
        if !is_zero {
            return Value::unknown(of.elements());
        }
        let value = Value::constant(0);
        self.note_assumed(instruction, &value);
        value
    }
}
