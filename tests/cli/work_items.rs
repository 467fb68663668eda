//! Accesses whose work items reach different memories, and numbers from memory that work items have in common.

use super::{Ended, autotune, run};

const DATA: &str = "tests/data/work_items";

fn ask(command: &str, of: &str, more: &[&str]) -> Ended {
    let (file, kernel) = of.split_once(':').unwrap();
    let mut asked = autotune();
    asked.args([command, &format!("{DATA}/{file}.cu"), "--kernel", kernel, "--gpu", "a100"]);
    if !more.contains(&"--work-items") {
        asked.args(["--work-items", "1048576"]);
    }
    if !more.contains(&"--work-group") {
        asked.args(["--work-group", "256"]);
    }
    run(asked.args(more))
}

/// The lines of accesses of an inspection.
fn inspected(of: &str, more: &[&str]) -> Vec<String> {
    let ended = ask("inspect", of, more);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let accesses = ended.stdout.lines().filter_map(|line| Some(line.split_once('|')?.1.trim()));
    accesses.filter(|line| line.starts_with("load") || line.starts_with("store")).map(str::to_owned).collect()
}

/// True if an access of the inspection begins so and has these words.
fn has(of: &str, begin: &str, words: &str) -> bool {
    inspected(of, &[]).iter().any(|line| line.starts_with(begin) && line.contains(words))
}

fn ticks(of: &str, more: &[&str]) -> u64 {
    let ended = ask("evaluate", of, &[&["--format", "json"], more].concat());
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    super::json(&ended, "evaluation.json")["configurations"][0]["ticks"].as_u64().unwrap()
}

#[test]
fn a_pointer_into_two_memories_is_counted_where_each_work_item_goes() {
    assert!(has("halo_ends:ends", "load in, global", "4 sectors (4 at least), once"));
    assert!(has("halo_ends:ends", "load s, local", "1 pass (1 at least), once"));
    assert!(has(
        "halo:halo",
        "load in, global: 4 bytes, one address for all lanes",
        "1 sector (1 at least), 0.12 times"
    ));
    let ended = ask("inspect", "halo:halo", &["--argument", "n=1048576"]);
    assert!(ended.stdout.contains("as the mean over group 2047,0,0"), "all groups are of one kind: {}", ended.stdout);
    // 134 MB take 86 us.
    let ended = ask("evaluate", "halo_ends:ends", &["--work-items", "16777216", "--format", "json"]);
    let time = super::json(&ended, "evaluation.json")["configurations"][0]["microseconds"].as_f64().unwrap();
    assert!(time > 86.0, "{time}");
}

#[test]
fn a_race_through_a_pointer_into_two_memories_is_found() {
    for kernel in ["k1", "k2", "k3"] {
        let of = format!("one_of_two:{kernel}");
        let ended = ask("check", &of, &["--safety", "--work-items", "6400", "--work-group", "64"]);
        assert_ne!(ended.status, 0);
        let all = format!("{}{}", ended.stdout, ended.stderr);
        assert!(all.contains("no barrier lies between"), "{kernel}: {all}");
    }
    // Where the pointer itself is data, nothing is claimed, and that is said.
    let ended = ask("check", "rows:table", &["--safety"]);
    let all = format!("{}{}", ended.stdout, ended.stderr);
    assert!(all.contains("data-dependent accesses: 1, not judged"), "{all}");
}

#[test]
fn an_index_from_data_leaves_the_memory_of_its_array() {
    let more = ["--parameter", "WG=256", "--assume", "trip@8=64"];
    let accesses = inspected("assumed:staged", &more);
    assert!(!accesses.iter().any(|line| line.starts_with("load, global")), "{accesses:?}");
    let accesses = inspected("rows:bins", &[]);
    assert!(
        !accesses.iter().any(|line| line.contains("32 sectors")),
        "a private array is none of global memory: {accesses:?}"
    );
}

#[test]
fn what_all_work_items_load_is_one_number() {
    assert!(has("uniform:rowof", "load in", "4 sectors (4 at least), once"));
    assert!(has("uniform:same", "load in", "one address for all lanes, 1 sector"));
    assert!(has("uniform:staged", "load in", "one address for all lanes, 1 sector (1 at least), 256 times"));
    let same = ticks("uniform:staged", &["--assume", "address@15=same"]);
    assert!(ticks("uniform:staged", &[]).abs_diff(same) * 100 < same, "a sector for each group costs little");
    assert!(has("rows:paged", "load cache", "4 sectors (4 at least), 64 times"));
    // Two rows of 64 bytes for each warp.
    assert!(has("rows:expert", "load in", "4 sectors (4 at least), once"));
    // An element of 4 bytes begins a row: of eight places one needs four sectors, and seven need five.
    let csr = inspected("rows:csr", &["--assume", "trip@5=16", "--argument", "n=100"]);
    assert!(csr.iter().any(|line| line.starts_with("load value, global") && line.contains("4.8")), "{csr:?}");
    // A load behind a store is another number: both rows are loaded.
    assert_eq!(inspected("rows:anew", &[]).iter().filter(|line| line.starts_with("load in")).count(), 2);
}

#[test]
fn a_loop_that_carries_a_number_from_data_is_folded() {
    assert!(has("rows:chain", "load in", "4 sectors (4 at least), 99,999 times"));
}

#[test]
fn a_branch_on_a_shared_number_takes_one_side() {
    let alone = ask("evaluate", "uniform:branch", &[]);
    assert_eq!(alone.stderr.matches("its longer side is counted").count(), 1, "{}", alone.stderr);
    let [whole, none] = ["1", "0"].map(|share| ticks("uniform:branch", &["--assume", &format!("taken@21={share}")]));
    assert_eq!(ticks("uniform:branch", &[]), whole);
    assert!(none < whole);
}
