//! The one change that the numbers of an answer suggest: the same by every command, and from the cache.

use super::*;

const NAIVE: &str = "examples/kernels/transpose_naive.yaml";

fn asked(command: &[&str], question: &[&str], schema: &str) -> Value {
    json(&run(autotune().args(command).args(question).args(["--format", "json", "--quiet"])), schema)
}

#[test]
fn every_command_suggests_the_same_for_one_configuration() {
    for (spec, gpu, configuration, of) in [
        (NAIVE, "gtx1050", "block_x=4,block_y=16", "access"),
        ("examples/kernels/transpose.yaml", "gtx1050", "TS=32,ROWS=8,PAD=0", "parameter"),
    ] {
        let question = [spec, "--gpu", gpu, "--config", configuration];
        let explanation = asked(&["explain"], &question, "explanation.json");
        let next = &explanation["next"];
        assert!(next[of].is_object() && next["text"].is_string(), "{explanation}");
        for (command, schema) in
            [(&["evaluate"][..], "evaluation.json"), (&["inspect"], "inspection.json"), (&[], "result.json")]
        {
            assert_eq!(asked(command, &question, schema)["next"], *next, "{command:?} of {spec}");
        }
    }
}

/// A value that is suggested is the first of the explained changes; an access has the numbers that an inspection counts.
#[test]
fn a_suggestion_has_the_numbers_of_its_source() {
    let question = ["tuning-specs/transpose.yaml", "--gpu", "gtx1050", "--config", "TS=4,ROWS=8,PAD=0"];
    let explanation = asked(&["explain"], &question, "explanation.json");
    let (first, value) = (&explanation["changes"][0], &explanation["next"]["parameter"]);
    assert_eq!((&value["name"], &value["value"]), (&first["parameter"], &first["value"]));
    assert_eq!(value["ticks"], first["ticks"]);

    let question = [NAIVE, "--gpu", "gtx1050", "--config", "block_x=4,block_y=16"];
    let inspection = asked(&["inspect"], &question, "inspection.json");
    let access = &inspection["next"]["access"];
    let line = usize::try_from(access["line"].as_u64().unwrap()).unwrap();
    let notes = inspection["files"][0]["lines"][line - 1]["accesses"].as_array().unwrap();
    let note = notes.iter().find(|note| note["access"] == access["access"]).unwrap();
    assert_eq!([&access["now"], &access["least"]], [&note["sectors"], &note["least_sectors"]]);
    let text = run(autotune().arg("explain").args(question)).stdout;
    assert!(text.contains("\nnext      transpose_naive.cl:6: the load of `in` in global memory takes 8.0"), "{text}");
}

/// The optimum of a space takes no other value, and its access is suggested by a proof, by its repetition and by the cache.
#[test]
fn a_proof_suggests_what_its_cache_and_its_repetition_do() {
    let folder = tempfile::tempdir().unwrap();
    let proof = folder.path().join("proof");
    let question = [NAIVE, "--gpu", "gtx1050", "--no-cost"];
    let ask = |options: &[&str]| {
        let mut command = autotune();
        command.env("XDG_CACHE_HOME", folder.path().join("cache")).args(question).args(["--format", "json", "--quiet"]);
        run(command.args(options))
    };
    let first = ask(&[]);
    assert!(json(&first, "result.json")["next"]["access"].is_object(), "{}", first.stdout);
    assert_eq!(ask(&[]).stdout, first.stdout, "from the cache");
    assert_eq!(ask(&["--keep", proof.to_str().unwrap()]).stdout, first.stdout, "with a folder");
    let verified = run(autotune().arg("verify").arg(&proof));
    assert_eq!(verified.status, 0, "{}{}", verified.stdout, verified.stderr);
    let transpose = ["examples/kernels/transpose.yaml", "--gpu", "gtx1050"];
    assert_eq!(asked(&["evaluate"], &transpose, "evaluation.json")["next"], Value::Null);
}
