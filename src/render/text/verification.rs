//! The repetition of a kept proof.

use crate::result::{CompilationsReport, ConfirmedParts, ProfileOrigin, VerificationReport};
use autotune_base::text::words::printable;
use autotune_engine::schedules::OrderVerdict;

/// Returns the repetition of a proof as text.
#[must_use]
pub fn to_text(report: &VerificationReport) -> String {
    let VerificationReport { kernel, gpu, property, checker, programs, models, configurations, trails, pruned, .. } =
        report;
    let excluded = if *pruned == 0 {
        String::new()
    } else {
        format!(", {} excluded by lower bounds", counted(*pruned, "configuration"))
    };
    let profile = if report.profile == ProfileOrigin::Own { own_profile("the profile", gpu) } else { String::new() };
    let compilations = report.compilations.as_ref().map_or(String::new(), compilations);
    let orders = report.schedules.map_or("", orders);
    format!(
        "verified  {kernel} on {gpu}: {property}\n          \
         lowered again to {}{excluded}\n          \
         {} rendered and searched again with {} by {checker}, {} replayed\n          \
         every file is an input or what this proof leaves, but for measurements\n{orders}{profile}{compilations}",
        counted(*programs as u128, "program"),
        counted(*models as u128, "model"),
        counted(*configurations as u128, "configuration"),
        counted(*trails as u128, "trail"),
    )
}

/// The line about every order of simultaneous events.
fn orders(verdict: OrderVerdict) -> &'static str {
    match verdict {
        OrderVerdict::Every => "          the optimum wins in every order of simultaneous events\n",
        OrderVerdict::Some => "          another configuration may win in other orders of simultaneous events\n",
        OrderVerdict::Open => {
            "          other orders of simultaneous events are open: nothing is claimed, and nothing was repeated\n"
        }
    }
}

/// The line about a profile that autotune does not ship.
pub(super) fn own_profile(which: &str, gpu: &str) -> String {
    format!("          {which} is the maker's own, not one that autotune ships as {}\n", printable(gpu))
}

/// The lines about the compilations of a kernel's source; the last one says what is believed of them.
pub(super) fn compilations(report: &CompilationsReport) -> String {
    let CompilationsReport { configurations, errors, made_by, compiled_by, .. } = report;
    let compiled_by = compiled_by.as_deref().unwrap_or("another compiler");
    let of_all = format!("{}, of which {}", counted(*configurations as u128, "configuration"), are_errors(*errors));
    let compared = match report.compared {
        ConfirmedParts::Nothing => {
            let errors = are_errors(*errors);
            format!("the compiler's outputs in the folder are believed: {configurations}, of which {errors}")
        }
        ConfirmedParts::Outputs => format!("{compiled_by} compiles {of_all}, to what the folder has"),
        ConfirmedParts::Programs => format!(
            "{compiled_by} compiles {of_all}, to the same programs; the outputs in the folder are by {}",
            printable(made_by)
        ),
    };
    let ptxas = match report.believed_assemblies {
        0 => String::new(),
        all => {
            let errors = are_errors(report.believed_assembly_errors);
            format!("          ptxas is not here, its registers in the folder are believed: {all}, of which {errors}\n")
        }
    };
    format!("          {compared}\n{ptxas}")
}

fn are_errors(number: usize) -> String {
    if number == 1 { "1 is an error".to_owned() } else { format!("{number} are errors") }
}

fn counted(number: u128, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
