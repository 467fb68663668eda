//! Work invariance.

use super::*;
use autotune_kernel::source::SourceReader;
use autotune_lowering::spec::Configuration;

/// The template's matrix product: a work item stores ROWS elements.
fn matmul(store: &str) -> Spec {
    let template = include_str!("../../../../../spec-templates/matmul.yaml");
    let begin = template.find("  - store:").unwrap();
    Spec::parse(&format!("{}  - {store}\n", &template[..begin]), "matmul.yaml").unwrap()
}

#[test]
fn a_matrix_product_that_stores_too_little_is_told() {
    let right = matmul("store: { array: C, per_item: ROWS }");
    assert_eq!(told(&right, "volta"), []);
    // Each work item one element, however many it has computed: 1,048,576 / ROWS of 4 bytes.
    let found = told(&matmul("store: { array: C }"), "volta");
    let [warning] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(warning.kind, WarningKind::WorkVaries);
    let words =
        "the bytes stored to `C` depend on the configuration: 524288 with TS=8 ROWS=8, 4194304 with TS=8 ROWS=1";
    assert_eq!(warning.message, words);
    assert!(warning.help.contains("`varies: [C]`"), "{}", warning.help);
    let line = right.source.text().lines().position(|line| line.contains("store:")).unwrap() + 1;
    assert_eq!((warning.file.as_str(), warning.line as usize, warning.column), ("matmul.yaml", line, 5));
}

#[test]
fn up_to_a_tenth_more_may_be_stored() {
    assert_eq!(of_body("[100, 104, 110]", STORE), [""; 0]);
    let words = "the bytes stored to `out` depend on the configuration: 25600 with P=100, 28416 with P=111";
    assert_eq!(of_body("[111, 105, 100]", STORE), [words]);
    // by as little as a mean may differ
    let mean = "{ store: { array: out, per_item: '1 + mean(P, 1000)' } }";
    assert_eq!(of_body("[0, 100]", mean), [""; 0]);
    assert_eq!(of_body("[0, 101]", mean).len(), 1);
    // what is never stored in some configuration is
    assert_eq!(of_body("[0, 1]", STORE).len(), 1);
    assert_eq!(of_body("[0]", STORE), [""; 0]);
}

#[test]
fn up_to_twice_the_operations_may_be_done() {
    for kind in ["fp32", "int32", "fp64", "fp16", "special"] {
        let compute = format!("{{ compute: {{ kind: {kind}, per_item: P }} }}");
        assert_eq!(of_body("[100, 150, 200]", &compute), [""; 0]);
        let words =
            format!("the operations of kind `{kind}` depend on the configuration: 6400 with P=100, 12864 with P=201");
        assert_eq!(of_body("[100, 201]", &compute), [words]);
    }
    let overhead = "{ compute: { kind: any, per_item: P } }";
    assert_eq!(of_body("[1, 1000]", overhead), [""; 0], "addresses and loops are what tuning saves");
    let loads = "{ load: { array: in, per_item: P } }, { local: { per_item: P } }";
    assert_eq!(of_body("[1, 1000]", loads), [""; 0], "as are loads");
}

#[test]
fn what_is_stored_to_one_array_counts_together() {
    let halves = "{ store: { array: out, per_item: P } }, { store: { array: out, per_item: 12 - P, bytes: 4 } }";
    assert_eq!(of_body("[1, 4, 8]", halves), [""; 0]);
    let two = "{ store: { array: out, per_item: P } }, { store: { array: other, per_item: 12 - P } }";
    let found = of_body("[4, 8]", two);
    assert!(found.len() == 2 && found[0].contains("`out`") && found[1].contains("`other`"), "{found:?}");
    // an array and a kind of one name are two subjects
    let named = "{ store: { array: fp32, per_item: P } }, { compute: { per_item: 64 / P } }";
    let found = of_body("[1, 4]", named);
    assert!(found.len() == 2 && found[0].contains("stored to `fp32`") && found[1].contains("kind `fp32`"), "{found:?}");
}

#[test]
fn bytes_are_those_of_all_words_items_and_rounds() {
    for (varying, same) in [
        ("{ store: { array: out, bytes: 4 * P } }", "{ store: { array: out, bytes: 4 * P, per_item: 4 / P } }"),
        ("{ store: { array: out, vector: P } }", "{ store: { array: out, vector: P, per_item: 4 / P } }"),
        ("{ store: { array: out, items: P } }", "{ store: { array: out, items: P, per_item: 4 / P } }"),
        (
            "{ loop: { count: P, body: [{ store: { array: out } }] } }",
            "{ loop: { count: P, body: [{ store: { array: out, per_item: 4 / P } }] } }",
        ),
    ] {
        assert_eq!(of_body("[1, 2, 4]", varying).len(), 1, "{varying}");
        assert_eq!(of_body("[1, 2, 4]", same), [""; 0], "{same}");
    }
}

#[test]
fn a_branch_does_what_is_more_or_both() {
    let branch = |divergent: bool| {
        format!(
            "{{ branch: {{ divergent: {divergent}, then: [{{ store: {{ array: out, per_item: P }} }}], \
             else: [{{ store: {{ array: out, per_item: 4 }} }}] }} }}"
        )
    };
    // 4 and 4, 8 and 4
    assert_eq!(of_body("[1, 4]", &branch(false)), [""; 0]);
    let both = of_body("[1, 4]", &branch(true));
    assert!(both.len() == 1 && both[0].contains("1280 with P=1, 2048 with P=4"), "{both:?}");
}

#[test]
fn groups_are_launched_whole() {
    // 100 work items: 4 groups of 32, 2 of 50, 2 of 64
    let launch = |items: &str| {
        let text = format!("launch: {{ work_items: {items}, work_group: P }}\nbody: [{{ store: {{ array: out }} }}]\n");
        told(&spec("[64, 50, 32]", &text), "volta")
    };
    let found = launch("100");
    let words = "the bytes stored to `out` depend on the configuration: 400 with P=50, 512 with P=64";
    assert_eq!(found.iter().map(|warning| warning.message.as_str()).collect::<Vec<_>>(), [words]);
    assert_eq!(launch("1600"), []);
    assert_eq!(launch("[1600, 3]"), []);
}

#[test]
fn launches_count() {
    let times = |statement: &str| {
        let text = format!("launch: {{ work_items: 64, work_group: 64, times: P }}\nbody: [{statement}]\n");
        told(&spec("[1, 2, 3]", &text), "volta").len()
    };
    assert_eq!(times("{ store: { array: out } }"), 1);
    assert_eq!(times("{ compute: {} }"), 1, "3 is more than twice");
    assert_eq!(times("{ store: { array: out, per_item: 6 / P } }, { compute: { per_item: 12 / P } }"), 0);
}

#[test]
fn what_cannot_run_does_not_count() {
    let local = |dynamic: bool| {
        let text = format!(
            "resources: {{ local_memory: P, dynamic: {dynamic} }}\nlaunch: {{ work_items: 64, work_group: 64 }}\n\
             body: [{{ store: {{ array: out, per_item: P / 1024 }} }}]\n"
        );
        spec("[1024, 65536]", &text)
    };
    // a group of 64 KiB needs a size that is given at launch, and a GPU that has so much
    assert_eq!(told(&local(false), "volta"), []);
    assert_eq!(told(&local(true), "volta").len(), 1);
    assert_eq!(told(&local(true), "fermi"), []);
    let excluded = "constraints: [P < 5]\nlaunch: { work_items: 64, work_group: 64 }\nbody: [{ store: { array: out, per_item: P } }]\n";
    assert_eq!(told(&spec("[4, 5]", excluded), "volta"), []);
    let allowed = excluded.replace("P < 5", "P < 6");
    assert_eq!(told(&spec("[4, 5]", &allowed), "volta").len(), 1);
    let nothing = excluded.replace("P < 5", "P < 0");
    assert_eq!(told(&spec("[4, 5]", &nothing), "volta"), []);
}

#[test]
fn what_is_meant_to_vary_is_not_told() {
    let both = "launch: { work_items: 64, work_group: 64 }\nbody: [{ store: { array: out, per_item: P } }, { compute: { kind: int32, per_item: P } }]\n";
    let names = |varies: &str| {
        let found = told(&spec("[1, 4]", &format!("varies: {varies}\n{both}")), "volta");
        found.iter().map(|warning| warning.help.clone()).collect::<Vec<_>>().concat()
    };
    let none = names("[]");
    assert!(none.contains("varies: [out]") && none.contains("varies: [int32]"), "{none}");
    assert!(!names("[out]").contains("out") && names("[out]").contains("int32"));
    assert!(!names("[int32]").contains("int32") && names("[int32]").contains("out"));
    assert_eq!(names("[out, int32, fp32]"), "");
}

#[test]
fn one_configuration_is_compared_with_no_other() {
    let spec =
        spec("[1, 4]", "launch: { work_items: 64, work_group: 64 }\nbody: [{ store: { array: out, per_item: P } }]\n");
    let shipped = find("volta").unwrap();
    let source = Source::new("volta", &shipped.text);
    assert_eq!(findings(&spec, &shipped.profile, &SourceReader::default(), &source, None).len(), 1);
    assert_eq!(findings(&spec, &shipped.profile, &SourceReader::default(), &source, Some(&Configuration(vec![1]))), []);
}

/// The extremes are found even in a space too large to compare all configurations.
#[test]
fn a_large_space_is_compared_at_even_distances() {
    let text = "kernel: k\nparameters:\n  A: { range: { from: 1, to: 500 } }\n  B: { range: { from: 1, to: 500 } }\n\
                launch: { work_items: 64, work_group: 64 }\nbody: [{ store: { array: out, per_item: A } }, { compute: { per_item: B, kind: any } }]\n";
    let spec = Spec::parse(text, "k.yaml").unwrap();
    let space = Space::new(&spec, &find("volta").unwrap().profile.names(false)).unwrap();
    assert_eq!(space.size(), 250_000);
    let found = told(&spec, "volta");
    assert!(found.len() == 1 && found[0].message.contains("256 with A=1 "), "{found:?}");
}

/// 5 * 10^11 configurations cannot be tuned and are not searched for warnings.
#[test]
fn a_space_that_is_too_large_to_be_tuned_has_no_warning_of_its_work() {
    let parameters =
        ["P0", "P1", "P2", "P3", "P4", "P5"].map(|name| format!("{name}: {{ range: {{ from: 1, to: 90 }} }}"));
    let parameters = parameters.join(", ");
    let text = format!(
        "kernel: k\nparameters: {{ {parameters} }}\nlaunch: {{ work_items: 64, work_group: 64 }}\n\
         body: [ {{ store: {{ array: out, per_item: P0 + P1 + P2 + P3 + P4 + P5 }} }} ]\n"
    );
    assert_eq!(told(&Spec::parse(&text, "k.yaml").unwrap(), "volta"), []);
}

/// Every second of 100,001 configurations is compared.
#[test]
fn what_was_compared_of_a_large_space_is_said() {
    let store = "{ store: { array: out, per_item: '1 + floor_div(P, 50000)' } }";
    let text = format!(
        "kernel: k\nparameters:\n  P: {{ range: {{ from: 0, to: 100000 }} }}\n\
         launch: {{ work_items: 64, work_group: 64 }}\nbody: [{store}]\n"
    );
    let found = told(&Spec::parse(&text, "k.yaml").unwrap(), "volta");
    let words =
        "the bytes stored to `out` depend on the configuration, of 50001 compared: 256 with P=0, 768 with P=100000";
    assert_eq!(found.iter().map(|warning| warning.message.as_str()).collect::<Vec<_>>(), [words]);
}

/// 1025 elements in groups of 32 to 1024: whole groups are launched, and the kernel skips what is beyond.
#[test]
fn what_a_guard_skips_is_not_stored() {
    let of = |guarded: bool| {
        let text = format!(
            "kernel: k\nproblem: {{ n: 1025 }}\nparameters:\n  P: {{ powers_of_two: {{ from: 32, to: 1024 }} }}\n\
             launch: {{ work_items: n, work_group: P }}\n\
             body: [ {{ store: {{ array: y, index: [gx * P + lx], shape: [n], guarded: {guarded} }} }} ]\n"
        );
        told(&Spec::parse(&text, "k.yaml").unwrap(), "volta").len()
    };
    assert_eq!((of(true), of(false)), (0, 1));
}
