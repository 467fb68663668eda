//! `check.py` confirms kept proofs and refutes changed ones.

use std::io::{Read, Write};
use std::os::unix::fs::symlink;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::json;

use super::*;

const CHECK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/certificate/check.py");
const PROGRAMS: &str = "programs.jsonl.gz";
const RESULT: &str = "result.json";
/// A question in which a lower bound excludes most configurations.
const MATMUL: [&str; 3] = ["tuning-specs/matmul_tiled.yaml", "--gpu", "volta"];

impl Kept {
    fn write_lines(&self, lines: &[Value]) {
        let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
        self.write_packed(text.as_bytes());
    }

    fn write_packed(&self, text: &[u8]) {
        let mut packer = GzEncoder::new(Vec::new(), Compression::default());
        packer.write_all(text).unwrap();
        std::fs::write(self.path(PROGRAMS), packer.finish().unwrap()).unwrap();
        self.seal();
    }

    /// Changes the programs, as a forger would.
    fn edit_lines(&self, change: impl FnOnce(&mut Vec<Value>)) {
        let mut text = String::new();
        let packed = std::fs::read(self.path(PROGRAMS)).unwrap();
        GzDecoder::new(packed.as_slice()).read_to_string(&mut text).unwrap();
        let mut lines = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        change(&mut lines);
        self.write_lines(&lines);
    }

    fn check(&self, options: &[&str]) -> Ended {
        run(Command::new("python3").arg(CHECK).args(options).arg(self.path("")))
    }

    #[track_caller]
    fn assert_confirmed(&self) {
        let ended = self.check(&[]);
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{}", ended.stdout);
        assert_eq!(ended.stdout.lines().last(), Some("optimum confirmed"), "{}", ended.stdout);
    }

    /// Checks that the last line refutes the folder, in these words.
    #[track_caller]
    fn assert_refuted(&self, words: &str) {
        let ended = self.check(&[]);
        let last = ended.stdout.lines().last().unwrap_or_default();
        assert!(last.starts_with("REFUTED: ") && last.contains(words), "{words}: {}{}", ended.stdout, ended.stderr);
        assert_eq!((ended.status, ended.stderr.as_str()), (1, ""), "{words}");
    }
}

#[test]
fn proofs_of_every_kind_are_confirmed() {
    for options in [&["--no-prune", "--top", "3"][..], &["--granularity", "element"], &["--strategy", "bisection"]] {
        kept(&SMALL, options).assert_confirmed();
    }
    kept(&MATMUL, &["--rank"]).assert_confirmed();
    let kept = kept(&TIED, &["--top", "2"]);
    kept.assert_confirmed();
    // The folder's own copy checks its own folder.
    let own = run(Command::new("python3").arg(kept.path("check.py")).current_dir("/"));
    assert!(own.status == 0 && own.stdout.ends_with("optimum confirmed\n"), "{}{}", own.stdout, own.stderr);
}

/// The constraints allow 10,000 of 20,000 configurations; the result does not list them all.
#[test]
fn proofs_of_large_spaces_are_confirmed() {
    // In the first space 9,999 configurations are pruned; in the second 5,000 are the fastest.
    for cost in ["(200 - a) * 100 + b", "a > 100 ? 1 : 2"] {
        let folder = tempfile::tempdir().unwrap();
        let spec = folder.path().join("wide.yaml");
        let text = format!(
            "
kernel: wide
parameters:
  a: {{ range: {{ from: 1, to: 200 }} }}
  b: {{ range: {{ from: 1, to: 100 }} }}
constraints: [ a % 2 == 0 ]
launch: {{ work_items: 64, work_group: 32 }}
body: [ compute: {{ per_item: '{cost}' }} ]
"
        );
        std::fs::write(&spec, text).unwrap();
        kept(&[spec.to_str().unwrap(), "--gpu", "abstract-fermi"], &[]).assert_confirmed();
    }
}

#[test]
fn times_that_take_too_many_events_are_left_open() {
    let kept = kept(&MATMUL, &[]);
    let ended = kept.check(&["--events", "1000"]);
    assert_eq!((ended.status, ended.stderr.as_str()), (3, ""));
    let last = ended.stdout.lines().last().unwrap();
    assert!(last.starts_with("bounds confirmed, ") && last.contains(" times not recomputed: TS="), "{last}");
}

#[test]
fn a_folder_that_is_not_there_is_no_refutation() {
    for words in [&["missing"][..], &["--events", "-1", "."], &["--events", "many"], &["a", "b"]] {
        let ended = run(Command::new("python3").arg(CHECK).args(words));
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{words:?}");
    }
    Kept { folder: tempfile::tempdir().unwrap() }.assert_refuted("SHA256SUMS");
}

/// A forger's change of the result: the words that refute it, and the change.
type Forged = (&'static str, fn(&mut Value));

/// The first configuration of the list with a status.
fn first<'a>(result: &'a mut Value, status: &str) -> &'a mut Value {
    let configurations = result["configurations"].as_array_mut().unwrap();
    configurations.iter_mut().find(|one| one["status"] == status).unwrap()
}

fn add(number: &mut Value, more: i64) {
    *number = (number.as_i64().unwrap() + more).into();
}

/// Claims that another configuration is preferred, although it takes twice the optimum's time.
fn choose_the_slow(result: &mut Value) {
    let parameters = first(result, "checked")["parameters"].clone();
    let ticks = 2 * result["optimum"]["ticks"].as_u64().unwrap();
    result["near"]["chosen"] = json!({"parameters": parameters, "ticks": ticks});
}

const FORGED: [Forged; 23] = [
    ("not a proof", |result| result["verdict"] = "best_effort".into()),
    ("says 4798667 ticks; Python computes 4798666", |result| {
        // Every claim of the optimum's time, one tick later.
        add(&mut result["optimum"]["ticks"], 1);
        add(&mut first(result, "optimum")["ticks"], 1);
        add(&mut result["top"][0]["ticks"], 1);
        add(&mut result["near"]["best"][0]["ticks"], 1);
        result["proof"]["property"] = "[] (DONE -> (time >= 4798667))".into();
    }),
    ("its property is not about", |result| add(&mut result["optimum"]["ticks"], -1)),
    ("ticks; Python computes", |result| add(&mut first(result, "checked")["ticks"], 1)),
    ("`ticks` is 4798666", |result| first(result, "checked")["ticks"] = 4_798_666.into()),
    ("ticks; Python computes", |result| add(&mut result["top"][1]["ticks"], 1)),
    ("is not one of the best", |result| result["top"][1]["parameters"] = result["top"][0]["parameters"].clone()),
    ("its bound is 4798666, Python computes", |result| first(result, "pruned")["bound"] = 4_798_666.into()),
    ("Python computes", |result| add(&mut first(result, "pruned")["bound"], 1_000_000_000)),
    ("`bound` is None", |result| drop(first(result, "pruned").as_object_mut().unwrap().remove("bound"))),
    ("its status is 'pruned', not checked", |result| first(result, "checked")["status"] = "pruned".into()),
    ("its status is 'pruned', not infeasible", |result| first(result, "infeasible")["status"] = "pruned".into()),
    ("its counts of configurations", |result| add(&mut result["proof"]["configurations"]["pruned"], 1)),
    ("each configuration once", |result| drop(result["configurations"].as_array_mut().unwrap().pop())),
    ("its status is 'checked', not optimum", |result| {
        let other = first(result, "checked")["parameters"].clone();
        result["ties"] = json!([other]);
    }),
    ("ticks; Python computes", |result| add(&mut result["near"]["best"][2]["ticks"], 1)),
    ("lower bounds leave", |result| result["near"]["within"][0]["configurations"] = 100.into()),
    ("0 are said to be within 1 %, by their times", |result| result["near"]["within"][0]["configurations"] = 0.into()),
    ("do not grow with their percentages", |result| result["near"]["within"][1]["percent"] = 1.into()),
    ("is chosen, but no percentage was asked for", choose_the_slow),
    ("what was asked is not counted", |result| result["near"]["asked"] = 1.5.into()),
    ("the chosen configuration is not within 2 %", |result| {
        choose_the_slow(result);
        result["near"]["asked"] = 2.into();
    }),
    ("its models are not those", |result| result["proof"]["models"][0]["sha256"] = "0".repeat(64).into()),
];

#[test]
fn a_forged_result_is_refuted() {
    let kept = kept(&MATMUL, &["--top", "2"]);
    let good = kept.read(RESULT);
    for (words, forge) in FORGED {
        kept.write(RESULT, &good);
        kept.edit(forge);
        kept.assert_refuted(words);
    }
}

#[test]
fn a_forged_tie_is_refuted() {
    let kept = kept(&TIED, &[]);
    let good = kept.read(RESULT);
    kept.edit(|result| result["ties"] = json!([]));
    kept.assert_refuted("optimum and ties");
    // The tie becomes a slower configuration everywhere.
    kept.write(RESULT, &good);
    kept.edit(|result| {
        let tie = result["ties"].as_array_mut().unwrap().pop().unwrap();
        let all = result["configurations"].as_array_mut().unwrap();
        let tied = all.iter_mut().find(|one| one["parameters"] == tie).unwrap();
        tied["status"] = "checked".into();
        add(&mut tied["ticks"], 1);
    });
    kept.assert_refuted("optimum and ties");
    kept.write(RESULT, &good);
    kept.edit(|result| {
        let program = first(result, "optimum")["parameters"].clone();
        first(result, "equal")["same_as"] = program;
    });
    kept.assert_refuted("its program is that of");
}

/// A forger's change of the programs: the words that refute it, and the change.
type ForgedLines = (&'static str, fn(&mut Vec<Value>));

#[test]
fn forged_programs_are_refuted() {
    let kept = kept(&TIED, &[]);
    let good = std::fs::read(kept.path(PROGRAMS)).unwrap();
    let forgeries: [ForgedLines; 7] = [
        // A program is dropped, swapped, given twice, or to another configuration.
        ("its counts of configurations", |lines| drop(lines.pop())),
        ("Python computes", |lines| {
            let first = lines[0]["program"].take();
            let last = std::mem::replace(&mut lines.last_mut().unwrap()["program"], first);
            lines[0]["program"] = last;
        }),
        ("line 2: its program is that of", |lines| lines[1]["program"] = lines[0]["program"].clone()),
        ("has a program already", |lines| lines[1]["configurations"] = lines[0]["configurations"].clone()),
        ("`groups` is 2147483648", |lines| lines[3]["program"]["groups"] = (1u64 << 31).into()),
        ("`passes` is 0", |lines| lines[3]["program"]["passes"] = 0.into()),
        ("is not a statement", |lines| lines[3]["program"]["body"] = json!([{ "sleep": {} }])),
    ];
    for (words, forge) in forgeries {
        std::fs::write(kept.path(PROGRAMS), &good).unwrap();
        kept.edit_lines(forge);
        kept.assert_refuted(words);
    }
    // A pruned program is made a fast one: its bound is too great.
    std::fs::write(kept.path(PROGRAMS), &good).unwrap();
    let mut result: Value = serde_json::from_str(&kept.read(RESULT)).unwrap();
    let pruned = first(&mut result, "pruned")["parameters"].take();
    kept.edit_lines(|lines| {
        let line = lines.iter_mut().find(|line| line["configurations"][0] == pruned).unwrap();
        line["program"]["body"] = json!([]);
    });
    kept.assert_refuted("its bound is");
}

#[test]
fn forged_models_are_refuted() {
    let kept = kept(&MATMUL, &["--top", "2"]);
    let tables = format!("{MODEL}/tables.txt");
    let good = [kept.read(&tables), kept.read(RESULT)];
    // One number of a body, of a program, and a row more; result.json names the forged tables.
    let text = &good[0];
    for forged in [text.replacen("4 ", "5 ", 1), text.replacen(" 1 ", " 2 ", 1), format!("{text}6 0 0\n")] {
        assert_ne!(&forged, text);
        kept.write(&tables, &forged);
        kept.edit(|result| result["proof"]["models"][0]["tables_sha256"] = sha256(forged.as_bytes()).into());
        kept.assert_refuted("it does not hold the programs of configurations.txt");
    }
    kept.write(&tables, text);
    kept.write(RESULT, &good[1]);
    // The last searched configuration is left out of the list, or out of the models of the second place.
    for (list, words) in [
        (format!("{MODEL}/configurations.txt"), "tables.txt"),
        ("top-2/model-1/configurations.txt".to_owned(), "tables.txt"),
    ] {
        let good = kept.read(&list);
        let shorter: Vec<&str> = good.lines().rev().skip(1).collect();
        kept.write(&list, &(shorter.join("\n") + "\n"));
        kept.seal();
        kept.assert_refuted(words);
        kept.write(&list, "TS=16 ROWS=4 COLS=4\nTS=1 ROWS=1 COLS=1\n");
        kept.seal();
        kept.assert_refuted("'TS=1 ROWS=1 COLS=1' is not the first configuration of a program");
        kept.write(&list, &good);
    }
    kept.seal();
    kept.assert_confirmed();
}

#[test]
fn what_is_no_file_is_refuted_unopened() {
    let kept = kept(&SMALL, &[]);
    let good = kept.read(RESULT);
    for name in ["fifo", "proof/model-1/pipe", RESULT] {
        let _ = std::fs::remove_file(kept.path(name));
        nix::unistd::mkfifo(&kept.path(name), nix::sys::stat::Mode::S_IRWXU).unwrap();
        kept.assert_refuted("it is neither a file nor a folder");
        std::fs::remove_file(kept.path(name)).unwrap();
    }
    for (target, name) in
        [("/dev/zero", "endless"), ("/", "proof/all"), ("SHA256SUMS", "nearby"), ("/dev/zero", RESULT)]
    {
        symlink(target, kept.path(name)).unwrap();
        kept.assert_refuted("it is neither a file nor a folder");
        std::fs::remove_file(kept.path(name)).unwrap();
    }
    kept.write(RESULT, &(good + " "));
    kept.assert_refuted("'result.json': its SHA-256 is not");
    kept.seal();
    kept.write("more.txt", "");
    assert!(kept.check(&[]).stdout.contains("1 others are not checked"));
    kept.write(SUMS, "nonsense\n");
    kept.assert_refuted("SHA256SUMS: 'nonsense' is not the one line of a file");
    kept.write(SUMS, "");
    kept.assert_refuted("SHA256SUMS: it does not name result.json");
}

#[test]
fn damaged_files_are_refuted() {
    let kept = kept(&SMALL, &[]);
    let good = std::fs::read(kept.path(PROGRAMS)).unwrap();
    let mut torn = good.clone();
    torn.truncate(good.len() / 2);
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    // Lines are read while the rest is unpacked: a wrong line shows before the checksum.
    for (packed, words) in [(torn, "it cannot be unpacked: "), (flipped, "")] {
        std::fs::write(kept.path(PROGRAMS), packed).unwrap();
        kept.seal();
        kept.assert_refuted(&format!("programs.jsonl.gz: {words}"));
    }
}

/// The times of a sensitivity need programs that the folder does not have; all else about it is checked.
#[test]
fn a_changed_sensitivity_is_refuted() {
    let kept = kept(&["tuning-specs/matmul_tiled.yaml", "--gpu", "gtx1080", "--no-cache"], &[]);
    let ended = kept.check(&[]);
    assert!(ended.status == 0 && ended.stdout.contains("\nsensitivity: 3 changes of the profile"), "{}", ended.stdout);
    let good = kept.read(RESULT);
    let changes: [Forged; 7] = [
        ("did not try each value with two factors", |all| all["tried"] = 33.into()),
        ("its factor is another one", |all| all["overtaken"][0]["factor"] = 0.9.into()),
        ("the profile has no", |all| all["overtaken"][0]["value"] = "luck".into()),
        ("is changed twice", |all| all["overtaken"][1] = all["overtaken"][0].clone()),
        ("cannot run", |all| all["overtaken"][0]["fastest"]["TS"] = 7.into()),
        ("`ticks` is 1", |all| all["overtaken"][0]["ticks"] = 1.into()),
        ("not in order", |all| all["overtaken"].as_array_mut().unwrap().reverse()),
    ];
    for (words, change) in changes {
        kept.edit(|result| change(&mut result["sensitivity"]));
        kept.assert_refuted(words);
        kept.write(RESULT, &good);
        kept.seal();
    }
    kept.assert_confirmed();
}

/// Sizes are compared before a file is read, and lines are unpacked one by one.
#[test]
fn what_is_too_large_is_neither_read_nor_unpacked() {
    let kept = kept(&SMALL, &[]);
    let good = std::fs::read(kept.path(PROGRAMS)).unwrap();
    std::fs::File::create(kept.path("huge")).unwrap().set_len(200 << 30).unwrap();
    kept.assert_refuted("'huge': it has more than 1073741824 bytes");
    std::fs::remove_file(kept.path("huge")).unwrap();
    let pack = |byte: u8, times: usize| {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(&vec![byte; 1 << 20]).unwrap();
        packer.finish().unwrap().repeat(times)
    };
    std::fs::write(kept.path(PROGRAMS), pack(b'\n', 20_000)).unwrap();
    kept.seal();
    kept.assert_refuted("programs.jsonl.gz: line 1: it cannot be read as JSON");
    std::fs::write(kept.path(PROGRAMS), [good, pack(b' ', 20_000)].concat()).unwrap();
    kept.seal();
    let ended = kept.check(&[]);
    let last = "stopped: a line of programs.jsonl.gz has more than 67108864 bytes; this program reads no more\n";
    assert!(ended.status == 2 && ended.stdout.ends_with(last), "{}{}", ended.stdout, ended.stderr);
}

/// Any content of a file, or of a field of the result or of a program, leads to an answer and never to a traceback.
#[test]
fn files_and_fields_may_hold_anything() {
    let kept = kept(&SMALL, &["--top", "3"]);
    let driver = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/damage_kept_proof.py");
    let ended = run(Command::new("python3").arg(driver).arg(CHECK).arg(kept.path("")));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{}", ended.stdout);
    // Fields that only result.json has: the programs cannot refute them.
    let unread = "analysis configurations/by cost gpu kernel near/asked near/chosen_by near/not_evaluated near/optimum_by near/prefer near/within/not_evaluated \
         near/within/parameters next optimum/events optimum/microseconds optimum/tile \
         optimum/work_group problem proof/checker proof/form proof/granularity proof/models/comparison proof/models/ends proof/models/runs \
         proof/strategy sensitivity";
    let printed: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(printed.join(" "), unread);
}
