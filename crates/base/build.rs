//! Hands the name of the build's profile to the program, which says what a time or a speed is from. In the profile of tests, a
//! phase of the analysis can be made to stand still.

use std::path::Path;

fn main() {
    // The packages `autotune-base` and `autotune` share this script: each has a file of this name.
    println!("cargo::rerun-if-changed=Cargo.toml");
    // Cargo's own variable PROFILE has only two values; the folder of the outputs is the profile's: PROFILE/build/…
    let outputs = std::env::var("OUT_DIR").unwrap_or_default();
    let folders: Vec<&str> = Path::new(&outputs).iter().filter_map(|folder| folder.to_str()).collect();
    let before = folders.windows(2).rev().find(|pair| pair[1] == "build").map(|pair| pair[0]);
    let profile = match before {
        Some("debug") => "dev".to_owned(),
        Some(profile) => profile.to_owned(),
        None => std::env::var("PROFILE").unwrap_or_default(),
    };
    println!("cargo::rustc-env=AUTOTUNE_PROFILE={profile}");
    println!("cargo::rustc-check-cfg=cfg(standstill)");
    // No feature: the crate would depend on itself where tests are compiled, and its unit tests would wait for the library.
    if profile == "dev" {
        println!("cargo::rustc-cfg=standstill");
    }
}
