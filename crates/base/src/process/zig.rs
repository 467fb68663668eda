//! Zig: one program that is a C compiler and clang. The Python package `ziglang` brings it to where there is neither.

use std::path::{Path, PathBuf};

/// The name of the program.
const ZIG: &str = "zig";
/// The folder of its cache that has what it compiled.
const OUTPUTS: &str = "o";
/// The Python whose packages are looked at.
const PYTHON: &str = "python3";

/// Finds Zig: that of the package `ziglang` beside this program, beside the Python of `AUTOTUNE_PYTHON`, of the virtual
/// environment or of the search path, else the one on the search path; `None` if there is none.
#[must_use]
pub fn zig() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let of_program = |path: PathBuf| path.parent().and_then(Path::parent).map(Path::to_owned);
    let prefixes = [
        std::env::current_exe().ok().and_then(of_program),
        variable("AUTOTUNE_PYTHON").and_then(|path| which::which(path).ok()).and_then(of_program),
        variable("VIRTUAL_ENV"),
        which::which(PYTHON).ok().and_then(of_program),
    ];
    let of_package = prefixes.into_iter().flatten().find_map(|prefix| below(&prefix));
    of_package.or_else(|| which::which(ZIG).ok())
}

/// True for the path of Zig itself, which takes the name of a compiler as its first argument.
#[must_use]
pub fn is_zig(program: &Path) -> bool {
    program.file_name().is_some_and(|name| name == ZIG)
}

/// True if Zig has compiled something for this user: then its cache has the C library, too.
#[must_use]
pub fn zig_has_compiled() -> bool {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let of_user = || Some(variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")))?.join(ZIG));
    variable("ZIG_GLOBAL_CACHE_DIR").or_else(of_user).is_some_and(|cache| cache.join(OUTPUTS).is_dir())
}

/// The Zig of the package `ziglang` that is installed below a prefix; `None` if it is not.
fn below(prefix: &Path) -> Option<PathBuf> {
    let libraries = prefix.join("lib").read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let of_python = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("python3"));
    let mut versions: Vec<PathBuf> = libraries.filter(of_python).collect();
    versions.sort();
    let packages =
        versions.iter().flat_map(|version| ["site-packages", "dist-packages"].map(|name| version.join(name)));
    // `pip install --target` puts packages beside the folder of programs.
    let folders = packages.chain([prefix.to_owned()]);
    folders.map(|folder| folder.join("ziglang").join(ZIG)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_package_is_found_below_each_kind_of_prefix() {
        for place in ["lib/python3.11/site-packages", "lib/python3.13/dist-packages", ""] {
            let prefix = tempfile::tempdir().unwrap();
            assert_eq!(below(prefix.path()), None);
            let package = prefix.path().join(place).join("ziglang");
            fs::create_dir_all(&package).unwrap();
            assert_eq!(below(prefix.path()), None, "a folder without the program");
            fs::write(package.join("zig"), "").unwrap();
            assert_eq!(below(prefix.path()), Some(package.join("zig")));
        }
        assert!(is_zig(Path::new("/a/zig")) && !is_zig(Path::new("/zig/clang")));
    }
}
