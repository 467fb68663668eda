//! Bodies of kernels with copies, waits and matrix instructions: each is its source's, by counts, bytes, passes and time.

use std::path::Path;

use autotune::extraction::{agreement, extract};
use autotune::gpu::{self, Profile};
use autotune::lowering::{Feasibility, GroupWork, Lowered, Lowering, Traffic};
use autotune::machine::{Statement, evaluate};
use autotune::source::{SourceReader, Tools};
use autotune::spec::{Configuration, Spec};

/// GPUs with asynchronous copies and matrix units.
const GPUS: [&str; 2] = ["a100", "h100"];

/// A kernel's source and its extracted body.
struct Pair {
    source: Lowered,
    body: Lowered,
    text: String,
}

/// The folder of the kernels, with specs that name them.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in
            [("product.cu", include_str!("ptx/product.cu")), ("stages.cu", include_str!("ptx/stages.cu"))]
        {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Self(folder)
    }

    fn spec(&self, text: &str) -> Spec {
        let path = self.0.path().join("spec.yaml");
        std::fs::write(&path, text).unwrap();
        Spec::load(&path).unwrap_or_else(|why| panic!("{why}\n{text}"))
    }

    /// A kernel on a GPU, lowered from its source and from its extracted body, whose counts agree.
    fn pair(&self, spec: &str, gpu: &str) -> Pair {
        let (profile, reader, only) = (&gpu::find(gpu).unwrap().profile, reader(), Configuration(Vec::new()));
        let source = self.spec(spec);
        let text = extract(&source, profile, &reader, &only).unwrap_or_else(|why| panic!("{why}")).text;
        let body = self.spec(&text);
        let agrees = agreement(&body, profile, &reader, Some(&only)).unwrap();
        assert!(agrees.is_whole(), "{agrees:?}\n{text}");
        let [source, body] = [&source, &body].map(|spec| lowered(spec, profile, &reader));
        Pair { source, body, text }
    }
}

/// The reader with the clang of the tests, without the user's cache.
fn reader() -> SourceReader {
    SourceReader::new(Tools { clang: Some(Path::new("clang-19").to_owned()), no_cache: true, ..Tools::default() })
}

fn lowered(spec: &Spec, profile: &Profile, reader: &SourceReader) -> Lowered {
    match Lowering::new(spec, profile, reader).lower(&Configuration(Vec::new())) {
        Ok(Feasibility::Feasible(lowered)) => lowered,
        refused => panic!("{refused:?}"),
    }
}

impl Pair {
    fn ticks(&self) -> [u64; 2] {
        [&self.source, &self.body].map(|lowered| evaluate(&lowered.program, u64::MAX).unwrap().ticks)
    }

    /// The times are apart by that many thousandths at most. A source's loop has iterations with other bytes of DRAM, which
    /// the body's loop has as a mean.
    fn assert_near(&self, gpu: &str, most: u64) {
        let [source, body] = self.ticks();
        assert!(body.abs_diff(source) * 1_000 <= source * most, "{gpu}: {body} ticks for {source} by {}", self.text);
    }

    /// The works of a group.
    fn works(&self) -> [&GroupWork; 2] {
        [&self.source, &self.body].map(|lowered| &**lowered.work.as_ref().unwrap())
    }

    /// The sums of a group agree, but for bytes that are rounded down to whole ones.
    fn assert_equal_sums(&self) {
        let [source, body] = self.works();
        assert_eq!(source.issued, body.issued, "{}", self.text);
        let sums = |work: &GroupWork| {
            let of = |traffic: &Traffic<f64>| [traffic.asked, traffic.moved, traffic.beyond_l1, traffic.beyond_l2];
            let [loaded, stored] = [&work.loaded, &work.stored].map(of);
            let others = [work.barriers, work.matrix_cycles, work.local_round_trips];
            [&others[..], &loaded, &stored].concat()
        };
        for (source, body) in sums(source).into_iter().zip(sums(body)) {
            assert!((source - body).abs() <= source * 0.001, "{body} for {source} in {}", self.text);
        }
    }
}

/// The spec of a kernel whose work items are 1,024 groups of 128.
fn staged(kernel: &str) -> String {
    format!(
        "kernel: {kernel}\nproblem: {{ N: 64 }}\nlaunch: {{ work_items: 128 * 1024, work_group: 128 }}\n\
         source: {{ file: stages.cu, kernel: {kernel}, arguments: {{ n: N }} }}\n"
    )
}

/// The product's spec.
fn product(more: &str) -> String {
    format!(
        "kernel: product\nproblem: {{ N: 1024, K: 1024 }}\nlaunch: {{ work_items: [64 * 32, 128], work_group: [32, 1] }}\n\
         source: {{ file: product.cu, kernel: product, arguments: {{ N: N, K: K }}{more} }}\n"
    )
}

const GUARDED: &str = "kernel: guarded\nproblem: { N: 1048576 }\nlaunch: { work_items: N, work_group: 32 }\n\
                       source: { file: product.cu, kernel: guarded, arguments: { n: N } }\n";

#[test]
fn a_product_and_guarded_copies_take_their_sources_time() {
    let folder = Folder::new();
    for gpu in GPUS {
        for spec in [&product(""), &product(", define: { SWIZZLE: 1 }"), GUARDED] {
            let pair = folder.pair(spec, gpu);
            pair.assert_near(gpu, 1);
            pair.assert_equal_sums();
        }
    }
}

/// The last iterations end groups without copies, which a body does not have: its waits leave fewer starts pending.
#[test]
fn empty_groups_are_not_counted() {
    let folder = Folder::new();
    for gpu in GPUS {
        let pair = folder.pair(&staged("staged"), gpu);
        let waits = |pending: &str| pair.text.matches(&format!("wait: {{ queue: copies{pending} }}")).count();
        // the first iterations, four stages in turn and the first of three iterations without copies, the second, the third
        assert_eq!([", pending: 2", ", pending: 1", ""].map(waits), [1 + 4 + 1, 1, 1], "{}", pair.text);
        // their tiles follow those of the loop, whose last one is the first
        let tiles = ["i * 512 + lx * 4", "lx * 4 + 512", "lx * 4 + 1024", "lx * 4 + 1536"];
        let places = tiles.map(|tile| pair.text.find(&format!("index: [{tile}]")).unwrap_or_else(|| panic!("{tile}")));
        assert!(places.is_sorted(), "{}", pair.text);
        pair.assert_equal_sums();
        pair.assert_near(gpu, 30);
    }
}

/// The words of the next iteration are loaded before those of this one are multiplied. Their wait stands in the next one.
#[test]
fn a_prefetch_is_waited_for_in_the_next_iteration() {
    let folder = Folder::new();
    for gpu in GPUS {
        let pair = folder.pair(&staged("prefetched"), gpu);
        let body = &pair.text[pair.text.find("  - loop:").unwrap()..];
        let places = ["wait: { queue: global", "writes: tile", "array: in", "matrix: "];
        let places = places.map(|words| body.find(words).unwrap_or_else(|| panic!("no `{words}` in {body}")));
        assert!(places.is_sorted(), "{}", pair.text);
        pair.assert_equal_sums();
        pair.assert_near(gpu, 30);
    }
}

/// Two warps of four copy, and two groups of copies stand side by side: a loop of one iteration keeps them apart.
#[test]
fn groups_side_by_side_stay_two_starts() {
    let folder = Folder::new();
    for gpu in GPUS {
        let pair = folder.pair(&staged("halves"), gpu);
        assert!(pair.text.contains("count: 1\n"), "{}", pair.text);
        let copies = |lowered: &Lowered| {
            let starts = Statement::all(&lowered.program.body);
            let starts = starts.filter(|(statement, _)| matches!(statement, Statement::Start { .. }));
            starts.map(|(_, times)| times).sum::<u128>()
        };
        assert_eq!(copies(&pair.source), copies(&pair.body), "{}", pair.text);
        pair.assert_equal_sums();
        pair.assert_near(gpu, 30);
    }
}

/// Each array has one stage, though a wait leaves a start of the other pending.
#[test]
fn arrays_that_are_filled_by_turns_share_a_queue() {
    let folder = Folder::new();
    for gpu in GPUS {
        let pair = folder.pair(&staged("turns"), gpu);
        assert!(pair.text.contains("local_memory: 8192\n"), "{}", pair.text);
        pair.assert_equal_sums();
        pair.assert_near(gpu, 30);
    }
}

/// On a lockstep GPU nothing is started: the order is free, and the times are the source's.
#[test]
fn a_lockstep_gpu_has_the_sources_time() {
    let folder = Folder::new();
    for spec in [&product(""), GUARDED, &staged("staged"), &staged("prefetched"), &staged("turns")] {
        let pair = folder.pair(spec, "abstract-fermi");
        let [source, body] = pair.ticks();
        assert_eq!(source, body, "{}", pair.text);
    }
}
