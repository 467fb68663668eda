//! The mean costs of accesses that stand for those of several loops.

use std::collections::HashMap;

use super::costs::Costs;
use crate::lowering::exact::Exact;
use crate::lowering::traced::pieces::Prepared;

/// The mean costs of accesses that stand for others, which may lie otherwise.
#[derive(Default)]
pub(super) struct MeanCosts(HashMap<*const Prepared, Costs>);

impl MeanCosts {
    /// The costs of an access: the mean if it stands for others.
    pub(super) fn of(&self, access: &Prepared) -> Costs {
        self.0.get(&std::ptr::from_ref(access)).copied().unwrap_or_else(|| Costs::of(&access.work))
    }

    /// Notes the mean costs of accesses that stand for those of several loops, each with the number of its iterations.
    pub(super) fn average(&mut self, standing: &[&Prepared], of_each: &[(u64, Vec<&Prepared>)]) {
        if of_each.len() < 2 {
            return;
        }
        let iterations = of_each.iter().fold(Exact::ZERO, |sum, (times, _)| sum + Exact::from(*times));
        for (position, standing) in standing.iter().enumerate() {
            let sum = of_each.iter().fold(Costs::default(), |sum, (times, accesses)| {
                sum.plus(self.of(accesses[position]), Exact::from(*times))
            });
            let mean = Costs::default().plus(sum, Exact::ONE / iterations);
            self.0.insert(std::ptr::from_ref(*standing), mean);
        }
    }
}
