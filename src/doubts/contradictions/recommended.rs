//! The check of the recommended configuration against the optimum and the list of configurations.

use super::Claim;
use autotune_base::text::words::label;

impl Claim<'_> {
    pub(super) fn check_recommended(&self, wrong: &mut Vec<String>) {
        let Some(found) = &self.report.recommended else { return };
        let name = label(&found.parameters);
        self.check_parameters(&found.parameters, &found.tile, wrong);
        if found.parameters == self.optimum.parameters && found.ticks != self.optimum.ticks {
            wrong.push(format!("{name} is the optimum, and is recommended with {} ticks", found.ticks));
        }
        if found.by_waves.is_nan() || found.by_waves < 1.0 {
            wrong.push(format!("{name} is faster by the wave model than the fastest, {} of its time", found.by_waves));
        }
        self.check_time(&self.listed(), &found.parameters, found.ticks, wrong);
    }
}
