//! LLVM's functions for instructions of PTX, as the inline assembly that they stand for.

use super::assembly::{Assembly, AssemblyOperand, AssemblyStatement};

impl Assembly {
    /// The text that a function stands for, as `llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3`; `None` for functions that
    /// are known by themselves.
    pub(super) fn of_function(name: &str, has_result: bool) -> Option<Self> {
        let rest = name.strip_prefix("llvm.nvvm.")?;
        let results = usize::from(has_result);
        let slot = |argument: usize| AssemblyOperand::Slot(results + argument);
        let at = |argument: usize| AssemblyOperand::At(Box::new(slot(argument)), 0);
        let copy = || {
            let (bytes, has_size) = rest.strip_suffix(".s").map_or((rest, false), |rest| (rest, true));
            let (operation, bytes) = bytes.rsplit_once('.')?;
            let size = has_size.then(|| slot(2));
            let operands = [at(0), at(1), AssemblyOperand::Integer(bytes.parse().ok()?)].into_iter().chain(size);
            Some((operation, operands.collect()))
        };
        let (operation, operands) = match rest {
            "cp.async.commit.group" => ("cp.async.commit_group", Vec::new()),
            "cp.async.wait.group" => ("cp.async.wait_group", vec![slot(0)]),
            "cp.async.wait.all" => ("cp.async.wait_all", Vec::new()),
            "elect.sync" => (rest, vec![AssemblyOperand::Slot(0)]),
            "cp.async.bulk.commit.group" => ("cp.async.bulk.commit_group", Vec::new()),
            "cp.async.bulk.wait.group" | "cp.async.bulk.wait.group.read" => ("cp.async.bulk.wait_group", vec![slot(0)]),
            _ if rest.starts_with("fence.proxy.") => (rest, Vec::new()),
            "wgmma.fence.sync.aligned" | "wgmma.commit_group.sync.aligned" => (rest, Vec::new()),
            "wgmma.wait_group.sync.aligned" => (rest, vec![slot(0)]),
            _ if rest.starts_with("cp.async.ca.shared.") || rest.starts_with("cp.async.cg.shared.") => copy()?,
            _ if rest.starts_with("ldmatrix.") || rest.starts_with("stmatrix.") => (rest, vec![at(0)]),
            _ => return None,
        };
        let statement = AssemblyStatement { predicate: None, operation: operation.into(), operands };
        Some(Self { statements: Some(vec![statement]), results, first: operation.into(), is_fence: true })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_the_instructions_that_they_are_named_after() {
        for (name, has_result, plain) in [
            ("ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3", true, "ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3 [$1];"),
            ("stmatrix.sync.aligned.m8n8.x4.b16.p3", false, "stmatrix.sync.aligned.m8n8.x4.b16.p3 [$0];"),
            ("cp.async.commit.group", false, "cp.async.commit_group;"),
            ("cp.async.wait.group", false, "cp.async.wait_group $0;"),
            ("cp.async.wait.all", false, "cp.async.wait_all;"),
            ("elect.sync", true, "elect.sync $0;"),
            ("fence.proxy.async.shared_cta", false, "fence.proxy.async.shared_cta;"),
            ("cp.async.bulk.commit.group", false, "cp.async.bulk.commit_group;"),
            ("cp.async.bulk.wait.group.read", false, "cp.async.bulk.wait_group $0;"),
            ("wgmma.fence.sync.aligned", false, "wgmma.fence.sync.aligned;"),
            ("wgmma.commit_group.sync.aligned", false, "wgmma.commit_group.sync.aligned;"),
            ("wgmma.wait_group.sync.aligned", false, "wgmma.wait_group.sync.aligned $0;"),
            ("cp.async.cg.shared.global.16", false, "cp.async.cg.shared.global [$0], [$1], 16;"),
            ("cp.async.ca.shared.global.4.s", false, "cp.async.ca.shared.global [$0], [$1], 4, $2;"),
        ] {
            let text = Assembly::of_function(&format!("llvm.nvvm.{name}"), has_result).unwrap();
            assert_eq!(text.statements, Assembly::new(plain, "", false).statements, "{name}");
        }
        for name in ["llvm.nvvm.shfl.sync.bfly.i32", "llvm.nvvm.cp.async.frob", "ldmatrix.sync", "llvm.smin.i32"] {
            assert_eq!(Assembly::of_function(name, true), None, "{name}");
        }
    }
}
