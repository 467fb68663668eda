//! The costs of copies, waits and matrix instructions.

use super::around::Around;
use super::statement::Costing;
use crate::lowering::access::touched::{Touching, work};
use crate::lowering::exact::Exact;
use crate::lowering::phases::run::{Run, RunKind};
use crate::lowering::phases::work::{Work, product_cycles};
use crate::lowering::stop::{LoweringProblem, LoweringStop, values};
use crate::spec::{AsyncCopy, MatrixProduct, QueueName, Wait};
use autotune_machine::machine::{MOST_PENDING, Queue};

/// The machine's queue of a name.
pub(super) fn queue(name: &QueueName) -> Queue {
    Queue::ALL[name.number]
}

impl Costing<'_> {
    /// The runs of a `copy`; none if no work item executes it. A GPU without asynchronous copies loads the data to
    /// registers and stores them from there.
    pub(super) fn copy(&self, copy: &AsyncCopy, around: &Around<'_>) -> Result<Vec<Run>, LoweringStop> {
        let AsyncCopy { access, conflict, queue: name, .. } = copy;
        let Some(mut touched) = self.touched(access, around, true)? else { return Ok(Vec::new()) };
        touched.conflict = Some(Exact::from(conflict.positive_or_mean(self.scope)?));
        if self.gpu.async_copy {
            let copied = work(self.gpu, Touching::Copy, access.place, &touched);
            return Ok(vec![Run::new(RunKind::Copy(queue(name)), copied)]);
        }
        let stored = work(self.gpu, Touching::Local, access.place, &touched);
        let loaded = self.load(access, around)?.map(|loaded| Run::new(RunKind::Load(None), loaded));
        Ok(loaded.into_iter().chain([Run::new(RunKind::Local(None), stored)]).collect())
    }

    /// The run of a `wait`.
    pub(super) fn wait(&self, wait: &Wait) -> Result<Run, LoweringStop> {
        let pending = self.count(&wait.pending)?;
        if pending > MOST_PENDING {
            let values = values(&wait.pending, self.scope);
            return Err(LoweringStop::At(wait.pending.place(), LoweringProblem::Pending { pending, values }));
        }
        Ok(Run::wait(wait.place, queue(&wait.queue), pending))
    }

    /// The run of a `matrix`; `None` if no warp executes it.
    pub(super) fn matrix(&self, product: &MatrixProduct) -> Result<Option<Run>, LoweringStop> {
        let MatrixProduct { place, shape: _, of, per_warp, local_bytes, queue: name } = product;
        let macs = product.macs(self.scope)?;
        let Some(share) = self.share(per_warp, None)? else { return Ok(None) };
        let Some(rate) = self.gpu.matrix_macs(*of, name.is_some()) else {
            let problem = LoweringProblem::NoMatrix { of: *of, any: self.gpu.has_matrix_units() };
            return Err(LoweringStop::At(*place, problem));
        };
        let cycles = product_cycles(self.gpu, macs, rate);
        let work = Work::on_matrix_units(*place, share.per_item, share.warps, cycles);
        let work = work.reading_factors(self.gpu, Exact::from(self.count(local_bytes)?));
        Ok(Some(Run::new(RunKind::Matrix(name.as_ref().map(queue)), work)))
    }
}
