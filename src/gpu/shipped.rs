//! The profiles that are built into the binary: one file each in `profiles/`.

use std::sync::LazyLock;

use super::error::GpuError;
use super::{read, spelling};
use crate::gpu::profile_file::Shipped;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("profiles/", $name, ".yaml")))),*]
    };
}

/// The files in the order of the list: abstract processors, then NVIDIA and AMD by generation.
static FILES: [(&str, &str); 34] = files![
    "abstract-tiny",
    "abstract-fermi",
    "8600gt",
    "gtx285",
    "gtx480",
    "tesla-c2050",
    "tesla-k20",
    "tesla-k40",
    "gtx-titan",
    "gtx980",
    "titanx-maxwell",
    "gtx1050",
    "gtx1080",
    "p100",
    "v100",
    "gtx1650",
    "rtx2060",
    "rtx2080ti",
    "titan-rtx",
    "a100-40gb",
    "rtx3060",
    "rtx3060-laptop",
    "rtx3080",
    "rtx3090",
    "rtx-a4000",
    "rtx-a6000",
    "rtx4090",
    "h100-sxm",
    "h200",
    "mi50",
    "mi250x-gcd",
    "pro-w6600",
    "pro-w7700",
    "pro-w7800",
];

static SHIPPED: LazyLock<Vec<Shipped>> = LazyLock::new(|| {
    let read = |(name, text): &(&str, &'static str)| Shipped {
        text,
        profile: read::profile(text, name).expect("a test reads every shipped profile"),
    };
    FILES.iter().map(read).collect()
});

/// Returns all profiles of the binary: abstract processors first, then by vendor and generation.
#[must_use]
pub fn shipped() -> &'static [Shipped] {
    &SHIPPED
}

/// Returns the profile of this name or alias, in upper or lower case.
///
/// # Errors
/// `GpuError::Unknown` if the profile does not exist. The error names a profile of a similar spelling, else the
/// profiles of the same vendor.
pub fn find(name: &str) -> Result<&'static Shipped, GpuError> {
    let called = |shipped: &&Shipped| shipped.profile.called(name).is_some();
    shipped().iter().find(called).ok_or_else(|| {
        let vendor = spelling::vendor(name);
        GpuError::Unknown {
            name: name.chars().take(64).collect(),
            meant: spelling::spelling(name, shipped()),
            vendor,
            known: vendor.map_or(Vec::new(), |vendor| spelling::names_of(vendor, shipped()).collect()),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::user_error::UserError;

    #[test]
    fn every_file_is_a_profile_of_its_own_name() {
        for (file, text) in &FILES {
            let profile = read::profile(text, file).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(profile.name(), *file);
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
    fn an_unknown_name_suggests_a_spelling_or_lists_its_vendors() {
        let error = find("ferni").unwrap_err();
        assert_eq!(error.to_string(), "no GPU is called `ferni`; did you mean `fermi`?");
        let error = find("mi300x").unwrap_err();
        assert_eq!(error.to_string(), "no GPU is called `mi300x`");
        let help = error.help().unwrap();
        assert!(
            help.contains("the profiles of AMD are `mi50`, `mi250x-gcd`, `pro-w6600`") && !help.contains("rtx"),
            "{help}"
        );
        let error = find("xyzzy").unwrap_err();
        assert!(!error.to_string().contains("did you mean") && error.help().unwrap().contains("`autotune gpus` lists"));
    }

    #[test]
    fn every_value_of_a_real_gpu_says_where_it_comes_from() {
        for (file, text) in FILES.iter().filter(|(name, _)| !name.starts_with("abstract-")) {
            let values = text.lines().filter(|line| line.contains(": ") && !line.starts_with('#'));
            for line in
                values.filter(|line| !["name", "aliases", "execution"].contains(&line.split(':').next().unwrap()))
            {
                assert!(line.contains(" # "), "{file}: {line}");
            }
        }
    }
}
