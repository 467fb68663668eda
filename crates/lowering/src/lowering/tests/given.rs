//! Values that a user gives of a launch: the sizes of local memory, arguments and the numbers in structures.

#![expect(clippy::float_cmp, reason = "the numbers are whole")]

use std::sync::Arc;

use super::traced::Stub;
use super::*;
use autotune_base::user_error::UserError;
use autotune_kernel::source::SourceReader;

/// A kernel with these parameters and the places of lines: `!10` is line 7 of the source.
fn kernel(globals: &str, parameters: &str, body: &str, notes: &str) -> String {
    format!(
        "{globals}\ndefine spir_kernel void @k(ptr addrspace(1) noalias %a, {parameters}) !dbg !5 {{\nentry:\n  \
         %l = call spir_func i64 @_Z12get_local_idj(i32 0)\n  {body}\n}}\n\
         !5 = distinct !DISubprogram(name: \"k\", file: !6, line: 3, retainedNodes: !20)\n\
         !6 = !DIFile(filename: \"k.cl\", directory: \"/w\")\n!10 = !DILocation(line: 7, column: 3, scope: !5)\n{notes}"
    )
}

/// The spec of 1,024 groups of 64.
fn spec(language: &str, launch: &str, arguments: &str) -> Spec {
    let text = format!(
        "kernel: test\nparameters: {{ one: {{ values: [1] }} }}\nlaunch: {{ work_items: 65536, work_group: 64{launch} }}\n\
         source: {{ file: k.cl, kernel: k, language: {language}, arguments: {{ {arguments} }} }}\n"
    );
    Spec::parse(&text, "test.yaml").unwrap_or_else(|error| panic!("{error}"))
}

fn attempted(spec: &Spec, kernel: &str) -> Result<Feasibility<Lowered>, LoweringError> {
    let gpu = plain();
    let reader = SourceReader::with_compiler(Arc::new(Stub(kernel.to_owned())));
    let lowering = Lowering::new(spec, &gpu, &reader);
    lowering.lower(&Configuration(vec![1]))
}

/// The only configuration, or the reason why it is infeasible, or the first line of the error.
fn lowered(spec: &Spec, kernel: &str) -> Result<Lowered, String> {
    match attempted(spec, kernel) {
        Ok(Feasibility::Feasible(lowered)) => Ok(lowered),
        Ok(Feasibility::Infeasible(why)) => Err(why.to_string()),
        Err(why) => Err(why.to_string().lines().next().unwrap_or_default().to_owned()),
    }
}

/// The groups that are resident, or why there are none.
fn resident(spec: &Spec, kernel: &str) -> Result<u64, String> {
    lowered(spec, kernel).map(|lowered| lowered.occupancy.unwrap().groups)
}

/// A kernel that writes to an array whose size is given at launch.
fn with_array() -> String {
    let body = "%p = getelementptr float, ptr addrspace(3) @_ZN4deep4tileE, i64 %l\n  \
                store float 1.0, ptr addrspace(3) %p, align 4, !dbg !10\n  \
                %q = getelementptr double, ptr addrspace(3) @wide, i64 %l\n  \
                store double 1.0, ptr addrspace(3) %q, align 8, !dbg !10\n  \
                %r = getelementptr float, ptr addrspace(3) @fixed, i64 %l\n  \
                store float 1.0, ptr addrspace(3) %r, align 4, !dbg !10\n  ret void";
    let globals = "@_ZN4deep4tileE = external addrspace(3) global [0 x float], align 4\n\
                   @wide = external hidden addrspace(3) global [0 x double], align 8\n\
                   @fixed = internal addrspace(3) global [1024 x float] undef, align 4";
    kernel(globals, "i32 %n", body, "")
}

/// 96 KiB of a multiprocessor hold 32 groups by their work items; 4 KiB of each are the fixed array.
#[test]
fn arrays_without_a_size_share_the_greatest_size() {
    let of = |launch: &str, arguments: &str| resident(&spec("cuda", launch, arguments), &with_array());
    assert_eq!(of(", shared: 4096 * 3", ""), Ok(6), "96 / (4 + 12)");
    assert_eq!(of("", "tile: local 512, wide: local 12288"), Ok(6), "the greatest size, once");
    assert_eq!(of(", shared: 4096", "wide: local 12288"), Ok(6));
    assert_eq!(of(", shared: 512", ""), Ok(21), "96 / 4.5");
    let error = of("", "").unwrap_err();
    assert_eq!(error, "the size of the local memory `tile` is given at launch");
}

#[test]
fn the_error_of_a_missing_size_has_the_line_and_says_how_to_give_it() {
    let spec = spec("cuda", "", "");
    let error = attempted(&spec, &with_array()).unwrap_err();
    assert!(error.to_string().contains("k.cl:7:3"), "{error}");
    let help = error.help().unwrap();
    for way in ["--argument 'tile=local 4096'", "arguments: { tile: local 4096 }", "--shared 4096", "shared: 4096"] {
        assert!(help.contains(way), "{help}");
    }
}

#[test]
fn a_stated_size_of_all_local_memory_needs_no_other() {
    let text = spec("cuda", "", "").source.text().replace("source:", "resources: { local_memory: 16384 }\nsource:");
    assert_eq!(resident(&Spec::parse(&text, "test.yaml").unwrap(), &with_array()), Ok(6));
}

#[test]
fn accesses_stay_within_the_given_size() {
    let error = resident(&spec("cuda", ", shared: 504", ""), &with_array()).unwrap_err();
    assert_eq!(error, "local_array: /w/k.cl:7:3: this reaches byte 504 of the local array `wide`, which has 504");
    let error = resident(&spec("cuda", ", shared: 0", ""), &with_array()).unwrap_err();
    assert!(error.starts_with("local_array: /w/k.cl:7:3: this reaches byte 0 of the local array"), "{error}");
}

#[test]
fn a_size_that_is_given_at_launch_has_the_greater_limit() {
    let is_dynamic = |launch: &str, arguments: &str| spec("cuda", launch, arguments).has_dynamic_local_memory();
    assert!(is_dynamic(", shared: 512", "") && is_dynamic("", "tile: local 512"));
    assert!(!is_dynamic("", "n: 512"));
    // 48 KiB is the limit of fixed arrays; with the fixed array these are 60 KiB.
    assert_eq!(resident(&spec("cuda", ", shared: 56 * 1024", ""), &with_array()), Ok(1));
}

#[test]
fn each_pointer_to_local_memory_needs_a_size() {
    let of = |parameters: &str, launch: &str, arguments: &str| {
        let body = "%p = getelementptr float, ptr addrspace(3) %one, i64 %l\n  \
                    store float 1.0, ptr addrspace(3) %p, align 4, !dbg !10\n  ret void";
        resident(&spec("opencl", launch, arguments), &kernel("", parameters, body, ""))
    };
    let (one, two) = ("ptr addrspace(3) %one", "ptr addrspace(3) %one, ptr addrspace(3) %two");
    assert_eq!(of(one, "", "one: local 16384"), Ok(6));
    assert_eq!(of(one, ", shared: 16384", ""), Ok(6));
    assert_eq!(of(two, "", "one: local 8192, 2: local 8192"), Ok(6));
    assert_eq!(of(two, ", shared: 8192", "one: local 8192"), Ok(6));
    assert_eq!(of(one, "", "").unwrap_err(), "the size of the local memory `one` is given at launch");
    assert_eq!(of(two, "", "").unwrap_err(), "the size of the local memory `one`, `two` is given at launch");
    let several = of(two, ", shared: 8192", "").unwrap_err();
    assert_eq!(several, "`shared` is one size, but the kernel has 2 pointers to local memory: `one`, `two`");
    let none = of("i32 %one", ", shared: 8192", "").unwrap_err();
    assert!(none.contains("no pointer to local memory"), "{none}");
}

#[test]
fn values_that_an_argument_cannot_have_are_refused() {
    let parameters = "i32 %n, i8 zeroext %u, i8 signext %c, i1 zeroext %on, float %beta, <2 x i32> %v, half %h, \
                      ptr addrspace(3) %t, ptr byval(%struct.S) %s";
    let kernel = kernel("%struct.S = type { i32 }", parameters, "ret void", "");
    let of = |arguments: &str| resident(&spec("opencl", "", &format!("t: local 64, {arguments}")), &kernel);
    for fits in ["u: 255", "u: 0", "c: -128", "on: true", "on: 0", "n: -1", "n: 4294967295", "beta: 2", "beta: -1.5e3"]
    {
        assert_eq!(of(fits), Ok(32), "{fits}");
    }
    for (wrong, why) in [
        ("u: 300", "`u` holds 0 to 255, not 300"),
        ("u: -1", "`u` holds 0 to 255, not -1"),
        ("c: 128", "`c` holds -128 to 127, not 128"),
        ("on: 2", "`on` holds 0 to 1, not 2"),
        ("n: 4294967296", "`n` holds -2147483648 to 4294967295, not 4294967296"),
        ("n: 1.5", "`n` is an integer, and `1.5` is not one"),
        ("beta: 1e39", "`beta` holds -3.4028234663852886e38 to 3.4028234663852886e38, not 1e39"),
        ("beta: local 4", "`beta` is not local memory, so that it has no size"),
        ("a: 5", "`a` is a pointer to memory whose data is not known"),
        ("a: local 4", "`a` is not local memory, so that it has no size"),
        ("t: 5", "`t` is local memory, which has a size and no value"),
        ("v: 5", "`v` has several numbers, which are given one by one"),
        ("h: 5", "`h` is a floating-point number of 16 bits, whose value cannot be given"),
        ("s: 5", "`s` has several numbers, which are given one by one"),
        ("s.n: 5", "`s.n` is not a number in a structure of the kernel's arguments"),
        ("x: 5", "the kernel has no parameter `x`; its parameters: a, n, u, c, on, beta, v, h, t, s"),
    ] {
        let wrong = if wrong.starts_with("t:") { wrong.replace("t:", "8:") } else { wrong.to_owned() };
        let why = if wrong.starts_with("8:") { why.replace("`t`", "`8`") } else { why.to_owned() };
        assert_eq!(of(&wrong), Err(why), "{wrong}");
    }
}

#[test]
fn opencl_says_which_integers_have_a_sign() {
    let kernel = kernel("", "i32 %n, i32 %u", "ret void", "!20 = !{}\n!7 = !{!\"float*\", !\"int\", !\"uint\"}\n");
    let kernel = kernel.replace("!dbg !5", "!dbg !5 !kernel_arg_base_type !7");
    let of = |arguments: &str| resident(&spec("opencl", "", arguments), &kernel);
    assert_eq!(of("n: -5, u: 4294967295"), Ok(32));
    assert_eq!(of("n: 4294967295").unwrap_err(), "`n` holds -2147483648 to 2147483647, not 4294967295");
    assert_eq!(of("u: -5").unwrap_err(), "`u` holds 0 to 4294967295, not -5");
}

/// The bytes that a group stores: 64 work items store a word where `%c` is true.
fn stored(parameters: &str, condition: &str, arguments: &str, notes: &str, globals: &str) -> Result<f64, String> {
    let body = format!(
        "{condition}\n  br i1 %c, label %if.then, label %if.end\nif.then:\n  \
         %p = getelementptr float, ptr addrspace(1) %a, i64 %l\n  \
         store float 1.0, ptr addrspace(1) %p, align 4, !dbg !10\n  br label %if.end\nif.end:\n  ret void"
    );
    // A branch on data would count both sides: 256 bytes.
    let lowered = lowered(&spec("opencl", "", arguments), &kernel(globals, parameters, &body, notes));
    lowered.map(|lowered| lowered.work.unwrap().stored.asked)
}

#[test]
fn a_number_that_is_given_decides_branches() {
    let of =
        |condition: &str, arguments: &str| stored("float %b, double %d, i32 %n", condition, arguments, "", "").unwrap();
    let zero = "%c = fcmp une float %b, 0.000000e+00, !dbg !10";
    assert_eq!([of(zero, ""), of(zero, "b: 0"), of(zero, "b: 0.0"), of(zero, "b: 1.5")], [256.0, 0.0, 0.0, 256.0]);
    for (predicate, below, equal, above) in [("olt", 1, 0, 0), ("uge", 0, 1, 1), ("one", 1, 0, 1), ("ord", 1, 1, 1)] {
        let condition = format!("%c = fcmp {predicate} double %d, 2.500000e+00");
        let all = ["d: 2.25", "d: 2.5", "d: 3"].map(|given| of(&condition, given));
        assert_eq!(all, [below, equal, above].map(|taken| 256.0 * f64::from(taken)), "{predicate}");
    }
    // 0.1 is not the same number in both types.
    let wider = "%w = fpext float %b to double\n  %c = fcmp oeq double %w, 1.000000e-01";
    assert_eq!(of(wider, "b: 0.1"), 0.0);
    let computed = "%s = fmul float %b, 2.000000e+00\n  %i = sitofp i32 %n to float\n  %t = fsub float %s, %i\n  \
                    %k = fptosi float %t to i32\n  %c = icmp eq i32 %k, 3";
    assert_eq!([of(computed, "b: 5, n: 7"), of(computed, "b: 5, n: 6")], [256.0, 0.0]);
    // A sum that the compiler may compute otherwise is not followed.
    let loose = "%s = fdiv fast float %b, 3.000000e+00\n  %c = fcmp oeq float %s, 9.000000e+09";
    assert_eq!([of(loose, "b: 1"), of(&loose.replace(" fast", ""), "b: 1")], [256.0, 0.0]);
}

#[test]
fn a_problem_size_is_the_number_of_its_name() {
    let body = "%c = fcmp une float %b, 0.000000e+00\n  br i1 %c, label %if.then, label %if.end\nif.then:\n  \
                %p = getelementptr float, ptr addrspace(1) %a, i64 %l\n  store float 1.0, ptr addrspace(1) %p, align 4\n  \
                br label %if.end\nif.end:\n  ret void";
    let text = spec("opencl", "", "").source.text().replace("parameters:", "problem: { b: 0 }\nparameters:");
    let lowered = lowered(&Spec::parse(&text, "test.yaml").unwrap(), &kernel("", "float %b", body, "")).unwrap();
    assert_eq!(lowered.work.unwrap().stored.asked, 0.0);
}

#[test]
fn a_divisor_of_zero_is_refused_with_its_argument() {
    let of = |divisor: &str, arguments: &str| {
        let condition = format!("{divisor}\n  %q = sdiv i32 7, %w, !dbg !10\n  %c = icmp eq i32 %q, 1");
        stored("i32 %n, i8 zeroext %u", &condition, arguments, "", "")
    };
    let widened = "%w = zext i8 %u to i32";
    assert_eq!(of(widened, "u: 7"), Ok(256.0));
    assert_eq!(
        of(widened, "u: 0").unwrap_err(),
        "instruction: /w/k.cl:7:3: this divides by the argument `u`, which is 0"
    );
    assert_eq!(of("%w = sub i32 %n, 4", "n: 4").unwrap_err(), "instruction: /w/k.cl:7:3: this divides by 0");
    assert_eq!(of(widened, "").unwrap_err(), "this branch depends on the argument `u`, which has no value");
    let data = "%w = load i32, ptr addrspace(1) %a, align 4";
    assert_eq!(of(data, ""), Ok(256.0), "data is not known to be 0");
    let computed = "%t = trunc i64 %l to i32\n  %w = add i32 %t, 1";
    assert_eq!(of(computed, ""), Ok(16.0), "4 to 7 are once in 7: a word of 4 work items");
}

#[test]
fn a_divisor_of_zero_that_nothing_uses_is_no_error() {
    let of = |chosen: &str| {
        let condition = format!(
            "%w = sub i32 %n, 4\n  %q = sdiv i32 7, %w, !dbg !10\n  %s = icmp sgt i32 %n, 9\n  \
             %v = select i1 %s, i32 {chosen}\n  %c = icmp eq i32 %v, 1"
        );
        stored("i32 %n, i8 zeroext %u", &condition, "n: 4", "", "")
    };
    assert_eq!(of("%q, i32 1"), Ok(256.0), "the other value is chosen");
    assert_eq!(of("1, i32 %q").unwrap_err(), "instruction: /w/k.cl:7:3: this divides by 0");
}

/// Notes about `S s`, the second parameter: `struct { unsigned char flag; int dims[2][3]; struct { double d; } in; }`.
const NOTES: &str = "!20 = !{!21, !22, !23}\n!21 = !DILocalVariable(name: \"a\", arg: 1, scope: !5, type: !24)\n\
    !22 = !DILocalVariable(name: \"s\", arg: 2, scope: !5, type: !25)\n!23 = !DILocalVariable(name: \"i\", scope: !5)\n\
    !24 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !29, size: 64)\n\
    !25 = !DIDerivedType(tag: DW_TAG_typedef, name: \"S\", baseType: !26)\n\
    !26 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"S<2, 3>\", size: 320, elements: !27)\n\
    !27 = !{!28, !31, !36}\n\
    !28 = !DIDerivedType(tag: DW_TAG_member, name: \"flag\", scope: !26, baseType: !29, size: 8)\n\
    !29 = !DIBasicType(name: \"unsigned char\", size: 8, encoding: DW_ATE_unsigned_char)\n\
    !31 = !DIDerivedType(tag: DW_TAG_member, name: \"dims\", scope: !26, baseType: !32, size: 192, offset: 32)\n\
    !32 = !DICompositeType(tag: DW_TAG_array_type, baseType: !33, size: 192, elements: !34)\n\
    !33 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n!34 = !{!35, !30}\n\
    !35 = !DISubrange(count: 2)\n!30 = !DISubrange(count: 3)\n\
    !36 = !DIDerivedType(tag: DW_TAG_member, name: \"in\", scope: !26, baseType: !37, size: 64, offset: 256)\n\
    !37 = distinct !DICompositeType(tag: DW_TAG_structure_type, size: 64, elements: !38)\n!38 = !{!39}\n\
    !39 = !DIDerivedType(tag: DW_TAG_member, name: \"d\", scope: !37, baseType: !40, size: 64)\n\
    !40 = !DIBasicType(name: \"double\", size: 64, encoding: DW_ATE_float)\n";

const STRUCTURE: &str = "%struct.S = type { i8, [2 x [3 x i32]], %struct.In }\n%struct.In = type { double }";

#[test]
fn the_numbers_of_a_structure_are_given_by_their_names() {
    let of =
        |condition: &str, arguments: &str| stored("ptr byval(%struct.S) %s", condition, arguments, NOTES, STRUCTURE);
    let load =
        |of: &str, at: u64| format!("%q = getelementptr i8, ptr %s, i64 {at}\n  %v = load {of}, ptr %q, align 4");
    let dims = format!("{}\n  %c = icmp sgt i32 %v, 4", load("i32", 4 + 4 * 5));
    assert_eq!([of(&dims, "'s.dims[1][2]': 5"), of(&dims, "'s.dims[1][2]': -5")], [Ok(256.0), Ok(0.0)]);
    assert_eq!(of(&dims, "'s.dims[1][1]': -5"), Ok(256.0), "another number");
    let both = format!("{}\n  %c = icmp eq i64 %v, 12884901890", load("i64", 4));
    assert_eq!(of(&both, "'s.dims[0][0]': 2, 's.dims[0][1]': 3"), Ok(256.0), "a load of two numbers");
    assert_eq!(of(&both, "'s.dims[0][0]': 2, 's.dims[0][1]': 4"), Ok(0.0));
    let real = format!("{}\n  %c = fcmp ogt double %v, 0.000000e+00", load("double", 32));
    assert_eq!([of(&real, "1.in.d: 0.5"), of(&real, "1.in.d: -0.5")], [Ok(256.0), Ok(0.0)]);
    for (wrong, why) in [
        ("s.flag: 256", "`s.flag` holds 0 to 255, not 256"),
        ("'s.dims[2][0]': 1", "`s.dims[2][0]` is not a number in a structure of the kernel's arguments"),
        ("'s.dims[0]': 1", "`s.dims[0]` has several numbers, which are given one by one"),
        ("s.dim: 1", "`s.dim` is not a number in a structure of the kernel's arguments"),
    ] {
        assert_eq!(of(&real, wrong).unwrap_err(), why, "{wrong}");
    }
}

#[test]
fn a_structure_that_is_a_value_has_the_same_numbers() {
    let of = |arguments: &str| {
        let condition = "%x = extractvalue %struct.S %s.coerce, 1, 1\n  %v = extractvalue [3 x i32] %x, 2\n  \
                         %c = icmp sgt i32 %v, 4";
        stored("%struct.S %s.coerce", condition, arguments, NOTES, STRUCTURE)
    };
    assert_eq!([of("'s.dims[1][2]': 5"), of("'s.dims[1][2]': 4")], [Ok(256.0), Ok(0.0)]);
}

/// A structure is copied to private memory, where a part of it is overwritten.
#[test]
fn a_copy_of_a_structure_has_its_numbers_until_they_change() {
    let of = |between: &str| {
        let condition = format!(
            "%m = alloca %struct.S, align 8\n  call void @llvm.memcpy.p0.p0.i64(ptr %m, ptr %s, i64 40, i1 false)\n  \
             %n = getelementptr i8, ptr %m, i64 8\n  {between}\n  %q = getelementptr i8, ptr %m, i64 4\n  \
             %v = load i32, ptr %q, align 4\n  %c = icmp sgt i32 %v, 4"
        );
        stored("ptr byval(%struct.S) %s", &condition, "'s.dims[0][0]': 4", NOTES, STRUCTURE)
    };
    assert_eq!(of(""), Ok(0.0));
    assert_eq!(of("store i32 9, ptr %n, align 4"), Ok(0.0), "the number beside it");
    let over = "%o = getelementptr i8, ptr %m, i64 4\n  store i32 9, ptr %o, align 4";
    assert_eq!(of(over), Ok(256.0));
    let data = "%o = getelementptr i8, ptr %m, i64 4\n  %z = load i32, ptr addrspace(1) %a, align 4\n  \
                store i32 %z, ptr %o, align 4";
    assert_eq!(of(data), Ok(256.0), "data is not known");
}
