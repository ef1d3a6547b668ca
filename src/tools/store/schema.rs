//! The SQL texts, one set for both databases. Placeholders are `$1`, `$2`, ...

use super::record::Kind;

/// The version of the tables.
pub(super) const VERSION: i64 = 1;

/// Makes the tables where they are missing, and fills them where they were. The prefix keeps
/// them apart from tables that a database may have already.
pub(super) const MAKE: &str = "
CREATE TABLE IF NOT EXISTS turnlane_store (version BIGINT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS turnlane_invoices (
  id TEXT PRIMARY KEY, revision BIGINT NOT NULL, status TEXT NOT NULL,
  amount BIGINT NOT NULL, charged BIGINT NOT NULL, shipping_note TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS turnlane_cards (
  id TEXT PRIMARY KEY, revision BIGINT NOT NULL, charged BIGINT NOT NULL, charges BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS turnlane_tickets (
  id TEXT PRIMARY KEY, revision BIGINT NOT NULL, status TEXT NOT NULL, agent_id TEXT NOT NULL,
  note TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS turnlane_agents (
  id TEXT PRIMARY KEY, revision BIGINT NOT NULL, assigned BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS turnlane_runs (run TEXT PRIMARY KEY, mode TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS turnlane_answers (
  run TEXT NOT NULL, thread BIGINT NOT NULL, turn BIGINT NOT NULL, call BIGINT NOT NULL,
  tool TEXT NOT NULL, digest TEXT NOT NULL, answer TEXT NOT NULL,
  PRIMARY KEY (run, thread, turn, call));
CREATE TABLE IF NOT EXISTS turnlane_writes (
  run TEXT NOT NULL, thread BIGINT NOT NULL, turn BIGINT NOT NULL, call BIGINT NOT NULL,
  kind TEXT NOT NULL, id TEXT NOT NULL, seen BIGINT NOT NULL, revision BIGINT NOT NULL,
  PRIMARY KEY (run, thread, turn, call, kind, id));
INSERT INTO turnlane_invoices (id, revision, status, amount, charged, shipping_note)
  SELECT * FROM (VALUES
    ('8123', 4, 'open', 4900, 0, ''), ('8124', 2, 'open', 1200, 0, ''),
    ('8125', 1, 'open', 250000, 0, 'by freight'), ('9001', 7, 'open', 99000, 0, ''),
    ('9002', 1, 'open', 3500, 0, ''), ('9003', 3, 'open', 60000, 10000, 'fragile')) AS demo
  WHERE NOT EXISTS (SELECT 1 FROM turnlane_store);
INSERT INTO turnlane_cards (id, revision, charged, charges)
  SELECT * FROM (VALUES ('c17', 1, 0, 0), ('c18', 1, 0, 0), ('c19', 3, 10000, 1)) AS demo
  WHERE NOT EXISTS (SELECT 1 FROM turnlane_store);
INSERT INTO turnlane_tickets (id, revision, status, agent_id, note)
  SELECT * FROM (VALUES
    ('t7', 1, 'open', '', ''), ('t8', 2, 'open', '', 'second reminder'),
    ('t9', 1, 'open', '', ''), ('t10', 5, 'waiting', 'ada', 'asked for the invoice')) AS demo
  WHERE NOT EXISTS (SELECT 1 FROM turnlane_store);
INSERT INTO turnlane_agents (id, revision, assigned)
  SELECT * FROM (VALUES ('ada', 2, 1), ('ben', 1, 0), ('cho', 1, 0)) AS demo
  WHERE NOT EXISTS (SELECT 1 FROM turnlane_store);
INSERT INTO turnlane_store (version) SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM turnlane_store);
";

/// Takes everything away; [`MAKE`] then starts anew, in the same transaction.
pub(super) const CLEAR: &str = "
DROP TABLE IF EXISTS turnlane_store;
DROP TABLE IF EXISTS turnlane_invoices;
DROP TABLE IF EXISTS turnlane_cards;
DROP TABLE IF EXISTS turnlane_tickets;
DROP TABLE IF EXISTS turnlane_agents;
DROP TABLE IF EXISTS turnlane_runs;
DROP TABLE IF EXISTS turnlane_answers;
DROP TABLE IF EXISTS turnlane_writes;
";

pub(super) const READ_VERSION: &str = "SELECT version FROM turnlane_store";

pub(super) const ADD_RUN: &str = "INSERT INTO turnlane_runs (run, mode) VALUES ($1, $2)";
pub(super) const READ_RUN: &str = "SELECT mode FROM turnlane_runs WHERE run = $1";

/// Zero rows where the call was answered before.
pub(super) const ADD_ANSWER: &str = "\
INSERT INTO turnlane_answers (run, thread, turn, call, tool, digest, answer) \
VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
pub(super) const READ_ANSWER: &str = "\
SELECT tool, digest, answer FROM turnlane_answers \
WHERE run = $1 AND thread = $2 AND turn = $3 AND call = $4";

pub(super) const ADD_WRITE: &str = "\
INSERT INTO turnlane_writes (run, thread, turn, call, kind, id, seen, revision) \
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
pub(super) const READ_WRITES: &str =
    "SELECT run, thread, turn, call, kind, id, seen, revision FROM turnlane_writes";

/// The texts of one kind. The two that write differ in the condition and in nothing else of
/// weight: values are id, the seen or the new revision, then the fields.
#[derive(Debug)]
pub(super) struct Texts {
    pub(super) read: &'static str,
    pub(super) list: &'static str,
    pub(super) write: &'static str,
    pub(super) write_last: &'static str,
}

macro_rules! texts {
    ($table:literal, $columns:literal, $set:literal) => {
        Texts {
            read: concat!(
                "SELECT id, revision, ",
                $columns,
                " FROM ",
                $table,
                " WHERE id = $1"
            ),
            list: concat!("SELECT id, revision, ", $columns, " FROM ", $table),
            write: concat!(
                "UPDATE ",
                $table,
                " SET revision = revision + 1, ",
                $set,
                " WHERE id = $1 AND revision = $2"
            ),
            write_last: concat!(
                "UPDATE ",
                $table,
                " SET revision = $2, ",
                $set,
                " WHERE id = $1"
            ),
        }
    };
}

/// The texts for a kind.
pub(super) const fn texts(kind: Kind) -> &'static Texts {
    const INVOICE: Texts = texts!(
        "turnlane_invoices",
        "status, amount, charged, shipping_note",
        "status = $3, amount = $4, charged = $5, shipping_note = $6"
    );
    const CARD: Texts = texts!(
        "turnlane_cards",
        "charged, charges",
        "charged = $3, charges = $4"
    );
    const TICKET: Texts = texts!(
        "turnlane_tickets",
        "status, agent_id, note",
        "status = $3, agent_id = $4, note = $5"
    );
    const AGENT: Texts = texts!("turnlane_agents", "assigned", "assigned = $3");
    match kind {
        Kind::Invoice => &INVOICE,
        Kind::Card => &CARD,
        Kind::Ticket => &TICKET,
        Kind::Agent => &AGENT,
    }
}
