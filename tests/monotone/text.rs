//! Random kernels in OpenCL, as lines with worse lines in their place.

use std::fmt::Write;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// A line of a kernel, with the block behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// Worse texts with the kinds of their changes.
    pub(crate) others: Vec<(&'static str, String)>,
    /// The text of the worse version; `None` if the versions have the same.
    pub(crate) worse: Option<String>,
    /// The lines of a loop.
    pub(crate) body: Vec<Line>,
}

/// A kernel with its launch.
#[derive(Debug, Clone)]
pub(crate) struct Kernel {
    pub(crate) group: [u64; 2],
    /// Elements of a row of each array, and work items along x.
    pub(crate) n: u64,
    /// Work items along y.
    pub(crate) high: u64,
    /// The argument that bounds the loops.
    pub(crate) m: u64,
    /// True if no two pointers lead to the same memory.
    pub(crate) restrict: bool,
    pub(crate) lines: Vec<Line>,
}

const GROUPS: [[u64; 2]; 7] = [[16, 16], [32, 8], [64, 4], [32, 4], [32, 1], [128, 1], [256, 1]];

/// Arrays that kernels load from: of better lines, and of added ones.
const LOADED: [&str; 4] = ["a", "b", "c", "added"];

/// Arrays that kernels store to.
const STORED: [&str; 3] = ["o", "p", "more"];

impl Line {
    fn new(text: &str, others: &[(&'static str, String)]) -> Self {
        Self { text: text.to_owned(), others: others.to_vec(), worse: None, body: Vec::new() }
    }

    /// True if the versions differ in this line or in its block.
    pub(crate) fn differs(&self) -> bool {
        self.worse.is_some() || self.body.iter().any(Self::differs)
    }

    fn write(&self, is_worse: bool, depth: usize, text: &mut String) {
        let margin = "    ".repeat(depth);
        let own = self.worse.as_ref().filter(|_| is_worse).unwrap_or(&self.text);
        let opens = if self.body.is_empty() { "" } else { " {" };
        writeln!(text, "{margin}{own}{opens}").unwrap();
        if !self.body.is_empty() {
            for line in &self.body {
                line.write(is_worse, depth + 1, text);
            }
            writeln!(text, "{margin}}}").unwrap();
        }
    }
}

impl Kernel {
    /// The text of a version.
    pub(crate) fn version(&self, is_worse: bool) -> String {
        let restrict = if self.restrict { "restrict " } else { "" };
        let loaded = LOADED.map(|array| format!("__global const float *{restrict}{array}, ")).concat();
        let stored = STORED.map(|array| format!("__global float *{restrict}{array}, ")).concat();
        let mut text = format!(
            "__kernel void k({loaded}{stored}__global char *{restrict}q, int n, int m) {{\n    \
             __local float tile[1024];\n    \
             int x = get_global_id(0), y = get_global_id(1);\n    \
             int l = get_local_id(1) * get_local_size(0) + get_local_id(0), h = x;\n    \
             float s = x, t = y;\n    tile[l] = 0;\n"
        );
        for line in &self.lines {
            line.write(is_worse, 1, &mut text);
        }
        text + "    o[y * n + x] = s + t + h;\n}\n"
    }

    /// The spec of some versions.
    pub(crate) fn spec(&self, versions: usize) -> String {
        let last = versions - 1;
        format!("kernel: k\nparameters: {{ VERSION: {{ range: {{ from: 0, to: {last} }} }} }}\n{}", self.launch())
    }

    /// The launch and the arguments, as a spec has them.
    pub(crate) fn launch(&self) -> String {
        let Self { group: [x, y], n, high, m, .. } = self;
        format!(
            "launch: {{ work_items: [{n}, {high}], work_group: [{x}, {y}] }}\n\
             source: {{ file: drawn.cl, arguments: {{ n: {n}, m: {m} }} }}\n"
        )
    }

    pub(crate) fn drawn(seed: u64) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        let group = *GROUPS.choose(&mut random).unwrap();
        let n = *[256, 512, 1024, 2048, 4096].choose(&mut random).unwrap();
        let m = *[4, 5, 8, 16].choose(&mut random).unwrap();
        let (high, restrict) = (n / random.random_range(1..=2), random.random_bool(0.5));
        let length = random.random_range(1..=4);
        let lines = lines(length, "", &mut random);
        Self { group, n, high, m, restrict, lines }
    }
}

/// Lines of a block; `counter` is the loop's, empty outside.
fn lines(length: u32, counter: &str, random: &mut StdRng) -> Vec<Line> {
    (0..length).flat_map(|_| drawn(counter, random)).collect()
}

fn drawn(counter: &str, random: &mut StdRng) -> Vec<Line> {
    match random.random_range(0..if counter == "j" { 9 } else { 12 }) {
        0..4 => vec![load(counter, random)],
        4..6 => vec![store(random)],
        6 => local(random),
        7..9 => vec![arithmetic(random)],
        _ => {
            let counter = if counter.is_empty() { "i" } else { "j" };
            let head = |bound: &str| format!("for (int {counter} = 0; {counter} < {bound}; {counter}++)");
            // Compilers unroll by four, and execute the rest one by one.
            let mut line = Line::new(&head("m"), &[("four more iterations", head("m + 4"))]);
            let length = random.random_range(1..=3);
            line.body = lines(length, counter, random);
            vec![line]
        }
    }
}

fn load(counter: &str, random: &mut StdRng) -> Line {
    let array = ["a", "b", "c"].choose(random).unwrap();
    let text = |index: &str| format!("s += {array}[{index}];");
    let i = if counter.is_empty() { "5" } else { counter };
    let (along, across) = match random.random_range(0..4) {
        0 | 1 => ("y * n + x".to_owned(), "x * n + y".to_owned()),
        2 => (format!("(y + {i}) * n + x"), format!("(x + {i}) * n + y")),
        _ => (format!("{i} * n + x"), format!("x * n + {i}")),
    };
    let one = format!("y * n + {i}");
    if random.random_bool(0.2) {
        return Line::new(&text(&one), &[("lanes load other elements", text(&format!("{one} + x")))]);
    }
    let others = [
        ("a load along columns", text(&across)),
        ("a load of every second element", text(&along.replace('x', "2 * x"))),
        ("one more load", format!("{} s += added[y * n + x + {i}];", text(&along))),
    ];
    Line::new(&text(&along), &others)
}

fn store(random: &mut StdRng) -> Line {
    let array = ["o", "p"].choose(random).unwrap();
    let text = |index: &str| format!("{array}[{index}] = s;");
    let others = [
        ("a store along columns", text("x * n + y")),
        ("a store to every second element", text("y * n + 2 * x")),
        ("a store of a part of its sectors", "q[4 * (y * n + x)] = (char)s;".to_owned()),
        ("one more store", format!("{} more[y * n + x] = t;", text("y * n + x"))),
    ];
    Line::new(&text("y * n + x"), &others)
}

fn local(random: &mut StdRng) -> Vec<Line> {
    let text = |index: &str| format!("t += tile[{index}];");
    let others = [
        ("a bank conflict", text("l * 32 & 1023")),
        ("one more local access", format!("{} t += tile[(l + 7) & 1023];", text("l * 2 & 1023"))),
    ];
    let barrier = || Line::new("barrier(CLK_LOCAL_MEM_FENCE);", &[]);
    let mut found =
        vec![barrier(), Line::new("tile[l] = s;", &[]), barrier(), Line::new(&text("l * 2 & 1023"), &others)];
    if random.random_bool(0.3) {
        found.remove(0);
    }
    found
}

fn arithmetic(random: &mut StdRng) -> Line {
    let one = *["s = s * t + 0.5f;", "h = h * x ^ (h >> 3);", "t = native_sin(t);"].choose(random).unwrap();
    let text = |times: usize| vec![one; times].join(" ");
    let times = *[1, 2, 4, 12].choose(random).unwrap();
    Line::new(&text(times), &[("one more operation", text(times + 1))])
}
