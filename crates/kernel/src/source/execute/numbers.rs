//! The values of functions of known numbers.

use super::super::ir::{Cast, Operator, Predicate, Type, Typed};
use super::super::value::{Known, KnownFloat, Mask, Number, Value, wrap};
use super::ids::Id;
use super::operand::Rules;
use super::state::Run;
use crate::source::functions::{Form, Function, Named, Rule, conversion, overflow, rule};

impl Run<'_> {
    /// The value of a function of numbers; `None` if it is not known, or the function is another one. `name` is that in the
    /// module.
    pub(super) fn number(
        &mut self,
        function: Named<'_>,
        name: &str,
        (returns, arguments): (&Type, &[Typed]),
        mask: &Mask,
    ) -> Option<Value> {
        let value = match function.does {
            Function::Least { signed } if !returns.is_float() => {
                self.extreme(returns, arguments, [signed, false], mask)
            }
            Function::Greatest { signed } if !returns.is_float() => {
                self.extreme(returns, arguments, [signed, true], mask)
            }
            Function::Product => self.product(returns, arguments),
            Function::Absolute { signed: true } => self.absolute(returns, arguments, mask),
            Function::Absolute { signed: false } => arguments.first().map(|value| self.typed(value)),
            Function::Reduce(operator) => self.reduced(operator, returns, arguments),
            Function::Convert => self.converted(function, returns, arguments),
            _ => {
                let composed = self.composed(function, name, (returns, arguments), mask);
                composed.or_else(|| self.by_rule(function, name, returns, arguments))
            }
        };
        value.filter(|value| !value.is_unknown())
    }

    /// A value by the rule of a function.
    fn by_rule(&mut self, function: Named<'_>, name: &str, returns: &Type, arguments: &[Typed]) -> Option<Value> {
        let (rule, signed) = rule(name, function)?;
        self.each(rule, signed, returns, arguments)
    }

    /// The value of a rule for each element.
    fn each(&mut self, rule: Rule, signed: bool, returns: &Type, arguments: &[Typed]) -> Option<Value> {
        let form = form(signed, returns, arguments)?;
        Some(self.of_elements(returns, arguments, |run, operands| {
            let shared = if returns.bits().is_some() { run.shared(operands) } else { None };
            shared.unwrap_or_else(|| run.pointwise(operands, |numbers| rule(&form, numbers)))
        }))
    }

    /// A number that follows from numbers that work items share; `None` if none depends on data, or one is not known.
    fn shared(&mut self, operands: &[&Value]) -> Option<Value> {
        let known = operands.iter().map(|operand| operand.known()).collect::<Option<Vec<&Known>>>()?;
        known.iter().any(|operand| operand.is_on_data()).then(|| self.arithmetic().follows(&known))
    }

    /// The value of an operation on each element; a number beside vectors counts for each of their elements.
    fn of_elements(
        &mut self,
        returns: &Type,
        arguments: &[Typed],
        operation: impl FnMut(&mut Self, &[&Value]) -> Value,
    ) -> Value {
        let count = usize::try_from(returns.elements()).unwrap_or(0);
        let is_vector = matches!(returns, Type::Vector(..));
        let values: Vec<Value> = arguments
            .iter()
            .map(|argument| match self.typed(argument) {
                Value::Vector(elements) => Value::Vector(elements),
                value if is_vector => Value::Vector(std::iter::repeat_n(value, count).collect()),
                value => value,
            })
            .collect();
        self.elementwise(returns, &values.iter().collect::<Vec<_>>(), operation)
    }

    /// The value of a function that comparisons and choices make, such that it stays even where they do.
    fn composed(
        &mut self,
        function: Named<'_>,
        name: &str,
        (returns, arguments): (&Type, &[Typed]),
        mask: &Mask,
    ) -> Option<Value> {
        let bits = returns.bits();
        let signed = function.is_signed();
        match (function.name, bits) {
            ("clamp", Some(bits)) => Some(self.of_elements(returns, arguments, |run, operands| match operands {
                [value, low, high] => {
                    let raised = run.extreme_of(bits, [value, low], [signed, true], mask);
                    run.extreme_of(bits, [&raised, high], [signed, false], mask)
                }
                _ => Value::Unknown,
            })),
            ("select", _) => self.selected(returns, arguments, mask),
            ("any" | "all", _) => self.signs(function.name == "any", arguments),
            ("shuffle", _) => self.rearranged(&arguments[..1.min(arguments.len())], arguments.get(1)?),
            ("shuffle2", _) => self.rearranged(&arguments[..2.min(arguments.len())], arguments.get(2)?),
            _ => {
                let name = name.strip_prefix("llvm.")?;
                match bits {
                    Some(bits) if name.starts_with("usub.sat.") => {
                        Some(self.of_elements(returns, arguments, |run, operands| {
                            let mut arithmetic = run.arithmetic();
                            let above = arithmetic.compare(Predicate::Ugt, bits, operands[0], operands[1], mask);
                            let rest = arithmetic.binary(Operator::Sub, bits, operands[0], operands[1], false);
                            arithmetic.choose(&above, &rest, &Value::constant(0), mask)
                        }))
                    }
                    _ if name.starts_with("amdgcn.mbcnt.") => self.lanes_below(name.ends_with("hi"), arguments),
                    _ => self.with_overflow(name, arguments),
                }
            }
        }
    }

    /// The result of an operation and its overflow, as the fields of a structure.
    fn with_overflow(&mut self, name: &str, arguments: &[Typed]) -> Option<Value> {
        let (operator, rule, signed) = overflow(name)?;
        let [left, right] = arguments else { return None };
        let of = left.of.clone();
        let (one, other) = (self.typed(left), self.typed(right));
        let value = self.binary(operator, &of, &one, &other, Rules::default());
        let overflows = self.each(rule, signed, &of, arguments)?;
        Some(Value::Vector([value, overflows].into()))
    }

    /// OpenCL's `select`: of a number by a truth, of a vector by the sign of each element.
    fn selected(&mut self, returns: &Type, arguments: &[Typed], mask: &Mask) -> Option<Value> {
        let [_, _, chosen] = arguments else { return None };
        let bits = chosen.of.bits()?;
        let predicate = if matches!(returns, Type::Vector(..)) { Predicate::Slt } else { Predicate::Ne };
        Some(self.of_elements(returns, arguments, |run, operands| {
            let mut arithmetic = run.arithmetic();
            let second = arithmetic.compare(predicate, bits, operands[2], &Value::constant(0), mask);
            arithmetic.choose(&second, operands[1], operands[0], mask)
        }))
    }

    /// 1 if any or all elements are negative, else 0.
    fn signs(&mut self, any: bool, arguments: &[Typed]) -> Option<Value> {
        let value = self.typed(arguments.first()?);
        let elements = if let Value::Vector(elements) = &value { elements.to_vec() } else { vec![value] };
        let elements: Vec<&Value> = elements.iter().collect();
        Some(self.pointwise(&elements, |numbers| {
            let mut negative = numbers.iter().map(|number| matches!(number, Number::Whole(..0)));
            Some(Number::Whole(if any { negative.any(|is| is) } else { negative.all(|is| is) }.into()))
        }))
    }

    /// OpenCL's `shuffle` and `shuffle2`.
    fn rearranged(&mut self, from: &[Typed], places: &Typed) -> Option<Value> {
        let mut all = Vec::new();
        for vector in from {
            let Value::Vector(elements) = self.typed(vector) else { return None };
            all.extend(elements.iter().cloned());
        }
        let Value::Vector(places) = self.typed(places) else { return None };
        let element = |place: &Value| {
            let place = place.known().and_then(Known::as_constant)?.rem_euclid(i64::try_from(all.len()).ok()?);
            all.get(usize::try_from(place).ok()?).cloned()
        };
        Some(Value::Vector(places.iter().map(|place| element(place).unwrap_or(Value::Unknown)).collect()))
    }

    /// The lanes below the own one that a mask names, in the lower or the upper half of a warp, and a number.
    fn lanes_below(&mut self, upper: bool, arguments: &[Typed]) -> Option<Value> {
        let [named, added] = arguments else { return None };
        let (named, added, lane) = (self.typed(named), self.typed(added), self.id(Id::Lane, 0));
        Some(self.pointwise(&[&named, &added, &lane], |numbers| {
            let [Number::Whole(named), Number::Whole(added), Number::Whole(lane)] = *numbers else { return None };
            let below = u32::try_from(lane - if upper { 32 } else { 0 }).unwrap_or(0).min(32);
            let named = named.cast_unsigned() & ((1 << below) - 1);
            Some(Number::Whole(wrap(added + i64::from(named.count_ones()), 32)))
        }))
    }

    /// OpenCL's conversions.
    fn converted(&mut self, function: Named<'_>, returns: &Type, arguments: &[Typed]) -> Option<Value> {
        let [value] = arguments else { return None };
        let (conversion, signed) = (conversion(function.name)?, function.is_signed());
        let known = self.typed(value);
        let (from, to) = (value.of.bits(), returns.bits());
        match (from, to) {
            (Some(from), Some(to)) if !conversion.within => {
                let cast = match to.cmp(&from) {
                    std::cmp::Ordering::Less => Cast::Truncate,
                    std::cmp::Ordering::Equal => Cast::Same,
                    std::cmp::Ordering::Greater if signed => Cast::ExtendSign,
                    std::cmp::Ordering::Greater => Cast::ExtendZero,
                };
                Some(self.cast(cast, &value.of, returns, &known))
            }
            (Some(_), Some(to)) => {
                let form = form(signed, returns, arguments)?;
                let of = Form { signed: conversion.signed, ..form };
                Some(self.elementwise(returns, &[&known], |run, operands| {
                    run.pointwise(operands, |numbers| {
                        let [least, greatest] = of.range(to);
                        form.value(form.integer(numbers, 0)?.clamp(least, greatest))
                    })
                }))
            }
            (None, Some(_)) => self.each(conversion.rule?, conversion.signed, returns, arguments),
            // Between floating-point numbers, and from integers: other roundings count where nothing is rounded.
            (_, None) => {
                let nearest = self.cast(Cast::Number { signed }, &value.of, returns, &known);
                if conversion.is_nearest {
                    return Some(nearest);
                }
                Some(self.elementwise(returns, &[&known, &nearest], |run, operands| {
                    run.pointwise(operands, |numbers| match *numbers {
                        [Number::Real(from), Number::Real(to)] => (from == to).then_some(Number::Real(to)),
                        [Number::Whole(from), Number::Real(to)] => {
                            KnownFloat::of_integer(from.into(), 64).filter(|exact| *exact == to).map(Number::Real)
                        }
                        _ => None,
                    })
                }))
            }
        }
    }

    /// The lesser or the greater of two integers; `None` if there are no two integers. `kind` is true for integers with a
    /// sign, and for the greater one.
    fn extreme(&mut self, of: &Type, arguments: &[Typed], kind: [bool; 2], mask: &Mask) -> Option<Value> {
        let bits = of.bits().filter(|_| arguments.len() == 2)?;
        Some(
            self.of_elements(of, arguments, |run, operands| {
                run.extreme_of(bits, [operands[0], operands[1]], kind, mask)
            }),
        )
    }

    fn extreme_of(&mut self, bits: u32, [left, right]: [&Value; 2], kind: [bool; 2], mask: &Mask) -> Value {
        let predicate = match kind {
            [true, false] => Predicate::Slt,
            [true, true] => Predicate::Sgt,
            [false, false] => Predicate::Ult,
            [false, true] => Predicate::Ugt,
        };
        let mut arithmetic = self.arithmetic();
        let first = arithmetic.compare(predicate, bits, left, right, mask);
        arithmetic.choose(&first, left, right, mask)
    }

    /// `mul24` and `mad24`; `None` if the arguments are not integers.
    fn product(&mut self, of: &Type, arguments: &[Typed]) -> Option<Value> {
        of.bits()?;
        let mut values: Vec<Value> = arguments.iter().map(|argument| self.typed(argument)).collect();
        let product = self.binary(Operator::Mul, of, values.first()?, values.get(1)?, Rules::default());
        match values.pop().filter(|_| arguments.len() == 3) {
            Some(sum) => Some(self.binary(Operator::Add, of, &product, &sum, Rules::default())),
            None => Some(product),
        }
    }

    /// The integer that an operation makes of all elements of a vector; `None` if one of them is not known.
    fn reduced(&mut self, operator: Operator, of: &Type, arguments: &[Typed]) -> Option<Value> {
        let Value::Vector(elements) = self.typed(arguments.first()?) else { return None };
        let (first, rest) = elements.split_first()?;
        let mut all = first.clone();
        for element in rest {
            all = self.binary(operator, of, &all, element, Rules::default());
        }
        Some(all)
    }

    fn absolute(&mut self, of: &Type, arguments: &[Typed], mask: &Mask) -> Option<Value> {
        let bits = of.bits()?;
        let value = self.typed(arguments.first()?);
        let zero = Value::constant(0);
        Some(self.elementwise(of, &[&value], |run, operands| {
            let mut arithmetic = run.arithmetic();
            let negative = arithmetic.binary(Operator::Sub, bits, &zero, operands[0], false);
            let below = arithmetic.compare(Predicate::Slt, bits, operands[0], &zero, mask);
            arithmetic.choose(&below, &negative, operands[0], mask)
        }))
    }
}

/// The types of a function's numbers; `None` if one of them is not followed.
fn form(signed: bool, returns: &Type, arguments: &[Typed]) -> Option<Form> {
    let bits = |of: &Type| of.bits().or(of.float_bits()).filter(|bits| (1..=64).contains(bits));
    let form = Form {
        signed,
        bits: bits(&arguments.first()?.of)?,
        returns: bits(returns)?,
        is_vector: matches!(returns, Type::Vector(..)),
    };
    let is_followed = arguments.iter().all(|argument| bits(&argument.of).is_some());
    is_followed.then_some(form)
}
