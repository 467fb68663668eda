//! Random loops whose indices come from memory: the work items that the executed trace says to be a known distance apart are
//! so in a plain interpreter of one work item, whatever the memory holds.

use std::collections::BTreeMap;
use std::fmt::Write;

use autotune::limits::Limits;
use autotune::source::{
    Assumptions, Executed, Flow, IrModule, IrText, Kind, Known, Shape, Slope, SourceAccess, SourceLaunch, Step, Symbol,
    Trace, execute,
};
use proptest::prelude::*;

const SIZES: [[u32; 3]; 2] = [[16, 1, 1], [4, 4, 1]];
const LANES: usize = 16;
const GROUP: i64 = 3;
/// The bits of an address within its array.
const IN_ARRAY: i64 = (1 << 40) - 1;

/// A number that is not negative.
#[derive(Debug, Clone)]
enum Number {
    Constant(i64),
    /// An id of the work item along an axis.
    Lane(usize),
    Group,
    Iteration,
    /// The number that the loop carries.
    Carried,
    /// An element of one of two tables.
    Loaded(usize, Box<Number>),
    Binary(&'static str, Box<Number>, Box<Number>),
    Least(Box<Number>, Box<Number>),
}

/// A loop: its iterations, the first carried number and the next one, and the indices of its accesses.
#[derive(Debug, Clone)]
struct Kernel {
    times: i64,
    first: Number,
    next: Number,
    indices: Vec<Number>,
}

fn number() -> impl Strategy<Value = Number> + Clone {
    let leaf = prop_oneof![
        (0..40_i64).prop_map(Number::Constant),
        (0..2_usize).prop_map(Number::Lane),
        Just(Number::Group),
        Just(Number::Iteration),
        Just(Number::Carried),
    ];
    leaf.prop_recursive(4, 12, 2, |inner| {
        let both = |operator| {
            (inner.clone(), inner.clone())
                .prop_map(move |(left, right)| Number::Binary(operator, left.into(), right.into()))
        };
        let with = |operator, constants: Vec<i64>| {
            (inner.clone(), prop::sample::select(constants))
                .prop_map(move |(left, right)| Number::Binary(operator, left.into(), Number::Constant(right).into()))
        };
        let loaded = || (0..2_usize, inner.clone()).prop_map(|(table, index)| Number::Loaded(table, index.into()));
        prop_oneof![
            loaded(),
            loaded(),
            loaded(),
            both("add"),
            both("add"),
            both("or"),
            both("xor"),
            with("mul", vec![2, 3, 4, 8]),
            with("and", vec![1, 3, 6, 7, 15, 255]),
            with("or", vec![1, 3, 8]),
            with("shl", vec![1, 2]),
            with("lshr", vec![1, 2]),
            with("udiv", vec![1, 3, 4]),
            with("urem", vec![1, 3, 4]),
            with("sdiv", vec![3, 4]),
            with("srem", vec![3, 4]),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| Number::Least(left.into(), right.into())),
        ]
    })
}

fn kernel() -> impl Strategy<Value = Kernel> {
    // A carried number stays small: a part of it, or of what is loaded.
    let next = prop_oneof![
        number().prop_map(|of| Number::Loaded(0, of.into())),
        number().prop_map(|of| Number::Binary("and", of.into(), Number::Constant(255).into())),
        (0..9_i64).prop_map(|by| Number::Binary("add", Number::Carried.into(), Number::Constant(by).into())),
        number().prop_map(|of| {
            let loaded = Number::Loaded(1, of.into());
            Number::Binary("add", Number::Carried.into(), loaded.into())
        }),
    ];
    let times = prop::sample::select(vec![1_i64, 2, 5, 40]);
    (times, number(), next, prop::collection::vec(number(), 1..4)).prop_map(|(times, first, next, indices)| Kernel {
        times,
        first,
        next,
        indices,
    })
}

/// The plain interpreter: one work item, with memory that a seed fills.
struct Item {
    at: [i64; 2],
    iteration: i64,
    carried: i64,
    seed: i64,
}

impl Item {
    fn number(&self, number: &Number) -> i64 {
        match number {
            Number::Constant(value) => *value,
            Number::Lane(axis) => self.at[*axis],
            Number::Group => GROUP,
            Number::Iteration => self.iteration,
            Number::Carried => self.carried,
            Number::Loaded(table, index) => {
                let place = self.number(index).wrapping_mul(2).wrapping_add(i64::try_from(*table).unwrap());
                let mixed = place.wrapping_add(self.seed).wrapping_mul(0x9E37_79B9_7F4A_7C15_u64.cast_signed());
                (mixed >> 33) & 1023
            }
            Number::Binary(operator, left, right) => {
                let (left, right) = (self.number(left), self.number(right));
                match *operator {
                    "add" => left + right,
                    "mul" => left * right,
                    "and" => left & right,
                    "or" => left | right,
                    "xor" => left ^ right,
                    "shl" => left << right,
                    "lshr" => left >> right,
                    "udiv" | "sdiv" => left / right,
                    _ => left % right,
                }
            }
            Number::Least(left, right) => self.number(left).min(self.number(right)),
        }
    }

    /// The bytes of the accesses in order.
    fn run(&mut self, kernel: &Kernel) -> Vec<i64> {
        let mut all = Vec::new();
        self.carried = self.number(&kernel.first);
        for iteration in 0..kernel.times {
            self.iteration = iteration;
            all.extend(kernel.indices.iter().map(|index| 4 * self.number(index)));
            self.carried = self.number(&kernel.next);
        }
        all
    }
}

/// Writes a number of 32 bits, and returns its operand.
fn write(lines: &mut String, number: &Number, in_loop: bool) -> String {
    let names = lines.lines().count();
    match number {
        Number::Constant(value) => value.to_string(),
        Number::Lane(axis) => ["%x", "%y"][*axis].to_owned(),
        Number::Group => "%group".to_owned(),
        Number::Iteration => if in_loop { "%i" } else { "0" }.to_owned(),
        Number::Carried => if in_loop { "%carried" } else { "0" }.to_owned(),
        Number::Loaded(table, index) => {
            let index = write(lines, index, in_loop);
            let own = format!("%l{names}.{}", lines.lines().count());
            writeln!(lines, "  {own}.w = zext i32 {index} to i64").unwrap();
            writeln!(lines, "  {own}.p = getelementptr inbounds i32, ptr addrspace(1) %t{table}, i64 {own}.w").unwrap();
            writeln!(lines, "  {own} = load i32, ptr addrspace(1) {own}.p, align 4").unwrap();
            own
        }
        Number::Binary(operator, left, right) => {
            let (left, right) = (write(lines, left, in_loop), write(lines, right, in_loop));
            let own = format!("%b{names}.{}", lines.lines().count());
            writeln!(lines, "  {own} = {operator} i32 {left}, {right}").unwrap();
            own
        }
        Number::Least(left, right) => {
            let (left, right) = (write(lines, left, in_loop), write(lines, right, in_loop));
            let own = format!("%m{names}.{}", lines.lines().count());
            writeln!(lines, "  {own}.c = icmp slt i32 {left}, {right}").unwrap();
            writeln!(lines, "  {own} = select i1 {own}.c, i32 {left}, i32 {right}").unwrap();
            own
        }
    }
}

fn text(kernel: &Kernel) -> String {
    let (mut before, mut body) = (String::new(), String::new());
    let first = write(&mut before, &kernel.first, false);
    for (number, index) in kernel.indices.iter().enumerate() {
        let index = write(&mut body, index, true);
        writeln!(body, "  %a{number}.w = zext i32 {index} to i64").unwrap();
        writeln!(body, "  %a{number}.p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %a{number}.w").unwrap();
        writeln!(body, "  %a{number} = load float, ptr addrspace(1) %a{number}.p, align 4").unwrap();
    }
    let next = write(&mut body, &kernel.next, true);
    format!(
        "define spir_kernel void @k(ptr addrspace(1) noalias %t0, ptr addrspace(1) noalias %t1, \
         ptr addrspace(1) noalias %a) {{\nentry:\n  %x.w = call spir_func i64 @_Z12get_local_idj(i32 0)\n  \
         %x = trunc i64 %x.w to i32\n  %y.w = call spir_func i64 @_Z12get_local_idj(i32 1)\n  \
         %y = trunc i64 %y.w to i32\n  %far = call spir_func i64 @_Z12get_group_idj(i32 0)\n  \
         %group = trunc i64 %far to i32\n{before}  br label %head\nhead:\n  \
         %i = phi i32 [ 0, %entry ], [ %n, %head ]\n  %carried = phi i32 [ {first}, %entry ], [ {next}, %head ]\n\
         {body}  %n = add nuw nsw i32 %i, 1\n  %goes = icmp ult i32 %n, {}\n  \
         br i1 %goes, label %head, label %out\nout:\n  ret void\n}}\n",
        kernel.times
    )
}

fn executed(text: &str, sizes: [u32; 3], fold: bool) -> (IrModule, Executed) {
    let module = IrText::split(text).unwrap().module("k").unwrap().unwrap();
    let flow = Flow::new(&module.kernel);
    let launch = SourceLaunch {
        sizes,
        groups: [8, 1, 1],
        group: [GROUP.cast_unsigned(), 0, 0],
        arguments: BTreeMap::new(),
        warp_size: 4,
        ..SourceLaunch::default()
    };
    let executed = execute(&module, &flow, &launch, &Assumptions::default(), fold, &Limits::default()).unwrap();
    (module, executed)
}

/// What the trace says of an access: of each work item its address but for what data adds, and the numbers of data.
type Said = Option<Vec<SaidAt>>;

fn said(access: &SourceAccess, counters: &BTreeMap<u32, i64>, shape: &Shape) -> Said {
    let address: &Known = access.address.as_ref()?;
    let of_lane = |lane: usize| {
        let mut at = address.base.at(lane, shape);
        for (symbol, slope) in &address.slopes {
            let Symbol::Counter(counter) = symbol else { continue };
            let time = counters.get(counter).copied().unwrap_or(0);
            match slope {
                Slope::By(slope) => at += time * slope.at(lane, shape),
                Slope::Uneven(_) => assert_eq!(time, 0, "an uneven address is repeated"),
            }
        }
        (at & IN_ARRAY, address.data_of(lane, shape))
    };
    Some((0..LANES).map(of_lane).collect())
}

/// The loads of floating-point numbers in order, each loop unfolded.
fn unfolded((module, executed): &(IrModule, Executed), shape: &Shape) -> Vec<Said> {
    fn add(trace: &Trace, counters: &mut BTreeMap<u32, i64>, of: (&IrModule, &Shape), all: &mut Vec<Said>) {
        for step in trace {
            match step {
                Step::Block(run) => {
                    let instructions = &of.0.kernel.blocks[run.block.index()].instructions;
                    let is_of_a = |access: &&SourceAccess| match &instructions[access.instruction].kind {
                        Kind::Load { of, .. } => of.is_float(),
                        _ => false,
                    };
                    let known = run.accesses.iter().filter(is_of_a);
                    all.extend(known.map(|access| said(access, counters, of.1)));
                }
                Step::Loop(run) => {
                    for round in &run.rounds {
                        for time in 0..round.times {
                            counters.extend(round.counter.map(|counter| (counter, time.cast_signed())));
                            add(&round.steps, counters, of, all);
                        }
                    }
                }
                Step::Sides(..) => panic!("no branch depends on data"),
            }
        }
    }
    let mut all = Vec::new();
    add(&executed.trace, &mut BTreeMap::new(), (module, shape), &mut all);
    all
}

/// The address of a work item without what data adds, and what data adds: symbol, run and factor.
type SaidAt = (i64, Vec<(u32, usize, i64)>);

/// Compares one access of all work items with the bytes that a plain interpreter reaches.
fn compare(said: &[SaidAt], plain: &[i64]) -> Result<(), String> {
    for one in 0..LANES {
        let (place, numbers) = &said[one];
        let factor = numbers.iter().fold(0, |all, (.., factor)| num_gcd(all, factor.abs()));
        let rest = plain[one] - place;
        if rest != 0 && (factor == 0 || rest % factor != 0) {
            return Err(format!("work item {one}: {} is not {place} and a multiple of {factor}", plain[one]));
        }
        for other in one + 1..LANES {
            let (beside, also) = &said[other];
            if numbers == also && plain[other] - plain[one] != beside - place {
                let apart = [beside - place, plain[other] - plain[one]];
                return Err(format!("work items {one} and {other} are {apart:?} bytes apart"));
            }
        }
    }
    Ok(())
}

fn num_gcd(one: i64, other: i64) -> i64 {
    if other == 0 { one } else { num_gcd(other, one % other) }
}

proptest! {
    #[test]
    fn work_items_that_share_a_number_are_as_far_apart_as_in_a_plain_interpreter(
        kernel in kernel(),
        sizes in prop::sample::select(SIZES.to_vec()),
        seeds in [any::<i64>(), any::<i64>()],
    ) {
        let text = text(&kernel);
        let shape = Shape::new(sizes);
        for fold in [false, true] {
            let executed = executed(&text, sizes, fold);
            let all = unfolded(&executed, &shape);
            for seed in seeds {
                let plain: Vec<Vec<i64>> = shape.coordinates().iter().map(|at| {
                    Item { at: [at[0], at[1]], iteration: 0, carried: 0, seed }.run(&kernel)
                }).collect();
                prop_assert_eq!(all.len(), plain[0].len());
                for (number, said) in all.iter().enumerate() {
                    let Some(said) = said else { continue };
                    let own: Vec<i64> = plain.iter().map(|of_lane| of_lane[number]).collect();
                    let compared = compare(said, &own);
                    prop_assert!(compared.is_ok(), "folded: {}, access {}: {:?}\n{}", fold, number, compared, text);
                }
            }
        }
    }
}
