//! Conditions read from Python and written for it, compared with Python itself.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::process::Command;
use std::sync::LazyLock;

use autotune::gpu::find;
use autotune::space::{Space, Visit};
use autotune::spec::{GpuNames, Python, Spec};

static GPU: LazyLock<GpuNames> = LazyLock::new(|| find("gtx480").unwrap().profile.names(false));

/// Two parameters of either sign, one that is positive, a `let` of them, and a constraint that keeps divisors from 0.
fn spec(constraints: &str) -> Spec {
    let text = format!(
        "
kernel: k
problem: {{ size: 24, odd: -7 }}
parameters:
  a: {{ range: {{ from: -7, to: 7 }} }}
  b: {{ range: {{ from: -4, to: 4 }} }}
  p: {{ values: [1, 3, 8] }}
let: {{ both: a + b, half: size / 2 }}
{constraints}
launch: {{ work_items: 1, work_group: 1 }}
body: [barrier]
"
    );
    Spec::parse(&text, "k.yaml").unwrap_or_else(|error| panic!("{error}"))
}

/// Conditions in a spec's notation. None has a divisor of 0 if `b != 0`.
const OF_A_SPEC: [&str; 37] = [
    "a / b > 0",
    "a % b != 0",
    "a / p == -1",
    "a % p == -2",
    "size % p == 0",
    "size / (p * 2) % 3",
    "odd / b == 3",
    "(a * 5) % (b * b) < 0",
    "a - (b - p) > 0",
    "a - b - p > 0",
    "a * (b + p) == 8",
    "-a < b",
    "-(a + b) * 2 >= p",
    "!(a < b)",
    "!a == b",
    "!(a == b)",
    "(a < b) == (b < p)",
    "(a < b) < p",
    "a < b || b < p && a > 0",
    "(a < b || b < p) && a > 0",
    "(a || b) + p == 2",
    "(a && p) * 5 == 5",
    "(a > 0 ? b : p) > 1",
    "a > 0 ? b > 1 : p > 1",
    "(a ? a : b) ? p > 1 : p > 3",
    "min(a, b, p) == -2",
    "max(a, b) * 2 == p",
    "ceil_div(a, b) == -1",
    "ceil_div(a * 3, p) == 2",
    "ceil_div(size, p) % 2 == 0",
    "floor_div(a, b) == -2",
    "floor_div(-a * 3, p) % 2 == -1",
    "-floor_div(size - a, 2 * b) > 2",
    "log2(p) == 1 || log2(size) == p",
    "pow2(p) + a > 250",
    "both / b == 2 || both % p == 1",
    "gpu.amd ? a > 0 : half / p == 4",
];

/// Conditions in Python's notation.
const OF_PYTHON: [&str; 30] = [
    "a // b > 0",
    "a % b != 0",
    "a // p == -1",
    "a % p == 2",
    "size % p == 0",
    "-a // b == 1",
    "-a ** 2 == -9",
    "2 ** p > 7 + a",
    "2 ** -(-p) == 8",
    "-3 <= a < b <= 2",
    "a < b > p - 5 != a",
    "1 < p < 8 or a == 0",
    "not a == b",
    "not (a and b)",
    "not a or b",
    "a and b",
    "a or b and p > 1",
    "a if b else p > 1",
    "(a if b > 0 else b) > 1",
    "a in [1, 2, -3]",
    "a not in (1, b, p)",
    "a in [b] and p in [1, 3]",
    "not a in [1, 2]",
    "abs(a) == abs(b)",
    "min(a, b, p) == -2",
    "max(a, +b) * 2 == p",
    "(6 * a) / 3 == 2 * b",
    "True and a > 0",
    "a - b - p > 0 and a - (b - p) > 0",
    "(a\n   > b)",
];

/// The configurations that a condition allows, in the space's order, by the spec; and the condition for Python.
fn natively(spec: &Spec) -> (Vec<Vec<i64>>, String) {
    let space = Space::new(spec, &GPU).unwrap();
    let mut allowed = Vec::new();
    let walked = space.visit(&mut |visit| {
        if let Visit::Feasible(values) = visit {
            allowed.push(values.to_vec());
        }
        ControlFlow::Continue(())
    });
    walked.unwrap_or_else(|error| panic!("{error}"));
    (allowed, Python::new(spec, &GPU, space.domains()).condition(&spec.constraints[1]).unwrap())
}

/// The configurations that conditions allow, by Python.
fn by_python(conditions: &[String]) -> Vec<Vec<Vec<i64>>> {
    let mut program = "import json\nsize, odd = 24, -7\n".to_owned();
    let space = "for a in range(-7, 8) for b in range(-4, 5) for p in (1, 3, 8) if b != 0";
    for condition in conditions {
        writeln!(program, "print(json.dumps([[a, b, p] {space} if ({condition})]))").unwrap();
    }
    let output = Command::new("python3").args(["-c", &program]).output().unwrap();
    assert!(output.status.success(), "{}\n{program}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn what_is_written_for_python_means_the_same_there() {
    let specs = OF_A_SPEC.map(|condition| spec(&format!("constraints: [ b != 0, '{condition}' ]")));
    let (allowed, written): (Vec<_>, Vec<_>) = specs.iter().map(natively).unzip();
    for ((condition, allowed), expected) in written.iter().zip(allowed).zip(by_python(&written)) {
        assert_eq!(allowed, expected, "{condition}");
    }
}

#[test]
fn what_is_written_for_python_needs_no_guard_against_zero() {
    let conditions = ["a / b > 0", "a % b != 0", "ceil_div(a, b) == -1", "floor_div(a, b) == -1", "5 / b == 5"];
    let written = conditions.map(|condition| natively(&spec(&format!("constraints: [ b != 0, '{condition}' ]"))).1);
    let program =
        written.map(|condition| format!("[{condition} for a in range(-7, 8) for b in range(-4, 5)]\n")).concat();
    let output = Command::new("python3").args(["-c", &program]).output().unwrap();
    assert!(output.status.success(), "{}\n{program}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_is_read_from_python_means_the_same_here() {
    let specs = OF_PYTHON.map(|condition| {
        let quoted = serde_json::to_string(condition).unwrap();
        spec(&format!("restrictions: [ 'b != 0', {quoted} ]"))
    });
    let (allowed, written): (Vec<_>, Vec<_>) = specs.iter().map(natively).unzip();
    let expected = by_python(&OF_PYTHON.map(str::to_owned));
    for ((condition, allowed), expected) in OF_PYTHON.iter().zip(&allowed).zip(&expected) {
        assert_eq!(allowed, expected, "{condition}");
    }
    assert_eq!(by_python(&written), expected, "written again: {written:?}");
}
