//! Timelines of random programs: their time is the evaluator's, and their gaps equal what would run.

use autotune::machine::{Timeline, evaluate, timeline, timeline_plain};

use super::varied_programs;

/// Checks that every moment of a warp, until its end, is in one span.
fn assert_whole(shown: &Timeline, text: &str) {
    for lane in &shown.lanes {
        let ends = lane.iter().map(|span| span.end);
        assert!(lane.iter().map(|span| span.begin).eq([0].into_iter().chain(ends).take(lane.len())), "{text}");
        assert!(lane.iter().all(|span| span.begin < span.end && span.end <= shown.drawn), "{text}");
    }
    let ends = shown.totals.iter().map(|totals| totals.iter().sum::<u64>());
    assert_eq!(ends.max(), Some(shown.waves.ticks), "{text}");
}

#[test]
fn timelines_agree_with_the_evaluator_on_10_000_random_programs() {
    let (mut gaps, mut nested) = (0, 0);
    for program in varied_programs(7).take(10_000) {
        let text = serde_json::to_string(&program).unwrap();
        let evaluation = evaluate(&program, u64::MAX).unwrap();
        let [shown, plain] = [timeline, timeline_plain].map(|make| make(&program, usize::MAX, u64::MAX >> 1).unwrap());
        for one in [&shown, &plain] {
            assert_eq!(one.waves.total(), evaluation.ticks, "{text}");
            assert_whole(one, &text);
        }
        assert_eq!(shown.totals, plain.totals, "{text}");
        assert_eq!((plain.gaps.len(), plain.drawn), (0, plain.waves.ticks), "{text}");
        // The timelines agree up to the first gap.
        let first = shown.gaps.first().map_or(shown.drawn, |gap| gap.at);
        for (lane, same) in shown.lanes.iter().zip(&plain.lanes) {
            let before = |spans: &[autotune::machine::Span]| -> Vec<_> {
                let begun = spans.iter().take_while(|span| span.begin < first);
                begun.map(|span| (span.begin, span.end.min(first), span.activity)).collect()
            };
            assert_eq!(before(lane), before(same), "{text}");
        }
        gaps += usize::from(!shown.gaps.is_empty());
        nested += usize::from(shown.gaps.len() > 2);
    }
    assert!(gaps >= 2_000 && nested >= 200, "only {gaps} programs have gaps, {nested} more than two");
}
