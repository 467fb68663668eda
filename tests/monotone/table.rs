//! A copy along rows is never slower than one along columns, on any GPU.

use std::path::Path;

use autotune::gpu::{Profile, shipped};

use super::kernels::{Folder, reader};
use super::{Time, gain, only_time};

const GROUPS: [[u64; 2]; 3] = [[16, 16], [32, 8], [64, 4]];

/// The spec of a kernel of `copy.cl` on an array of 4,096 x 4,096.
fn spec(kernel: &str, [x, y]: [u64; 2]) -> String {
    format!(
        "kernel: {kernel}\nproblem: {{ n: 4096 }}\nlaunch: {{ work_items: [n, n], work_group: [{x}, {y}] }}\n\
         source: {{ file: copy.cl, kernel: {kernel}, arguments: {{ n: n }} }}\n"
    )
}

#[test]
fn columns_never_take_less_time_than_rows() {
    let (folder, reader) = (Folder::new(), reader());
    folder.write("copy.cl", &std::fs::read_to_string(Path::new("tests/monotone/copy.cl")).unwrap());
    let mut wrong = Vec::new();
    for gpu in shipped().iter().filter(|file| matches!(file.profile, Profile::Pipelined(_))) {
        for group in GROUPS {
            let [rows, columns]: [Time; 2] = ["rows", "columns"]
                .map(|kernel| only_time(&folder.spec(&spec(kernel, group)), &gpu.profile, &reader).unwrap().unwrap());
            if gain("columns in place of rows", columns, rows).is_some() {
                wrong.push(format!(
                    "{} {group:?}: rows {} ticks, columns {}",
                    gpu.profile.name(),
                    rows.ticks,
                    columns.ticks
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "columns are faster in {} cases\n{}", wrong.len(), wrong.join("\n"));
}
