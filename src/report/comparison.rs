/// As results tell it; with `all` each configuration that is compared.
#[must_use]
pub fn new(spec: &Spec, gpu: &str, verdict: Verdict, comparison: &Comparison, all: bool) -> Self {
    let parameters = |row: usize| super::build::values(spec, &comparison.rows[row].configuration);
    let apart = |Apart { row, ranks, terms }: &Apart| ApartReport {
        parameters: parameters(*row),
        ranks: *ranks,
        terms: *terms,
    };
    let pair = |pair: &Pair| AgreementReport {
        models: pair.models.map(Model::name),
        of: pair.of,
        kendall_tau: pair.kendall_tau,
        spearman_rho: pair.spearman_rho,
        most: pair.most.as_ref().map(apart),
    };
    let winner = |(model, choice): (Model, &Option<Choice>)| {
        let told = choice.map(|Choice { row, equals, relative }| WinnerReport {
            parameters: parameters(row),
            equals,
            ticks: comparison.rows[row].costs[0],
            relative,
        });
        (model.name().to_owned(), serde_json::to_value(told).unwrap_or_default())
    };
    // Without a proof the machine's own choice stands for the optimum.
    let best = if comparison.rows[0].proved.is_some() { 0 } else { comparison.choices[0].map_or(0, |one| one.row) };
    let shown = if all { 0..comparison.rows.len() } else { best..best + 1 };
    Self {
        schema: "autotune.comparison/1",
        kernel: spec.kernel.clone(),
        gpu: gpu.to_owned(),
        problem: spec.problem.iter().map(|(name, size)| (name.clone(), (*size).into())).collect(),
        verdict,
        compared: comparison.rows.len(),
        complete: comparison.complete,
        winners: Model::ALL.into_iter().zip(&comparison.choices).map(winner).collect(),
        agreement: comparison.pairs.iter().map(pair).collect(),
        configurations: comparison.rows[shown].iter().map(|row| compared(spec, row)).collect(),
    }
}

fn compared(spec: &Spec, row: &Row) -> ComparedReport {
    ComparedReport {
        parameters: super::build::values(spec, &row.configuration),
        proved: row.proved,
        costs: Predictor::ALL
            .into_iter()
            .zip(&row.costs)
            .map(|(model, cost)| (model.name().to_owned(), (*cost).into()))
            .collect(),
    }
}

