//! The profiles that are built into the binary: one file each in `profiles/`.

use std::sync::{LazyLock, OnceLock};

use super::error::GpuError;
use super::{read, spelling};
use crate::gpu::profile_file::ProfileFile;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("profiles/", $name, ".yaml")))),*]
    };
}

/// The files: abstract processors, then NVIDIA and AMD by generation. A variant stands behind its base.
static FILES: [(&str, &str); 80] = files![
    "abstract-tiny",
    "abstract-fermi",
    "gtx480",
    "8600gt",
    "9600mgt",
    "gtx285",
    "gtx295",
    "tesla-c1060",
    "tesla-c2050",
    "gtx580",
    "tesla-k20",
    "tesla-k40",
    "gtx680",
    "gtx-titan",
    "gtx980",
    "titanx-maxwell",
    "gtx1050",
    "gtx1080",
    "gtx1070",
    "gtx1080ti",
    "p100",
    "v100",
    "rtx2080ti",
    "rtx2060",
    "rtx2070-super",
    "gtx1650",
    "titan-rtx",
    "t4",
    "a100-40gb",
    "a100-80gb",
    "rtx3060-laptop",
    "rtx3060",
    "rtx-a4000",
    "rtx3060ti",
    "rtx3070ti",
    "rtx3090",
    "rtx3080",
    "rtx-a6000",
    "a10",
    "jetson-orin",
    "rtx4090",
    "rtx4060",
    "rtx4060ti",
    "rtx4070",
    "rtx4070-super",
    "rtx4070ti",
    "rtx4070ti-super",
    "rtx4080",
    "rtx4080-super",
    "l4",
    "l40s",
    "h100-sxm",
    "h100-pcie",
    "h200",
    "gh200",
    "rtx5090",
    "rtx5070",
    "rtx5070ti",
    "rtx5080",
    "rtx5060ti",
    "rtx-pro-6000",
    "rtx-pro-6000-server",
    "gb10",
    "b200",
    "b300",
    "mi50",
    "hd7970",
    "vega-fe",
    "mi250x-gcd",
    "mi300x",
    "mi325x",
    "mi350x",
    "mi355x",
    "pro-w6600",
    "pro-w7700",
    "pro-w7800",
    "rx7900xtx",
    "radeon-8060s",
    "rx9070xt",
    "ai-pro-r9700",
];

/// The profile of each file, read when somebody asks for it: most commands need one of them.
static PROFILES: [OnceLock<ProfileFile>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];

/// The names and aliases of each file.
static NAMES: LazyLock<Vec<Vec<&str>>> =
    LazyLock::new(|| FILES.iter().map(|(name, text)| names_in(name, text).collect()).collect());

/// The name of a file, and the aliases that its text states in one line.
fn names_in(name: &'static str, text: &'static str) -> impl Iterator<Item = &'static str> {
    let stated = text.lines().find_map(|line| line.strip_prefix("aliases: [")?.split(']').next());
    std::iter::once(name)
        .chain(stated.into_iter().flat_map(|aliases| aliases.split(", ")).filter(|alias| !alias.is_empty()))
}

/// The values that the files' texts state for a key, each once. A variant that states none has its base's.
pub(super) fn stated(key: &str) -> Vec<&'static str> {
    let mut values = Vec::new();
    for (_, text) in FILES {
        let stated = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
        let value = stated.and_then(|stated| stated.split('#').next()).map(str::trim);
        values.extend(value.filter(|value| !values.contains(value)));
    }
    values
}

/// The profile of a file. Its base stands before it.
fn profile(file: usize) -> &'static ProfileFile {
    PROFILES[file].get_or_init(|| {
        let (name, text) = FILES[file];
        let base = |base: &str| position(base).filter(|base| *base < file).map(profile).ok_or(None);
        read::profile(text, name, Some(&base)).expect("a test reads every shipped profile")
    })
}

/// The file of a name or alias, in upper or lower case; `None` if there is none.
fn position(name: &str) -> Option<usize> {
    NAMES.iter().position(|names| names.iter().any(|known| known.eq_ignore_ascii_case(name)))
}

/// Returns all profiles of the binary: abstract processors first, then by vendor and generation.
#[must_use]
pub fn shipped() -> Vec<&'static ProfileFile> {
    (0..FILES.len()).map(profile).collect()
}

/// Returns the names and aliases of all profiles of the binary, in the order of the profiles.
pub fn shipped_names() -> impl Iterator<Item = &'static str> + Clone {
    NAMES.iter().flatten().copied()
}

/// Returns the profile of a name or alias, in upper or lower case.
///
/// # Errors
/// The name of a similar spelling, `None` without one, if the profile does not exist.
pub(super) fn called(name: &str) -> Result<&'static ProfileFile, Option<&'static str>> {
    position(name).map(profile).ok_or_else(|| spelling::spelling(name, &shipped_names()))
}

/// Returns the name or alias of the profile of a GPU that its vendor's tool calls `name`; `None` if there is none.
#[must_use]
pub fn called_by_tool(name: &str) -> Option<&'static str> {
    spelling::of_tool(name, &shipped_names())
}

/// Returns the profile of this name or alias, in upper or lower case.
///
/// # Errors
/// `GpuError::Unknown` if the profile does not exist. The error names a profile of a similar spelling, else the
/// nearest profiles of the same vendor.
pub fn find(name: &str) -> Result<&'static ProfileFile, GpuError> {
    called(name).map_err(|meant| {
        let vendor = spelling::vendor(name);
        GpuError::Unknown {
            name: name.chars().take(64).collect(),
            meant,
            vendor,
            nearest: vendor.map_or(Vec::new(), |vendor| spelling::nearest(name, vendor, &shipped())),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::Pipelined;
    use super::super::profile::Profile;
    use super::super::provenance::{self, Fact, Provenance};
    use super::*;
    use autotune_base::user_error::UserError;
    use autotune_kernel::source::MatrixType::{Bf16, Fp8, Fp16, Fp32, Fp64, Int8, Tf32};

    #[test]
    fn every_file_is_a_profile_of_its_own_name() {
        assert_eq!(shipped().len(), FILES.len());
        for (one, (file, _)) in shipped().iter().zip(FILES) {
            assert_eq!(one.profile.name(), file);
        }
    }

    #[test]
    fn every_file_of_the_folder_is_built_in() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/gpu/profiles");
        let files = fs_err::read_dir(folder).unwrap().count();
        assert_eq!(files, FILES.len());
    }

    #[test]
    fn a_name_means_one_gpu() {
        let mut owners = HashMap::new();
        for one in shipped() {
            for name in one.profile.names_and_aliases() {
                let before = owners.insert(name, one.profile.name());
                assert_eq!(before, None, "`{name}` of {}", one.profile.name());
            }
        }
    }

    #[test]
    fn the_names_that_are_found_are_those_of_the_profiles() {
        for (one, names) in shipped().iter().zip(&*NAMES) {
            assert_eq!(one.profile.names_and_aliases().collect::<Vec<_>>(), *names);
        }
        assert_eq!((NAMES.len(), shipped_names().next()), (FILES.len(), Some("abstract-tiny")));
    }

    #[test]
    fn architectures_and_measured_sets_find_their_gpu() {
        for (name, found) in [
            ("fermi", "gtx480"),
            ("kepler", "gtx-titan"),
            ("turing", "rtx2080ti"),
            ("rdna2", "pro-w6600"),
            ("titanrtx", "titan-rtx"),
            ("a100", "a100-40gb"),
            ("w6600", "pro-w6600"),
            ("gtxtitan", "gtx-titan"),
            ("rtx3060laptop", "rtx3060-laptop"),
            ("titanx_maxwell", "titanx-maxwell"),
            ("c1060", "tesla-c1060"),
            ("tahiti", "hd7970"),
            ("vega", "vega-fe"),
            ("cdna3", "mi300x"),
            ("cdna4", "mi350x"),
            ("rdna4", "rx9070xt"),
            ("strix-halo", "radeon-8060s"),
            ("dgx-spark", "gb10"),
            ("blackwell", "b200"),
            ("blackwell-ultra", "b300"),
        ] {
            assert_eq!(find(name).unwrap().profile.name(), found);
        }
    }

    #[test]
    fn capitals_do_not_matter() {
        for (name, found) in
            [("Fermi", "gtx480"), ("RTX4090", "rtx4090"), ("A100", "a100-40gb"), ("H100-SXM", "h100-sxm")]
        {
            assert_eq!(find(name).unwrap().profile.name(), found);
        }
    }

    #[test]
    fn an_unknown_name_suggests_a_spelling_or_the_nearest_of_its_vendor() {
        let error = find("ferni").unwrap_err();
        assert_eq!(error.to_string(), "no GPU is called `ferni`; did you mean `fermi`?");
        let error = find("mi308x").unwrap_err();
        assert_eq!(error.to_string(), "no GPU is called `mi308x`");
        let help = error.help().unwrap();
        assert!(help.contains("the nearest profiles of AMD are `mi300x`, `mi325x`") && !help.contains("rtx"), "{help}");
        let error = find("xyzzy").unwrap_err();
        assert!(!error.to_string().contains("did you mean") && error.help().unwrap().contains("`autotune gpus` lists"));
    }

    /// The names of the sources of a value: those before a remark.
    fn sources(origin: &str) -> impl Iterator<Item = &str> {
        let before = |text: &'static str| move |origin: &str| origin.find(text);
        let end = [before(":"), before(", of ")].iter().filter_map(|end| end(origin)).min();
        origin[..end.unwrap_or(origin.len())].split(" and ")
    }

    #[test]
    fn every_value_of_a_real_gpu_is_assumed_or_names_sources_of_the_books_table() {
        let table = include_str!("../../../../docs/reference/gpu-sources.md");
        for file in shipped().iter().filter(|file| matches!(file.profile, Profile::Pipelined(_))) {
            let name = file.profile.name();
            assert!(file.facts().count() > 40, "{name}");
            for Fact { key, value, origin } in file.facts() {
                assert!(!value.is_empty(), "{name}: {key}");
                match origin {
                    Provenance::Assumed(why) => {
                        assert!(why.len() > 3 && why != "no source is stated", "{name}: {key}: {why}");
                    }
                    Provenance::Source(origin) => {
                        for source in sources(origin) {
                            assert!(table.contains(&format!("\n| {source} |")), "{name}: {key}: {source}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_profiles_of_2025_assume_a_third_of_their_values_at_most() {
        let of_blackwell = ["rtx5060ti", "rtx-pro-6000", "rtx-pro-6000-server", "gb10", "b300"];
        let of_amd = ["mi325x", "mi350x", "mi355x", "radeon-8060s", "rx9070xt", "ai-pro-r9700"];
        for name in of_blackwell.into_iter().chain(of_amd) {
            let file = find(name).unwrap();
            let is_assumed = |fact: &Fact| matches!(fact.origin, Provenance::Assumed(_));
            let (assumed, all) = (file.facts().filter(is_assumed).count(), file.facts().count());
            assert!(assumed > 0 && 3 * assumed <= all, "{name}: {assumed} of {all}");
        }
    }

    /// Each real GPU with its name and its target.
    fn real_gpus() -> impl Iterator<Item = (&'static str, &'static str, &'static Pipelined)> {
        shipped().into_iter().filter_map(|file| match &file.profile {
            Profile::Pipelined(gpu) => Some((file.profile.name(), file.profile.target()?, &**gpu)),
            Profile::Lockstep(_) => None,
        })
    }

    /// The compute capability of NVIDIA's target, times 10; 0 for another target.
    fn compute_capability(target: &str) -> u64 {
        target.strip_prefix("sm_").map_or(0, |number| number.parse().unwrap())
    }

    #[test]
    fn each_gpu_of_an_architecture_with_matrix_units_has_them_and_no_other() {
        for (name, target, gpu) in real_gpus() {
            let capability = compute_capability(target);
            let of_cdna = ["gfx90a", "gfx942", "gfx950"].contains(&target);
            let of_amd = of_cdna || ["gfx11", "gfx12"].iter().any(|generation| target.starts_with(generation));
            let has = (capability >= 70 && !name.starts_with("gtx")) || of_amd;
            assert_eq!(gpu.has_matrix_units(), has, "{name}");
            let copies = capability >= 80 || of_cdna;
            assert_eq!((gpu.async_copy, gpu.tma), (copies, capability >= 90), "{name}");
            assert_eq!(gpu.wgmma, capability == 90, "{name}");
            assert_eq!(
                (gpu.matrix_latency_cycles.is_some(), gpu.matrix_macs(Fp16, true).is_some()),
                (has, has),
                "{name}"
            );
            assert!(gpu.l2_size_bytes.is_some() || !has, "{name}");
            assert_eq!(gpu.matrix_macs(Bf16, false).is_some(), has && (capability >= 80 || of_amd), "{name}");
        }
    }

    #[test]
    fn rates_of_matrix_units_by_hand() {
        let macs = |name: &str, of, is_asynchronous| {
            let (_, _, gpu) = real_gpus().find(|(known, ..)| *known == find(name).unwrap().profile.name()).unwrap();
            gpu.matrix_macs(of, is_asynchronous).map(|macs| macs.to_integer())
        };
        for (name, of, peak, synchronous) in [
            ("a100", Fp16, Some(1024), Some(1024)), // 312e12 / 2 / 108 / 1.41e9
            ("a100", Fp64, Some(64), Some(64)),
            ("a100", Fp8, None, None),
            ("h100", Fp16, Some(2048), Some(1338)), // 989.4e12 / 2 / 132 / 1.83e9, and 494.4 / 756.5 of it
            ("h100-pcie", Fp8, Some(4096), Some(1338)),
            ("h100", Fp64, Some(128), Some(128)),
            ("rtx3090", Fp16, Some(256), Some(256)), // 71e12 / 2 / 82 / 1.695e9
            ("rtx3090", Int8, Some(1024), Some(1024)),
            ("t4", Fp16, Some(512), Some(512)), // 65e12 / 2 / 40 / 1.59e9
            ("t4", Bf16, None, None),
            ("mi300x", Fp16, Some(1024), Some(1024)), // 1307.4e12 / 2 / 304 / 2.1e9
            ("mi300x", Tf32, Some(512), Some(512)),
            ("b300", Fp16, Some(4096), Some(1024)), // 2250e12 / 2 / 148 / 1.856e9
            ("b300", Int8, Some(273), Some(273)),   // 0.15 POPS beside 2.25 PFLOPS
            ("b300", Fp64, None, None),
            ("rtx-pro-6000-server", Fp16, Some(512), Some(512)), // 503.8e12 / 2 / 188 / 2.617e9
            ("rtx-pro-6000", Fp8, Some(1024), Some(1024)),
            ("rtx5060ti", Fp8, Some(512), Some(512)),
            ("gb10", Bf16, Some(512), Some(512)),
            ("mi325x", Fp8, Some(2048), Some(2048)), // 2614.9e12 / 2 / 304 / 2.1e9
            ("mi355x", Fp16, Some(2048), Some(2048)), // 2516.6e12 / 2 / 256 / 2.4e9
            ("mi355x", Fp8, Some(4096), Some(4096)), // 5033.2e12 / 2 / 256 / 2.4e9
            ("mi350x", Fp64, Some(64), Some(64)),    // 72.1e12 / 2 / 256 / 2.2e9
            ("mi350x", Tf32, None, None),
            ("strix-halo", Fp16, Some(256), Some(256)),
            ("strix-halo", Fp8, None, None),
            ("rx9070xt", Fp16, Some(512), Some(512)), // 195e12 / 2 / 64 / 2.97e9
            ("r9700", Fp8, Some(1024), Some(1024)),   // 383e12 / 2 / 64 / 2.92e9
            ("mi250x", Fp32, Some(128), Some(128)),   // 47.9e12 / 2 / 110 / 1.7e9
            ("a100", Fp32, None, None),
        ] {
            assert_eq!((macs(name, of, true), macs(name, of, false)), (peak, synchronous), "{name} {of:?}");
        }
    }

    #[test]
    fn only_geforce_halves_the_rate_of_wide_accumulators() {
        for (name, target, gpu) in real_gpus() {
            let halves = name.starts_with("rtx") && !name.starts_with("rtx-");
            if gpu.has_matrix_units() && [75, 86, 89, 120].contains(&compute_capability(target)) {
                let expected = if halves { (256, 1024) } else { (512, 1024) };
                let macs = [Fp16, Int8].map(|of| gpu.matrix_macs(of, false).unwrap().to_integer());
                assert_eq!((macs[0], macs[1]), expected, "{name}");
            }
        }
    }

    #[test]
    fn an_a100_has_half_the_rate_for_the_other_16_bit_numbers() {
        for (name, _, gpu) in real_gpus() {
            let share = if name.starts_with("a100") { 2 } else { 1 };
            assert_eq!(gpu.fp16_results_per_cycle(), share * gpu.bf16_results_per_cycle(), "{name}");
        }
    }

    #[test]
    fn the_values_of_matrix_units_have_origins() {
        let origin = |name, key| find(name).unwrap().facts().find(|fact| fact.key == key).unwrap().origin;
        for (name, key, source) in [
            ("a100", "matrix_macs_per_cycle", "A100 white paper"),
            ("a100", "matrix_latency_cycles", "Sun et al. 2023"),
            ("a100-80gb", "matrix_latency_cycles", "Sun et al. 2023"),
            ("gh200", "tma", "Wikipedia on CUDA"),
            ("gh200", "wgmma", "LLVM D157370"),
            ("gh200", "matrix_macs_per_cycle", "XLA core tables"),
        ] {
            assert!(matches!(origin(name, key), Provenance::Source(text) if text.starts_with(source)), "{name}: {key}");
        }
        for (name, key, why) in [
            ("h100", "matrix_macs_per_cycle_mma", "65.3 % of the peak"),
            ("rtx3080", "matrix_latency_cycles", "as rtx3090: "),
            ("gh200", "l2_size_bytes", "as h100-sxm: TechPowerUp"),
        ] {
            assert!(matches!(origin(name, key), Provenance::Assumed(text) if text.starts_with(why)), "{name}: {key}");
        }
        // What a variant leaves out is not a value.
        assert!(find("gtx1650").unwrap().facts().all(|fact| !fact.key.starts_with("matrix_")));
    }

    /// The values of a profile's text, by key.
    fn values(text: &str) -> HashMap<&str, &str> {
        text.lines().filter_map(provenance::fact).map(|fact| (fact.key, fact.value)).collect()
    }

    #[test]
    fn a_variant_differs_from_its_base_only_in_what_it_states() {
        let mut variants = 0;
        for (file, (name, written)) in shipped().iter().zip(FILES) {
            let Some(base) = &file.base else { continue };
            let base = find(base).unwrap();
            let (stated, mut expected, found) = (values(written), values(&base.text), values(&file.text));
            for key in ["aliases", "year"] {
                expected.remove(key);
            }
            expected.extend(stated.iter().filter(|(key, _)| **key != "base"));
            assert_eq!(found, expected, "{name}");
            assert!(stated.len() < expected.len() && stated.contains_key("multiprocessors"), "{name}");
            variants += 1;
        }
        assert!(variants > 30, "{variants}");
    }
}
