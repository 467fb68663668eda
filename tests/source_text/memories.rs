//! Random accesses through pointers that are chosen among arrays of several memories: each work item reaches the array that a
//! plain interpreter of one work item reaches, and a warp issues the instruction once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use autotune::limits::Limits;
use autotune::source::{
    AccessKind, Assumptions, BlockRun, Executed, Flow, IrText, RegionId, Shape, Slope, SourceLaunch, SourceMemory,
    Step, Symbol, Trace, execute,
};
use proptest::prelude::*;

const LANES: usize = 16;
const WARP: usize = 4;
const GROUP: i64 = 3;

/// The arrays: name, text of the pointer, memory.
const ARRAYS: [(&str, &str, SourceMemory); 4] = [
    ("a", "%a", SourceMemory::Global),
    ("b", "%b", SourceMemory::Global),
    ("s", "addrspacecast (ptr addrspace(3) @s to ptr)", SourceMemory::Local),
    ("r", "addrspacecast (ptr addrspace(3) @r to ptr)", SourceMemory::Local),
];

/// A number from the ids: a constant, and the factors of the work item, of the iteration and of the group.
type Sum = [i64; 4];

/// A pointer: the number of an array and the bytes in it, below 4,096.
type Pointer = (usize, Sum);

/// A load or a store through the first pointer whose bits (a sum and a mask) are below a limit, else through the last one.
#[derive(Debug, Clone)]
struct Chosen {
    stores: bool,
    arms: Vec<(Sum, i64, i64, Pointer)>,
    last: Pointer,
}

/// Accesses, and how often they are repeated.
type Kernel = (i64, Vec<Chosen>);

fn sum() -> impl Strategy<Value = Sum> + Clone {
    let lane = prop::sample::select(vec![-4, 0, 1, 1, 2, 8]);
    (0..40_i64, lane, 0..5_i64, prop::sample::select(vec![0, 0, 4, 16])).prop_map(Into::into)
}

fn kernel() -> impl Strategy<Value = Kernel> {
    let pointer = (0..ARRAYS.len(), sum());
    let arm = (sum(), prop::sample::select(vec![1, 3, 4, 7, 15]), 0..9_i64, pointer.clone());
    let chosen = (any::<bool>(), prop::collection::vec(arm, 0..3), pointer).prop_map(|(stores, arms, last)| Chosen {
        stores,
        arms,
        last,
    });
    (prop::sample::select(vec![1_i64, 1, 3, 40]), prop::collection::vec(chosen, 1..4))
}

fn value(of: Sum, lane: i64, time: i64) -> i64 {
    of[0] + of[1] * lane + of[2] * time + of[3] * GROUP
}

/// The bytes of an index in an array.
fn place(of: Sum, lane: i64, time: i64) -> i64 {
    4 * (value(of, lane, time) & 1023)
}

/// What the work items access in order: the name of the array, the byte, and true for a store.
type Accessed = Vec<Vec<(String, i64, bool)>>;

fn plain((times, body): &Kernel) -> Accessed {
    let of_lane = |lane: i64| {
        let each = (0..*times).flat_map(|time| body.iter().map(move |one| (time, one)));
        let reached = each.map(|(time, Chosen { stores, arms, last })| {
            let taken = arms.iter().find(|(of, mask, limit, _)| value(*of, lane, time) & mask < *limit);
            let (array, of) = taken.map_or(*last, |(.., pointer)| *pointer);
            (ARRAYS[array].0.to_owned(), place(of, lane, time), *stores)
        });
        reached.collect()
    };
    (0..i64::try_from(LANES).unwrap()).map(of_lane).collect()
}

/// The text of a kernel.
fn text((times, body): &Kernel) -> String {
    let mut lines = String::new();
    for (made, Chosen { stores, arms, last }) in body.iter().enumerate() {
        let mut chosen = pointer(&mut lines, *last, &format!("{made}.last"));
        for (number, (of, mask, limit, to)) in arms.iter().enumerate().rev() {
            let own = format!("{made}.{number}");
            let to = pointer(&mut lines, *to, &own);
            let index = sum_of(&mut lines, *of, &format!("c{own}"));
            writeln!(lines, "  %b{own} = and i32 {index}, {mask}\n  %t{own} = icmp slt i32 %b{own}, {limit}").unwrap();
            writeln!(lines, "  %q{own} = select i1 %t{own}, ptr {to}, ptr {chosen}").unwrap();
            chosen = format!("%q{own}");
        }
        match stores {
            true => writeln!(lines, "  store float 1.0, ptr {chosen}, align 4").unwrap(),
            false => writeln!(lines, "  %x{made} = load float, ptr {chosen}, align 4").unwrap(),
        }
    }
    format!(
        "@s = internal addrspace(3) global [1024 x float] undef\n@r = internal addrspace(3) global [1024 x float] undef\n\
         define void @k(ptr noalias %a, ptr noalias %b) {{\nentry:\n  \
         %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n  \
         br label %head\nhead:\n  %i = phi i32 [ 0, %entry ], [ %n, %head ]\n{lines}  %n = add nuw nsw i32 %i, 1\n  \
         %goes = icmp ult i32 %n, {times}\n  br i1 %goes, label %head, label %out\nout:\n  ret void\n}}\n"
    )
}

/// Writes a sum, and returns its name.
fn sum_of(lines: &mut String, of: Sum, own: &str) -> String {
    let [constant, lane, time, group] = of;
    writeln!(lines, "  %s{own}.a = mul i32 %lane, {lane}\n  %s{own}.b = add i32 %s{own}.a, {constant}").unwrap();
    writeln!(lines, "  %s{own}.c = mul i32 %i, {time}\n  %s{own}.d = add i32 %s{own}.b, %s{own}.c").unwrap();
    writeln!(lines, "  %s{own}.e = mul i32 %group, {group}\n  %s{own} = add i32 %s{own}.d, %s{own}.e").unwrap();
    format!("%s{own}")
}

/// Writes a pointer, and returns its name.
fn pointer(lines: &mut String, (array, of): Pointer, own: &str) -> String {
    let index = sum_of(lines, of, &format!("p{own}"));
    writeln!(lines, "  %m{own} = and i32 {index}, 1023\n  %w{own} = zext i32 %m{own} to i64").unwrap();
    writeln!(lines, "  %p{own} = getelementptr inbounds float, ptr {}, i64 %w{own}", ARRAYS[array].1).unwrap();
    format!("%p{own}")
}

fn executed(text: &str, fold: bool) -> Executed {
    let module = IrText::split(text).unwrap().module("k").unwrap().unwrap();
    let flow = Flow::new(&module.kernel);
    let launch = SourceLaunch {
        sizes: [16, 1, 1],
        groups: [8, 1, 1],
        group: [GROUP.cast_unsigned(), 0, 0],
        arguments: BTreeMap::new(),
        warp_size: 4,
        ..SourceLaunch::default()
    };
    execute(&module, &flow, &launch, &Assumptions::default(), fold, &Limits::default()).unwrap()
}

/// The accesses of a trace by work items, each loop unfolded.
fn unfolded(executed: &Executed) -> Accessed {
    fn add(trace: &Trace, counters: &mut BTreeMap<u32, i64>, executed: &Executed, all: &mut Accessed) {
        for step in trace {
            match step {
                Step::Block(run) => add_run(run, counters, executed, all),
                Step::Loop(run) => {
                    for round in &run.rounds {
                        for time in 0..round.times {
                            counters.extend(round.counter.map(|counter| (counter, time.cast_signed())));
                            add(&round.steps, counters, executed, all);
                        }
                    }
                }
                Step::Sides(..) => panic!("no branch depends on data"),
            }
        }
    }
    let mut all = vec![Vec::new(); LANES];
    add(&executed.trace, &mut BTreeMap::new(), executed, &mut all);
    all
}

fn add_run(run: &BlockRun, counters: &BTreeMap<u32, i64>, executed: &Executed, all: &mut Accessed) {
    let shape = Shape::new([16, 1, 1]);
    let mut issued: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for access in &run.accesses {
        let address = access.address.as_ref().unwrap();
        let items = access.items.as_ref().unwrap_or(&run.items);
        assert!(access.knows_memory);
        let issuing = access.part.as_ref().map_or(&**items, |part| &part.issuing);
        let warps: BTreeSet<usize> = issuing.ones().map(|lane| lane / WARP).collect();
        issued.entry(access.instruction).or_default().extend(warps);
        for lane in items.ones() {
            let mut at = address.base.at(lane, &shape);
            for (symbol, slope) in &address.slopes {
                let (Symbol::Counter(counter), Slope::By(slope)) = (symbol, slope) else { continue };
                at += counters.get(counter).copied().unwrap_or(0) * slope.at(lane, &shape);
            }
            let region = RegionId::from_address(at).unwrap();
            let array = &executed.regions[region.0 as usize];
            assert_eq!(array.memory, access.memory);
            assert_eq!(Some(&array.memory), ARRAYS.iter().find(|known| *known.0 == *array.name).map(|known| &known.2));
            // One region is that of all work items; arrays of global memory are told apart.
            assert!(access.region.map_or(access.memory == SourceMemory::Local, |own| own == region));
            let is_store = access.kind == AccessKind::Store;
            all[lane].push((array.name.to_string(), at - region.address(), is_store));
        }
    }
    for (instruction, mut warps) in issued {
        warps.sort_unstable();
        assert_eq!(
            warps,
            (0..LANES / WARP).collect::<Vec<_>>(),
            "instruction {instruction} is issued once by each warp"
        );
    }
}

proptest! {
    #[test]
    fn each_work_item_reaches_the_memory_that_a_plain_interpreter_reaches(kernel in kernel()) {
        let text = text(&kernel);
        let plain = plain(&kernel);
        for fold in [false, true] {
            prop_assert_eq!(&unfolded(&executed(&text, fold)), &plain, "folded: {}\n{}", fold, text);
        }
    }
}
