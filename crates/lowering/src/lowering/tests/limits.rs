use super::*;

const LOCKSTEP: &str = "name: limited\nexecution: lockstep\nmultiprocessors: 2\nprocessing_elements: 32\ndispatchers: 2
global_memory_ticks: 100\nlocal_memory_ticks: 1\nmax_work_group: 128\nlocal_memory: 1024\nregister_limit: 32\n";

fn lockstep() -> Profile {
    Profile::parse(LOCKSTEP, "limited.yaml").unwrap()
}

fn head(constraint: &str, work_group: &str, local_memory: &str, registers: &str) -> String {
    format!(
        "constraints: [{constraint}]\nlaunch: {{ work_items: 65536, work_group: {work_group} }}\n\
         resources: {{ local_memory: {local_memory}, registers: {registers} }}"
    )
}

#[test]
fn limits_are_tried_in_order_and_nothing_behind_a_broken_one_is_evaluated() {
    for gpu in [lockstep(), plain()] {
        assert_eq!(refusal(&gpu, &head("one > 0, one == 2", "1 / 0", "1 / 0", "1 / 0"), &["barrier"]), "one == 2");
        let limit = if gpu.name() == "limited" { 128 } else { 1024 };
        let expected = format!("work_group: 4096 > {limit}");
        assert_eq!(refusal(&gpu, &head("one == 1", "4096", "1 / 0", "1 / 0"), &["barrier"]), expected);
        let limit = if gpu.name() == "limited" { 1024 } else { 49_152 };
        let expected = format!("local_memory: 65536 > {limit}");
        assert_eq!(refusal(&gpu, &head("one == 1", "64", "65536", "1 / 0"), &["barrier"]), expected);
    }
    assert_eq!(refusal(&lockstep(), &head("one == 1", "64", "1024", "33"), &["barrier"]), "registers: 33 > 32");
}

#[test]
fn however_large_a_number_is_it_is_a_broken_limit() {
    let huge = "9223372036854775807";
    let work_group = format!("[{huge}, {huge}, {huge}]");
    assert_eq!(refusal(&plain(), &head("one == 1", &work_group, "0", "0"), &["barrier"]), "work_group: 2^128 > 1024");
    let local = refusal(&plain(), &head("one == 1", "64", huge, "0"), &["barrier"]);
    assert_eq!(local, format!("local_memory: {huge} > 49152"));
}

#[test]
fn a_group_that_no_multiprocessor_can_hold_names_the_limit() {
    // 68 registers are 2,304 of a warp in units of 256; 32 warps need 73,728. The spec says that nothing spills.
    let exact = head("one == 1", "1024", "0", "68").replace("registers: 68", "registers: 68, spilled: 0");
    assert_eq!(refusal(&plain(), &exact, &["barrier"]), "registers: 73728 > 65536");
}

/// 64 multiprocessors hold 8 groups each: 16 registers' worth of 128 in a group of two warps.
#[test]
fn a_barrier_of_all_groups_needs_them_at_the_same_time() {
    let head = |groups: u64| {
        format!("launch: {{ work_items: {}, work_group: 64 }}\nresources: {{ registers: 128 }}", 64 * groups)
    };
    let body = ["compute: {}", "barrier: grid", "compute: {}"];
    let all = program(&plain(), &head(512), &body);
    assert_eq!((all.groups, all.resident_groups), (512, 8));
    // 2,000 cycles where the profile does not say it.
    assert_eq!(all.body[1], Statement::barrier_of_grid(32_000));
    let stated = program(&plain_but(&[("grid_barrier_cycles", "1500.5")]), &head(512), &body);
    assert_eq!(stated.body[1], Statement::barrier_of_grid(24_008));
    assert_eq!(
        refusal(&plain(), &head(513), &body),
        "resident_groups: a barrier of all groups needs them at the same time: the launch has 513 groups, but 64 multiprocessors \
         run 8 each"
    );
    assert_eq!(program(&plain(), &head(513), &["compute: {}", "barrier: group"]).groups, 513);
    let absent = ["loop: { count: 0, body: [ { barrier: grid } ] }", "compute: {}"];
    assert_eq!(program(&plain(), &head(513), &absent).groups, 513);
    let launch = |groups: u64| format!("launch: {{ work_items: {}, work_group: 64 }}", 64 * groups);
    assert_eq!(program(&lockstep(), &launch(2), &["barrier: grid"]).body, [Statement::barrier_of_grid(0)]);
    assert_eq!(
        refusal(&lockstep(), &launch(3), &["barrier: grid"]),
        "resident_groups: a barrier of all groups needs them at the same time: the launch has 3 groups, but 2 multiprocessors run \
         1 each"
    );
}

#[test]
fn registers_of_an_expression_refuse_no_group() {
    assert_eq!(program(&plain(), &head("one == 1", "1024", "0", "68"), &["barrier"]).resident_groups, 1);
}

#[test]
fn local_memory_given_at_launch_may_be_more() {
    let body = ["compute: {}"];
    let of = |dynamic: bool| format!("{LAUNCH}\nresources: {{ local_memory: 65536, dynamic: {dynamic} }}");
    assert_eq!(program(&plain(), &of(true), &body).resident_groups, 1);
    assert_eq!(refusal(&plain(), &of(false), &body), "local_memory: 65536 > 49152");
    // what the driver keeps counts too: 166,912 + 1,024 are all of an A100's 167,936
    let a100 = &find("a100").unwrap().profile;
    let most = format!("{LAUNCH}\nresources: {{ local_memory: 166912, dynamic: true }}");
    assert_eq!(program(a100, &most, &body).resident_groups, 1);
}

#[test]
fn rules_are_counted_under_one_name() {
    let Ok(Feasibility::Infeasible(found)) =
        outcome(&plain(), &spec(&head("one == 1", "4096", "0", "0"), &["barrier"]))
    else {
        panic!("feasible");
    };
    assert_eq!((found.rule(), found.to_string().as_str()), ("work_group", "work_group: 4096 > 1024"));
}

#[test]
fn what_excludes_a_configuration_counts_before_what_cannot_be_evaluated() {
    assert_eq!(refusal(&plain(), &head("1 / (one - 1) == 1, one == 2", "64", "0", "0"), &["barrier"]), "one == 2");
    let error =
        outcome(&plain(), &spec(&head("1 / (one - 1) == 1, one == 1", "64", "0", "0"), &["barrier"])).unwrap_err();
    assert!(error.to_string().contains("test.yaml:3:15"), "{error}");
}

#[test]
fn absurd_numbers_cannot_be_lowered_and_have_a_place() {
    let huge = "9223372036854775807";
    for statement in [
        format!("compute: {{ per_item: {huge} }}"),
        format!("load: {{ array: a, per_item: {huge}, vector: 4 }}"),
        format!("load: {{ array: a, vector: {huge}, bytes: {huge} }}"),
        format!("store: {{ array: a, stride: {huge} }}"),
        format!("local: {{ stride: [1, {huge}] }}"),
        format!("local: {{ conflict: {huge} }}"),
        format!("load: {{ array: a, footprint: {{ group: {huge}, together: {huge} }}, round_trips: {huge} }}"),
        format!("loop: {{ count: {huge}, body: [{{ loop: {{ count: {huge}, body: [{{ compute: {{}} }}] }} }}] }}"),
        format!("compute: {{ items: {huge}, constants: {huge}, per_item: {huge} }}"),
    ] {
        for gpu in ["v100", "8600gt", "abstract-tiny"] {
            let gpu = &find(gpu).unwrap().profile;
            match outcome(gpu, &spec(LAUNCH, &[&statement])) {
                Err(error) => assert!(
                    error.to_string().contains("test.yaml:5:") || error.to_string().contains("0 to 2147483647"),
                    "{error}"
                ),
                Ok(Feasibility::Infeasible(why)) => {
                    let why = why.to_string();
                    assert!(why.starts_with("time: spec:5:") || why.contains("0 to 2147483647"), "{why}");
                }
                Ok(Feasibility::Feasible(_)) => assert_eq!(gpu.name(), "abstract-tiny", "{statement}"),
            }
        }
    }
}

#[test]
fn absurd_launches_cannot_run() {
    let huge = "9223372036854775807";
    for launch in [
        format!("{{ work_items: {huge}, work_group: 1 }}"),
        format!("{{ work_items: [{huge}, {huge}, {huge}], work_group: 64 }}"),
        format!("{{ work_items: 64, work_group: 64, times: {huge} }}"),
        "{ work_items: 0, work_group: 64 }".to_owned(),
        "{ work_items: 64, work_group: 0 }".to_owned(),
        "{ work_items: 64, work_group: 64, times: 0 }".to_owned(),
        "{ work_items: 64, work_group: -64 }".to_owned(),
    ] {
        for gpu in ["v100", "abstract-tiny"] {
            let found = outcome(&find(gpu).unwrap().profile, &spec(&format!("launch: {launch}"), &["compute: {}"]));
            let is_range = matches!(&found, Ok(Feasibility::Infeasible(why)) if why.rule() == "range");
            assert!(found.is_err() || is_range, "{launch} on {gpu}: {found:?}");
        }
    }
}
