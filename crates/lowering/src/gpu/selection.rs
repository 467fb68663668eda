//! Lists and groups of GPUs: `a100,h100`, `all`, `vendor:NVIDIA`, `arch:Ampere`, `target:sm_80`.

use std::collections::HashMap;
use std::path::Path;

use super::error::GpuError;
use super::profile::Profile;
use super::shipped;
use autotune_base::text::nearest;

/// The group of all real GPUs among the profiles of the binary.
const ALL: &str = "all";

/// The groups that a key names, each with the words of messages and the value of a profile.
const GROUPS: [Group; 3] = [
    Group { key: "vendor", noun: "vendor", stated: "vendor", value: |profile| Some(profile.vendor()?.name()) },
    Group { key: "arch", noun: "architecture", stated: "architecture", value: Profile::architecture },
    Group { key: "target", noun: "target", stated: "target", value: Profile::target },
];

/// A property of profiles that groups them.
struct Group {
    /// The text before the colon.
    key: &'static str,
    /// The word for the property.
    noun: &'static str,
    /// The property's key in a profile's file.
    stated: &'static str,
    /// The value of a profile; `None` if the profile does not state it.
    value: fn(&Profile) -> Option<&str>,
}

/// A GPU of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Selected {
    /// The name, alias or file as the list has it; the profile's name if a group brought the GPU. Read by
    /// [`Profile::resolve`], it gives the same profile.
    pub argument: String,
    /// The profile.
    pub profile: Profile,
    /// The profile's text, with the values of its base.
    pub text: String,
    /// True if a group brought the GPU.
    pub of_group: bool,
}

/// Returns the GPUs of a list with commas. An item is a name or alias of a shipped profile, a file, or a group of
/// shipped profiles: `all` (every real GPU), `vendor:NAME`, `arch:NAME` or `target:NAME`. Upper and lower case do not
/// matter, nor do spaces around an item, nor spaces, hyphens and underscores in the name of an architecture.
///
/// The GPUs stand in the order of the list, and those of a group in the order of `autotune gpus`: by vendor and
/// generation. A GPU that comes twice stands at its first place only. A text that is the path of a file is one item,
/// even with a comma.
///
/// # Errors
/// If an item is not known (the error names what is nearest), a file cannot be read or is not a profile, or two
/// different profiles have one name.
pub fn select(list: &str) -> Result<Vec<Selected>, GpuError> {
    select_by(list, |item| group(item).unwrap_or_else(|| named(item)))
}

/// Returns the GPUs of a list whose items may also be bare targets, such as `sm_75,gfx90a`.
///
/// # Errors
/// As [`select`].
pub fn select_targets(list: &str) -> Result<Vec<Selected>, GpuError> {
    let [.., target] = &GROUPS;
    select_by(list, |item| {
        // A target that no profile has is refused as one, with those that are known.
        let is_target = known_values(target).any(|known| kind_of_target(known) == kind_of_target(item));
        if is_target { members(target, item) } else { group(item).unwrap_or_else(|| named(item)) }
    })
}

/// The beginning of a target, such as `sm_` or `gfx`, in lower case; the name itself if no number ends it.
fn kind_of_target(item: &str) -> String {
    let item = item.to_ascii_lowercase();
    let beginning = item.trim_end_matches(|c: char| c.is_ascii_hexdigit()).len();
    let has_number = item[beginning..].contains(|c: char| c.is_ascii_digit());
    if has_number { item[..beginning].to_owned() } else { item }
}

/// The GPUs of all items, each once.
fn select_by(list: &str, of_item: impl Fn(&str) -> Result<Vec<Selected>, GpuError>) -> Result<Vec<Selected>, GpuError> {
    let is_file = Profile::file(list).is_some_and(Path::is_file);
    let items: Vec<&str> = if is_file { vec![list] } else { list.split(',').map(str::trim).collect() };
    let (mut selected, mut named) = (Vec::new(), NamedProfiles::default());
    for gpu in items.into_iter().map(of_item).collect::<Result<Vec<_>, _>>()?.into_iter().flatten() {
        if named.add(&gpu.argument, &gpu.profile)? {
            selected.push(gpu);
        }
    }
    Ok(selected)
}

/// The profiles of a question by their names, each with the argument that named it.
#[derive(Debug, Default)]
pub struct NamedProfiles(HashMap<String, (String, Profile)>);

impl NamedProfiles {
    /// Adds a profile; false if it is there already, by whichever argument.
    ///
    /// # Errors
    /// If another profile has the name: an answer names GPUs by it.
    pub fn add(&mut self, argument: &str, profile: &Profile) -> Result<bool, GpuError> {
        match self.0.get(profile.name()) {
            None => {
                self.0.insert(profile.name().to_owned(), (argument.to_owned(), profile.clone()));
                Ok(true)
            }
            Some((_, known)) if known == profile => Ok(false),
            Some((known, _)) => {
                let arguments = [known.clone(), argument.to_owned()];
                Err(GpuError::TwoOfOneName { name: profile.name().to_owned(), arguments })
            }
        }
    }
}

/// The GPU of a name, an alias or a file.
fn named(item: &str) -> Result<Vec<Selected>, GpuError> {
    let (profile, text) = Profile::resolve_with_text(item)?;
    Ok(vec![Selected { argument: item.to_owned(), profile, text, of_group: false }])
}

/// Returns the groups of shipped profiles as a list may name them, without blanks: `all`, `vendor:NVIDIA`,
/// `arch:Ada-Lovelace`. The profiles are not read.
#[must_use]
pub fn groups() -> Vec<String> {
    let of_group = |group: Group| {
        let values = shipped::stated(group.stated).into_iter();
        values.map(move |value| format!("{}:{}", group.key, value.replace(' ', "-")))
    };
    std::iter::once(ALL.to_owned()).chain(GROUPS.into_iter().flat_map(of_group)).collect()
}

/// Returns the targets of the shipped profiles, each once. The profiles are not read.
#[must_use]
pub fn targets() -> Vec<&'static str> {
    let [.., target] = &GROUPS;
    shipped::stated(target.stated)
}

/// True if an item of a list names a group: `all`, or one with a colon that is not a file.
#[must_use]
pub fn is_group(item: &str) -> bool {
    item.eq_ignore_ascii_case(ALL) || item.contains(':') && Profile::file(item).is_none()
}

/// The GPUs of a group; `None` if the item does not name one.
fn group(item: &str) -> Option<Result<Vec<Selected>, GpuError>> {
    if item.eq_ignore_ascii_case(ALL) {
        return Some(Ok(members_that(|_| true)));
    }
    let (key, name) = item.split_once(':').filter(|_| Profile::file(item).is_none())?;
    let known = GROUPS.iter().find(|group| group.key.eq_ignore_ascii_case(key.trim()));
    Some(known.map_or_else(|| Err(unknown_key(item)), |group| members(group, name.trim())))
}

/// The GPUs whose value is `name`.
fn members(group: &Group, name: &str) -> Result<Vec<Selected>, GpuError> {
    let same = |value: &str| letters(value) == letters(name);
    let found = members_that(|profile| (group.value)(profile).is_some_and(same));
    if found.is_empty() { Err(unknown_value(group, name)) } else { Ok(found) }
}

/// The real GPUs among the profiles of the binary for which `belongs` is true.
fn members_that(belongs: impl Fn(&Profile) -> bool) -> Vec<Selected> {
    let real = shipped::shipped().into_iter().filter(|file| matches!(file.profile, Profile::Pipelined(_)));
    let members = real.filter(|file| belongs(&file.profile)).map(|file| Selected {
        argument: file.profile.name().to_owned(),
        profile: file.profile.clone(),
        text: file.text.clone(),
        of_group: true,
    });
    members.collect()
}

/// The values of the shipped profiles, which may repeat.
fn known_values(group: &Group) -> impl Iterator<Item = &'static str> {
    shipped::shipped().into_iter().filter_map(|file| (group.value)(&file.profile))
}

fn unknown_value(group: &Group, name: &str) -> GpuError {
    let mut known: Vec<&'static str> = Vec::new();
    for value in known_values(group) {
        if !known.contains(&value) {
            known.push(value);
        }
    }
    let meant = nearest(name, known.iter().copied());
    GpuError::UnknownGroup { noun: group.noun, name: shown(name), meant, known }
}

fn unknown_key(item: &str) -> GpuError {
    let keys = GROUPS.map(|group| group.key);
    let key = item.split(':').next().unwrap_or_default();
    GpuError::UnknownGroup { noun: "group", name: shown(item), meant: nearest(key, keys), known: keys.to_vec() }
}

/// The beginning of a text, for a message.
fn shown(text: &str) -> String {
    text.chars().take(64).collect()
}

/// The letters and digits of a name, in lower case.
fn letters(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace() && !"-_".contains(*c)).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_base::user_error::UserError;

    fn names(list: &str) -> Vec<String> {
        select(list).unwrap().iter().map(|gpu| gpu.profile.name().to_owned()).collect()
    }

    fn arguments(list: &str) -> Vec<String> {
        select(list).unwrap().into_iter().map(|gpu| gpu.argument).collect()
    }

    #[test]
    fn a_list_keeps_its_order_and_its_words_and_counts_a_gpu_once() {
        assert_eq!(names("rtx4090, A100,h100,a100-40gb"), ["rtx4090", "a100-40gb", "h100-sxm"]);
        assert_eq!(arguments("rtx4090, A100,h100,a100-40gb"), ["rtx4090", "A100", "h100"]);
        assert_eq!(names("abstract-tiny"), ["abstract-tiny"]);
    }

    #[test]
    fn an_architectures_alias_is_one_gpu_and_its_group_is_all_of_them() {
        assert_eq!(names("ampere").len(), 1);
        let ampere = names("arch:Ampere");
        assert!(ampere.len() > 5 && ampere.contains(&"rtx3060ti".to_owned()), "{ampere:?}");
        assert_eq!(ampere, names("ARCH:ampere,ampere"));
        assert_eq!(names("arch:Ada Lovelace"), names("arch:ada-lovelace"));
        assert!(names("arch:Ada Lovelace").contains(&"l40s".to_owned()));
    }

    #[test]
    fn groups_stand_in_the_order_of_the_profiles_and_hold_variants() {
        let all = names("all");
        let real = shipped::shipped().into_iter().filter(|file| matches!(file.profile, Profile::Pipelined(_)));
        assert_eq!(all, real.map(|file| file.profile.name()).collect::<Vec<_>>());
        assert_eq!(names("vendor:nvidia,vendor:AMD"), all);
        assert_eq!(names("target:sm_80"), ["a100-40gb", "a100-80gb"]);
        assert_eq!(names("target:gfx1201,target:sm_103"), ["rx9070xt", "ai-pro-r9700", "b300"]);
        assert_eq!(names("arch:cdna"), ["mi250x-gcd", "mi300x", "mi325x", "mi350x", "mi355x"]);
        let blackwell = names("arch:Blackwell");
        assert_eq!(blackwell[..5], ["rtx5090", "rtx5070", "rtx5070ti", "rtx5080", "rtx5060ti"]);
        assert_eq!(blackwell[5..], ["rtx-pro-6000", "rtx-pro-6000-server", "gb10", "b200", "b300"]);
        assert_eq!(names("mi300x,all")[..2], ["mi300x", &all[0]]);
        assert_eq!(names("mi300x,all").len(), all.len());
    }

    #[test]
    fn the_groups_are_those_of_the_profiles() {
        let values =
            GROUPS.iter().flat_map(|group| known_values(group).map(|value| letters(&format!("{}:{value}", group.key))));
        let known: std::collections::BTreeSet<String> = values.chain([ALL.to_owned()]).collect();
        assert_eq!(groups().iter().map(|group| letters(group)).collect::<std::collections::BTreeSet<_>>(), known);
        assert!(groups().iter().all(|group| select(group).is_ok()) && select_targets(&targets().join(",")).is_ok());
    }

    #[test]
    fn each_argument_is_read_as_the_same_profile_again() {
        for gpu in select("all").unwrap() {
            assert_eq!(Profile::resolve_with_text(&gpu.argument).unwrap(), (gpu.profile, gpu.text));
        }
    }

    #[test]
    fn targets_are_named_with_or_without_their_key() {
        let named: Vec<_> = select_targets("sm_75, GFX90A").unwrap().into_iter().map(|gpu| gpu.argument).collect();
        assert_eq!(named, [arguments("target:sm_75"), arguments("target:gfx90a")].concat());
        assert_eq!(select_targets("a100").unwrap(), select("a100").unwrap());
        for unknown in ["sm_99", "gfx1", "SM_7"] {
            let error = select_targets(unknown).unwrap_err();
            assert_eq!(error.to_string(), select(&format!("target:{unknown}")).unwrap_err().to_string());
            assert!(error.help().unwrap_or_default().starts_with("the targets are `"), "{unknown}");
        }
        assert!(select("sm_75").is_err());
    }

    #[test]
    fn unknown_items_are_refused_with_the_nearest() {
        let said = |list: &str| {
            let error = select(list).unwrap_err();
            format!("{error}\n{}", error.help().unwrap_or_default())
        };
        assert!(said("a100,ferni").starts_with("no GPU is called `ferni`; did you mean `fermi`?"));
        assert!(said("a100,").starts_with("no GPU is called ``"));
        assert!(said("arch:Amper").starts_with("no shipped GPU has the architecture `Amper`; did you mean `Ampere`?"));
        assert!(
            said("vendor:Intel").starts_with("no shipped GPU has the vendor `Intel`\nthe vendors are `NVIDIA`, `AMD`")
        );
        assert!(said("target:sm_81").contains("did you mean `sm_8"));
        assert!(said("vender:AMD").starts_with("no shipped GPU has the group `vender:AMD`; did you mean `vendor`?"));
    }

    #[test]
    fn a_file_is_an_item_and_may_not_share_a_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my,own.yaml");
        fs_err::write(&path, "name: mine\nbase: a100\nmultiprocessors: 54 # assumed: half\n").unwrap();
        let path = path.to_str().unwrap();
        assert_eq!((names(path), arguments(path)), (vec!["mine".to_owned()], vec![path.to_owned()]));
        let other = folder.path().join("a100.yaml");
        fs_err::write(&other, "name: a100-40gb\nbase: a100\nmultiprocessors: 54 # assumed: half\n").unwrap();
        let error = select(&format!("a100,{}", other.display())).unwrap_err();
        assert!(
            error.to_string().starts_with("two different profiles are called `a100-40gb`: `a100` and `"),
            "{error}"
        );
    }
}
