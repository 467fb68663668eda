//! The first screen: `autotune` alone.

use super::output;

/// The program in a line, three commands that work in any folder, and the place of the book.
const WELCOME: &str = "\
autotune finds the launch parameters that make a GPU kernel fastest, and proves it. It needs no GPU.

Try:
  autotune init --out kernel.yaml                    a commented spec to start from
  autotune kernel.yaml --gpu a100                    its fastest launch parameters, proved
  autotune evaluate kernel.yaml --gpu a100 --top 5   the five fastest, with their times

`autotune -h` lists the commands, `autotune doctor` tests what a proof needs.
The book is the folder docs of the source, from tutorial.md on; `ci/book` builds its pages.
";

/// Prints the first screen, where the errors of a command line stand.
pub(super) fn show() {
    output::progress(WELCOME.trim_end());
}
