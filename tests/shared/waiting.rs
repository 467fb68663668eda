//! A wait of the tests for what another process does.

use std::thread::sleep;
use std::time::{Duration, Instant};

/// Waits until a condition holds. After two minutes the test fails, so that none hangs.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(120), "it never came that {what}");
        sleep(Duration::from_millis(5));
    }
}
