//! The values that loads take from arrays whose contents are assumed.

use super::super::ir::{Instruction, Type};
use super::super::trace::RegionId;
use super::super::value::{Known, Lanes, Mask, Slope, Slopes, Symbol, Value, wrap};
use super::assumed::AssumedElements;
use super::state::Run;

impl Run<'_> {
    /// Notes that the value of an instruction is an assumption about data, unless nothing is known of it.
    pub(super) fn note_assumed(&mut self, instruction: &Instruction, value: &Value) {
        if let Some(result) = instruction.result
            && !value.clone().without_data().is_unknown()
        {
            self.seeds.values.insert(result);
        }
    }

    /// The value that an instruction loads from an array whose contents are assumed; `None` if nothing is assumed of it.
    pub(super) fn assumed(
        &mut self,
        instruction: &Instruction,
        address: &Value,
        of: &Type,
        mask: &Mask,
    ) -> Option<Value> {
        let value = self.contents(address, of, mask)?;
        self.note_assumed(instruction, &value);
        Some(value)
    }

    /// The value that the work items of a mask load from an array whose contents are assumed; `None` if nothing is assumed
    /// of it.
    pub(super) fn contents(&mut self, address: &Value, of: &Type, mask: &Mask) -> Option<Value> {
        let Type::Integer(bits) = *of.element() else { return None };
        let bytes = self.module.size(of.element());
        let elements = (0..of.elements()).map(|at| self.content(address, (at * bytes, bytes), bits, mask));
        let elements = elements.collect::<Option<Vec<Value>>>()?;
        match (of, &elements[..]) {
            (Type::Vector(..), _) => Some(Value::Vector(elements.into())),
            (_, [element]) => Some(element.clone()),
            _ => None,
        }
    }

    /// The integer of so many bytes that lies behind an address; `None` if nothing is assumed of it.
    pub(super) fn content(
        &mut self,
        address: &Value,
        (behind, bytes): (u64, u64),
        bits: u32,
        mask: &Mask,
    ) -> Option<Value> {
        if self.assumptions.contents.is_empty() {
            return None;
        }
        let known = address.known().filter(|known| !known.is_on_data())?;
        let first = mask.ones().find_map(|lane| self.array_at(known.base.at(lane, &self.shape)))?;
        let name = &self.regions[first.0 as usize].name;
        let assumed = self.assumptions.contents.get(name)?;
        let size = i64::try_from(bytes).ok().filter(|size| *size > 0)?;
        if assumed.bytes.is_some_and(|bytes| bytes.cast_signed() != size) {
            return None;
        }
        let start = first.address().wrapping_sub_unsigned(behind);
        let index = |place: i64| place.wrapping_sub(start).div_euclid(size);
        let rule: &dyn Fn(i64) -> Option<i64> = match &assumed.elements {
            AssumedElements::Number(number) => return Some(Value::constant(wrap(*number, bits))),
            AssumedElements::Identity => &|element| Some(element),
            AssumedElements::Rule(rule) => &*rule.value,
        };
        // What lies outside of the array reads as 0: a buffer's bounds mask such work items.
        let value = |lane: usize| {
            let place = known.base.at(lane, &self.shape);
            let is_own = mask.contains(lane) && self.array_at(place) == Some(first);
            if is_own { rule(index(place)).map(|value| wrap(value, bits)) } else { Some(0) }
        };
        let values = (0..self.shape.lanes()).map(value).collect::<Option<Vec<i64>>>()?;
        let base = Lanes::from_values(values, &self.shape);
        let is_even = assumed.elements == AssumedElements::Identity;
        let slopes = self.slopes_of_content(&known.slopes.clone(), is_even.then_some(size));
        Some(Value::Known(Known { base, slopes }))
    }

    /// The array that an address lies in.
    fn array_at(&self, place: i64) -> Option<RegionId> {
        RegionId::from_address(place).filter(|region| (region.0 as usize) < self.regions.len())
    }

    /// The slopes of what is loaded through an address with slopes: those of the element's number, if an element of `size`
    /// bytes holds its own. Loops walk where a slope is not known.
    fn slopes_of_content(&mut self, address: &Slopes, size: Option<i64>) -> Slopes {
        let (mut slopes, mut open) = (Slopes::new(), Slopes::new());
        for (symbol, slope) in address {
            let even = match (slope, size) {
                (Slope::By(lanes), Some(size)) if lanes.divisor().is_multiple_of(size.unsigned_abs()) => {
                    Some(Slope::By(lanes.map(&self.shape, |by| by / size)))
                }
                _ => None,
            };
            match (even, symbol) {
                (Some(even), _) => slopes.push((*symbol, even)),
                (None, Symbol::Group(_)) => slopes.push((*symbol, Slope::UNEVEN)),
                (None, Symbol::Counter(_) | Symbol::Data(_)) => open.push((*symbol, slope.clone())),
            }
        }
        self.demands.walk_loops(&open);
        slopes
    }
}
