//! Footprints that follow from subscripts.
#![expect(clippy::float_cmp, reason = "both sides are the nearest binary fractions of the same quotient")]

use super::*;
use autotune_kernel::source::SourceReader;
use autotune_machine::machine::evaluate;

/// 64 x 64 groups of 32 x 8 work items; 512 groups run together on 64 multiprocessors: the first 8 rows of groups.
const TILES: &str = "problem: { n: 2048 }\nlaunch: { work_items: [2048, 512], work_group: [32, 8] }";

/// Bytes of one group from L2 and from DRAM, or to them.
fn moved(gpu: &Profile, head: &str, statement: &str) -> [f64; 2] {
    let outcome = outcome(gpu, &spec(head, &[statement])).unwrap_or_else(|error| panic!("{statement}: {error}"));
    let Feasibility::Feasible(lowered) = outcome else { panic!("{statement}: infeasible") };
    let work = lowered.work.unwrap();
    [work.loaded.beyond_l1 + work.stored.beyond_l1, work.loaded.beyond_l2 + work.stored.beyond_l2]
}

/// Bytes of one group on the GPU of round numbers.
fn of_tiles(statement: &str) -> [f64; 2] {
    moved(&plain(), TILES, statement)
}

#[test]
fn groups_share_what_their_subscripts_share() {
    let load = |index: &str| of_tiles(&format!("load: {{ array: a, index: [{index}], shape: [n, n] }}"));
    // 8 rows of 32 words; each group has its own.
    assert_eq!(load("gy * 8 + ly, gx * 32 + lx"), [1024.0, 1024.0]);
    // The 64 groups of a row share their tile.
    assert_eq!(load("gy * 8 + ly, lx"), [1024.0, 1024.0 / 64.0]);
    // The 8 groups of a column do.
    assert_eq!(load("ly, gx * 32 + lx"), [1024.0, 1024.0 / 8.0]);
    // All share one sector.
    assert_eq!(load("0, 0"), [32.0, 32.0 / 512.0]);
}

#[test]
fn groups_that_run_together_are_the_first_along_x() {
    // 48 KiB of local memory: 2 groups of a multiprocessor, 128 of all: 2 rows of groups.
    let few = format!("{TILES}\nresources: {{ local_memory: 49152 }}");
    let load =
        |index: &str| moved(&plain(), &few, &format!("load: {{ array: a, index: [{index}], shape: [n, n] }}"))[1];
    assert_eq!(load("gy * 8 + ly, lx"), 1024.0 * 2.0 / 128.0);
    assert_eq!(load("ly, gx * 32 + lx"), 1024.0 * 64.0 / 128.0);
    // 32 KiB: 3 groups, 192: 3 rows. 40 KiB on 63 multiprocessors: 126 groups are 1 row and 62 groups.
    let odd = plain_but(&[("multiprocessors", "63")]);
    let load = |index: &str| moved(&odd, &few, &format!("load: {{ array: a, index: [{index}], shape: [n, n] }}"))[1];
    assert_eq!(load("gy * 8 + ly, lx"), 1024.0 * 2.0 / 126.0);
    assert_eq!(load("ly, gx * 32 + lx"), 1024.0 * 64.0 / 126.0);
    assert_eq!(load("gy * 8 + ly, gx * 32 + lx"), 1024.0);
}

#[test]
fn repetitions_with_a_counter_share_sectors() {
    let load = |rest: &str| of_tiles(&format!("load: {{ array: a, shape: [n, 2 * n], {rest} }}"))[0];
    // Columns: each work item of a row reads 8 neighbours, one after the other. 256 rows of one sector.
    let down = "index: [gx * 32 + lx, 64 * gy + 8 * ly + j]";
    assert_eq!(load(&format!("{down}, per_item: 8, var: j")), 256.0 * 32.0);
    // Without the counter they count as other data.
    assert_eq!(load(&format!("{}, per_item: 8", down.replace(" + j", ""))), 8.0 * 256.0 * 32.0);
    // A halo of 2 words: 136 bytes of 8 rows, which begin at a sector, where 3 x 128 were requested.
    let halo = "load: { array: a, index: [gy * 8 + ly, gx * 32 + lx + j], shape: [n, n + 8], per_item: 3, var: j }";
    assert_eq!(of_tiles(halo)[0], 8.0 * 5.0 * 32.0);
}

#[test]
fn data_begin_where_their_subscripts_say() {
    // Bytes of a row of a group: 4 neighbouring words of each of 32 work items.
    let load = |column: &str| {
        let index = format!("index: [gy * 8 + ly, {column}], shape: [n, 4 * n + 8]");
        of_tiles(&format!("load: {{ array: a, {index}, per_item: 4, var: j }}"))[0] / 8.0
    };
    assert_eq!(load("128 * gx + 4 * lx + j"), 512.0);
    assert_eq!(load("128 * gx + 4 * lx + j + 1"), 544.0, "128 words from the second of a sector touch 17");
    assert_eq!(load("128 * gx + 4 * lx + j + 8"), 512.0);
    // The groups begin 0, 6, 4 or 2 words behind the begin of a sector, all alike often.
    assert_eq!(load("126 * gx + 4 * lx + j"), (512.0 + 3.0 * 544.0) / 4.0);
    assert_eq!(load("126 * gx + 4 * lx + j + 1"), 544.0);
}

#[test]
fn loops_without_a_barrier_are_one_footprint() {
    let body = |rest: &str| {
        of_tiles(&format!(
            "loop: {{ count: 16, var: k, body: [{{ load: {{ array: a, index: [gy * 8 + ly, k], shape: [n, n] }} }}{rest}] }}"
        ))
    };
    // 16 words of 8 rows: 2 sectors of each. The 64 groups of a row share them.
    assert_eq!(body(""), [8.0 * 64.0, 8.0]);
    // With a barrier each iteration has a sector of each row.
    assert_eq!(body(", barrier"), [16.0 * 8.0 * 32.0, 16.0 * 8.0 * 32.0 / 64.0]);
    // A barrier that nobody meets does not count.
    assert_eq!(body(", { loop: { count: one - 1, body: [barrier] } }"), [8.0 * 64.0, 8.0]);
    // An inner loop with a barrier of its own ends the outer one's footprint, too.
    assert_eq!(body(", { branch: { divergent: false, then: [barrier] } }")[0], 16.0 * 8.0 * 32.0);
    // Iterations without a counter count as other data.
    let uncounted = "loop: { count: 16, body: [{ load: { array: a, index: [gy * 8 + ly, 0], shape: [n, n] } }] }";
    assert_eq!(of_tiles(uncounted)[0], 16.0 * 8.0 * 32.0);
}

#[test]
fn what_was_stored_is_read_again_from_l2() {
    let body = |stored: &str| {
        let load = "{ load: { array: a, index: [gy * 8 + ly, gx * 32 + lx], shape: [n, n] } }";
        let store = format!("{{ store: {{ {stored}, shape: [n, n], footprint: {{ together: 0 }} }} }}");
        let loaded = of_tiles(&format!("loop: {{ count: 4, var: k, body: [{load}, {store}] }}"));
        // The store itself takes 1 KiB of each group in each iteration.
        [loaded[0] - 4.0 * 1024.0, loaded[1]]
    };
    assert_eq!(body("array: a, index: [gy * 8 + ly, gx * 32 + lx]"), [4.0 * 1024.0, 1024.0]);
    assert_eq!(body("array: b, index: [gy * 8 + ly, gx * 32 + lx]"), [1024.0, 1024.0]);
    assert_eq!(body("array: a, index: [gx * 32 + lx, gy * 8 + ly]")[0], 1024.0 + 4.0 * (8192.0 - 1024.0));
    assert_eq!(body("array: a, per_item: one - 1, index: [gy * 8 + ly, gx * 32 + lx]")[0], 1024.0 - 4.0 * 1024.0);
}

#[test]
fn stores_reach_dram_once() {
    // Each work item stores 8 neighbours of a row of its own, word by word: L2 collects whole sectors.
    let store =
        "store: { array: a, index: [gx * 32 + lx, 64 * gy + 8 * ly + j], shape: [n, 2 * n], per_item: 8, var: j }";
    assert_eq!(of_tiles(store), [8.0 * 256.0 * 32.0, 256.0 * 32.0]);
    // 512 groups store one word each: 64 sectors.
    let sums = "store: { array: a, items: 1, index: [gy * 64 + gx], shape: [n * n] }";
    assert_eq!(of_tiles(sums), [32.0, 64.0 * 32.0 / 512.0]);
}

#[test]
fn a_stated_footprint_has_the_last_word() {
    let load =
        |stated: &str| of_tiles(&format!("load: {{ array: a, index: [gy * 8 + ly, lx], shape: [n, n]{stated} }}"));
    assert_eq!(load(""), [1024.0, 16.0]);
    assert_eq!(load(", footprint: { group: 512 }"), [512.0, 16.0]);
    assert_eq!(load(", footprint: { together: 512 * 512 }"), [1024.0, 512.0]);
    assert_eq!(load(", footprint: { group: 0, together: 0 }"), [0.0, 0.0]);
}

#[test]
fn footprints_that_would_take_too_long_are_unknown() {
    // Diagonals share no step: 512 x 256 places of one group.
    let skewed = |count: u32| {
        format!(
            "loop: {{ count: {count}, var: k, body: [{{ load: {{ array: a, index: [gy + ly + k, 999 * lx + 1000 * k], \
             shape: [4 * n, 400 * n] }} }}] }}"
        )
    };
    let [of_few, of_many] = [2, 600].map(|count| of_tiles(&skewed(count))[0] / f64::from(count));
    // As before the next iteration, each asks for its own sectors.
    assert_eq!(of_many, 256.0 * 32.0);
    assert!(of_few <= of_many);
}

/// The classic of textbooks: three loops, nothing staged.
fn naive(footprints: [&str; 2], size: u32) -> Spec {
    let text = format!(
        "kernel: naive
problem: {{ size: {size} }}
parameters: {{ BX: {{ powers_of_two: {{ from: 8, to: 128 }} }}, BY: {{ powers_of_two: {{ from: 1, to: 32 }} }} }}
let: {{ across: size / BX }}
constraints: [ BX * BY >= 64 ]
launch: {{ work_items: [size, size], work_group: [BX, BY] }}
resources: {{ registers: 24 }}
body:
  - loop:
      var: k
      count: size
      body:
        - load: {{ array: A, index: [gy * BY + ly, k], shape: [size, size]{} }}
        - load: {{ array: B, index: [k, gx * BX + lx], shape: [size, size]{} }}
        - compute: {{}}
        - compute: {{ kind: any, per_item: 4 }}
  - store: {{ array: C, index: [gy * BY + ly, gx * BX + lx], shape: [size, size] }}
",
        footprints[0], footprints[1]
    );
    Spec::parse(&text, "naive.yaml").unwrap_or_else(|error| panic!("{error}"))
}

/// In each round of k, a group needs a word of each of its rows of A and of its columns of B. Groups of a row share
/// the rows, groups of a column the columns.
#[test]
fn a_naive_product_needs_no_stated_footprints() {
    let stated = [
        ", footprint: { group: 4 * BY, together: '4 * BY * ceil_div(concurrent, across)' }",
        ", footprint: { group: 4 * BX, together: '4 * BX * min(concurrent, across)' }",
    ];
    for gpu in ["a100", "gtx1080", "mi50"] {
        let profile = find(gpu).unwrap().profile.clone();
        let times = |footprints: [&str; 2]| -> Vec<(Configuration, u64)> {
            let spec = naive(footprints, 2048);
            let lowered = all(&spec, &Lowering::new(&spec, &profile, &SourceReader::default()));
            lowered
                .into_iter()
                .map(|(one, lowered)| (one, evaluate(&lowered.program, 1 << 24).unwrap().ticks))
                .collect()
        };
        let (by_hand, followed) = (times(stated), times(["", ""]));
        assert!(by_hand.len() > 15 && by_hand.len() == followed.len());
        for ((configuration, by_hand), (_, followed)) in by_hand.iter().zip(&followed) {
            assert!(
                followed.abs_diff(*by_hand) * 20 <= *by_hand,
                "{gpu}, {configuration:?}: {followed}, not {by_hand}"
            );
        }
        // The fastest is the same, and the footprints matter: a sector for each word would take far longer.
        let fastest = |times: &[(Configuration, u64)]| times.iter().min_by_key(|(_, ticks)| *ticks).unwrap().0.clone();
        assert_eq!(fastest(&followed), fastest(&by_hand));
        let asked = times([", footprint: { group: 32 * BY, together: 32 * BY * concurrent }", ""]);
        let all = |times: &[(Configuration, u64)]| times.iter().map(|(_, ticks)| ticks).sum::<u64>();
        assert!(all(&asked) * 10 > all(&followed) * 11, "{gpu}: {} and {}", all(&asked), all(&followed));
    }
}
