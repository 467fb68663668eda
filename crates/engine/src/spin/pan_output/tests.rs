//! Tests on recorded outputs of pan, all by SPIN 6.5.2.

use super::*;

macro_rules! recorded {
    ($name:literal) => {
        include_str!(concat!("../../../../../tests/data/pan/", $name, ".txt"))
    };
}

fn verdict(output: &str) -> PanVerdict {
    let claim = read(output, Searched::Claim(Claim::Optimum));
    let understood = claim.or_else(|_| read(output, Searched::EndStates));
    understood.expect("a recorded output is understood").verdict
}

#[test]
fn an_exhaustive_search_without_errors_is_a_proof() {
    let output = read(recorded!("exhausted"), Searched::Claim(Claim::Optimum)).unwrap();
    assert_eq!(output.verdict, PanVerdict::Exhausted);
    assert_eq!((output.statistics.states, output.statistics.steps), (3, 181));
    assert!(output.statistics.memory_mib > 128.0 && output.statistics.stack_mib > 0.5);
}

#[test]
fn a_violated_claim_is_told_from_the_models_own_assertions() {
    assert_eq!(verdict(recorded!("violated")), PanVerdict::ClaimViolated { errors: 1 });
    let own = ModelFault::Assertion("(finished==warps)".to_owned());
    assert_eq!(verdict(recorded!("assertion")), PanVerdict::ModelError(own));
    let index = ModelFault::Assertion("- invalid array index".to_owned());
    assert_eq!(verdict(recorded!("array")), PanVerdict::ModelError(index));
    assert_eq!(verdict(recorded!("stuck")), PanVerdict::ModelError(ModelFault::InvalidEndState));
}

#[test]
fn a_search_that_was_cut_proves_nothing() {
    assert_eq!(verdict(recorded!("depth")), PanVerdict::Inconclusive(Cut::Depth));
    assert_eq!(verdict(recorded!("memory")), PanVerdict::Inconclusive(Cut::Memory));
    assert_eq!(verdict(recorded!("vector")), PanVerdict::Inconclusive(Cut::VectorSize));
    assert_eq!(verdict(recorded!("vector_in_run")), PanVerdict::Inconclusive(Cut::VectorSize));
    assert_eq!(verdict(recorded!("interrupted")), PanVerdict::Inconclusive(Cut::Stopped));
    let approximate = recorded!("exhausted").replace("Full statespace search", "Hash-Compact 4 search");
    assert_eq!(verdict(&approximate), PanVerdict::Inconclusive(Cut::Approximate));
}

#[test]
fn a_bit_state_search_is_never_a_proof() {
    assert_ne!(
        read(recorded!("bitstate"), Searched::Claim(Claim::Optimum)).map(|output| output.verdict),
        Ok(PanVerdict::Exhausted)
    );
}

#[test]
fn the_models_prints_are_its_ends() {
    let output = read(recorded!("ends"), Searched::EndStates).unwrap();
    assert!(read(recorded!("ends"), Searched::Claim(Claim::Optimum)).is_err());
    let ends: Vec<_> = output.ends.iter().map(|end| (usize::from(end.configuration), end.done)).collect();
    assert_eq!(ends, [(0, true), (1, true)]);
    assert_eq!(super::ends("  autotune: configuration 7 CUT at 2 * 2^30 + 5\n").unwrap()[0].ticks, (2 << 30) + 5);
    assert!(super::ends("autotune: configuration 7 LOST").is_err());
}

#[test]
fn tampered_outputs_are_refused() {
    let proof = recorded!("exhausted");
    for (what, replacement) in [
        ("errors: 0", "errors: 1"),
        ("errors: 0", "errors: none"),
        ("3 states, stored", "states, stored"),
        ("+ (optimum)", "+ (another)"),
        ("pan: elapsed time", "elapsed time"),
        ("State-vector", "pan: out of luck\nState-vector"),
        ("State-vector", "State-vector 1 byte, depth reached 1, errors: 0\nState-vector"),
        ("Full statespace search for:", ""),
    ] {
        assert!(
            read(&proof.replacen(what, replacement, 1), Searched::Claim(Claim::Optimum)).is_err(),
            "{what} replaced by {replacement}"
        );
    }
    let hidden = recorded!("violated").replacen("errors: 1", "errors: 0", 1);
    assert!(matches!(read(&hidden, Searched::Claim(Claim::Optimum)), Err(NotUnderstood::Contradiction(_))));
    assert_eq!(read("", Searched::Claim(Claim::Optimum)), Err(NotUnderstood::Part("pan: elapsed time")));
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in "\\PC*", cut in 0usize..1500) {
        let _ = read(&text, Searched::Claim(Claim::Optimum));
        let proof = recorded!("exhausted");
        let short = &proof[..cut.min(proof.len())];
        proptest::prop_assert!(read(short, Searched::Claim(Claim::Optimum)).is_err() || !proof[short.len()..].contains("elapsed time"));
    }
}
