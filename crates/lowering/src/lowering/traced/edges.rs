//! The groups at the edges of a launch: all groups count as the middle one, which may touch less than they do.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::listed::Listed;
use crate::lowering::exact::Exact;
use crate::lowering::launch::infeasible::Infeasible;
use crate::lowering::{Feasibility, Launched, Lowering, LoweringError};
use crate::spec::Configuration;
use autotune_kernel::source::{AccessKind, GridArrivals, GroupMeetings, SourceMemory, TracedKernel, middle};

/// The most groups that are executed beside those at the edges, since a condition sends them another way.
const MOST_SENT: usize = 64;

/// The executions of blocks that they may take.
const MOST_BLOCKS: u64 = 1 << 16;

/// The most executed groups whose accesses are compared with those of others.
const MOST_COMPARED: usize = 80;

/// The groups of a launch that were executed for what they do wrong: at the edges, and where a condition sends them another way.
#[derive(Debug, Default)]
pub struct SearchedEdges {
    /// The groups that do nothing wrong.
    pub clean: Vec<[u64; 3]>,
    /// The number of groups of the launch that take a way which no executed group takes.
    pub not_looked_at: u64,
    /// The executed groups, that in the middle first.
    executed: Vec<([u64; 3], Arc<TracedKernel>)>,
    /// The number of groups of the launch along each axis.
    grid: [u64; 3],
    /// The most pairs of accesses of a group that meet and are all volatile.
    pub volatile: usize,
    /// The first group that does something wrong, and what; `None` if none does.
    pub wrong: Option<WrongEdge>,
}

impl SearchedEdges {
    /// Accesses of two groups of the launch to the same bytes.
    #[must_use]
    pub fn between(&self) -> GroupMeetings {
        let Some((_, traced)) = self.executed.first() else { return GroupMeetings::default() };
        let compared = self.executed.iter().take(MOST_COMPARED);
        let groups: Vec<_> = compared.map(|(group, traced)| (*group, &traced.executed)).collect();
        let mut found = traced.kernel.judged_between(&groups, (&traced.shape, self.grid));
        for hazard in &mut found.found {
            hazard.array = traced.shown_name(&hazard.array).into();
        }
        found
    }
}

/// A group at the edge of a launch that does something wrong.
#[derive(Debug)]
pub struct WrongEdge {
    /// The ids along x, y and z.
    pub group: [u64; 3],
    /// The rule, the place and the reason.
    pub refusal: Infeasible,
    /// The error that names the group.
    pub(crate) error: LoweringError,
}

/// A first or last group of an axis that touches more sectors of global memory than the middle group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeGroup {
    /// The id along x, y and z.
    pub group: [u64; 3],
    /// The sectors that its warps ask for.
    pub sectors: f64,
    /// Those of the middle group.
    pub middle: f64,
}

impl Lowering<'_> {
    /// The groups at the edges of a launch that touch more than the middle one, if it stands for all; none if the spec
    /// has a body.
    ///
    /// # Errors
    /// If an expression cannot be evaluated, or the source cannot be compiled, read or executed.
    pub fn edge_groups(&self, configuration: &Configuration) -> Result<Vec<EdgeGroup>, LoweringError> {
        let Feasibility::Feasible(launched) = self.launch(configuration)? else { return Ok(Vec::new()) };
        if let Some(Feasibility::Feasible(traced)) = self.trace(configuration)?
            && !traced.sample.kinds.is_empty()
        {
            // The mean has them.
            return Ok(Vec::new());
        }
        let grid = launched.geometry.grid;
        let sectors = |group| {
            let traced = self.trace_of_group(&launched, group)?;
            let sectors = self.watched(|| Ok(traced.map_or(Exact::ZERO, |traced| self.sectors(&traced))));
            sectors.map_err(|stop| stop.in_spec(&self.spec.source))
        };
        let middle = sectors(grid.map(middle))?;
        let mut found = Vec::new();
        for group in edges(grid) {
            let edge = match sectors(group) {
                // What counts is what the middle group does.
                Err(why) if why.refusal().is_some() => continue,
                edge => edge?,
            };
            if edge > middle {
                let [sectors, middle] = [edge, middle].map(|sectors| sectors.to_f64().unwrap_or_default());
                found.push(EdgeGroup { group, sectors, middle });
            }
        }
        Ok(found)
    }

    /// Executes the groups at the edges of a launch and in its corners, and then those that a condition sends another way, for
    /// what they do wrong; none if the spec has a body.
    ///
    /// # Errors
    /// If an expression cannot be evaluated, or the source cannot be compiled or read.
    pub fn searched_edges(&self, configuration: &Configuration) -> Result<SearchedEdges, LoweringError> {
        let mut searched = SearchedEdges::default();
        let Some(analysis) = &self.analysis else { return Ok(searched) };
        let Feasibility::Feasible(launched) = self.launch(configuration)? else { return Ok(searched) };
        let Some(Feasibility::Feasible(for_all)) = self.trace(configuration)? else { return Ok(searched) };
        let Launched { scope, geometry, .. } = &launched;
        let middle = geometry.grid.map(middle);
        let of_middle = analysis.traced_group(self.spec, scope, geometry, middle);
        let of_middle = of_middle.map_err(|stop| stop.in_spec(&self.spec.source))?;
        let mut looked_at = for_all.looked_at.clone();
        // Groups of a mean were judged alone: what two groups do is known of those that are executed here.
        let mut compared = of_middle.looked_at.clone();
        searched.executed = vec![(middle, of_middle)];
        searched.grid = geometry.grid;
        let mut open = edges(geometry.grid);
        open.extend(looked_at.corners());
        open.remove(&middle);
        let mut left = open.len() + MOST_SENT;
        while !open.is_empty() {
            for group in std::mem::take(&mut open).into_iter().take(left) {
                left -= 1;
                let traced = self.search_group(&launched, group, &mut searched)?;
                let executed = traced.as_ref().map(|traced| &traced.executed);
                looked_at.add(group, executed);
                compared.add(group, executed);
            }
            let blocks: u64 = searched.executed.iter().map(|(_, traced)| traced.executed.blocks).sum();
            if left > 0 && blocks < MOST_BLOCKS && searched.wrong.is_none() {
                open = compared.rest().some.into_iter().take(left).collect();
            }
        }
        if searched.wrong.is_none() {
            searched.wrong = self.missed_grid_barrier(&searched)?;
        }
        searched.not_looked_at = looked_at.rest().number;
        searched.volatile = searched.executed.iter().map(|(_, traced)| traced.safety.volatile).max().unwrap_or(0);
        Ok(searched)
    }

    /// The group that does not reach a barrier of all groups which another executed group reaches; `None` if there is none.
    fn missed_grid_barrier(&self, searched: &SearchedEdges) -> Result<Option<WrongEdge>, LoweringError> {
        let (Some(analysis), Some((_, middle))) = (&self.analysis, searched.executed.first()) else { return Ok(None) };
        let missed = self.watched(|| {
            let mut arrivals = GridArrivals::new(&middle.kernel.module.kernel, &middle.kernel.flow);
            searched.executed.iter().for_each(|(group, one)| arrivals.add(*group, &one.executed));
            Ok(arrivals.missed(searched.grid))
        });
        let Some(missed) = missed.map_err(|stop| stop.in_spec(&self.spec.source))? else { return Ok(None) };
        let group = missed.groups[1];
        let error = analysis.missed_grid_barrier(missed).in_spec(&self.spec.source);
        Ok(error.refusal().map(|refusal| WrongEdge { group, refusal, error }))
    }

    /// Executes a group of a launch for what it does wrong; `None` if it does something wrong.
    fn search_group(
        &self,
        launched: &Launched,
        group: [u64; 3],
        searched: &mut SearchedEdges,
    ) -> Result<Option<Arc<TracedKernel>>, LoweringError> {
        let Some(analysis) = &self.analysis else { return Ok(None) };
        let traced = analysis.traced_group(self.spec, &launched.scope, &launched.geometry, group);
        match traced.and_then(|traced| self.watched(|| analysis.permit(traced, &launched.geometry))) {
            Ok(traced) => {
                searched.clean.push(group);
                searched.executed.push((group, Arc::clone(&traced)));
                Ok(Some(traced))
            }
            Err(stop) => {
                let why = stop.in_spec(&self.spec.source);
                let Some(refusal) = why.refusal() else { return Err(why) };
                searched.wrong.get_or_insert_with(|| WrongEdge { group, refusal, error: why.in_group(group) });
                Ok(None)
            }
        }
    }

    /// The error of a group at the edge of a configuration's launch that does something wrong, though the groups that stand
    /// for all and those in the corners do not; `None` if there is none, all groups do what these do, or a limit was reached
    /// first.
    pub fn unsafe_edge(&self, configuration: &Configuration) -> Option<LoweringError> {
        if self.has_clean_edges(configuration) {
            return None;
        }
        let traced = self.trace(configuration).ok()??.feasible()?;
        if !traced.has_open_groups() {
            return None;
        }
        match self.searched_edges(configuration).ok()?.wrong {
            Some(wrong) if wrong.refusal.is_unsafe() => Some(wrong.error),
            _ => {
                self.keep_clean_edges(configuration);
                None
            }
        }
    }

    /// True if the groups at a configuration's edges were executed before and do nothing wrong.
    fn has_clean_edges(&self, configuration: &Configuration) -> bool {
        let known = || Some(self.kept.as_ref()?.has_clean_edges(&self.key(configuration)?));
        known().unwrap_or(false)
    }

    fn keep_clean_edges(&self, configuration: &Configuration) {
        if let (Some(kept), Some(key)) = (&self.kept, self.key(configuration)) {
            kept.put_clean_edges(&key);
        }
    }

    /// The execution of a group of a configuration's launch; `None` if the spec has a body.
    fn trace_of_group(
        &self,
        Launched { scope, geometry, .. }: &Launched,
        group: [u64; 3],
    ) -> Result<Option<Arc<TracedKernel>>, LoweringError> {
        let traced = self.analysis.as_ref().map(|analysis| analysis.traced_group(self.spec, scope, geometry, group));
        traced.transpose().map_err(|stop| stop.in_spec(&self.spec.source))
    }

    /// The sectors of global memory that a group's warps ask for.
    fn sectors(&self, traced: &TracedKernel) -> Exact {
        let listed = Listed::new(traced, self.banks().is_some());
        let of_global = listed.accesses.iter().filter(|listed| {
            listed.access.memory == SourceMemory::Global
                && matches!(listed.access.kind, AccessKind::Load | AccessKind::Store | AccessKind::Atomic)
        });
        of_global.fold(Exact::ZERO, |sum, listed| {
            let times = listed.loops.iter().fold(Exact::ONE, |times, around| times * Exact::from(around.times));
            sum + listed.touched(traced, self.warp_size(), None).sectors * times
        })
    }
}

/// The first and the last group of each axis, in the middle of the others, without the middle group.
fn edges(groups: [u64; 3]) -> BTreeSet<[u64; 3]> {
    let middle = groups.map(middle);
    let at = |axis: usize, id: u64| {
        let mut group = middle;
        group[axis] = id;
        group
    };
    let both = (0..3).flat_map(|axis| [at(axis, 0), at(axis, groups[axis].saturating_sub(1))]);
    both.filter(|group| *group != middle).collect()
}
