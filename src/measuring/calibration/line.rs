//! A line through points, by least squares.

/// A line: `slope` times x, plus `intercept`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    pub(super) slope: f64,
    pub(super) intercept: f64,
}

impl Line {
    /// The line with the least squares of its deviations; `None` unless two points have different x.
    pub(super) fn through(points: &[(f64, f64)]) -> Option<Self> {
        let (x, y) = means(points)?;
        let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
        let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>() / spread;
        slope.is_finite().then_some(Self { slope, intercept: y - slope * x })
    }

    /// The line with the least squares among those without a negative number.
    pub(super) fn without_negatives(self, points: &[(f64, f64)]) -> Self {
        let Self { slope, intercept } = self;
        if slope < 0.0 {
            let (_, y) = means(points).unwrap_or_default();
            return Self { slope: 0.0, intercept: y };
        }
        if intercept < 0.0 {
            let products: f64 = points.iter().map(|(x, y)| x * y).sum();
            return Self { slope: products / points.iter().map(|(x, _)| x * x).sum::<f64>(), intercept: 0.0 };
        }
        self
    }

    pub(super) fn at(self, x: f64) -> f64 {
        self.slope * x + self.intercept
    }
}

/// The means of x and y; `None` without points.
#[expect(clippy::cast_precision_loss, reason = "a few points")]
fn means(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let number = points.len() as f64;
    let sum = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / number;
    (!points.is_empty()).then(|| (sum(|point| point.0), sum(|point| point.1)))
}
