//! A kernel without parameters: it has one configuration, which messages name in words.

use std::fs;

use super::*;

#[test]
fn the_configuration_of_a_kernel_without_parameters_has_words() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.cl"), "__kernel void k(__global float *a) { a[0] = 1 = 2; }\n").unwrap();
    let spec = "kernel: k\nsource: { file: k.cl }\nlaunch: { work_items: 64, work_group: 64 }\n";
    fs::write(folder.path().join("k.yaml"), spec).unwrap();
    for command in [&["evaluate"][..], &["inspect"], &["extract"], &[]] {
        let arguments = [command, &["k.yaml", "--gpu", "a100"]].concat();
        let ended = run(autotune().current_dir(folder.path()).args(arguments));
        let words = "error: the only configuration: clang finds an error in the source:\n";
        assert!(ended.stderr.starts_with(words), "{command:?}: {}", ended.stderr);
    }
}
