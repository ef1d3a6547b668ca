//! A run without what it was about: for a screen that others see.

use super::names::Sym;
use super::run::Run;

impl Run {
    /// What stands where a payload was.
    pub const BLANK: &'static str = "•••";

    /// The same run with its payloads blanked: key values, error texts and the task. Names, times
    /// and the kinds of keys stay, and so do identities: what overlapped overlaps. Bodies are not
    /// in a run; who shows them has to leave them out.
    #[must_use]
    pub fn blanked(&self) -> Self {
        let mut run = self.clone();
        run.blank = true;
        run.keys = self.keys.blanked(Self::BLANK);
        let blank = run.names.intern(Self::BLANK);
        for call in &mut run.calls {
            if call.error != Sym::default() {
                call.error = blank;
            }
        }
        if !run.meta.task.is_empty() {
            Self::BLANK.clone_into(&mut run.meta.task);
        }
        run
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Call;

    #[test]
    fn values_go_and_kinds_and_identities_stay() {
        let mut run = Run::default();
        let [invoice, tree, inside, shell] = ["invoice:8123", "file:src/**", "file:src/a", "shell"]
            .map(|key| run.keys.intern_text(key));
        let error = run.names.intern("no such token: hunter2");
        run.calls.push(Call {
            error,
            ..Call::default()
        });
        let blank = run.blanked();
        assert_eq!(blank.keys.text(invoice), "invoice:•••");
        assert_eq!(blank.keys.text(tree), "file:•••/**");
        assert_eq!(blank.keys.text(shell), "shell");
        assert!(blank.keys.overlap(tree, inside));
        assert_eq!(blank.names.get(blank.calls[0].error), Run::BLANK);
        assert_eq!(
            run.keys.text(invoice),
            "invoice:8123",
            "the run itself is whole"
        );
    }
}
