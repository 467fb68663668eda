//! `autotune model`: the Promela model that SPIN would check, or a configuration's lowered program.

use std::path::Path;

use fs_err as fs;

use super::arguments::{self, Format};
use super::failure::Failure;
use super::{Status, output, question};
use crate::session::SessionError;
use crate::{proof, space};
use autotune_base::index::ProgramId;
use autotune_base::limits::Limits;
use autotune_engine::model::Model;
use autotune_lowering::space::Pruning;

pub(super) fn run(request: &arguments::Model) -> Result<Status, Failure> {
    let question = question::read_for_file(&request.question)?;
    let limits = Limits::default();
    let survey =
        space::known_survey(&question.spec, &question.profile, &question.reader, question.only.as_ref(), &limits)?;
    let survey = survey.unwrap_or_default();
    if survey.programs.is_empty() {
        return Err(SessionError::Infeasible(survey.why_nothing_runs()).into());
    }
    let text = match (request.question.format, question.only) {
        (Format::Json, Some(_)) => output::to_json(&survey.programs.get(ProgramId::from(0)).program)?,
        (Format::Json, None) => return Err(Failure::NoConfiguration),
        (Format::Text, _) => {
            let asked = proof::Question {
                granularity: request.granularity.into(),
                form: request.form.map(Into::into),
                no_prune: request.no_prune,
                ..proof::Question::new(&question.spec, &question.profile, &question.reader, &question.gpu)
            };
            let pruning = if request.no_prune { Pruning::None } else { Pruning::Best(1) };
            let estimates = space::estimate(&question.spec, &survey, pruning, &limits)?;
            if let Some(folder) = &request.out {
                return write(&proof::model_with_header(&asked, &survey, &estimates)?, folder);
            }
            let mut models = proof::models(&asked, &survey, &estimates)?;
            if models.len() > 1 {
                return Err(Failure::SeveralModels { needed: models.len() });
            }
            models.remove(0).text
        }
    };
    output::text(&text)?;
    Ok(Status::Success)
}

/// Writes a model, and its tables if it has any, into a new or empty folder. Prints the command that builds and runs
/// its checker.
fn write(model: &Model, folder: &Path) -> Result<Status, Failure> {
    fs::create_dir_all(folder)?;
    if fs::read_dir(folder)?.next().is_some() {
        return Err(SessionError::NotEmpty(folder.to_owned()).into());
    }
    fs::write(folder.join("model.pml"), &model.text)?;
    if let Some(tables) = &model.tables {
        fs::write(folder.join("tables.h"), tables)?;
    }
    output::text(&format!(
        "cd {} && spin -a model.pml && cc -DSAFETY -DVECTORSZ={} -o pan pan.c && AUTOTUNE_MT=1000 ./pan -m{}\n",
        folder.display(),
        model.vector_bytes,
        model.depth
    ))?;
    Ok(Status::Success)
}
