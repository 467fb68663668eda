//! The registers that the compiler's back end for AMD assigns.

use std::collections::HashMap;

use super::{RegisterSource, Registers};

/// The registers of a kernel, from the assembly for an AMD target; `None` if the kernel is not in it.
#[must_use]
pub fn amd_registers(assembly: &str, kernel: &str) -> Option<Registers> {
    let (_, kernels) = assembly.split_once("amdhsa.kernels:\n")?;
    let is_inside = |line: &&str| line.starts_with("  ");
    let mut facts: HashMap<&str, &str> = HashMap::new();
    for line in kernels.lines().take_while(is_inside) {
        // A kernel's first fact stands behind a dash; what lies deeper is about its arguments.
        let Some(fact) = line.strip_prefix("  - ").or_else(|| line.strip_prefix("    ")) else { continue };
        if line.starts_with("  - ") {
            if is_of(&facts, kernel) {
                break;
            }
            facts.clear();
        }
        if let Some((name, value)) = fact.split_once(':').filter(|_| fact.starts_with('.')) {
            facts.insert(name, value.trim());
        }
    }
    if !is_of(&facts, kernel) {
        return None;
    }
    let number = |name: &str| facts.get(name)?.parse::<u64>().ok();
    Some(Registers {
        // Where the accumulation registers are part of the file, they are part of this number.
        value: u32::try_from(number(".vgpr_count")?).ok()?.max(1),
        source: RegisterSource::Amd,
        // Scalar registers are spilled to lanes of vector registers, not to memory.
        spilled_bytes: number(".vgpr_spill_count").map(|words| 4 * words),
        spill_accesses: Some(spill_accesses(assembly, kernel)),
        local_bytes: number(".group_segment_fixed_size"),
    })
}

/// The instructions of a kernel that store and load spilled words, by the comments that clang writes beside them.
fn spill_accesses(assembly: &str, kernel: &str) -> u64 {
    let label = format!("{kernel}:");
    let body = assembly.lines().skip_while(|line| !line.starts_with(&label));
    let body = body.take_while(|line| !line.starts_with(".Lfunc_end"));
    body.filter(|line| line.contains("-byte Folded Spill") || line.contains("-byte Folded Reload")).count() as u64
}

fn is_of(facts: &HashMap<&str, &str>, kernel: &str) -> bool {
    facts.get(".name").is_some_and(|name| name.trim_matches('\'') == kernel)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASSEMBLY: &str = "\ts_endpgm\namdhsa.kernels:\n  - .agpr_count:     0\n    .args:\n      - .address_space:  global\n        \
        .name:           two\n        .size:           8\n    .group_segment_fixed_size: 512\n    .name:           one\n    \
        .sgpr_spill_count: 0\n    .vgpr_count:     11\n    .vgpr_spill_count: 0\n  - .args:           []\n    \
        .group_segment_fixed_size: 1024\n    .name:           two\n    .sgpr_spill_count: 1\n    .vgpr_count:     256\n    \
        .vgpr_spill_count: 9\namdhsa.version:\n  - 1\n";

    #[test]
    fn each_kernel_has_its_own_facts() {
        let found = |kernel| {
            amd_registers(ASSEMBLY, kernel)
                .map(|registers| (registers.value, registers.spilled_bytes, registers.local_bytes))
        };
        assert_eq!(found("one"), Some((11, Some(0), Some(512))));
        assert_eq!(found("two"), Some((256, Some(36), Some(1024))));
        assert_eq!(found("three"), None);
        let spills = "one:\n\tv_nop\n.Lfunc_end0:\ntwo:                ; @two\n\tbuffer_store_dword v0, off, s[0:3], 0 ; 4-byte \
                      Folded Spill\n\tbuffer_load_dword v0, off, s[0:3], 0 ; 4-byte Folded Reload\n.Lfunc_end1:\n";
        let accesses = |kernel| amd_registers(&format!("{spills}{ASSEMBLY}"), kernel).unwrap().spill_accesses;
        assert_eq!([accesses("one"), accesses("two")], [Some(0), Some(2)]);
        assert_eq!(amd_registers("", "one"), None);
    }
}
