//! The quality of one ranking of measured configurations.

use serde::Serialize;

use super::picks::{self, Picks};
use crate::compare::agreement::{kendall, spearman};

/// The quality of a ranking of measured configurations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct RankingScore {
    /// The quality of its picks.
    #[serde(flatten)]
    pub picks: Picks,
    /// Spearman's rho of cost and time over the runs that succeeded and were ranked; `None` if either ties everything.
    #[cfg_attr(feature = "schemas", schemars(range(min = -1, max = 1)))]
    pub spearman: Option<f64>,
    /// Kendall's tau-b over these runs; `None` if either ties everything.
    #[cfg_attr(feature = "schemas", schemars(range(min = -1, max = 1)))]
    pub kendall: Option<f64>,
}

/// The place of a configuration in a ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::compare) enum RankPosition {
    /// Ranked by this cost; a lower cost is better.
    Ranked(f64),
    /// Behind all that are ranked: the predictor does not apply.
    Silent,
    /// Last: the configuration was refused.
    Refused,
}

impl RankingScore {
    /// The score of the standings of configurations with these times in any unit; a failed run has none, and at least one run
    /// succeeded. `None` if no configuration is ranked although one was not refused; if all were refused, that is the prediction.
    pub(in crate::compare) fn new(standings: &[RankPosition], times: &[Option<f64>]) -> Option<Self> {
        let best = times.iter().flatten().copied().reduce(f64::min)?;
        let mut ranked: Vec<(f64, f64)> = Vec::new();
        let (mut silent, mut refused) = (Vec::new(), Vec::new());
        for (standing, time) in standings.iter().zip(times) {
            let fraction = time.map_or(0.0, |time| best / time);
            match standing {
                RankPosition::Ranked(cost) => ranked.push((*cost, fraction)),
                RankPosition::Silent => silent.push(fraction),
                RankPosition::Refused => refused.push(fraction),
            }
        }
        if ranked.is_empty() && !silent.is_empty() {
            return None;
        }
        let mut groups = picks::tied(ranked);
        groups.extend([silent, refused]);
        let both = standings.iter().zip(times).filter_map(|(standing, time)| match standing {
            RankPosition::Ranked(cost) => Some((*cost, (*time)?)),
            RankPosition::Silent | RankPosition::Refused => None,
        });
        let (costs, times): (Vec<_>, Vec<_>) = both.unzip();
        Some(Self { picks: Picks::new(&groups), spearman: spearman(&costs, &times), kendall: kendall(&costs, &times) })
    }

    /// The means; correlations are averaged over those that exist. `None` without scores.
    pub(in crate::compare) fn mean(scores: &[Self]) -> Option<Self> {
        let correlation = |of: fn(&Self) -> Option<f64>| picks::mean(scores.iter().filter_map(of));
        Some(Self {
            picks: Picks::mean(&scores.iter().map(|score| score.picks).collect::<Vec<_>>())?,
            spearman: correlation(|score| score.spearman),
            kendall: correlation(|score| score.kendall),
        })
    }
}
