//! What each tool reads, and what it decides to write: from copies, like every client.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::record::{Kind, Record};
use super::state::{Conflict, Store};
use super::tool::failed;
use crate::run::ToolError;

/// One of the tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    GetInvoice,
    GetTicket,
    List(Kind),
    UpdateInvoice,
    ChargeCard,
    UpdateTicket,
    AssignTicket,
}

/// What a call comes to, before its time has passed.
#[derive(Clone, Debug)]
pub(super) enum Decided {
    /// A read's answer.
    Answer(String),
    /// Copies to write back, each at the revision it was read at.
    Write(Vec<Record>),
}

/// An id, which models write as a string or as a number.
#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(serde_json::Number),
}

impl Id {
    fn text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GetInvoice {
    invoice_id: Id,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GetTicket {
    ticket_id: Id,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Filter {
    status: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UpdateInvoice {
    invoice_id: Id,
    shipping_note: Option<String>,
    status: Option<String>,
    revision: Option<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChargeCard {
    invoice_id: Id,
    card_id: Id,
    amount: i64,
    revision: Option<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UpdateTicket {
    ticket_id: Id,
    note: Option<String>,
    status: Option<String>,
    revision: Option<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AssignTicket {
    ticket_id: Id,
    agent_id: Id,
    revision: Option<i64>,
}

impl Action {
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "get_invoice" => Self::GetInvoice,
            "list_invoices" => Self::List(Kind::Invoice),
            "update_invoice" => Self::UpdateInvoice,
            "charge_card" => Self::ChargeCard,
            "get_ticket" => Self::GetTicket,
            "list_tickets" => Self::List(Kind::Ticket),
            "update_ticket" => Self::UpdateTicket,
            "assign_ticket" => Self::AssignTicket,
            _ => return None,
        })
    }

    pub(super) const fn writes(self) -> bool {
        !matches!(self, Self::GetInvoice | Self::GetTicket | Self::List(_))
    }

    /// Reads what the call needs and decides. A conditional writer that names the revision it
    /// decided on is refused here already where that is not the current one.
    pub(super) async fn decide(
        self,
        store: &Store,
        args: &str,
        conditional: bool,
    ) -> Result<Decided, ToolError> {
        let copies = match self {
            Self::GetInvoice => {
                let GetInvoice { invoice_id } = parse(args)?;
                let invoice = read(store, Kind::Invoice, invoice_id).await?;
                return Ok(Decided::Answer(json(&invoice)?));
            }
            Self::GetTicket => {
                let GetTicket { ticket_id } = parse(args)?;
                let ticket = read(store, Kind::Ticket, ticket_id).await?;
                return Ok(Decided::Answer(json(&ticket)?));
            }
            Self::List(kind) => {
                let Filter { status } = parse(args)?;
                let mut all = store.list(kind).await.map_err(failed)?;
                if let Some(status) = status {
                    all.retain(|r| r.get("status").is_some_and(|v| v.text() == status));
                }
                return Ok(Decided::Answer(json(&all)?));
            }
            Self::UpdateInvoice => {
                let args: UpdateInvoice = parse(args)?;
                let mut invoice = read(store, Kind::Invoice, args.invoice_id).await?;
                seen_as(&invoice, args.revision.filter(|_| conditional))?;
                let fields = [
                    ("shipping_note", args.shipping_note),
                    ("status", args.status),
                ];
                set_given(&mut invoice, fields)?;
                vec![invoice]
            }
            Self::ChargeCard => charge(store, parse(args)?, conditional).await?,
            Self::UpdateTicket => {
                let args: UpdateTicket = parse(args)?;
                let mut ticket = read(store, Kind::Ticket, args.ticket_id).await?;
                seen_as(&ticket, args.revision.filter(|_| conditional))?;
                set_given(&mut ticket, [("note", args.note), ("status", args.status)])?;
                vec![ticket]
            }
            Self::AssignTicket => assign(store, parse(args)?, conditional).await?,
        };
        Ok(Decided::Write(copies))
    }
}

/// Charges an invoice's card. It writes the invoice and the card, which is easily overlooked: two
/// charges of different invoices to one card race.
async fn charge(
    store: &Store,
    args: ChargeCard,
    conditional: bool,
) -> Result<Vec<Record>, ToolError> {
    let mut invoice = read(store, Kind::Invoice, args.invoice_id).await?;
    let mut card = read(store, Kind::Card, args.card_id).await?;
    seen_as(&invoice, args.revision.filter(|_| conditional))?;
    let open = invoice.int("amount") - invoice.int("charged");
    if args.amount <= 0 || args.amount > open {
        return Err(ToolError::Failed(format!(
            "invoice {} has {open} cents left to charge; {} cannot be charged",
            invoice.id, args.amount
        )));
    }
    invoice.set("charged", invoice.int("charged") + args.amount);
    if args.amount == open {
        invoice.set("status", "paid");
    }
    card.set("charged", card.int("charged") + args.amount);
    card.set("charges", card.int("charges") + 1);
    Ok(vec![invoice, card])
}

/// Gives a ticket to an agent, whose tickets are counted.
async fn assign(
    store: &Store,
    args: AssignTicket,
    conditional: bool,
) -> Result<Vec<Record>, ToolError> {
    let mut ticket = read(store, Kind::Ticket, args.ticket_id).await?;
    let mut agent = read(store, Kind::Agent, args.agent_id).await?;
    seen_as(&ticket, args.revision.filter(|_| conditional))?;
    ticket.set("agent_id", agent.id.as_str());
    agent.set("assigned", agent.int("assigned") + 1);
    Ok(vec![ticket, agent])
}

fn parse<T: DeserializeOwned>(args: &str) -> Result<T, ToolError> {
    let args = if args.trim().is_empty() { "{}" } else { args };
    serde_json::from_str(args).map_err(|error| ToolError::BadArgs(error.to_string()))
}

pub(super) fn json(value: &impl serde::Serialize) -> Result<String, ToolError> {
    serde_json::to_string(value).map_err(|error| ToolError::Failed(error.to_string()))
}

async fn read(store: &Store, kind: Kind, id: Id) -> Result<Record, ToolError> {
    let id = id.text();
    let record = store.read(kind, &id).await.map_err(failed)?;
    record.ok_or_else(|| ToolError::Failed(format!("there is no {kind} {id}")))
}

/// A write that says which revision it was decided on stands on that one alone.
fn seen_as(record: &Record, seen: Option<i64>) -> Result<(), ToolError> {
    match seen {
        Some(seen) if seen != record.revision => Err(ToolError::Conflict(
            Conflict {
                kind: record.kind,
                id: record.id.clone(),
                seen,
                current: record.revision,
            }
            .to_string(),
        )),
        _ => Ok(()),
    }
}

fn set_given(record: &mut Record, fields: [(&str, Option<String>); 2]) -> Result<(), ToolError> {
    if fields.iter().all(|(_, value)| value.is_none()) {
        let [(a, _), (b, _)] = fields;
        return Err(ToolError::BadArgs(format!(
            "nothing to update: give {a} or {b}"
        )));
    }
    for (name, value) in fields {
        if let Some(value) = value {
            record.set(name, value.as_str());
        }
    }
    Ok(())
}
