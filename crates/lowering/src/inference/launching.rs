//! The words that launch a kernel.

use autotune_kernel::source::Word;

/// The functions that launch a kernel, with the positions of the kernel, the groups and the group among their arguments.
pub(super) const CALLS: [(&str, [usize; 3]); 8] = [
    ("hipLaunchKernelGGL", [0, 1, 2]),
    ("hipLaunchKernel", [0, 1, 2]),
    ("cudaLaunchKernel", [0, 1, 2]),
    ("cudaLaunchCooperativeKernel", [0, 1, 2]),
    ("hipLaunchCooperativeKernel", [0, 1, 2]),
    ("cudaLaunchKernelEx", [1, 0, 0]),
    ("cudaLaunchKernelExC", [1, 0, 0]),
    ("hipLaunchKernelExC", [1, 0, 0]),
];

/// True if words launch a kernel.
pub(super) fn has_launch(words: &[Word<'_>]) -> bool {
    (0..words.len()).any(|at| is_triple(words, at, "<") || CALLS.iter().any(|(name, _)| *name == words[at].text))
}

/// True for three equal signs side by side.
pub(super) fn is_triple(words: &[Word<'_>], at: usize, sign: &str) -> bool {
    let three = words.get(at..at + 3);
    three.is_some_and(|three| {
        three.iter().all(|word| word.text == sign) && three[0].end() == three[1].at && three[1].end() == three[2].at
    })
}
