//! The cost of an access: the memory that it touches, counted, and the work that follows from it. Statements of a body and
//! accesses of a trace both come here.
//!
//! ```text
//! warp ◀─ lanes, patterns: what the warps of a body touch ─▶ touched: issue, passes, traffic
//!         ▲ begins: where their data begin                    ▲
//!         footprint: what groups touch ───────────────────────┤
//!         channels: the channels of L2 that serve it ─────────┘
//! ```

pub(super) mod begins;
pub(super) mod channels;
pub(super) mod footprint;
pub(super) mod lanes;
pub(super) mod patterns;
pub(super) mod touched;
pub(super) mod warp;
