//! Where accesses should live (`schemas/locality.json`).

use nalgebra::DMatrix;
use serde::Serialize;

use super::result::Values;
use super::terminal::{grouped, label, table};
use crate::models::locality::{AccessFinding, Class, Dependence, Elsewhere, Home, Keyword, Matrices};
use crate::spec::{Configuration, Spec};

/// The accesses of one configuration.
#[derive(Debug, Serialize)]
pub struct LocalityReport {
    schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The configuration.
    pub parameters: Values,
    /// In the order of the text.
    pub accesses: Vec<AccessReport>,
}

/// One access.
#[derive(Debug, Serialize)]
pub struct AccessReport {
    /// Which statement it is.
    pub statement: Keyword,
    /// The array, if the spec names it.
    pub array: Option<String>,
    /// Line of the spec.
    pub line: u32,
    /// What it is in most blocks.
    pub classes: Vec<Class>,
    /// Elements between neighbouring lanes.
    pub stride: Option<u64>,
    /// 32-byte sectors of a warp's access.
    pub sectors: Option<f64>,
    /// Ways of its bank conflict.
    pub conflict: Option<f64>,
    /// Where it should live.
    pub advice: Option<Home>,
    /// What that would save.
    pub saves: Option<Saves>,
    /// Blocks where it is something else.
    pub elsewhere: Vec<ElsewhereReport>,
    /// What the theorems were applied to.
    pub matrices: Option<MatricesReport>,
    /// Keys of the spec that would say more.
    pub missing: Option<&'static str>,
}

/// What living elsewhere would save.
#[derive(Debug, Serialize)]
pub struct Saves {
    /// Over all launches; none if they cannot be counted.
    pub transactions: Option<u64>,
}

/// A block where an access is something else.
#[derive(Debug, Serialize)]
pub struct ElsewhereReport {
    /// One such group, along x, y, z.
    pub group: [u64; 3],
    /// In which launch.
    pub launch: u64,
    /// What it is there.
    pub classes: Vec<Class>,
}

/// Matrices as rows of numbers.
#[derive(Debug, Serialize)]
pub struct MatricesReport {
    /// Components of J.
    pub dimensions: Vec<String>,
    /// Which of them is `z_1`.
    pub lane: String,
    /// F.
    pub f: Vec<Vec<i64>>,
    /// `T_t`.
    pub t: Vec<Vec<i64>>,
    /// Whether it is the target of a true dependence in the block; none if that is not known.
    pub dependent: Option<bool>,
    /// Phi, if it is the target of one affine dependence.
    pub phi: Option<Vec<Vec<i64>>>,
}

impl LocalityReport {
    /// Of what was found about a configuration.
    #[must_use]
    pub fn new(spec: &Spec, gpu: &str, configuration: &Configuration, findings: Vec<AccessFinding>) -> Self {
        Self {
            schema: "autotune.locality/1",
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            parameters: super::build::values(spec, configuration),
            accesses: findings.into_iter().map(AccessReport::from).collect(),
        }
    }

    /// As text.
    #[must_use]
    pub fn for_people(&self) -> String {
        let header = ["access", "line", "stride", "sectors", "conflict", "classes", "best in", "saves"];
        let mut table = table(&header);
        for access in &self.accesses {
            table.add_row(access.row());
        }
        let notes: String = self.accesses.iter().flat_map(AccessReport::notes).collect();
        let gap = if notes.is_empty() { "" } else { "\n" };
        format!("{} on {}, {}\n\n{}\n{gap}{notes}", self.kernel, self.gpu, label(&self.parameters), table.trim_fmt())
    }
}

impl AccessReport {
    fn name(&self) -> String {
        let keyword = match self.statement {
            Keyword::Load => "load",
            Keyword::Store => "store",
            Keyword::Local => "local",
        };
        self.array.as_ref().map_or_else(|| keyword.to_owned(), |array| format!("{keyword} {array}"))
    }

    fn row(&self) -> [String; 8] {
        let decimal = |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:.2}"));
        let saves = self.saves.as_ref().map(|saves| saves.transactions.map_or_else(|| "?".to_owned(), grouped));
        [
            self.name(),
            self.line.to_string(),
            self.stride.map_or_else(String::new, |stride| stride.to_string()),
            decimal(self.sectors),
            decimal(self.conflict),
            if self.matrices.is_some() { classes(&self.classes) } else { "?".to_owned() },
            self.advice.map_or_else(String::new, |home| home.name().to_owned()),
            saves.unwrap_or_default(),
        ]
    }

    fn notes(&self) -> Vec<String> {
        let at = format!("{}, line {}", self.name(), self.line);
        let missing = self.missing.map(|keys| format!("{at}: to say more needs {keys}\n"));
        let elsewhere = self.elsewhere.iter().map(|other| {
            let [x, y, z] = other.group;
            format!(
                "{at}: in other groups, such as {x},{y},{z} of launch {}: {}\n",
                other.launch,
                classes(&other.classes)
            )
        });
        missing.into_iter().chain(elsewhere).collect()
    }
}

impl From<AccessFinding> for AccessReport {
    fn from(finding: AccessFinding) -> Self {
        Self {
            statement: finding.keyword,
            array: finding.array,
            line: finding.place.line,
            classes: finding.classes,
            stride: finding.stride,
            sectors: finding.sectors,
            conflict: finding.conflict,
            advice: finding.advice.map(|advice| advice.home),
            saves: finding.advice.map(|advice| Saves { transactions: advice.saves }),
            elsewhere: finding.elsewhere.into_iter().map(ElsewhereReport::from).collect(),
            matrices: finding.matrices.as_ref().map(MatricesReport::from),
            missing: finding.missing,
        }
    }
}

impl From<Elsewhere> for ElsewhereReport {
    fn from(Elsewhere { block: [x, y, z, launch], classes }: Elsewhere) -> Self {
        Self { group: [x, y, z], launch, classes }
    }
}

impl From<&Matrices> for MatricesReport {
    fn from(matrices: &Matrices) -> Self {
        Self {
            dimensions: matrices.dimensions.clone(),
            lane: matrices.dimensions[matrices.lane].clone(),
            f: rows(&matrices.subscripts),
            t: rows(&matrices.sequential),
            dependent: match matrices.dependence {
                Dependence::Unknown => None,
                Dependence::None => Some(false),
                Dependence::Affine { .. } | Dependence::Pieces { .. } => Some(true),
            },
            phi: match &matrices.dependence {
                Dependence::Affine { matrix, .. } => Some(rows(matrix)),
                _ => None,
            },
        }
    }
}

fn rows(matrix: &DMatrix<i64>) -> Vec<Vec<i64>> {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
}

/// The classes as one word or several.
fn classes(classes: &[Class]) -> String {
    if classes.is_empty() {
        return "none".to_owned();
    }
    classes.iter().map(|class| class.name()).collect::<Vec<_>>().join(", ")
}
