//! Zig as clang: a program of this name that hands its arguments on to clang 19, without the header of OpenCL C.

use std::os::unix::fs::PermissionsExt;

use autotune::source::Architecture;

use super::*;

/// A kernel with types, constants and functions that OpenCL's header has to do with.
const KERNEL: &str = "
    __kernel void k(__global float4* restrict at, __global const uint* restrict words, __local int* part, const int n) {
        const size_t i = get_global_id(0);
        float4 sum = vload4(i, (__global const float*)at) * M_PI_F + (float4)(FLT_MAX, INFINITY, NAN, MAXFLOAT);
        part[get_local_id(0)] = as_int(native_sqrt((float)words[i])) + INT_MAX - CHAR_BIT;
        barrier(CLK_LOCAL_MEM_FENCE);
        atomic_add(&part[0], popcount(words[i] & UINT_MAX));
        at[i] = sum + convert_float4(as_uchar4(words[i])) + (float)part[n];
    }
";

/// A Zig in a folder of its own: clang's driver is its first argument, and any other is clang's.
fn zig() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("zig");
    std::fs::create_dir_all(folder.path().join("lib/include")).unwrap();
    std::fs::write(&path, "#!/bin/sh\nif [ \"$1\" = clang ]; then shift; fi\nexec clang-19 \"$@\"\n").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

#[test]
fn a_zig_compiles_opencl_as_its_clang_with_the_header_that_it_comes_without() {
    let folder = zig();
    let zig = Clang::find(Some(&folder.path().join("zig")), &Limits::default(), None).unwrap();
    assert_eq!(zig.version, 19);
    let written = Written::new(&[("k.cl", KERNEL)]);
    let targets = [Target::Portable, Target::Nvidia(80), Target::Amd(Architecture::new("gfx90a").unwrap())];
    for target in targets {
        let compiled = |clang: &Clang| {
            let compiler =
                Compiler::new(clang.clone(), written.source.clone(), target.clone(), None, Limits::default());
            let compiler = compiler.unwrap();
            let all: Vec<Macros> = (0..3).map(|number| macros(&[("SIZE", &number.to_string())])).collect();
            compiler.prepare(&all);
            all.iter().map(|macros| compiler.compile(macros).unwrap().text).collect::<Vec<_>>()
        };
        assert_eq!(compiled(&zig), compiled(&clang("clang-19")), "{target}");
    }
}
