//! The configurations that are compared.

use indexmap::IndexMap;
use serde::Serialize;

use super::error::DifferenceError;
use super::side::Side;
use autotune_base::limits::Limits;
use autotune_base::ticks::Ticks;
use autotune_lowering::space::allowed;

/// The configurations to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChosenConfigurations {
    /// The optimum of each kernel by the native evaluator.
    Optima,
    /// The configurations that these texts name, `A=1,B=2`, by the parameters of one of the kernels.
    Named(Vec<String>),
    /// All configurations that the constraints of one of the kernels allow, and the optima among them.
    All,
}

/// A reason why a configuration is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ComparedRole {
    /// The old kernel's fastest one.
    OldOptimum,
    /// The new kernel's fastest one.
    NewOptimum,
    /// The question names it, or asks for all.
    Asked,
}

type Values = Vec<(String, i64)>;

/// The configurations that are compared.
pub(super) struct Chosen {
    /// The old and the new optimum and their times in ticks; `None` if nobody asked for the optima.
    pub(super) optima: Option<[Option<(Values, Ticks)>; 2]>,
    /// The configurations, each once.
    pub(super) configurations: Vec<(Values, Vec<ComparedRole>)>,
}

/// The configurations that a question is about.
pub(super) fn chosen(
    old: &Side<'_>,
    new: &Side<'_>,
    which: &ChosenConfigurations,
    limits: &Limits,
) -> Result<Chosen, DifferenceError> {
    let mut configurations = Configurations::default();
    if let ChosenConfigurations::Named(named) = which {
        for text in named {
            let values = match new.named(text) {
                Ok(configuration) => new.values(&configuration),
                Err(why) => old.named(text).map(|configuration| old.values(&configuration)).map_err(|_| why)?,
            };
            configurations.add(values, ComparedRole::Asked);
        }
        return Ok(Chosen { optima: None, configurations: configurations.in_order() });
    }
    let optimum = |side: &Side<'_>| {
        let found = side.optimum(limits)?;
        Ok(found.map(|(configuration, ticks)| (side.values(&configuration), ticks)))
    };
    // The compilations of two texts share the processors; what one side compiles of the same text, the other one finds.
    let (of_old, of_new) = if old.lowering.digest() == new.lowering.digest() {
        (optimum(old), optimum(new))
    } else {
        rayon::join(|| optimum(old), || optimum(new))
    };
    let optima: [Option<(Values, Ticks)>; 2] = [of_old?, of_new?];
    for (optimum, role) in optima.iter().zip([ComparedRole::OldOptimum, ComparedRole::NewOptimum]) {
        if let Some((values, _)) = optimum {
            configurations.add(values.clone(), role);
        }
    }
    if *which == ChosenConfigurations::All {
        for side in [old, new] {
            let all = allowed(side.kernel.spec, side.kernel.profile).map_err(|why| side.fail(why))?;
            for one in all {
                configurations.add(side.values(&one), ComparedRole::Asked);
            }
        }
    }
    Ok(Chosen { optima: Some(optima), configurations: configurations.in_order() })
}

/// Configurations, each once: by their values in the order of the names, since the order of two kernels' parameters may
/// differ.
#[derive(Default)]
struct Configurations(IndexMap<Values, (Values, Vec<ComparedRole>)>);

impl Configurations {
    /// Adds a configuration, or a further role of one that is there.
    fn add(&mut self, values: Values, role: ComparedRole) {
        let mut sorted = values.clone();
        sorted.sort();
        let (_, roles) = self.0.entry(sorted).or_insert_with(|| (values, Vec::new()));
        if !roles.contains(&role) {
            roles.push(role);
        }
    }

    fn in_order(self) -> Vec<(Values, Vec<ComparedRole>)> {
        self.0.into_values().collect()
    }
}
