//! What a catalog says of a tool.

use crate::time::Nanos;

/// One element of a key expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyElement {
    /// Stands for itself. A literal last `**` makes the key a tree.
    Literal(String),
    /// `$args.path.to.value`: the names to follow from the arguments' root.
    Arg(Vec<String>),
}

/// A key expression: `["invoice", "$args.invoice_id"]`. The first element is the kind; the rest
/// are joined with `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyExpr {
    /// The kind of the key.
    pub kind: String,
    /// The elements after it; none for the kind alone.
    pub rest: Vec<KeyElement>,
    /// True where the expression ends in a literal `**`, which `rest` then does not hold.
    pub tree: bool,
}

/// What a tool says it touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Declared {
    /// Nothing was declared.
    #[default]
    Nothing,
    /// It touches something that no key names: ordered against everything.
    Opaque,
    /// The keys it reads and writes; with no writes it is a read.
    Keys {
        /// Expressions for what it reads.
        reads: Vec<KeyExpr>,
        /// Expressions for what it writes.
        writes: Vec<KeyExpr>,
    },
}

impl Declared {
    /// True where the arguments of a call decide which keys it touches.
    #[must_use]
    pub fn asks_args(&self) -> bool {
        let Self::Keys { reads, writes } = self else {
            return false;
        };
        let mut elements = reads.iter().chain(writes).flat_map(|expr| &expr.rest);
        elements.any(|element| matches!(element, KeyElement::Arg(_)))
    }
}

/// How a tool can be run for real (`x-run`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunWith {
    /// A subprocess: program and arguments. The call's arguments go to its standard input.
    Command(Vec<String>),
    /// One of the coding tools on the scenario's workspace.
    Workspace {
        /// Which: `code_list`, `code_read`, `code_search`, `code_patch`, `run_tests`, `final_answer`.
        tool: String,
        /// For `code_patch` the formatter, for `run_tests` the test command.
        command: Vec<String>,
        /// For `code_patch` the command that must pass before the file is replaced.
        check: Vec<String>,
    },
    /// One of the tools on the run's store.
    Store {
        /// Which: `get_invoice`, `update_invoice`, `charge_card`, `list_invoices`, `get_ticket`,
        /// `update_ticket`, `assign_ticket`, `list_tickets`.
        tool: String,
        /// How long it takes between what it reads and what it writes or answers.
        latency: Nanos,
        /// True where it goes on whatever it is told, and lands late.
        ignores_cancel: bool,
    },
}

/// One tool of a catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolSpec {
    /// The name that calls use.
    pub name: String,
    /// The description for the model, if given.
    pub description: Option<String>,
    /// What it touches.
    pub declared: Declared,
    /// `x-final`: an accepted answer of it ends the turn.
    pub is_final: bool,
    /// `x-timeout-ms`: the most that one call may take.
    pub timeout: Option<Nanos>,
    /// `x-approval`: a person is asked before it starts.
    pub approval: bool,
    /// `x-run`: how to run it for real.
    pub run: Option<RunWith>,
    /// MCP's `readOnlyHint`, as the server states it.
    pub read_only_hint: Option<bool>,
    /// MCP's other hints, name and value: shown, and never used to relax an order.
    pub other_hints: Vec<(&'static str, bool)>,
}
