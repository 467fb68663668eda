//! An estimate of the registers that NVIDIA's assembler gives a kernel, from the registers that are live in its PTX.
//!
//! Triton's output for LLVM has vectors that its back end takes apart, so that PTX is nearer to what the assembler sees.

use std::collections::HashMap;
use std::ops::Range;

use fixedbitset::FixedBitSet;

use super::Registers;
use super::estimate::most_registers;

/// The share of the registers live in PTX that the assembler needs, in percent: the median over 181 kernels.
const NEEDED: u64 = 85;

/// The registers of the first kernel of a text in PTX, estimated. The assembler loads parts of factors where the text does as
/// long as registers are free, else where they are used.
#[must_use]
pub fn ptx_registers(text: &str) -> Registers {
    let listing = Listing::new(text);
    let needed = |when| (listing.most_live(when) * NEEDED).div_ceil(200);
    let free = most_registers(most_items(text));
    Registers::estimated(needed(Loaded::AtUse).max(needed(Loaded::InOrder).min(free)))
}

/// The moment when a part of a factor comes from local memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loaded {
    /// The place of its load in the text.
    InOrder,
    /// Its first use in the same stretch.
    AtUse,
}

/// The most work items of the first kernel's groups; `None` if the text does not say it.
fn most_items(text: &str) -> Option<u64> {
    let (_, text) = text.split_once(".entry")?;
    let (head, _) = text.split_once("\n{")?;
    let sizes =
        head.lines().find_map(|line| line.strip_prefix(".maxntid").or_else(|| line.strip_prefix(".reqntid")))?;
    sizes.split(',').map(|size| size.trim().parse::<u64>().ok()).product()
}

/// An instruction's registers and its successors.
#[derive(Debug, Default)]
struct Instruction {
    defined: Vec<usize>,
    used: Vec<usize>,
    /// True if it loads parts of factors for matrix instructions.
    loads_factors: bool,
    /// The position of the instruction that it jumps to.
    jumps_to: Option<usize>,
    /// True if the next instruction may follow.
    falls_through: bool,
}

/// The instructions of a kernel.
#[derive(Debug, Default)]
struct Listing {
    instructions: Vec<Instruction>,
    /// The sizes of the registers by their number, in halves of 32 bits.
    sizes: Vec<u64>,
}

/// The halves of 32 bits in a register of a class, by the letters of its name.
fn halves(class: &str) -> u64 {
    match class {
        "p" => 0,
        "rs" | "h" => 1,
        "rd" | "fd" => 4,
        "q" => 8,
        _ => 2,
    }
}

/// The operations without results.
const WITHOUT_RESULTS: [&str; 10] =
    ["st.", "bra", "bar", "ret", "red", "cp.async", "mbarrier", "fence", "tcgen05", "stmatrix"];

impl Listing {
    /// Reads the first kernel of a text.
    fn new(text: &str) -> Self {
        let body = text.split_once(".entry").and_then(|(_, text)| text.split_once("\n{")).map_or("", |(_, body)| body);
        let body = body.split("\n}").next().unwrap_or_default();
        let (mut listing, mut numbers, mut labels, mut jumps) =
            (Self::default(), HashMap::new(), HashMap::new(), Vec::new());
        for line in body.lines() {
            let line = line.split("//").next().unwrap_or_default().trim();
            if let Some(label) = line.strip_suffix(':') {
                labels.insert(label.to_owned(), listing.instructions.len());
                continue;
            }
            if line.is_empty() || line.starts_with(['.', '{', '}', '(', ')']) {
                continue;
            }
            if let Some(label) = target(line) {
                jumps.push((listing.instructions.len(), label.to_owned()));
            }
            let instruction = listing.instruction(line, &mut numbers);
            listing.instructions.push(instruction);
        }
        for (at, label) in jumps {
            listing.instructions[at].jumps_to = labels.get(&label).copied();
        }
        listing
    }

    /// Reads a line such as `@%p1 add.s32 %r1, %r2, 4;`.
    fn instruction(&mut self, line: &str, numbers: &mut HashMap<String, usize>) -> Instruction {
        let (guard, rest) = match line.split_once(' ') {
            Some((guard, rest)) if line.starts_with('@') => (guard, rest.trim_start()),
            _ => ("", line),
        };
        let operation = rest.split([' ', ';']).next().unwrap_or_default();
        let results = if WITHOUT_RESULTS.iter().any(|word| operation.starts_with(word)) {
            0
        } else if let Some((before, _)) = rest.split_once('}').filter(|(before, _)| is_list_of_results(before, rest)) {
            self.registers(before, numbers).len()
        } else {
            1
        };
        let mut all = self.registers(rest, numbers);
        let mut used = all.split_off(results.min(all.len()));
        if operation.starts_with("wgmma") {
            // The results are added to.
            used.extend(&all);
        }
        used.extend(self.registers(guard, numbers));
        let is_end = operation.starts_with("ret") || operation.starts_with("bra");
        let loads_factors = operation.starts_with("ldmatrix");
        Instruction { defined: all, used, loads_factors, jumps_to: None, falls_through: !is_end || !guard.is_empty() }
    }

    /// The numbers of the registers in a text.
    fn registers(&mut self, text: &str, numbers: &mut HashMap<String, usize>) -> Vec<usize> {
        let mut found = Vec::new();
        for part in text.split('%').skip(1) {
            let name = part.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
            let class = name.trim_end_matches(|c: char| c.is_ascii_digit());
            // Names without a number are the machine's own, such as `%tid`.
            if class.len() == name.len() || class.is_empty() {
                continue;
            }
            let next = numbers.len();
            let number = *numbers.entry(name.to_owned()).or_insert(next);
            if number == next {
                self.sizes.push(halves(class));
            }
            found.push(number);
        }
        found
    }

    /// The most halves of 32 bits that are live at once: inside loops, or anywhere in a kernel without loops. What is
    /// computed before and behind the loops is moved by the assembler until it fits.
    fn most_live(&self, when: Loaded) -> u64 {
        let (blocks, leaving) = (self.blocks(), self.leaving());
        let is_in_loop = self.in_loops(&blocks);
        let has_loops = is_in_loop.contains(&true);
        let counted = blocks.iter().zip(&leaving).zip(is_in_loop).filter(|(_, is_in_loop)| *is_in_loop || !has_loops);
        counted.map(|((block, leaving), _)| self.most_live_in(block, leaving, when)).max().unwrap_or(0)
    }

    /// The most halves of 32 bits that are live at once in a block.
    fn most_live_in(&self, block: &Range<usize>, leaving: &FixedBitSet, when: Loaded) -> u64 {
        let begins = if when == Loaded::AtUse { self.first_uses(block) } else { HashMap::new() };
        let mut live = leaving.clone();
        let mut size: u64 = live.ones().map(|register| self.sizes[register]).sum();
        let mut most = size;
        for at in block.clone().rev() {
            let instruction = &self.instructions[at];
            size -= instruction.defined.iter().map(|register| self.end(&mut live, *register)).sum::<u64>();
            for register in &instruction.used {
                if !live.put(*register) {
                    size += self.sizes[*register];
                }
            }
            most = most.max(size);
            size -= begins.get(&at).into_iter().flatten().map(|register| self.end(&mut live, *register)).sum::<u64>();
        }
        most
    }

    /// Ends a register's life. Returns the halves that it had; 0 if it was not live.
    fn end(&self, live: &mut FixedBitSet, register: usize) -> u64 {
        let was_live = live.contains(register);
        live.remove(register);
        if was_live { self.sizes[register] } else { 0 }
    }

    /// The parts of factors of a block by the instruction that uses them first.
    fn first_uses(&self, block: &Range<usize>) -> HashMap<usize, Vec<usize>> {
        let (mut waiting, mut uses) = (FixedBitSet::with_capacity(self.sizes.len()), HashMap::new());
        for at in block.clone() {
            let instruction = &self.instructions[at];
            for register in instruction.used.iter().filter(|register| waiting.contains(**register)) {
                uses.entry(at).or_insert_with(Vec::new).push(*register);
            }
            instruction.used.iter().for_each(|register| waiting.remove(*register));
            instruction.defined.iter().for_each(|register| waiting.set(*register, instruction.loads_factors));
        }
        uses
    }

    /// True for each block between the target and the end of a jump backwards.
    fn in_loops(&self, blocks: &[Range<usize>]) -> Vec<bool> {
        let mut is_in_loop = vec![false; blocks.len()];
        for (number, block) in blocks.iter().enumerate() {
            let Some(target) = self.instructions[block.clone()].last().and_then(|last| last.jumps_to) else { continue };
            for (other, is_in_loop) in blocks.iter().zip(&mut is_in_loop).take(number + 1) {
                *is_in_loop |= other.start >= target;
            }
        }
        is_in_loop
    }

    /// The stretches of instructions without jumps, in their order.
    fn blocks(&self) -> Vec<Range<usize>> {
        let mut starts = vec![0, self.instructions.len()];
        for (at, instruction) in self.instructions.iter().enumerate() {
            starts.extend(instruction.jumps_to);
            if instruction.jumps_to.is_some() || !instruction.falls_through {
                starts.push(at + 1);
            }
        }
        starts.sort_unstable();
        starts.dedup();
        starts.windows(2).map(|ends| ends[0]..ends[1]).collect()
    }

    /// The registers that are live at each block's end.
    fn leaving(&self) -> Vec<FixedBitSet> {
        let blocks = self.blocks();
        let empty = || vec![FixedBitSet::with_capacity(self.sizes.len()); blocks.len()];
        let (mut entering, mut leaving) = (empty(), empty());
        let at = |start: usize| blocks.iter().position(|block| block.start == start);
        loop {
            let mut is_same = true;
            for (number, block) in blocks.iter().enumerate().rev() {
                let Some(last) = self.instructions[block.clone()].last() else { continue };
                let next = last.falls_through.then_some(block.end).into_iter().chain(last.jumps_to);
                let mut live = FixedBitSet::with_capacity(self.sizes.len());
                next.filter_map(at).for_each(|successor| live.union_with(&entering[successor]));
                leaving[number].clone_from(&live);
                for instruction in self.instructions[block.clone()].iter().rev() {
                    instruction.defined.iter().for_each(|register| live.remove(*register));
                    live.extend(instruction.used.iter().copied());
                }
                is_same &= live == entering[number];
                entering[number] = live;
            }
            if is_same {
                return leaving;
            }
        }
    }
}

/// True if the registers before the first `}` of a line are its results.
fn is_list_of_results(before: &str, line: &str) -> bool {
    let is_first = before.split_once('{').is_some_and(|(operation, _)| !operation.contains('%'));
    is_first && ["mma", "ldmatrix", "ld", "wgmma", "mov"].iter().any(|word| line.starts_with(word))
}

/// The label that a line jumps to; `None` if it does not jump.
fn target(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("bra")?;
    let label = rest.rsplit([' ', '\t']).next()?.trim_end_matches(';');
    label.starts_with('$').then_some(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_live_across_a_loop_counts() {
        let text = ".visible .entry k(\n)\n{\n\t.reg .pred %p<2>;\n\tmov.u32 %r1, %tid.x;\n\tmov.b64 %rd1, 0;\n\
            $L1:\n\tadd.s32 %r2, %r1, 1;\n\tadd.s32 %r3, %r2, %r1;\n\tsetp.lt.s32 %p1, %r3, 9;\n\t@%p1 bra $L1;\n\
            \tst.global.b32 [%rd1], %r1;\n\tret;\n}\n";
        let listing = Listing::new(text);
        assert_eq!(listing.instructions.len(), 8);
        assert_eq!(listing.blocks(), [0..2, 2..6, 6..8]);
        // A pointer of two words, %r1, and %r2 or %r3.
        assert_eq!(listing.most_live(Loaded::InOrder), 2 * 4);
        assert_eq!(ptx_registers(text).value, 4);
    }

    /// Two loads of four words, and a product that adds to two words for each.
    #[test]
    fn a_part_of_a_factor_is_loaded_early_as_long_as_registers_are_free() {
        let text = ".entry k()\n.maxntid 128\n{\n$L1:\n\tldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r20];\n\
            \tldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r6, %r7, %r8}, [%r20];\n\
            \tmma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 { %r9, %r10 }, { %r1, %r2 }, { %r3, %r4 }, { %r9, %r10 };\n\
            \tmma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 { %r9, %r10 }, { %r5, %r6 }, { %r7, %r8 }, { %r9, %r10 };\n\
            \t@%p1 bra $L1;\n\tret;\n}\n";
        let listing = Listing::new(text);
        // Two sums, the address, and eight words or four.
        assert_eq!([Loaded::InOrder, Loaded::AtUse].map(|when| listing.most_live(when)), [2 * 11, 2 * 7]);
        let of_items = |items: u64| ptx_registers(&text.replace("128", &items.to_string())).value;
        assert_eq!([of_items(128), of_items(8192), of_items(1 << 14)], [10, 8, 6]);
    }

    #[test]
    fn the_results_of_a_list_are_not_live_before_it() {
        let text = ".entry k()\n{\n\tldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r5];\n\
            \tmma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 { %r6, %r7 }, { %r1, %r2, %r3, %r4 }, { %r8 }, { %r6, %r7 };\n\
            \tst.global.v2.b32 [%rd1], {%r6, %r7};\n\tret;\n}\n";
        let listing = Listing::new(text);
        let counts: Vec<_> = listing.instructions.iter().map(|one| (one.defined.len(), one.used.len())).collect();
        assert_eq!(counts, [(4, 1), (2, 7), (0, 3), (0, 0)]);
    }
}
