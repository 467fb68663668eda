//! The opinion of machine and wave model together about configurations.
//!
//! ```text
//! m = time by the machine / least such time        w = time by the wave model / least such time
//! recommended: the least max(m, w^(3/5))
//! ```
//!
//! Two models that err differently seldom err together. The wave model's deviations count three fifths: that is the
//! quotient of the squared errors. Over the measured sets that the project's table scores, the error of the ratio of two
//! configurations has a median of 0.20 for the machine and 0.27 for the wave model, as logarithms.

/// The value of a configuration by both models, at least 1; less is better. It orders as max(m, w^(3/5)) does, without a
/// root: all machines compute the same bits. Both arguments are relative to the least time.
#[must_use]
pub fn opinion(by_machine: f64, by_waves: f64) -> f64 {
    by_machine.powi(5).max(by_waves.powi(3))
}

/// The opinion about each configuration, given its times by the machine and by the wave model, each in a unit of its own.
/// `None` if it lacks one of the two.
#[must_use]
pub fn opinions(by_machine: &[Option<f64>], by_waves: &[Option<f64>]) -> Vec<Option<f64>> {
    let least = Least::of(by_machine, by_waves);
    let both = by_machine.iter().zip(by_waves);
    both.map(|(machine, waves)| Some(opinion((*machine)? / least.machine, (*waves)? / least.waves))).collect()
}

/// The least times by machine and wave model, each in a unit of its own: what times are relative to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Least {
    /// The least time by the machine.
    pub machine: f64,
    /// The least time by the wave model.
    pub waves: f64,
}

impl Least {
    /// The least of these times. Both are infinite without times.
    #[must_use]
    pub fn of(by_machine: &[Option<f64>], by_waves: &[Option<f64>]) -> Self {
        let least = |times: &[Option<f64>]| times.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        Self { machine: least(by_machine), waves: least(by_waves) }
    }

    /// The time that both models together expect, in the unit of the machine's time: its least times max(m, w^(3/5)).
    #[must_use]
    pub fn expected(&self, by_machine: f64, by_waves: f64) -> f64 {
        self.machine * opinion(by_machine / self.machine, by_waves / self.waves).powf(0.2)
    }
}

/// The index of the configuration with the least opinion; of equal ones the least time by the machine, then the first.
/// `None` without an opinion.
#[must_use]
pub fn recommended(opinions: &[Option<f64>], by_machine: &[Option<f64>]) -> Option<usize> {
    let keys = opinions.iter().zip(by_machine).enumerate();
    let keys = keys.filter_map(|(index, (opinion, by_machine))| Some(((*opinion)?, (*by_machine)?, index)));
    keys.reduce(|one, other| if other < one { other } else { one }).map(|(.., index)| index)
}
