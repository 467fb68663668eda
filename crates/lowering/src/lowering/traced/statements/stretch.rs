//! The statements of a stretch: from one barrier or loop to the next, or neighbours of one kind that keep their order.

use std::collections::HashMap;
use std::sync::Arc;

use super::extracted::{ExtractedCompute, ExtractedProduct, SourceLines};
use super::pending::Pending;
use crate::lowering::access::touched::Supplied;
use crate::lowering::exact::Exact;
use crate::lowering::traced::waits::{Trips, Waited, Waits};
use crate::spec::OperationKind;
use autotune_kernel::source::Mask;

/// Statements between two barriers or loops.
pub(super) struct Stretch {
    pub(super) statements: Vec<Stretched>,
    pub(super) waits: Waits,
    /// The statement of each load that a warp waits for.
    loads: Vec<usize>,
}

pub(super) enum Stretched {
    Compute { of: ExtractedCompute, items: Arc<Mask> },
    SourceAccess(Box<Pending>),
    Product(ExtractedProduct),
}

impl Stretch {
    pub(super) fn new(times: u64) -> Self {
        Self { statements: Vec::new(), waits: Waits::new(times), loads: Vec::new() }
    }

    /// Adds an access to those that are like it.
    pub(super) fn access(&mut self, pending: Pending, is_waited_for: bool) {
        let takes = |statement: &mut Stretched| match statement {
            Stretched::SourceAccess(known) => known.takes(&pending),
            _ => false,
        };
        let statement = self.statements.iter_mut().position(takes).unwrap_or_else(|| {
            self.statements.push(Stretched::SourceAccess(Box::new(pending)));
            self.statements.len() - 1
        });
        self.loads.extend(is_waited_for.then_some(statement));
    }

    /// The waits of a work item for the loads of each statement, by its number, if it has that many free registers.
    pub(super) fn trips(&mut self, free: u64) -> HashMap<usize, Exact> {
        let statements = std::mem::take(&mut self.loads);
        let mut trips: HashMap<usize, Exact> = HashMap::new();
        for Trips { number, loads } in self.waits.trips(free) {
            let bytes = loads.iter().fold(Exact::ZERO, |sum, (_, load)| sum + load.bytes.asked);
            for (load, Waited { bytes: Supplied { asked, .. }, .. }) in &loads {
                // The latency of a wait for several loads is their mean by bytes.
                let part = if bytes.is_positive() { *asked / bytes } else { Exact::ratio(1, loads.len() as u64) };
                *trips.entry(statements[*load]).or_default() += number * part;
            }
        }
        trips
    }

    /// Adds instructions to those that differ in nothing but their number.
    pub(super) fn product(&mut self, product: ExtractedProduct) {
        for statement in &mut self.statements {
            if let Stretched::Product(known) = statement
                && known.is_like(&product)
            {
                known.per_warp += product.per_warp;
                known.lines.extend(product.lines);
                return;
            }
        }
        self.statements.push(Stretched::Product(product));
    }

    /// Adds operations to those of the same kind by the same work items.
    pub(super) fn compute(&mut self, kind: OperationKind, per_item: Exact, lines: SourceLines, by: &Arc<Mask>) {
        for statement in &mut self.statements {
            if let Stretched::Compute { of, items } = statement
                && of.kind == kind
                && items == by
            {
                of.per_item += per_item;
                of.lines.extend(lines);
                return;
            }
        }
        let of = ExtractedCompute { kind, per_item, items: None, lines };
        self.statements.push(Stretched::Compute { of, items: Arc::clone(by) });
    }
}
