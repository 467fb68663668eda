//! The loops and branches around a statement.

use crate::spec::{Access, Affine, EvaluationError, Loop, Pattern, Scope, Statement};

/// The loops and branches around a statement.
#[derive(Debug)]
pub(in crate::lowering) struct Around<'a> {
    /// The loops, outermost first; the launches are the first of them if they have a counter.
    levels: Vec<Level<'a>>,
    branches: usize,
}

/// A loop around a statement, or the launches.
#[derive(Debug, Clone, Copy)]
pub(in crate::lowering) struct Level<'a> {
    pub(super) count: u64,
    /// True if subscripts may use its counter.
    pub(super) is_counted: bool,
    /// The statements that are repeated; `None` for launches.
    body: Option<&'a [Statement]>,
}

impl<'a> Around<'a> {
    /// The begin of a body. `launches` is their number if subscripts may use the number of the launch.
    pub(in crate::lowering) fn new(launches: Option<u64>) -> Self {
        let launches = launches.map(|count| Level { count, is_counted: true, body: None });
        Self { levels: launches.into_iter().collect(), branches: 0 }
    }

    pub(super) fn enter_loop(&mut self, repeated: &'a Loop, count: u64) {
        self.levels.push(Level { count, is_counted: repeated.var.is_some(), body: Some(&repeated.body) });
    }

    pub(super) fn leave_loop(&mut self) {
        self.levels.pop();
    }

    pub(super) fn enter_branch(&mut self) {
        self.branches += 1;
    }

    pub(super) fn leave_branch(&mut self) {
        self.branches -= 1;
    }

    /// True if not every work item need reach the statement.
    pub(super) fn is_in_branch(&self) -> bool {
        self.branches > 0
    }

    pub(in crate::lowering) fn levels(&self) -> &[Level<'a>] {
        &self.levels
    }

    /// The number of the outermost level that repeats the statement without a barrier.
    ///
    /// # Errors
    /// If a count of a loop cannot be evaluated.
    pub(super) fn first_without_barrier(&self, scope: &Scope) -> Result<usize, EvaluationError> {
        self.first_without(&mut |statement| Ok(matches!(statement, Statement::Barrier(_))), scope)
    }

    /// The number of the outermost level that repeats the statement without a store to these subscripts of the array.
    ///
    /// # Errors
    /// If an expression cannot be evaluated.
    pub(super) fn first_without_store(
        &self,
        array: &str,
        subscripts: &[Affine],
        scope: &Scope,
    ) -> Result<usize, EvaluationError> {
        let is_store = |statement: &Statement| match statement {
            Statement::Store(Access { array: stored, pattern: Pattern::Index(index), per_item, .. })
                if stored == array && *per_item.mean(scope)?.numer() > 0 =>
            {
                Ok(index.affine(scope)? == subscripts)
            }
            _ => Ok(false),
        };
        self.first_without(&mut { is_store }, scope)
    }

    fn first_without(&self, is_wanted: &mut Wanted<'_>, scope: &Scope) -> Result<usize, EvaluationError> {
        for (number, level) in self.levels.iter().enumerate().rev() {
            let Some(body) = level.body else { return Ok(number + 1) };
            if contains(body, is_wanted, scope)? {
                return Ok(number + 1);
            }
        }
        Ok(0)
    }
}

type Wanted<'a> = dyn FnMut(&Statement) -> Result<bool, EvaluationError> + 'a;

/// True if one of the statements that are executed is wanted.
fn contains(statements: &[Statement], is_wanted: &mut Wanted<'_>, scope: &Scope) -> Result<bool, EvaluationError> {
    for statement in statements {
        let found = match statement {
            Statement::Branch(branch) => {
                contains(&branch.then, is_wanted, scope)? || contains(&branch.otherwise, is_wanted, scope)?
            }
            Statement::Loop(inner) => contains(&inner.body, is_wanted, scope)? && inner.count.count(scope)? > 0,
            _ => is_wanted(statement)?,
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}
