//! The keys of questions in the cache of proofs.

use autotune_base::files::cache::Key;
use autotune_base::files::checksum::sha256_of;
use autotune_engine::proof::Question;
use autotune_engine::spin::{Tool, Toolchain};
use autotune_lowering::lowering::Lowering;

/// The key of a question: a hash of everything that a result depends on (the texts, the question, the tools, and this
/// build of the program).
pub(super) fn key(question: &Question, toolchain: &Toolchain) -> Key {
    let Question {
        spec,
        profile,
        reader,
        gpu,
        only,
        granularity,
        form,
        strategy,
        top,
        places: _,
        no_prune,
        rank,
        comparison,
        schedules,
        within: _,
    } = question;
    let compiled = Lowering::new(spec, profile, reader).digest();
    let among = spec.listed.as_ref().filter(|_| spec.is_restricted);
    let space = (&spec.source, &spec.space_source, among);
    let launch = (&spec.problem, spec.requested_warm);
    let asked = sha256_of(&(space, launch, profile, gpu, only, compiled));
    let options = sha256_of(&(granularity, form, strategy, top, no_prune, rank, comparison, schedules));
    let tool = |tool: &Tool| format!("{} {}", tool.path.display(), tool.version);
    let quick = toolchain.quick_compiler.as_ref().map_or(String::new(), tool);
    Key::of_build(["proof", &asked, &options, &tool(&toolchain.spin), &tool(&toolchain.compiler), &quick])
}
