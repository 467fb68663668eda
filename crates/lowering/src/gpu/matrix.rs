//! The matrix units of a multiprocessor: the types of numbers that they multiply, and the rate of each.

use super::number::{Rate, UNKNOWN};
use super::pipelined::Pipelined;
use autotune_kernel::source::MatrixType;

/// The key of the peak rates.
const PEAK: &str = "matrix_macs_per_cycle";
/// The key of the rates of synchronous instructions.
const SYNCHRONOUS: &str = "matrix_macs_per_cycle_mma";

impl Pipelined {
    /// Returns true if the multiprocessors have matrix units.
    #[must_use]
    pub fn has_matrix_units(&self) -> bool {
        self.matrix_macs_per_cycle.is_some()
    }

    /// Returns the dense multiply-accumulates per cycle of a whole multiprocessor, with 32-bit accumulators, or 64-bit
    /// ones for double precision. `is_asynchronous` is true for instructions of the kind of `wgmma` and `tcgen05.mma`.
    /// `None` if the GPU has no matrix units or they do not take the type.
    #[must_use]
    pub fn matrix_macs(&self, of: MatrixType, is_asynchronous: bool) -> Option<Rate> {
        let peak = self.matrix_macs_per_cycle?.of(of)?;
        let synchronous = self.matrix_macs_per_cycle_mma.and_then(|rates| rates.of(of));
        Some(synchronous.filter(|_| !is_asynchronous).unwrap_or(peak))
    }

    /// A contradiction between the values of matrix units: the key and the message.
    pub(super) fn matrix_contradiction(&self) -> Option<(&'static str, String)> {
        let rates = [(PEAK, self.matrix_macs_per_cycle), (SYNCHRONOUS, self.matrix_macs_per_cycle_mma)];
        let empty = rates.into_iter().find(|(_, rates)| rates.is_some_and(|rates| rates.greatest().is_none()));
        if let Some((key, _)) = empty {
            return Some((key, format!("`{key}` states no type; leave it out if there is no rate to state")));
        }
        if let Some(key) = self.matrix_key_without_units() {
            let what = format!(
                "`{key}` is stated, but without `{PEAK}` there are no matrix units; `{key}: {UNKNOWN}` leaves out a base's"
            );
            return Some((key, what));
        }
        let peak = self.matrix_macs_per_cycle?;
        self.matrix_macs_per_cycle_mma?.stated().find_map(|(of, synchronous)| {
            let name = of.name();
            let what = match peak.of(of) {
                None => format!("`{PEAK}` has no rate of {name}, but `{SYNCHRONOUS}` has {synchronous}"),
                Some(peak) if peak < synchronous => {
                    format!("{synchronous} of {name} is more than the peak of {peak} in `{PEAK}`")
                }
                Some(_) => return None,
            };
            Some((SYNCHRONOUS, what))
        })
    }

    /// A stated key that only a GPU with matrix units has, if the GPU has none.
    fn matrix_key_without_units(&self) -> Option<&'static str> {
        let stated = [
            (SYNCHRONOUS, self.matrix_macs_per_cycle_mma.is_some()),
            ("matrix_latency_cycles", self.matrix_latency_cycles.is_some()),
        ];
        stated.into_iter().find(|(_, stated)| *stated && !self.has_matrix_units()).map(|(key, _)| key)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Profile, find};
    use super::*;

    /// A GTX 1080, which has no matrix units, with further lines.
    fn with(lines: &str) -> Result<Pipelined, String> {
        let text = format!("{}\n{lines}\n", find("gtx1080").unwrap().text);
        match Profile::parse(&text, "mine.yaml").map_err(|error| error.to_string())? {
            Profile::Pipelined(gpu) => Ok(*gpu),
            Profile::Lockstep(_) => unreachable!("a GTX 1080 is a real GPU"),
        }
    }

    #[test]
    fn a_rate_of_synchronous_instructions_is_the_peak_unless_stated() {
        let lines = "matrix_macs_per_cycle: { fp16: 2048, int8: 4096 }\nmatrix_macs_per_cycle_mma: { fp16: 1288.5 }";
        let gpu = with(lines).unwrap();
        let macs = |of| (gpu.matrix_macs(of, true), gpu.matrix_macs(of, false));
        let (peak, slower) = (Rate::from(2048), Rate::new(2577, 2));
        assert_eq!(macs(MatrixType::Fp16), (Some(peak), Some(slower)));
        assert_eq!(macs(MatrixType::Int8), (Some(Rate::from(4096)), Some(Rate::from(4096))));
        assert_eq!(macs(MatrixType::Tf32), (None, None));
        assert!(gpu.has_matrix_units());
    }

    #[test]
    fn without_rates_there_are_no_matrix_units() {
        for lines in ["", "matrix_macs_per_cycle: unknown\nmatrix_latency_cycles: unknown"] {
            let gpu = with(lines).unwrap();
            assert!(!gpu.has_matrix_units() && gpu.matrix_macs(MatrixType::Fp16, true).is_none(), "{lines}");
            assert!(!gpu.async_copy && !gpu.tma && gpu.l2_port_bytes_per_cycle.is_none(), "{lines}");
        }
    }

    #[test]
    fn a_block_of_lines_is_a_mapping_too() {
        let gpu = with("matrix_macs_per_cycle:\n  fp16: 1024\n  fp8: unknown").unwrap();
        assert_eq!(gpu.matrix_macs(MatrixType::Fp16, false), Some(Rate::from(1024)));
        assert_eq!(gpu.matrix_macs(MatrixType::Fp8, false), None);
    }

    #[test]
    fn wrong_rates_are_refused_with_their_place() {
        let peak = "matrix_macs_per_cycle: { fp16: 1024 }\n";
        for (lines, told) in [
            ("matrix_macs_per_cycle: { fp15: 1 }", "unknown key `fp15`; did you mean `fp16`?"),
            (
                "matrix_macs_per_cycle: { fp16: 1, half: 1 }",
                "unknown key `half`; the keys are `fp16`, `bf16`, `tf32`, `fp32`, `fp64`, `int8`, `fp8`",
            ),
            ("matrix_macs_per_cycle: { fp16: 0 }", "0 is not a number above 0"),
            ("matrix_macs_per_cycle: { fp16: -1 }", "-1 is not a number above 0"),
            ("matrix_macs_per_cycle: { fp16: 1, fp16: 2 }", "fp16"),
            ("matrix_macs_per_cycle: 1024", "such as `{ fp16: 1024, int8: 2048 }`"),
            ("matrix_macs_per_cycle: [1024]", "such as `{ fp16: 1024, int8: 2048 }`"),
            ("matrix_macs_per_cycle: {}", "`matrix_macs_per_cycle` states no type"),
            ("matrix_macs_per_cycle_mma: { fp16: 1 }", "without `matrix_macs_per_cycle` there are no matrix units"),
            ("matrix_latency_cycles: 33", "without `matrix_macs_per_cycle` there are no matrix units"),
            (
                &format!("{peak}matrix_macs_per_cycle_mma: {{ fp16: 1025 }}"),
                "1025 of fp16 is more than the peak of 1024 in `matrix_macs_per_cycle`",
            ),
            (
                &format!("{peak}matrix_macs_per_cycle_mma: {{ bf16: 1 }}"),
                "`matrix_macs_per_cycle` has no rate of bf16, but `matrix_macs_per_cycle_mma` has 1",
            ),
            (&format!("{peak}matrix_latency_cycles: 0"), "0 is not a number above 0"),
            ("async_copy: 1", "mine.yaml"),
            ("l2_size_bytes: 4 MiB", "4 MiB is not an integer"),
            ("bf16_lanes_per_sm: 0", "0 is not an integer from 1"),
        ] {
            let error = with(lines).map_or_else(|error| error, |_| String::new());
            assert!(error.contains(told) && error.contains("mine.yaml:"), "{lines}: {error}");
        }
    }
}
