//! Keys: the resources that calls touch, and which of them overlap.

use std::collections::HashMap;
use std::fmt;

/// A resource. Its kind is part of it: `invoice:8123` and `ticket:8123` never meet.
///
/// The text form is `kind`, `kind:path`, or for a tree `kind:path/**` and `kind:**`. A plain path
/// that happens to end in `**` is written with one backslash more, so that text and key map one
/// to one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// What sort of resource, without `:`.
    pub kind: String,
    /// Which one; `None` for the kind itself (one shell at a time: `shell`).
    pub path: Option<String>,
    /// True for a tree key: it stands for its path and all below it.
    pub tree: bool,
}

impl Key {
    /// The single resource `kind:path`.
    #[must_use]
    pub fn exact(kind: impl Into<String>, path: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            path: Some(path.into()),
            tree: false,
        }
    }

    /// The kind alone as a resource.
    #[must_use]
    pub fn kind(kind: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            path: None,
            tree: false,
        }
    }

    /// Everything at and below `path`; with `None` everything of the kind.
    #[must_use]
    pub fn tree(kind: impl Into<String>, path: Option<String>) -> Self {
        Self {
            kind: kind.into(),
            path,
            tree: true,
        }
    }

    /// Reads the text form. Every string is some key: there is no error.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let Some((kind, path)) = text.split_once(':') else {
            return Self::kind(text);
        };
        match split_stars(path) {
            Some((head, 0)) => Self::tree(kind, head.map(str::to_owned)),
            Some((_, _)) => Self::exact(kind, &path[..path.len() - 1]),
            None => Self::exact(kind, path),
        }
    }

    /// True where this tree key holds `other`: same kind, and the same path or one below it.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        if !self.tree || self.kind != other.kind {
            return false;
        }
        let Some(root) = self.path.as_deref() else {
            return true;
        };
        let Some(path) = other.path.as_deref() else {
            return false;
        };
        let root = root.trim_end_matches('/');
        path.strip_prefix(root)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// True where the two can be the same resource: equal, or one contains the other.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self == other || self.contains(other) || other.contains(self)
    }
}

/// `Some((head, backslashes))` where a path ends in a `**` element and that many backslashes.
fn split_stars(path: &str) -> Option<(Option<&str>, usize)> {
    let bare = path.trim_end_matches('\\');
    let slashes = path.len() - bare.len();
    let head = bare.strip_suffix("**")?;
    if head.is_empty() {
        return Some((None, slashes));
    }
    // The root folder keeps its slash: `/**` is everything absolute.
    let cut = head.strip_suffix('/')?;
    Some((Some(if cut.is_empty() { head } else { cut }), slashes))
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        match (&self.path, self.tree) {
            (None, false) => Ok(()),
            (None, true) => f.write_str(":**"),
            (Some(path), true) => write!(f, ":{}/**", path.trim_end_matches('/')),
            (Some(path), false) => {
                let escape = if split_stars(path).is_some() {
                    "\\"
                } else {
                    ""
                };
                write!(f, ":{path}{escape}")
            }
        }
    }
}

/// A key's number in a [`KeyTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyId(pub u32);

/// The interned keys of one run. Equal keys have equal numbers.
#[derive(Clone, Debug, Default)]
pub struct KeyTable {
    keys: Vec<Key>,
    texts: Vec<String>,
    by_text: HashMap<String, KeyId>,
}

impl KeyTable {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of `key`, given to it now if it is new.
    pub fn intern(&mut self, key: &Key) -> KeyId {
        self.intern_text(&key.to_string())
    }

    /// The number of the key with this text form.
    pub fn intern_text(&mut self, text: &str) -> KeyId {
        if let Some(id) = self.by_text.get(text) {
            return *id;
        }
        let id = KeyId(u32::try_from(self.keys.len()).unwrap_or(u32::MAX));
        self.keys.push(Key::parse(text));
        self.texts.push(text.to_owned());
        self.by_text.insert(text.to_owned(), id);
        id
    }

    /// The number of the key with this text form, if the table has it.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<KeyId> {
        self.by_text.get(text).copied()
    }

    /// The key behind a number of this table.
    #[must_use]
    pub fn get(&self, id: KeyId) -> &Key {
        &self.keys[id.0 as usize]
    }

    /// The text form of a key, as it stands in the file: sanitise it before showing it.
    #[must_use]
    pub fn text(&self, id: KeyId) -> &str {
        &self.texts[id.0 as usize]
    }

    /// The same keys under texts that name their kinds only: `invoice:•••`. Which keys overlap
    /// stays as it is.
    #[must_use]
    pub fn blanked(&self, blank: &str) -> Self {
        let text = |key: &Key| match &key.path {
            None => key.to_string(),
            Some(_) if key.tree => format!("{}:{blank}/**", key.kind),
            Some(_) => format!("{}:{blank}", key.kind),
        };
        Self {
            texts: self.keys.iter().map(text).collect(),
            ..self.clone()
        }
    }

    /// How many keys there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// True where no key was interned.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// True where the two keys can be the same resource.
    #[must_use]
    pub fn overlap(&self, a: KeyId, b: KeyId) -> bool {
        a == b || {
            let (a, b) = (self.get(a), self.get(b));
            (a.tree || b.tree) && a.overlaps(b)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_key_map_one_to_one() {
        for key in [
            Key::kind("shell"),
            Key::exact("invoice", "8123"),
            Key::exact("invoice", ""),
            Key::exact("url", "http://a:1/b"),
            Key::tree("file", None),
            Key::tree("file", Some("src".into())),
            Key::tree("file", Some("/".into())),
            Key::exact("file", "src/**"),
            Key::exact("file", "**"),
            Key::exact("file", "**\\"),
            Key::exact("file", "a**"),
        ] {
            assert_eq!(Key::parse(&key.to_string()), key, "{key}");
        }
    }

    #[test]
    fn a_tree_holds_its_root_and_all_below_and_nothing_else() {
        let src = Key::parse("file:src/**");
        for inside in ["file:src/a.rs", "file:src", "file:src/b/**", "file:src/**"] {
            assert!(src.overlaps(&Key::parse(inside)), "{inside}");
        }
        for outside in ["file:src2", "file:a/src", "dir:src/a.rs", "file"] {
            assert!(!src.overlaps(&Key::parse(outside)), "{outside}");
        }
        assert!(Key::parse("file:**").overlaps(&Key::parse("file:src/**")));
        assert!(Key::parse("file:/**").overlaps(&Key::parse("file:/etc/hosts")));
        assert!(!Key::parse("file:/**").overlaps(&Key::parse("file:etc")));
    }
}
