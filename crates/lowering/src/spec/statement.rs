//! The statements of a kernel's body. Their expressions are not yet evaluated.

use super::distribution::CountDistribution;
use super::expression::{Affine, EvaluationError, Expression, Fault, Scope};
use autotune_base::text::Place;
use autotune_kernel::source::{MatrixType, Operations};

/// One statement. A statement with a count of 0 has no effect.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// Work items read global memory.
    Load(Access),
    /// Work items write global memory.
    Store(Access),
    /// Work items read or write local memory.
    Local(LocalAccess),
    /// Work items start copies from global to local memory.
    Copy(AsyncCopy),
    /// Work items wait for what they started in a queue.
    Wait(Wait),
    /// Work items compute.
    Compute(Compute),
    /// Warps multiply matrices.
    Matrix(MatrixProduct),
    /// A barrier: all work items of the group, or of the launch, wait for each other.
    Barrier(Barrier),
    /// Work items take one of two paths.
    Branch(Branch),
    /// Work items repeat statements: a loop that stays a loop in the machine code.
    Loop(Loop),
}

impl Statement {
    /// Returns the place of the statement's keyword.
    #[must_use]
    pub fn place(&self) -> Place {
        match self {
            Self::Load(access) | Self::Store(access) => access.place,
            Self::Local(access) => access.place,
            Self::Copy(copy) => copy.access.place,
            Self::Wait(wait) => wait.place,
            Self::Compute(compute) => compute.place,
            Self::Matrix(product) => product.place,
            Self::Barrier(barrier) => barrier.place,
            Self::Branch(branch) => branch.place,
            Self::Loop(repeated) => repeated.place,
        }
    }

    /// Returns true if the order of the statement among its neighbours matters: it starts something, waits for what was
    /// started, or needs the matrix units.
    #[must_use]
    pub fn keeps_order(&self) -> bool {
        self.starts_in().is_some() || matches!(self, Self::Wait(_) | Self::Matrix(_))
    }

    /// Returns the queue in which the statement starts something; `None` if it starts nothing.
    #[must_use]
    pub fn starts_in(&self) -> Option<&QueueName> {
        match self {
            Self::Load(access) => access.queue.as_ref(),
            Self::Local(access) => access.queue.as_ref(),
            Self::Copy(copy) => Some(&copy.queue),
            Self::Matrix(product) => product.queue.as_ref(),
            _ => None,
        }
    }

    /// Returns the statements of a body in the order of its text, a loop or branch before what it contains.
    pub fn all(body: &[Self]) -> impl Iterator<Item = &Self> {
        let mut open = vec![body.iter()];
        std::iter::from_fn(move || {
            loop {
                let Some(statement) = open.last_mut()?.next() else {
                    open.pop();
                    continue;
                };
                match statement {
                    Self::Branch(branch) => open.extend([branch.otherwise.iter(), branch.then.iter()]),
                    Self::Loop(repeated) => open.push(repeated.body.iter()),
                    _ => {}
                }
                return Some(statement);
            }
        })
    }
}

/// A `barrier`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Barrier {
    /// The place of the keyword.
    pub place: Place,
    /// True if all work items of the launch wait for each other, not the group's alone.
    pub is_of_grid: bool,
}

/// A `load` or a `store`.
#[derive(Debug, Clone, PartialEq)]
pub struct Access {
    /// The place of the keyword.
    pub place: Place,
    /// The array's name.
    pub array: String,
    /// Accesses of one work item; default 1.
    pub per_item: Expression,
    /// The name of the counter of these accesses, which an `index` may use.
    pub var: Option<String>,
    /// Bytes of one element; default 4.
    pub bytes: Expression,
    /// Elements of one access; default 1.
    pub vector: Expression,
    /// The elements that neighbouring lanes access; default stride 1.
    pub pattern: Pattern,
    /// The number of work items of the group that take part, the first in lane order; default all.
    pub items: Option<Expression>,
    /// Not 0 if the kernel skips work items whose subscripts leave the shape; default 0.
    pub guarded: Expression,
    /// Not 0 if each access waits for the one before it; default 0.
    pub ordered: Expression,
    /// Not 0 if a store reads, changes and writes each element in one step; default 0.
    pub atomic: Expression,
    /// Accesses of a work item that are in flight together; default 4.
    pub in_flight: Expression,
    /// Waits of one work item; `None` if they follow from `in_flight`.
    pub round_trips: Option<Expression>,
    /// The unique bytes of one execution.
    pub footprint: Footprint,
    /// The queue of a load that is waited for later; `None` for a load that is waited for where it stands, and for
    /// stores and copies.
    pub queue: Option<QueueName>,
}

/// The name of a queue of asynchronous starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueName {
    /// The name in the spec.
    pub name: String,
    /// The number of the queue, from 0, in the order in which the spec first starts something in each.
    pub number: usize,
}

/// A `copy`: accesses to global memory whose data go to local memory behind the work items' backs. Neighbouring copies of
/// one queue are one start.
#[derive(Debug, Clone, PartialEq)]
pub struct AsyncCopy {
    /// The reads of global memory.
    pub access: Access,
    /// The name of the local array.
    pub to: String,
    /// The ways of the bank conflict of the writes; default 1.
    pub conflict: Expression,
    /// The queue.
    pub queue: QueueName,
}

/// A `wait`.
#[derive(Debug, Clone, PartialEq)]
pub struct Wait {
    /// The place of the keyword.
    pub place: Place,
    /// The queue.
    pub queue: QueueName,
    /// The number of last starts that need not be done; default 0.
    pub pending: Expression,
}

/// The keyword of [`MatrixProduct`], and the name of its products in `varies`.
pub const MATRIX: &str = "matrix";

/// A `matrix`: instructions of whole warps on the matrix units.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixProduct {
    /// The place of the keyword.
    pub place: Place,
    /// M, N and K of one instruction, which multiplies M x K by K x N numbers.
    pub shape: [Expression; 3],
    /// The type of the factors.
    pub of: MatrixType,
    /// Instructions of one warp; default 1.
    pub per_warp: Expression,
    /// Bytes of local memory that one instruction of a warp reads: of the factors that are not in registers; default 0.
    pub local_bytes: Expression,
    /// The queue of instructions that are waited for later; `None` if the warp is held while they are issued.
    pub queue: Option<QueueName>,
}

/// The unique bytes of one execution of a statement. The expressions may use `concurrent`, the number of groups that
/// run together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Footprint {
    /// Unique bytes of one group; `None` if the spec does not state them.
    pub group: Option<Expression>,
    /// Unique bytes of all groups that run together; `None` if the spec does not state them.
    pub together: Option<Expression>,
    /// Sectors that a warp asks for in an access, as the mean over the warps; `None` if they follow from the elements that its
    /// lanes access.
    pub sectors: Option<Expression>,
    /// Lines of L1 that a warp's load passes, as the mean over the warps; `None` if they follow from the elements that its lanes
    /// access.
    pub lines: Option<Expression>,
    /// Sectors that a warp's store fills in part, or that its load reads alone in their line of L2, as the mean over the warps;
    /// `None` if they follow from the elements that its lanes access.
    pub partial: Option<Expression>,
    /// The rows of these bytes; `None` if the spec does not state them.
    pub rows: Option<Rows>,
}

/// Rows of memory, one behind the other, that all groups that run together touch in all executions of a statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    /// Bytes of a row that the groups touch.
    pub bytes: Expression,
    /// Bytes from the begin of a row to the next.
    pub pitch: Expression,
}

/// A `local`.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalAccess {
    /// The place of the keyword.
    pub place: Place,
    /// Accesses of one work item; default 1.
    pub per_item: Expression,
    /// The name of the counter of these accesses, which an `index` may use.
    pub var: Option<String>,
    /// Bytes of one element; default 4.
    pub bytes: Expression,
    /// Elements of one access; default 1.
    pub vector: Expression,
    /// The direction and the array; `None` if the spec does not state them.
    pub array: Option<(Direction, String)>,
    /// Not 0 if the kernel skips work items whose subscripts leave the shape; default 0.
    pub guarded: Expression,
    /// The use of the banks; default a conflict of 1 way.
    pub banks: Banks,
    /// The number of work items of the group that take part, the first in lane order; default all.
    pub items: Option<Expression>,
    /// The queue of an access that is waited for later; `None` if it is waited for where it stands.
    pub queue: Option<QueueName>,
}

/// The direction of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The access reads.
    Read,
    /// The access writes.
    Write,
}

/// The use of the banks by a local access.
#[derive(Debug, Clone, PartialEq)]
pub enum Banks {
    /// Derived from the elements that the lanes access.
    Pattern(Box<Pattern>),
    /// Stated by the spec: the ways of the bank conflict.
    Conflict(Expression),
}

/// The elements that the lanes of an access touch.
#[derive(Debug, Clone, PartialEq)]
pub enum Pattern {
    /// Elements between neighbouring lanes.
    Lanes(Expression),
    /// Elements between neighbours along x, y and z of the work group; missing ones are 0.
    Axes(Vec<Expression>),
    /// The subscripts of an array.
    Index(Box<Index>),
}

/// The element of an array that a work item accesses: subscripts that are affine in the work item's ids and in
/// counters.
#[derive(Debug, Clone, PartialEq)]
pub struct Index {
    /// One to three subscripts, the last along a row.
    pub subscripts: Vec<Expression>,
    /// Elements of the array along each subscript.
    pub shape: Vec<Expression>,
    /// The names of the counters that the subscripts may use: of the launches, of the loops around the access,
    /// outermost first, and of the access's repetitions. [`Affine::counters`] holds their coefficients.
    pub counters: Vec<String>,
}

/// Elements between neighbours. The magnitude of a stride counts, so that no stride is negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strides {
    /// The stride between neighbouring lanes.
    Lanes(i64),
    /// The strides between neighbours along x, y and z of the work group.
    Axes([i64; 3]),
}

impl Pattern {
    /// Returns the strides of one configuration.
    ///
    /// # Errors
    /// If an expression cannot be evaluated or an index is not affine.
    pub fn strides(&self, scope: &Scope) -> Result<Strides, EvaluationError> {
        match self {
            Self::Lanes(stride) => stride.magnitude(scope).map(Strides::Lanes),
            Self::Axes(list) => {
                let mut strides = [0; 3];
                for (stride, expression) in strides.iter_mut().zip(list) {
                    *stride = expression.magnitude(scope)?;
                }
                Ok(Strides::Axes(strides))
            }
            Self::Index(index) => index.strides(&index.evaluate(scope)?, scope),
        }
    }
}

/// The subscripts of an array for one configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AffineIndex {
    /// The subscripts as affine functions.
    pub rows: Vec<Affine>,
    /// Elements between neighbours along each subscript.
    pub pitches: Vec<i64>,
}

impl Index {
    /// Returns the subscripts and the elements between neighbours along each, for one configuration.
    ///
    /// # Errors
    /// The errors of [`Self::affine`] and [`Self::pitches`].
    pub fn evaluate(&self, scope: &Scope) -> Result<AffineIndex, EvaluationError> {
        Ok(AffineIndex { rows: self.affine(scope)?, pitches: self.pitches(scope)? })
    }

    /// Returns the subscripts as affine functions, for one configuration.
    ///
    /// # Errors
    /// If a subscript cannot be evaluated or is not affine.
    pub fn affine(&self, scope: &Scope) -> Result<Vec<Affine>, EvaluationError> {
        self.subscripts.iter().map(|subscript| subscript.affine(scope)).collect()
    }

    /// Returns the elements between neighbours along each subscript: the product of the extents of the later
    /// subscripts.
    ///
    /// # Errors
    /// If the shape cannot be evaluated, an extent is below 1, or a product does not fit 64 bits.
    pub fn pitches(&self, scope: &Scope) -> Result<Vec<i64>, EvaluationError> {
        let mut pitches = vec![1_i64; self.shape.len()];
        for subscript in (1..self.shape.len()).rev() {
            let extent = &self.shape[subscript];
            let pitch = pitches[subscript].checked_mul(extent.positive(scope)?);
            pitches[subscript - 1] = pitch.ok_or_else(|| extent.whole(Fault::Overflow, scope))?;
        }
        Ok(pitches)
    }

    /// Returns the elements between neighbours along x, y and z, the coefficients of the local ids in the element's
    /// position. `evaluated` are the subscripts in this scope.
    ///
    /// # Errors
    /// If a stride does not fit 64 bits.
    pub fn strides(&self, evaluated: &AffineIndex, scope: &Scope) -> Result<Strides, EvaluationError> {
        let mut strides = [0_i64; 3];
        for (axis, stride) in strides.iter_mut().enumerate() {
            let terms = evaluated.rows.iter().zip(&evaluated.pitches);
            let mut terms = terms.map(|(row, pitch)| row.local(axis).checked_mul(*pitch));
            let sum = terms.try_fold(0_i64, |sum, term| sum.checked_add(term?));
            *stride = sum.and_then(i64::checked_abs).ok_or_else(|| self.subscripts[0].whole(Fault::Overflow, scope))?;
        }
        Ok(Strides::Axes(strides))
    }
}

/// A `compute`.
#[derive(Debug, Clone, PartialEq)]
pub struct Compute {
    /// The place of the keyword.
    pub place: Place,
    /// Operations of one work item; default 1.
    pub per_item: Expression,
    /// The unit that executes the operations; default `fp32`.
    pub kind: OperationKind,
    /// Words of constant memory that the operations name; default 0.
    pub constants: Expression,
    /// The operations of one work item that wait for each other, one after the other; without it none waits.
    pub chain: Option<Expression>,
    /// The number of work items of the group that take part, the first in lane order; default all.
    pub items: Option<Expression>,
}

/// The unit of a multiprocessor that an operation needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OperationKind {
    /// Single precision.
    #[default]
    Fp32,
    /// 32-bit integers.
    Int32,
    /// Double precision.
    Fp64,
    /// 16-bit floating-point numbers, one or a packed pair.
    Fp16,
    /// 16-bit numbers with the exponent of single precision, one or a packed pair.
    Bf16,
    /// Four packed products of 8-bit integers and their sum.
    Int8,
    /// Roots, logarithms, sines.
    Special,
    /// An operation that only takes an issue slot: addresses, loops, guards.
    Any,
}

impl OperationKind {
    pub(crate) const ALL: [Self; 8] =
        [Self::Fp32, Self::Int32, Self::Fp64, Self::Fp16, Self::Bf16, Self::Int8, Self::Special, Self::Any];

    /// Returns the name of the kind in a spec.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fp32 => "fp32",
            Self::Int32 => "int32",
            Self::Fp64 => "fp64",
            Self::Fp16 => "fp16",
            Self::Bf16 => "bf16",
            Self::Int8 => "int8",
            Self::Special => "special",
            Self::Any => "any",
        }
    }

    /// Returns the count of the kind among a source's operations, which has 16-bit floating-point numbers of one kind and
    /// integers of another.
    #[must_use]
    pub fn count(self, operations: &mut Operations) -> Option<&mut u64> {
        Some(match self {
            Self::Fp32 => &mut operations.fp32,
            Self::Int32 => &mut operations.int32,
            Self::Fp64 => &mut operations.fp64,
            Self::Fp16 => &mut operations.fp16,
            Self::Special => &mut operations.special,
            Self::Any => &mut operations.any,
            Self::Bf16 | Self::Int8 => return None,
        })
    }
}

impl MatrixProduct {
    /// Returns the products and sums of one instruction: M * N * K.
    ///
    /// # Errors
    /// If an extent cannot be evaluated or is below 1, or their product does not fit 64 bits.
    pub fn macs(&self, scope: &Scope) -> Result<u64, EvaluationError> {
        let mut macs = 1_u64;
        for extent in &self.shape {
            let product = macs.checked_mul(extent.positive(scope)?.unsigned_abs());
            macs = product.ok_or_else(|| extent.whole(Fault::Overflow, scope))?;
        }
        Ok(macs)
    }
}

/// A `branch`.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    /// The place of the keyword.
    pub place: Place,
    /// Not 0 if work items of one warp may take different paths; default 1.
    pub divergent: Expression,
    /// The statements of the work items that take the branch.
    pub then: Vec<Statement>,
    /// The statements of the other work items; empty by default.
    pub otherwise: Vec<Statement>,
}

/// A `loop`.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// The place of the keyword.
    pub place: Place,
    /// The number of iterations; of a distribution its rounded mean.
    pub count: Expression,
    /// The distribution of the number over work items; `None` if all have the same.
    pub distribution: Option<CountDistribution>,
    /// The name of the counter of the iterations, which an `index` may use.
    pub var: Option<String>,
    /// The statements of one iteration.
    pub body: Vec<Statement>,
}
