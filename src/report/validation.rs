/// Of a kernel on a GPU.
#[must_use]
pub fn new(spec: &Spec, gpu: &str, validation: Validation) -> Self {
    let scenario = |(problem, findings): (Vec<(String, i64)>, Findings)| ScenarioReport {
        problem: problem.into_iter().map(|(name, value)| (name, value.into())).collect(),
        findings,
    };
    Self {
        schema: "autotune.validation/1",
        kernel: spec.kernel.clone(),
        gpu: gpu.to_owned(),
        overall: validation.overall,
        scenarios: validation.scenarios.into_iter().map(scenario).collect(),
    }
}
