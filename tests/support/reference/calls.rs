//! A call, and which keys overlap.

/// One call of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefCall {
    /// Keys in text form: `shell`, `file:a`, and trees `file:src/**`, `file:**`.
    pub reads: Vec<String>,
    /// As `reads`. A key in both counts as written.
    pub writes: Vec<String>,
    /// True where nothing is known of what it touches.
    pub opaque: bool,
    /// True where its `ok` ends the turn.
    pub is_final: bool,
    /// Indices of earlier calls.
    pub depends_on: Vec<usize>,
    /// How long it runs, in any unit.
    pub duration: u64,
    /// True where it runs and then fails.
    pub fails: bool,
    /// True where it is answered at its turn in no time, without slot or start.
    pub refused: bool,
}

impl RefCall {
    /// A keyless read.
    pub fn lookup(duration: u64) -> Self {
        Self {
            duration,
            ..Self::default()
        }
    }

    /// A read of one key.
    pub fn read(key: &str, duration: u64) -> Self {
        Self::lookup(duration).reads(&[key])
    }

    /// A write of one key.
    pub fn write(key: &str, duration: u64) -> Self {
        Self::lookup(duration).writes(&[key])
    }

    /// A call of which nothing is known.
    pub fn opaque(duration: u64) -> Self {
        Self {
            opaque: true,
            ..Self::lookup(duration)
        }
    }

    /// The call that ends the turn.
    pub fn ends_turn(duration: u64) -> Self {
        Self {
            is_final: true,
            ..Self::lookup(duration)
        }
    }

    /// The same, reading these keys too.
    pub fn reads(mut self, keys: &[&str]) -> Self {
        self.reads.extend(keys.iter().map(|key| (*key).to_owned()));
        self
    }

    /// The same, writing these keys too.
    pub fn writes(mut self, keys: &[&str]) -> Self {
        self.writes.extend(keys.iter().map(|key| (*key).to_owned()));
        self
    }

    /// The same, after these calls.
    pub fn after(mut self, calls: &[usize]) -> Self {
        self.depends_on.extend(calls);
        self
    }

    /// The same, refused.
    pub fn refused(mut self) -> Self {
        self.refused = true;
        self
    }

    /// The same, failing.
    pub fn failing(mut self) -> Self {
        self.fails = true;
        self
    }

    /// Writes something known.
    pub fn is_mutating(&self) -> bool {
        !self.writes.is_empty()
    }

    /// Neither mutating, nor opaque, nor final.
    pub fn is_read_only(&self) -> bool {
        !self.is_mutating() && !self.opaque && !self.is_final
    }

    /// Its keys: writes in order, then reads in order; a key in both as a write only.
    pub fn mentions(&self) -> Vec<Mention<'_>> {
        let writes = self.writes.iter().map(|key| Mention { key, write: true });
        let reads = self.reads.iter().filter(|key| !self.writes.contains(key));
        writes
            .chain(reads.map(|key| Mention { key, write: false }))
            .collect()
    }

    /// Writes exactly this key.
    pub fn writes_key(&self, key: &str) -> bool {
        self.writes.iter().any(|written| written == key)
    }

    /// Reads exactly this key (and does not write it).
    pub fn reads_key(&self, key: &str) -> bool {
        !self.writes_key(key) && self.reads.iter().any(|read| read == key)
    }

    /// Writes a tree.
    pub fn writes_a_tree(&self) -> bool {
        self.writes.iter().any(|key| is_tree(key))
    }

    /// Reads a tree (and does not write that same tree).
    pub fn reads_a_tree(&self) -> bool {
        let mut trees = self.reads.iter().filter(|key| is_tree(key));
        trees.any(|key| self.reads_key(key))
    }
}

/// A key as one call touches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention<'a> {
    pub key: &'a str,
    pub write: bool,
}

/// `kind:path/**` or `kind:**`.
pub fn is_tree(key: &str) -> bool {
    match key.split_once(':') {
        Some((_, path)) => path == "**" || path.ends_with("/**"),
        None => false,
    }
}

/// The tree `outer` holds its root, all below it, and itself.
pub fn contains(outer: &str, inner: &str) -> bool {
    let Some(below) = outer.strip_suffix("**").filter(|_| is_tree(outer)) else {
        return false;
    };
    // `below` is `file:src/` or `file:`; the root lacks the last sign.
    let root = &below[..below.len() - 1];
    inner == root || inner.starts_with(below)
}

/// Equal, or one is a tree that contains the other.
pub fn overlap(a: &str, b: &str) -> bool {
    a == b || contains(a, b) || contains(b, a)
}

/// Of two keys that overlap: the one inside the other, or the key itself where they are equal.
pub fn inside<'a>(a: &'a str, b: &'a str) -> &'a str {
    if contains(a, b) { b } else { a }
}

/// Either is opaque, or they mention overlapping keys of which at least one is written.
pub fn conflict(a: &RefCall, b: &RefCall) -> bool {
    a.opaque
        || b.opaque
        || a.mentions().iter().any(|x| {
            b.mentions()
                .iter()
                .any(|y| overlap(x.key, y.key) && (x.write || y.write))
        })
}
