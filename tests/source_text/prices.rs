//! The prices of instructions, against the table of `docs/theory/source.md`.

use autotune::source::{BlockId, IrText, Maker, Operations, Prices};

/// A row of the book: the instructions, and their price on NVIDIA's GPUs and on others.
struct Row<'a> {
    instructions: Vec<&'a str>,
    prices: [&'a str; 2],
}

fn rows(page: &str) -> Vec<Row<'_>> {
    page.lines().filter(|line| line.starts_with("| `%")).map(row).collect()
}

fn row(line: &str) -> Row<'_> {
    let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
    let [instructions, nvidia, other] = cells[..] else { panic!("{line}") };
    Row { instructions: instructions.split('`').skip(1).step_by(2).collect(), prices: [nvidia, other] }
}

/// The operations of a row's instructions: an unused function of the text is declared by its call.
fn price(instructions: &[&str], maker: Maker) -> Operations {
    let text = format!(
        "define spir_kernel void @k(ptr addrspace(1) %a, float %f, float %g, double %d, half %h, i32 %i, i32 %j, i64 %l, \
         i64 %m, i1 %c) {{\nentry:\n  {}\n  ret void\n}}\n",
        instructions.join("\n  ")
    );
    let split = IrText::split(&text).unwrap();
    let module = split.module("k").unwrap().unwrap();
    let prices = Prices::new(&module.kernel, maker);
    prices.block(BlockId(0)).iter().fold(Operations::default(), |sum, price| sum.plus(*price))
}

/// The operations as the book says them: `special 1, fp32 4`, or `free`.
fn said(operations: Operations) -> String {
    let Operations { special, fp32, fp64, fp16, int32, any } = operations;
    let all = [("special", special), ("fp32", fp32), ("fp64", fp64), ("fp16", fp16), ("int32", int32), ("any", any)];
    let counts: Vec<String> =
        all.iter().filter(|(_, count)| *count > 0).map(|(unit, count)| format!("{unit} {count}")).collect();
    if counts.is_empty() { "free".to_owned() } else { counts.join(", ") }
}

#[test]
fn an_instruction_costs_what_the_book_says() {
    let page = std::fs::read_to_string("docs/theory/source.md").unwrap();
    let rows = rows(&page);
    assert!(rows.len() >= 25, "only {} rows were found", rows.len());
    for Row { instructions, prices } in rows {
        for (maker, expected) in [Maker::Nvidia, Maker::Other].into_iter().zip(prices) {
            assert_eq!(said(price(&instructions, maker)), expected, "{instructions:?} on {maker:?}");
        }
    }
}

/// Twelve instructions, the jump behind them included, become conditional.
#[test]
fn a_branch_around_few_instructions_is_free_on_nvidias_gpus() {
    let branch = |sums: usize, maker| {
        let sums: Vec<String> = (0..sums).map(|number| format!("  %s{number} = fadd float %f, %f\n")).collect();
        let sums = sums.concat();
        let text = format!(
            "define spir_kernel void @k(float %f, i1 %c) {{\nentry:\n  br i1 %c, label %few, label %end\nfew:\n{sums}  \
             br label %end\nend:\n  ret void\n}}\n"
        );
        let split = IrText::split(&text).unwrap();
        let module = split.module("k").unwrap().unwrap();
        Prices::new(&module.kernel, maker).block(BlockId(0))[0].any
    };
    assert_eq!([11, 12].map(|sums| branch(sums, Maker::Nvidia)), [0, 1]);
    assert_eq!(branch(11, Maker::Other), 1);
}
