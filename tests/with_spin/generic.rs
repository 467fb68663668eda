//! The generic model: one text for all programs, whose tables come from a file that is not trusted.

use std::path::Path;

use autotune::machine::{Program, Server, Statement, evaluate};
use autotune::model::{self, Candidate, Form, Model};
use autotune::spin::{Found, ModelChecker, Settings, SpinError};

use crate::one_warp::one_warp;
use crate::random_programs::{Shape, programs};
use crate::{NONE, candidates, checker, settings};

const SHAPE: Shape = Shape { dispatchers: 4, resident_groups: 3, warps: 4, iterations: 6, queues: 0 };

fn generic(form: Form, programs: &[Program]) -> Model {
    model::generic(form, &candidates(programs)).unwrap().remove(0)
}

#[test]
fn its_times_verdicts_and_trails_are_the_evaluators() {
    for shape in [SHAPE, Shape { queues: 3, ..SHAPE }] {
        assert_times_verdicts_and_trails(&programs(200, shape).take(300).collect::<Vec<_>>());
    }
}

fn assert_times_verdicts_and_trails(some: &[Program]) {
    let ticks: Vec<u64> = some.iter().map(|program| evaluate(program, u64::MAX).unwrap().ticks).collect();
    let optimum = *ticks.iter().min().unwrap();
    for form in [Form::Roles, Form::Wave] {
        let folder = tempfile::tempdir().unwrap();
        let mut checker = checker(generic(form, some), folder.path());
        let mut ends = checker.ends(NONE).unwrap().0;
        ends.sort_unstable();
        assert_eq!(ends.iter().map(|end| end.ticks).collect::<Vec<_>>(), ticks);
        assert_eq!(checker.find(optimum).unwrap().0, Found::None);
        let (Found::Witnesses(found), _) = checker.find_all(optimum + 1).unwrap() else { panic!("no witness") };
        let fastest: Vec<usize> = (0..ticks.len()).filter(|&number| ticks[number] == optimum).collect();
        assert_eq!(found.iter().map(|end| end.configuration.into()).collect::<Vec<usize>>(), fastest);
        // As in a folder that is kept: each trail by itself shows the run that the search has shown.
        let replayed = folder.path().join("replayed");
        let settings = Settings { replays_all: true, ..settings() };
        let mut replaying = ModelChecker::new(generic(form, some), replayed.clone(), settings).unwrap();
        assert_eq!(replaying.find_all(optimum + 1).unwrap().0, Found::Witnesses(found.clone()));
        assert_eq!(std::fs::read_dir(replayed.join("witnesses")).unwrap().count(), found.len());
        let (Found::Witnesses(first), _) = checker.find(NONE).unwrap() else { panic!("no run ends") };
        assert_eq!(first[0].ticks, ticks[usize::from(first[0].configuration)]);
        // Plain SPIN does not read tables: it has nothing to run, and fails instead of giving a wrong answer.
        assert!(checker.simulate().is_err());
    }
}

#[test]
fn the_times_of_5_000_programs_with_queues_are_the_evaluators() {
    let some: Vec<Program> = programs(205, Shape { queues: 4, ..SHAPE }).take(5_000).collect();
    let folder = tempfile::tempdir().unwrap();
    let mut checker = checker(generic(Form::Wave, &some), folder.path());
    let ends = checker.ends(NONE).unwrap().0;
    assert_eq!(ends.len(), some.len());
    for end in ends {
        let program = &some[usize::from(end.configuration)];
        assert_eq!(
            end.ticks,
            evaluate(program, u64::MAX).unwrap().ticks,
            "{}",
            serde_json::to_string(program).unwrap()
        );
    }
}

/// A program with a start at each server and a wait, and the tables of a model of it.
const QUEUED: &str = "1 9\n2 1 6 2 2 1 3 0\n4 10 0 0 0\n8 3 20 0 2\n11 1 9 2 1\n7 2 2 0 0\n12 0 0 0 1\n3 1 0 0 0\n9 1 1 0 2\n5 1 0 0 0\n6 0 0 0 0\n";

#[test]
fn bad_slots_are_no_verdict() {
    let starts = |one: &Statement| matches!(one, Statement::Start { .. });
    let mut some = programs(206, Shape { queues: 3, ..SHAPE });
    let program = &some.find(|program| program.body.iter().any(starts)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut checker = with_tables(program, QUEUED, folder.path());
    let too_long = all_latencies(357_913_262);
    let changes: Vec<Change<'_>> = vec![
        ("a start without a slot", "8 3 20 0 2", "8 3 20 0 0", "a wrong slot"),
        ("slots beyond the last", "8 3 20 0 2", "8 3 20 7 2", "a wrong slot"),
        ("a slot beyond the last", "11 1 9 2 1", "11 1 9 2147483647 1", "a wrong slot"),
        ("a wait for more slots than there are", "12 0 0 0 1", "12 0 0 0 9", "a wrong slot"),
        ("an occupancy above the latency", "8 3 20", "8 21 20", "a wait that is too long"),
        ("too long a use of the matrix unit", "7 2 2", "7 2 1073741824", "a wait that is too long"),
        ("starts that pile up", "4 10 0", "4 2147483647 0", "waits that are too long"),
        ("no multiprocessor", "2 1 6", "0 1 6", "multiprocessors or dispatchers"),
        ("no dispatcher", "2 1 6", "2 0 6", "multiprocessors or dispatchers"),
        ("too many dispatchers", "2 1 6", "2 4 6", "multiprocessors or dispatchers"),
        ("latencies of 2^30 ticks in all", QUEUED, &too_long, "waits that are too long"),
        ("an unknown kind", "12 0 0 0 1", "13 0 0 0 1", "a wrong row"),
        ("rows without slots", "8 3 20 0 2", "8 3 20", "a wrong"),
    ];
    let file = folder.path().join("tables.txt");
    assert_refused(&mut checker, &file, QUEUED, &changes);
    let without_starts = "1 4\n2 1 6 2 2 1 3 0\n4 2147483647 0 0 0\n0 3 20 0 0\n5 1 0 0 0\n6 0 0 0 0\n";
    for (what, tables) in [
        ("the last slots of a warp", QUEUED.replacen("8 3 20 0 2", "8 3 20 6 2", 1).as_str()),
        ("latencies of 2^30 - 1 ticks in all", &all_latencies(357_913_261)),
        ("a loop in which nothing starts", without_starts),
    ] {
        std::fs::write(&file, tables).unwrap();
        assert!(matches!(checker.find(NONE), Ok((Found::Witnesses(_), _))), "{what}");
    }
}

/// The tables of three warps whose statements of all kinds take 2,040 ticks in all, beside one of `latency` ticks in each.
fn all_latencies(latency: u64) -> String {
    let head = "1 13\n2 1 6 1 3 1 3 0\n";
    let inner = "4 7 1 0 0\n1 5 5 0 0\n5 2 1 0 0\n";
    let outer = "8 3 20 0 2\n11 1 9 2 1\n7 2 2 0 0\n12 0 0 0 1\n3 1 0 0 0\n9 1 1 0 2\n";
    format!("{head}4 10 0 0 0\n{inner}{outer}5 1 0 0 0\n0 0 {latency} 0 0\n6 0 0 0 0\n")
}

#[test]
fn its_text_is_the_same_for_other_programs() {
    let some = |seed| programs(seed, SHAPE).take(30).collect::<Vec<_>>();
    let (one, other) = (generic(Form::Wave, &some(201)), generic(Form::Wave, &some(202)));
    assert_eq!((&one.text, one.vector_bytes), (&other.text, other.vector_bytes));
    assert_ne!(one.tables, other.tables);
}

#[test]
fn what_takes_long_to_search_is_several_models_of_one_text() {
    let program = one_warp(vec![Statement::Use { server: Server::Memory, occupancy: 1, latency: 2 }]);
    let half = 1 << 19;
    let candidate = |_| Candidate { label: String::new(), program: &program, events: half, uncut_events: half };
    let models = model::generic(Form::Wave, &(0..5).map(candidate).collect::<Vec<_>>()).unwrap();
    assert_eq!(models.iter().map(|model| model.candidates.len()).collect::<Vec<_>>(), [2, 2, 1]);
    assert!(models.iter().all(|model| model.text == models[0].text && model.is_worth_optimising()));
}

#[test]
fn more_programs_than_a_model_holds_are_several_of_one_text() {
    let of = |latency| one_warp(vec![Statement::Use { server: Server::Memory, occupancy: 1, latency }]);
    let some: Vec<Program> = (0..40_000).map(|number| of(50_000 - number)).collect();
    let models = model::generic(Form::Wave, &candidates(&some)).unwrap();
    let all: Vec<usize> = models.iter().flat_map(|model| model.candidates.iter().copied().map(usize::from)).collect();
    assert_eq!(all, (0..40_000).collect::<Vec<_>>());
    assert_eq!(models.iter().map(|model| model.candidates.len()).collect::<Vec<_>>(), [16_384, 16_384, 7_232]);
    assert!(models.iter().all(|model| model.text == models[0].text));
    for (model, least) in models.into_iter().zip([33_617, 17_233, 10_001]) {
        let folder = tempfile::tempdir().unwrap();
        let last = model.candidates.len() - 1;
        let mut checker = checker(model, folder.path());
        assert_eq!(checker.find(least).unwrap().0, Found::None);
        let (Found::Witnesses(found), _) = checker.find(least + 1).unwrap() else { panic!("no witness") };
        assert_eq!((found[0].configuration, found[0].ticks), (last.into(), least));
    }
}

/// One program: 2 multiprocessors, 1 dispatcher, 6 groups of which 2 are resident, 2 warps each; a loop with a barrier
/// in it.
const TABLES: &str = "1 5\n2 1 6 2 2 1 3 0\n4 10 0\n0 3 20\n3 1 0\n5 1 0\n6 0 0\n";

/// For any fault of the file, pan prints it and gives no verdict.
#[expect(clippy::too_many_lines, reason = "a table of bad files, a line each")]
#[test]
fn a_bad_table_file_is_no_verdict() {
    let program = &programs(203, SHAPE).next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut checker = with_tables(program, TABLES, folder.path());
    // The rows of the good file close loops opened before them, or are left over.
    let too_deep = format!(
        "1 26\n2 1 6 2 2 1 3 0\n{}",
        (0..20).flat_map(|level| ["4 10 ".to_owned(), level.to_string(), "\n".to_owned()]).collect::<String>()
            + "6 0 0\n"
    );
    // One level more than the model's four, closed correctly.
    let one_too_deep =
        "1 12\n2 1 6 2 2 1 3 0\n4 1 0\n4 1 1\n4 1 2\n4 1 3\n4 1 4\n0 3 20\n5 5 4\n5 4 3\n5 3 2\n5 2 1\n5 1 0\n6 0 0\n";
    let too_long = format!("1 20005\n2 1 6 2 2 1 3 0\n{}", "0 3 20\n".repeat(20_000));
    let changes: Vec<Change<'_>> = vec![
        ("no programs", "1 5\n", "0 5\n", "a wrong number of programs"),
        ("too few rows", "1 5\n", "1 4\n", "more than the tables"),
        ("too many rows", "1 5\n", "1 6\n", "a wrong number of a row"),
        ("too many programs", "1 5\n", "900000000 5\n", "a wrong number of programs"),
        ("a word", "2 1 6", "x 1 6", "a wrong number of a program"),
        ("a negative number", "2 1 6", "2 -1 6", "a wrong number of a program"),
        ("more than 32 bits", "2 1 6", "2 1 4294967296", "a wrong number of a program"),
        ("no multiprocessor", "2 1 6", "0 1 6", "multiprocessors or dispatchers"),
        ("too many dispatchers", "2 1 6", "2 7 6", "multiprocessors or dispatchers"),
        ("no dispatcher", "2 1 6", "2 0 6", "multiprocessors or dispatchers"),
        ("no groups", "2 1 6", "2 1 0", "without groups"),
        ("no resident groups", "6 2 2 1", "6 0 2 1", "without groups"),
        ("no warps", "6 2 2 1", "6 2 0 1", "without groups"),
        ("no passes", "2 2 1 3", "2 2 0 3", "without groups"),
        ("loops that nest too deep", "1 5\n2 1 6 2 2 1 3 0\n", &too_deep, "a wrong loop"),
        ("loops that nest one level too deep", TABLES, one_too_deep, "a wrong loop"),
        ("too many rows in a body", "1 5\n2 1 6 2 2 1 3 0\n", &too_long, "a body that is too long"),
        ("too many warps", "6 2 2 1", "6 2 33 1", "a wave that is too large"),
        ("too many groups", "6 2 2 1", "66 33 1 1", "a wave that is too large"),
        ("too great a weight", "2 2 1 3", "2 2 1073741824 3", "a weight that is too large"),
        ("a first row beyond the end", "3 0\n4", "3 5\n4", "a body that is too long"),
        ("a first row in a loop", "3 0\n4", "3 1\n4", "a wrong row"),
        ("too long a wait", "0 3 20", "0 3 1073741820", "a wait that is too long"),
        ("an occupancy above the latency", "0 3 20", "0 21 20", "a wait that is too long"),
        ("too costly a barrier", "3 1 0", "3 1073741824 0", "a wait that is too long"),
        ("a loop of another level", "4 10 0", "4 10 1", "a wrong loop"),
        ("a loop of no iterations", "4 10 0", "4 0 0", "a wrong loop"),
        ("a jump to elsewhere", "5 1 0", "5 0 0", "a wrong row"),
        ("an end of another level", "5 1 0", "5 1 1", "a wrong row"),
        ("an unknown kind at the end of a loop", "5 1 0", "7 1 0", "a wrong row"),
        (
            "a loop without a statement",
            "1 5\n2 1 6 2 2 1 3 0\n4 10 0\n0 3 20\n3 1 0\n",
            "1 3\n2 1 6 2 2 1 3 0\n4 10 0\n",
            "a wrong row",
        ),
        ("too great a weight of the rest", "6 2 2 1 3", "1 2 2 1073741824 3", "a weight that is too large"),
        ("too many full waves", "2 1 6 2 2 1 3", "1 1 2147483647 1 2 1 3", "a weight that is too large"),
        (
            "too long a queue",
            "1 6 2 2 1 3 0\n4 10 0\n0 3 20",
            "2 6 2 2 1 3 0\n4 10 0\n0 400000000 400000000",
            "a wait that is too long",
        ),
        (
            "a bad program behind a good one",
            "1 5\n2 1 6",
            "2 5\n2 1 6 2 2 1 3 0\n0 1 6",
            "multiprocessors or dispatchers",
        ),
        ("a last line without its end", "6 0 0\n", "6 0 0x", "more than the tables"),
        ("an open loop", "5 1 0", "6 0 0", "a wrong end"),
        ("an unknown kind", "3 1 0", "7 1 0", "a wrong row"),
        ("no end", "6 0 0", "3 0 0", "a body that is too long"),
        ("more numbers", "6 0 0\n", "6 0 0\n1\n", "more than the tables"),
    ];
    assert_refused(&mut checker, &folder.path().join("tables.txt"), TABLES, &changes);
}

/// The checker of a program's model with other tables, which it searches.
pub(crate) fn with_tables(program: &Program, tables: &str, folder: &Path) -> ModelChecker {
    let model = Model { tables: Some(tables.to_owned()), ..generic(Form::Wave, std::slice::from_ref(program)) };
    let mut checker = checker(model, folder);
    checker.find(5).unwrap();
    checker
}

/// A name of a change, what it replaces in a text, by what, and what is then printed.
type Change<'a> = (&'a str, &'a str, &'a str, &'a str);

/// Checks that the table file with each of these changes gives no verdict.
pub(crate) fn assert_refused(checker: &mut ModelChecker, file: &Path, tables: &str, changes: &[Change<'_>]) {
    for (what, from, by, printed) in changes {
        assert!(tables.contains(from), "{what}");
        std::fs::write(file, tables.replacen(from, by, 1)).unwrap();
        let found = checker.find(NONE);
        let Err(SpinError::NotUnderstood { reason, status, .. }) = found else { panic!("{what}: a verdict") };
        assert!(reason.to_string().contains(printed), "{what}: {reason}");
        assert_eq!(status, "ended with exit status 2", "{what}");
    }
}

#[test]
fn numbers_at_their_limits_are_accepted() {
    let program = &programs(203, SHAPE).next().unwrap();
    let model = Model { tables: Some(TABLES.to_owned()), ..generic(Form::Wave, std::slice::from_ref(program)) };
    let folder = tempfile::tempdir().unwrap();
    let mut checker = checker(model, folder.path());
    let rows = "1 5\n2 1 6 2 2 1 3 0\n4 10 0\n0 3 20\n3 1 0\n5 1 0\n";
    let deepest = "1 10\n2 1 6 2 2 1 3 0\n4 2 0\n4 2 1\n4 2 2\n4 2 3\n0 3 20\n5 4 3\n5 3 2\n5 2 1\n5 1 0\n";
    let longest = format!("1 64\n2 1 6 2 2 1 3 0\n{}", "0 3 20\n".repeat(63));
    for (what, from, by) in [
        ("loops that nest as deep as they may", rows, deepest),
        ("as many rows as a body may have", rows, &longest),
        ("a loop that nobody could wait for", "4 10 0", "4 1000000000 0"),
        ("6 dispatchers", "2 1 6", "2 6 6"),
        ("32 groups", "6 2 2 1", "64 32 1 1"),
        ("64 warps", "6 2 2 1", "64 32 2 1"),
        ("more resident groups than there are", "6 2 2 1", "6 1000 2 1"),
        (
            "a queue at each of two dispatchers",
            "1 6 2 2 1 3 0\n4 10 0\n0 3 20",
            "2 6 2 2 1 3 0\n4 10 0\n2 400000000 400000000",
        ),
    ] {
        assert!(TABLES.contains(from), "{what}");
        std::fs::write(folder.path().join("tables.txt"), TABLES.replacen(from, by, 1)).unwrap();
        assert!(matches!(checker.find(NONE), Ok((Found::Witnesses(_), _))), "{what}");
    }
    std::fs::remove_file(folder.path().join("tables.txt")).unwrap();
    let Err(SpinError::NotUnderstood { reason, .. }) = checker.find(NONE) else { panic!("a verdict without tables") };
    assert!(reason.to_string().contains("cannot read the table file"), "{reason}");
}
