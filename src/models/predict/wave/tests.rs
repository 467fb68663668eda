use proptest::prelude::*;

use super::*;

proptest! {
    /// A fixed point: the wave lasts as long as its bytes need, and with any lower latency it would not.
    #[test]
    fn settling_ends_at_the_least_latency_that_suffices(
        idle in 1.0..1e4_f64, trips in 0.0..1e6_f64, rest in 0.0..1e9_f64, delay in 0.0..1e9_f64, needed in 0.0..1e12_f64,
    ) {
        let time = |latency: f64| (rest + trips * latency).max(delay);
        let settled = settle(time, idle, needed);
        prop_assert!(settled >= idle);
        if trips > 1e-3 || time(idle) >= needed {
            prop_assert!(time(settled) >= needed);
        }
        if settled > idle {
            prop_assert!(time(settled * (1.0 - 2.0 * PRECISION)) < needed);
        }
    }
}

#[test]
fn a_latency_that_slows_nothing_stays() {
    assert!((settle(|_| 5.0, 40.0, 1e9) - 40.0).abs() < f64::EPSILON);
    assert!((settle(|latency| latency, 40.0, f64::INFINITY) - 40.0).abs() < f64::EPSILON);
}
