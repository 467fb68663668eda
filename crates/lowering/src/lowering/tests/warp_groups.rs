//! Products of four warps, which go on while the warps do: their units, their groups and their waits.

use super::traced::{kernel, stub};
use super::*;
use Queue::{D, H};
use Server::{Dispatcher, Local, Matrix};
use autotune_machine::machine::{Queue, evaluate};

const FENCE: &str = "call void asm sideeffect \"wgmma.fence.sync.aligned;\", \"\"()";
const COMMIT: &str = "call void asm sideeffect \"wgmma.commit_group.sync.aligned;\", \"\"()";

/// 512 groups of four warps.
const FOUR_WARPS: &str = "launch: { work_items: 65536, work_group: 128 }";

/// A product of 64 x 128 x 16: each of four warps multiplies 16 x 128 x 16 = 32,768 times. `a` is the first factor.
fn product(result: &str, a: &str) -> String {
    let constraints = if a == "$2" { "=f,0,l,l" } else { "=f,0,r,l" };
    format!(
        "{result} = call float asm sideeffect \"wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {{$0}}, {a}, $3, 1, 1, \
         1, 0, 0;\", \"{constraints}\"(float 0.0, {} 5, i64 6), !dbg !10",
        if a == "$2" { "i64" } else { "i32" }
    )
}

fn wait(pending: u64) -> String {
    format!("call void asm sideeffect \"wgmma.wait_group.sync.aligned {pending};\", \"\"()")
}

/// Matrix units whose instructions of 2,048 products take 16 cycles if they are asynchronous, 32 if not, and 24 more to
/// their result.
fn hopper(more: &[(&str, &str)]) -> Profile {
    let all = [
        ("latency_shared_load_cycles", "32"),
        ("matrix_macs_per_cycle", "{ fp16: 512 }"),
        ("matrix_macs_per_cycle_mma", "{ fp16: 256 }"),
        ("matrix_latency_cycles", "40"),
        ("wgmma", "true"),
    ];
    plain_but(&all.into_iter().chain(more.iter().copied()).collect::<Vec<_>>())
}

fn lower(gpu: &Profile, statements: &[&str]) -> Result<Feasibility<Lowered>, LoweringError> {
    let text = format!(
        "kernel: test\nparameters: {{ one: {{ values: [1] }} }}\n{FOUR_WARPS}\nsource: {{ file: k.cl, kernel: k }}\n"
    );
    let spec = Spec::parse(&text, "test.yaml").unwrap_or_else(|error| panic!("{error}"));
    let reader = SourceReader::with_compiler(stub(kernel("", &statements.join("\n  "))));
    Lowering::new(&spec, gpu, &reader).lower(&Configuration(vec![1]))
}

fn program_of(statements: &[&str]) -> Program {
    match lower(&hopper(&[]), statements).unwrap_or_else(|error| panic!("{error}")) {
        Feasibility::Feasible(lowered) => lowered.program,
        Feasibility::Infeasible(why) => panic!("{why}"),
    }
}

fn body(statements: &[&str]) -> Vec<Statement> {
    program_of(statements).body
}

fn issue(instructions: u64) -> Statement {
    Statement::Use { server: Dispatcher, occupancy: instructions * 16, latency: instructions * 16 }
}

/// A group of products of a warp: 256 cycles each and 24 to the result of the last, and passes of local memory.
fn started(products: u64, passes: u64) -> [Statement; 2] {
    let occupancy = products * 256 * 16;
    [
        Statement::Start { server: Matrix, occupancy, latency: occupancy + 24 * 16, queue: D },
        Statement::Start { server: Local, occupancy: passes * 16, latency: passes * 16, queue: H },
    ]
}

#[test]
fn each_of_four_warps_starts_its_part_on_its_own_unit() {
    let one = product("%d", "$2");
    // the fence and the product; a quarter of 64 x 16 and 16 x 128 halves: 1,536 bytes, 12 passes
    let [matrix, local] = started(1, 12);
    let waits = Statement::Wait { queue: D, pending: 0 };
    let expected = [issue(2), matrix, local, waits.clone()];
    assert_eq!(body(&[FENCE, &one, COMMIT, &wait(0)]), expected);
    // a factor in registers: 1,024 bytes of the other
    let in_registers = product("%d", "{$2}");
    assert_eq!(body(&[FENCE, &in_registers, COMMIT, &wait(0)])[1..3], started(1, 8));
}

#[test]
fn the_products_of_a_group_are_one_start() {
    let [one, two] = ["%d", "%e"].map(|result| product(result, "$2"));
    let [matrix, local] = started(2, 24);
    let expected = [issue(3), matrix, local, Statement::Wait { queue: D, pending: 1 }];
    assert_eq!(body(&[FENCE, &one, &two, COMMIT, &wait(1)]), expected);
    // what ends no group ends with the kernel, and an empty group is a start of no time, unless all are waited for
    let [matrix, local] = started(1, 12);
    assert_eq!(body(&[&one]), [issue(1), matrix, local]);
    let empty = Statement::Start { server: Matrix, occupancy: 0, latency: 0, queue: D };
    assert_eq!(body(&[COMMIT, &wait(0)]), []);
    let [matrix, local] = started(1, 12);
    let waits = Statement::Wait { queue: D, pending: 1 };
    assert_eq!(body(&[FENCE, &one, COMMIT, COMMIT, &wait(1)]), [issue(2), matrix, local, empty, waits]);
}

/// The next product takes the sum of the one before: the unit serves them in order, and no warp waits.
#[test]
fn sums_of_the_products_before_are_not_waited_for() {
    let one = product("%d", "$2");
    let two = product("%e", "$2").replace("float 0.0", "float %d");
    let [matrix, local] = started(1, 12);
    let expected = [[issue(1), matrix.clone(), local.clone()], [issue(1), matrix, local]].concat();
    assert_eq!(body(&[&one, COMMIT, &two, COMMIT]), expected);
}

/// Groups of products and groups of copies are counted apart.
#[test]
fn a_wait_for_copies_leaves_products_alone() {
    let copies = "call void asm sideeffect \"cp.async.wait_group 0;\", \"\"()";
    let found = body(&[&product("%d", "$2"), COMMIT, copies]);
    assert!(!found.contains(&Statement::Wait { queue: D, pending: 0 }), "{found:?}");
}

#[test]
fn products_overlap_with_what_the_warp_does_meanwhile() {
    let sums: Vec<String> = (0..400).map(|n| format!("%x{n} = fadd float %s, {n}.0")).collect();
    let sums = format!("%s = sitofp i64 %l to float\n  {}", sums.join("\n  "));
    let one = product("%d", "$2");
    let ticks = |statements: &[&str]| evaluate(&program_of(statements), 1 << 24).unwrap().ticks;
    let none = ticks(&[&sums]);
    let behind = ticks(&[&one, COMMIT, &wait(0), &sums]);
    let meanwhile = ticks(&[&one, COMMIT, &sums, &wait(0)]);
    // 280 cycles of the product are hidden, in each of the groups that a multiprocessor runs one after the other
    assert!(meanwhile + 200 * 16 < behind && none < meanwhile, "{none} {meanwhile} {behind}");
}

#[test]
fn a_gpu_without_such_instructions_refuses_them_at_their_line() {
    let refused = |gpu: &Profile| match lower(gpu, &[&product("%d", "$2"), COMMIT]).unwrap() {
        Feasibility::Feasible(lowered) => panic!("{:?}", lowered.program),
        Feasibility::Infeasible(why) => why.to_string(),
    };
    for (gpu, words) in [
        (
            &hopper(&[("wgmma", "false")]),
            "`wgmma` is not part of the machine: this GPU has no matrix instructions of four warps",
        ),
        (
            &find("a100").unwrap().profile,
            "`wgmma` is not part of the machine: this GPU has no matrix instructions of four warps",
        ),
        (
            &hopper(&[("matrix_macs_per_cycle", "{ int8: 512 }"), ("matrix_macs_per_cycle_mma", "unknown")]),
            "do not take this type",
        ),
    ] {
        let found = refused(gpu);
        assert!(found.contains(words) && found.contains("7:3"), "{found}");
    }
}

/// The block whose products go on while the warp does computes most, however many sums another block adds.
#[test]
fn words_spill_where_four_warps_multiply() {
    let product = product("%d", "$2");
    let added = (0..200).fold("%s0 = fadd float %d, %d\n".to_owned(), |text, n| {
        format!("{text}  %s{} = fadd float %s{n}, %d\n", n + 1)
    });
    let body = format!(
        "br label %loop\nloop:\n  %k = phi i64 [ 0, %entry ], [ %next, %loop ]\n  {product}\n  {COMMIT}\n  {}\n  %next = \
         add nuw i64 %k, 1\n  %is = icmp eq i64 %next, 40\n  br i1 %is, label %end, label %loop\nend:\n  {added}  %p = \
         getelementptr float, ptr addrspace(1) %a, i64 %g\n  store float %s200, ptr addrspace(1) %p, align 4",
        wait(0)
    );
    let text = format!(
        "kernel: test\nparameters: {{ one: {{ values: [1] }} }}\n{FOUR_WARPS}\nsource: {{ file: k.cl, kernel: k }}\n"
    );
    let (spec, gpu) = (Spec::parse(&text, "test.yaml").unwrap(), hopper(&[]));
    let reader = SourceReader::with_compiler(stub(kernel("", &body)));
    match Lowering::new(&spec, &gpu, &reader).trace(&Configuration(vec![1])).unwrap().unwrap() {
        Feasibility::Feasible(traced) => assert_eq!((traced.spill_uses(), traced.words_of_sums()), (40, 64)),
        Feasibility::Infeasible(why) => panic!("{why}"),
    }
}

/// A body says the bytes that a product takes out of local memory, and has the time of its source.
#[test]
fn a_body_states_the_bytes_of_factors_in_local_memory() {
    let gpu = hopper(&[]);
    let product = "matrix: { shape: [16, 128, 16], type: fp16, local_bytes: 1536, queue: q }";
    let Program { body, .. } = program(&gpu, FOUR_WARPS, &[product, "wait: { queue: q }"]);
    let Statement::Start { server: Matrix, occupancy, .. } = body[1] else { panic!("{body:?}") };
    assert_eq!(occupancy, 256 * 16);
    assert_eq!(body[2], started(1, 12)[1]);
    let held = program(&gpu, FOUR_WARPS, &[&product.replace(", queue: q", "")]).body;
    assert_eq!(held[1], started(1, 12)[1], "the passes go on while the warp does");
}
