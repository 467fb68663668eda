//! The launch of a spec, in autotune's words or in Kernel Tuner's.

use crate::spec::Launch;
use crate::spec::document::load::place_of;
use crate::spec::document::raw::{Optional, RawLaunch, RawSource, Scalar, Value};
use crate::spec::error::{Problem, SpecError};
use crate::spec::expression::Expression;
use autotune_base::text::Place;
use autotune_base::yaml::Spanned;
use autotune_kernel::source::{Language, USUAL_WARPS, WARPS};

use super::checker::Checker;
use super::exact;

/// Kernel Tuner's names of the sizes of a work group along x, y and z.
const BLOCK_SIZES: [&str; 3] = ["block_size_x", "block_size_y", "block_size_z"];

impl Checker<'_> {
    /// Reads the launch of a spec's body or source.
    pub(super) fn launch(
        self,
        launch: &Spanned<RawLaunch>,
        source: Option<&Spanned<RawSource>>,
    ) -> Result<Launch, SpecError> {
        let is_triton = self.language_of(source) == Some(Language::Triton);
        let (work_items, work_group) =
            if is_triton { self.programs(launch, source)? } else { self.work_items(launch)? };
        let raw = &launch.value;
        Ok(Launch {
            work_items: exact(work_items),
            work_group: exact(work_group),
            shared: self.shared(&raw.shared, source.is_some() && !is_triton)?,
            times: self.count(&raw.times, place_of(launch), 1)?,
            is_warm: self.is_warm(raw.warm.as_ref(), source, is_triton)?,
            var: self.counter(raw.var.as_ref(), &[])?.map(str::to_owned),
        })
    }

    /// True if the launch is repeated, as Triton's own measurements do.
    fn is_warm(
        self,
        stated: Option<&Spanned<bool>>,
        source: Option<&Spanned<RawSource>>,
        is_triton: bool,
    ) -> Result<bool, SpecError> {
        match stated {
            Some(stated) if source.is_none() => Err(self.error(place_of(stated), Problem::WarmBody)),
            Some(stated) => Ok(stated.value),
            None => Ok(is_triton),
        }
    }

    /// Reads the work items of a launch and of a group.
    fn work_items(self, launch: &Spanned<RawLaunch>) -> Result<(Vec<Expression>, Vec<Expression>), SpecError> {
        let names = self.body_names();
        let place = place_of(launch);
        let raw = &launch.value;
        if let Some(programs) = &raw.programs.0 {
            return Err(self.error(place_of(programs), Problem::ProgramsOfOther));
        }
        let work_group = match &raw.work_group.0 {
            Some(work_group) => self.one_to_three(work_group, &names)?,
            None => self.block_size(launch)?,
        };
        let work_items = match (&raw.work_items.0, &raw.problem_size.0) {
            (Some(work_items), None) => self.one_to_three(work_items, &names)?,
            (None, Some(problem_size)) => self.divided(raw, problem_size, &work_group)?,
            (None, None) => return Err(self.error(place, Problem::MissingKey { key: "work_items" })),
            (Some(_), Some(size)) => return Err(self.error(place_of(size), Problem::WorkItemsTwice)),
        };
        Ok((work_items, work_group))
    }

    /// Reads the work items of a launch of Triton's programs, each a group of `num_warps` warps.
    fn programs(
        self,
        launch: &Spanned<RawLaunch>,
        source: Option<&Spanned<RawSource>>,
    ) -> Result<(Vec<Expression>, Vec<Expression>), SpecError> {
        let raw = &launch.value;
        if let Some(other) = raw.work_items.0.as_ref().or(raw.work_group.0.as_ref()) {
            return Err(self.error(place_of(other), Problem::WorkItemsOfTriton));
        }
        let Some(programs) = &raw.programs.0 else {
            return Err(self.error(place_of(launch), Problem::MissingKey { key: "programs" }));
        };
        let programs = self.one_to_three(programs, &self.body_names())?;
        let group = format!("gpu.warp_size * ({})", self.warps(source));
        let place = programs[0].place();
        let mut work_items = programs.clone();
        work_items[0] = self.composed(place, &format!("({}) * {group}", programs[0].text()))?;
        Ok((work_items, vec![self.composed(place, &group)?]))
    }

    /// The warps of one of Triton's programs: a parameter, a constant of the source, or Triton's own default.
    fn warps(self, source: Option<&Spanned<RawSource>>) -> String {
        if self.names.slot(WARPS).is_some() {
            return WARPS.to_owned();
        }
        let defined = source.iter().flat_map(|source| &source.value.define.0).find(|(name, _)| name.value == WARPS);
        match defined.map(|(_, value)| &value.value) {
            Some(Value::Integer(number)) => number.to_string(),
            _ => USUAL_WARPS.to_string(),
        }
    }

    /// The bytes of local memory that are given at launch, which only a source leaves open.
    fn shared(self, raw: &Optional, has_source: bool) -> Result<Option<Expression>, SpecError> {
        match &raw.0 {
            Some(scalar) if !has_source => Err(self.error(place_of(scalar), Problem::SharedOfBody)),
            _ => Ok(self.optional(raw, &self.body_names())?.map(Expression::exact)),
        }
    }

    /// The work group of a spec that does not state one: Kernel Tuner's names of its sizes, or others that the launch
    /// gives.
    fn block_size(self, launch: &Spanned<RawLaunch>) -> Result<Vec<Expression>, SpecError> {
        let place = place_of(launch);
        let parse = |place, name: &str| Expression::parse(self.source, place, name, &self.body_names());
        if let Some(named) = &launch.value.block_size_names {
            return match named.len() {
                1..=3 => named.iter().map(|name| parse(place_of(name), &name.value)).collect(),
                found => Err(self.error(place, Problem::WrongLength { expected: "one to three names", found })),
            };
        }
        let stated = BLOCK_SIZES.iter().rposition(|name| self.names.slot(name).is_some());
        let last = stated.ok_or_else(|| self.error(place, Problem::MissingKey { key: "work_group" }))?;
        let size = |name: &&str| match self.names.slot(name) {
            Some(_) => parse(place, name),
            None => Ok(self.number_at(place, 1)),
        };
        BLOCK_SIZES[..=last].iter().map(size).collect()
    }

    /// The work items of a size that is divided among the groups: Kernel Tuner's `problem_size` and `grid_div_x`.
    fn divided(
        self,
        raw: &RawLaunch,
        problem_size: &Scalar,
        work_group: &[Expression],
    ) -> Result<Vec<Expression>, SpecError> {
        let sizes = self.one_to_three(problem_size, &self.body_names())?;
        let divisors = [&raw.grid_div_x, &raw.grid_div_y, &raw.grid_div_z];
        let work_items = sizes.iter().zip(divisors).enumerate().map(|(axis, (size, divisors))| {
            let block = work_group.get(axis).map_or("1", Expression::text);
            let text = match divisors {
                // Without divisors, the block's own size divides.
                None => format!("ceil_div({}, {block}) * ({block})", size.text()),
                Some(list) if list.is_empty() => format!("({}) * ({block})", size.text()),
                Some(list) => {
                    let factors = list.iter().map(|factor| self.factor(factor)).collect::<Result<Vec<_>, _>>()?;
                    format!("ceil_div({}, {}) * ({block})", size.text(), factors.join(" * "))
                }
            };
            self.composed(size.place(), &text)
        });
        work_items.collect()
    }

    fn factor(self, factor: &Scalar) -> Result<String, SpecError> {
        match &factor.value {
            Value::Integer(number) => Ok(format!("({number})")),
            Value::Text(text) => Ok(format!("({text})")),
            _ => Err(self.error(place_of(factor), Problem::Shape { expected: "a divisor" })),
        }
    }

    /// An expression that is put together from others of the spec.
    fn composed(self, place: Place, text: &str) -> Result<Expression, SpecError> {
        Expression::parse(self.source, place, text, &self.body_names())
    }
}
