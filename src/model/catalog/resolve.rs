//! From a declaration and a call's arguments to the keys that the call touches.

use std::iter;

use super::args::{Args, Miss};
use super::error::shown;
use super::tools::Catalog;
use crate::model::effects::{Effects, Source};
use crate::model::key::{Key, KeyId, KeyTable};
use crate::model::path;
use crate::model::tool::{Declared, KeyElement, KeyExpr};

/// The kind whose values are paths.
const FILE: &str = "file";

impl Catalog {
    /// What a call of `tool` with these arguments touches.
    ///
    /// `args` is the JSON text as the model wrote it, `folder` the run's folder where it is known.
    /// Where an argument gives no key value a read reads the whole kind and a write is opaque, and
    /// the note says why. A key both read and written counts as written.
    pub fn effects(
        &self,
        tool: &str,
        args: &str,
        folder: Option<&str>,
        keys: &mut KeyTable,
    ) -> Effects {
        let Some((spec, origin)) = self.find(tool) else {
            return Effects::opaque(Source::Unknown);
        };
        let source = origin.source(spec);
        let effects = match &spec.declared {
            Declared::Keys { reads, writes } => {
                Resolver::new(args, folder, keys, reads, writes).effects(reads, writes)
            }
            Declared::Nothing if source != Source::Undeclared => Effects::default(),
            Declared::Nothing | Declared::Opaque => Effects::opaque(source),
        };
        Effects {
            is_final: spec.is_final,
            source,
            ..effects
        }
    }
}

struct Resolver<'c, 'k> {
    args: Args<'c, 'c>,
    folder: Option<&'c str>,
    keys: &'k mut KeyTable,
    /// The path of the key at hand, then its text; one buffer for all of a call's keys.
    path: String,
    text: String,
    notes: Vec<String>,
}

impl<'c, 'k> Resolver<'c, 'k> {
    fn new(
        args: &'c str,
        folder: Option<&'c str>,
        keys: &'k mut KeyTable,
        reads: &'c [KeyExpr],
        writes: &'c [KeyExpr],
    ) -> Self {
        let elements = reads.iter().chain(writes).flat_map(|expr| &expr.rest);
        let wanted = elements.filter_map(|element| match element {
            KeyElement::Arg(path) => path.first().map(String::as_str),
            KeyElement::Literal(_) => None,
        });
        Self {
            args: Args::read(args, wanted),
            folder,
            keys,
            path: String::new(),
            text: String::new(),
            notes: Vec::new(),
        }
    }

    fn effects(mut self, reads: &[KeyExpr], writes: &[KeyExpr]) -> Effects {
        let mut written = Vec::with_capacity(writes.len());
        for expr in writes {
            match self.key(expr) {
                Ok(key) => push_new(&mut written, key),
                Err(why) => {
                    return Effects {
                        opaque: true,
                        note: Some(format!(
                            "{why}, so which {} it writes is not known: opaque",
                            shown(&expr.kind)
                        )),
                        ..Effects::default()
                    };
                }
            }
        }
        let mut read = Vec::with_capacity(reads.len());
        for expr in reads {
            let key = match self.key(expr) {
                Ok(key) => key,
                Err(why) => self.whole_kind(&expr.kind, &why),
            };
            if !written.contains(&key) {
                push_new(&mut read, key);
            }
        }
        Effects {
            reads: read,
            writes: written,
            note: (!self.notes.is_empty()).then(|| self.notes.join("; ")),
            ..Effects::default()
        }
    }

    /// The key of this expression, or in words why there is none.
    fn key(&mut self, expr: &KeyExpr) -> Result<KeyId, String> {
        if expr.rest.is_empty() {
            let tree = || Key::tree(expr.kind.as_str(), None);
            return Ok(if expr.tree {
                self.keys.intern(&tree())
            } else {
                self.keys.intern_text(&expr.kind)
            });
        }
        self.join(expr).map_err(|(path, miss)| why(path, miss))?;
        if expr.kind == FILE {
            self.path = path::normalise(&self.path, self.folder);
            if expr.tree && starts_above(&self.path) {
                let why = "the run's folder is not known";
                return Ok(self.whole_kind(&expr.kind, why));
            }
        }
        // A path that ends in stars is written with an escape; all others are `kind:path`.
        if expr.tree || self.path.trim_end_matches('\\').ends_with("**") {
            let path = self.path.clone();
            let key = if expr.tree {
                Key::tree(expr.kind.as_str(), Some(path))
            } else {
                Key::exact(expr.kind.as_str(), path)
            };
            return Ok(self.keys.intern(&key));
        }
        self.text.clear();
        self.text
            .extend([expr.kind.as_str(), ":", self.path.as_str()]);
        Ok(self.keys.intern_text(&self.text))
    }

    /// Joins the elements after the kind into `path`; the error names the argument without value.
    fn join<'e>(&mut self, expr: &'e KeyExpr) -> Result<(), (&'e [String], Miss)> {
        self.path.clear();
        let slashes = iter::once("").chain(iter::repeat("/"));
        for (element, slash) in expr.rest.iter().zip(slashes) {
            self.path.push_str(slash);
            match element {
                KeyElement::Literal(text) => self.path.push_str(text),
                KeyElement::Arg(path) => {
                    let value = self.args.value(path).map_err(|miss| (&path[..], miss))?;
                    // No folder and a name is that name, not a name in the root.
                    let here = expr.kind == FILE && value.is_empty();
                    self.path.push_str(if here { "." } else { &value });
                }
            }
        }
        Ok(())
    }

    /// A tree over the kind, with a note. A note is said once.
    fn whole_kind(&mut self, kind: &str, why: &str) -> KeyId {
        let note = format!("{why}: all of {}", shown(kind));
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
        self.keys.intern(&Key::tree(kind, None))
    }
}

/// True for the folder that relative paths start from and those above it: no prefix of a relative
/// path says that it lies inside.
fn starts_above(path: &str) -> bool {
    path == "." || path == ".." || path.starts_with("../")
}

fn why(path: &[String], miss: Miss) -> String {
    match miss {
        Miss::NoObject => "the arguments are no JSON object".to_owned(),
        Miss::Broken => "the arguments are cut off or no JSON".to_owned(),
        Miss::Value(what) => format!("argument {} is {what}", shown(&path.join("."))),
    }
}

fn push_new(keys: &mut Vec<KeyId>, key: KeyId) {
    if !keys.contains(&key) {
        keys.push(key);
    }
}
