//! `autotune init`.

use super::*;

/// The shipped spec that resembles it, and a small size.
const KERNELS: [(&str, &str); 4] =
    [("map", "size=65536"), ("matmul", "size=64"), ("reduction", "size=65536"), ("stencil", "size=128")];

#[test]
fn every_template_is_clean_and_tunes() {
    let folder = tempfile::tempdir().unwrap();
    for (kernel, size) in KERNELS {
        let ended = run(autotune().args(["init", "--kernel", kernel]));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
        let comments = ended.stdout.lines().filter(|line| line.contains("# ")).count();
        assert!(comments > 10, "it explains itself: {}", ended.stdout);
        let spec = file(&folder, &format!("{kernel}.yaml"), &ended.stdout);
        for gpu in ["fermi", "volta", "rtx4090", "mi50", "abstract-fermi"] {
            let (status, printed) = diagnosis(&[&spec, "--gpu", gpu]);
            let found = (&printed["errors"], &printed["warnings"]);
            assert_eq!((status, found), (0, (&serde_json::json!([]), &serde_json::json!([]))), "{kernel} on {gpu}");
            assert!(printed["space"]["feasible"].as_u64().unwrap() > 10, "{kernel} on {gpu}: {printed:#}");
        }
        assert_eq!(diagnosis(&[&spec]).0, 0);
        let ended = run(autotune().args([&spec, "--gpu", "fermi", "--set", size, "--format", "json"]));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{kernel}");
        let result = json(&ended, "result.json");
        assert_eq!((&result["verdict"], &result["kernel"]), (&"proved".into(), &kernel.into()));
    }
}

#[test]
fn a_new_file_is_written_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let init =
        |name: &str| run(autotune().current_dir(folder.path()).args(["init", "--kernel", "matmul", "--out", name]));
    let printed = run(autotune().args(["init", "--kernel", "matmul"])).stdout;
    let ended = init("mine.yaml");
    assert_eq!((ended.status, ended.stdout.as_str()), (0, ""));
    assert!(ended.stderr.contains("autotune check mine.yaml --gpu GPU"), "{}", ended.stderr);
    let path = folder.path().join("mine.yaml");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), printed);
    std::fs::write(&path, "an afternoon's work").unwrap();
    let ended = init("mine.yaml");
    assert_eq!((ended.status, ended.stdout.as_str()), (2, ""));
    assert!(ended.stderr.contains("mine.yaml") && ended.stderr.contains("exists"), "{}", ended.stderr);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "an afternoon's work");
    let ended = init("no/such/folder.yaml");
    assert!(ended.status == 1 && ended.stderr.contains("no/such/folder.yaml"), "{}: {}", ended.status, ended.stderr);
    let quiet = run(autotune().current_dir(folder.path()).args(["init", "--out", "other.yaml", "--quiet"]));
    assert_eq!((quiet.status, quiet.stdout.as_str(), quiet.stderr.as_str()), (0, "", ""));
    let map = std::fs::read_to_string(folder.path().join("other.yaml")).unwrap();
    assert!(map.contains("kernel: map"), "the simplest is the default");
}
