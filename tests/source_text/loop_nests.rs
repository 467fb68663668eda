//! Random nests of loops: what is executed, with loops folded and walked, against a plain interpreter of one work item.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use autotune::limits::Limits;
use autotune::source::{
    Assumptions, Flow, IrText, Known, Mask, Shape, Slope, SourceLaunch, Step, Symbol, Trace, execute,
};
use proptest::prelude::*;

/// Work items of the group, and its id.
const LANES: u32 = 8;
const GROUP: i32 = 3;
/// The bits of an address within its array.
const IN_ARRAY: i64 = (1 << 40) - 1;

/// A number of 32 bits.
#[derive(Debug, Clone)]
enum Number {
    Constant(i32),
    Lane,
    Group,
    /// The counter of a loop around it, from the innermost; 0 without one.
    Counter(usize),
    Binary(&'static str, Box<Number>, Box<Number>),
    /// The lesser of two numbers, with signs.
    Least(Box<Number>, Box<Number>),
}

#[derive(Debug, Clone)]
enum Statement {
    /// A store to an element.
    Store(Number),
    Loop {
        begin: i32,
        step: i32,
        end: End,
        body: Vec<Statement>,
    },
    /// Statements under a comparison.
    If(&'static str, Number, Number, Vec<Statement>),
}

/// The end of a loop.
#[derive(Debug, Clone)]
enum End {
    /// The counter reaches a number that may differ between work items.
    Below(Number),
    /// The counter is what it is after this many iterations.
    After(i32),
}

fn number() -> impl Strategy<Value = Number> + Clone {
    let leaf = prop_oneof![
        (-9..40).prop_map(Number::Constant),
        Just(Number::Lane),
        Just(Number::Group),
        (0..3_usize).prop_map(Number::Counter),
        (0..3_usize).prop_map(Number::Counter),
    ];
    leaf.prop_recursive(4, 12, 2, |inner| {
        let both = |operator| {
            (inner.clone(), inner.clone())
                .prop_map(move |(left, right)| Number::Binary(operator, left.into(), right.into()))
        };
        let with = |operator, constants: Vec<i32>| {
            (inner.clone(), prop::sample::select(constants))
                .prop_map(move |(left, right)| Number::Binary(operator, left.into(), Number::Constant(right).into()))
        };
        let masks = vec![1, 2, 3, 4, 6, 7, 8, 15, 31, 255, -4, -16];
        // The bits of `4 * left` and `right & 3` never meet.
        let apart = (inner.clone(), inner.clone()).prop_map(|(left, right)| {
            let high = Number::Binary("shl", left.into(), Number::Constant(2).into());
            let low = Number::Binary("and", right.into(), Number::Constant(3).into());
            Number::Binary("or", high.into(), low.into())
        });
        prop_oneof![
            both("add"),
            both("add"),
            both("sub"),
            both("mul"),
            both("or"),
            both("xor"),
            both("and"),
            apart,
            with("mul", vec![-3, 2, 3, 4, 16, 100]),
            with("and", masks.clone()),
            with("or", masks.clone()),
            with("xor", masks),
            with("shl", vec![1, 2, 5]),
            with("lshr", vec![1, 2, 5]),
            with("ashr", vec![1, 2, 5]),
            with("udiv", vec![1, 3, 4, 10]),
            with("urem", vec![1, 3, 4, 10]),
            with("sdiv", vec![1, 3, 4, 10]),
            with("srem", vec![1, 3, 4, 10]),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| Number::Least(left.into(), right.into())),
        ]
    })
}

fn statements() -> impl Strategy<Value = Vec<Statement>> {
    let store = number().prop_map(Statement::Store);
    let statement = store.clone().prop_recursive(3, 10, 3, move |inner| {
        let body = prop::collection::vec(inner, 1..3);
        // At most 17 iterations, since at most 15 is added to the begin.
        let below = (0..16, number()).prop_map(|(more, of)| {
            let few = Number::Binary("and", of.into(), Number::Constant(7).into());
            End::Below(Number::Binary("add", few.into(), Number::Constant(more).into()))
        });
        let end = prop_oneof![below, (1..20).prop_map(End::After)];
        let repeated = (0..4, 1..5, end, body.clone()).prop_map(|(begin, step, end, body)| Statement::Loop {
            begin,
            step,
            end,
            body,
        });
        let comparisons = prop::sample::select(vec!["slt", "sge", "ult", "eq", "ne"]);
        let branch = (comparisons, number(), number(), body)
            .prop_map(|(is, left, right, body)| Statement::If(is, left, right, body));
        prop_oneof![1 => store.clone(), 4 => repeated, 1 => branch]
    });
    prop::collection::vec(statement, 1..3)
}

/// The plain interpreter: one work item, one statement after the other.
struct Item {
    lane: i32,
    counters: Vec<i32>,
    stored: Vec<i64>,
}

impl Item {
    fn number(&self, number: &Number) -> i32 {
        match number {
            Number::Constant(value) => *value,
            Number::Lane => self.lane,
            Number::Group => GROUP,
            Number::Counter(depth) => self.counters.iter().rev().nth(*depth).copied().unwrap_or(0),
            Number::Binary(operator, left, right) => operation(operator, self.number(left), self.number(right)),
            Number::Least(left, right) => self.number(left).min(self.number(right)),
        }
    }

    fn run(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Store(at) => self.stored.push(4 * i64::from(self.number(at).cast_unsigned())),
                Statement::If(is, left, right, body) => {
                    let (left, right) = (self.number(left), self.number(right));
                    let holds = match *is {
                        "slt" => left < right,
                        "sge" => left >= right,
                        "ult" => left.cast_unsigned() < right.cast_unsigned(),
                        "eq" => left == right,
                        _ => left != right,
                    };
                    if holds {
                        self.run(body);
                    }
                }
                Statement::Loop { begin, step, end, body } => {
                    let end = match end {
                        End::Below(end) => self.number(end),
                        End::After(times) => begin + step * times,
                    };
                    let mut counter = *begin;
                    while counter < end {
                        self.counters.push(counter);
                        self.run(body);
                        self.counters.pop();
                        counter += step;
                    }
                }
            }
        }
    }
}

fn operation(operator: &str, left: i32, right: i32) -> i32 {
    let (low, high) = (left.cast_unsigned(), right.cast_unsigned());
    match operator {
        "add" => left.wrapping_add(right),
        "sub" => left.wrapping_sub(right),
        "mul" => left.wrapping_mul(right),
        "and" => left & right,
        "or" => left | right,
        "xor" => left ^ right,
        "shl" => left << right,
        "lshr" => (low >> high).cast_signed(),
        "ashr" => left >> right,
        "udiv" => (low / high).cast_signed(),
        "urem" => (low % high).cast_signed(),
        "sdiv" => left / right,
        "srem" => left % right,
        other => panic!("{other} is not an operation"),
    }
}

/// The text of a kernel as compilers write it.
#[derive(Default)]
struct Text {
    lines: String,
    /// The names of the counters, and the block that is written.
    counters: Vec<String>,
    block: String,
    names: usize,
}

impl Text {
    fn of(statements: &[Statement]) -> String {
        let mut text = Self { block: "entry".to_owned(), ..Self::default() };
        text.run(statements);
        format!(
            "define spir_kernel void @k(ptr addrspace(1) noalias %a) {{\nentry:\n  \
             %wide = call spir_func i64 @_Z12get_local_idj(i32 0)\n  %lane = trunc i64 %wide to i32\n  \
             %far = call spir_func i64 @_Z12get_group_idj(i32 0)\n  %group = trunc i64 %far to i32\n{}  ret void\n}}\n",
            text.lines
        )
    }

    fn name(&mut self, of: &str) -> String {
        self.names += 1;
        format!("{of}{}", self.names)
    }

    fn line(&mut self, line: &str) {
        writeln!(self.lines, "  {line}").unwrap();
    }

    fn begin(&mut self, block: &str) {
        writeln!(self.lines, "{block}:").unwrap();
        block.clone_into(&mut self.block);
    }

    /// Writes a number, and returns its operand.
    fn number(&mut self, number: &Number) -> String {
        match number {
            Number::Constant(value) => value.to_string(),
            Number::Lane => "%lane".to_owned(),
            Number::Group => "%group".to_owned(),
            Number::Counter(depth) => self.counters.iter().rev().nth(*depth).cloned().unwrap_or("0".to_owned()),
            Number::Binary(operator, left, right) => {
                let (left, right) = (self.number(left), self.number(right));
                let name = self.name("%v");
                self.line(&format!("{name} = {operator} i32 {left}, {right}"));
                name
            }
            Number::Least(left, right) => {
                let (left, right) = (self.number(left), self.number(right));
                let (is, name) = (self.name("%c"), self.name("%v"));
                self.line(&format!("{is} = icmp slt i32 {left}, {right}"));
                self.line(&format!("{name} = select i1 {is}, i32 {left}, i32 {right}"));
                name
            }
        }
    }

    fn run(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Store(at) => {
                    let at = self.number(at);
                    let (wide, to) = (self.name("%w"), self.name("%p"));
                    self.line(&format!("{wide} = zext i32 {at} to i64"));
                    self.line(&format!("{to} = getelementptr inbounds float, ptr addrspace(1) %a, i64 {wide}"));
                    self.line(&format!("store float 1.0, ptr addrspace(1) {to}, align 4"));
                }
                Statement::If(is, left, right, body) => {
                    let (left, right) = (self.number(left), self.number(right));
                    let (holds, then, join) = (self.name("%c"), self.name("then"), self.name("join"));
                    self.line(&format!("{holds} = icmp {is} i32 {left}, {right}"));
                    self.line(&format!("br i1 {holds}, label %{then}, label %{join}"));
                    self.begin(&then);
                    self.run(body);
                    self.line(&format!("br label %{join}"));
                    self.begin(&join);
                }
                Statement::Loop { begin, step, end, body } => self.repeat(*begin, *step, end, body),
            }
        }
    }

    fn repeat(&mut self, begin: i32, step: i32, end: &End, body: &[Statement]) {
        let (end, is) = match end {
            End::Below(end) => (self.number(end), "slt"),
            End::After(times) => ((begin + step * times).to_string(), "ne"),
        };
        let [head, inside, latch, out] = ["head", "inside", "latch", "out"].map(|of| self.name(of));
        let (counter, next, goes_on) = (self.name("%i"), self.name("%n"), self.name("%c"));
        let before = self.block.clone();
        self.line(&format!("br label %{head}"));
        self.begin(&head);
        self.line(&format!("{counter} = phi i32 [ {begin}, %{before} ], [ {next}, %{latch} ]"));
        self.line(&format!("{goes_on} = icmp {is} i32 {counter}, {end}"));
        self.line(&format!("br i1 {goes_on}, label %{inside}, label %{out}"));
        self.begin(&inside);
        self.counters.push(counter.clone());
        self.run(body);
        self.counters.pop();
        self.line(&format!("br label %{latch}"));
        self.begin(&latch);
        self.line(&format!("{next} = add nsw i32 {counter}, {step}"));
        self.line(&format!("br label %{head}"));
        self.begin(&out);
    }
}

/// The addresses of a trace by work items, each loop unfolded.
struct Unfolded {
    shape: Shape,
    counters: HashMap<u32, i64>,
    stored: Vec<Vec<i64>>,
}

impl Unfolded {
    fn add(&mut self, trace: &Trace) {
        for step in trace {
            match step {
                Step::Block(run) => {
                    for access in &run.accesses {
                        self.store(&run.items, access.address.as_ref().expect("no address depends on data"));
                    }
                }
                Step::Loop(run) => {
                    for round in &run.rounds {
                        for time in 0..round.times {
                            if let Some(counter) = round.counter {
                                self.counters.insert(counter, time.cast_signed());
                            }
                            self.add(&round.steps);
                        }
                    }
                }
                Step::Sides(_, sides) => sides.iter().for_each(|side| self.add(&side.steps)),
            }
        }
    }

    fn store(&mut self, items: &Mask, address: &Known) {
        for lane in items.ones() {
            let mut at = address.base.at(lane, &self.shape);
            for (symbol, slope) in &address.slopes {
                let Symbol::Counter(counter) = symbol else { continue };
                // A counter whose loop is walked stays at its first iteration.
                let time = self.counters.get(counter).copied().unwrap_or(0);
                match slope {
                    Slope::By(lanes) => at += time * lanes.at(lane, &self.shape),
                    Slope::Uneven(_) => assert_eq!(time, 0, "an uneven address is repeated"),
                }
            }
            self.stored[lane].push(at & IN_ARRAY);
        }
    }
}

/// The addresses that each work item stores to, and the executions of blocks.
fn executed(text: &str, fold: bool) -> (Vec<Vec<i64>>, u64) {
    let split = IrText::split(text).unwrap();
    let module = split.module("k").unwrap().unwrap();
    let flow = Flow::new(&module.kernel);
    let group = [u64::from(GROUP.cast_unsigned()), 0, 0];
    let sizes = [LANES, 1, 1];
    let launch = SourceLaunch {
        sizes,
        groups: [8, 1, 1],
        group,
        arguments: BTreeMap::new(),
        warp_size: 4,
        ..SourceLaunch::default()
    };
    let executed = execute(&module, &flow, &launch, &Assumptions::default(), fold, &Limits::default()).unwrap();
    let stored = vec![Vec::new(); LANES as usize];
    let mut unfolded = Unfolded { shape: Shape::new(sizes), counters: HashMap::new(), stored };
    unfolded.add(&executed.trace);
    (unfolded.stored, executed.blocks)
}

proptest! {
    #[test]
    fn a_nest_of_loops_stores_where_a_plain_interpreter_does(statements in statements()) {
        let text = Text::of(&statements);
        let plain: Vec<Vec<i64>> = (0..LANES.cast_signed())
            .map(|lane| {
                let mut item = Item { lane, counters: Vec::new(), stored: Vec::new() };
                item.run(&statements);
                item.stored
            })
            .collect();
        for fold in [false, true] {
            prop_assert_eq!(&executed(&text, fold).0, &plain, "folded: {}\n{}", fold, text);
        }
    }
}

/// A tile and an index within it, whose bits never meet: compilers write their sum as `or`.
#[test]
fn a_loop_whose_index_is_put_together_by_or_is_folded() {
    let index = Number::Binary("or", Number::Counter(1).into(), Number::Counter(0).into());
    let inner = Statement::Loop { begin: 0, step: 1, end: End::After(64), body: vec![Statement::Store(index)] };
    let nest = [Statement::Loop { begin: 0, step: 64, end: End::After(1_000), body: vec![inner] }];
    let (stored, blocks) = executed(&Text::of(&nest), true);
    assert_eq!(stored[0], (0..64_000).map(|at| 4 * at).collect::<Vec<i64>>());
    assert!(blocks < 100, "{blocks} blocks were executed");
}

/// A single bit of a counter, as kernels choose a buffer by: steps below the bit change it.
#[test]
fn a_loop_that_chooses_by_a_single_bit_is_folded_between_its_changes() {
    let bit = Number::Binary("and", Number::Counter(0).into(), Number::Constant(4).into());
    let nest = [Statement::Loop { begin: 0, step: 1, end: End::After(64), body: vec![Statement::Store(bit)] }];
    for fold in [false, true] {
        let (stored, _) = executed(&Text::of(&nest), fold);
        assert_eq!(stored[0], (0..64).map(|at| 4 * (at & 4)).collect::<Vec<i64>>(), "folded: {fold}");
    }
}

/// A number in private memory that some iterations know and the later ones do not: what the iteration loads that forgets
/// it is not what the next one loads.
#[test]
fn a_loop_that_forgets_private_memory_is_not_folded_there() {
    let text = |known: u32| {
        format!(
            "define spir_kernel void @k(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {{
entry:
  %p = alloca i32
  %q = alloca i32
  store i32 5, ptr %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = load i32, ptr %p
  %five = icmp eq i32 %x, 5
  br i1 %five, label %same, label %other
same:
  %to = getelementptr i32, ptr addrspace(1) %a, i32 %i
  store i32 %i, ptr addrspace(1) %to
  br label %join
other:
  %j = add i32 %i, 100
  %at = getelementptr i32, ptr addrspace(1) %a, i32 %j
  store i32 %i, ptr addrspace(1) %at
  br label %join
join:
  %early = icmp slt i32 %i, {known}
  br i1 %early, label %note, label %forget
note:
  store i32 %i, ptr %q
  br label %latch
forget:
  %data = load i32, ptr addrspace(1) %b
  store i32 %data, ptr %p
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 40
  br i1 %more, label %loop, label %end
end:
  ret void
}}
"
        )
    };
    for known in 0..35 {
        let [walked, folded] = [false, true].map(|fold| executed(&text(known), fold).0);
        assert!(walked[0].iter().any(|place| *place > 400), "{walked:?}");
        assert_eq!(walked, folded, "known for {known} iterations");
    }
}
