//! The footprint of an access that follows from its subscripts.

use num_integer::gcd;

use super::around::Around;
use crate::lowering::access::begins::Begins;
use crate::lowering::access::footprint::{Accesses, Corner, Starts, Variable};
use crate::lowering::access::lanes::LaneBytes;
use crate::lowering::access::patterns::Patterns;
use crate::lowering::access::warp::SECTOR;
use crate::lowering::exact::Exact;
use crate::spec::{Access, Affine, AffineIndex, EvaluationError, Scope};

/// The launch of an access.
pub(in crate::lowering) struct Launch<'a> {
    pub(super) scope: &'a Scope,
    /// Groups of the launch along x, y, z.
    pub(super) grid: [u64; 3],
    /// Groups that run together.
    pub(super) concurrent: u64,
}

/// The memory that a statement with subscripts touches. All steps are in bytes.
#[derive(Debug)]
pub(in crate::lowering) struct Subscripted {
    width: u64,
    /// The address if all variables are 0.
    constant: i64,
    items: Corner,
    groups: Corner,
    /// The loops around the statement, outermost first; a loop without a counter has no variable.
    loops: Vec<Option<Variable>>,
    /// The counter of the statement's own repetitions.
    own: Option<Variable>,
    /// Repetitions of the statement without a counter, which count as accesses of other data.
    uncounted: Exact,
    /// The places in a sector where data of uncounted repetitions may begin are multiples of this.
    pitch: u64,
    /// The number of the outermost loop where L1 keeps the data of a group, and L2 those of all groups.
    kept: [usize; 2],
    /// True if every access of the statement is known: all repetitions have a counter, and every work item takes part.
    pub(super) is_whole: bool,
}

impl Subscripted {
    /// The memory of an access of `per_item` repetitions by these lanes; `None` if an address does not fit 64 bits.
    ///
    /// # Errors
    /// If an expression cannot be evaluated.
    pub(in crate::lowering) fn new(
        launch: &Launch<'_>,
        around: &Around<'_>,
        (access, subscripts): (&Access, AffineIndex),
        lanes: &LaneBytes,
        per_item: Exact,
    ) -> Result<Option<Self>, EvaluationError> {
        let scope = launch.scope;
        let Some(address) = Address::new(subscripts, access.bytes.positive(scope)?) else { return Ok(None) };
        // Behind a barrier a new phase begins. What is stored is read again from L2, because stores go past L1.
        let without_barrier = around.first_without_barrier(scope)?;
        let without_store = around.first_without_store(&access.array, &address.rows, scope)?;
        let uncounted = if access.var.is_some() { Exact::ONE } else { per_item };
        let inner = &around.levels()[without_barrier..];
        let is_counted = uncounted == Exact::ONE && inner.iter().all(|level| level.count == 1 || level.is_counted);
        let is_whole = is_counted && !around.is_in_branch() && !access.guarded.holds(scope)?;
        let of_address = || {
            let mut counters = 0..;
            let mut variable = |count| Some(Variable { step: address.counter(counters.next()?)?, count });
            let mut loops = Vec::new();
            for level in around.levels() {
                loops.push(if level.is_counted { Some(variable(level.count)?) } else { None });
            }
            // Counted repetitions are an integer.
            let own = if access.var.is_some() { Some(variable(per_item.floor()?)?) } else { None };
            Some(Self {
                width: lanes.width,
                constant: address.step(|row| row.constant)?,
                items: Corner { steps: address.steps(Affine::local)?, sizes: lanes.dims, number: lanes.items },
                groups: Corner { steps: address.steps(Affine::group)?, sizes: launch.grid, number: launch.concurrent },
                loops,
                own,
                uncounted,
                pitch: if is_counted { SECTOR } else { lanes.start_step(SECTOR) },
                kept: [without_barrier.max(without_store), without_barrier],
                is_whole,
            })
        };
        Ok(of_address())
    }

    /// Unique bytes of one execution by a group, as the mean over the loops where L1 keeps them: those without a
    /// barrier or a store to the same subscripts. `None` if their number is unknown.
    pub(in crate::lowering) fn group(&self, patterns: &Patterns, unit: Unit) -> Option<Exact> {
        self.of_group(patterns, self.kept[0], unit)
    }

    /// Unique bytes of one execution by a group, as the mean over the loops where L2 keeps them: those without a barrier.
    /// `None` if their number is unknown.
    pub(in crate::lowering) fn fresh(&self, patterns: &Patterns) -> Option<Exact> {
        self.of_group(patterns, self.kept[1], Unit::Sector)
    }

    fn of_group(&self, patterns: &Patterns, kept: usize, unit: Unit) -> Option<Exact> {
        let fixed = self.groups.steps.iter().zip(self.groups.sizes).filter(|(_, size)| *size > 1);
        self.bytes(patterns, kept, Corner::POINT, unit, fixed.map(|(step, _)| *step))
    }

    /// Unique bytes of one execution by all groups that run together, as the mean over the loops without a barrier.
    /// `None` if their number is unknown.
    pub(in crate::lowering) fn together(&self, patterns: &Patterns, unit: Unit) -> Option<Exact> {
        self.bytes(patterns, self.kept[1], self.groups, unit, std::iter::empty())
    }

    /// Unique bytes of all executions by all groups that run together, in the loops without a barrier. `None` if their
    /// number is unknown.
    pub(in crate::lowering) fn changed(&self, patterns: &Patterns) -> Option<Exact> {
        let executions = executions(&self.loops[self.kept[1]..]);
        self.together(patterns, Unit::Byte).map(|bytes| bytes * executions)
    }

    /// Unique bytes of one execution by some groups in the loops from number `kept` on. The data of groups may begin at
    /// multiples of the `fixed` steps.
    fn bytes(
        &self,
        patterns: &Patterns,
        kept: usize,
        groups: Corner,
        unit: Unit,
        fixed: impl Iterator<Item = i64>,
    ) -> Option<Exact> {
        let (outer, inner) = self.loops.split_at(kept);
        let executions = executions(inner);
        let loops = inner.iter().flatten().chain(&self.own).copied().collect();
        let bytes = unit.bytes();
        let outer = outer.iter().flatten().filter(|variable| variable.count > 1).map(|variable| variable.step);
        let step = outer.chain(fixed).fold(gcd(bytes, self.pitch), |step, other| gcd(step, other.unsigned_abs()));
        let accesses = Accesses { width: self.width, loops, items: self.items, groups };
        // Only the place in a unit matters.
        let first = self.constant.rem_euclid(bytes.cast_signed());
        let units = u64::try_from(patterns.units(accesses, bytes, Starts { first, step })?).ok()?;
        // There are bytes / step places to begin, and `bytes` bytes to each unit.
        Some(Exact::from(units) * Exact::from(step) * self.uncounted / executions)
    }
}

/// The places where the data of an access of `per_item` repetitions begin, over all groups and iterations; `None` if
/// repetitions without a counter may move them, or an address does not fit 64 bits.
///
/// # Errors
/// If an expression cannot be evaluated.
pub(super) fn begins(
    launch: &Launch<'_>,
    around: &Around<'_>,
    (access, subscripts): (&Access, &AffineIndex),
    per_item: Exact,
) -> Result<Option<Begins>, EvaluationError> {
    let Some(address) = Address::new(subscripts.clone(), access.bytes.positive(launch.scope)?) else {
        return Ok(None);
    };
    let has_counters = access.var.is_some() || per_item == Exact::ONE;
    if !has_counters || around.levels().iter().any(|level| level.count > 1 && !level.is_counted) {
        return Ok(None);
    }
    let of_address = || {
        let counted = around.levels().iter().filter(|level| level.is_counted).map(|level| Some(level.count));
        let own = access.var.is_some().then(|| per_item.floor());
        let counters = counted.chain(own).enumerate();
        let counters = counters.map(|(place, count)| Some(Variable { step: address.counter(place)?, count: count? }));
        let groups = address.steps(Affine::group)?.into_iter().zip(launch.grid);
        let groups = groups.map(|(step, count)| Variable { step, count });
        let variables = counters.collect::<Option<Vec<_>>>()?.into_iter().chain(groups);
        Begins::new(address.step(|row| row.constant)?, variables, address.steps(Affine::local)?)
    };
    Ok(of_address())
}

/// The executions of a statement by the counters of loops.
fn executions(loops: &[Option<Variable>]) -> Exact {
    loops.iter().flatten().fold(Exact::ONE, |product, one| product * Exact::from(one.count))
}

/// The unit of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lowering) enum Unit {
    /// Whole sectors of L2.
    Sector,
    /// Bytes that work items ask for.
    Byte,
}

impl Unit {
    fn bytes(self) -> u64 {
        match self {
            Self::Sector => SECTOR,
            Self::Byte => 1,
        }
    }
}

/// The address of an access as an affine function.
struct Address {
    rows: Vec<Affine>,
    /// Bytes between neighbours along each subscript.
    pitches: Vec<i128>,
}

impl Address {
    /// The address of subscripts of an array whose elements have `bytes` bytes; `None` if a row of the array is too long.
    fn new(AffineIndex { rows, pitches }: AffineIndex, bytes: i64) -> Option<Self> {
        let pitches = pitches.into_iter().map(|pitch| i128::from(pitch).checked_mul(bytes.into()));
        Some(Self { rows, pitches: pitches.collect::<Option<_>>()? })
    }

    /// Bytes from one value of a variable to the next, by its coefficient in each subscript; `None` if they do not fit
    /// 64 bits.
    fn step(&self, coefficient: impl Fn(&Affine) -> i64) -> Option<i64> {
        let terms = self.rows.iter().zip(&self.pitches);
        let mut terms = terms.map(|(row, pitch)| pitch.checked_mul(coefficient(row).into()));
        i64::try_from(terms.try_fold(0_i128, |sum, term| sum.checked_add(term?))?).ok()
    }

    /// The step of the counter at this place among those of [`Index::counters`](crate::spec::Index::counters).
    fn counter(&self, place: usize) -> Option<i64> {
        self.step(|row| row.counters().get(place).copied().unwrap_or(0))
    }

    /// The steps along x, y and z.
    fn steps(&self, coefficient: impl Fn(&Affine, usize) -> i64) -> Option<[i64; 3]> {
        let mut steps = [0; 3];
        for (axis, step) in steps.iter_mut().enumerate() {
            *step = self.step(|row| coefficient(row, axis))?;
        }
        Some(steps)
    }
}
