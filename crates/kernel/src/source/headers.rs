//! The headers that stand for CUDA's, HIP's and OpenCL's own, so that a compiler needs no toolkit.

use std::collections::BTreeSet;
use std::io;
use std::path::{Component, Path};

use fs_err as fs;

/// A header and its text.
macro_rules! header {
    ($name:literal) => {
        ($name, include_str!(concat!("headers/", $name)))
    };
}

/// The headers by their file names. Those for a language are given to its sources, the others are found under the names
/// that sources include.
const HEADERS: [(&str, &str); 52] = [
    header!("autotune_cuda.h"),
    header!("autotune_cuda_math.h"),
    header!("autotune_cuda_lanes.h"),
    header!("autotune_cuda_bytes.h"),
    header!("autotune_cuda_paths.h"),
    header!("autotune_cuda_std.h"),
    header!("autotune_opencl.h"),
    header!("autotune_opencl_lanes.h"),
    header!("autotune_opencl_base/opencl-c-base.h"),
    header!("array"),
    header!("assert.h"),
    header!("autotune_copies.h"),
    header!("complex"),
    header!("cooperative_groups.h"),
    header!("cooperative_groups/memcpy_async.h"),
    header!("cooperative_groups/reduce.h"),
    header!("cooperative_groups/scan.h"),
    header!("cub/autotune_block.cuh"),
    header!("cub/autotune_exchange.cuh"),
    header!("cub/autotune_operators.cuh"),
    header!("cub/autotune_refused.cuh"),
    header!("cub/autotune_warp.cuh"),
    header!("cub/cub.cuh"),
    header!("cuComplex.h"),
    header!("cublas_v2.h"),
    header!("cuda/atomic"),
    header!("cuda/barrier"),
    header!("cuda/pipeline"),
    header!("cuda_pipeline.h"),
    header!("curand_kernel.h"),
    header!("functional"),
    header!("helper_math.h"),
    header!("glm/glm.hpp"),
    header!("hipcub/hipcub.hpp"),
    header!("math_constants.h"),
    header!("mma.h"),
    header!("rocprim/rocprim.hpp"),
    header!("thrust/complex.h"),
    header!("torch/autotune_accessors.h"),
    header!("torch/autotune_lanes.h"),
    header!("torch/autotune_macros.h"),
    header!("torch/autotune_numbers.h"),
    header!("torch/extension.h"),
    header!("tuple"),
    header!("autotune_sixteen.h"),
    header!("autotune_sixteen_begin.h"),
    header!("cuda_bf16.h"),
    header!("cuda_fp16.h"),
    header!("cuda_fp8.h"),
    header!("hip/hip_bf16.h"),
    header!("hip/hip_bfloat16.h"),
    header!("hip/hip_fp16.h"),
];

/// The header that every CUDA source gets.
pub(super) const CUDA: &str = "autotune_cuda.h";
/// The header that an OpenCL source gets when a back end translates it.
pub(super) const OPENCL: &str = "autotune_opencl.h";
/// The header that an OpenCL source gets if it names sub-groups.
pub(super) const OPENCL_LANES: &str = "autotune_opencl_lanes.h";
/// The header of torch, and of all names in its folders.
pub(super) const TORCH: &str = "torch/extension.h";
/// The header of GLM, and of all names in its folder.
pub(super) const GLM: &str = "glm/glm.hpp";
/// The folder of the header of OpenCL C for a compiler that comes without one, within that of all headers.
pub(super) const OPENCL_BASE: &str = "autotune_opencl_base";
/// The folder of the headers that a source includes by name, within that of all headers.
pub(super) const NAMED: &str = "autotune_headers";

/// The names of headers that include another one, a line each: `name: other`. All names in a folder do if it is there, with
/// its `/`.
const SAME: &str = include_str!("headers/same.txt");
/// The names of headers that are empty here, a line each: kernels take nothing from them, or [`CUDA`] has it.
const EMPTY: &str = include_str!("headers/empty.txt");
/// The text of an empty header.
pub(super) const EMPTY_TEXT: &str = "// Empty: autotune_cuda.h has what kernels need of this header.\n";
/// The beginnings of names that no file can have, a line each: `name: reason`.
const REFUSED: &str = include_str!("headers/refused_folders.txt");

/// Writes the headers that sources get without including them into a folder.
///
/// # Errors
/// If the folder cannot be written.
pub(super) fn write_given(folder: &Path) -> io::Result<()> {
    HEADERS.into_iter().filter(|(name, _)| is_given(name)).try_for_each(|(name, text)| put(folder, name, text))
}

/// Writes the headers with these names into a folder below that of the given ones; all if names may be missing, or if one
/// has a text of its own, which includes others.
///
/// # Errors
/// If the folder cannot be written.
pub(super) fn write_named(folder: &Path, names: &BTreeSet<String>, may_lack: bool) -> io::Result<()> {
    let below = folder.join(NAMED);
    let needs_all = may_lack || names.iter().any(|name| found(name).is_some());
    let is_wanted = |name: &str| needs_all || names.contains(name);
    if needs_all {
        for (name, text) in HEADERS.into_iter().filter(|(name, _)| !is_given(name)) {
            put(&below, name, text)?;
        }
        for (name, other) in same() {
            put(&below, name, &including(other))?;
        }
    }
    for name in names {
        if let Some(other) = of_folder(name) {
            put(&below, name, &including(other))?;
        }
    }
    listed(EMPTY).filter(|name| is_wanted(name)).try_for_each(|name| put(&below, name, EMPTY_TEXT))
}

/// The text of a header that includes another one.
fn including(other: &str) -> String {
    format!("#include <{other}>\n")
}

fn put(folder: &Path, name: &str, text: &str) -> io::Result<()> {
    let path = folder.join(name);
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, text)
}

/// True for the name of a header that is written.
pub(super) fn has(name: &str) -> bool {
    is_listed(name) || of_folder(name).is_some()
}

/// True for a name in one of the lists.
fn is_listed(name: &str) -> bool {
    let others = same().map(|(name, _)| name).chain(listed(EMPTY));
    HEADERS.iter().map(|(name, _)| *name).chain(others).any(|known| known == name)
}

/// The texts of all headers: what is compiled depends on them.
pub(super) fn texts() -> impl Iterator<Item = &'static str> {
    HEADERS.into_iter().map(|(_, text)| text).chain([SAME, EMPTY])
}

/// The texts of the headers of these names, and of those that they include.
pub(super) fn reached(names: impl IntoIterator<Item = &'static str>) -> Vec<&'static str> {
    let mut open: Vec<&str> = names.into_iter().collect();
    let (mut seen, mut texts) = (BTreeSet::new(), Vec::new());
    while let Some(name) = open.pop() {
        let other = same().find(|(one, _)| *one == name).map_or(name, |(_, other)| other);
        let Some((name, text)) = HEADERS.into_iter().find(|(known, _)| *known == other) else { continue };
        if seen.insert(name) {
            texts.push(text);
            let included = text.lines().filter_map(|line| line.trim().strip_prefix("#include"));
            open.extend(included.map(|named| named.trim().trim_matches(['<', '>', '"'])));
        }
    }
    texts
}

/// The header that a source gets by a name, under its own name; `None` if there is none, or it is empty.
pub(super) fn found(name: &str) -> Option<&'static str> {
    let other = same().find(|(one, _)| *one == name).map(|(_, other)| other);
    let other = other.or_else(|| of_folder(name)).unwrap_or(name);
    HEADERS.into_iter().map(|(name, _)| name).find(|name| *name == other && !is_given(name))
}

/// The header for all names in the folder of a name that is in no list; `None` if there is none.
fn of_folder(name: &str) -> Option<&'static str> {
    let is_below = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let mut folders = listed(SAME).filter_map(|line| line.split_once(": ")).filter(|(folder, _)| folder.ends_with('/'));
    let (_, other) = folders.find(|(folder, _)| name.starts_with(folder))?;
    (is_below && !name.ends_with('/') && !is_listed(name)).then_some(other)
}

/// The reason why a file of this name cannot be used; `None` if it could be, were it there.
pub(super) fn refusal(name: &str) -> Option<&'static str> {
    let mut refused = listed(REFUSED).filter_map(|line| line.split_once(": "));
    refused.find(|(beginning, _)| name.starts_with(beginning)).map(|(_, why)| why)
}

/// True for a header that a source gets without including it.
fn is_given(name: &str) -> bool {
    name.starts_with("autotune_cuda") || name.starts_with("autotune_opencl")
}

/// The headers that include another one, with that.
fn same() -> impl Iterator<Item = (&'static str, &'static str)> {
    listed(SAME).filter_map(|line| line.split_once(": ")).filter(|(name, _)| !name.ends_with('/'))
}

/// The lines of a list without its comments.
fn listed(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files below a folder, by their names in it.
    fn files(folder: &Path, inside: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for entry in folder.join(inside).read_dir().unwrap() {
            let entry = entry.unwrap();
            let name = format!("{inside}{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                found.extend(files(folder, &format!("{name}/")));
            } else {
                found.insert(name);
            }
        }
        found
    }

    #[test]
    fn every_header_is_written_once_and_none_is_forgotten() {
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/source/headers");
        let texts =
            files(&kept, "").into_iter().filter(|name| Path::new(name).extension().is_none_or(|end| end != "txt"));
        let known: BTreeSet<String> = HEADERS.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(known, texts.collect(), "the list has the files of the folder");
        let others: Vec<&str> = same().map(|(name, _)| name).chain(listed(EMPTY)).collect();
        let once: BTreeSet<String> = others.iter().map(|name| (*name).to_owned()).chain(known.clone()).collect();
        assert_eq!(once.len(), others.len() + known.len(), "a name is in two lists");
        assert!(same().all(|(_, other)| known.contains(other)), "a header includes one that is not there");
        let folder = tempfile::tempdir().unwrap();
        write_given(folder.path()).unwrap();
        let wanted = BTreeSet::from(["cuda_runtime.h".to_owned(), "of_the_user.h".to_owned()]);
        write_named(folder.path(), &wanted, false).unwrap();
        assert_eq!(files(&folder.path().join(NAMED), ""), BTreeSet::from(["cuda_runtime.h".to_owned()]));
        write_named(folder.path(), &wanted, true).unwrap();
        let written = files(folder.path(), "").into_iter();
        let written: BTreeSet<String> =
            written.map(|name| name.strip_prefix("autotune_headers/").map(str::to_owned).unwrap_or(name)).collect();
        assert_eq!(written, once);
    }

    #[test]
    fn all_names_in_a_folder_lead_to_one_header() {
        assert_eq!(found("ATen/native/cuda/Loops.cuh"), Some("torch/extension.h"));
        assert_eq!(found("torch/extension.h"), Some("torch/extension.h"));
        assert!(has("c10/util/Half.h") && !has("ATen/../outside.h") && !has("ATen/") && !has("ATenuation.h"));
        let folder = tempfile::tempdir().unwrap();
        let names = ["ATen/ops/empty.h", "of_the_user.h"].map(str::to_owned);
        write_named(folder.path(), &BTreeSet::from(names), true).unwrap();
        let written = fs::read_to_string(folder.path().join(NAMED).join("ATen/ops/empty.h")).unwrap();
        assert_eq!(written, "#include <torch/extension.h>\n");
        assert!(!folder.path().join(NAMED).join("of_the_user.h").exists());
    }

    #[test]
    fn folders_are_refused_with_their_reasons() {
        assert!(
            refusal("cutlass/gemm/device/gemm.h")
                .is_some_and(|why| why.starts_with("CUTLASS has headers by the thousand"))
        );
        assert_eq!(refusal("gemm.h"), None);
        assert!(listed(REFUSED).all(|line| line.contains(": ")));
    }
}
