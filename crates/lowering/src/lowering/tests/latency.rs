use super::*;

/// Turns of a phase and the latency of the first use beyond its occupancy.
fn waits(gpu: &Profile, body: &[&str]) -> (u64, u64) {
    let (count, uses) = turns(gpu, LAUNCH, body);
    assert!(uses[1..].iter().all(|(_, occupancy, latency)| occupancy == latency), "only the first use waits");
    (count, uses[0].2 - uses[0].1)
}

#[test]
fn an_ordered_load_waits_for_each() {
    // 8 round trips of 400 cycles in four turns
    let load = "load: { array: a, per_item: 8, ordered: true }";
    assert_eq!(waits(&plain(), &[load]), (4, 8 * 400 * 16 / 4));
    for other in ["round_trips: 1", "in_flight: 8"] {
        let stated = format!("load: {{ array: a, per_item: 8, ordered: true, {other} }}");
        assert_eq!(waits(&plain(), &[&stated]), (4, 8 * 400 * 16 / 4), "{other}");
    }
}

#[test]
fn loads_in_flight_share_a_round_trip() {
    assert_eq!(waits(&plain(), &["load: { array: a, per_item: 8 }"]), (2, 2 * 400 * 16 / 2), "four by default");
    assert_eq!(waits(&plain(), &["load: { array: a, per_item: 8, in_flight: 8 }"]), (1, 400 * 16));
    assert_eq!(waits(&plain(), &["load: { array: a, in_flight: 16 }"]), (1, 400), "a fraction stays one");
    assert_eq!(waits(&plain(), &["load: { array: a, per_item: 8, round_trips: 3 }"]), (3, 400 * 16));
    assert_eq!(
        waits(&plain(), &["load: { array: a, per_item: 9, round_trips: 'mean(3, 16)' }"]),
        (1, 400 * 3),
        "a mean"
    );
}

#[test]
fn round_trips_add_up_and_loops_multiply_them() {
    let half = "load: { array: a, per_item: 2 }";
    assert_eq!(waits(&plain(), &[half, half, half]), (2, 3 * 200 * 16 / 2), "1.5 round trips");
    let repeated = format!("loop: {{ count: 6, body: [{{ {half} }}] }}");
    assert_eq!(waits(&plain(), &[&repeated]), (3, 400 * 16));
}

#[test]
fn those_who_do_not_load_wait_too() {
    let load = "load: { array: a, per_item: 4, items: 1 }";
    assert_eq!(waits(&plain(), &[load]), (1, 400 * 16));
}

#[test]
fn latency_is_of_who_supplies_the_bytes() {
    // the group's two warps ask for 128 bytes each
    let load = |group: u64, together: u64| {
        format!(
            "load: {{ array: a, per_item: 1, in_flight: 1, footprint: {{ group: {group}, together: {together} * concurrent }} }}"
        )
    };
    assert_eq!(waits(&plain(), &[&load(256, 256)]), (1, 400 * 16));
    assert_eq!(waits(&plain(), &[&load(256, 0)]), (1, 200 * 16));
    assert_eq!(waits(&plain(), &[&load(0, 0)]), (1, 40 * 16));
    // half from L1, half from L2, for which DRAM supplies a quarter: those who run together wait for it together
    assert_eq!(waits(&plain(), &[&load(128, 32)]), (1, (20 + 200) * 16));
    let one_word = "load: { array: a, stride: 0, in_flight: 1, footprint: { group: 256, together: 256 * concurrent } }";
    assert_eq!(waits(&plain(), &[one_word]), (1, 400 * 16), "more than the requested sectors is not slower");
}

#[test]
fn a_phase_waits_for_its_loads_and_for_local_memory() {
    let body = ["load: { array: a, per_item: 8 }", "local: { per_item: 8 }"];
    assert_eq!(waits(&plain(), &body), (2, (2 * 400 + 2 * 32) * 16 / 2));
}

#[test]
fn a_chain_waits_for_each_operation() {
    let chain = |kind: &str, length: &str| format!("compute: {{ kind: {kind}, per_item: 8, chain: {length} }}");
    let of = |kind, length| waits(&plain_but(&[("latency_fp32_fma_cycles", "5")]), &[&chain(kind, length)]);
    assert_eq!([of("fp32", "6"), of("any", "6"), of("fp32", "0")], [(1, 6 * 5 * 16), (1, 6 * 5 * 16), (1, 0)]);
    // 32 lanes of a multiprocessor for double precision, and 16 for special functions
    assert_eq!(of("fp64", "2"), (1, 2 * (5 + 4) * 16));
    assert_eq!(of("special", "3"), (1, 3 * (5 + 8) * 16));
    let repeated = format!("loop: {{ count: 6, body: [{{ {} }}] }}", chain("fp32", "2"));
    assert_eq!(waits(&plain_but(&[("latency_fp32_fma_cycles", "5")]), &[&repeated]), (1, 12 * 5 * 16));
    let unknown = plain_but(&[("latency_fp32_fma_cycles", "unknown")]);
    assert_eq!(waits(&unknown, &[&chain("fp32", "6")]), (1, 0), "an unknown latency hides");
}

#[test]
fn occupancy_and_latency_are_rounded_up_each() {
    // 128 / 17 cycles and 401 / 4 cycles: 120.47 and 1604 ticks
    let gpu = plain_but(&[("latency_dram_cycles", "401.01")]);
    assert_eq!(uses(&gpu, &["load: { array: a }"])[0], (Server::Memory, 121, 121 + 1605));
}
