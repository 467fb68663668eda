//! The contents of arrays of integers that a spec assumes, for a configuration.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Analysis;
use crate::lowering::stop::LoweringStop;
use crate::spec::{Scope, StatedElements};
use autotune_kernel::source::{AnalysisError, AssumedContents, AssumedElements, ElementRule, SourceKernel};

impl Analysis<'_> {
    /// The contents of arrays by the name of their argument in the compiler's output.
    pub(super) fn contents(
        &self,
        kernel: &SourceKernel,
        scope: &Scope,
    ) -> Result<BTreeMap<Arc<str>, AssumedContents>, LoweringStop> {
        let mut all = BTreeMap::new();
        for stated in &self.stated.contents {
            let parameters = &kernel.module.kernel.parameters;
            let Some(parameter) = kernel.position(&stated.name).and_then(|position| parameters.get(position)) else {
                let why = AnalysisError::NoArgument { name: stated.name.clone(), known: kernel.argument_names() };
                return Err(LoweringStop::Source(stated.place, Box::new(why)));
            };
            let elements = match &stated.elements {
                StatedElements::Identity => AssumedElements::Identity,
                StatedElements::Number(number) => AssumedElements::Number(number.evaluate(scope)?),
                StatedElements::Each(rule) => {
                    // A rule that has no value for the first element has an error.
                    rule.evaluate(&scope.clone().with_element(0))?;
                    let values: Vec<String> = scope.values.iter().map(i64::to_string).collect();
                    let text = format!("{} {}", rule.text(), values.join(" "));
                    let (rule, scope) = (rule.clone(), scope.clone());
                    let value = Arc::new(move |element| rule.evaluate(&scope.clone().with_element(element)).ok());
                    AssumedElements::Rule(ElementRule { text, value })
                }
            };
            let contents = AssumedContents { elements, bytes: self.element_bytes(&stated.name) };
            all.insert(parameter.name.clone(), contents);
        }
        Ok(all)
    }

    /// The bytes of the integers that a pointer of Triton's is stated to point to, such as 4 for `*i32`; `None` if no type is
    /// stated.
    fn element_bytes(&self, name: &str) -> Option<u64> {
        let (_, of) = self.stated.source.types.iter().find(|(known, _)| known == name)?;
        let bits: u64 = of.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().ok()?;
        Some(bits.div_ceil(8))
    }
}
