//! Assumptions about the conditions and loops of a source: each form of the languages, with the executions of its lines by
//! hand.

#![allow(
    clippy::cast_precision_loss,
    clippy::similar_names,
    clippy::needless_for_each,
    clippy::too_many_lines,
    reason = "small numbers, and a table of forms"
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use autotune::limits::Limits;
use autotune::source::{
    Architecture, Argument, AssumedLines, Assumptions, Compiler, Executed, Macros, Maker, SourceKernel, SourceLaunch,
    Step, Target,
};

use super::{VERSIONS, Written, clang};

/// A kernel whose body begins in line 2, unless it has other lines in front. Each access of `x` and `q` is volatile, so that no
/// compiler leaves one out.
struct Form {
    name: &'static str,
    text: &'static str,
    /// What is assumed of the lines, and the accesses that follow: `x4: 10` for ten of `x` in line 4. Arrays and lines without
    /// an access are left out.
    cases: &'static [(&'static str, &'static str)],
}

/// The forms that all languages have. `n` is 100.
const FORMS: &[Form] = &[
    Form {
        name: "if and else",
        text: "KERNEL\nif (q[t] > 3)\nx[t] = 1;\nelse\nx[t];\n}",
        cases: &[
            ("taken@2=1", "q2: 1, x3: 1"),
            ("taken@2=0", "q2: 1, x5: 1"),
            ("taken@2=0.25", "q2: 1, x3: 0.25, x5: 0.75"),
        ],
    },
    Form {
        name: "if alone",
        text: "KERNEL\nif (q[t] > 3)\nx[t] = 1;\nx[t + 64] = 2;\n}",
        cases: &[("taken@2=1", "q2: 1, x3: 1, x4: 1"), ("taken@2=0", "q2: 1, x4: 1")],
    },
    Form {
        name: "early return",
        text: "KERNEL\nif (t >= q[0])\nreturn;\nx[t] = 1;\n}",
        cases: &[("taken@2=1", "q2: 1"), ("taken@2=0", "q2: 1, x4: 1"), ("taken@2=0.25", "q2: 1, x4: 0.75")],
    },
    Form {
        name: "two early returns on one number",
        text: "KERNEL\nint v = q[t];\nif (v > 3) return;\nif (v < 1) return;\nx[t] = 1;\n}",
        cases: &[
            ("taken@3=0 taken@4=0", "q2: 1, x5: 1"),
            ("taken@3=1 taken@4=0", "q2: 1"),
            ("taken@3=0 taken@4=1", "q2: 1"),
            ("taken@3=0.5 taken@4=0.5", "q2: 1, x5: 0.25"),
        ],
    },
    Form {
        name: "continue",
        text: "KERNEL\nfor (int j = 0; j < n; ++j) {\nif (q[j] > 3)\ncontinue;\nx[j] = 1;\n}\n}",
        cases: &[("taken@3=1", "q3: 100"), ("taken@3=0", "q3: 100, x5: 100"), ("taken@3=0.25", "q3: 100, x5: 75")],
    },
    Form {
        name: "continue with more behind",
        text: "KERNEL\nfor (int j = 0; j < n; ++j) {\nint v = q[j];\nx[j + 1] = 7;\nif (v > 3) continue;\nif (v == -1)\nx[j] = 1;\n}\n}",
        cases: &[
            ("taken@5=1 taken@6=1", "q3: 100, x4: 100"),
            ("taken@5=0 taken@6=1", "q3: 100, x4: 100, x7: 100"),
            ("taken@5=0 taken@6=0", "q3: 100, x4: 100"),
        ],
    },
    Form {
        name: "break",
        text: "KERNEL\nfor (int j = 0; j < n; ++j) {\nif (q[j] > 3) break;\nx[j] = 1;\n}\nx[t] = 2;\n}",
        cases: &[
            ("trip@3=10", "q3: 10, x4: 9, x6: 1"),
            ("trip@3=1", "q3: 1, x6: 1"),
            ("trip@3=1000", "q3: 100, x4: 100, x6: 1"),
        ],
    },
    Form {
        name: "return from a loop",
        text: "KERNEL\nfor (int j = 0; j < n; ++j) {\nif (q[j] > 3)\nreturn;\nx[j] = 1;\n}\nx[t] = 2;\n}",
        cases: &[("trip@3=10", "q3: 10, x5: 9")],
    },
    Form {
        name: "for with an end from memory",
        text: "KERNEL\nint e = q[0];\nfor (int j = 0; j < e; ++j)\nx[j] = 1;\nx[t] = 2;\n}",
        cases: &[
            ("trip@3=10", "q2: 1, x4: 10, x5: 1"),
            ("trip@3=1", "q2: 1, x4: 1, x5: 1"),
            ("trip@3=0", "q2: 1, x5: 1"),
            ("trip@3=1000003", "q2: 1, x4: 1000003, x5: 1"),
        ],
    },
    Form {
        name: "for that loads its end",
        text: "KERNEL\nfor (int j = 0; j < q[0]; ++j)\nx[j] = 1;\n}",
        cases: &[("trip@2=10", "q2: 11, x3: 10"), ("trip@2=0", "q2: 1")],
    },
    Form {
        name: "for with two ends",
        text: "KERNEL\nint e = q[0];\nfor (int j = 0; j < e; ++j) {\nif (q[j] > 3) break;\nx[j] = 1;\n}\n}",
        cases: &[("trip@3=20 trip@4=10", "q2: 1, q4: 10, x5: 9"), ("trip@3=5 trip@4=10", "q2: 1, q4: 5, x5: 5")],
    },
    Form {
        name: "for with two conditions",
        text: "KERNEL\nint e = q[0];\nfor (int j = 0; j < e && q[j] != 5; ++j)\nx[j] = 1;\n}",
        cases: &[("trip@3=10", "q2: 1, q3: 10, x4: 10"), ("trip@3=0", "q2: 1")],
    },
    Form {
        name: "for with one of two conditions",
        text: "KERNEL\nint e = q[0];\nfor (int j = 0; j < e || q[j] != 5; ++j)\nx[j] = 1;\n}",
        cases: &[("trip@3=10", "q2: 1, q3: 1, x4: 10")],
    },
    Form {
        name: "while",
        text: "KERNEL\nint e = q[0], j = 0;\nwhile (j < e) {\nx[j] = 1;\nj += 2;\n}\n}",
        cases: &[("trip@3=10", "q2: 1, x4: 10"), ("trip@3=0", "q2: 1")],
    },
    Form {
        name: "while that follows a list",
        text: "KERNEL\nint j = t;\nwhile (j >= 0) {\nx[t] = 1;\nj -= q[t];\n}\n}",
        cases: &[("trip@3=10", "x4: 10, q5: 10")],
    },
    Form {
        name: "do",
        text: "KERNEL\nint j = 0;\ndo {\nx[j] = 1;\n++j;\n} while (j < q[j]);\n}",
        cases: &[("trip@6=10", "x4: 10, q6: 10"), ("trip@6=1", "x4: 1, q6: 1")],
    },
    Form {
        name: "a loop without an end of its own",
        text: "KERNEL\nint j = 0;\nfor (;;) {\nx[j] = 1;\nif (q[j] > 3) break;\nx[j + 64] = 2;\n++j;\n}\n}",
        cases: &[("trip@5=10", "x4: 10, q5: 10, x6: 9")],
    },
    Form {
        name: "a loop that a pragma unrolls",
        text: "KERNEL\nint e = q[0];\n#pragma unroll 4\nfor (int j = 0; j < e; ++j)\nx[j] = 1;\n}",
        cases: &[("trip@4=10", "q2: 1, x5: 10")],
    },
    Form {
        name: "a loop whose first iteration is another",
        text: "KERNEL\nint e = q[0], v = 3;\nfor (int j = 0; j < e; ++j) {\nx[j] = v;\nv = t;\n}\n}",
        cases: &[("trip@3=10", "q2: 1, x4: 10")],
    },
    Form {
        name: "a loop in another",
        text: "KERNEL\nfor (int i = 0; i < q[0]; ++i)\nfor (int j = 0; j < q[i]; ++j)\nx[j] = 1;\n}",
        cases: &[("trip@2=3 trip@3=4", "q2: 4, q3: 15, x4: 12"), ("trip@2=3 trip@3=0", "q2: 4, q3: 3")],
    },
    Form {
        name: "a loop in a known one",
        text: "KERNEL\nfor (int i = 0; i < n; ++i) {\nint e = q[i];\nfor (int j = 0; j < e; ++j)\nx[j] = 1;\n}\n}",
        cases: &[("trip@4=7", "q3: 100, x5: 700")],
    },
    Form {
        name: "a loop and a condition in one line",
        text: "KERNEL\nint e = q[0];\nfor (int j = 0; j < e; ++j) if (q[j] > 3) x[j] = 1;\n}",
        cases: &[
            ("trip@3=10 taken@3=0.5", "q2: 1, q3: 10, x3: 5"),
            ("trip@3=10 taken@3=1", "q2: 1, q3: 10, x3: 10"),
            ("trip@3=10 taken@3=0", "q2: 1, q3: 10"),
        ],
    },
    Form {
        name: "one of two values",
        text: "KERNEL\nint v = q[t] > 3\n? x[t]\n: 7;\nx[t + 64] = v;\n}",
        cases: &[("taken@2=1", "q2: 1, x3: 1, x5: 1"), ("taken@2=0", "q2: 1, x5: 1")],
    },
    Form {
        name: "and",
        text: "KERNEL\nif (q[t] > 3\n&& q[t + 1] < 2)\nx[t] = 1;\nelse\nx[t];\n}",
        // The first part ends where the operator stands.
        cases: &[
            ("taken@2=1 taken@3=0", "q2: 1, x6: 1"),
            ("taken@2=0 taken@3=1", "q2: 1, q3: 1, x6: 1"),
            ("taken@2=1 taken@3=1", "q2: 1, q3: 1, x4: 1"),
        ],
    },
    Form {
        name: "and in one line",
        text: "KERNEL\nif (q[t] > 3 && q[t + 1] < 2)\nx[t] = 1;\nelse\nx[t];\n}",
        cases: &[
            ("taken@2=1", "q2: 2, x3: 1"),
            ("taken@2=0", "q2: 1, x5: 1"),
            ("taken@2=0.25", "q2: 1.25, x3: 0.25, x5: 0.75"),
        ],
    },
    Form {
        name: "and behind what is known",
        text: "KERNEL\nif (t < n && q[t] > 3) return;\nx[t] = 1;\n}",
        cases: &[("taken@2=1", "q2: 1"), ("taken@2=0", "q2: 1, x3: 1"), ("taken@2=0.25", "q2: 1, x3: 0.75")],
    },
    Form {
        name: "or in one line",
        text: "KERNEL\nif (q[t] > 3 || q[t + 1] < 2)\nx[t] = 1;\nelse\nx[t];\n}",
        cases: &[
            ("taken@2=1", "q2: 1, x3: 1"),
            ("taken@2=0", "q2: 2, x5: 1"),
            ("taken@2=0.25", "q2: 1.75, x3: 0.25, x5: 0.75"),
        ],
    },
    Form {
        name: "or with an early return",
        text: "KERNEL\nif (q[t] > 3 || q[t + 1] < 2 || t == 77) return;\nx[t] = 1;\n}",
        cases: &[("taken@2=1", "q2: 1"), ("taken@2=0", "q2: 2, x3: 1")],
    },
    Form {
        name: "not",
        text: "KERNEL\nif (!(q[t] > 3))\nx[t] = 1;\nelse\nx[t];\n}",
        cases: &[("taken@2=1", "q2: 1, x3: 1"), ("taken@2=0", "q2: 1, x5: 1")],
    },
    Form {
        name: "not with and",
        text: "KERNEL\nif (!(q[t] > 3 && q[t + 1] > 3))\nreturn;\nx[t];\n}",
        cases: &[("taken@2=1", "q2: 1"), ("taken@2=0", "q2: 2, x4: 1")],
    },
    Form {
        name: "not before and",
        text: "KERNEL\nif (!(q[t] > 3) && q[t + 1] > 3)\nreturn;\nx[t];\n}",
        cases: &[("taken@2=1", "q2: 2"), ("taken@2=0", "q2: 1, x4: 1")],
    },
    Form {
        name: "a truth that has a name",
        text: "KERNEL\nint is = q[t] > 3 && q[t + 1] > 3;\nx[t] = 3;\nif (is)\nx[t] = 1;\n}",
        cases: &[("taken@2=1 taken@4=1", "q2: 2, x3: 1, x5: 1"), ("taken@2=1 taken@4=0", "q2: 2, x3: 1")],
    },
    Form {
        name: "a condition in another",
        text: "KERNEL\nif (q[t] > 3) {\nx[t] = 1;\nif (q[t + 1] > 3)\nreturn;\nx[t] = 2;\n}\nx[t] = 3;\n}",
        cases: &[
            ("taken@2=1 taken@4=0", "q2: 1, x3: 1, q4: 1, x6: 1, x8: 1"),
            ("taken@2=1 taken@4=1", "q2: 1, x3: 1, q4: 1"),
            ("taken@2=0 taken@4=1", "q2: 1, x8: 1"),
            ("taken@2=0.5 taken@4=0", "q2: 1, x3: 0.5, q4: 0.5, x6: 0.5, x8: 1"),
        ],
    },
    Form {
        name: "conditions one behind the other",
        text: "KERNEL\nif (q[t] == 1)\nx[t] = 1;\nelse if (q[t] == 2)\nx[t];\nelse\nx[t] = x[t + 1];\n}",
        cases: &[
            ("taken@2=0 taken@4=1", "q2: 1, q4: 1, x5: 1"),
            ("taken@2=0 taken@4=0", "q2: 1, q4: 1, x7: 2"),
            ("taken@2=1 taken@4=1", "q2: 1, x3: 1"),
        ],
    },
    Form {
        name: "switch, of which each case is executed",
        text: "KERNEL\nswitch (q[t]) {\ncase 1: x[t] = 1; break;\ncase 7: x[t]; break;\ndefault: x[t] = x[t + 1];\n}\n}",
        cases: &[("taken@2=1", "q2: 1, x3: 1, x4: 1, x5: 2"), ("taken@2=0", "q2: 1, x3: 1, x4: 1, x5: 2")],
    },
    Form {
        name: "a condition in a macro",
        text: "#define CHECK(i) if (q[i] > 3) return\nKERNEL\nCHECK(t);\nx[t] = 1;\n}",
        cases: &[("taken@3=1", "q3: 1"), ("taken@3=0", "q3: 1, x4: 1")],
    },
    Form {
        name: "a loop in a macro",
        text: "#define EACH(j, e) for (int j = 0; j < e; ++j)\nKERNEL\nint e = q[0];\nEACH(j, e)\nx[j] = 1;\n}",
        cases: &[("trip@4=10", "q3: 1, x5: 10")],
    },
    Form {
        name: "a condition in a function",
        text: "FUNCTION void f(POINTER q, POINTER x, int t) {\nif (q[t] > 3) return;\nx[t] = 1;\n}\nKERNEL\nf(q, x, t);\nf(q, x, t + 1);\nx[t] = 2;\n}",
        cases: &[("taken@2=1", "q2: 2, x8: 1"), ("taken@2=0", "q2: 2, x3: 2, x8: 1")],
    },
    Form {
        name: "the condition that a function computes",
        text: "FUNCTION int f(POINTER q, int t) {\nif (q[t] > 3) return 1;\nreturn q[t + 1] > 7;\n}\nKERNEL\nif (f(q, t)) return;\nx[t] = 1;\n}",
        cases: &[("taken@2=0 taken@6=0", "q2: 1, q3: 1, x7: 1"), ("taken@2=0 taken@6=1", "q2: 1, q3: 1")],
    },
    Form {
        name: "a loop in a function",
        text: "FUNCTION int f(POINTER q, POINTER x, int e) {\nint s = 0;\nfor (int j = 0; j < e; ++j)\ns += x[j];\nreturn s;\n}\nKERNEL\nx[t] = f(q, x, q[0]) + f(q, x, q[1]);\n}",
        cases: &[("trip@3=10", "x4: 20, q8: 2, x8: 1")],
    },
];

/// The forms of C++.
const OF_CPP: &[Form] = &[
    Form {
        name: "a condition in a template",
        text: "template <int N> FUNCTION void f(POINTER q, POINTER x, int t) {\nif (q[t] > N) return;\nx[t] = 1;\n}\nKERNEL\nf<3>(q, x, t);\nf<5>(q, x, t);\n}",
        cases: &[("taken@2=1", "q2: 2"), ("taken@2=0", "q2: 2, x3: 2"), ("taken@2=0.5", "q2: 2, x3: 1")],
    },
    Form {
        name: "a loop in a template",
        text: "template <class T> FUNCTION void f(POINTER x, T e) {\nfor (T j = 0; j < e; ++j)\nx[j] = 1;\n}\nKERNEL\nf<int>(x, q[0]);\nf<long>(x, q[1]);\n}",
        cases: &[("trip@2=10", "x3: 20, q6: 1, q7: 1")],
    },
    Form {
        name: "a condition in a function object",
        text: "KERNEL\nauto f = [&](int i) {\nif (q[i] > 3) return;\nx[i] = 1;\n};\nf(t);\nx[t] = 2;\n}",
        cases: &[("taken@3=1", "q3: 1, x7: 1"), ("taken@3=0", "q3: 1, x4: 1, x7: 1")],
    },
];

/// A language as a target has it.
struct Dialect {
    file: &'static str,
    kernel: &'static str,
    function: &'static str,
    pointer: &'static str,
    target: Target,
}

fn opencl() -> Dialect {
    Dialect {
        file: "k.cl",
        kernel: "kernel void k(volatile global int *q, volatile global int *x, int n) { const int t = get_global_id(0);",
        function: "static inline",
        pointer: "volatile global int *",
        target: Target::Portable,
    }
}

fn cuda(target: Target) -> Dialect {
    Dialect {
        file: "k.cu",
        kernel: "__global__ void k(volatile int *q, volatile int *x, int n) { \
                 const int t = blockIdx.x * blockDim.x + threadIdx.x;",
        function: "__device__ inline",
        pointer: "volatile int *",
        target,
    }
}

/// The executions of accesses by array and line; each side of a branch on data counts by its share.
fn counts(kernel: &SourceKernel, executed: &Executed) -> BTreeMap<String, f64> {
    let mut counts = BTreeMap::new();
    add(kernel, executed, &executed.trace, 1.0, &mut counts);
    counts.retain(|_, count| *count != 0.0);
    counts
}

fn add(kernel: &SourceKernel, executed: &Executed, steps: &[Step], times: f64, counts: &mut BTreeMap<String, f64>) {
    for step in steps {
        match step {
            Step::Block(run) => {
                for access in &run.accesses {
                    let place =
                        kernel.module.kernel.blocks[run.block.index()].instructions[access.instruction].user_place();
                    // Arguments in HIP have a suffix.
                    let array = executed.regions[access.region.unwrap().0 as usize].name.trim_end_matches(".coerce");
                    *counts.entry(format!("{array}{}", place.unwrap().line)).or_default() += times;
                }
            }
            Step::Loop(run) => {
                for round in &run.rounds {
                    add(kernel, executed, &round.steps, times * round.times as f64, counts);
                }
            }
            Step::Sides(_, sides) => {
                sides.iter().for_each(|side| add(kernel, executed, &side.steps, times * side.share, counts));
            }
        }
    }
}

/// What is assumed of lines: `taken@2=0.5 trip@4=10`.
fn assumptions(said: &str) -> Assumptions {
    let mut assumptions = Assumptions::default();
    for one in said.split(' ') {
        let (what, value) = one.split_once('=').unwrap();
        match what.split_once('@').unwrap() {
            ("taken", line) => _ = assumptions.taken.insert(line.parse().unwrap(), value.parse().unwrap()),
            (_, line) => _ = assumptions.trips.insert(line.parse().unwrap(), value.parse().unwrap()),
        }
    }
    assumptions
}

fn compiled(name: &str, text: &str, dialect: &Dialect, version: &str, assumed: &AssumedLines) -> Arc<SourceKernel> {
    let mut written = Written::new(&[(dialect.file, text)]);
    written.source.assumed = assumed.clone();
    let target = dialect.target.clone();
    let compiler = Compiler::new(clang(version), written.source.clone(), target, None, Limits::default()).unwrap();
    let compiled = compiler.compile(&Macros::default()).unwrap_or_else(|why| panic!("{name}: {why}"));
    Arc::new(SourceKernel::read(&compiled.text, None, Maker::Other).unwrap())
}

/// The differences of a form's counts from those by hand.
fn differences(form: &Form, dialect: &Dialect, version: &str) -> Vec<String> {
    let text = form.text.replace("KERNEL", dialect.kernel);
    let text = text.replace("FUNCTION", dialect.function).replace("POINTER", dialect.pointer);
    let mut found = Vec::new();
    // What is compiled depends on the assumed lines alone.
    let mut kernels: Vec<(AssumedLines, Arc<SourceKernel>)> = Vec::new();
    for (said, expected) in form.cases {
        let assumptions = assumptions(said);
        let assumed = AssumedLines {
            taken: assumptions.taken.keys().copied().collect(),
            trips: assumptions.trips.keys().copied().collect(),
        };
        let kernel = if let Some((_, kernel)) = kernels.iter().find(|(lines, _)| *lines == assumed) {
            kernel.clone()
        } else {
            let kernel = compiled(form.name, &text, dialect, version, &assumed);
            kernels.push((assumed, kernel.clone()));
            kernel
        };
        let launch = SourceLaunch {
            sizes: [64, 1, 1],
            groups: [64, 1, 1],
            group: [31, 0, 0],
            warp_size: 32,
            arguments: BTreeMap::from([(
                2,
                Argument::Integer(if form.text.contains("t < n") { 100_000 } else { 100 }),
            )]),
            ..SourceLaunch::default()
        };
        let executed = kernel.execute(&launch, &assumptions, &Limits::default()).unwrap();
        let mut counted = counts(&kernel, &executed);
        for one in expected.split(", ") {
            let (place, count) = one.split_once(": ").unwrap();
            let is = counted.remove(place).unwrap_or(0.0);
            if (is - count.parse::<f64>().unwrap()).abs() > 1e-9 {
                let at = format!("{} in {} by {version} with {said}", form.name, dialect.file);
                found.push(format!("{at}: {place} is executed {is} times, not {count}"));
            }
        }
        found.extend(counted.iter().map(|(place, is)| {
            format!("{} in {} by {version} with {said}: {place} is executed {is} times, not 0", form.name, dialect.file)
        }));
    }
    found
}

fn check(dialect: &Dialect, forms: &[&[Form]], versions: &[&str]) {
    let all = versions.iter().flat_map(|version| forms.iter().copied().flatten().map(move |form| (version, form)));
    let found: Vec<String> = all.flat_map(|(version, form)| differences(form, dialect, version)).collect();
    assert!(found.is_empty(), "{}\n{} differences", found.join("\n"), found.len());
}

#[test]
fn each_form_of_opencl_is_what_is_assumed_of_its_line() {
    check(&opencl(), &[FORMS], &VERSIONS);
}

#[test]
fn each_form_of_cuda_is_what_is_assumed_of_its_line() {
    check(&cuda(Target::Nvidia(80)), &[FORMS, OF_CPP], &VERSIONS[1..]);
}

#[test]
fn each_form_of_hip_is_what_is_assumed_of_its_line() {
    check(&cuda(Target::Amd(Architecture::new("gfx906").unwrap())), &[FORMS, OF_CPP], &VERSIONS[..1]);
}

#[test]
#[ignore = "the other version of each: in CI, OpenCL has both, CUDA the new one and HIP the old one"]
fn each_form_of_cuda_and_hip_is_the_same_by_the_other_clang() {
    check(&cuda(Target::Nvidia(80)), &[FORMS, OF_CPP], &VERSIONS[..1]);
    check(&cuda(Target::Amd(Architecture::new("gfx906").unwrap())), &[FORMS, OF_CPP], &VERSIONS[1..]);
}
