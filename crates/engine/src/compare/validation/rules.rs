//! Rules that know only the work group: the choices of users without a tuner.

use serde::Serialize;

use super::picks::mean;
use autotune_lowering::gpu::Profile;
use autotune_lowering::spec::{Configuration, GpuNames, Spec};

/// The expected fraction of a random configuration that follows a rule; `None` if no configuration does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Rules {
    /// The rule: the most work items of a group that ran.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0.0, max = 1.000_001)))]
    pub largest: Option<f64>,
    /// The rule: 256 work items of a group.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0.0, max = 1.000_001)))]
    #[serde(rename = "256")]
    pub of_256: Option<f64>,
    /// The rule: 32 by 8 work items.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0.0, max = 1.000_001)))]
    #[serde(rename = "32x8")]
    pub of_32_by_8: Option<f64>,
}

/// The work items of a group along x, y and z.
type Shape = [i64; 3];

impl Rules {
    pub(super) fn new(spec: &Spec, profile: &Profile, configurations: &[Configuration], fractions: &[f64]) -> Self {
        let names = profile.names(spec.has_dynamic_local_memory());
        let shapes: Vec<_> = configurations.iter().map(|configuration| shape(spec, &names, configuration)).collect();
        let ran = shapes.iter().zip(fractions).filter(|(_, fraction)| **fraction > 0.0);
        let largest = ran.filter_map(|(shape, _)| shape.map(items)).max();
        let following = |rule: &dyn Fn(Shape) -> bool| {
            mean(
                shapes
                    .iter()
                    .zip(fractions)
                    .filter(|(shape, _)| shape.is_some_and(rule))
                    .map(|(_, fraction)| *fraction),
            )
        };
        Self {
            largest: following(&|shape| Some(items(shape)) == largest),
            of_256: following(&|shape| items(shape) == 256),
            of_32_by_8: following(&|shape| shape == [32, 8, 1]),
        }
    }

    /// The means over the problem sizes where the rule has a value.
    pub(super) fn mean(rules: &[Self]) -> Self {
        let of = |rule: fn(&Self) -> Option<f64>| mean(rules.iter().filter_map(rule));
        Self {
            largest: of(|rules| rules.largest),
            of_256: of(|rules| rules.of_256),
            of_32_by_8: of(|rules| rules.of_32_by_8),
        }
    }
}

/// The shape of a configuration's work group; `None` if it cannot be evaluated, as for a configuration that the spec
/// excludes.
fn shape(spec: &Spec, names: &GpuNames, configuration: &Configuration) -> Option<Shape> {
    let scope = spec.scope(names, configuration).ok()?;
    let mut shape = [1; 3];
    for (size, expression) in shape.iter_mut().zip(&spec.launch.work_group) {
        *size = expression.positive(&scope).ok()?;
    }
    Some(shape)
}

fn items(shape: Shape) -> i64 {
    shape.into_iter().fold(1, i64::saturating_mul)
}
