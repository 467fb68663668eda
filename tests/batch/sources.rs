//! Batches of kernels' sources: the jobs share a reader.

use super::*;

const KERNEL: &str = "__kernel void k(__global int *a) { a[get_global_id(0)] = WG; }\n";
const SPEC: &str = "kernel: k\nproblem: { n: 4096 }\nparameters: { WG: { values: [32, 64] } }\n\
                    launch: { work_items: n, work_group: WG }\nsource: { file: k.cl }\n";

/// The compilations of a batch that does not use the cache: one proof for each of the sizes.
fn compilations(sizes: &str) -> usize {
    let place = Place::new(&format!("jobs: [ {{ specs: [k.yaml], gpus: [volta], set: {{ n: {sizes} }} }} ]\n"));
    std::fs::write(place.path("k.cl"), KERNEL).unwrap();
    std::fs::write(place.path("k.yaml"), SPEC).unwrap();
    let log = place.path("log");
    script(&place.path("clang"), &format!("case $1 in -O2) echo x >>'{}';; esac\nexec clang \"$@\"", log.display()));
    let mut batch = place.batch(&["--out", "out", "--no-cache", "--jobs", "1"]);
    let output = batch.env("AUTOTUNE_CLANG", place.path("clang")).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    std::fs::read_to_string(log).unwrap().lines().count()
}

/// The kernel does not name its problem size.
#[test]
fn a_source_of_several_jobs_is_compiled_once() {
    let once = compilations("[4096]");
    assert!(once > 0);
    assert_eq!(compilations("[2048, 4096, 8192]"), once);
}

/// A source stands for the spec in its comment: what differs from the batch's begin is told, in the comment and in the code.
#[test]
fn a_source_is_a_job() {
    let place = Place::new("jobs: [ { specs: [k.cl], gpus: [volta, a100] } ]\n");
    let commented = |kernel: &str| {
        let (head, _) = SPEC.split_once("source:").unwrap();
        std::fs::write(place.path("k.cl"), format!("{kernel}\n/* autotune:\n{head}*/\n")).unwrap();
    };
    commented(KERNEL);
    let ended = |more: &[&str]| {
        let output = place.batch(&[&["--out", "out", "--no-cache", "--jobs", "1"], more].concat()).output().unwrap();
        (output.status.code(), stdout(&output), stderr(&output))
    };
    let (status, shown, error) = ended(&[]);
    assert_eq!(status, Some(0), "{shown}{error}");
    assert!(shown.contains("2 of 2 jobs have ended, 2 proved"), "{shown}");
    assert_eq!(ended(&["--resume"]).0, Some(0));
    commented(&KERNEL.replace("= WG", "= WG + 1"));
    let (status, _, error) = ended(&["--resume"]);
    assert_eq!(status, Some(2));
    assert!(error.contains("job 1: the spec `k.cl` has changed since the batch was started"), "{error}");
}
