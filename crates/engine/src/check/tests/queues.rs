//! Queues that nothing waits for, and products that depend on the configuration.

use super::*;

fn found(body: &str) -> Vec<(WarningKind, u32, String)> {
    let rest = format!("unused: [P]\nlaunch: {{ work_items: 64 * P, work_group: 64 }}\nbody:\n{body}");
    told(&spec("[1, 2]", &rest), "a100").into_iter().map(|found| (found.kind, found.line, found.message)).collect()
}

#[test]
fn a_queue_that_nothing_waits_for_is_told_once() {
    let copy = "  - copy: { array: a, to: t, queue: q }\n";
    let words = "no statement waits for the queue `q`: only the end of the kernel does";
    assert_eq!(found(&format!("{copy}{copy}")), [(WarningKind::NobodyWaits, 7, words.to_owned())]);
    assert_eq!(found(&format!("{copy}{copy}  - wait: {{ queue: q, pending: 1 }}\n")), []);
    let looped = "  - loop: { count: 2, body: [{ wait: { queue: q } }, { load: { array: a, queue: q } }] }\n";
    assert_eq!(found(looped), [], "a wait in a loop comes before and behind");
}

#[test]
fn products_that_depend_on_the_configuration_are_told() {
    let multiply = "  - matrix: { shape: [16, 8, 16], type: fp16, per_warp: P }\n";
    let [(WarningKind::WorkVaries, 7, words)] = &found(multiply)[..] else { panic!("{:?}", found(multiply)) };
    assert!(words.starts_with("the products of the matrix units depend on the configuration: 4096 "), "{words}");
    // twice the groups with half of the instructions
    assert_eq!(found(&multiply.replace("per_warp: P", "per_warp: 2 / P")), []);
}
