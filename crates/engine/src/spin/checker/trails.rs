//! The trails of counterexamples: their replay, and the folder where they are kept.

use std::collections::BTreeSet;
use std::path::Path;

use fs_err as fs;

use super::outcome::{Binary, SpinError, not_understood};
use super::{Claim, End, ModelChecker, NotUnderstood, pan_output};
use autotune_base::files;
use autotune_base::process::{Finished, Task};

/// The greatest size of a trail, in bytes.
const LARGEST_TRAIL: u64 = 1024 * files::MIB;
/// The folder of kept trails. Each is named by its search, its bound and a number.
pub const WITNESSES: &str = "witnesses";

impl ModelChecker {
    /// Replays a trail that was kept.
    ///
    /// # Errors
    /// If SPIN gives no answer, or the trail does not end in DONE.
    pub fn replay_kept(&mut self, bound: u64, trail: &Path) -> Result<End, SpinError> {
        self.build()?;
        let name = "kept.trail";
        fs::write(self.folder.join(name), files::kept(trail, LARGEST_TRAIL).bytes()?)?;
        self.replay(Claim::Optimum, bound, name, None)
    }

    /// Replays the trails of a search and returns the ends of their runs, in order. One trail of each run is moved to
    /// [`WITNESSES`], where later searches do not remove it. A search that shows its runs must have shown these.
    pub(super) fn witnesses(&mut self, claim: Claim, bound: u64, shown: Option<&[End]>) -> Result<Vec<End>, SpinError> {
        let kept = self.folder.join(WITNESSES);
        fs::create_dir_all(&kept)?;
        let mut witnesses = BTreeSet::new();
        for trail in self.trails()? {
            let is_new = witnesses.insert(self.replay(claim, bound, &trail, shown)?);
            let trail = self.folder.join(trail);
            if is_new {
                let name = format!("{:02}-{bound}-{}.trail", self.searches, witnesses.len());
                fs::rename(trail, kept.join(name))?;
            } else {
                // One run may violate the property several times.
                fs::remove_file(trail)?;
            }
        }
        Ok(witnesses.into_iter().collect())
    }

    fn replay(&mut self, claim: Claim, bound: u64, trail: &str, shown: Option<&[End]>) -> Result<End, SpinError> {
        let chosen = if claim == Claim::Optimum { Vec::new() } else { vec!["-N", claim.name()] };
        let arguments = ["-w16"].into_iter().chain(chosen).chain(["-r", "-S", trail]);
        let mut task = Task::new(&self.folder.join(Binary::Property(claim).file()), arguments, &self.folder);
        task.variables = self.variables(Some(bound));
        let outcome = self.run(&task)?;
        self.cost.replay += outcome.elapsed;
        let end = only_end(&task, &outcome)?;
        if shown.is_none_or(|shown| shown.contains(&end)) {
            return Ok(end);
        }
        Err(not_understood(&task, &outcome, NotUnderstood::Contradiction("the search has not shown its run")))
    }

    /// The names of the trails in the folder.
    fn trails(&self) -> Result<Vec<String>, SpinError> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "trail") {
                names.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
            }
        }
        names.sort();
        Ok(names)
    }

    pub(super) fn remove_trails(&self) -> Result<(), SpinError> {
        for trail in self.trails()? {
            fs::remove_file(self.folder.join(trail))?;
        }
        Ok(())
    }
}

/// The only end of a run in a replay's or simulation's output; it must be DONE.
pub(super) fn only_end(task: &Task, outcome: &Finished) -> Result<End, SpinError> {
    match pan_output::ends(&outcome.stdout).as_deref() {
        Ok([end]) if end.done && outcome.status.success() => Ok(*end),
        Ok(_) => Err(not_understood(task, outcome, NotUnderstood::Part("end of a run in DONE"))),
        Err(reason) => Err(not_understood(task, outcome, reason.clone())),
    }
}
