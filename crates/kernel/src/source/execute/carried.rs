//! Numbers from data that a loop carries from one iteration to the next.
//!
//! Each iteration has its own. So that iterations can be compared, such a number is named by the value that carries it, and
//! stands for any multiple of its factor: what lies beside it in each iteration, and is such a multiple, is a part of it.

use num_integer::gcd;

use super::super::ir::ValueId;
use super::super::trace::RegionId;
use super::super::value::{DataSymbol, Known, Lanes, Mask, Slope, Slopes, Symbol, Value, joined};
use super::loop_state::{CarriedNumber, Heads};
use super::state::Run;

impl Run<'_> {
    /// The values at a loop's head with the names of the numbers that they carry.
    pub(super) fn carried(&mut self, heads: Heads, mask: &Mask) -> Heads {
        heads.into_iter().map(|(id, value)| (id, self.carried_value(id, 0, value, mask))).collect()
    }

    fn carried_value(&mut self, id: ValueId, element: usize, value: Value, mask: &Mask) -> Value {
        match value {
            Value::Known(known) if known.is_on_data() => self.carried_number((id.index(), element), known, mask),
            Value::Vector(all) => {
                let all = all.iter().enumerate();
                Value::Vector(all.map(|(at, one)| self.carried_value(id, at, one.clone(), mask)).collect())
            }
            value => value,
        }
    }

    fn carried_number(&mut self, at: (usize, usize), known: Known, mask: &Mask) -> Value {
        let Some(state) = self.loops.last_mut() else { return Value::Known(known) };
        let known = known.within(mask, &self.shape);
        let is_born = |data: &DataSymbol| data.number >= state.data_from;
        let born = || known.data().filter(|(data, _)| is_born(data));
        if born().next().is_none() {
            return Value::Known(known);
        }
        let Some((factor, together, of_launch)) = joined(born()) else { return Value::Unknown };
        let before = state.carried.get(&at).copied();
        let [factor, together] = match before {
            Some(CarriedNumber { symbol, factor: own }) => [gcd(factor, own), gcd(together, symbol.together).into()],
            None => [factor, together.into()],
        };
        let together = u32::try_from(together).unwrap_or(1);
        if together == 1 || factor == 0 {
            return Value::Unknown;
        }
        let of_launch = of_launch && before.is_none_or(|before| before.symbol.of_launch);
        let symbol = |number| DataSymbol { number, together, of_launch };
        let carried = if let Some(before) =
            before.filter(|one| *one == CarriedNumber { symbol: symbol(one.symbol.number), factor })
        {
            before
        } else {
            self.symbols += 1;
            CarriedNumber { symbol: symbol(self.symbols), factor }
        };
        state.carried.insert(at, carried);
        // Multiples of the factor are a part of the number.
        let is_rest = |symbol: &Symbol, slope: &Slope| match (symbol, slope) {
            (Symbol::Data(data), _) => data.number < state.data_from,
            (Symbol::Counter(_), Slope::By(Lanes::Same(slope))) => slope % factor != 0,
            _ => true,
        };
        let mut slopes: Slopes =
            known.slopes.iter().filter(|(symbol, slope)| is_rest(symbol, slope)).cloned().collect();
        slopes.push((Symbol::Data(carried.symbol), Slope::By(Lanes::Same(factor))));
        slopes.sort_by_key(|(symbol, _)| *symbol);
        let first = known.base.at(mask.minimum().unwrap_or(0), &self.shape);
        let offset = first - RegionId::from_address(first).map_or(0, RegionId::address);
        let base = known.base.moved(offset.rem_euclid(factor) - offset);
        Value::Known(Known { base, slopes })
    }
}
