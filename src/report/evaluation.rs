/// The times of all entries of a survey, or of the `top` fastest; `ticks` are those of its programs.
#[must_use]
pub fn new(
    spec: &Spec,
    profile: &Profile,
    gpu: &str,
    survey: &Survey,
    ticks: &[Option<u64>],
    top: Option<usize>,
) -> Self {
    let configurations = survey.entries.iter().map(|entry| {
        let parameters = super::build::values(spec, &entry.configuration);
        match &entry.fate {
            Fate::Program(number) => {
                let program = &survey.programs[*number].program;
                let occupancy = entry.limit.map(|limit| OccupancyReport::new(program, limit));
                let microseconds = ticks[*number].and_then(|ticks| profile.microseconds(ticks));
                Evaluated { parameters, ticks: ticks[*number], microseconds, occupancy, reason: None }
            }
            Fate::Infeasible(reason) => {
                let reason = Some(reason.to_string());
                Evaluated { parameters, ticks: None, microseconds: None, occupancy: None, reason }
            }
        }
    });
    let mut configurations: Vec<_> = configurations.collect();
    let omitted = top.map(|top| {
        configurations.sort_by_key(Evaluated::rank);
        configurations.split_off(top.min(configurations.len())).len()
    });
    Self {
        schema: "autotune.evaluation/1",
        kernel: spec.kernel.clone(),
        gpu: gpu.to_owned(),
        configurations,
        omitted,
    }
}


fn new(program: &Program, limit: Limit) -> Self {
    let (resident_groups, wave_groups) = (program.resident_groups, program.largest_wave());
    let warps = |groups: u64| groups.saturating_mul(program.warps_per_group);
    Self { resident_groups, warps: warps(resident_groups), limit, wave_groups, wave_warps: warps(wave_groups) }
}

