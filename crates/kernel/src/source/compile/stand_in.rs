//! Targets that stand in for those that the user's clang does not know: GPUs are newer than many a clang.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use super::clang::Clang;
use super::error::CompileError;
use super::target::{Architecture, ClangLanguage, Target};
use autotune_base::files::cache::Cache;
use autotune_base::limits::Limits;
use autotune_base::process::ProgramAnswer;

/// The compute capabilities that every clang knows from [`OLDEST_CLANG`](super::error::OLDEST_CLANG) on.
const ALWAYS_KNOWN: [u32; 17] = [20, 21, 30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86];

/// Architectures of AMD by family, the newest first, down to one that every clang knows. Those of a family have the same
/// warps and kinds of registers.
const FAMILIES: [&[&str]; 2] = [
    &["gfx950", "gfx942", "gfx941", "gfx940", "gfx90a"],
    &[
        "gfx1201", "gfx1200", "gfx1153", "gfx1152", "gfx1151", "gfx1150", "gfx1103", "gfx1102", "gfx1101", "gfx1100",
        "gfx1036", "gfx1035", "gfx1034", "gfx1033", "gfx1032",
    ],
];

/// A target that a source is compiled for in place of its GPU's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandIn {
    /// The number of clang's version.
    pub clang: u32,
    /// The target of the GPU.
    pub wanted: Target,
    /// The target that clang is given.
    pub taken: Target,
}

impl StandIn {
    /// Finds the target that this clang takes in place of one that it does not know: the newest older one, else the
    /// oldest; `None` if clang knows the target, or no other one of its kind.
    ///
    /// # Errors
    /// If clang cannot be asked.
    pub fn find(
        clang: &Clang,
        wanted: &Target,
        limits: &Limits,
        cache: Option<&Cache>,
    ) -> Result<Option<Self>, CompileError> {
        Self::among(clang, wanted, |triple| known(clang, triple, limits, cache))
    }

    /// Finds the targets in place of each of these, with one question to clang for each kind of GPU.
    ///
    /// # Errors
    /// If clang cannot be asked.
    pub fn find_all(clang: &Clang, wanted: &[Target], limits: &Limits) -> Result<Vec<Option<Self>>, CompileError> {
        let mut told: HashMap<&str, BTreeSet<String>> = HashMap::new();
        let mut of = |triple| {
            if !told.contains_key(triple) {
                told.insert(triple, known(clang, triple, limits, None)?);
            }
            Ok(told[triple].clone())
        };
        wanted.iter().map(|target| Self::among(clang, target, &mut of)).collect()
    }

    /// The stand-in among the processors that clang knows of a triple.
    fn among(
        clang: &Clang,
        wanted: &Target,
        known: impl FnOnce(&'static str) -> Result<BTreeSet<String>, CompileError>,
    ) -> Result<Option<Self>, CompileError> {
        let taken = match wanted {
            Target::Nvidia(capability) if !ALWAYS_KNOWN.contains(capability) => {
                nearest(*capability, &known("nvptx64-nvidia-cuda")?).map(Target::Nvidia)
            }
            Target::Amd(name) => match family(name).filter(|family| family.len() > 1) {
                Some(family) => of_family(family, &known("amdgcn-amd-amdhsa")?).map(Target::Amd),
                None => None,
            },
            _ => None,
        };
        let differs = taken.filter(|taken| taken != wanted);
        Ok(differs.map(|taken| Self { clang: clang.version, wanted: wanted.clone(), taken }))
    }

    /// The compiler's options beside those of the taken target: the source sees the GPU's own capability.
    pub(super) fn options(&self, language: ClangLanguage) -> Vec<String> {
        match (language, &self.wanted) {
            (ClangLanguage::Cuda, Target::Nvidia(capability)) => {
                vec!["-U__CUDA_ARCH__".to_owned(), format!("-D__CUDA_ARCH__={capability}0")]
            }
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for StandIn {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { clang, wanted, taken } = self;
        write!(formatter, "clang {clang} does not know {wanted}: it compiles the source for {taken}")
    }
}

/// The processors that clang knows of a kind.
fn known(
    clang: &Clang,
    triple: &str,
    limits: &Limits,
    cache: Option<&Cache>,
) -> Result<BTreeSet<String>, CompileError> {
    let target = format!("--target={triple}");
    let ProgramAnswer { stdout, stderr } =
        clang.answer(&["--print-supported-cpus", &target, "-nogpulib"], limits, cache)?;
    let lines = stdout.lines().chain(stderr.lines());
    Ok(lines.filter_map(|line| line.strip_prefix('\t')).map(|name| name.trim().to_owned()).collect())
}

/// The greatest known compute capability that is at most the wanted one, else the least; `None` if none is known.
fn nearest(wanted: u32, known: &BTreeSet<String>) -> Option<u32> {
    // Names with a letter, such as `sm_90a`, have features that no other GPU has.
    let known = || known.iter().filter_map(|name| name.strip_prefix("sm_")?.parse::<u32>().ok());
    known().filter(|processor| *processor <= wanted).max().or_else(|| known().min())
}

/// An architecture and the older ones of its family, the newest first; `None` if no family is known.
fn family(wanted: &Architecture) -> Option<&'static [&'static str]> {
    let names = wanted.to_string();
    FAMILIES.iter().find_map(|family| family.iter().position(|name| *name == names).map(|at| &family[at..]))
}

/// The newest known architecture of a family.
fn of_family(family: &[&str], known: &BTreeSet<String>) -> Option<Architecture> {
    family.iter().find(|name| known.contains(**name)).and_then(|name| Architecture::new(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[&str]) -> BTreeSet<String> {
        all.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn an_unknown_capability_takes_the_newest_older_one() {
        let of_14 = names(&["sm_20", "sm_75", "sm_80", "sm_86", "sm_90a"]);
        for (wanted, taken) in [(120, 86), (90, 86), (87, 86), (86, 86), (11, 20)] {
            assert_eq!(nearest(wanted, &of_14), Some(taken), "{wanted}");
        }
        assert_eq!(nearest(90, &names(&[])), None);
        let of_19 = names(&["sm_20", "sm_86", "sm_89", "sm_90", "sm_90a"]);
        assert_eq!([100, 103, 120, 121].map(|wanted| nearest(wanted, &of_19)), [Some(90); 4]);
        let of_20 = names(&["sm_90a", "sm_90", "sm_100", "sm_100a", "sm_101", "sm_120", "sm_120a"]);
        assert_eq!([103, 120, 121].map(|wanted| nearest(wanted, &of_20)), [Some(101), Some(120), Some(120)]);
    }

    #[test]
    fn an_unknown_architecture_takes_the_newest_of_its_family() {
        let of_14 = names(&["gfx906", "gfx90a", "gfx90c", "gfx1032", "gfx1035"]);
        let among = |wanted, known: &BTreeSet<String>| {
            of_family(family(&Architecture::new(wanted).unwrap())?, known).map(|architecture| architecture.to_string())
        };
        let taken = |wanted| among(wanted, &of_14);
        assert_eq!(taken("gfx942").as_deref(), Some("gfx90a"));
        assert_eq!(taken("gfx1100").as_deref(), Some("gfx1035"));
        assert_eq!(taken("gfx1034").as_deref(), Some("gfx1032"));
        assert_eq!(taken("gfx906"), None);
        assert_eq!(taken("gfx950").as_deref(), Some("gfx90a"));
        assert_eq!(["gfx1151", "gfx1201"].map(taken), [Some("gfx1035".to_owned()), Some("gfx1035".to_owned())]);
        let of_19 = names(&["gfx90a", "gfx940", "gfx942", "gfx1100", "gfx1151", "gfx1200", "gfx1201"]);
        for (wanted, stands_in) in [("gfx950", "gfx942"), ("gfx1151", "gfx1151"), ("gfx1201", "gfx1201")] {
            assert_eq!(among(wanted, &of_19).as_deref(), Some(stands_in));
        }
    }

    #[test]
    fn the_source_sees_the_capability_of_the_gpu() {
        let stand_in = StandIn { clang: 14, wanted: Target::Nvidia(90), taken: Target::Nvidia(86) };
        assert_eq!(stand_in.options(ClangLanguage::Cuda), ["-U__CUDA_ARCH__", "-D__CUDA_ARCH__=900"]);
        assert!(stand_in.options(ClangLanguage::OpenCl).is_empty());
        assert_eq!(stand_in.to_string(), "clang 14 does not know sm_90: it compiles the source for sm_86");
    }
}
