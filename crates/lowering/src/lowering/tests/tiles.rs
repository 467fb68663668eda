//! Copies of tiles that one work item starts for its group.

use super::traced::{kernel, stub};
use super::*;
use Queue::{E, H};
use Server::{Local, Memory};
use autotune_machine::machine::Queue;

/// 512 groups of four warps.
const FOUR_WARPS: &str = "launch: { work_items: 65536, work_group: 128 }";

/// The first work item copies one of three pieces of 4,096 bytes of `%a`, which are its group's, and the copy ends at a
/// barrier.
fn tile(piece: u32, barrier: u32) -> String {
    format!(
        "call void asm sideeffect \"@$0 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2], 4096, \
         [$3];\", \"b,r,l,r\"(i1 %first, ptr addrspace(3) @tile, ptr addrspace(1) %p{piece}, ptr addrspace(3) getelementptr (i8, \
         ptr addrspace(3) @tile, i32 {})), !dbg !10",
        8192 + 8 * barrier
    )
}

fn wait(barrier: u32) -> String {
    format!(
        "call void asm sideeffect \"mbarrier.try_wait.parity.shared::cta.b64 p, [$0], 0;\", \"r\"(ptr addrspace(3) \
         getelementptr (i8, ptr addrspace(3) @tile, i32 {}))",
        8192 + 8 * barrier
    )
}

fn lower(gpu: &Profile, statements: &[String]) -> Result<Feasibility<Lowered>, LoweringError> {
    let first = "%first = icmp eq i64 %l, 0\n  %w = call spir_func i64 @_Z12get_group_idj(i32 0)\n  %k = mul i64 %w, \
                 12288\n  %p0 = getelementptr i8, ptr addrspace(1) %a, i64 %k\n  %p1 = getelementptr i8, ptr \
                 addrspace(1) %p0, i64 4096\n  %p2 = getelementptr i8, ptr addrspace(1) %p0, i64 8192";
    let globals = "@tile = internal addrspace(3) global [8320 x i8] undef, align 128";
    let text = format!(
        "kernel: test\nparameters: {{ one: {{ values: [1] }} }}\n{FOUR_WARPS}\nsource: {{ file: k.cl, kernel: k }}\n"
    );
    let spec = Spec::parse(&text, "test.yaml").unwrap_or_else(|error| panic!("{error}"));
    let text = kernel(globals, &format!("{first}\n  {}", statements.join("\n  ")));
    let reader = SourceReader::with_compiler(stub(text));
    Lowering::new(&spec, gpu, &reader).lower(&Configuration(vec![1]))
}

fn gpu(tma: &str) -> Profile {
    plain_but(&[("latency_shared_load_cycles", "32"), ("tma", tma)])
}

/// The starts and waits of a program.
fn body(statements: &[String]) -> Vec<Statement> {
    match lower(&gpu("true"), statements).unwrap_or_else(|error| panic!("{error}")) {
        Feasibility::Feasible(lowered) => {
            let of_queue = |one: &Statement| matches!(one, Statement::Start { .. } | Statement::Wait { .. });
            lowered.program.body.into_iter().filter(of_queue).collect()
        }
        Feasibility::Infeasible(why) => panic!("{why}"),
    }
}

/// A quarter of a tile: 1,024 bytes at 17 a cycle behind 400 cycles, and 8 passes of local memory.
fn quarter() -> [Statement; 2] {
    let occupancy = (1024_u64 * 16).div_ceil(17);
    [
        Statement::Start { server: Memory, occupancy, latency: occupancy + 6400, queue: E },
        Statement::Start { server: Local, occupancy: 128, latency: 128, queue: H },
    ]
}

#[test]
fn each_warp_starts_its_part_of_a_tile() {
    let [memory, local] = quarter();
    let waits = Statement::Wait { queue: E, pending: 0 };
    assert_eq!(body(&[tile(0, 0), wait(0)]), [memory, local, waits]);
}

#[test]
fn a_wait_leaves_the_copies_of_later_barriers_pending() {
    let [memory, local] = quarter();
    let waits = |pending| Statement::Wait { queue: E, pending };
    let three = [memory.clone(), local.clone(), memory.clone(), local.clone(), memory, local];
    // two tiles end at barrier 0, one at barrier 1; no copy ends at barrier 2
    let found = body(&[tile(0, 0), tile(1, 0), tile(2, 1), wait(0), wait(1), wait(2)]);
    assert_eq!(found, [&three[..], &[waits(1), waits(0), waits(3)]].concat());
}

#[test]
fn a_gpu_without_such_copies_refuses_them_at_their_line() {
    for gpu in [&gpu("false"), &find("a100").unwrap().profile] {
        let found = match lower(gpu, &[tile(0, 0)]).unwrap() {
            Feasibility::Feasible(lowered) => panic!("{:?}", lowered.program),
            Feasibility::Infeasible(why) => why.to_string(),
        };
        let words = "`cp.async.bulk` is not part of the machine: this GPU has no copies of a work item for its group";
        assert!(found.contains(words) && found.contains("7:3"), "{found}");
    }
}
