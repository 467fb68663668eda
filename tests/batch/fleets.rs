//! Jobs that ask for one answer about several scenarios.

use super::*;

/// One configuration for four scenarios, and two for the scenarios of a file.
const LIST: &str = "
jobs:
  - { specs: [scale.yaml], gpus: [fermi, 'target:sm_70'], set: { n: [4096, 8192] }, together: true }
  - { specs: [abstract.yaml], scenarios: scenarios.yaml, variants: 2 }
";
/// The scenarios of the file.
const SCENARIOS: &str =
    "- { gpu: abstract-tiny, set: { size: 16 }, weight: 3 }\n- { gpu: abstract-tiny, set: { size: 32 } }\n";

fn place() -> Place {
    let place = Place::new(LIST);
    std::fs::write(place.path("scenarios.yaml"), SCENARIOS).unwrap();
    place
}

/// The batch's results, made by a run with these options.
fn run(place: &Place, options: &[&str]) -> (Output, Vec<u8>) {
    let output = place.batch(&[&["--out", "out"], options].concat()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    (output, place.results())
}

fn autotune(place: &Place, arguments: &[&str]) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("autotune"));
    command.args(arguments).current_dir(place.folder.path()).envs(place.isolated()).output().unwrap()
}

#[test]
fn a_job_about_several_scenarios_gives_what_its_question_alone_gives() {
    let place = place();
    let (output, results) = run(&place, &["--no-cache", "--format", "json", "--report", "pages"]);
    let results = json(&String::from_utf8(results).unwrap());
    checked(&results, "batch.json");
    let summary = json(&stdout(&output));
    checked(&summary, "batch_summary.json");
    for line in place.journal().lines() {
        checked(&json(line), "journal.json");
    }
    let alone = [
        &["scale.yaml", "--gpu", "fermi,target:sm_70", "--set", "n=4096,8192"][..],
        &["abstract.yaml", "--scenarios", "scenarios.yaml", "--variants", "2"],
    ];
    for ((alone, entry), job) in
        alone.iter().zip(results["results"].as_array().unwrap()).zip(summary["jobs"].as_array().unwrap())
    {
        let output = autotune(&place, &[alone, &["--format", "json", "--no-cache", "--quiet"][..]].concat());
        assert_eq!(json(&stdout(&output)), entry["result"], "{}", stderr(&output));
        checked(&entry["result"], "fleet.json");
        assert_eq!(entry["scenarios"], job["scenarios"]);
        let chosen = job["fleet"]["chosen"].as_array().unwrap();
        let optimum = entry["result"].get("optimum").map(|optimum| vec![optimum["parameters"].clone()]);
        let variants = entry["result"]["variants"].as_array();
        let variants = variants.map(|all| all.iter().map(|one| one["parameters"].clone()).collect());
        assert_eq!(Some(chosen), optimum.or(variants).as_ref());
    }
    assert_eq!(summary["jobs"][0]["gpu"], "fermi,target:sm_70");
    // Each page leads back to the batch's, which leads to it.
    let read = |file: &str| std::fs::read_to_string(place.path("pages").join(file)).unwrap();
    for page in ["0001-scale-scenarios.html", "0002-abstract-scenarios.html"] {
        assert!(read("index.html").contains(page) && read(page).contains("<a href=\"index.html\">"), "{page}");
    }
}

#[test]
fn the_table_the_plan_and_the_exports_have_jobs_about_several_scenarios() {
    let place = place();
    let (output, _) = run(&place, &[]);
    let table = stdout(&output);
    assert!(table.contains(" fermi,target:sm_70 ") && table.contains(" 4 scenarios "), "{table}");
    assert!(
        table.contains(", at most 1.") && table.contains(" | ") && table.contains("2 of 2 jobs have ended, 2 proved")
    );
    let plan = place.batch(&["--dry-run", "--format", "json"]).output().unwrap();
    let plan = json(&stdout(&plan));
    checked(&plan, "plan.json");
    assert_eq!(plan["jobs"][0]["scenarios"], 4);
    assert!(plan["jobs"][0]["feasible"].as_u64().unwrap() >= 4);
    // Each answer is an export of its own, so both together are refused.
    let both = autotune(&place, &["export", "out", "--format", "flags"]);
    assert_eq!(both.status.code(), Some(2), "{}", stderr(&both));
    let one = autotune(&place, &["export", "out", "--format", "flags", "--kernel", "scale"]);
    assert!(stdout(&one).starts_with("-D"), "{}", stderr(&one));
}

/// A stop after each search: the searches that were made are recalled, and the results are the same bytes.
#[test]
fn a_job_about_several_scenarios_goes_on_where_it_was() {
    let place = place();
    let (_, results) = run(&place, &["--no-cache", "--jobs", "1"]);
    let journal = place.journal();
    let searched = |line: &&str| line.contains("\"event\":\"searched\"");
    let all = journal.lines().filter(searched).count();
    assert!(all > 4, "{all}");
    let places: Vec<usize> =
        journal.lines().enumerate().filter(|(_, line)| searched(line)).map(|(number, _)| number).collect();
    for cut in [places[0], places[all / 2], places[all - 1]] {
        let begun: String = journal.lines().take(cut + 1).map(|line| line.to_owned() + "\n").collect();
        std::fs::write(place.path("out/journal.jsonl"), begun).unwrap();
        std::fs::remove_file(place.path("out/results.json")).unwrap();
        let (_, again) = run(&place, &["--no-cache", "--jobs", "1", "--resume"]);
        assert!(again == results);
        assert_eq!(place.journal().lines().filter(searched).count(), all, "no search is repeated");
    }
}

#[test]
fn a_journal_with_other_scenarios_is_not_continued() {
    let place = place();
    run(&place, &[]);
    for (changed, told) in [
        (
            SCENARIOS.replace("weight: 3", "weight: 4"),
            "job 2 differs in its scenarios: abstract-tiny with size=16, weight 3",
        ),
        (SCENARIOS.lines().next().unwrap().to_owned(), "and this is one"),
        (format!("{SCENARIOS}- {{ gpu: fermi }}\n"), "job 2 differs in its number of scenarios: 2 then, 3 now"),
        ("- { gpu: fermi, weight: 0 }".to_owned(), "cannot use scenarios `scenarios.yaml`"),
    ] {
        std::fs::write(place.path("scenarios.yaml"), changed).unwrap();
        let output = place.batch(&["--out", "out", "--resume"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(stderr(&output).contains(told), "{told}\n{}", stderr(&output));
    }
}

/// An end that somebody forged, with a checksum that is right, is told, and the job is run again.
#[test]
fn a_forged_end_about_several_scenarios_is_not_believed() {
    let place = place();
    let (_, results) = run(&place, &[]);
    let journal = place.journal();
    let ended = |job: usize| format!("{{\"event\":\"ended\",\"job\":{job},");
    let of = |job: usize| journal.lines().find(|line| line.starts_with(&ended(job))).unwrap();
    let result = |job: usize| json(of(job))["result"].clone();
    let numerator = result(0)["optimum"]["worst"]["numerator"].to_string();
    let weight = "\"weight\":3";
    let ticks = result(1)["variants"][0]["times"][0]["ticks"].to_string();
    let forgeries = [
        (
            0,
            format!("\"numerator\":{numerator}"),
            "\"numerator\":1".to_owned(),
            "has another worst slowdown than its times",
        ),
        (
            0,
            "\"gpu\":\"fermi\"".to_owned(),
            "\"gpu\":\"volta\"".to_owned(),
            "it is of scale on volta, n=4096, weight 1, not of",
        ),
        (0, "\"verdict\":\"proved\"".to_owned(), "\"verdict\":\"sure\"".to_owned(), "it has no result"),
        (1, weight.to_owned(), "\"weight\":2".to_owned(), "weight 2, not of abstract_kernel on abstract-tiny"),
        (1, format!("\"ticks\":{ticks}"), "\"ticks\":1".to_owned(), ""),
    ];
    for (job, from, to, told) in forgeries {
        assert!(of(job).contains(&from), "{from}");
        let forged = journal.lines().map(|line| {
            let is_it = line.starts_with(&ended(job));
            if is_it { sealed(&line.replace(&from, &to)) + "\n" } else { line.to_owned() + "\n" }
        });
        std::fs::write(place.path("out/journal.jsonl"), forged.collect::<String>()).unwrap();
        let output = place.batch(&["--out", "out", "--resume"]).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{said}");
        let which = format!("the end of job {}", job + 1);
        assert!(said.contains(&which) && said.contains(" is not believed") && said.contains(told), "{to}: {said}");
        assert!(place.results() == results, "{to}");
    }
}
