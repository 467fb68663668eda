//! The statements of a kernel's body, their expressions not yet evaluated.

use super::expression::{Affine, EvaluationError, Expression, Fault, Scope};
use crate::text::Place;

/// One statement. A count of 0 is no statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// Work items read global memory.
    Load(Access),
    /// Work items write global memory.
    Store(Access),
    /// Work items read or write local memory.
    Local(LocalAccess),
    /// Work items compute.
    Compute(Compute),
    /// All work items of the group wait for each other.
    Barrier(Place),
    /// Work items take one of two ways.
    Branch(Branch),
    /// A loop of the machine code.
    Loop(Loop),
}

impl Statement {
    /// Where its keyword stands.
    #[must_use]
    pub fn place(&self) -> Place {
        match self {
            Self::Load(access) | Self::Store(access) => access.place,
            Self::Local(access) => access.place,
            Self::Compute(compute) => compute.place,
            Self::Barrier(place) => *place,
            Self::Branch(branch) => branch.place,
            Self::Loop(repeated) => repeated.place,
        }
    }
}

/// A `load` or a `store`.
#[derive(Debug, Clone, PartialEq)]
pub struct Access {
    /// Where the keyword stands.
    pub place: Place,
    /// The array's name.
    pub array: String,
    /// Accesses of one work item; default 1.
    pub per_item: Expression,
    /// The name of their counter, for an `index`.
    pub var: Option<String>,
    /// Of one element; default 4.
    pub bytes: Expression,
    /// Elements of one access; default 1.
    pub vector: Expression,
    /// Which elements neighbouring lanes access; default stride 1.
    pub pattern: Pattern,
    /// Work items of the group that do it, the first in lane order; default all.
    pub items: Option<Expression>,
    /// Whether the kernel skips work items whose subscripts leave the shape; default false.
    pub guarded: Expression,
    /// Whether each access waits for the one before it; default false.
    pub ordered: Expression,
    /// How many accesses of a work item are under way together; default 4.
    pub in_flight: Expression,
    /// How often one work item waits, where the spec says it in place of `in_flight`.
    pub round_trips: Option<Expression>,
    /// Unique bytes of one execution.
    pub footprint: Footprint,
}

/// Unique bytes of one execution of a statement; `concurrent` in them is how many groups run together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Footprint {
    /// By a group.
    pub group: Option<Expression>,
    /// By the groups that run together.
    pub together: Option<Expression>,
}

/// A `local`.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalAccess {
    /// Where the keyword stands.
    pub place: Place,
    /// Accesses of one work item; default 1.
    pub per_item: Expression,
    /// The name of their counter, for an `index`.
    pub var: Option<String>,
    /// Of one element; default 4.
    pub bytes: Expression,
    /// Elements of one access; default 1.
    pub vector: Expression,
    /// What it does to which array, where the spec says so.
    pub array: Option<(Direction, String)>,
    /// Whether the kernel skips work items whose subscripts leave the shape; default false.
    pub guarded: Expression,
    /// How the lanes meet the banks; default: a conflict of 1 way.
    pub banks: Banks,
    /// Work items of the group that do it, the first in lane order; default all.
    pub items: Option<Expression>,
}

/// Whether an access reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// It reads.
    Read,
    /// It writes.
    Write,
}

/// How the lanes of a local access meet the banks.
#[derive(Debug, Clone, PartialEq)]
pub enum Banks {
    /// By which elements they access.
    Pattern(Box<Pattern>),
    /// By the ways of the bank conflict, stated.
    Conflict(Expression),
}

/// Which elements the lanes of an access touch.
#[derive(Debug, Clone, PartialEq)]
pub enum Pattern {
    /// Elements between neighbours in lane order.
    Lanes(Expression),
    /// Elements between neighbours along x, y, z; missing ones are 0.
    Axes(Vec<Expression>),
    /// The subscripts of an array.
    Index(Box<Index>),
}

/// The element of an array that a work item accesses, affine in its ids and in the counters of the loops around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Index {
    /// One to three, the last along a row.
    pub subscripts: Vec<Expression>,
    /// Elements of the array along each.
    pub shape: Vec<Expression>,
    /// Names of the counters that it may use: of the launches, of the loops around it, outermost first, of the access's own
    /// repetitions; what [`Affine::counters`] are the coefficients of.
    pub counters: Vec<String>,
}

/// Elements between neighbours, never negative: of a stride, the magnitude counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strides {
    /// In lane order.
    Lanes(i64),
    /// Along x, y, z of the work group.
    Axes([i64; 3]),
}

impl Pattern {
    /// The strides of one configuration, whichever way they were written.
    ///
    /// # Errors
    /// When an expression cannot be evaluated, or an index is not affine.
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
            Self::Index(index) => index.strides(scope),
        }
    }
}

impl Index {
    /// The subscripts as affine functions, for one configuration.
    ///
    /// # Errors
    /// When they cannot be evaluated, or are not affine.
    pub fn affine(&self, scope: &Scope) -> Result<Vec<Affine>, EvaluationError> {
        self.subscripts.iter().map(|subscript| subscript.affine(scope)).collect()
    }

    /// Elements between neighbours along each subscript: the product of the shape behind it.
    ///
    /// # Errors
    /// When the shape cannot be evaluated, or the product does not fit 64 bits.
    pub fn pitches(&self, scope: &Scope) -> Result<Vec<i64>, EvaluationError> {
        let mut pitches = vec![1_i64; self.shape.len()];
        for subscript in (1..self.shape.len()).rev() {
            let extent = &self.shape[subscript];
            let pitch = pitches[subscript].checked_mul(extent.positive(scope)?);
            pitches[subscript - 1] = pitch.ok_or_else(|| extent.whole(Fault::Overflow, scope))?;
        }
        Ok(pitches)
    }

    /// Elements between neighbours along x, y, z: coefficients of the local ids in the element's place in memory.
    fn strides(&self, scope: &Scope) -> Result<Strides, EvaluationError> {
        let (subscripts, pitches) = (self.affine(scope)?, self.pitches(scope)?);
        let mut strides = [0_i64; 3];
        for (axis, stride) in strides.iter_mut().enumerate() {
            let mut terms =
                subscripts.iter().zip(&pitches).map(|(subscript, pitch)| subscript.local(axis).checked_mul(*pitch));
            let sum = terms.try_fold(0_i64, |sum, term| sum.checked_add(term?));
            *stride = sum.and_then(i64::checked_abs).ok_or_else(|| self.subscripts[0].whole(Fault::Overflow, scope))?;
        }
        Ok(Strides::Axes(strides))
    }
}

/// A `compute`.
#[derive(Debug, Clone, PartialEq)]
pub struct Compute {
    /// Where the keyword stands.
    pub place: Place,
    /// Operations of one work item; default 1.
    pub per_item: Expression,
    /// Which unit does them; default `fp32`.
    pub kind: Kind,
    /// Words of constant memory that they name; default 0.
    pub constants: Expression,
    /// Work items of the group that do it, the first in lane order; default all.
    pub items: Option<Expression>,
}

/// Which unit of a multiprocessor an operation needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Single precision.
    #[default]
    Fp32,
    /// Integers.
    Int32,
    /// Double precision.
    Fp64,
    /// Roots, logarithms, sines.
    Special,
    /// Only the issue slot counts: addresses, loops, guards.
    Any,
}

impl Kind {
    /// All kinds.
    pub(crate) const ALL: [Self; 5] = [Self::Fp32, Self::Int32, Self::Fp64, Self::Special, Self::Any];

    /// As a spec writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fp32 => "fp32",
            Self::Int32 => "int32",
            Self::Fp64 => "fp64",
            Self::Special => "special",
            Self::Any => "any",
        }
    }
}

/// A `branch`.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    /// Where the keyword stands.
    pub place: Place,
    /// Whether it splits warps; default true.
    pub divergent: Expression,
    /// What work items do that take it.
    pub then: Vec<Statement>,
    /// What the others do; default nothing.
    pub otherwise: Vec<Statement>,
}

/// A `loop`.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// Where the keyword stands.
    pub place: Place,
    /// Iterations.
    pub count: Expression,
    /// The name of its counter, for an `index`.
    pub var: Option<String>,
    /// One iteration.
    pub body: Vec<Statement>,
}
