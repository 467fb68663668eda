//! The arguments of a kernel's source that are known for a configuration.

use std::collections::BTreeMap;

use super::Analysis;
use crate::lowering::stop::LoweringStop;
use crate::spec::{KnownArgument, Scope, Spec};
use autotune_base::text::Place;
use autotune_kernel::source::{
    AnalysisError, Argument, ArgumentProblem, GivenValue, KnownArguments, Language, SourceKernel, TakenArgument,
    TracedKernel, plain_name,
};

impl Analysis<'_> {
    /// The arguments that the spec gives. A problem size or a parameter is the argument of its name.
    pub(in crate::lowering) fn arguments(
        &self,
        kernel: &SourceKernel,
        spec: &Spec,
        scope: &Scope,
    ) -> Result<KnownArguments, LoweringStop> {
        let mut values = BTreeMap::new();
        let (mut fields, mut shared) = (Vec::new(), None);
        for given in &self.stated.arguments {
            let value = match &given.value {
                KnownArgument::Integer(expression) => GivenValue::Integer(expression.evaluate(scope)?),
                KnownArgument::Float(text) => GivenValue::Float(text),
                KnownArgument::Local(bytes) => GivenValue::Local(bytes.count(scope)?.unsigned_abs()),
                KnownArgument::Global(bytes) => GivenValue::Global(bytes.count(scope)?.unsigned_abs()),
            };
            let taken = kernel.taken(&given.name, value);
            // Triton has found that the kernel has the argument, and has made it a constant.
            if self.stated.source.language == Language::Triton && matches!(taken, Err(AnalysisError::NoArgument { .. }))
            {
                continue;
            }
            match taken.map_err(|why| self.refused(why, kernel, (&given.name, value), (spec, scope), given.place))? {
                TakenArgument::Whole(position, argument) => _ = values.insert(position, argument),
                TakenArgument::Field(field) => fields.push(field),
                TakenArgument::Shared(bytes) => shared = shared.max(Some(bytes)),
            }
        }
        for (position, parameter) in kernel.module.kernel.parameters.iter().enumerate() {
            if let Some(value) = scope.value(parameter.source_name())
                && !values.contains_key(&position)
                && let Some(taken) = kernel.number_at(position, value)
            {
                values.insert(position, taken.map_err(|why| at(self.stated.place, why))?);
            }
        }
        let given = spec.launch.shared.as_ref().map(|bytes| bytes.count(scope).map(i64::unsigned_abs)).transpose()?;
        match given {
            Some(bytes) if self.stated.source.language == Language::OpenCl => {
                values.insert(self.only_open(kernel, &values, spec)?, Argument::Local(bytes));
            }
            given => shared = shared.max(given),
        }
        self.check_sizes(kernel, &values, spec)?;
        Ok(KnownArguments { values: values.into_iter().collect(), fields, shared })
    }

    /// The position of the only pointer to local memory without a size.
    fn only_open(
        &self,
        kernel: &SourceKernel,
        values: &BTreeMap<usize, Argument>,
        spec: &Spec,
    ) -> Result<usize, LoweringStop> {
        let open: Vec<(usize, &str)> = kernel.local_pointers().filter(|(at, _)| !values.contains_key(at)).collect();
        if let [(position, _)] = open[..] {
            return Ok(position);
        }
        let names = open.iter().map(|(_, name)| format!("`{name}`")).collect();
        let place = spec.launch.shared.as_ref().map_or(self.stated.place, crate::spec::Expression::place);
        Err(at(place, ArgumentProblem::SharedBySeveral { names }.into()))
    }

    /// Refuses pointers to local memory without a size, unless the spec states the local memory of a group.
    fn check_sizes(
        &self,
        kernel: &SourceKernel,
        values: &BTreeMap<usize, Argument>,
        spec: &Spec,
    ) -> Result<(), LoweringStop> {
        let open = kernel.local_pointers().filter(|(position, _)| !values.contains_key(position));
        let names: Vec<String> = open.map(|(_, name)| name.to_owned()).collect();
        if names.is_empty() || spec.resources.local_memory.is_some() {
            return Ok(());
        }
        let place = kernel.module.kernel.place.clone();
        Err(at(self.stated.place, AnalysisError::NoLocalSize { is_one: names.len() == 1, names, place }))
    }

    /// Refuses arrays without a size that the group reaches, unless the spec states the local memory of a group.
    pub(super) fn check_arrays(&self, traced: &TracedKernel, spec: &Spec) -> Result<(), LoweringStop> {
        let mut regions = (0..).zip(&traced.executed.regions);
        let open = regions.find(|(_, region)| region.is_shared && region.bytes.is_none());
        let (Some((number, region)), None) = (open, &spec.resources.local_memory) else { return Ok(()) };
        let mut accesses = traced.runs().flat_map(|run| run.accesses.iter().map(move |access| (run, access)));
        let first = accesses.find(|(_, access)| access.region.is_some_and(|region| region.0 == number));
        let place = first.and_then(|(run, access)| traced.place_of_access(run, access)).cloned();
        let place = place.or_else(|| traced.function().place.clone());
        let names = vec![plain_name(&region.name)];
        Err(at(self.stated.place, AnalysisError::NoLocalSize { is_one: true, names, place }))
    }

    /// The error of an argument, with the names of the source if the compiler can state them.
    fn refused(
        &self,
        why: AnalysisError,
        kernel: &SourceKernel,
        (name, value): (&str, GivenValue<'_>),
        (spec, scope): (&Spec, &Scope),
        place: Place,
    ) -> LoweringStop {
        let asks_names = matches!(
            why,
            AnalysisError::NoArgument { .. } | AnalysisError::Argument(ArgumentProblem::Structure { .. })
        );
        let described = || {
            let macros = self.defined(spec, scope).ok()?;
            let described = self.reading.described(&macros)?;
            described.taken(name, value).err()
        };
        let better = if asks_names && kernel.module.kernel.declared.is_empty() { described() } else { None };
        at(place, better.unwrap_or(why))
    }
}

fn at(place: Place, why: AnalysisError) -> LoweringStop {
    LoweringStop::Source(place, Box::new(why))
}
