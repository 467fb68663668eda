//! Who plays the machine in a model, what it says it is about, and who checked it: as the result says.

use std::sync::LazyLock;

use fs_err as fs;
use regex::Regex;

use super::Repetition;
use super::record::is_output;
use crate::model::Form;
use crate::spin::SpinError;

/// The hand-written parts by which models differ, with granularity and form of those that hold them.
const PARTS: [(&str, &str, Form); 3] = [
    (include_str!("../../../promela/parts/roles.pml"), "warp", Form::Roles),
    (include_str!("../../../promela/parts/wave.pml"), "warp", Form::Wave),
    (include_str!("../../../promela/parts/element.pml"), "element", Form::Roles),
];
/// How a model begins that is about any question.
const ANY: &str = "/* Any kernel on any GPU, ";

/// How pan tells SPIN's version.
static VERSION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^\(Spin Version (\S+) -- .*\)$").expect("it is tested"));

impl Repetition<'_> {
    /// The model holds the part that plays the claimed granularity and, in the optimum's proof, the claimed form; one that is
    /// made for a question is made for this one.
    pub(super) fn check_play(&mut self, text: &str, is_claimed: bool) {
        let claim = self.theorem.claim;
        let proof = &claim.proof;
        match PARTS.iter().find(|(part, ..)| text.contains(part.trim_end())) {
            None => self.differs("model.pml", "nothing in it plays the machine as this version of autotune does"),
            Some((_, granularity, form)) => {
                if *granularity != proof.granularity || (is_claimed && *form != proof.form) {
                    let (form, claimed) = (form.name(), proof.form.name());
                    let claimed = format!("{} in the form {claimed}", proof.granularity);
                    let what =
                        format!("its granularity is {granularity} in the form {form}, result.json says {claimed}");
                    self.differs("model.pml", what);
                }
            }
        }
        let question = format!("/* {} on {}: ", claim.report.kernel, claim.report.gpu);
        if !text.starts_with(ANY) && !text.starts_with(&question) {
            let (kernel, gpu) = (&claim.report.kernel, &claim.report.gpu);
            self.differs("model.pml", format!("it is not about {kernel} on {gpu}, as result.json says"));
        }
    }

    /// The kept outputs are those of the checker that the result names.
    pub(super) fn check_version(&mut self) -> Result<(), SpinError> {
        let claimed = &self.theorem.claim.proof.checker;
        for name in self.files("")?.into_iter().filter(|name| is_output(name)) {
            let text = fs::read_to_string(self.folder.join(&name))?;
            let printed = VERSION.captures(&text).map(|version| format!("spin {}", &version[1]));
            if printed.as_ref() != Some(claimed) {
                let printed = printed.unwrap_or_else(|| "no version of SPIN".to_owned());
                self.differs(&name, format!("it is by {printed}, but result.json says {claimed}"));
            }
        }
        Ok(())
    }
}
