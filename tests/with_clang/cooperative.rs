//! Random cooperative kernels: the barriers and accesses of their programs are those that an interpreter counts, group by group,
//! and a barrier of all groups that some groups do not reach is refused with the number of these groups.

use std::fmt::Write;

use autotune::gpu::{self, Profile};
use autotune::lowering::{Feasibility, Infeasible, Lowering};
use autotune::machine::{BarrierScope, Program, Statement as Lowered, evaluate};
use autotune::source::{RefusalRule, SourceReader, Tools};
use autotune::spec::{Configuration, Spec};
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use tempfile::TempDir;

/// Work items of a group, which is one warp.
const ITEMS: u64 = 32;

/// Ticks of a load.
const LOAD: u64 = 1_009;

/// Ticks of a store.
const STORE: u64 = 999_983;

/// Ticks of a message.
const MESSAGE: u64 = 11;

/// Ticks of the launch.
const LAUNCH: u64 = 5;

/// A statement of a random kernel.
#[derive(Debug)]
enum Statement {
    Load,
    Store,
    GroupBarrier,
    GridBarrier,
    Loop(u64, Vec<Self>),
    /// A condition on the group's id.
    Branch(Condition, [Vec<Self>; 2]),
}

/// A condition on the id of the group.
#[derive(Debug, Clone, Copy)]
enum Condition {
    Is(u64),
    IsNot(u64),
    Below(u64),
    Remainder(u64, u64),
}

impl Condition {
    fn holds(self, group: u64) -> bool {
        match self {
            Self::Is(id) => group == id,
            Self::IsNot(id) => group != id,
            Self::Below(id) => group < id,
            Self::Remainder(divisor, rest) => group % divisor == rest,
        }
    }

    fn text(self) -> String {
        match self {
            Self::Is(id) => format!("blockIdx.x == {id}"),
            Self::IsNot(id) => format!("blockIdx.x != {id}"),
            Self::Below(id) => format!("blockIdx.x < {id}"),
            Self::Remainder(divisor, rest) => format!("blockIdx.x % {divisor} == {rest}"),
        }
    }
}

/// The numbers of what a work item of a group executes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    loads: u64,
    stores: u64,
    group_barriers: u64,
    grid_barriers: u64,
}

impl Counts {
    fn of(statements: &[Statement], group: u64) -> Self {
        let mut counts = Self::default();
        counts.add(statements, group, 1);
        counts
    }

    fn add(&mut self, statements: &[Statement], group: u64, times: u64) {
        for statement in statements {
            match statement {
                Statement::Load => self.loads += times,
                Statement::Store => self.stores += times,
                Statement::GroupBarrier => self.group_barriers += times,
                Statement::GridBarrier => self.grid_barriers += times,
                Statement::Loop(count, body) => self.add(body, group, times * count),
                Statement::Branch(condition, [then, otherwise]) => {
                    self.add(if condition.holds(group) { then } else { otherwise }, group, times);
                }
            }
        }
    }
}

/// Random statements; those of `branches` have conditions on the group's id.
fn statements(random: &mut impl Rng, depth: u32, groups: u64, branches: bool) -> Vec<Statement> {
    (0..random.random_range(1..=3)).map(|_| statement(random, depth, groups, branches)).collect()
}

fn statement(random: &mut impl Rng, depth: u32, groups: u64, branches: bool) -> Statement {
    match random.random_range(0..if depth == 0 { 6 } else { 9 }) {
        0 | 1 => Statement::Load,
        2 => Statement::Store,
        3 => Statement::GroupBarrier,
        4 | 5 => Statement::GridBarrier,
        6 | 7 if branches => {
            let id = random.random_range(0..groups);
            let condition = match random.random_range(0..4) {
                0 => Condition::Is(id),
                1 => Condition::IsNot(id),
                2 => Condition::Below(id),
                _ => Condition::Remainder(random.random_range(2..5), random.random_range(0..2)),
            };
            let side = |random: &mut _| statements(random, depth - 1, groups, branches);
            let then = side(random);
            let otherwise = if random.random_bool(0.5) { side(random) } else { Vec::new() };
            Statement::Branch(condition, [then, otherwise])
        }
        _ => Statement::Loop(random.random_range(1..=6), statements(random, depth - 1, groups, branches)),
    }
}

/// A kernel of statements. Each access is volatile and has a place of its own, so that the compiler keeps all of them.
fn kernel(name: &str, statements: &[Statement]) -> String {
    let (mut body, mut next) = (String::new(), 0);
    list(statements, &mut next, &mut body);
    format!(
        "__global__ void {name}(volatile float* a)\n{{\n    \
         cooperative_groups::grid_group grid = cooperative_groups::this_grid();\n    \
         int own = blockIdx.x * {ITEMS} + threadIdx.x;\n{body}}}\n"
    )
}

fn list(statements: &[Statement], next: &mut u32, body: &mut String) {
    for statement in statements {
        *next += 1;
        match statement {
            Statement::Load => writeln!(body, "    a[{next} * 4096 + own];").unwrap(),
            Statement::Store => writeln!(body, "    a[{next} * 4096 + own] = 1;").unwrap(),
            Statement::GroupBarrier => body.push_str("    __syncthreads();\n"),
            Statement::GridBarrier => body.push_str("    grid.sync();\n"),
            Statement::Loop(count, inner) => {
                writeln!(body, "    for (int i{next} = 0; i{next} < {count}; i{next}++) {{").unwrap();
                list(inner, next, body);
                body.push_str("    }\n");
            }
            Statement::Branch(condition, [then, otherwise]) => {
                writeln!(body, "    if ({}) {{", condition.text()).unwrap();
                list(then, next, body);
                body.push_str("    } else {\n");
                list(otherwise, next, body);
                body.push_str("    }\n");
            }
        }
    }
}

/// The abstract processor that counts what a kernel does: operations are free.
fn counting() -> Profile {
    let text = format!(
        "name: counting\nexecution: lockstep\nmultiprocessors: 8\nprocessing_elements: {ITEMS}\ndispatchers: 1\n\
         global_memory_ticks: {LOAD}\nlocal_memory_ticks: 0\nlaunch_ticks: {LAUNCH}\nread_ticks: {LOAD}\n\
         write_ticks: {STORE}\noperation_ticks: 0\nmessage_ticks: {MESSAGE}\n"
    );
    Profile::parse(&text, "counting.yaml").unwrap()
}

/// Random kernels in one file, which a clang compiles once for each GPU.
struct Kernels {
    folder: TempDir,
    reader: SourceReader,
    /// The groups of the launch, the statements and the text of each kernel.
    all: Vec<(u64, Vec<Statement>, String)>,
}

impl Kernels {
    fn new(all: impl Iterator<Item = (u64, Vec<Statement>)>) -> Self {
        let text = |(number, (groups, statements)): (usize, (u64, Vec<Statement>))| {
            let text = kernel(&format!("k{number}"), &statements);
            (groups, statements, text)
        };
        let all: Vec<_> = all.enumerate().map(text).collect();
        let source =
            all.iter().fold("#include <cooperative_groups.h>\n".to_owned(), |source, (.., text)| source + text);
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("kernels.cu"), source).unwrap();
        let tools = Tools { clang: Some("clang-19".into()), no_cache: true, ..Tools::default() };
        Self { folder, reader: SourceReader::new(tools), all }
    }

    /// The program of a kernel, or the reason why it is refused.
    fn lowered(&self, number: usize, profile: &Profile) -> Result<Program, String> {
        let (groups, _, text) = &self.all[number];
        let file = self.folder.path().join(format!("k{number}.yaml"));
        let spec = format!(
            "kernel: k\nlaunch: {{ work_items: {}, work_group: {ITEMS} }}\n\
             source: {{ file: kernels.cu, kernel: k{number} }}\n",
            groups * ITEMS
        );
        std::fs::write(&file, spec).unwrap();
        let spec = Spec::load(&file).unwrap();
        match Lowering::new(&spec, profile, &self.reader).lower(&Configuration(Vec::new())).unwrap() {
            Feasibility::Feasible(lowered) => Ok(lowered.program),
            Feasibility::Infeasible(Infeasible::Refused { rule: RefusalRule::Barrier, why }) => Err(why),
            Feasibility::Infeasible(why) => panic!("{why:?}: {text}"),
        }
    }
}

/// The barriers of a program: those of groups, and those of all groups.
fn barriers(body: &[Lowered]) -> [u64; 2] {
    Lowered::all(body).fold([0; 2], |[of_group, of_grid], (statement, times)| {
        let times = u64::try_from(times).unwrap();
        match statement {
            Lowered::Barrier { scope: BarrierScope::Group, .. } => [of_group + times, of_grid],
            Lowered::Barrier { scope: BarrierScope::Grid, .. } => [of_group, of_grid + times],
            _ => [of_group, of_grid],
        }
    })
}

#[test]
fn programs_of_random_cooperative_kernels_have_the_barriers_and_times_that_an_interpreter_counts() {
    let mut random = StdRng::seed_from_u64(61);
    let drawn = (0..30).map(|_| {
        let groups = random.random_range(1..=8);
        (groups, statements(&mut random, 3, groups, false))
    });
    let kernels = Kernels::new(drawn);
    let (counting, v100) = (counting(), &gpu::find("v100").unwrap().profile);
    let mut with_grid = 0;
    for (number, (_, statements, text)) in kernels.all.iter().enumerate() {
        let counts = Counts::of(statements, 0);
        let program = kernels.lowered(number, &counting).unwrap();
        let expected = [counts.group_barriers, counts.grid_barriers];
        assert_eq!(barriers(&program.body), expected, "{text}");
        // A group has one pass, on a multiprocessor of its own.
        let messages = 6 + 2 * (counts.group_barriers + counts.grid_barriers);
        let ticks = LAUNCH + MESSAGE * messages + LOAD * counts.loads + STORE * counts.stores;
        assert_eq!(evaluate(&program, u64::MAX).unwrap().ticks, ticks, "{counts:?}: {text}");
        assert_eq!(barriers(&kernels.lowered(number, v100).unwrap().body), expected, "{text}");
        with_grid += u32::from(counts.grid_barriers > 0);
    }
    assert!(with_grid > 10, "only {with_grid} kernels with a barrier of all groups");
}

#[test]
fn random_kernels_are_refused_where_groups_reach_different_numbers_of_barriers_of_all_groups_and_nowhere_else() {
    let mut random = StdRng::seed_from_u64(62);
    let drawn = (0..60).map(|_| {
        let groups = random.random_range(2..=8);
        (groups, statements(&mut random, 2, groups, true))
    });
    let kernels = Kernels::new(drawn);
    let v100 = &gpu::find("v100").unwrap().profile;
    let (mut refused, mut kept) = (0, 0);
    for (number, (groups, statements, text)) in kernels.all.iter().enumerate() {
        let counts: Vec<u64> = (0..*groups).map(|group| Counts::of(statements, group).grid_barriers).collect();
        let most = *counts.iter().max().unwrap();
        let missing = counts.iter().filter(|count| **count < most).count();
        match kernels.lowered(number, v100) {
            Ok(_) => {
                assert_eq!(missing, 0, "{counts:?}: {text}");
                kept += u32::from(most > 0);
            }
            Err(why) => {
                let said = format!("{missing} of the launch's {groups} groups ");
                assert!(missing > 0 && why.contains(&said) && !why.contains("at least"), "{why}, {counts:?}: {text}");
                let named = named_groups(&why);
                assert_eq!(counts[named[0]], most, "{why}, {counts:?}: {text}");
                assert!(counts[named[1]] < most, "{why}, {counts:?}: {text}");
                refused += 1;
            }
        }
    }
    assert!(refused > 10 && kept > 10, "{refused} refused, {kept} with barriers kept");
}

/// The two groups that a message names.
fn named_groups(message: &str) -> [usize; 2] {
    let mut named = message.split("group ").skip(1).map(|rest| rest.split(',').next().unwrap().parse().unwrap());
    [named.next().unwrap(), named.next().unwrap()]
}
