use super::*;

const TINY: &str = "\
name: mine
execution: lockstep
multiprocessors: 2
processing_elements: 8
dispatchers: 2
global_memory_ticks: 10
local_memory_ticks: 1
";

fn refused(text: &str) -> String {
    Profile::parse(text, "mine.yaml").unwrap_err().to_string()
}

#[test]
fn a_limit_that_a_lockstep_profile_does_not_state_is_unlimited() {
    let names = Profile::parse(TINY, "mine.yaml").unwrap().names(false);
    assert_eq!((names.multiprocessors, names.warp_size, names.amd), (2, 4, 0));
    let limits = [names.local_memory, names.max_work_group, names.register_limit];
    assert_eq!(limits, [2_147_483_647; 3]);
    let limited = format!("{TINY}max_work_group: 64\nlocal_memory: 4096\nregister_limit: 63\n");
    let names = Profile::parse(&limited, "mine.yaml").unwrap().names(false);
    assert_eq!((names.max_work_group, names.local_memory, names.register_limit), (64, 4096, 63));
}

#[test]
fn names_of_real_gpus() {
    let names = |gpu, dynamic| find(gpu).unwrap().profile.names(dynamic);
    let nvidia = names("rtx2080ti", false);
    assert_eq!((nvidia.multiprocessors, nvidia.warp_size, nvidia.amd), (68, 32, 0));
    assert_eq!((nvidia.local_memory, nvidia.max_work_group, nvidia.register_limit), (49_152, 1024, 255));
    assert_eq!(names("rtx2080ti", true).local_memory, 65_536);
    let of_a_group =
        ["rtx-pro-6000-server", "rtx5060ti", "gb10", "b300", "mi325x", "mi355x", "rx9070xt", "radeon-8060s"];
    let limits = of_a_group.map(|gpu| names(gpu, true).local_memory);
    assert_eq!(limits, [101_376, 101_376, 101_376, 232_448, 65_536, 163_840, 65_536, 65_536]);
    assert_eq!(["mi355x", "rx9070xt", "radeon-8060s"].map(|gpu| names(gpu, false).warp_size), [64, 32, 32]);
    assert_eq!((names("gtx285", false).local_memory, names("fermi", false).register_limit), (16_384, 63));
    assert_eq!((names("mi50", false).local_memory, names("mi50", false).amd), (65_536, 1));
    // the file of a compute unit, of a pair of them on RDNA, for 1024 work items
    let limits = ["mi50", "mi250x", "w6600", "w7800"].map(|gpu| names(gpu, false).register_limit);
    assert_eq!(limits, [64, 128, 128, 192]);
}

#[test]
fn every_shipped_profile_can_be_printed_edited_and_given_back() {
    let folder = tempfile::tempdir().unwrap();
    for one in shipped() {
        let path = folder.path().join("mine.yaml");
        let renamed = one.text.replacen(&format!("name: {}", one.profile.name()), "name: mine", 1);
        assert_ne!(renamed, one.text);
        fs_err::write(&path, renamed).unwrap();
        let read = Profile::resolve(path.to_str().unwrap()).unwrap();
        assert_eq!(read.name(), "mine");
        assert_eq!(read.names(true), one.profile.names(true));
    }
}

#[test]
fn a_name_with_a_slash_or_ending_in_yaml_is_a_file() {
    for path in ["no/such/gpu", "fermi.yaml"] {
        assert!(matches!(Profile::resolve(path), Err(GpuError::Read(_))), "{path}");
    }
    assert_eq!(Profile::resolve("fermi").unwrap().name(), "gtx480");
}

#[test]
fn an_unknown_key_is_shown_with_the_nearest() {
    insta::assert_snapshot!(refused(&TINY.replace("dispatchers", "dispatcher")), @r"
    unknown key `dispatcher`; did you mean `dispatchers`?
     --> mine.yaml:5:1
      |
    5 | dispatcher: 2
      | ^^^^^^^^^^
    ");
}

#[test]
fn a_number_out_of_range_is_shown() {
    insta::assert_snapshot!(refused(&TINY.replace("dispatchers: 2", "dispatchers: 0")), @r"
    0 is not an integer from 1 to 65536
     --> mine.yaml:5:14
      |
    5 | dispatchers: 0
      |              ^
    ");
}

#[test]
fn what_cannot_be_divided_equally_is_refused() {
    insta::assert_snapshot!(refused(&TINY.replace("dispatchers: 2", "dispatchers: 3")), @r"
    8 processing_elements cannot be shared equally by 3 dispatchers
     --> mine.yaml:5:1
      |
    5 | dispatchers: 3
      | ^^^^^^^^^^^
    ");
}

#[test]
fn a_missing_key_and_a_wrong_kind_are_refused() {
    let missing = refused(&TINY.replace("dispatchers: 2\n", ""));
    assert!(missing.contains("`dispatchers`") || missing.contains("dispatchers"), "{missing}");
    let kind = refused(&TINY.replace("lockstep", "warp"));
    assert!(kind.contains("mine.yaml:2:12"), "{kind}");
}

#[test]
fn absurd_values_of_a_real_gpu_are_refused() {
    let text = &find("gtx480").unwrap().text;
    for (good, bad) in [
        ("core_clock_mhz: 1402", "core_clock_mhz: 0"),
        ("core_clock_mhz: 1402", "core_clock_mhz: 1e3"),
        ("core_clock_mhz: 1402", "core_clock_mhz: .inf"),
        ("warp_size: 32", "warp_size: 0"),
        ("warp_size: 32", "warp_size: -32"),
        ("warp_size: 32", "warp_size: 32.5"),
        ("registers_per_sm: 32768", "registers_per_sm: 99999999999999999999"),
        ("registers_per_sm: 32768", "registers_per_sm: 32767"),
        ("shared_bank_width_bytes: 4", "shared_bank_width_bytes: 5"),
        ("vendor: NVIDIA", "vendor: Nvidia?"),
        ("name: gtx480", "name: 'a b'"),
        ("aliases: [fermi]", "aliases: [\"\\u001b[31m\"]"),
        ("l1_unified_with_shared: true", "l1_unified_with_shared: 1"),
    ] {
        let edited = text.replacen(good, bad, 1);
        assert_ne!(&edited, text, "{good}");
        let error = refused(&edited);
        assert!(error.contains("mine.yaml") && !error.contains('\u{1b}'), "{bad}: {error}");
    }
}

#[test]
fn what_a_profile_need_not_have_is_checked_too() {
    let text = &find("gtx285").unwrap().text;
    for (line, told) in [
        ("launch_regression: [{ warps: 0, per_group_us: 1, fixed_us: 1 }]", "0 is not an integer from 1"),
        ("launch_regression: [{ warps: 1, per_group_us: 1 }]", "`fixed_us` is missing"),
        ("efficiency_weights: [1, 1, 1, 1, 1, -1]", "-1 is not a number from 0"),
        ("efficiency_weights: [1, 1]", "efficiency_weights"),
        ("l2_bandwidth_bytes_per_cycle: 0", "0 is not a number above 0"),
        ("latency_uncoalesced_extra_cycles: many", "many is not a number from 0"),
    ] {
        let key = line.split(':').next().unwrap();
        let error = refused(&with(text, &[key], line));
        assert!(error.contains(told) && error.contains("mine.yaml:"), "{error}");
    }
}

/// The lines of a text except those of some keys, and further lines.
fn with(text: &str, keys: &[&str], lines: &str) -> String {
    let others = text.lines().filter(|line| !keys.iter().any(|key| line.starts_with(&format!("{key}:"))));
    others.flat_map(|line| [line, "\n"]).chain([lines]).collect()
}

#[test]
fn a_profile_of_a_user_can_have_a_base() {
    let mine = "name: mine\nbase: Ada\nmultiprocessors: 20\nl2_bandwidth_bytes_per_cycle: unknown\n";
    let found = Profile::parse(mine, "mine.yaml").unwrap();
    let base = &find("rtx4090").unwrap().text;
    let keys = ["name", "aliases", "year", "multiprocessors", "l2_bandwidth_bytes_per_cycle"];
    let whole = with(base, &keys, "name: mine\nmultiprocessors: 20\n");
    // Most values of a base are assumed for another GPU.
    let values = |profile: Profile| match profile {
        Profile::Pipelined(mut gpu) => {
            gpu.assumed.clear();
            gpu
        }
        Profile::Lockstep(_) => unreachable!("it is a real GPU"),
    };
    let whole = Profile::parse(&whole, "whole.yaml").unwrap();
    assert_eq!(values(found.clone()), values(whole));

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.yaml");
    fs_err::write(&path, mine).unwrap();
    let (read, text) = Profile::resolve_with_text(path.to_str().unwrap()).unwrap();
    assert_eq!(read, found);
    // The text is complete: it can be kept, and read without the binary's profiles.
    assert_eq!(Profile::parse_complete(&text, "kept.yaml").unwrap(), found);
    let alone = Profile::parse_complete(mine, "kept.yaml").unwrap_err().to_string();
    assert!(alone.contains("kept.yaml:2:1") && alone.contains("must state all values itself"), "{alone}");

    let small = Profile::parse("name: small\nbase: abstract-tiny\nmultiprocessors: 3\n", "mine.yaml").unwrap();
    assert_eq!((small.names(false).multiprocessors, small.names(false).warp_size), (3, 2));
}

#[test]
fn errors_of_a_variant_show_its_own_lines() {
    let variant = |base: &str, line: &str| refused(&format!("name: mine\nbase: {base}\n{line}\n"));
    insta::assert_snapshot!(variant("rtx-4090", ""), @r"
    no shipped profile is called `rtx-4090`; did you mean `rtx4090`?
     --> mine.yaml:2:1
      |
    2 | base: rtx-4090
      | ^^^^
    ");
    // The registers are the base's: 65,536.
    insta::assert_snapshot!(variant("rtx4090", "schedulers_per_sm: 3"), @r"
    65536 registers_per_sm cannot be shared equally by 3 schedulers_per_sm
     --> mine.yaml:2:1
      |
    2 | base: rtx4090
      | ^^^^
    ");
    for (line, told) in [
        ("multiprocesors: 20", "did you mean `multiprocessors`?"),
        ("warp_size: 32.5", "32.5 is not an integer"),
        ("max_warps_per_sm: unknown", "unknown is not an integer"),
        ("execution: lockstep", "`execution` is that of the base"),
    ] {
        let error = variant("rtx4090", line);
        assert!(error.contains(told) && error.contains("mine.yaml:3:"), "{error}");
    }
    let flow = refused("{ name: mine, base: rtx4090 }");
    assert!(flow.contains("one `key: value` on each line"), "{flow}");
    let nameless = refused("base: rtx4090\nmultiprocessors: 20\n");
    assert!(nameless.contains("the key `name` is missing"), "{nameless}");
}

#[test]
fn aliases_of_yaml_long_files_and_other_shapes_are_refused() {
    refused(&TINY.replace("name: mine", "name: &n mine\naliases: [*n]"));
    refused(&format!("{TINY}#{}", "x".repeat(1 << 20)));
    for text in ["", "[]", "3", "execution: [lockstep]", "a: b: c", "\0", "execution: lockstep\nexecution: lockstep"] {
        refused(text);
    }
}
