//! A store: what is read, and how a write is accepted or refused.

use super::backend::{Applied, Backend, Statement};
use super::error::StoreError;
use super::history::AcceptedWrite;
use super::record::{Kind, Record, Value};
use super::run::{Mode, Writer};
use super::schema::{self, texts};
use super::url::StoreUrl;

/// A database with the tables of a store.
#[derive(Debug)]
pub struct Store {
    backend: Backend,
    name: String,
}

/// How a write ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// It stands, and so does its answer.
    Accepted,
    /// The same call was answered before; nothing was written.
    Repeated(String),
    /// Somebody wrote first; nothing was written.
    Conflict(Conflict),
}

/// A write against a revision that is not the current one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "409 conflict: {kind}:{id} was seen at revision {seen} and is at revision {current} now; \
     nothing was written: read it again and decide again"
)]
pub(super) struct Conflict {
    pub(super) kind: Kind,
    pub(super) id: String,
    pub(super) seen: i64,
    pub(super) current: i64,
}

impl Store {
    /// Opens a store; a new one is made with the demo data in it.
    ///
    /// # Errors
    /// Where the database cannot be reached or this build lacks it, or its tables are of another
    /// version.
    pub async fn open(url: &StoreUrl) -> Result<Self, StoreError> {
        let store = Self::connect(url).await?;
        store.backend.script(schema::MAKE.to_owned()).await?;
        store.check_version().await?;
        Ok(store)
    }

    /// Opens a store and brings it back to the demo data: runs, answers and writes are forgotten.
    ///
    /// # Errors
    /// As [`Store::open`], but the version does not matter.
    pub async fn open_reset(url: &StoreUrl) -> Result<Self, StoreError> {
        let store = Self::connect(url).await?;
        let script = format!("{}{}", schema::CLEAR, schema::MAKE);
        store.backend.script(script).await?;
        Ok(store)
    }

    async fn connect(url: &StoreUrl) -> Result<Self, StoreError> {
        Ok(Self {
            backend: Backend::open(url).await?,
            name: url.to_string(),
        })
    }

    async fn check_version(&self) -> Result<(), StoreError> {
        let rows = self.backend.query(schema::READ_VERSION, Vec::new()).await?;
        let found = rows
            .first()
            .and_then(|row| row.first())
            .map_or(0, Value::int);
        if found == schema::VERSION {
            return Ok(());
        }
        Err(StoreError::Version {
            store: self.name.clone(),
            found,
            known: schema::VERSION,
        })
    }

    /// The address, without credentials.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// One resource; `None` where there is none of that id.
    ///
    /// # Errors
    /// Where the database fails; so with every method.
    pub async fn read(&self, kind: Kind, id: &str) -> Result<Option<Record>, StoreError> {
        let rows = self.backend.query(texts(kind).read, vec![id.into()]);
        let row = rows.await?.into_iter().next();
        Ok(row.map(|row| Record::of(kind, row)))
    }

    /// All resources of a kind, by id.
    ///
    /// # Errors
    /// As [`Store::read`].
    pub async fn list(&self, kind: Kind) -> Result<Vec<Record>, StoreError> {
        let rows = self.backend.query(texts(kind).list, Vec::new()).await?;
        let mut all: Vec<Record> = rows.into_iter().map(|row| Record::of(kind, row)).collect();
        // Databases sort texts each in their own way.
        all.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(all)
    }

    /// Everything that was accepted, by resource and revision.
    ///
    /// # Errors
    /// As [`Store::read`].
    pub async fn writes(&self) -> Result<Vec<AcceptedWrite>, StoreError> {
        let rows = self.backend.query(schema::READ_WRITES, Vec::new()).await?;
        let mut writes: Vec<_> = rows
            .iter()
            .filter_map(|row| AcceptedWrite::of(row))
            .collect();
        writes.sort_by(|a, b| {
            let order =
                |w: &AcceptedWrite| (w.kind, w.id.clone(), w.revision, w.run.clone(), w.call);
            order(a).cmp(&order(b))
        });
        Ok(writes)
    }

    pub(super) async fn add_run(&self, run: &str, mode: Mode) -> Result<(), StoreError> {
        let statement = Statement {
            sql: schema::ADD_RUN,
            values: vec![run.into(), mode.name().into()],
        };
        self.backend.apply(vec![statement]).await.map(|_| ())
    }

    pub(super) async fn mode_of(&self, run: &str) -> Result<Option<Mode>, StoreError> {
        let rows = self.backend.query(schema::READ_RUN, vec![run.into()]);
        let rows = rows.await?;
        let mode = rows.first().and_then(|row| row.first());
        Ok(mode.and_then(|mode| Mode::of(mode.text())))
    }

    /// The answer that this call was given before, if it was.
    pub(super) async fn answered(&self, writer: &Writer) -> Result<Option<String>, StoreError> {
        let values = writer.identity().to_vec();
        let rows = self.backend.query(schema::READ_ANSWER, values).await?;
        match rows.first().map(Vec::as_slice) {
            Some([_, digest, answer]) if digest.text() == writer.digest => {
                Ok(Some(answer.text().to_owned()))
            }
            Some([tool, ..]) => Err(writer.other_call(tool.text())),
            _ => Ok(None),
        }
    }

    /// Writes copies back, with the answer, in one transaction. Each copy has the revision at
    /// which it was read.
    pub(super) async fn write(
        &self,
        writer: &Writer,
        copies: &[Record],
        answer: &str,
    ) -> Result<Written, StoreError> {
        let statements = statements(writer, copies, answer);
        let at = match self.backend.apply(statements).await? {
            Applied::All => return Ok(Written::Accepted),
            Applied::Stopped(at) => at,
        };
        // The first statement claims the call's identity; a copy's number follows it.
        let copy = at.checked_sub(1).and_then(|at| copies.get(at));
        let Some(copy) = copy else {
            return match self.answered(writer).await? {
                Some(answer) => Ok(Written::Repeated(answer)),
                None => Err(writer.other_call("?")),
            };
        };
        let current = self.read(copy.kind, &copy.id).await?;
        Ok(Written::Conflict(Conflict {
            kind: copy.kind,
            id: copy.id.clone(),
            seen: copy.revision,
            current: current.map_or(0, |record| record.revision),
        }))
    }
}

fn statements(writer: &Writer, copies: &[Record], answer: &str) -> Vec<Statement> {
    let mut claim = writer.identity().to_vec();
    claim.extend([
        writer.tool.as_str().into(),
        writer.digest.as_str().into(),
        answer.into(),
    ]);
    let mut all = vec![Statement {
        sql: schema::ADD_ANSWER,
        values: claim,
    }];
    for copy in copies {
        let texts = texts(copy.kind);
        let (sql, revision) = match writer.mode {
            Mode::Conditional => (texts.write, copy.revision),
            Mode::LastWriterWins => (texts.write_last, copy.revision + 1),
        };
        let mut values = vec![copy.id.as_str().into(), revision.into()];
        values.extend_from_slice(&copy.fields);
        all.push(Statement { sql, values });
    }
    for copy in copies {
        let mut values = writer.identity().to_vec();
        values.extend([
            copy.kind.name().into(),
            copy.id.as_str().into(),
            copy.revision.into(),
            (copy.revision + 1).into(),
        ]);
        all.push(Statement {
            sql: schema::ADD_WRITE,
            values,
        });
    }
    all
}
