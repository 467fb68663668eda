//! Every way in which a spec can be wrong: the message, the place, and the advice. The snapshots show them.

#[path = "shared/listed_space.rs"]
mod listed_space;

use std::fmt::Write as _;
use std::sync::LazyLock;

use autotune::gpu::find;
use autotune::space::Space;
use autotune::spec::{GpuNames, OuterSpace, Spec, SpecError};
use autotune::text::Source;
use autotune::user_error::UserError;
use listed_space::ListedSpace;

const GOOD: &str = "\
kernel: k
problem: { size: 1024 }
parameters:
  WG: { powers_of_two: { from: 2, to: size / 2 } }
  TS: { values: [2, 4] }
let:
  tiles: size / TS
constraints:
  - size % WG == 0
launch:
  work_items: size
  work_group: WG
body:
  - load: { array: a }
";

static GPU: LazyLock<GpuNames> = LazyLock::new(|| find("gtx580").expect("a shipped profile").profile.names(false));

/// The first error of a spec when it is read, its space is surveyed, and the `let`s of feasible configurations are
/// evaluated.
fn failure(text: &str) -> Option<SpecError> {
    let use_all = || -> Result<(), SpecError> {
        let spec = Spec::parse(text, "k.yaml")?;
        for configuration in ListedSpace::of(&spec, &Space::new(&spec, &GPU)?)?.feasible {
            spec.scope(&GPU, &configuration)?;
        }
        Ok(())
    };
    use_all().err()
}

/// The messages about specs in which one part of a good spec is replaced.
fn messages(part: &str, replacements: &[&str]) -> String {
    let found = GOOD.matches(part).count();
    assert_eq!(found, 1, "`{part}` is to be replaced, and is there once");
    let texts = replacements.iter().map(|by| GOOD.replace(part, by));
    texts.map(|text| message(&text)).collect()
}

fn message(text: &str) -> String {
    let error = failure(text).unwrap_or_else(|| panic!("this should be refused:\n{text}"));
    let mut shown = format!("error: {error}\n");
    if let Some(help) = error.help() {
        let _ = writeln!(shown, "help: {help}");
    }
    shown + "\n"
}

const LET: &str = "size / TS";
const CONSTRAINT: &str = "size % WG == 0";
const LOAD: &str = "load: { array: a }";

#[test]
fn the_good_spec_is_good() {
    assert!(failure(GOOD).is_none());
}

#[test]
fn names_that_are_not_known() {
    let mut shown = messages(LET, &["tail", "size / (TS + sise) * 4", "gpu.warps"]);
    shown += &messages(LET, &["size / later\n  later: 5", "tiles", "concurrent", "lx"]);
    shown += &messages("[2, 4]", &["[2, WG]", "[2, tiles]"]);
    let roles = ["roles: { tile: [tiles] }\nbody:", "roles: { tile: [TX] }\nbody:"];
    shown += &messages("body:", &roles);
    insta::assert_snapshot!(shown);
}

/// Ends that follow from a problem size may leave nothing between them: with another size they do not.
#[test]
fn ranges_without_a_value() {
    let empty = ["{ powers_of_two: { from: 65, to: 100 } }", "{ range: { from: 9, to: 8 } }"];
    insta::assert_snapshot!(messages("{ values: [2, 4] }", &empty));
    assert!(failure(&GOOD.replace("size: 1024", "size: 2")).is_none());
}

#[test]
fn names_in_quotes_and_over_lines() {
    let quoted = ["'size / (TS + sise)'", "\"size / (TS + sise)\""];
    let folded = [">-\n    size / (TS\n    + sise) * 4", "size / (TS\n    + sise) * 4"];
    insta::assert_snapshot!(messages(LET, &quoted) + &messages(LET, &folded));
}

#[test]
fn names_that_cannot_be_defined() {
    let long = format!("{}:", "x".repeat(65));
    let mut shown = messages("tiles:", &["WG:", "min:", "true:", "1a:", "gpu.x:", &long]);
    shown += &messages("kernel: k", &["kernel: a b", "kernel: '../k'"]);
    shown += &messages(LOAD, &["load: { array: 'a; rm' }"]);
    let counter = |name: &str| format!("loop: {{ count: 1, var: {name}, body: [] }}");
    shown += &messages(LOAD, &[&counter("a-b"), &counter("TS"), &counter("lx"), &counter("min")]);
    shown += &messages("work_group: WG", &["work_group: WG\n  var: tiles"]);
    shown += &messages(LOAD, &["loop: { count: 1, var: k, body: [ { load: { array: a, var: k } } ] }"]);
    insta::assert_snapshot!(shown);
}

#[test]
fn an_id_that_is_a_parameter_too_is_ambiguous_only_where_both_are_known() {
    let text = GOOD.replace(LET, "size / TS\n  lx: 3\n  concurrent: lx");
    assert!(failure(&text).is_none());
    let load = "load: { array: a, index: [lx, ly], shape: [8, 8] }";
    insta::assert_snapshot!(message(&text.replace(LOAD, load)));
}

#[test]
fn expressions() {
    let mut shown = messages(LET, &["(size", "size)", "size *", "size ^ 2", "'size ? 1'"]);
    shown += &messages(LET, &["log2(size, 2)", "min(size)", "ceildiv(size, 2)", "gcd(size, 2)"]);
    shown += &messages(LET, &["size > 1 or TS > 1", "size > 1 and TS > 1", "not (size > 1)", "not size"]);
    shown += &messages(LET, &["1.5", "1e3", "-01.0", "1_000", "size * 1.5"]);
    shown += &messages(LET, &["99999999999999999999", "size + 99999999999999999999"]);
    shown += &messages("size: 1024", &["size: 10.5", "size: 1 + 1"]);
    insta::assert_snapshot!(shown);
}

/// A mean may stand only in `per_item`, and there only if nothing needs an integer.
#[test]
fn fractions_have_their_places() {
    let mut shown = messages(LET, &["17.5", "'mean(size, 3)'", "size * 0.5"]);
    shown += &messages(CONSTRAINT, &["TS > 1.5", "'mean(WG, TS) > 1'"]);
    shown += &messages("work_items: size", &["work_items: 2.5", "work_items: ['mean(size, 2)', 1]"]);
    shown += &messages("work_group: WG", &["work_group: 0.5 * WG", "work_group: WG\n  times: 1.5"]);
    shown += &messages("body:", &["resources: { local_memory: 16.5 }\nbody:", "resources: { registers: 16.5 }\nbody:"]);
    let statements = [
        "loop: { count: 2.5, body: [] }",
        "load: { array: a, items: 'mean(WG, 2)' }",
        "store: { array: a, in_flight: 1.5 }",
        "compute: { items: 0.5 * WG }",
        "local: { bytes: 4.5 }",
        "load: { array: a, footprint: { group: 'mean(WG, 2)' } }",
        "load: { array: a, index: [1.5], shape: [8] }",
        "load: { array: a, per_item: 2.5, var: j, index: [j], shape: [8] }",
        "local: { per_item: 'mean(WG, TS)', var: j, index: [j], shape: [8] }",
        "compute: { per_item: 17.5 % 2 }",
        "compute: { per_item: 'mean(35, 2) % 2' }",
        "compute: { per_item: '1.5 > 1 ? 1 : 2' }",
        "compute: { per_item: '!0.5' }",
        "compute: { per_item: 'ceil_div(17.5, 2)' }",
        "compute: { per_item: 'log2(mean(TS, 1))' }",
        "compute: { per_item: 'min(1.5, TS) && TS' }",
        "compute: { per_item: 'mean(35)' }",
        "compute: { per_item: 1.0000000001 }",
        "compute: { per_item: 1e3 }",
        "compute: { per_item: 1. }",
        "compute: { per_item: .5 }",
        "compute: { per_item: '1.5.5' }",
    ];
    shown += &messages(LOAD, &statements);
    insta::assert_snapshot!(shown);
    for good in
        ["17.5", "4 * 0.25 + TS", "'mean(WG + 0.5, 2)'", "'TS == 2 ? 0.5 : mean(WG, TS)'", "-0.5 + TS", "0.123456789"]
    {
        assert!(failure(&GOOD.replace(LOAD, &format!("compute: {{ per_item: {good} }}"))).is_none(), "{good}");
    }
}

#[test]
fn what_varies_and_what_is_unused_is_known() {
    let store = |head: &str| GOOD.replace(LOAD, "store: { array: output }").replace("body:", &format!("{head}\nbody:"));
    let mut shown = String::new();
    for head in [
        "varies: [outptu]",
        "varies: [fp128]",
        "varies: [fp23]",
        "varies: [a]",
        "varies: output",
        "unused: [TX]",
        "unused: [tiles]",
    ] {
        shown += &message(&store(head));
    }
    insta::assert_snapshot!(shown);
    for head in ["varies: [output, fp32, any]", "unused: [TS]", "varies: []"] {
        assert!(failure(&store(head)).is_none(), "{head}");
    }
}

/// The messages of `diagnose` about a text.
fn diagnosed(text: &str) -> Vec<String> {
    Spec::diagnose(&Source::new("k.yaml", text), None)
        .err()
        .unwrap_or_default()
        .iter()
        .map(SpecError::to_string)
        .collect()
}

#[test]
fn whatever_is_wrong_with_a_spec_is_among_all_that_is() {
    assert_eq!(diagnosed(GOOD), [""; 0]);
    let wrong = [
        (LET, "size / (TS"),
        (LET, "tail"),
        (CONSTRAINT, "WG in 4"),
        ("constraints:", "constraint:"),
        ("constraints:", "nonsense:"),
        ("values:", "value:"),
        ("kernel: k\n", ""),
        ("kernel: k", "kernel: a b"),
        (LOAD, "load: { array: a, in_fligth: 4 }"),
        (LOAD, "load: { array: a, nonsense: { a: [1, 2], b: 3 }, per_item: 2 }"),
        (LOAD, "laod: { array: a }"),
        (LOAD, "local: { reads: tile, writes: tile }"),
        ("work_items: size", "work_items: [1, 2, 3, 4]"),
        ("work_group: WG", "work_group: WG\n  var: tiles"),
        ("body:", "varies: [b]\nbody:"),
    ];
    for (part, by) in wrong {
        let text = GOOD.replace(part, by);
        let first = failure(&text).unwrap_or_else(|| panic!("this should be refused:\n{text}")).to_string();
        assert!(diagnosed(&text).contains(&first), "{by}: {:?}\nlack\n{first}", diagnosed(&text));
        // A second mistake, above or below it, hides neither.
        for (other, mistake) in [("TS: {", "WG: { values: [sise] }\n  TS: {"), ("array: a", "array: a, per_item: sise")]
        {
            let both = text.replacen(other, mistake, 1);
            if both != text && part != "kernel: k\n" && diagnosed(&text).iter().all(|error| !error.contains("missing"))
            {
                assert!(
                    diagnosed(&both).iter().any(|error| error.contains("`sise`") || error.contains("appears twice")),
                    "{both}"
                );
            }
        }
    }
}

#[test]
fn expressions_are_bounded() {
    let parentheses = format!("{}1{}", "(".repeat(65), ")".repeat(65));
    let signs = format!("'{}1'", "-".repeat(900));
    let sum = format!("{}1", "1+".repeat(1_001));
    let million = format!("'{}'", "(".repeat(1_000_000));
    insta::assert_snapshot!(messages(LET, &[&parentheses, &signs, &sum, &million]));
    let text = GOOD.replace(LET, &format!("{}1{}", "(".repeat(63), ")".repeat(63)));
    assert!(failure(&text).is_none());
}

#[test]
fn values() {
    let mut shown = messages(CONSTRAINT, &["size % (WG - 2) == 0"]);
    shown += &messages(LET, &["1 + size / (TS - 4)", "pow2(size)", "pow2(TS - 3)"]);
    shown += &messages(LET, &["1 + log2(TS - 2)", "-TS * pow2(62)"]);
    shown += &messages("[2, 4]", &["[2, 4, 1 + 1]"]);
    let range = |ends: &str| format!("{{ range: {{ {ends} }} }}");
    let ranges = [range("from: 0, to: 10, step: 0"), range("from: 0, to: 1000000000000")];
    shown += &messages("{ values: [2, 4] }", &ranges.each_ref().map(String::as_str));
    insta::assert_snapshot!(shown);
}

#[test]
fn distributions_of_iterations() {
    let many: Vec<String> = (0..1001).map(|count| format!("{count}: 0.000999")).collect();
    let counts = [
        "{ 10: 0.75, 14: 0.2 }",
        "{}",
        "{ 10: 0.75, 10: 0.25 }",
        "{ -1: 1 }",
        "{ size: 1 }",
        "{ 99999999999999999999: 1 }",
        "{ 10: 1.5, 14: -0.5 }",
        "{ 10: 1, 14: 0 }",
        "{ 10: 7.5e-1, 14: 0.25 }",
        "{ 10: 0.1234567890, 14: 0.25 }",
        "{ 10: [1] }",
        "10:0.75,14",
        "'10:0.75, x:0.25'",
        "':1'",
        "'10:0.75,10:0.25'",
        &format!("{{ {} }}", many.join(", ")),
    ];
    let statements = counts.map(|count| format!("loop: {{ body: [], count: {count} }}"));
    insta::assert_snapshot!(messages(LOAD, &statements.each_ref().map(String::as_str)));
}

#[test]
fn keys() {
    let mut shown = messages("constraints:", &["constraint:"]);
    shown += &messages("load:", &["laod:"]);
    shown += &messages("values:", &["value:"]);
    shown += &messages(LOAD, &["compute: { kind: fp23 }", "local: { ways: 2 }"]);
    shown += &messages(LOAD, &["load: { per_item: 1 }", "loop: { count: 2 }"]);
    shown += &messages("kernel: k\n", &["kernel: k\nkernel: c\n", ""]);
    shown += &messages("TS: {", &["WG: {"]);
    shown += &messages(LOAD, &["load: { array: a }\n    store: { array: b }"]);
    shown += &messages(LOAD, &["load: { array: a, in_flight: 2, round_trips: 3 }"]);
    shown += &messages(LOAD, &["load: { array: a, atomic: true, index: [0], shape: [1] }"]);
    shown += &messages(LOAD, &["store: { array: a, stride: 0, atomic: true }"]);
    shown += &messages(LOAD, &["local: { stride: 2, conflict: 3 }"]);
    shown += &messages(LOAD, &["local: { stride: 2, index: [lx, ly], shape: [2, 2] }"]);
    shown += &messages(LOAD, &["local: { index: [lx, ly] }", "local: { shape: [2, 2] }"]);
    shown += &messages(LOAD, &["local: { reads: tile, writes: tile }"]);
    insta::assert_snapshot!(shown);
}

#[test]
fn queues_and_matrix_instructions() {
    let copy = |keys: &str| format!("copy: {{ array: a, to: t, {keys} }}");
    let matrix = |keys: &str| format!("matrix: {{ shape: [16, 8, 16], type: fp16, {keys} }}");
    let of_queues = ["a", "b", "c", "d", "e", "f", "g", "h"]
        .map(|queue| format!("load: {{ array: a, queue: {queue} }}\n  - "))
        .concat();
    let shown = messages(
        LOAD,
        &[
            "wait: { queue: tiles }",
            &format!("{}\n  - wait: {{ queue: tile }}", copy("queue: tiles")),
            "wait: { pending: 1 }",
            "copy: { array: a, queue: q }",
            "copy: { array: a, to: t }",
            &copy("queue: q, ordered: true"),
            &copy("queue: q, round_trips: 1"),
            &copy("queue: 2q"),
            "load: { array: a, to: t }",
            "store: { array: a, queue: q }",
            "store: { array: a, conflict: 2 }",
            "compute: { queue: q }",
            "matrix: { type: fp16 }",
            "matrix: { shape: [16, 8, 16] }",
            "matrix: { shape: 16, type: fp16 }",
            "matrix: { shape: [16, 8], type: fp16 }",
            "matrix: { shape: [16, 8, 16], type: fp4 }",
            &matrix("per_item: 1"),
            &matrix("per_warp: WGS"),
            &format!("{of_queues}barrier"),
        ],
    );
    insta::assert_snapshot!(shown);
    for good in [&copy("queue: q"), &matrix("queue: q"), "load: { array: a, queue: q }", "local: { queue: q }"] {
        let waits = format!("{good}\n  - wait: {{ queue: q, pending: TS - 2 }}");
        assert!(failure(&GOOD.replace(LOAD, &waits)).is_none(), "{good}");
    }
}

#[test]
fn what_is_given_of_a_launch() {
    let mut shown = messages("work_group: WG", &["work_group: WG\n  shared: 4 * WG"]);
    let sourced = GOOD.replace("body:\n  - load: { array: a }\n", "source: { file: k.cl, arguments: { n: VALUE } }\n");
    for value in ["1e999", ".nan", "[1]", "{ local: 5 }", "local", "local 4 *", "nonsense"] {
        shown += &message(&sourced.replace("VALUE", value));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn words_of_a_stranger_are_shown_harmlessly() {
    let long = format!("'{}': 1", "x".repeat(1_000));
    let mut shown = messages("constraints:", &["\"\\e[31m\\n\": []\nconstraints:"]);
    shown += &messages(LOAD, &["\"\\e[2J\"", &format!("{{ {long} }}")]);
    assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{shown:?}");
    insta::assert_snapshot!(shown);
}

#[test]
fn shapes() {
    let mut shown = messages(LET, &["", "[1]"]);
    shown += &messages("array: a", &["array: a, per_item: "]);
    shown += &messages("work_items: size", &["work_items: [1, 2, 3, 4]", "work_items: []"]);
    shown += &messages(LOAD, &["local: { index: [lx], shape: [2, 2] }", "local: { index: [1, 2, 3, 4], shape: [2] }"]);
    shown += &messages(LOAD, &["barrier: 5", "barrier: warp", "barrier: { cost: 1 }", "load", "[load]", "{}"]);
    shown += &messages("body:", &["resources: { dynamic: maybe }\nbody:"]);
    shown += &messages("body:\n  - load: { array: a }", &["body: load"]);
    shown += &messages("{ values: [2, 4] }", &["[2, 4]"]);
    shown += &message("");
    shown += &message("- a");
    shown += &message(&format!("{GOOD}---\nkernel: c\n"));
    insta::assert_snapshot!(shown);
}

#[test]
fn what_yaml_makes_of_an_expression() {
    let mut shown = messages(LET, &["TS > 2 ? size : 1"]);
    let begins = ["!TS && WG", "!TS", "! TS", "*TS", "&TS + 1", "&&TS", "% TS"];
    shown += &messages(CONSTRAINT, &["TS > 2 ? size : 1"]);
    shown += &messages(CONSTRAINT, &begins);
    shown += &messages(LOAD, &["load: { array: a, per_item: TS > 2 ? 4 : 1 }"]);
    shown += &messages(LOAD, &["load: { array: a, stride: [min(WG, TS), 1] }"]);
    shown += &messages(LOAD, &["load: { array: a, per_item: min(WG, TS) }"]);
    shown += &messages("let:\n  tiles: size / TS", &["let: { tiles: min(size, TS) }"]);
    insta::assert_snapshot!(shown);
}

/// `depth` nested loops, with a `load` in the innermost.
fn nested(depth: usize) -> String {
    let begin = &GOOD[..GOOD.find("  - load").expect("it loads")];
    let level = |level: usize| {
        let indent = "    ".repeat(level);
        format!("{indent}  - loop:\n{indent}      count: 2\n{indent}      body:\n")
    };
    let loops: String = (0..depth).map(level).collect();
    let statement = "- load: { array: a, stride: [1, 2], footprint: { group: 4 } }";
    format!("{begin}{loops}{}  {statement}\n", "    ".repeat(depth))
}

#[test]
fn bodies_are_bounded() {
    assert!(failure(&nested(64)).is_none());
    let flow = " [loop: {count: 1, body:".repeat(10_000);
    let mut shown = message(&nested(65)) + &message(&nested(300));
    shown += &messages("\n  - load: { array: a }", &[&flow]);
    shown += &messages("  - load: { array: a }\n", &[&"  - barrier\n".repeat(10_001)]);
    insta::assert_snapshot!(shown);
}

#[test]
fn sizes_are_bounded() {
    let aliases = |level: usize| vec![format!("*x{}", level - 1); 10].join(", ");
    let tens = |level: usize| format!("  x{level}: &x{level} [{}]\n", aliases(level));
    let levels: String = (1..9).map(tens).collect();
    let bomb = format!("kernel: k\nlet:\n  x0: &x0 [{}1]\n{levels}", "1, ".repeat(9));
    let mut shown = message(&bomb);
    shown += &message(&format!("{GOOD}#{}", "x".repeat((1 << 20) - GOOD.len())));
    let parameters = |count: usize, domain: &str| -> String {
        let parameter = |number: usize| format!("  p{number}: {{ {domain} }}\n");
        (0..count).map(parameter).collect::<String>() + "let:"
    };
    shown += &messages("let:", &[&parameters(63, "values: [1]")]);
    shown += &messages("let:", &[&parameters(25, "range: { from: 1, to: 40000 }")]);
    shown += &messages(CONSTRAINT, &[&format!("{}true", "true\n  - ".repeat(1_000))]);
    insta::assert_snapshot!(shown);
}

#[test]
fn files_that_are_none_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.yaml");
    let error = Spec::load(&path).unwrap_err().to_string();
    assert!(error.contains("none.yaml"), "{error}");
    std::fs::write(&path, b"kernel: \xff").unwrap();
    let error = Spec::load(&path).unwrap_err().to_string();
    assert!(error.ends_with("none.yaml` is not UTF-8: the byte at offset 8 is invalid"), "{error}");
    std::fs::write(&path, GOOD).unwrap();
    assert_eq!(Spec::load(&path).unwrap().kernel, "k");
}

#[test]
fn questions_about_a_spec() {
    let mut spec = Spec::parse(GOOD, "k.yaml").unwrap();
    let mut shown = String::new();
    let mut say = |error: SpecError| {
        let _ = writeln!(shown, "error: {error}\nhelp: {}\n", error.help().unwrap_or_default());
    };
    say(spec.set("siz", 4).unwrap_err());
    say(spec.set("TS", 4).unwrap_err());
    spec.set("size", 64).unwrap();
    let space = Space::new(&spec, &GPU).unwrap();
    assert_eq!(space.configuration(" TS = 4, WG=32").unwrap().0, [32, 4]);
    for text in ["WG=64,TS=4", "WG=20,TS=4", "WG=2", "WG", "WG=x", ""] {
        say(space.configuration(text).unwrap_err());
    }
    for text in ["WG=2,TS=2,WG=2", "WG=2,size=2", "wg=2"] {
        say(space.configuration(text).unwrap_err());
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn conditions_in_python() {
    let restriction = |text: &str| format!("  - size % WG == 0\nrestrictions:\n  - '{text}'");
    let conditions = [
        "WG & TS == 2",
        "WG and",
        "WG not TS",
        "1 < WG <",
        "WG in 4",
        "WG in [1, 2",
        "WG if TS",
        "lambda p: p",
        "len(WG) > 1",
        "__import__(\"os\")",
        "abs(WG, TS)",
        "WG is TS",
        "WG // (TS - 2) == 0",
        "WG / 3 == 1",
        "2 ** -WG",
        "wg > 1",
        "0.5 * WG",
    ];
    let replacements = conditions.map(restriction);
    let mut shown = messages("  - size % WG == 0", &replacements.each_ref().map(String::as_str));
    // Each operand of a chain is compared twice, and each of these is a chain.
    let doubled = format!("{}1{}", "(1 < ".repeat(30), " < 2)".repeat(30));
    shown += &messages("  - size % WG == 0", &[&restriction(&doubled)]);
    shown += &messages("  work_group: WG\n", &[""]);
    shown += &messages("let:", &["tune_params: { WG: [1] }\nlet:", "tune_params: { V: 8 }\nlet:"]);
    insta::assert_snapshot!(shown);
}

#[test]
fn files_of_other_spaces() {
    let file = |name: &str, kind: &str, values: &str, condition: &str| {
        format!(
            "{{\"ConfigurationSpace\": {{\n\"TuningParameters\": [ {{ \"Name\": \"{name}\", \"Type\": \"{kind}\", \"Values\": \"{values}\" }} ],\n\
             \"Conditions\": [ {{ \"Parameters\": [], \"Expression\": \"{condition}\" }} ] }} }}"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.yaml");
    std::fs::write(&path, GOOD).unwrap();
    let refused = |text: &str| {
        let read = OuterSpace::parse(text, "t1.json");
        let spec = read.and_then(|space| Spec::load_with(&path, Some(&space)));
        let error = spec.and_then(|spec| ListedSpace::of(&spec, &Space::new(&spec, &GPU)?).map(drop)).expect_err(text);
        format!("error: {error}\nhelp: {}\n\n", error.help().unwrap_or_default())
    };
    assert!(OuterSpace::parse(&file("V", "int", "[1]", "V > 0"), "t1.json").is_ok());
    let mut shown = String::new();
    for values in
        ["[1, 2", "[2**i for i in range(3", "[2**i for j in range(3)]", "range(1, 5, 0)", "[1] * 2", "[1 / 2]"]
    {
        shown += &refused(&file("V", "int", values, "V > 0"));
    }
    shown += &refused(&file("TS", "int", "[1, 1]", "TS > 0"));
    for values in ["list(range(10 ** 12))", "[x for x in open(1)]", "[i + j for i in [1] for j in [2]]", "'a'", "[1.5]"]
    {
        shown += &refused(&file("V", "int", values, "V > 0"));
    }
    shown += &refused(&file("V", "string", "['a']", "V > 0"));
    shown += &refused(&file("size", "int", "[1]", "true"));
    shown += &refused(&file("min", "int", "[1]", "True"));
    shown += &refused(&file("V", "int", "[1]", "V > tile"));
    shown += &refused(&file("V", "int", "[1]", "TS / (V - 1) > 1"));
    shown += &refused("{\"ConfigurationSpace\": {}}");
    shown += &refused("[]");
    insta::assert_snapshot!(shown);
}
