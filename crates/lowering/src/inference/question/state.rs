//! A question while it is put together.

use std::rc::Rc;

use super::super::function::{At, Function};
use super::super::launches::Launch;
use super::super::program::Program;
use super::super::resolve::{Resolver, SymbolKind};
use super::super::settled::Settled;
use super::super::term::Term;
use super::super::usage::Usage;
use crate::spec::SourceOptions;
use autotune_base::text::{Inferred, InferredKind};

/// A question while it is put together.
pub(super) struct Question<'q, 'p, 'a> {
    pub(super) given: SourceOptions,
    pub(super) program: &'p Program<'a>,
    pub(super) resolver: &'q Resolver<'p, 'a>,
    pub(super) kernel: &'p Function<'a>,
    pub(super) usage: &'q Usage<'a>,
    /// The launch; `None` if the files have none.
    pub(super) launch: Option<&'q Launch<'p, 'a>>,
    pub(super) settled: Settled,
    pub(super) inferred: Vec<Inferred>,
}

impl Question<'_, '_, '_> {
    /// Takes the numbers from names that only symbols of other launches share.
    pub(super) fn shorten_names(&mut self) {
        let mut used: Vec<Rc<str>> = Vec::new();
        self.settled.terms().for_each(|term| term.each_symbol(&mut |name| used.push(name.into())));
        used.sort_unstable();
        used.dedup();
        for name in used.clone() {
            let Some((short, number)) = name.rsplit_once('_') else { continue };
            let is_numbered = number.parse::<u32>().is_ok() && self.resolver.symbols.borrow().contains_key(short);
            if !is_numbered || used.iter().any(|own| **own == *short) {
                continue;
            }
            let symbol = self.resolver.symbols.borrow().get(&name).cloned();
            self.resolver
                .symbols
                .borrow_mut()
                .insert(short.into(), symbol.unwrap_or_else(|| unreachable!("it is used")));
            let renamed = |term: &Term| matches!(term, Term::Symbol(own) if *own == name).then(|| Term::symbol(short));
            self.settled = self.settled.replaced(&renamed);
            used.push(short.into());
        }
    }

    pub(super) fn say_kernel(&mut self, is_only: bool) {
        if self.given.kernel.is_none() {
            let at = self.kernel.head_at();
            let rule = if is_only { "" } else { "the only one that is launched" };
            self.say(InferredKind::Kernel, self.kernel.name, "", at, rule, false);
        }
    }

    pub(super) fn say(&mut self, what: InferredKind, name: &str, value: &str, at: At, rule: &str, by_rule: bool) {
        self.inferred.push(Inferred {
            what,
            name: name.to_owned(),
            value: value.to_owned(),
            file: self.program.files[at.file].name.clone(),
            line: self.program.line(at),
            by_rule,
            rule: rule.to_owned(),
        });
    }
}

/// True for a symbol that the kernel's own text has, so that a macro of its name reaches it.
pub(super) fn reaches_kernel(kind: &SymbolKind, name: &str, usage: &Usage<'_>, program: &Program<'_>) -> bool {
    match kind {
        SymbolKind::Template => true,
        SymbolKind::Macro | SymbolKind::Constant => usage.names.contains(name) || program.in_conditions.contains(name),
        SymbolKind::Component | SymbolKind::Loop(_) | SymbolKind::Counter(_) | SymbolKind::Free => false,
    }
}
