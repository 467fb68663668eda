//! The meanings of LLVM's functions for AMD's instructions, by their names behind `llvm.amdgcn.`.

use super::matrix_type::{MatrixShape, MatrixType};

/// The effect of an instruction that a kernel names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Amd {
    /// A product on the matrix units.
    Multiply {
        /// M, N and K of one block.
        shape: MatrixShape,
        /// The type of the factors.
        of: MatrixType,
        /// True if the instruction may multiply several blocks at once, as many as its result has.
        has_blocks: bool,
    },
    /// A load from a buffer at an offset.
    LoadBuffer,
    /// A store to a buffer at an offset.
    StoreBuffer,
    /// A copy from global to local memory, where the lanes' words lie side by side.
    CopyToLocal {
        /// True if the copy is from a buffer at an offset, false if it is from an address.
        is_buffer: bool,
    },
    /// A wait for loads and copies.
    Wait,
    /// A description of a buffer.
    Buffer,
    /// The address of what the launch says of itself.
    LaunchPacket(LaunchPacket),
    /// The value of a lane of the warp: the first one, or the one whose number is the second argument.
    OfLane {
        /// True for the first lane that takes part.
        is_first: bool,
    },
    /// An exchange between lanes.
    Shuffle,
    /// A barrier of the group.
    Barrier,
    /// An atomic operation on the first argument's address.
    Atomic,
    /// Hints to the compiler and to the scheduler, and fences.
    Nothing,
    /// A value that is computed from the arguments alone.
    Computes,
}

/// A record that tells a kernel the sizes of its launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LaunchPacket {
    /// The packet that starts the kernel.
    Dispatch,
    /// The arguments that the compiler adds to the kernel's, from version 5 of the code objects on.
    HiddenArguments,
}

/// The beginnings of names and their effects; the first that fits counts.
const BEGINNINGS: [(&str, Amd); 30] = [
    ("raw.buffer.load.lds", Amd::CopyToLocal { is_buffer: true }),
    ("raw.ptr.buffer.load.lds", Amd::CopyToLocal { is_buffer: true }),
    ("global.load.lds", Amd::CopyToLocal { is_buffer: false }),
    ("raw.buffer.load.", Amd::LoadBuffer),
    ("raw.ptr.buffer.load.", Amd::LoadBuffer),
    ("raw.buffer.store.", Amd::StoreBuffer),
    ("raw.ptr.buffer.store.", Amd::StoreBuffer),
    ("make.buffer.rsrc", Amd::Buffer),
    ("dispatch.ptr", Amd::LaunchPacket(LaunchPacket::Dispatch)),
    ("implicitarg.ptr", Amd::LaunchPacket(LaunchPacket::HiddenArguments)),
    ("s.waitcnt", Amd::Wait),
    ("readfirstlane", Amd::OfLane { is_first: true }),
    ("readlane", Amd::OfLane { is_first: false }),
    ("ds.bpermute", Amd::Shuffle),
    ("ds.permute", Amd::Shuffle),
    ("ds.swizzle", Amd::Shuffle),
    ("update.dpp", Amd::Shuffle),
    ("mov.dpp", Amd::Shuffle),
    ("permlane", Amd::Shuffle),
    ("s.barrier", Amd::Barrier),
    ("atomic", Amd::Atomic),
    ("global.atomic", Amd::Atomic),
    ("flat.atomic", Amd::Atomic),
    ("ds.fadd", Amd::Atomic),
    ("ds.fmin", Amd::Atomic),
    ("ds.fmax", Amd::Atomic),
    ("sched.", Amd::Nothing),
    ("iglp.opt", Amd::Nothing),
    ("wave.barrier", Amd::Nothing),
    ("fence", Amd::Nothing),
];

/// Instructions of the scalar unit that neither compute nor access memory.
const HINTS: [&str; 7] = ["setprio", "sleep", "nop", "sethalt", "wakeup", "dcache", "icache"];

/// The first words of the names of functions that compute a value.
const COMPUTES: [&str; 63] = [
    "alignbit",
    "alignbyte",
    "ballot",
    "class",
    "cos",
    "cubeid",
    "cubema",
    "cubesc",
    "cubetc",
    "cvt",
    "dispatch",
    "div",
    "dot4",
    "exp",
    "exp2",
    "fcmp",
    "fdot2",
    "fdot2c",
    "fma",
    "fmad",
    "fmed3",
    "fmul",
    "fract",
    "frexp",
    "groupstaticsize",
    "icmp",
    "implicit",
    "implicitarg",
    "inverse",
    "is",
    "kernarg",
    "ldexp",
    "lerp",
    "log",
    "mbcnt",
    "mqsad",
    "msad",
    "mul",
    "mulhi",
    "perm",
    "prng",
    "qsad",
    "queue",
    "rcp",
    "rsq",
    "sad",
    "sbfe",
    "sdot2",
    "sdot4",
    "sdot8",
    "sin",
    "sqrt",
    "sudot4",
    "sudot8",
    "trig",
    "ubfe",
    "udot2",
    "udot4",
    "udot8",
    "wavefrontsize",
    "workgroup",
    "workitem",
    "wqm",
];

/// The effect of a function; `Err` with the reason if the machine cannot say it, or it is not known.
pub(super) fn meaning(name: &str) -> Result<Amd, &'static str> {
    let unknown = "this instruction of AMD's GPUs is not known";
    let parts: Vec<&str> = name.split('.').collect();
    match parts[..] {
        ["mfma", _, shape, ref of @ ..] => {
            product(shape, of, true).ok_or("matrix instructions of this shape or type are not known")
        }
        ["wmma", _, shape, ref of @ ..] => {
            product(shape, of, false).ok_or("matrix instructions of this shape or type are not known")
        }
        ["smfmac" | "swmmac", ..] => Err("products of sparse matrices come in a later version"),
        ["image", ..] => Err("textures have caches of their own"),
        ["s", "sendmsg", ..] => Err("it calls the host, as prints do"),
        ["s", word, ..] if HINTS.contains(&word) => Ok(Amd::Nothing),
        ["s", "memtime" | "memrealtime" | "getreg" | "get", ..] => Ok(Amd::Computes),
        [first, ..] => {
            let begins = BEGINNINGS.iter().find(|(beginning, _)| name.starts_with(beginning));
            let computes = || COMPUTES.contains(&first).then_some(Amd::Computes);
            begins.map(|(_, does)| *does).or_else(computes).ok_or(unknown)
        }
        [] => Err(unknown),
    }
}

/// A product of a shape such as `32x32x8f16`, or `16x16x32` with the type of the factors behind it.
fn product(shape: &str, of: &[&str], has_blocks: bool) -> Option<Amd> {
    let (m, rest) = shape.split_once('x')?;
    let (n, rest) = rest.split_once('x')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (k, joined) = rest.split_at(digits);
    let of = match if joined.is_empty() { *of.first()? } else { joined } {
        "f16" => MatrixType::Fp16,
        "bf16" => MatrixType::Bf16,
        "f32" => MatrixType::Fp32,
        "xf32" => MatrixType::Tf32,
        "f64" => MatrixType::Fp64,
        "i8" | "iu8" => MatrixType::Int8,
        "bf8" | "fp8" => MatrixType::Fp8,
        _ => return None,
    };
    let shape = MatrixShape([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?]);
    Some(Amd::Multiply { shape, of, has_blocks }).filter(|_| shape.products() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every product of the compilers from 14 to 19.
    #[test]
    fn shapes_and_types_follow_from_names() {
        let multiply = |shape, of, has_blocks| Ok(Amd::Multiply { shape: MatrixShape(shape), of, has_blocks });
        for (name, shape, of) in [
            ("mfma.f32.32x32x1f32", [32, 32, 1], MatrixType::Fp32),
            ("mfma.f32.16x16x1f32", [16, 16, 1], MatrixType::Fp32),
            ("mfma.f32.4x4x1f32", [4, 4, 1], MatrixType::Fp32),
            ("mfma.f32.32x32x2f32", [32, 32, 2], MatrixType::Fp32),
            ("mfma.f32.16x16x4f32", [16, 16, 4], MatrixType::Fp32),
            ("mfma.f32.32x32x4f16", [32, 32, 4], MatrixType::Fp16),
            ("mfma.f32.4x4x4f16", [4, 4, 4], MatrixType::Fp16),
            ("mfma.f32.32x32x8f16", [32, 32, 8], MatrixType::Fp16),
            ("mfma.f32.16x16x16f16", [16, 16, 16], MatrixType::Fp16),
            ("mfma.f32.16x16x32.f16", [16, 16, 32], MatrixType::Fp16),
            ("mfma.i32.32x32x8i8", [32, 32, 8], MatrixType::Int8),
            ("mfma.i32.16x16x32.i8", [16, 16, 32], MatrixType::Int8),
            ("mfma.f32.32x32x4bf16", [32, 32, 4], MatrixType::Bf16),
            ("mfma.f32.32x32x8bf16.1k", [32, 32, 8], MatrixType::Bf16),
            ("mfma.f64.16x16x4f64", [16, 16, 4], MatrixType::Fp64),
            ("mfma.f64.4x4x4f64", [4, 4, 4], MatrixType::Fp64),
            ("mfma.f32.16x16x8.xf32", [16, 16, 8], MatrixType::Tf32),
            ("mfma.f32.32x32x16.bf8.fp8", [32, 32, 16], MatrixType::Fp8),
        ] {
            assert_eq!(meaning(name), multiply(shape, of, true), "{name}");
        }
        for (name, of) in [
            ("wmma.f32.16x16x16.f16.v8f32.v16f16", MatrixType::Fp16),
            ("wmma.bf16.16x16x16.bf16.tied.v16i16.v16i16", MatrixType::Bf16),
            ("wmma.i32.16x16x16.iu8.v8i32.v4i32", MatrixType::Int8),
        ] {
            assert_eq!(meaning(name), multiply([16, 16, 16], of, false), "{name}");
        }
    }

    /// Every row of the table.
    #[test]
    fn each_function_has_its_meaning() {
        let rows = [
            ("raw.buffer.load.v4f32", Amd::LoadBuffer),
            ("raw.ptr.buffer.load.v4i32", Amd::LoadBuffer),
            ("raw.buffer.load.lds", Amd::CopyToLocal { is_buffer: true }),
            ("raw.ptr.buffer.load.lds", Amd::CopyToLocal { is_buffer: true }),
            ("global.load.lds", Amd::CopyToLocal { is_buffer: false }),
            ("raw.buffer.store.v2i32", Amd::StoreBuffer),
            ("raw.ptr.buffer.store.f32", Amd::StoreBuffer),
            ("make.buffer.rsrc.p0", Amd::Buffer),
            ("dispatch.ptr", Amd::LaunchPacket(LaunchPacket::Dispatch)),
            ("implicitarg.ptr", Amd::LaunchPacket(LaunchPacket::HiddenArguments)),
            ("s.waitcnt", Amd::Wait),
            ("readfirstlane.i32", Amd::OfLane { is_first: true }),
            ("readlane", Amd::OfLane { is_first: false }),
            ("ds.bpermute", Amd::Shuffle),
            ("ds.permute", Amd::Shuffle),
            ("ds.swizzle", Amd::Shuffle),
            ("update.dpp.i32", Amd::Shuffle),
            ("mov.dpp.i32", Amd::Shuffle),
            ("permlane16", Amd::Shuffle),
            ("permlanex16", Amd::Shuffle),
            ("s.barrier", Amd::Barrier),
            ("atomic.inc.i32.p1", Amd::Atomic),
            ("global.atomic.fadd.f32.p1.f32", Amd::Atomic),
            ("flat.atomic.fadd.f64.p0.f64", Amd::Atomic),
            ("ds.fadd.f32", Amd::Atomic),
            ("ds.fmin.f32", Amd::Atomic),
            ("ds.fmax.f32", Amd::Atomic),
            ("sched.barrier", Amd::Nothing),
            ("sched.group.barrier", Amd::Nothing),
            ("iglp.opt", Amd::Nothing),
            ("wave.barrier", Amd::Nothing),
            ("fence", Amd::Nothing),
            ("s.setprio", Amd::Nothing),
            ("s.sleep", Amd::Nothing),
            ("s.memtime", Amd::Computes),
            ("rcp.f32", Amd::Computes),
            ("perm", Amd::Computes),
            ("mbcnt.lo", Amd::Computes),
            ("sdot4", Amd::Computes),
            ("is.shared", Amd::Computes),
        ];
        for (name, expected) in rows {
            assert_eq!(meaning(name), Ok(expected), "{name}");
        }
    }

    #[test]
    fn what_the_machine_cannot_say_is_refused_with_its_reason() {
        for (name, why) in [
            ("smfmac.f32.16x16x32.f16", "sparse"),
            ("swmmac.f32.16x16x32.f16.v8f32.v8f16.v16f16.i32", "sparse"),
            ("wmma.i32.16x16x16.iu4.v8i32.v2i32", "shape or type"),
            ("mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32", "shape or type"),
            ("mfma.f32.32x32xf16", "shape or type"),
            ("mfma.f32", "not known"),
            ("image.load.2d.v4f32.i32", "textures"),
            ("s.sendmsg", "calls the host"),
            ("struct.buffer.load.f32", "not known"),
            ("raw.buffer.atomic.add.i32", "not known"),
            ("s.buffer.load.i32", "not known"),
            ("frob", "not known"),
            ("", "not known"),
        ] {
            let refused = meaning(name).expect_err(name);
            assert!(refused.contains(why), "{name}: {refused}");
        }
    }
}
