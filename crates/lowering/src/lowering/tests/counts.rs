use super::*;
use Server::{Dispatcher, Local, Memory};

/// A spec with every kind of count; a test replaces the words in braces.
const COUNTS: &str = "\
kernel: counts
problem: { size: 64 }
parameters:
  P: { values: [{domain}] }
let:
  half: P / 2
  quarter: half / 2
  same: quarter
constraints:
  - {constraint}
launch:
  work_items: [{work_items}, 64]
  work_group: [{work_group}, 8]
  times: {times}
resources:
  local_memory: {local_memory}
  registers: {registers}
body:
  - load: { array: a, per_item: {load}, items: {load_items} }
  - local: { per_item: {local}, items: {local_items} }
  - loop:
      count: {loop}
      body:
        - compute: { per_item: {compute}, items: {compute_items} }
  - store: { array: b, per_item: {store}, items: {store_items} }
";

/// The places of `COUNTS` that take a count, each with a valid one.
const PLACES: [(&str, &str); 13] = [
    ("work_items", "64"),
    ("work_group", "8"),
    ("times", "1"),
    ("local_memory", "16"),
    ("load", "2"),
    ("load_items", "8"),
    ("local", "2"),
    ("local_items", "8"),
    ("loop", "2"),
    ("compute", "2"),
    ("compute_items", "8"),
    ("store", "2"),
    ("store_items", "8"),
];

/// `COUNTS` with other words at some places, and the place of the first of these.
fn counts(words: &[(&str, &str)]) -> (String, String) {
    let rest = PLACES.iter().copied().chain([("registers", "8"), ("constraint", "P > 0"), ("domain", "5")]);
    let text = rest
        .filter(|(place, _)| words.iter().all(|(other, _)| other != place))
        .chain(words[1..].iter().copied())
        .fold(COUNTS.to_owned(), |text, (place, word)| text.replace(&format!("{{{place}}}"), word));
    let (place, word) = words[0];
    let before = text.find(&format!("{{{place}}}")).unwrap_or_else(|| panic!("no place is called {place}"));
    let line = text[..before].matches('\n').count() + 1;
    let column = before - text[..before].rfind('\n').unwrap();
    (text.replace(&format!("{{{place}}}"), word), format!("counts.yaml:{line}:{column}"))
}

/// The lowered program of the first configuration of a text.
fn of(gpu: &Profile, text: &str) -> Result<Feasibility<Lowered>, String> {
    let spec = Spec::parse(text, "counts.yaml").unwrap_or_else(|error| panic!("{error}"));
    outcome(gpu, &spec).map_err(|error| error.to_string())
}

fn both() -> [Profile; 2] {
    [plain(), find("abstract-tiny").unwrap().profile.clone()]
}

#[test]
fn no_count_is_rounded() {
    for (gpu, (place, good)) in both().iter().flat_map(|gpu| PLACES.map(|place| (gpu, place))) {
        let whole = of(gpu, &counts(&[(place, "P / 2"), ("domain", "4")]).0).unwrap();
        assert_eq!(whole, of(gpu, &counts(&[(place, "2"), ("domain", "4")]).0).unwrap(), "{place}: 4 / 2 is 2");
        let (text, at) = counts(&[(place, "P / 2")]);
        let error = of(gpu, &text).unwrap_err();
        let words = ["`P / 2`: 5 / 2 is not an integer", "P = 5", "ceil_div(a, b)", "floor_div(a, b)", &at];
        assert!(words.iter().all(|word| error.contains(word)), "{place}, {at}: {error}");
        // The quotient alone is at fault, wherever it stands in the expression.
        let more = format!("{good} + size / P");
        let (text, at) = counts(&[(place, &more)]);
        let error = of(gpu, &text).unwrap_err();
        let (line, column) = at.rsplit_once(':').unwrap();
        let at = format!("{line}:{}", column.parse::<usize>().unwrap() + more.find("size").unwrap());
        assert!(error.contains("64 / 5 is not an integer") && error.contains("size = 64, P = 5"), "{error}");
        assert!(error.contains(&at), "{at}: {error}");
    }
}

#[test]
fn a_let_that_a_count_uses_is_not_rounded_either() {
    for (place, _) in PLACES {
        for (name, at, values) in [
            ("half", "counts.yaml:6:9", "5 / 2"),
            ("quarter", "counts.yaml:6:9", "5 / 2"),
            ("same + 1", "counts.yaml:6:9", "5 / 2"),
        ] {
            let error = of(&plain(), &counts(&[(place, name)]).0).unwrap_err();
            assert!(error.contains(at) && error.contains(values) && error.contains("P = 5"), "{place}: {error}");
        }
        // 6 / 2 is whole, 3 / 2 is not
        let error = of(&plain(), &counts(&[(place, "same"), ("domain", "6")]).0).unwrap_err();
        assert!(error.contains("counts.yaml:7:12") && error.contains("3 / 2") && error.contains("half = 3"), "{error}");
        assert!(of(&plain(), &counts(&[(place, "half"), ("domain", "8")]).0).is_ok());
    }
}

#[test]
fn what_is_no_count_still_rounds() {
    let good = |words: &[(&str, &str)]| of(&plain(), &counts(words).0).unwrap_or_else(|error| panic!("{error}"));
    let plainly = good(&[("domain", "5")]);
    for (place, word) in
        [("constraint", "P / 2 == 2"), ("constraint", "half == 2 && same == 1"), ("domain", "size / 12")]
    {
        assert_eq!(good(&[(place, word)]), plainly, "{place}: {word}");
    }
    // 16 times 128 / 5 registers of 32 work items: as 25
    assert_eq!(good(&[("registers", "128 / P")]), good(&[("registers", "25")]));
    assert_eq!(good(&[("registers", "half + 23")]), good(&[("registers", "25")]));
}

#[test]
fn what_a_constraint_excludes_is_no_error() {
    for (place, _) in PLACES {
        for count in ["P / 2", "half"] {
            let (text, _) = counts(&[(place, count), ("constraint", "P % 2 == 0")]);
            let Ok(Feasibility::Infeasible(infeasible)) = of(&plain(), &text) else { panic!("{place}") };
            assert_eq!(infeasible.to_string(), "P % 2 == 0", "{place}");
        }
    }
}

/// A part that the value does not need is not evaluated.
#[test]
fn what_is_not_chosen_is_not_divided() {
    for (place, good) in PLACES {
        let chosen = format!("'P % 2 == 0 ? P / 2 : {good}'");
        assert!(of(&plain(), &counts(&[(place, &chosen)]).0).is_ok(), "{place}");
        let (text, _) = counts(&[(place, "'P % 2 == 1 ? P / 2 : 1'")]);
        assert!(of(&plain(), &text).unwrap_err().contains("5 / 2 is not an integer"), "{place}");
    }
}

#[test]
fn divisions_that_say_how_they_round_are_counts() {
    for (gpu, (place, _)) in both().iter().flat_map(|gpu| PLACES.map(|place| (gpu, place))) {
        for (division, value) in [
            ("'ceil_div(P, 2)'", "3"),
            ("'floor_div(P, 2)'", "2"),
            ("'floor_div(-P, 2) + 4'", "1"),
            ("'ceil_div(-P, 2) + 4'", "2"),
            ("'floor_div(size, P) / 2 / 2'", "3"),
        ] {
            let [divided, stated] = [division, value].map(|word| of(gpu, &counts(&[(place, word)]).0).unwrap());
            assert_eq!(divided, stated, "{place}: {division}");
        }
    }
}

fn processor() -> Profile {
    let text = "name: grid\nexecution: lockstep\nmultiprocessors: 1\nprocessing_elements: 4\ndispatchers: 2\n\
                global_memory_ticks: 10\nlocal_memory_ticks: 2\n";
    Profile::parse(text, "grid.yaml").unwrap()
}

/// Ticks of one statement on a lockstep GPU.
#[test]
fn a_mean_costs_its_part_of_a_lockstep_price() {
    let ticks = |statement: &str| occupancy(&processor(), Dispatcher, &[statement]);
    for (statement, expected) in [
        ("compute: { per_item: 17.5 }", 18),
        ("compute: { per_item: 0.001 }", 1),
        ("compute: { per_item: 0.0 }", 0),
        ("compute: { per_item: 'mean(35, 2)' }", 18),
        ("compute: { per_item: 'mean(one + 35, 2)' }", 18),
        ("compute: { per_item: 'mean(0, 7)' }", 0),
        ("load: { array: a, per_item: 2.5 }", 25),
        ("load: { array: a, per_item: 0.25 }", 3),
        ("store: { array: a, per_item: 'mean(1, 3)' }", 4),
        ("store: { array: a, per_item: '3 * mean(1, 3)' }", 10),
        ("local: { per_item: 1.25 }", 3),
        ("local: { per_item: '4 * mean(5, 2) + 0.25' }", 21),
        ("local: { per_item: 'one == 1 ? 2.5 : 4' }", 5),
        ("local: { per_item: 'min(2.5, 3) + max(0.25, mean(1, 2)) - 1.0' }", 4),
        ("local: { per_item: '7.5 / 3' }", 5),
    ] {
        assert_eq!(ticks(statement), expected, "{statement}");
    }
}

#[test]
fn a_mean_is_exact_on_a_real_gpu() {
    // a cycle of the issue for each of 17.5 operations of a warp
    for mean in ["17.5", "'mean(35, 2)'", "'mean(70, 4)'", "'0.5 * mean(one * 35, 1)'", "17 + 0.5"] {
        let body = format!("compute: {{ kind: any, per_item: {mean} }}");
        assert_eq!(occupancy(&plain(), Dispatcher, &[&body]), 35 * 8, "{mean}");
        assert_eq!(occupancy(&plain(), Dispatcher, &[&body, &body]), 2 * 35 * 8, "{mean}, twice");
    }
    // A third of a pass of 128 bytes over local memory; three of these are a whole one, not three rounded ones.
    let third = "local: { per_item: 'mean(1, 3)' }";
    assert_eq!(occupancy(&plain(), Local, &[third]), 6, "16 / 3");
    assert_eq!(occupancy(&plain(), Local, &[third, third, third]), 16);
    // Half of the 128 bytes of a warp, 17 a cycle from DRAM.
    let half = "store: { array: a, per_item: 0.5 }";
    assert_eq!(occupancy(&plain(), Memory, &[half]), (16 * 64_u64).div_ceil(17));
    // 2.5 of four loads in flight: 5 / 8 of a round trip of 400 cycles
    let load = uses(&plain(), &["load: { array: a, per_item: 2.5 }"]);
    assert_eq!(load[0].2 - load[0].1, 16 * 400 * 5 / 8);
}

#[test]
fn a_whole_mean_is_the_integer() {
    for statement in ["compute: {", "load: { array: a,", "store: { array: a,", "local: {"] {
        for (mean, integer) in
            [("'mean(36, 2)'", 18), ("18.0", 18), ("'4 * mean(9, 2)'", 18), ("'mean(1, 4) * mean(8, 2)'", 1)]
        {
            let [mean, integer] =
                [mean.to_owned(), integer.to_string()].map(|count| format!("{statement} per_item: {count} }}"));
            for gpu in [plain(), processor()] {
                assert_eq!(program(&gpu, LAUNCH, &[&mean]), program(&gpu, LAUNCH, &[&integer]), "{mean}");
            }
        }
    }
}

#[test]
fn means_without_a_value_are_errors_with_their_place() {
    let huge = "9223372036854775807";
    for (mean, words) in [
        ("'mean(1, one - 1)'".to_owned(), "division by zero"),
        ("'1.5 / (one - 1)'".to_owned(), "division by zero"),
        ("0.5 - one".to_owned(), "must not be negative"),
        ("-0.5".to_owned(), "must not be negative"),
        ("'mean(3 / 2, 2)'".to_owned(), "3 / 2 is not an integer"),
        (format!("'{huge} * 1.5'"), "does not fit 64 bits"),
        (format!("'mean(1, {huge}) * mean(1, {huge})'"), "does not fit 64 bits"),
        (format!("'mean({huge}, 1) + {huge}'"), "does not fit 64 bits"),
    ] {
        let statement = format!("compute: {{ per_item: {mean} }}");
        for gpu in [plain(), processor()] {
            let error = outcome(&gpu, &spec(LAUNCH, &[&statement])).expect_err(&statement).to_string();
            assert!(error.contains(words) && error.contains("test.yaml:5:"), "{mean}: {error}");
        }
    }
}
