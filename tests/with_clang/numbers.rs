//! Known numbers: the addresses of random expressions over ids, lane by lane, beside their values by the definitions of
//! OpenCL, CUDA and HIP.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_lossless,
    clippy::float_cmp,
    clippy::too_many_lines,
    reason = "small integers, and tables of functions"
)]

use std::fmt::Write;

use autotune::limits::Limits;
use autotune::source::{
    AccessKind, Architecture, Assumptions, IrText, Macros, Maker, SourceKernel, SourceLaunch, Step, Target,
};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::{VERSIONS, Written, clang};

/// The work items of the group, and its id.
const ITEMS: u32 = 64;
const GROUP: u64 = 5;
/// The kernels of a file, and the expressions of each.
const KERNELS: usize = 40;
const EXPRESSIONS: usize = 10;
/// The table of each file.
const TABLE: [i64; 8] = [3, 1, 4, 1, 5, 9, 2, 600];

/// A language of kernels.
#[derive(Clone, Copy, PartialEq)]
enum Dialect {
    OpenCl,
    Cuda,
}

/// An expression of a type of 32 bits, and its value in each work item.
#[derive(Clone)]
struct Expression {
    text: String,
    signed: bool,
    values: Vec<i128>,
}

impl Expression {
    fn new(text: String, signed: bool, values: impl IntoIterator<Item = i128>) -> Self {
        let word = |value: i128| value.rem_euclid(1 << 32);
        let own = |value: i128| if signed && word(value) >= 1 << 31 { word(value) - (1 << 32) } else { word(value) };
        Self { text, signed, values: values.into_iter().map(own).collect() }
    }

    fn as_type(&self, signed: bool) -> Self {
        let name = if signed { "int" } else { "unsigned int" };
        Self::new(format!("({name})({})", self.text), signed, self.values.clone())
    }

    /// The low bits of the value, which are an integer with a sign that is not negative.
    fn low(&self, mask: i128) -> Self {
        let values = self.values.iter().map(|value| value.rem_euclid(1 << 32) & mask);
        Self::new(format!("(int)((unsigned int)({}) & {mask}u)", self.text), true, values)
    }
}

fn one(form: &str, signed: bool, from: &Expression, of: impl Fn(i128) -> i128) -> Expression {
    Expression::new(form.replace("%1", &from.text), signed, from.values.iter().map(|value| of(*value)))
}

/// A function of several expressions; `%1` to `%3` are its arguments.
fn many(form: &str, signed: bool, all: &[Expression], of: impl Fn(&[i128]) -> i128) -> Expression {
    let mut text = form.to_owned();
    for (at, each) in all.iter().enumerate() {
        text = text.replace(&format!("%{}", at + 1), &each.text);
    }
    let values = (0..all[0].values.len()).map(|lane| of(&all.iter().map(|each| each.values[lane]).collect::<Vec<_>>()));
    Expression::new(text, signed, values)
}

fn word(value: i128) -> u32 {
    u32::try_from(value.rem_euclid(1 << 32)).unwrap()
}

fn within(value: i128, signed: bool) -> i128 {
    if signed { value.clamp(-(1 << 31), (1 << 31) - 1) } else { value.clamp(0, (1 << 32) - 1) }
}

fn truth(is: bool) -> i128 {
    i128::from(is)
}

/// A random expression of at most that depth.
fn expression(random: &mut StdRng, dialect: Dialect, depth: usize) -> Expression {
    if depth == 0 {
        return leaf(random, dialect);
    }
    let mut inner = || expression(random, dialect, depth - 1);
    let (first, second, third) = (inner(), inner(), inner());
    let choice = random.random_range(0..10);
    match choice {
        0..=2 => plain(random, &first, &second, &third),
        3 => by_float(random, dialect, &first, &second),
        4 => Expression {
            text: format!("table[{}]", first.low(7).text),
            signed: true,
            values: first.low(7).values.iter().map(|at| TABLE[usize::try_from(*at).unwrap()].into()).collect(),
        },
        _ if dialect == Dialect::OpenCl => opencl(random, &first, &second, &third),
        _ => cuda(random, &first, &second, &third),
    }
}

fn leaf(random: &mut StdRng, dialect: Dialect) -> Expression {
    let items = || (0..i128::from(ITEMS)).collect::<Vec<_>>();
    match random.random_range(0..5) {
        0 | 1 => Expression::new("l".to_owned(), true, items()),
        2 => {
            let by: i128 = random.random_range(1..1_000_000_007);
            Expression::new(format!("((unsigned int)l * {by}u)"), false, items().into_iter().map(|item| item * by))
        }
        3 => Expression::new("g".to_owned(), true, vec![GROUP.into(); ITEMS as usize]),
        _ => {
            let number: i128 = random.random_range(-40..5000);
            let text = if dialect == Dialect::OpenCl { format!("((int){number})") } else { format!("int({number})") };
            Expression::new(text, true, vec![number; ITEMS as usize])
        }
    }
}

/// What both languages have.
fn plain(random: &mut StdRng, first: &Expression, second: &Expression, third: &Expression) -> Expression {
    let two = [first.as_type(false), second.as_type(false)];
    let signed = random.random_bool(0.5);
    let typed = [first.as_type(signed), second.as_type(signed)];
    let below = Expression::new(format!("({})", first.text), first.signed, first.values.clone()).low(31);
    match random.random_range(0..11) {
        0 => many("(%1 + %2)", false, &two, |of| of[0] + of[1]),
        1 => many("(%1 - %2)", false, &two, |of| of[0] - of[1]),
        2 => many("(%1 * %2)", false, &two, |of| of[0] * of[1]),
        3 => many("(%1 ^ %2)", false, &two, |of| of[0] ^ of[1]),
        4 => many("(%1 >> %2)", signed, &[second.as_type(signed), below], |of| of[0] >> of[1]),
        5 => many("(%1 << %2)", false, &[second.as_type(false), below], |of| of[0] << of[1]),
        6 => many("(%1 / (%2 | 1u))", false, &two, |of| of[0] / (of[1] | 1)),
        7 => many("(%1 % (%2 | 1u))", false, &two, |of| of[0] % (of[1] | 1)),
        8 => many("(%1 < %2 ? %3 : 77)", true, &[typed[0].clone(), typed[1].clone(), third.as_type(true)], |of| {
            if of[0] < of[1] { of[2] } else { 77 }
        }),
        9 => many("(%1 > %2 ? %1 - %2 : 0u)", false, &two, |of| (of[0] - of[1]).max(0)),
        _ => many("(int)(%1 == %2)", true, &two, |of| truth(of[0] == of[1])),
    }
}

/// Integers by way of floating-point numbers that hold them exactly.
fn by_float(random: &mut StdRng, dialect: Dialect, first: &Expression, second: &Expression) -> Expression {
    let (from, other) = (first.low(4095), second.low(255));
    let (factor, moved) = ([0.25, 0.5, 0.75, 1.5, 0.125][random.random_range(0..5)], random.random_range(-60..60));
    let is_double = random.random_bool(0.3);
    let suffix = if is_double { "" } else { "f" };
    let name = if is_double { "double" } else { "float" };
    let number = |value: i128| value as f64 * factor + f64::from(moved);
    let text = format!("((({name})({}) * {factor}{suffix}) + {moved}.0{suffix})", from.text);
    let is_opencl = dialect == Dialect::OpenCl;
    let function = |name: &str| if is_opencl || is_double { name.to_owned() } else { format!("{name}f") };
    let rounded = |choice: usize, of: fn(f64) -> f64| -> Expression {
        let form = match choice {
            0 => format!("(int){text}"),
            1 => format!("(int){}({text})", function("floor")),
            2 => format!("(int){}({text})", function("ceil")),
            3 => format!("(int){}({text})", function("trunc")),
            4 => format!("(int){}({text})", function("round")),
            5 => format!("(int){}({text})", function("rint")),
            6 if is_opencl => format!("convert_int_rte({text})"),
            6 => format!("__{name}2int_rn({text})"),
            7 if is_opencl => format!("convert_int_rtp({text})"),
            7 => format!("__{name}2int_ru({text})"),
            8 if is_opencl => format!("convert_int_rtn({text})"),
            _ => format!("__{name}2int_rd({text})"),
        };
        Expression::new(form, true, from.values.iter().map(|value| of(number(*value)) as i128))
    };
    let choice = random.random_range(0..13);
    match choice {
        0 | 3 => rounded(choice, f64::trunc),
        1 | 8 => rounded(choice, f64::floor),
        2 | 7 => rounded(choice, f64::ceil),
        4 => rounded(choice, |value| (value.abs() + 0.5).floor().copysign(value)),
        5 | 6 => rounded(choice, |value| {
            let (floor, part) = (value.floor(), value - value.floor());
            let up = part > 0.5 || part == 0.5 && floor.rem_euclid(2.0) == 1.0;
            if up { floor + 1.0 } else { floor }
        }),
        9 => many(&format!("({text} < ({name})(%1) ? 3 : 9)"), true, &[other, from.clone()], |of| {
            if number(of[1]) < of[0] as f64 { 3 } else { 9 }
        }),
        10 if is_opencl => many(&format!("isgreater({text}, ({name})(%1))"), true, &[other, from.clone()], |of| {
            truth(number(of[1]) > of[0] as f64)
        }),
        11 if is_opencl => many(&format!("isnotequal({text}, ({name})(%1))"), true, &[other, from.clone()], |of| {
            truth((number(of[1]) - of[0] as f64).abs() > 0.0)
        }),
        _ => {
            let (least, absolute) = (function("fmin"), function("fabs"));
            let form = format!("(int){least}({absolute}({text}), ({name})(%1))");
            many(&form, true, &[other, from.clone()], |of| number(of[1]).abs().min(of[0] as f64) as i128)
        }
    }
}

fn opencl(random: &mut StdRng, first: &Expression, second: &Expression, third: &Expression) -> Expression {
    let signed = random.random_bool(0.5);
    let all = [first.as_type(signed), second.as_type(signed), third.as_type(signed)];
    let [a, ..] = &all;
    let two = &all[..2];
    let name = |name: &str| format!("{name}(%1, %2)");
    match random.random_range(0..26) {
        0 => {
            let (low, high) = (random.random_range(0..100), random.random_range(100..5000));
            let suffix = if signed { "" } else { "u" };
            one(&format!("clamp(%1, {low}{suffix}, {high}{suffix})"), signed, a, |of| of.clamp(low, high))
        }
        1 => one("popcount(%1)", signed, a, |of| word(of).count_ones().into()),
        2 => one("clz(%1)", signed, a, |of| word(of).leading_zeros().into()),
        3 => one("abs(%1)", false, a, i128::abs),
        4 => many("abs_diff(%1, %2)", false, two, |of| (of[0] - of[1]).abs()),
        5 => many(&name("hadd"), signed, two, |of| (of[0] + of[1]).div_euclid(2)),
        6 => many(&name("rhadd"), signed, two, |of| (of[0] + of[1] + 1).div_euclid(2)),
        7 => many(&name("mul_hi"), signed, two, |of| (of[0] * of[1]).div_euclid(1 << 32)),
        8 => many("mad_hi(%1, %2, %3)", signed, &all, |of| (of[0] * of[1]).div_euclid(1 << 32) + of[2]),
        9 => {
            let small = [first.low(0xfffff), second.low(0x7ff)];
            many("mul24(%1, %2)", true, &small, |of| of[0] * of[1])
        }
        10 => {
            let small = [first.low(0xfffff), second.low(0x7ff), third.low(0xfff)];
            many("mad24(%1, %2, %3)", true, &small, |of| of[0] * of[1] + of[2])
        }
        11 => many("bitselect(%1, %2, %3)", signed, &all, |of| {
            let [a, b, c] = [of[0], of[1], of[2]].map(word);
            ((0..32).map(|bit| if c >> bit & 1 == 1 { b & 1 << bit } else { a & 1 << bit }).sum::<u32>()).into()
        }),
        12 => many(&name("rotate"), signed, two, |of| word(of[0]).rotate_left(word(of[1]) % 32).into()),
        13 => many("select(%1, %2, %3)", signed, &all, |of| if of[2] == 0 { of[0] } else { of[1] }),
        14 => many(&name("min"), signed, two, |of| of[0].min(of[1])),
        15 => many(&name("max"), signed, two, |of| of[0].max(of[1])),
        16 => many(&name("add_sat"), signed, two, |of| within(of[0] + of[1], signed)),
        17 => many(&name("sub_sat"), signed, two, |of| within(of[0] - of[1], signed)),
        18 => many("mad_sat(%1, %2, %3)", signed, &all, |of| within(of[0] * of[1] + of[2], signed)),
        19 => {
            let parts = [first.low(0x7fff), second.low(0xffff)];
            many("upsample((short)(%1), (ushort)(%2))", true, &parts, |of| of[0] * 65536 + of[1])
        }
        20 => one("any(%1)", true, &first.as_type(true), |of| truth(of < 0)),
        21 => one("convert_uchar_sat(%1)", true, a, |of| of.clamp(0, 255)),
        22 => one("convert_char_sat(%1)", true, a, |of| of.clamp(-128, 127)),
        23 => many("min((int4)(%1), (int4)(%2)).z", true, &[first.as_type(true), second.as_type(true)], |of| {
            of[0].min(of[1])
        }),
        24 => many(
            "rotate((uint2)(%1, %2), (uint2)(3, 5)).y",
            false,
            &[first.as_type(false), second.as_type(false)],
            |of| word(of[1]).rotate_left(5).into(),
        ),
        _ => {
            let form = "(isless((float2)(%1, 2.0f), (float2)(%2, 1.0f)).x & 6)";
            many(form, true, &[first.low(255), second.low(255)], |of| if of[0] < of[1] { 6 } else { 0 })
        }
    }
}

fn cuda(random: &mut StdRng, first: &Expression, second: &Expression, third: &Expression) -> Expression {
    let [a, b, c] = [first, second, third].map(|each| each.as_type(true));
    let [ua, ub, uc] = [first, second, third].map(|each| each.as_type(false));
    let signed = [a.clone(), b.clone()];
    let unsigned = [ua.clone(), ub.clone()];
    let three = [ua.clone(), ub.clone(), uc];
    match random.random_range(0..21) {
        0 => many("__popc(%1)", true, &[ua], |of| word(of[0]).count_ones().into()),
        1 => many("__clz(%1)", true, &[a], |of| word(of[0]).leading_zeros().into()),
        2 => many("__ffs(%1)", true, &[a], |of| (0..32).find(|bit| of[0] >> bit & 1 == 1).map_or(0, |bit| bit + 1)),
        3 => many("__brev(%1)", false, &[ua], |of| {
            (0..32).filter(|bit| of[0] >> bit & 1 == 1).map(|bit| 1 << (31 - bit)).sum()
        }),
        4 => many("__umulhi(%1, %2)", false, &unsigned, |of| (of[0] * of[1]) >> 32),
        5 => many("__mulhi(%1, %2)", true, &signed, |of| (of[0] * of[1]) >> 32),
        6 => many("__sad(%1, %2, %3)", false, &[a.low(0xffff), b.low(0xffff), c.as_type(false)], |of| {
            (of[0] - of[1]).abs() + of[2]
        }),
        7 => many("__usad(%1, %2, %3)", false, &three, |of| (of[0] - of[1]).abs() + of[2]),
        8 => many("__byte_perm(%1, %2, %3)", false, &three, |of| {
            let bytes = of[0] + (of[1] << 32);
            let chosen = |at: i128| {
                let selector = of[2] >> (4 * at) & 15;
                let byte = bytes >> (8 * (selector & 7)) & 255;
                if selector < 8 {
                    byte
                } else if byte > 127 {
                    255
                } else {
                    0
                }
            };
            (0..4).map(|at| chosen(at) << (8 * at)).sum()
        }),
        9 => many("min(%1, %2)", true, &signed, |of| of[0].min(of[1])),
        10 => many("max(%1, %2)", false, &unsigned, |of| of[0].max(of[1])),
        11 => many("abs(%1)", true, &[a.low(0xffff)], |of| of[0].abs()),
        12 => many("abs(%1 - 300)", true, &[a.low(0xffff)], |of| (of[0] - 300).abs()),
        13 => many("__hadd(%1, %2)", true, &signed, |of| (of[0] + of[1]).div_euclid(2)),
        14 => many("__urhadd(%1, %2)", false, &unsigned, |of| (of[0] + of[1] + 1) / 2),
        15 => many("__funnelshift_l(%1, %2, %3)", false, &three, |of| {
            ((of[1] << 32) + of[0]) << (of[2] & 31) >> 32 & 0xffff_ffff
        }),
        16 => many("__funnelshift_r(%1, %2, %3)", false, &three, |of| ((of[1] << 32) + of[0]) >> (of[2] & 31)),
        17 => many("(int)__umul64hi((unsigned long long)%1 << 32, %2)", true, &unsigned, |of| (of[0] * of[1]) >> 32),
        18 => many("(int)__mul64hi((long long)%1 * 65536, (long long)%2 * 65536)", true, &signed, |of| {
            (of[0] * of[1]) >> 32
        }),
        19 => many("__popcll(((unsigned long long)%1 << 32) | %2)", true, &unsigned, |of| {
            i128::from(word(of[0]).count_ones() + word(of[1]).count_ones())
        }),
        _ => many("__float_as_int(1.0f + (float)%1)", true, &[a.low(4095)], |of| {
            // A number of 24 bits is its distance from a power of two above the exponent.
            let number = of[0] + 1;
            let exponent = i128::from(127 - number.leading_zeros());
            ((exponent + 127) << 23) + ((number - (1 << exponent)) << (23 - exponent))
        }),
    }
}

/// A file of kernels, and the values of the expressions of each.
fn file(seed: u64, dialect: Dialect) -> (String, Vec<Vec<Expression>>) {
    let mut random = StdRng::seed_from_u64(seed);
    let table = TABLE.map(|number| number.to_string()).join(", ");
    let (mut text, head, ids) = match dialect {
        Dialect::OpenCl => (
            format!("constant int table[8] = {{{table}}};\n"),
            "kernel void",
            "(volatile global int* o)\n{\n    int l = get_local_id(0), g = get_group_id(0);\n",
        ),
        Dialect::Cuda => (
            format!("__device__ const int table[8] = {{{table}}};\n"),
            "extern \"C\" __global__ void",
            "(volatile int* o)\n{\n    int l = threadIdx.x, g = blockIdx.x;\n",
        ),
    };
    let mut all = Vec::new();
    for kernel in 0..KERNELS {
        let own: Vec<Expression> = (0..EXPRESSIONS).map(|_| expression(&mut random, dialect, 2)).collect();
        write!(text, "{head} k{kernel}{ids}").unwrap();
        for each in &own {
            writeln!(text, "    o[(unsigned int)({})] = 1;", each.text).unwrap();
        }
        text.push_str("}\n");
        all.push(own);
    }
    (text, all)
}

/// Holds the addresses that a kernel stores to against the values of its expressions.
fn agrees(output: &str, kernel: usize, expected: &[Expression], what: &str) {
    let read = SourceKernel::read(output, Some(&format!("k{kernel}")), Maker::Nvidia).unwrap();
    let launch = SourceLaunch {
        sizes: [ITEMS, 1, 1],
        groups: [64, 1, 1],
        group: [GROUP, 0, 0],
        warp_size: 32,
        ..SourceLaunch::default()
    };
    let read = std::sync::Arc::new(read);
    let executed = read.execute(&launch, &Assumptions::default(), &Limits::default()).unwrap();
    let mut stores = Vec::new();
    for (step, _) in Step::all(&executed.trace) {
        if let Step::Block(run) = step {
            stores.extend(run.accesses.iter().filter(|access| access.kind == AccessKind::Store));
        }
    }
    assert_eq!(stores.len(), expected.len(), "{what}: k{kernel}");
    let shape = autotune::source::Shape::new([ITEMS, 1, 1]);
    for (store, expected) in stores.into_iter().zip(expected) {
        let text = &expected.text;
        let Some(address) = &store.address else { panic!("{what}: k{kernel}: `{text}` depends on data") };
        let start = store.region.unwrap().address();
        for (lane, value) in expected.values.iter().enumerate() {
            let index = (address.base.at(lane, &shape) - start) / 4;
            assert_eq!(i128::from(index), value.rem_euclid(1 << 32), "{what}: k{kernel}: item {lane} of `{text}`");
        }
    }
}

fn all_agree(name: &str, dialect: Dialect, targets: &[Target]) {
    let (text, all) = file(56, dialect);
    let written = Written::new(&[(name, &text)]);
    for version in VERSIONS {
        for target in targets {
            let source = written.source.clone();
            let compiler =
                autotune::source::Compiler::new(clang(version), source, target.clone(), None, Limits::default())
                    .unwrap();
            let output = compiler.compile(&Macros::default()).unwrap_or_else(|why| panic!("{why}")).text;
            for (kernel, expected) in all.iter().enumerate() {
                agrees(&output, kernel, expected, &format!("{version}, {target}"));
            }
        }
    }
}

#[test]
fn opencls_functions_of_ids_have_the_values_of_their_definitions() {
    let amd = Target::Amd(Architecture::new("gfx90a").unwrap());
    all_agree("numbers.cl", Dialect::OpenCl, &[Target::Portable, Target::Nvidia(80), amd]);
}

#[test]
fn cudas_and_hips_functions_of_ids_have_the_values_of_their_definitions() {
    let amd = Target::Amd(Architecture::new("gfx90a").unwrap());
    all_agree("numbers.cu", Dialect::Cuda, &[Target::Nvidia(80), amd]);
}

#[test]
fn a_variable_that_the_host_may_change_is_not_known() {
    let text = "__constant__ int changed[4] = {1, 2, 3, 4};\n__constant__ const int kept[4] = {1, 2, 3, 4};\n\
                extern \"C\" __global__ void k(int* o) { o[changed[threadIdx.x & 3]] = 1; o[64 + kept[threadIdx.x & 3]] = 1; }\n";
    let written = Written::new(&[("k.cu", text)]);
    for version in VERSIONS {
        let output = written.compiler(&clang(version)).compile(&Macros::default()).unwrap().text;
        assert!(IrText::split(&output).is_ok());
        let executed = super::counting::executed(&output, "k", [32, 32], &[]);
        let stores = super::counting::accesses(&executed).into_iter().map(|(access, ..)| access);
        let known: Vec<bool> =
            stores.filter(|access| access.kind == AccessKind::Store).map(|access| access.address.is_some()).collect();
        assert_eq!(known, [false, true], "{version}");
    }
}
