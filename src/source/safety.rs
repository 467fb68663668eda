//! The errors of a work group, as far as they are certain: races in memory.
//!
//! ```text
//! trace ─▶ intervals: the accesses between two barriers ─▶ shared: who touches the same bytes ─▶ hazard
//!             └─ on_data: what data decides: nothing is claimed there    stored: what two stores write
//! ```

mod cells;
mod copies;
mod event;
mod found;
mod hazard;
mod intervals;
mod lanes;
mod on_data;
mod shared;
mod stored;

use super::analyse::SourceKernel;
use super::execute::{Executed, FindingKind};
use super::value::Shape;
pub use found::Safety;
pub use hazard::{Hazard, HazardKind, Party};
use intervals::Walk;
use on_data::OnData;

impl SourceKernel {
    /// Judges what a work group has executed; `warp` is the number of work items of a warp.
    pub(super) fn judged(&self, executed: &Executed, shape: &Shape, warp: usize) -> Safety {
        let is_open = |kind: &FindingKind| matches!(kind, FindingKind::Assembly | FindingKind::UnknownFunction(_));
        if executed.findings.iter().any(|finding| is_open(&finding.kind)) {
            // What is not known may be a barrier.
            let accesses = on_data::accesses(executed);
            return Safety { hazards: Vec::new(), unjudged: accesses.len() + executed.open_lanes };
        }
        let on_data = OnData::new(&self.module.kernel, &self.flow, &executed.seeds);
        let mut safety = Walk::new(&self.module.kernel, executed, (shape, warp.max(1)), &on_data).safety();
        lanes::add(&mut safety, &self.module.kernel, executed, shape, &on_data);
        safety
    }
}
