//! The arguments of kernels as every compiler and target describes them.

use autotune::limits::Limits;
use autotune::source::{
    Architecture, Argument, Compiler, GivenValue, KernelSource, KnownField, Maker, SourceKernel, TakenArgument, Target,
};

use super::{VERSIONS, Written, clang, macros};

const OPENCL: &str = "\
typedef struct { int dims[3]; float scale; struct { uchar flag; long pad; } inner; } info_t;
typedef struct { uint only; } one_t;
__kernel void k(__global float *out, const info_t info, one_t one, uchar u, float beta, uint n)
{
    const int i = get_global_id(0);
    if (i < info.dims[1] && beta != 0.0f) out[i] = info.scale * beta + u + n + info.inner.flag + one.only;
}
";

const CUDA: &str = "\
struct Base { int dims[3]; float scale; };
template <int D> struct Info : Base { struct { unsigned char flag; long pad; } inner; float *data; };
struct One { unsigned only; };
namespace deep { extern __shared__ float tile[]; }
__global__ void k(float *out, const Info<2> info, One one, unsigned char u, float beta, unsigned n)
{
    const int i = threadIdx.x;
    deep::tile[i] = u;
    __syncthreads();
    if (i < info.dims[1] && beta != 0.0f) out[i] = info.scale * beta + n + info.inner.flag + one.only + deep::tile[0];
}
";

/// The kernel of a source for a target.
fn kernel(version: &str, source: &KernelSource, target: &Target) -> SourceKernel {
    let source = KernelSource { fields: true, ..source.clone() };
    let compiler = Compiler::new(clang(version), source, target.clone(), None, Limits::default()).unwrap();
    SourceKernel::read(&compiler.compile(&macros(&[])).unwrap().text, None, Maker::Other).unwrap()
}

#[test]
fn fields_have_their_names_and_places_for_every_target() {
    let targets = [Target::Nvidia(70), Target::Amd(Architecture::new("gfx906").unwrap()), Target::Portable];
    for version in VERSIONS {
        for (file, text) in [("k.cl", OPENCL), ("k.cu", CUDA)] {
            let written = Written::new(&[(file, text)]);
            for target in &targets {
                let kernel = kernel(version, &written.source, target);
                let at = format!("{file} for {target:?} by {version}");
                let field = |name: &str, value: i64| match kernel.taken(name, GivenValue::Integer(value)) {
                    Ok(TakenArgument::Field(KnownField { parameter, offset, bytes, bits })) => {
                        (parameter, offset, bytes, bits)
                    }
                    other => panic!("{at}: {other:?}"),
                };
                assert_eq!(field("info.dims[2]", -1), (1, 8, 4, u64::MAX), "{at}");
                assert_eq!(field("info.scale", 1), (1, 12, 4, 0x3f80_0000), "{at}");
                assert_eq!(field("info.inner.flag", 255), (1, 16, 1, 255), "{at}");
                assert_eq!(field("info.inner.pad", 1), (1, 24, 8, 1), "{at}");
                // Some targets pass a structure of one number as the number.
                match kernel.taken("one.only", GivenValue::Integer(4_294_967_295)).unwrap() {
                    TakenArgument::Field(one) => assert_eq!((one.parameter, one.bits), (2, 4_294_967_295), "{at}"),
                    other => assert_eq!(other, TakenArgument::Whole(2, Argument::Integer(-1)), "{at}"),
                }
                for (name, value) in [("u", 256), ("n", -1), ("info.inner.flag", -1), ("one.only", -1), ("info", 1)] {
                    assert!(kernel.taken(name, GivenValue::Integer(value)).is_err(), "{name} in {at}");
                }
            }
        }
    }
}

#[test]
fn an_array_without_a_size_has_the_name_of_the_source() {
    for version in VERSIONS {
        let written = Written::new(&[("k.cu", CUDA)]);
        for target in [Target::Nvidia(70), Target::Amd(Architecture::new("gfx906").unwrap())] {
            let kernel = kernel(version, &written.source, &target);
            let taken = kernel.taken("tile", GivenValue::Local(64)).unwrap();
            assert_eq!(taken, TakenArgument::Shared(64), "{target:?} by {version}");
        }
    }
}
