//! Neighbours that a back end joins, and those that it cannot.

use super::*;
use crate::source::ir::IrText;

/// A module for a processor: a kernel with a body, and variables.
fn module(processor: &str, globals: &str, parameters: &str, body: &str) -> IrModule {
    let text = format!(
        "{globals}\ndefine spir_kernel void @k({parameters}) #0 {{\nentry:\n  %l = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  \
         {body}\n  ret void\n}}\nattributes #0 = {{ \"target-cpu\"=\"{processor}\" }}\n"
    );
    IrText::split(&text).unwrap().module("k").unwrap().unwrap()
}

/// The joined instructions of a body: the bytes of each, sorted.
fn widths(processor: &str, globals: &str, parameters: &str, body: &str) -> Vec<u64> {
    let module = module(processor, globals, parameters, body);
    let mut widths: Vec<u64> = Joins::new(&module).block(BlockId(0)).joined.iter().map(|one| one.bytes).collect();
    widths.sort_unstable();
    widths
}

const GLOBAL: &str = "ptr addrspace(1) %a, ptr addrspace(1) %b";
const APART: &str = "ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b";

/// Loads of floats of `a`, `step * l` floats from its beginning and these on: each has the alignment beside it.
fn loads(pointer: &str, step: i64, words: &[(i64, u64)]) -> String {
    let index = format!("%m = mul nsw i32 %l, {step}\n  %i = sext i32 %m to i64\n  ");
    index + &words.iter().map(|(at, align)| load(pointer, *at, *align)).collect::<String>()
}

fn load(pointer: &str, at: i64, align: u64) -> String {
    format!(
        "%i{at} = add nsw i64 %i, {at}\n  %p{at} = getelementptr inbounds float, {pointer}, i64 %i{at}\n  %v{at} = load \
         float, ptr addrspace({}) %p{at}, align {align}\n  ",
        if pointer.contains("(3)") { 3 } else { 1 }
    )
}

const A: &str = "ptr addrspace(1) %a";
const STORE_B: &str = "store float 1.0, ptr addrspace(1) %b, align 4\n  ";

#[test]
fn neighbours_are_joined_by_the_alignment_that_the_compiler_knows() {
    let of = |words: &[(i64, u64)]| widths("sm_80", "", GLOBAL, &loads(A, 4, words));
    assert_eq!(of(&[(0, 16), (1, 4), (2, 8), (3, 4)]), [16]);
    assert_eq!(of(&[(3, 4), (1, 4), (2, 8), (0, 16)]), [16], "in any order");
    assert_eq!(
        of(&[(0, 4), (1, 4), (2, 4), (3, 4)]),
        [0; 0],
        "the address of an array of words may be any multiple of 4"
    );
    assert_eq!(of(&[(0, 8), (1, 4), (2, 8), (3, 4)]), [8, 8]);
    assert_eq!(of(&[(0, 16), (1, 4), (2, 8)]), [8], "NVIDIA's GPUs have no instruction of 12 bytes");
    assert_eq!(of(&[(0, 16), (2, 8)]), [0; 0]);
    assert_eq!(widths("gfx90a", "", GLOBAL, &loads(A, 4, &[(0, 4), (1, 4), (2, 4)])), [12], "AMD's have");
}

#[test]
fn nothing_is_joined_across_what_may_change_memory() {
    let of = |parameters, between: &str| {
        let body = loads(A, 4, &[(0, 8)]) + between + &load(A, 1, 4);
        widths("sm_80", "", parameters, &body)
    };
    assert_eq!(of(GLOBAL, ""), [8]);
    assert_eq!(of(GLOBAL, STORE_B), [0; 0], "`b` may be `a`");
    assert_eq!(of(APART, STORE_B), [8]);
    for fence in [
        "fence syncscope(\"workgroup\") seq_cst\n  ",
        "call void @llvm.nvvm.membar.gl()\n  ",
        "call void @_Z9mem_fencej(i32 1)\n  ",
        "call void @__autotune_syncwarp(i32 -1)\n  ",
        "call void asm sideeffect \"\", \"\"()\n  ",
        "call void asm \"\", \"~{memory}\"()\n  ",
    ] {
        assert_eq!(of(APART, fence), [0; 0], "{fence}");
    }
    assert_eq!(of(APART, &STORE_B.replace("store", "store volatile")), [0; 0], "it need not return");
    assert_eq!(of(APART, "%w = load volatile float, ptr addrspace(1) %b, align 4\n  "), [8]);
    let volatile = loads(A, 4, &[(0, 8), (1, 4)]).replace("load float", "load volatile float");
    assert_eq!(widths("sm_80", "", APART, &volatile), [0; 0]);
}

/// The types `float`, `int`, `char` and two structures of a float: each tag has a number behind 20.
const TYPES: &str = "!1 = !{!\"Simple C++ TBAA\"}
!2 = !{!\"omnipotent char\", !1, i64 0}
!3 = !{!\"float\", !2, i64 0}
!4 = !{!\"int\", !2, i64 0}
!5 = !{!\"_ZTS2F2\", !3, i64 0, !3, i64 4}
!6 = !{!\"_ZTS1M\", !3, i64 0, !4, i64 4}
!7 = !{!\"_ZTS3Two\", !5, i64 0, !5, i64 8}
!8 = !{!\"another language\"}
!20 = !{!3, !3, i64 0}
!21 = !{!4, !4, i64 0}
!22 = !{!2, !2, i64 0}
!23 = !{!5, !3, i64 0}
!24 = !{!5, !3, i64 4}
!25 = !{!6, !3, i64 0}
!26 = !{!6, !4, i64 4}
!27 = !{!7, !3, i64 8}
!28 = !{!7, !3, i64 12}
!29 = !{!8, !8, i64 0}
!30 = !{!8, i64 0}
!31 = !{!31, !31, i64 0}
!32 = !{!\"round\", !32, i64 0}
!33 = !{!32, !32, i64 0}";

/// Each row was read off the PTX of clang 19; the last four are notes that clang does not write.
#[test]
fn types_that_cannot_be_one_object_reach_different_memory() {
    let of = |first, between: u32, second| {
        let tagged = |load: String, tag: u32| load.replace("\n  ", &format!(", !tbaa !{tag}\n  "));
        let store = format!("store float 1.0, ptr addrspace(1) %b, align 4, !tbaa !{between}\n  ");
        let body = loads(A, 4, &[]) + &tagged(load(A, 0, 8), first) + &store + &tagged(load(A, 1, 4), second);
        widths("sm_80", TYPES, GLOBAL, &body)
    };
    assert_eq!(of(23, 21, 24), [8], "a structure of floats has no int");
    assert_eq!(of(23, 20, 24), [0; 0], "a float is");
    assert_eq!(of(23, 22, 24), [0; 0], "a char may be anything");
    assert_eq!(of(25, 21, 26), [0; 0], "an int is the second member of `M`");
    assert_eq!(of(25, 20, 26), [8], "a float is its first member, which stays where it is");
    assert_eq!(of(23, 25, 24), [8], "a float of `M` is none of `F2`");
    assert_eq!(of(23, 26, 24), [8]);
    assert_eq!(of(23, 27, 24), [8], "`Two` has the first float of an `F2` 8 bytes from its beginning");
    assert_eq!(of(23, 28, 24), [0; 0], "and the second one 12 bytes from it");
    for unknown in [29, 30, 31, 33] {
        assert_eq!(of(23, unknown, 24), [0; 0], "!{unknown}");
    }
}

#[test]
fn stores_go_down_to_the_last_one() {
    let plain = |between: &str| {
        let stores = |at: i64, align| load(A, at, align).replace(&format!("%v{at} = load float"), "store float 1.0");
        let body = loads(A, 4, &[]) + &stores(0, 8) + between + &stores(1, 4);
        module("sm_80", "", APART, &body)
    };
    let joins = Joins::new(&plain(""));
    let [joined] = &joins.block(BlockId(0)).joined[..] else { panic!("{joins:?}") };
    assert_eq!((joined.bytes, joined.stands_at), (8, *joined.members.last().unwrap()));
    let reads = Joins::new(&plain("%x = load float, ptr addrspace(1) %a, align 4\n  "));
    assert!(reads.block(BlockId(0)).joined.is_empty(), "what is read may be what is stored");
}

const TILE: &str = "@s = internal addrspace(3) global [1024 x float] undef, align 4";
const S: &str = "ptr addrspace(3) @s";

/// The assembler's rules were read off the machine code of `ptxas` 12.8.
#[test]
fn nvidias_assembler_joins_words_of_local_memory() {
    let loads_of = |globals: &str, step, words: &[i64]| {
        let words: Vec<(i64, u64)> = words.iter().map(|at| (*at, 4)).collect();
        widths("sm_80", globals, GLOBAL, &loads(S, step, &words))
    };
    assert_eq!(loads_of(TILE, 4, &[0, 1, 2, 3]), [16]);
    assert_eq!(loads_of(TILE, 8, &[0, 1, 3]), [16], "three of four words are loaded as all four");
    assert_eq!(loads_of(TILE, 8, &[2, 3]), [8]);
    assert_eq!(loads_of(TILE, 8, &[1, 2]), [0; 0]);
    assert_eq!(loads_of(TILE, 8, &[2, 3, 4, 5]), [8, 8]);
    assert_eq!(loads_of(TILE, 33, &[0, 1, 2, 3]), [0; 0], "no address is known to be aligned");
    let behind = format!("@t = internal addrspace(3) global [37 x float] undef, align 4\n{TILE}");
    assert_eq!(loads_of(&behind, 4, &[0, 1, 2, 3]), [16], "the kernel does not use `t`");
    let both = |globals: &str| {
        let body = loads(S, 4, &[(0, 4), (1, 4), (2, 4), (3, 4)]) + "%u = load float, ptr addrspace(3) @t, align 4";
        widths("sm_80", globals, GLOBAL, &body)
    };
    assert_eq!(both(&behind), [0; 0], "`s` begins 148 bytes behind `t`");
    assert_eq!(both(&format!("{TILE}\n@t = internal addrspace(3) global [37 x float] undef, align 4")), [16]);
    let stores = |words: &[(i64, u64)]| {
        let store =
            |(at, align): &(i64, u64)| load(S, *at, *align).replace(&format!("%v{at} = load float"), "store float 1.0");
        let body = loads(S, 4, &[]) + &words.iter().map(store).collect::<String>();
        widths("sm_80", TILE, GLOBAL, &body)
    };
    assert_eq!(stores(&[(0, 4), (1, 4), (2, 4), (3, 4)]), [16]);
    assert_eq!(stores(&[(0, 4), (1, 4), (2, 4)]), [8], "a store needs all four words");
    assert_eq!(
        widths("gfx90a", TILE, GLOBAL, &loads(S, 4, &[(0, 4), (1, 4), (2, 4), (3, 4)])),
        [8, 8],
        "AMD's takes pairs"
    );
}

#[test]
fn amds_unaligned_words_of_local_memory_stay_bytes() {
    let of = |element: &str, align: u64, at: &[i64]| {
        let load = |at: &i64| {
            format!(
                "%i{at} = add nsw i32 %l, {at}\n  %p{at} = getelementptr inbounds {element}, {S}, i32 %i{at}\n  \
                 %v{at} = load {element}, ptr addrspace(3) %p{at}, align {align}\n  "
            )
        };
        let body = at.iter().map(load).collect::<Vec<_>>().concat();
        widths("gfx90a", TILE, GLOBAL, &body)
    };
    assert_eq!(of("i8", 1, &[0, 1, 2, 3]), [0; 0]);
    assert_eq!(of("i16", 2, &[0, 1]), [0; 0]);
    assert_eq!(of("i16", 4, &[0, 1]), [4]);
    assert_eq!(of("i16", 2, &[0, 1, 2, 3]), [8], "`ds_read_b64` may be unaligned");
}

#[test]
fn what_is_too_wide_for_its_alignment_is_split() {
    let widest = |processor, load: &str| {
        let module = module(processor, "", GLOBAL, load);
        Joins::new(&module).block(BlockId(0)).widest(1)
    };
    let load = |of: &str, align| format!("%v = load {of}, ptr addrspace(1) %a, align {align}");
    assert_eq!(widest("sm_80", &load("<4 x float>", 16)), None);
    assert_eq!(widest("sm_80", &load("<4 x float>", 8)), Some(8));
    assert_eq!(widest("sm_80", &load("<4 x float>", 4)), Some(4));
    assert_eq!(widest("sm_80", &load("<8 x float>", 32)), Some(16));
    assert_eq!(widest("gfx90a", &load("<4 x float>", 4)), None);
    let vector = "%v = call <3 x float> @_Z6vload3mPU3AS1Kf(i64 0, ptr addrspace(1) %a)";
    assert_eq!([widest("sm_80", vector), widest("gfx90a", vector)], [Some(4), None]);
}

#[test]
fn addresses_stand_apart_as_far_as_no_index_wraps() {
    let of = |index: &str| {
        let body = format!(
            "%n = mul i32 %l, 6\n  {index}\n  %p = getelementptr float, {A}, i64 %i\n  %q = getelementptr float, {A}, i64 %j\n  \
             %v = load float, ptr addrspace(1) %p, align 8\n  %w = load float, ptr addrspace(1) %q, align 4"
        );
        widths("sm_80", "", GLOBAL, &body)
    };
    let sign = "%i = sext i32 %n to i64\n  %j = sext i32 %m to i64";
    let zero = "%i = zext i32 %n to i64\n  %j = zext i32 %m to i64";
    assert_eq!(of(&format!("%m = add nsw i32 %n, 1\n  {sign}")), [8]);
    assert_eq!(of(&format!("%m = add nuw i32 %n, 1\n  {zero}")), [8]);
    assert_eq!(of(&format!("%m = or i32 %n, 1\n  {zero}")), [8], "`n` is even");
    assert_eq!(of(&format!("%m = add i32 %n, 1\n  {zero}")), [8], "an even number and 1 do not wrap");
    assert_eq!(
        of("%o = add i32 %l, 7\n  %m = add i32 %o, 1\n  %i = zext i32 %o to i64\n  %j = zext i32 %m to i64"),
        [0; 0]
    );
}
