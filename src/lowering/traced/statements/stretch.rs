//! The statements of a stretch: from one barrier or loop to the next, or neighbours of one kind that keep their order.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::extracted::{ExtractedCompute, ExtractedProduct, SourceLines};
use super::pending::Pending;
use crate::lowering::exact::Exact;
use crate::lowering::traced::waits::Waits;
use crate::source::Mask;
use crate::spec::OperationKind;

/// Statements between two barriers or loops.
pub(super) struct Stretch {
    pub(super) statements: Vec<Stretched>,
    pub(super) waits: Waits,
    pub(super) levels: BTreeSet<u32>,
}

pub(super) enum Stretched {
    Compute { of: ExtractedCompute, items: Arc<Mask> },
    SourceAccess(Box<Pending>),
    Product(ExtractedProduct),
}

impl Stretch {
    pub(super) fn new(times: u64) -> Self {
        Self { statements: Vec::new(), waits: Waits::new(times), levels: BTreeSet::new() }
    }

    /// Adds an access to those that are like it.
    pub(super) fn access(&mut self, pending: Pending) {
        let mut known = self.statements.iter_mut().filter_map(|statement| match statement {
            Stretched::SourceAccess(known) => Some(known),
            _ => None,
        });
        if !known.any(|known| known.takes(&pending)) {
            self.statements.push(Stretched::SourceAccess(Box::new(pending)));
        }
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
