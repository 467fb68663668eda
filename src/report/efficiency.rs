/// Of some configurations.
#[must_use]
pub fn new(spec: &Spec, gpu: &str, weights: Weights, mut rated: Vec<(Configuration, Efficiency)>) -> Self {
    rated.sort_by(|(_, one), (_, two)| two.r.total_cmp(&one.r));
    let configurations = rated.into_iter().map(|(configuration, efficiency)| Rated {
        parameters: super::build::values(spec, &configuration),
        efficiency,
    });
    Self {
        schema: "autotune.efficiency/1",
        kernel: spec.kernel.clone(),
        gpu: gpu.to_owned(),
        weights,
        configurations: configurations.collect(),
    }
}

