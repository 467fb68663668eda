//! Journals: continued, refused, repaired.

use std::process::Stdio;

use super::*;

/// A batch that has ended, with its journal.
fn ended() -> Place {
    let place = Place::new(JOBS);
    let output = place.batch(&["--out", "out"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    place
}

/// Keeps the lines of the journal for which `keep` returns true.
fn cut(place: &Place, keep: impl Fn(&str) -> bool) {
    let lines: Vec<String> =
        place.journal().lines().filter(|line| keep(line)).map(|line| format!("{line}\n")).collect();
    std::fs::write(place.path("out/journal.jsonl"), lines.concat()).unwrap();
    let _ = std::fs::remove_file(place.path("out/results.json"));
}

fn resume(place: &Place) -> Output {
    place.batch(&["--out", "out", "--resume", "--no-cache", "-v"]).output().unwrap()
}

fn searches(output: &Output) -> usize {
    stderr(output).lines().filter(|line| tells(line, "checker.search")).count()
}

#[test]
fn what_has_ended_is_not_repeated() {
    let place = ended();
    cut(&place, |_| true);
    let output = resume(&place);
    assert_eq!((output.status.code(), searches(&output)), (Some(2), 0));
    assert!(place.results() == *UNDISTURBED);
}

/// A search that was finished before the interruption is not repeated, and the result does not show the interruption.
#[test]
fn a_bisection_goes_on_where_it_was() {
    let place = Place::new("jobs: [{ specs: [scale.yaml], gpus: [fermi] }]");
    assert_eq!(place.batch(&["--out", "out", "--no-cache"]).output().unwrap().status.code(), Some(0));
    let undisturbed = place.results();
    let mut made = Vec::new();
    for (kept, line) in [("searched", 2), ("started", 0)] {
        let whole = place.journal();
        let is_kept =
            |line: &str| line.contains("\"event\":\"batch\"") || line.contains("\"started\"") || line.contains(kept);
        cut(&place, |line| is_kept(line));
        assert_eq!(place.journal().matches("\"event\":\"searched\"").count(), line);
        let output = resume(&place);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(place.results() == undisturbed);
        made.push(searches(&output));
        std::fs::write(place.path("out/journal.jsonl"), whole).unwrap();
    }
    assert_eq!(made[0] + 2, made[1], "two probes were kept");
}

#[test]
fn a_torn_last_line_is_cut_off() {
    let place = ended();
    let whole = std::fs::read(place.path("out/journal.jsonl")).unwrap();
    let last = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    let zeros = [&whole[..last], &[0; 40], b"\n"].concat();
    for torn in [&whole[..=last], &whole[..whole.len() - 1], &zeros, &whole[..10]] {
        std::fs::write(place.path("out/journal.jsonl"), torn).unwrap();
        let output = resume(&place);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("the journal's last line was torn"), "{}", stderr(&output));
        assert!(place.results() == *UNDISTURBED);
        for line in place.journal().lines() {
            checked(&json(line), "journal.json");
        }
    }
}

#[test]
fn a_damaged_line_in_the_middle_is_refused() {
    let place = ended();
    let damaged = place.journal().replacen("\"event\":\"started\"", "\"event\":\"sta\0ted\"", 1);
    std::fs::write(place.path("out/journal.jsonl"), &damaged).unwrap();
    let output = resume(&place);
    let told = stderr(&output);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    assert!(told.contains("line 2 of `out/journal.jsonl` is damaged") && told.contains("help: "), "{told}");
    assert_eq!(place.journal(), damaged, "nothing is repaired that is not understood");
}

#[test]
fn a_journal_is_gone_on_with_only_on_request() {
    let place = ended();
    let output = place.batch(&["--out", "out"]).output().unwrap();
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    assert!(stderr(&output).contains("`out` already has the journal of a batch"), "{}", stderr(&output));
    let fresh = Place::new(JOBS);
    assert_eq!(resume(&fresh).status.code(), Some(2));
    assert!(fresh.results() == *UNDISTURBED, "--resume where no journal is starts one");
}

fn edit(place: &Place, file: &str, from: &str, to: &str) {
    let text = std::fs::read_to_string(place.path(file)).unwrap();
    assert!(text.contains(from), "{text}");
    std::fs::write(place.path(file), text.replacen(from, to, 1)).unwrap();
}

/// Edits the journal's first line and corrects its checksum.
fn edit_inputs(place: &Place, from: &str, to: &str) {
    let journal = place.journal();
    let (first, rest) = journal.split_once('\n').unwrap();
    assert!(first.contains(from), "{first}");
    std::fs::write(place.path("out/journal.jsonl"), sealed(&first.replacen(from, to, 1)) + "\n" + rest).unwrap();
}

/// Each part of the inputs, changed alone, is named.
#[test]
fn a_journal_of_other_inputs_is_refused() {
    type Change = fn(&Place);
    let changes: [(Change, &str); 6] = [
        (|place| edit(place, "scale.yaml", "10 + ITEMS", "12 + ITEMS"), "job 5: the spec `scale.yaml` has changed"),
        (
            |place| edit(place, "jobs.yaml", "fermi, volta", "fermi, kepler"),
            "job 6 differs in its GPU: volta then, kepler now",
        ),
        (
            |place| edit(place, "jobs.yaml", "[16, 32]", "[16, 64]"),
            "job 2 differs in its problem sizes: size=32 then, size=64 now",
        ),
        (
            |place| edit(place, "jobs.yaml", "    gpus: [fermi, volta]", "    gpus: [fermi]"),
            "it has 6 jobs, but the job list has 5",
        ),
        (
            |place| edit(place, "jobs.yaml", "volta]", "volta]\n    limits: { memory: 1GiB }"),
            "job 5 differs in its limits: no time limit and 4096 MiB then, no time limit and 1024 MiB now",
        ),
        (
            |place| {
                edit_inputs(
                    place,
                    concat!("\"version\":\"", env!("CARGO_PKG_VERSION"), "+counts.5"),
                    "\"version\":\"0.2.0",
                );
            },
            concat!(
                "it was made by autotune 0.2.0, but this is autotune ",
                env!("CARGO_PKG_VERSION"),
                "+counts.5, which may count"
            ),
        ),
    ];
    for (change, told) in changes {
        let place = ended();
        let results = place.results();
        change(&place);
        let output = resume(&place);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
        assert!(stderr(&output).contains(told), "{told}\n{}", stderr(&output));
        assert!(place.results() == results, "the results of the other batch are left alone");
    }
}

/// A change of any line is detected, of the last line too: that line is made again.
#[test]
fn edited_results_are_not_believed() {
    let place = ended();
    let journal = place.journal();
    let forged = journal.replacen("\"status\":\"optimum\",\"ticks\":", "\"status\":\"optimum\",\"ticks\":1", 1);
    assert_ne!(forged, journal);
    std::fs::write(place.path("out/journal.jsonl"), forged + "\n").unwrap();
    let output = resume(&place);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    assert!(stderr(&output).contains("is damaged: its checksum is wrong"), "{}", stderr(&output));
    let lines: Vec<&str> = journal.lines().collect();
    let last = lines[lines.len() - 1].replacen("\"status\":0", "\"status\":4", 1);
    assert_ne!(last, lines[lines.len() - 1]);
    std::fs::write(place.path("out/journal.jsonl"), lines[..lines.len() - 1].join("\n") + "\n" + &last + "\n").unwrap();
    assert_eq!(resume(&place).status.code(), Some(2));
    assert!(place.results() == *UNDISTURBED);
}

/// A file that is not a journal is not overwritten.
#[test]
fn a_file_of_others_is_left_alone() {
    for (notes, resume) in
        [("my precious notes\n", true), ("my precious notes", true), ("my notes", false), ("{}\n", false)]
    {
        let place = Place::new(JOBS);
        std::fs::create_dir(place.path("out")).unwrap();
        std::fs::write(place.path("out/journal.jsonl"), notes).unwrap();
        let arguments = if resume { vec!["--out", "out", "--resume"] } else { vec!["--out", "out"] };
        let output = place.batch(&arguments).output().unwrap();
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{notes}");
        assert!(stderr(&output).contains("journal"), "{}", stderr(&output));
        assert_eq!(place.journal(), notes);
    }
}

/// The second of two batches in one folder is refused while the first runs, and not after it was killed.
#[test]
fn one_folder_has_one_batch_at_a_time() {
    let place = Place::new(JOBS);
    let sleeper = place.path("spin");
    script(&sleeper, "[ \"$1\" = -V ] || sleep 600\nexec spin \"$@\"");
    let mut first = place.batch(&["--out", "out", "--no-cache"]);
    let mut first = first.env("AUTOTUNE_SPIN", &sleeper).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let journal = place.path("out/journal.jsonl");
    wait_until("the first batch starts a job", || {
        assert!(first.try_wait().unwrap().is_none(), "the first batch ended");
        std::fs::read_to_string(&journal).is_ok_and(|text| text.contains("started"))
    });
    let second = place.batch(&["--out", "out", "--resume"]).output().unwrap();
    assert_eq!((second.status.code(), stdout(&second).as_str()), (Some(2), ""));
    assert!(stderr(&second).contains("another batch is running in `out`"), "{}", stderr(&second));
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(resume(&place).status.code(), Some(2));
    assert!(place.results() == *UNDISTURBED);
}
