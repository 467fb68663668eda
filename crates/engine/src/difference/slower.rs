//! The judgement of predicted times.

use std::collections::BTreeMap;

use super::finding::{ComparedCount, DifferenceFinding, DifferenceKind};
use super::side::Side;
use super::texts::{ComparedTexts, LinePlace};
use crate::explain::account;
use crate::proof::Percent;
use autotune_base::ticks::Ticks;
use autotune_lowering::lowering::Feasibility;
use autotune_lowering::spec::Configuration;

/// The judgement of a new time beside an old one, both in ticks; `None` if they are within the threshold of each other.
pub(super) fn kind(old: Ticks, new: Ticks, threshold: Percent) -> Option<DifferenceKind> {
    if !threshold.holds(new, old) {
        return Some(DifferenceKind::Slower);
    }
    (!threshold.holds(old, new)).then_some(DifferenceKind::Better)
}

/// The finding about two times.
pub(super) fn finding(
    side: &Side<'_>,
    kind: DifferenceKind,
    [old, new]: [Ticks; 2],
    place: Option<LinePlace>,
    about: &str,
) -> DifferenceFinding {
    let shown = |ticks: Ticks| {
        let time = side.kernel.profile.microseconds(ticks.get());
        time.map_or_else(|| format!("{} ticks", ticks.get()), |time| format!("{time:.1} microseconds"))
    };
    let message =
        format!("{about}{}, was {}: {:.2} times", shown(new), shown(old), new.to_f64() / old.to_f64().max(1.0));
    let (old, new) = (Some(old.to_f64()), Some(new.to_f64()));
    DifferenceFinding { kind, count: ComparedCount::Time, place, old_place: None, old, new, message }
}

/// The line of the new kernel where the critical path became longer by the most; `None` if no path is known, or the growth
/// comes from no line.
pub(super) fn longest_growth(
    old: (&Side<'_>, &Configuration),
    new: (&Side<'_>, &Configuration),
    texts: &ComparedTexts,
) -> Option<LinePlace> {
    let mut spent: BTreeMap<(String, u32), f64> = BTreeMap::new();
    for (file, line, ticks) in path(new)? {
        *spent.entry((file, line)).or_default() += ticks;
    }
    for (file, line, ticks) in path(old)? {
        if let Some(place) = texts.new_place_of(&file, line) {
            *spent.entry((place.file, place.line)).or_default() -= ticks;
        }
    }
    let most = spent.into_iter().max_by(|(_, one), (_, other)| one.total_cmp(other));
    let ((file, line), _) = most.filter(|(_, ticks)| *ticks > 0.0)?;
    texts.place_in_new(&file, line)
}

/// The ticks of the critical path by file and line; `None` if the path is not known.
fn path((side, configuration): (&Side<'_>, &Configuration)) -> Option<Vec<(String, u32, f64)>> {
    let kernel = side.kernel;
    let Feasibility::Feasible(lowered) = side.lowering.lower(configuration).ok()? else { return None };
    let account = account(kernel.spec, kernel.profile, &side.lowering, configuration, &lowered).ok()?;
    let of_spec = || kernel.spec.source.name().to_owned();
    let shares = account.path?.into_iter().filter_map(|share| {
        let line = share.line?;
        Some((share.file.unwrap_or_else(of_spec), line, share.ticks))
    });
    Some(shares.collect())
}
