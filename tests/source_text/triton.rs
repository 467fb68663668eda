//! Triton's outputs in `tests/data/triton/kept`, executed and counted against what follows from tiles by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use autotune::limits::Limits;
use autotune::source::{
    Argument, AssumedContents, AssumedElements, Assumptions, ElementRule, Emitted, Executed, ExecutedGroup, Known,
    Maker, NamedFolder, Operations, Shape, SourceAccess, SourceKernel, SourceLaunch, SourcePlaces, Step, execute,
};

use super::triton_counts::{Counting, Counts};

/// M, N and K of the products, and the warps of a group.
const SIZE: i64 = 1024;
const WARPS: u64 = 4;
/// The tiles of the kept products with their stages.
const TILES: [([u64; 3], u64); 2] = [([128, 128, 32], 4), ([64, 64, 32], 2)];

/// A kept output.
struct Kept {
    kernel: Arc<SourceKernel>,
    warp: u32,
}

fn kept(name: &str, version: &str, target: &str) -> Kept {
    let path = format!("tests/data/triton/kept/{name}__{version}__{target}.json.gz");
    let mut answer = String::new();
    flate2::read::GzDecoder::new(File::open(&path).unwrap()).read_to_string(&mut answer).unwrap();
    let folder = NamedFolder { path: "/kernels".into(), name: "kernels".to_owned() };
    let places = SourcePlaces { files: Vec::new(), beside: vec![folder], include: Vec::new() };
    let emitted = Emitted::of_answer(&answer, WARPS, &places).unwrap();
    let (maker, warp) = if target.starts_with("sm_") { (Maker::Nvidia, 32) } else { (Maker::Other, 64) };
    Kept { kernel: Arc::new(SourceKernel::read(&emitted.text, None, maker).unwrap()), warp }
}

impl Kept {
    fn launch(&self, groups: [u64; 3], group: u64, arguments: &[(&str, i64)]) -> SourceLaunch {
        let parameters = || self.kernel.module.kernel.parameters.iter();
        let position = |name: &str| parameters().position(|parameter| &*parameter.name == name).unwrap();
        let arguments = arguments.iter().map(|(name, value)| (position(name), Argument::Integer(*value)));
        SourceLaunch {
            sizes: [self.warp * u32::try_from(WARPS).unwrap(), 1, 1],
            groups,
            group: [group, 0, 0],
            arguments: arguments.collect(),
            warp_size: self.warp,
            ..SourceLaunch::default()
        }
    }

    fn executed(&self, launch: &SourceLaunch, assumptions: &Assumptions, fold: bool) -> Executed {
        execute(&self.kernel.module, &self.kernel.flow, launch, assumptions, fold, &Limits::default()).unwrap()
    }

    fn counts(&self, launch: &SourceLaunch, assumptions: &Assumptions, fold: bool) -> Counts {
        let executed = self.executed(launch, assumptions, fold);
        // A branch that an assumption decides is a finding.
        let is_plain = assumptions.taken.is_empty();
        assert!(!is_plain || executed.findings.is_empty(), "{:?}", executed.findings);
        let (function, shape) = (&self.kernel.module.kernel, Shape::new(launch.sizes));
        let warp = self.warp as usize;
        Counting { function, executed: &executed, shape: &shape, warp }.counts()
    }

    /// The bytes of a group's local memory.
    fn local_bytes(&self) -> u64 {
        let memory = &self.kernel.module.globals["global_smem"];
        let autotune::source::Type::Array(bytes, _) = memory.of else { panic!("{memory:?}") };
        bytes
    }

    /// The product's counts: all loops folded, and all of them walked.
    fn product(&self, [m, n, _]: [u64; 3]) -> [Counts; 2] {
        let tiles = SIZE.unsigned_abs() / m * (SIZE.unsigned_abs() / n);
        let sizes = ["M", "N", "K", "row_a", "row_b", "row_c"].map(|name| (name, SIZE));
        let launch = self.launch([tiles, 1, 1], tiles / 2, &sizes);
        [true, false].map(|fold| self.counts(&launch, &Assumptions::default(), fold))
    }
}

/// The numbers of the lines of a kept source that contain a text.
fn lines(source: &str, text: &str) -> BTreeSet<u32> {
    let lines = (1..).zip(source.lines()).filter(|(_, line)| line.contains(text));
    lines.map(|(number, _)| number).collect()
}

fn sectors(all: &[(&str, u64)]) -> BTreeMap<String, u64> {
    all.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
}

/// A search by halves and then a branch: data decides the branch, and the search for what follows from it ends.
#[test]
fn a_branch_behind_a_loop_on_data_is_judged() {
    let kept = kept("search", "3.9.0", "sm_80");
    let line = lines(include_str!("../data/triton/kept/search.py"), "while left < right").into_iter().next().unwrap();
    let launch = kept.launch([1024, 1, 1], 7, &[("count", 16)]);
    let assumptions = Assumptions { trips: [(line, 4)].into(), ..Assumptions::default() };
    let executed = kept.executed(&launch, &assumptions, true);
    let shape = Shape::new(launch.sizes);
    let group = ExecutedGroup { shape: &shape, warp: 32, group: launch.group, grid: Some(launch.groups) };
    let safety = kept.kernel.judged(&executed, &group);
    assert!(safety.hazards.is_empty(), "{:?}", safety.hazards);
}

/// `taken` of an early return says how many programs leave: all of them read `left` alone, none of them reads the rest.
#[test]
fn an_assumption_about_a_return_speaks_of_the_return() {
    let kept = kept("leave", "3.9.0", "sm_80");
    let line = lines(include_str!("../data/triton/kept/leave.py"), "if program").into_iter().next().unwrap();
    let launch = kept.launch([512, 1, 1], 7, &[("n", 16)]);
    let counts = |taken: f64| {
        kept.counts(&launch, &Assumptions { taken: [(line, taken)].into(), ..Assumptions::default() }, true)
    };
    let (left, stayed) = (counts(1.0), counts(0.0));
    assert_eq!((left.read.get("x"), left.written.get("y")), (None, None), "{left:?}");
    let block = 128 * 4 / 32;
    assert_eq!((stayed.read.get("x"), stayed.written.get("y")), (Some(&(16 * block)), Some(&block)), "{stayed:?}");
}

/// An assumption about the assembly of a line prices the assembly: the load and the store of its line stay.
#[test]
fn an_assumption_about_assembly_replaces_no_access() {
    let kept = kept("policy", "3.9.0", "sm_80");
    let line = lines(include_str!("../data/triton/kept/policy.py"), "tl.store").into_iter().next().unwrap();
    let priced = Assumptions { assembly: [(line, Operations::default())].into(), ..Assumptions::default() };
    let counts = kept.counts(&kept.launch([512, 1, 1], 7, &[("n", 65536)]), &priced, true);
    assert_eq!((counts.read, counts.written), (sectors(&[("x", 16)]), sectors(&[("y", 16)])));
}

/// A pipeline computes the place of a tile behind the last one, and divides by 0: nothing uses the result.
#[test]
fn a_division_by_0_that_nothing_uses_is_no_error() {
    let kept = kept("persistent_128x128x64", "3.9.0", "sm_80");
    let launch = kept.launch([4, 1, 1], 3, &[("M", 512), ("N", 512), ("K", 256)]);
    let counts = kept.counts(&launch, &Assumptions::default(), false);
    // A program multiplies four of the sixteen tiles.
    assert_eq!(counts.products, 4 * 128 * 128 * 256);
}

/// Each of the numbers in the tiles is read once, whatever the GPU and the version; the sums of folded loops are those of
/// walked ones; and instructions keep their lines in Python.
#[test]
fn a_product_multiplies_its_tiles_and_reads_them_once() {
    let source = include_str!("../data/triton/kept/matmul.py");
    let k = SIZE.unsigned_abs();
    for ([m, n, each], _) in TILES {
        for (version, target) in
            [("3.1.0", "sm_80"), ("3.9.0", "sm_80"), ("3.9.0", "sm_90"), ("3.1.0", "gfx942"), ("3.9.0", "gfx942")]
        {
            let what = format!("{m} x {n} x {each} by {version} for {target}");
            let kept = kept(&format!("matmul_{m}x{n}x{each}"), version, target);
            let [folded, walked] = kept.product([m, n, each]);
            assert_eq!(folded, walked, "{what}");
            assert_eq!(folded.products, m * n * k, "{what}");
            assert_eq!(folded.read, sectors(&[("a", m * k * 2 / 32), ("b", n * k * 2 / 32)]), "{what}");
            // A work item of AMD's has 4 neighbours of a row, and its neighbour 4 more: 16 bytes of a row at a time.
            let times = if (version, target) == ("3.9.0", "gfx942") { 2 } else { 1 };
            assert_eq!(folded.written, sectors(&[("c", times * m * n * 2 / 32)]), "{what}");
            assert_eq!(folded.lines, [lines(source, "tl.dot("), lines(source, "tl.load(")], "{what}");
            assert!(folded.barriers >= k / each, "{what}: {folded:?}");
        }
    }
}

/// Products of 16 x 8 x 16, copies of 512 bytes, and rows of local memory that are all in different banks.
#[test]
fn instructions_of_ampere_are_counted_by_hand() {
    let k = SIZE.unsigned_abs();
    for ([m, n, each], stages) in TILES {
        for version in ["3.1.0", "3.9.0"] {
            let what = format!("{m} x {n} x {each} by {version}");
            let kept = kept(&format!("matmul_{m}x{n}x{each}"), version, "sm_80");
            let [counts, _] = kept.product([m, n, each]);
            assert_eq!(counts.matrix, m * n * k / 2048, "{what}");
            assert_eq!(counts.copies, k / each * (m + n) * each * 2 / 512, "{what}");
            assert_eq!(kept.local_bytes(), (stages - 1) * each * (m + n) * 2, "{what}");
            assert!(counts.local_rows > 0, "{what}");
            assert_eq!(counts.local_row_passes, 4 * counts.local_rows, "{what}: a pass for each 8 rows");
        }
    }
}

/// Four warps multiply 64 x N x 16 together, and all stages have local memory.
#[test]
fn instructions_of_hopper_are_counted_by_hand() {
    let k = SIZE.unsigned_abs();
    for ([m, n, each], stages) in TILES {
        let kept = kept(&format!("matmul_{m}x{n}x{each}"), "3.9.0", "sm_90");
        let [counts, _] = kept.product([m, n, each]);
        assert_eq!(counts.copies, k / each * (m + n) * each * 2 / 512);
        assert_eq!(counts.matrix, m * n * k / (16 * n * 16), "each warp's part is 16 rows");
        assert_eq!(kept.local_bytes(), stages * each * (m + n) * 2);
    }
}

/// A program takes every sixteenth row: 4 of 64. AMD's kernels find the number of programs in what the launch says.
#[test]
fn rows_of_a_softmax_are_read_and_written_once() {
    for version in ["3.1.0", "3.9.0"] {
        for target in ["sm_80", "gfx942"] {
            let kept = kept("softmax", version, target);
            let launch = kept.launch([16, 1, 1], 5, &[("rows", 64), ("columns", 1024)]);
            let all = [true, false].map(|fold| kept.counts(&launch, &Assumptions::default(), fold));
            assert_eq!(all[0], all[1], "{version} {target}");
            assert_eq!(all[0].read, sectors(&[("x", 4 * 1024 * 4 / 32)]), "{version} {target}");
            // Four stores of 4 bytes, each to all sectors of what the work items have.
            let times = if (version, target) == ("3.1.0", "gfx942") { 4 } else { 1 };
            assert_eq!(all[0].written, sectors(&[("y", times * 4 * 1024 * 4 / 32)]), "{version} {target}");
        }
    }
}

/// Rows of 128 bytes by numbers in an array: a warp reads 16 bytes with each work item.
#[test]
fn rows_that_an_array_numbers_are_known_where_its_contents_are_assumed() {
    let rule = |text: &str, value: fn(i64) -> i64| {
        AssumedElements::Rule(ElementRule { text: text.to_owned(), value: Arc::new(move |at| Some(value(at))) })
    };
    for version in ["3.1.0", "3.9.0"] {
        for target in ["sm_80", "gfx942"] {
            let kept = kept("gather", version, target);
            let launch = kept.launch([2, 1, 1], 1, &[("count", 64), ("columns", 64)]);
            let read = |elements, bytes| {
                let contents = AssumedContents { elements, bytes };
                let contents = BTreeMap::from([("numbers".into(), contents)]);
                kept.counts(&launch, &Assumptions { contents, ..Assumptions::default() }, true).read["table"]
            };
            let what = format!("{version} {target}");
            let warps = 32 * 128 / (16 * u64::from(kept.warp));
            assert_eq!(read(AssumedElements::Identity, Some(4)), 32 * 128 / 32, "{what}");
            assert_eq!(read(AssumedElements::Number(7), None), warps * 128 / 32, "{what}: a warp's rows are one");
            assert_eq!(read(rule("63 - i", |at| 63 - at), None), 32 * 128 / 32, "{what}");
            assert_eq!(read(rule("i / 2", |at| at / 2), None), 32 * 128 / 32 / 2, "{what}: two work items share a row");
            for unknown in [
                Assumptions::default(),
                Assumptions {
                    contents: BTreeMap::from([(
                        "numbers".into(),
                        AssumedContents { elements: AssumedElements::Identity, bytes: Some(8) },
                    )]),
                    ..Assumptions::default()
                },
            ] {
                let executed = kept.executed(&launch, &unknown, true);
                let accesses = Step::all(&executed.trace).filter_map(|(step, _)| match step {
                    Step::Block(run) => Some(&run.accesses),
                    _ => None,
                });
                let is_on_data = |access: &SourceAccess| access.address.as_ref().is_none_or(Known::is_on_data);
                let on_data = accesses.flatten().filter(|access| access.bytes > 0 && is_on_data(access)).count();
                assert!(on_data > 0, "{what}: the address depends on data");
            }
        }
    }
}
