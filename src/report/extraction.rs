//! Bodies and their sources, as a result states them.

use super::values::values;
use crate::extraction::{Agreement, CountedPlace, ExtractedSpec, QuantityAgreement};
use crate::lowering::Quantity;
use crate::result::{CountedQuantity, CountedReport, ExtractionReport, QuantityReport, SourceAgreementReport};
use crate::spec::{Configuration, Spec};

/// The report of the spec that a source amounts to.
#[must_use]
pub fn extraction(spec: &Spec, gpu: &str, configuration: &Configuration, extracted: ExtractedSpec) -> ExtractionReport {
    ExtractionReport {
        schema: ExtractionReport::SCHEMA,
        kernel: spec.kernel.clone(),
        gpu: gpu.to_owned(),
        parameters: values(spec, configuration),
        spec: extracted.text,
    }
}

/// The report of a body that was held against its source.
#[must_use]
pub fn source_agreement(spec: &Spec, gpu: &str, agreement: &Agreement) -> SourceAgreementReport {
    SourceAgreementReport {
        schema: SourceAgreementReport::SCHEMA,
        kernel: spec.kernel.clone(),
        gpu: gpu.to_owned(),
        files: agreement.files.clone(),
        configurations: agreement.configurations,
        agrees: agreement.is_whole(),
        quantities: agreement.quantities.iter().map(|one| quantity(spec, one)).collect(),
    }
}

fn quantity(spec: &Spec, one: &QuantityAgreement) -> QuantityReport {
    let shown = &one.shown;
    let places = |places: &[CountedPlace]| places.iter().map(|place| counted(spec, place)).collect();
    QuantityReport {
        quantity: match one.quantity {
            Quantity::Loads => CountedQuantity::GlobalLoads,
            Quantity::Stores => CountedQuantity::GlobalStores,
            Quantity::Local => CountedQuantity::LocalAccesses,
            Quantity::Fp32 => CountedQuantity::Fp32,
            Quantity::Barriers => CountedQuantity::Barriers,
            Quantity::LocalMemory => CountedQuantity::LocalMemory,
            Quantity::Other => CountedQuantity::OtherOperations,
        },
        judged: one.quantity.is_judged(),
        agreeing: one.agreeing,
        parameters: values(spec, &shown.configuration),
        body: shown.body,
        source: shown.source,
        joined: shown.joined,
        statements: places(&shown.statements),
        lines: places(&shown.lines),
    }
}

fn counted(spec: &Spec, place: &CountedPlace) -> CountedReport {
    CountedReport {
        file: place.file.clone().unwrap_or_else(|| spec.source.name().to_owned()),
        line: place.line,
        array: Some(place.array.clone()).filter(|array| !array.is_empty()),
        amount: place.amount,
    }
}
