//! Interned strings of a run.

use std::collections::HashMap;

/// An interned string: a tool's name, a call's id, an error text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(pub u32);

/// Interned strings. Number 0 is the empty string.
#[derive(Clone, Debug)]
pub struct Names {
    texts: Vec<String>,
    by_text: HashMap<String, Sym>,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            texts: vec![String::new()],
            by_text: HashMap::from([(String::new(), Sym(0))]),
        }
    }
}

impl Names {
    /// The number of `text`, given to it now if it is new.
    pub fn intern(&mut self, text: &str) -> Sym {
        if let Some(sym) = self.by_text.get(text) {
            return *sym;
        }
        let sym = Sym(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        self.texts.push(text.to_owned());
        self.by_text.insert(text.to_owned(), sym);
        sym
    }

    /// The string, as it stands in the file: sanitise it before showing it.
    #[must_use]
    pub fn get(&self, sym: Sym) -> &str {
        &self.texts[sym.0 as usize]
    }
}
