//! Iterations before a period that repeats, if they are earlier periods of it: they were executed before it was found.

use std::sync::Arc;

use super::super::trace::{BlockRun, Destination, Round, Side, SourceAccess, Step, Trace};
use super::super::value::{Known, Mask, Shape, Slope, Slopes, Symbol};
use super::loop_state::LoopState;

impl LoopState {
    /// A round of a period, begun as much earlier as the iterations before it allow. They leave the rounds.
    ///
    /// The loops around this one count by `around`.
    pub(super) fn begun_earlier(&mut self, mut round: Round, around: &[u32], shape: &Shape) -> Round {
        let Some(counter) = round.counter else { return round };
        let shift = Shift { counter, around, shape, data_from: self.data_from };
        let number = round.steps.len();
        while let Some(plain) = self.last_steps(number) {
            let Some(steps) = shift.earlier(&round.steps, &plain) else { break };
            round = Round { times: round.times + 1, steps, ..round };
            self.drop_last_steps(number);
        }
        round
    }

    /// The last steps of the rounds, so many, in order; `None` if fewer were executed once.
    fn last_steps(&self, number: usize) -> Option<Vec<&Step>> {
        let once = self.rounds.iter().rev().take_while(|round| round.times == 1);
        let mut last: Vec<&Step> = once.flat_map(|round| round.steps.iter().rev()).take(number).collect();
        last.reverse();
        (last.len() == number).then_some(last)
    }

    fn drop_last_steps(&mut self, number: usize) {
        let mut left = number;
        while let Some(last) = self.rounds.last_mut().filter(|_| left > 0) {
            let dropped = last.steps.len().min(left);
            last.steps.truncate(last.steps.len() - dropped);
            left -= dropped;
            if last.steps.is_empty() {
                self.rounds.pop();
            }
        }
    }
}

/// The move of a period to the time before its first.
struct Shift<'a> {
    counter: u32,
    around: &'a [u32],
    shape: &'a Shape,
    data_from: u32,
}

/// The mark of something else than an earlier time.
struct Other;

impl Shift<'_> {
    /// Steps one time before the first, if that is what `plain` executed; `None` if it is something else.
    fn earlier(&self, steps: &[Step], plain: &[&Step]) -> Option<Trace> {
        (steps.len() == plain.len()).then_some(())?;
        steps.iter().zip(plain).map(|(step, plain)| self.step(step, plain)).collect()
    }

    fn step(&self, step: &Step, plain: &Step) -> Option<Step> {
        match (step, plain) {
            (Step::Block(run), Step::Block(plain)) => {
                let alike = run.block == plain.block && run.items == plain.items;
                (alike && run.accesses.len() == plain.accesses.len()).then_some(())?;
                let accesses = run.accesses.iter().zip(&plain.accesses);
                let accesses = accesses.map(|(access, plain)| self.access(access, plain, &run.items));
                Some(Step::Block(BlockRun { accesses: accesses.collect::<Option<_>>()?, ..run.clone() }))
            }
            (Step::Sides(fork, sides), Step::Sides(other, plain)) if fork == other && sides.len() == plain.len() => {
                let side = |(side, plain): (&Side, &Side)| {
                    let steps = self.earlier(&side.steps, &plain.steps.iter().collect::<Vec<_>>())?;
                    (side.share.to_bits() == plain.share.to_bits()).then_some(Side { share: side.share, steps })
                };
                Some(Step::Sides(*fork, sides.iter().zip(plain).map(side).collect::<Option<_>>()?))
            }
            // The counters of loops inside have other numbers.
            _ => None,
        }
    }

    fn access(&self, access: &SourceAccess, plain: &SourceAccess, items: &Mask) -> Option<SourceAccess> {
        let items = access.items.as_deref().unwrap_or(items);
        let to = match (&access.to, &plain.to) {
            (None, None) => None,
            (Some(to), Some(plain)) if to.region == plain.region => {
                let address = self.address(to.address.as_ref(), plain.address.as_ref(), items).ok()?;
                Some(Arc::new(Destination { region: to.region, address }))
            }
            _ => return None,
        };
        let address = self.address(access.address.as_ref(), plain.address.as_ref(), items).ok()?;
        let moved = SourceAccess { address, to, ..access.clone() };
        let same = SourceAccess { address: moved.address.clone(), to: moved.to.clone(), ..plain.clone() };
        (moved == same).then_some(moved)
    }

    /// Slopes whose symbols of data have no numbers if each iteration has its own.
    fn named(&self, mut slopes: Slopes) -> Slopes {
        for (symbol, _) in &mut slopes {
            if let Symbol::Data(data) = symbol
                && data.number >= self.data_from
            {
                data.number = self.data_from;
            }
        }
        slopes
    }

    /// An address one time before the first, if `plain` is the same; unknown ones are alike.
    fn address(&self, of: Option<&Known>, plain: Option<&Known>, items: &Mask) -> Result<Option<Known>, Other> {
        let (Some(known), Some(plain)) = (of, plain) else {
            return if of.is_none() && plain.is_none() { Ok(None) } else { Err(Other) };
        };
        let (own, slopes): (Slopes, Slopes) =
            known.slopes.iter().cloned().partition(|(symbol, _)| *symbol == Symbol::Counter(self.counter));
        let base = match own.first() {
            None => known.base.clone(),
            Some((_, Slope::By(slope))) => known.base.plus(slope, -1, self.shape),
            Some((_, Slope::Uneven(_))) => return Err(Other),
        };
        // A period that was tried and executed once leaves a counter that nobody counts.
        let counts = |symbol: &Symbol| match symbol {
            Symbol::Group(_) | Symbol::Data(_) => true,
            Symbol::Counter(counter) => self.around.contains(counter),
        };
        let of_plain: Slopes = plain.slopes.iter().filter(|(symbol, _)| counts(symbol)).cloned().collect();
        let alike = base.agrees(&plain.base, items, self.shape) && self.named(slopes) == self.named(of_plain);
        if alike { Ok(Some(Known { base, slopes: known.slopes.clone() })) } else { Err(Other) }
    }
}
