//! The accesses of a body for one configuration, and the loops around each.

use num_rational::Ratio;

use super::integers::IntegerMatrix;
use crate::lowering::{Begins, LaneBytes, Launched, LoweringStop, TouchedMemory, Variable, lanes};
use crate::spec::{Access, Affine, Banks, Direction, Expression, Index, LocalAccess, Pattern, Scope, Spec, Statement};
use autotune_base::text::Place;

/// The keyword of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Keyword {
    /// `load`.
    Load,
    /// `copy`, of which the read of global memory counts.
    Copy,
    /// `store`.
    Store,
    /// `local`.
    Local,
}

/// The body of one configuration: the loops and accesses that are executed.
pub(super) struct Nest<'a> {
    pub(super) body: Vec<Node>,
    /// The accesses in the order of the text.
    pub(super) occurrences: Vec<Occurrence<'a>>,
    /// Work items of a group along x, y, z.
    pub(super) dims: [u64; 3],
    /// The number of these axes that the spec states.
    pub(super) axes: usize,
    /// The axis of neighbouring lanes; `z_1` is the local id along it.
    pub(super) lane_axis: usize,
    /// The number of blocks along x, y and z of the grid, and the number of launches.
    pub(super) blocks: [u64; 4],
}

/// A piece of the body.
pub(super) enum Node {
    /// A loop, by its number.
    Loop(usize, Vec<Node>),
    /// An access, by its number.
    Access(usize),
}

/// A loop around an access, or the access's own repetitions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) number: usize,
    pub(super) name: Option<&'a str>,
    /// The line of the loop in the kernel's source; `None` in a spec.
    pub(super) line: Option<u32>,
    pub(super) count: u64,
}

/// What is known of an access that was executed.
#[derive(Debug, Clone)]
pub(super) struct Traced {
    /// The memory that an execution touches.
    pub(super) touched: TouchedMemory,
    /// Elements between neighbouring lanes; `None` if they are not the same everywhere.
    pub(super) stride: Option<u64>,
    /// The numbers of the work items that take part.
    pub(super) lanes: Vec<u64>,
}

/// One access of the body.
pub(super) struct Occurrence<'a> {
    pub(super) keyword: Keyword,
    /// `None` if the spec does not state the direction of a local access.
    pub(super) direction: Option<Direction>,
    pub(super) array: Option<&'a str>,
    pub(super) place: Place,
    /// `None` if the spec states only a bank conflict.
    pub(super) pattern: Option<&'a Pattern>,
    pub(super) banks: Option<&'a Banks>,
    /// The loops that each work item runs in order, outermost first; the last is the access's repetitions if they have
    /// a counter.
    pub(super) around: Vec<Around<'a>>,
    /// Repetitions that have no counter.
    pub(super) repeated: Ratio<u64>,
    pub(super) lanes: LaneBytes,
    pub(super) element_bytes: u64,
    pub(super) subscripts: Option<Subscripts>,
    /// Unique bytes of one execution by a group; `None` if the spec does not state them.
    pub(super) footprint: Option<u64>,
    /// The execution of an access of a kernel's source; `None` in a spec.
    pub(super) traced: Option<Traced>,
}

/// The subscripts F J + f of an access; f depends on the block.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Subscripts {
    /// F: a row for each subscript, a column for each loop around and each local id.
    pub(super) matrix: IntegerMatrix,
    /// The part of f that is the same for all blocks.
    pub(super) constant: Vec<i64>,
    /// The part of f that depends on the block: a column for each group id and for the number of the launch.
    pub(super) of_block: IntegerMatrix,
    /// Elements between neighbours along each subscript.
    pub(super) pitches: Vec<i64>,
    /// Bytes of the whole array.
    pub(super) array_bytes: u64,
}

impl<'a> Nest<'a> {
    /// The nest of a spec's body for one launch configuration.
    pub(super) fn new(spec: &'a Spec, launched: &Launched) -> Result<Self, LoweringStop> {
        let dims = launched.geometry.dims;
        let grid = launched.geometry.grid;
        let axes = spec.launch.work_group.len();
        let blocks = [grid[0], grid[1], grid[2], launched.geometry.times];
        let mut walk = Walk {
            scope: &launched.scope,
            dims,
            axes,
            blocks,
            launch_counter: spec.launch.var.is_some(),
            around: Vec::new(),
            loops: 0,
            occurrences: Vec::new(),
        };
        let body = walk.body(&spec.body)?;
        Ok(Self {
            body,
            occurrences: walk.occurrences,
            dims,
            axes,
            lane_axis: dims.iter().position(|size| *size > 1).unwrap_or(0),
            blocks,
        })
    }

    /// The accesses of the same array as `access`, `access` included.
    pub(super) fn same_array(&self, access: &Occurrence<'_>) -> Vec<usize> {
        let local = |occurrence: &Occurrence<'_>| occurrence.keyword == Keyword::Local;
        let same = |other: &Occurrence<'_>| other.array == access.array && local(other) == local(access);
        let numbers = 0..self.occurrences.len();
        if access.array.is_none() {
            return numbers.filter(|number| std::ptr::eq(&raw const self.occurrences[*number], access)).collect();
        }
        numbers.filter(|number| same(&self.occurrences[*number])).collect()
    }
}

impl Occurrence<'_> {
    /// True if the spec states the access's subscripts and direction.
    pub(super) fn is_known(&self) -> bool {
        self.subscripts.is_some() && self.direction.is_some()
    }

    /// Elements of one access.
    pub(super) fn vector(&self) -> i64 {
        (self.lanes.width / self.element_bytes).cast_signed()
    }

    /// The number of the work item that is the nth to take part.
    pub(super) fn lane(&self, nth: u64) -> u64 {
        let lane = |traced: &Traced| traced.lanes.get(usize::try_from(nth).ok()?).copied();
        self.traced.as_ref().and_then(lane).unwrap_or(nth)
    }

    /// True if the work items that take part are the first of the group.
    pub(super) fn is_by_first(&self) -> bool {
        self.traced.as_ref().is_none_or(|traced| traced.lanes.iter().zip(0..).all(|(lane, nth)| *lane == nth))
    }

    /// The places where the data begin, over all blocks and iterations; `None` if subscripts do not say them.
    fn begins(&self, blocks: [u64; 4]) -> Option<Begins> {
        let subscripts = self.subscripts.as_ref()?;
        let may_move = |around: &Around<'_>| around.count > 1 && around.name.is_none();
        if self.repeated != Ratio::ONE || self.around.iter().any(may_move) {
            return None;
        }
        let bytes = i64::try_from(self.element_bytes).ok()?;
        let step = |entries: &mut dyn Iterator<Item = i64>| {
            let mut terms = entries.zip(&subscripts.pitches).map(|(entry, pitch)| entry.checked_mul(*pitch));
            terms.try_fold(0_i64, |sum, term| sum.checked_add(term?))?.checked_mul(bytes)
        };
        let of_loops = self.around.iter().map(|around| around.count).enumerate();
        let of_loops = of_loops.map(|(column, count)| (step(&mut subscripts.matrix.column(column)), count));
        let of_blocks = blocks.into_iter().enumerate();
        let of_blocks = of_blocks.map(|(column, count)| (step(&mut subscripts.of_block.column(column)), count));
        let variables = of_loops.chain(of_blocks).map(|(step, count)| Some(Variable { step: step?, count }));
        let mut steps = [0; 3];
        for (axis, of_axis) in
            steps.iter_mut().enumerate().take(subscripts.matrix.columns().saturating_sub(self.around.len()))
        {
            *of_axis = step(&mut subscripts.matrix.column(self.column_of(axis)))?;
        }
        Begins::new(step(&mut subscripts.constant.iter().copied())?, variables.collect::<Option<Vec<_>>>()?, steps)
    }

    /// The column in F of the local id along an axis.
    pub(super) fn column_of(&self, axis: usize) -> usize {
        self.around.len() + axis
    }
}

struct Walk<'a, 'b> {
    scope: &'b Scope,
    dims: [u64; 3],
    axes: usize,
    blocks: [u64; 4],
    /// True if the first counter of an index is the counter of the launches.
    launch_counter: bool,
    around: Vec<Around<'a>>,
    loops: usize,
    occurrences: Vec<Occurrence<'a>>,
}

/// The parts that loads, stores and local accesses share.
struct Parts<'a> {
    place: Place,
    per_item: &'a Expression,
    var: Option<&'a str>,
    size: [&'a Expression; 2],
    items: Option<&'a Expression>,
    pattern: Option<&'a Pattern>,
}

impl<'a> Walk<'a, '_> {
    fn body(&mut self, statements: &'a [Statement]) -> Result<Vec<Node>, LoweringStop> {
        let mut nodes = Vec::new();
        for statement in statements {
            match statement {
                Statement::Load(access) => nodes.extend(self.global(Keyword::Load, access)?),
                Statement::Store(access) => nodes.extend(self.global(Keyword::Store, access)?),
                Statement::Local(access) => nodes.extend(self.local(access)?),
                Statement::Copy(copy) => nodes.extend(self.global(Keyword::Copy, &copy.access)?),
                Statement::Wait(_) | Statement::Compute(_) | Statement::Matrix(_) | Statement::Barrier(_) => {}
                Statement::Branch(branch) => {
                    nodes.extend(self.body(&branch.then)?);
                    nodes.extend(self.body(&branch.otherwise)?);
                }
                Statement::Loop(repeated) => {
                    let count = repeated.count.count(self.scope)?.unsigned_abs();
                    if count > 0 {
                        let number = self.enter(repeated.var.as_deref(), count);
                        let body = self.body(&repeated.body)?;
                        self.around.pop();
                        nodes.push(Node::Loop(number, body));
                    }
                }
            }
        }
        Ok(nodes)
    }

    fn enter(&mut self, name: Option<&'a str>, count: u64) -> usize {
        let number = self.loops;
        self.loops += 1;
        self.around.push(Around { number, name, line: None, count });
        number
    }

    fn global(&mut self, keyword: Keyword, access: &'a Access) -> Result<Option<Node>, LoweringStop> {
        let direction = if keyword == Keyword::Store { Direction::Write } else { Direction::Read };
        let footprint = access.footprint.group.as_ref().map(|bytes| bytes.count(self.scope)).transpose()?;
        let parts = Parts {
            place: access.place,
            per_item: &access.per_item,
            var: access.var.as_deref(),
            size: [&access.bytes, &access.vector],
            items: access.items.as_ref(),
            pattern: Some(&access.pattern),
        };
        let blocks = self.blocks;
        self.add(&parts, |occurrence| Occurrence {
            lanes: LaneBytes { begins: occurrence.begins(blocks), ..occurrence.lanes },
            keyword,
            direction: Some(direction),
            array: Some(access.array.as_str()),
            footprint: footprint.map(i64::unsigned_abs),
            ..occurrence
        })
    }

    fn local(&mut self, access: &'a LocalAccess) -> Result<Option<Node>, LoweringStop> {
        let pattern = match &access.banks {
            Banks::Pattern(pattern) => Some(&**pattern),
            Banks::Conflict(_) => None,
        };
        let parts = Parts {
            place: access.place,
            per_item: &access.per_item,
            var: access.var.as_deref(),
            size: [&access.bytes, &access.vector],
            items: access.items.as_ref(),
            pattern,
        };
        let array = access.array.as_ref();
        self.add(&parts, |occurrence| Occurrence {
            direction: array.map(|(direction, _)| *direction),
            array: array.map(|(_, name)| name.as_str()),
            banks: Some(&access.banks),
            ..occurrence
        })
    }

    /// Adds an access, completed by `complete`, unless no work item executes it.
    fn add(
        &mut self,
        parts: &Parts<'a>,
        complete: impl FnOnce(Occurrence<'a>) -> Occurrence<'a>,
    ) -> Result<Option<Node>, LoweringStop> {
        let per_item = parts.per_item.mean(self.scope)?;
        let all: u64 = self.dims.iter().product();
        let items = parts.items.map_or(Ok(all), |items| items.count(self.scope).map(i64::unsigned_abs))?.min(all);
        if per_item == Ratio::ZERO || items == 0 {
            return Ok(None);
        }
        // A mean has no counter.
        let own = parts.var.map(|var| self.enter(Some(var), per_item.to_integer()));
        let nothing = Pattern::Axes(Vec::new());
        let strides = parts.pattern.unwrap_or(&nothing).strides(self.scope)?;
        let lanes = lanes(self.scope, self.dims, parts.place, strides, parts.size, items)?;
        let subscripts = match parts.pattern {
            Some(Pattern::Index(index)) => Some(self.subscripts(index, parts.size[0])?),
            _ => None,
        };
        let occurrence = complete(Occurrence {
            keyword: Keyword::Local,
            direction: None,
            array: None,
            place: parts.place,
            pattern: parts.pattern,
            banks: None,
            around: self.around.clone(),
            repeated: if own.is_some() { Ratio::ONE } else { per_item },
            lanes,
            element_bytes: parts.size[0].positive(self.scope)?.unsigned_abs(),
            subscripts,
            footprint: None,
            traced: None,
        });
        let number = self.occurrences.len();
        self.occurrences.push(occurrence);
        let access = Node::Access(number);
        Ok(Some(match own {
            None => access,
            Some(own) => {
                self.around.pop();
                Node::Loop(own, vec![access])
            }
        }))
    }

    fn subscripts(&self, index: &Index, bytes: &Expression) -> Result<Subscripts, LoweringStop> {
        let rows = index.affine(self.scope)?;
        let launches = usize::from(self.launch_counter);
        let counter = |row: &Affine, counter: usize| row.counters().get(counter).copied().unwrap_or(0);
        // only loops with a name have a counter
        let mut named = launches..;
        let mut columns: Vec<Vec<i64>> = Vec::new();
        for around in &self.around {
            let number = around.name.and_then(|_| named.next());
            columns.push(rows.iter().map(|row| number.map_or(0, |number| counter(row, number))).collect());
        }
        columns.extend((0..self.axes).map(|axis| rows.iter().map(|row| row.local(axis)).collect()));
        let mut of_block: Vec<Vec<i64>> = (0..3).map(|axis| rows.iter().map(|row| row.group(axis)).collect()).collect();
        of_block.push(rows.iter().map(|row| if self.launch_counter { counter(row, 0) } else { 0 }).collect());
        let matrix = |columns: &[Vec<i64>]| {
            IntegerMatrix::from_fn(rows.len(), columns.len(), |row, column| columns[column][row])
        };
        let pitches = index.pitches(self.scope)?;
        let rows_of_array = index.shape[0].positive(self.scope)?.unsigned_abs();
        let row_bytes = pitches[0].unsigned_abs().saturating_mul(bytes.positive(self.scope)?.unsigned_abs());
        Ok(Subscripts {
            matrix: matrix(&columns),
            constant: rows.iter().map(|row| row.constant).collect(),
            of_block: matrix(&of_block),
            pitches,
            array_bytes: rows_of_array.saturating_mul(row_bytes),
        })
    }
}
