//! The command that installs programs on this system.

use nix::unistd::geteuid;

/// A program by the names of the packages that have it; `None` where a package manager has no package of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Package {
    /// The program, in words.
    pub what: &'static str,
    apt: Option<&'static str>,
    dnf: Option<&'static str>,
    brew: Option<&'static str>,
    pip: Option<&'static str>,
    /// The place that has it where no package manager does.
    elsewhere: &'static str,
}

/// SPIN.
pub const SPIN: Package = Package {
    what: "SPIN",
    apt: Some("spin"),
    dnf: None,
    brew: Some("spin"),
    pip: None,
    elsewhere: "https://spinroot.com has it",
};

/// A C compiler.
pub const C_COMPILER: Package = Package {
    what: "a C compiler",
    apt: Some("gcc"),
    dnf: Some("gcc"),
    brew: Some("gcc"),
    pip: Some("ziglang"),
    elsewhere: "https://gcc.gnu.org has one",
};

/// Clang.
pub const CLANG: Package = Package {
    what: "clang",
    apt: Some("clang"),
    dnf: Some("clang"),
    brew: Some("llvm"),
    pip: Some("ziglang"),
    elsewhere: "https://releases.llvm.org has it",
};

/// A package manager: its program, the words in front of the packages, and the name that it gives a package.
struct Manager {
    program: &'static str,
    install: &'static str,
    /// True if only root may install.
    of_root: bool,
    name: fn(&Package) -> Option<&'static str>,
}

/// The package managers, the system's own before those of the user.
const MANAGERS: [Manager; 5] = [
    Manager { program: "apt-get", install: "apt-get install", of_root: true, name: |package| package.apt },
    Manager { program: "dnf", install: "dnf install", of_root: true, name: |package| package.dnf },
    Manager { program: "brew", install: "brew install", of_root: false, name: |package| package.brew },
    Manager { program: "pip", install: "pip install", of_root: false, name: |package| package.pip },
    Manager { program: "pip3", install: "pip3 install", of_root: false, name: |package| package.pip },
];

/// The one command that installs these programs on this system, or else the places that have them.
#[must_use]
pub fn how_to_install(packages: &[Package]) -> String {
    here(packages).unwrap_or_else(|| elsewhere(packages))
}

/// Advice to install these programs, which names the command or the places.
#[must_use]
pub fn install_advice(packages: &[Package]) -> String {
    let them = if packages.len() == 1 { "it" } else { "them" };
    match here(packages) {
        Some(command) => format!("install {them}: `{command}`"),
        None => format!("install {them}: {}", elsewhere(packages)),
    }
}

fn here(packages: &[Package]) -> Option<String> {
    command(packages, &|program| which::which(program).is_ok(), geteuid().is_root())
}

fn elsewhere(packages: &[Package]) -> String {
    packages.iter().map(|package| package.elsewhere).collect::<Vec<_>>().join(", ")
}

/// The command that installs programs where those that `has` are there; `None` if no package manager has all of them.
fn command(packages: &[Package], has: &dyn Fn(&str) -> bool, is_root: bool) -> Option<String> {
    MANAGERS.iter().find_map(|manager| {
        let names: Vec<&str> = packages.iter().map(manager.name).collect::<Option<_>>()?;
        let before = if manager.of_root && !is_root { "sudo " } else { "" };
        has(manager.program).then(|| format!("{before}{} {}", manager.install, names.join(" ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_that_of_the_systems_package_manager() {
        let on = |programs: &[&str], packages: &[Package]| command(packages, &|name| programs.contains(&name), false);
        let is = |command: Option<String>, text: &str| assert_eq!(command.as_deref(), Some(text));
        is(on(&["apt-get", "brew", "pip"], &[SPIN, C_COMPILER]), "sudo apt-get install spin gcc");
        is(on(&["dnf", "pip"], &[CLANG]), "sudo dnf install clang");
        is(on(&["brew", "pip"], &[CLANG]), "brew install llvm");
        is(on(&["pip3"], &[CLANG]), "pip3 install ziglang");
        // Fedora has no package of SPIN.
        assert_eq!((on(&["dnf"], &[SPIN]), on(&[], &[CLANG])), (None, None));
        is(command(&[SPIN], &|name| name == "apt-get", true), "apt-get install spin");
    }
}
