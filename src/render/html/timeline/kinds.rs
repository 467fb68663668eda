//! The kinds of a timeline's spans.

use serde::Serialize;

use autotune_machine::machine::Activity;

/// The look and the meaning of an activity of warps.
#[derive(Serialize)]
pub(super) struct Kind {
    pub(super) class: &'static str,
    pub(super) name: &'static str,
    pub(super) meaning: &'static str,
    /// Pixels from the top of the legend's row to the bar.
    pub(super) y: u32,
    pub(super) height: u32,
}

pub(super) fn kind(activity: Activity) -> Kind {
    let (class, name, meaning, height) = match activity {
        Activity::Issue => ("issue", "issue", "issue: its scheduler serves it", 12),
        Activity::Local => ("local", "local", "local memory serves it", 12),
        Activity::Memory => ("memory", "memory", "the path to global memory serves it", 12),
        Activity::Latency => ("latency", "latency", "latency of what it asked for", 6),
        Activity::Queue => ("queue", "in queue", "waits for a server that serves others", 2),
        Activity::Barrier => ("barrier", "barrier", "waits at a barrier", 4),
        Activity::Matrix => ("matrix", "matrix", "its matrix unit serves it", 12),
        Activity::Started => ("started", "started", "waits for what it has started", 4),
    };
    Kind { class, name, meaning, y: (12 - height) / 2, height }
}
