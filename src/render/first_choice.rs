//! The first choice of the model that agrees best with the machine, in words.

use crate::result::WinnerReport;
use autotune_base::text::words::{grouped, label};
use autotune_base::ticks::Ticks;
use autotune_engine::compare::Relative;

/// Returns what a model puts first, and what that takes relative to the optimum's time. The mean and the
/// range of equal configurations stand for a choice among them.
pub(super) fn first_choice(winner: &WinnerReport, optimum: Ticks) -> String {
    match (winner.equals, winner.ticks, winner.relative) {
        (0, None, _) => format!("{}, whose evaluation takes too many events", label(&winner.parameters)),
        (0, Some(ticks), _) if ticks == optimum => "the proved optimum".to_owned(),
        (0, Some(ticks), _) => {
            let quotient = ticks.to_f64() / optimum.to_f64().max(1.0);
            format!("{}, {quotient:.2} times the optimum", label(&winner.parameters))
        }
        (others, _, None) => format!("one of {} equal configurations, not all of them timed", counted_with(others)),
        (others, _, Some(Relative { worst, .. })) if worst <= 1.0 => {
            format!("one of {} equal configurations, each as fast as the optimum", counted_with(others))
        }
        (others, _, Some(Relative { best, mean, worst })) => format!(
            "one of {} equal configurations, in the mean {mean:.2} times the optimum ({best:.2} to {worst:.2})",
            counted_with(others)
        ),
    }
}

/// The number of configurations: one and the others.
fn counted_with(others: usize) -> String {
    grouped(others as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn winner(equals: usize, ticks: Option<u64>, relative: Option<[f64; 3]>) -> WinnerReport {
        let relative = relative.map(|[best, mean, worst]| Relative { best, mean, worst });
        let parameters = [("WG".to_owned(), 32.into())].into_iter().collect();
        let ticks = ticks.map(Ticks::new);
        WinnerReport { model: "max_plus_naive".to_owned(), parameters, equals, ticks, relative }
    }

    #[test]
    fn a_choice_among_equal_ones_is_told_as_mean_and_range() {
        let told = |equals, ticks, relative| first_choice(&winner(equals, ticks, relative), Ticks::new(8));
        assert_eq!(told(0, Some(8), Some([1.0; 3])), "the proved optimum");
        assert_eq!(told(0, Some(10), Some([1.25; 3])), "WG=32, 1.25 times the optimum");
        assert_eq!(told(0, None, None), "WG=32, whose evaluation takes too many events");
        assert_eq!(
            told(5, Some(8), Some([1.0, 1.25, 2.0])),
            "one of 6 equal configurations, in the mean 1.25 times the optimum (1.00 to 2.00)"
        );
        assert_eq!(told(1, Some(8), Some([1.0; 3])), "one of 2 equal configurations, each as fast as the optimum");
        assert_eq!(told(1233, Some(8), None), "one of 1,234 equal configurations, not all of them timed");
    }
}
