//! Results as HTML pages. Each page is one file that loads no other and needs no network.
//!
//! ```text
//! tuning: a report and the details beside it ───▶ copies, bottleneck, near, histogram, proof, … ─┐
//! batch: rows of many tunings ──────────────────────────────────────────────────────────────────┤
//! comparison: models side by side ──────────────────────────────────────────────────────────────┴─▶ templates/report
//! ```
//!
//! Names and texts come from specs of unknown origin. All of them are escaped, and the page's policy runs no script
//! but its own.

mod batch;
mod bottleneck;
mod comparison;
mod configurations;
mod copies;
mod fleet;
mod formulas;
mod heat;
mod histogram;
mod inspection;
mod measured;
mod near;
mod orders;
mod picture;
mod proof;
mod timeline;
mod tuning;

use std::sync::LazyLock;

use data_encoding::BASE64;
use sha2::{Digest, Sha256};
use tera::{Context, Tera};
use thiserror::Error;

use super::plot::PlotError;
use autotune_base::text::words::{counted, grouped};

pub use batch::{BatchPage, BatchRow, TuningOutcome};
pub use comparison::ComparisonPage;
pub use copies::Copies;
pub use fleet::FleetPage;
pub use inspection::InspectionPage;
pub use measured::MeasuredPage;
pub use tuning::{PageLink, TuningPage};

/// The name and version of this program, as a page's `generator` shows them.
pub const GENERATOR: &str = concat!("autotune ", env!("CARGO_PKG_VERSION"));

const SCRIPT: &str = include_str!("../../templates/report/page.js");

/// The reason why a page cannot be made.
#[derive(Debug, Error)]
pub enum PageError {
    /// A chart cannot be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

/// True if `beginning`, the first bytes of a file as text, names this program, of any version, as the page's
/// generator.
#[must_use]
pub fn is_page(beginning: &str) -> bool {
    beginning.contains("<meta name=\"generator\" content=\"autotune ")
}

fn render(template: &str, mut context: Context) -> String {
    context.insert("generator", GENERATOR);
    context.insert("script_hash", &format!("sha256-{}", BASE64.encode(&Sha256::digest(SCRIPT))));
    TEMPLATES.render(template, &context).expect("the templates are part of the program and tested")
}

static TEMPLATES: LazyLock<Tera> = LazyLock::new(|| {
    let mut tera = Tera::default();
    tera.add_raw_templates(vec![
        ("report/page.css", include_str!("../../templates/report/page.css")),
        ("report/page.js", SCRIPT),
        ("report/layout.html", include_str!("../../templates/report/layout.html")),
        ("report/bottleneck.html", include_str!("../../templates/report/bottleneck.html")),
        ("report/copies.html", include_str!("../../templates/report/copies.html")),
        ("report/times.html", include_str!("../../templates/report/times.html")),
        ("report/times.svg", include_str!("../../templates/report/times.svg")),
        ("report/times_scale.svg", include_str!("../../templates/report/times_scale.svg")),
        ("report/near.html", include_str!("../../templates/report/near.html")),
        ("report/orders.html", include_str!("../../templates/report/orders.html")),
        ("report/proof.html", include_str!("../../templates/report/proof.html")),
        ("report/heat.html", include_str!("../../templates/report/heat.html")),
        ("report/timeline.html", include_str!("../../templates/report/timeline.html")),
        ("report/timeline.svg", include_str!("../../templates/report/timeline.svg")),
        ("report/formulas.html", include_str!("../../templates/report/formulas.html")),
        ("report/configurations.html", include_str!("../../templates/report/configurations.html")),
        ("report/tuning.html", include_str!("../../templates/report/tuning.html")),
        ("report/measured.html", include_str!("../../templates/report/measured.html")),
        ("report/inspection.html", include_str!("../../templates/report/inspection.html")),
        ("report/fleet.html", include_str!("../../templates/report/fleet.html")),
        ("report/comparison.html", include_str!("../../templates/report/comparison.html")),
        ("report/batch.html", include_str!("../../templates/report/batch.html")),
    ])
    .expect("the templates are part of the program and tested");
    tera
});

/// Returns `number` / `of` as a rounded value for display; an `of` of 0 counts as 1.
#[expect(clippy::cast_precision_loss, reason = "few digits are shown")]
fn quotient(number: impl Into<u64>, of: impl Into<u64>) -> f64 {
    number.into() as f64 / of.into().max(1) as f64
}

/// Returns a time with one decimal and its digits in groups of three, as `26,960.5`.
fn tenths(time: f64) -> String {
    let text = format!("{time:.1}");
    let (whole, tenth) = text.split_once('.').unwrap_or((&text, "0"));
    match whole.parse::<u64>() {
        Ok(whole) => format!("{}.{tenth}", grouped(whole)),
        Err(_) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_to_a_tenth() {
        assert_eq!([0.04, 12.25, 26_960.46, 1e6].map(tenths), ["0.0", "12.2", "26,960.5", "1,000,000.0"]);
    }

    #[test]
    fn only_pages_of_this_program_are_taken_for_such() {
        let page = BatchPage { title: "jobs", rows: &[], seconds: None }.render();
        assert!(is_page(&page[..1024]) && !is_page("<meta name=\"generator\" content=\"another\">"));
    }
}
