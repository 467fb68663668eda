//! Ends in a journal that somebody forged, with checksums that are right.

use super::*;

/// The jobs: one proof of a space with ties, and one of another spec.
const TWO: &str = "jobs: [{ specs: [abstract.yaml], gpus: [abstract-tiny], set: { size: 16 } }, \
                   { specs: [scale.yaml], gpus: [fermi] }]";

/// A batch that has ended, and its results.
fn ended() -> (Place, Vec<u8>) {
    let place = Place::new(TWO);
    let output = place.batch(&["--out", "out"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let results = place.results();
    (place, results)
}

/// Changes the line that has the end of the first job, and corrects its checksum. Returns the number of the line.
fn forge(place: &Place, change: impl Fn(&str) -> String) -> usize {
    let is_of_first = |line: &str| line.starts_with("{\"event\":\"ended\",\"job\":0,");
    let journal = place.journal();
    let number = journal.lines().position(is_of_first).unwrap() + 1;
    let forged = journal.lines().map(|line| {
        let changed = if is_of_first(line) { sealed(&change(line)) } else { line.to_owned() };
        assert_eq!(changed != line, is_of_first(line), "the forgery changes one line");
        changed + "\n"
    });
    std::fs::write(place.path("out/journal.jsonl"), forged.collect::<String>()).unwrap();
    std::fs::remove_file(place.path("out/results.json")).unwrap();
    number
}

/// Checks that the forged end is told, and that the job is made again with the honest result; the other job is not.
fn is_told_and_made_again(change: impl Fn(&str) -> String, words: &str) {
    let (place, results) = ended();
    let line = forge(&place, change);
    let forged = place.journal();
    let output = place.batch(&["--out", "out", "--resume", "--no-cache"]).output().unwrap();
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{told}");
    let place_of_it =
        format!("note: line {line} of `out/journal.jsonl`, the end of job 1 (abstract.yaml on abstract-tiny, size=16)");
    let told_of_it = format!("{place_of_it} is not believed; the job is run again: ");
    assert!(told.contains(&told_of_it), "{told}");
    assert!(told.contains(words), "{words}\n{told}");
    assert!(place.results() == results, "{}", stdout(&output));
    assert!(place.journal().starts_with(&forged), "nothing of the journal is lost");
    let more = place.journal()[forged.len()..].to_owned();
    assert_eq!((more.matches("\"event\":\"started\"").count(), more.matches("\"event\":\"ended\"").count()), (1, 1));
    let again = place.batch(&["--out", "out", "--resume", "--no-cache"]).output().unwrap();
    assert_eq!((again.status.code(), stderr(&again).as_str()), (Some(0), ""), "the new end counts");
}

#[test]
fn an_end_that_contradicts_itself_is_told_and_made_again() {
    is_told_and_made_again(
        |line| line.replacen("\"ticks\":136", "\"ticks\":7", 1),
        "the property is not about the optimum's 7 ticks",
    );
}

#[test]
fn a_consistent_lie_about_a_time_is_told_and_made_again() {
    is_told_and_made_again(
        |line| line.replace("136", "135").replace("137", "136"),
        "WG=8,TS=8 takes 136 ticks by the evaluator, not 135",
    );
}

#[test]
fn an_end_of_another_question_is_told_and_made_again() {
    is_told_and_made_again(
        |line| line.replacen("\"size\":16", "\"size\":32", 1),
        "it is of abstract_kernel on abstract-tiny, size=32, not of abstract_kernel on abstract-tiny, size=16",
    );
}

#[test]
fn an_end_without_a_proper_result_is_told_and_made_again() {
    is_told_and_made_again(
        |line| line.replacen("\"verdict\":\"proved\"", "\"verdict\":\"sure\"", 1),
        "it has no result: ",
    );
    is_told_and_made_again(
        |line| line.replacen("\"status\":0,\"seconds\"", "\"status\":4,\"seconds\"", 1),
        "its status is 4, but that of its result is 0",
    );
    is_told_and_made_again(
        |line| format!("{}{}", line.split_once(",\"seconds\"").unwrap().0, ",\"seconds\":1.0,\"sha256\":\"\"}"),
        "it has neither a result nor an error",
    );
}

/// A job whose time cannot be evaluated here is neither shown as proved nor run again.
#[test]
fn an_end_that_cannot_be_checked_stops_the_batch_and_changes_nothing() {
    let place = Place::new("jobs: [{ specs: [source.yaml], gpus: [fermi] }]");
    std::fs::write(place.path("k.cl"), "__kernel void k(__global float *a) { a[get_global_id(0)] += 1; }\n").unwrap();
    let spec = "kernel: k\nproblem: { n: 4096 }\nparameters: { WG: { values: [64, 128] } }\n\
                launch: { work_items: n, work_group: WG }\nsource: { file: k.cl }\n";
    std::fs::write(place.path("source.yaml"), spec).unwrap();
    let output = place.batch(&["--out", "out"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let journal = place.journal();
    script(&place.path("clang"), "exit 1");
    let mut resume = place.batch(&["--out", "out", "--resume", "--no-cache"]);
    let output = resume.env("AUTOTUNE_CLANG", place.path("clang")).output().unwrap();
    let told = stderr(&output);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(1), ""), "{told}");
    assert!(told.contains("the end of job 1 (source.yaml on fermi) cannot be checked: "), "{told}");
    assert!(told.contains("help: its times are evaluated again before it counts"), "{told}");
    assert_eq!(place.journal(), journal);
}
