//! The keys of one turn, numbered densely, with the trees that hold them.

use std::collections::HashMap;

use crate::model::{Key, KeyId, KeyTable};
use crate::schedule::CallSpec;

/// One key as one call touches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::schedule) struct Mention {
    /// The key's dense number in this turn.
    pub(in crate::schedule) key: u32,
    /// True where the call writes it.
    pub(in crate::schedule) write: bool,
}

#[derive(Clone, Debug)]
struct Resource {
    id: KeyId,
    tree: bool,
    /// Trees of the turn that hold it, itself not included, inmost first.
    within: Vec<u32>,
}

/// The keys of one turn and who touches them.
#[derive(Clone, Debug, Default)]
pub(in crate::schedule) struct Resources {
    keys: Vec<Resource>,
    /// Mentions of call `i`, writes first: `mentions[first[i]..first[i + 1]]`.
    mentions: Vec<Mention>,
    first: Vec<u32>,
    opaque: Vec<bool>,
}

impl Resources {
    pub(in crate::schedule) fn new(calls: &[CallSpec<'_>], keys: &KeyTable) -> Self {
        let mut all = Self {
            first: vec![0],
            ..Self::default()
        };
        let mut numbers: HashMap<KeyId, u32> = HashMap::new();
        let mut trees = false;
        for call in calls {
            let start = all.mentions.len();
            let writes = call.writes.iter().map(|k| (k, true));
            for (&id, write) in writes.chain(call.reads.iter().map(|k| (k, false))) {
                let key = *numbers.entry(id).or_insert_with(|| {
                    let tree = keys.get(id).tree;
                    trees |= tree;
                    all.keys.push(Resource {
                        id,
                        tree,
                        within: Vec::new(),
                    });
                    u32::try_from(all.keys.len() - 1).unwrap_or(u32::MAX)
                });
                if !all.mentions[start..].iter().any(|m| m.key == key) {
                    all.mentions.push(Mention { key, write });
                }
            }
            all.first
                .push(u32::try_from(all.mentions.len()).unwrap_or(u32::MAX));
            all.opaque.push(call.opaque);
        }
        if trees {
            all.link_trees(keys);
        }
        all
    }

    /// Finds for each key the trees that hold it by walking up its path, so the work is the depth
    /// of the paths and not the product of keys and trees.
    fn link_trees(&mut self, keys: &KeyTable) {
        let mut trees: HashMap<(&str, Option<&str>), u32> = HashMap::new();
        for (number, resource) in self.keys.iter().enumerate() {
            if resource.tree {
                let key = keys.get(resource.id);
                let root = key.path.as_deref().map(|p| p.trim_end_matches('/'));
                trees.insert((&key.kind, root), u32::try_from(number).unwrap_or(u32::MAX));
            }
        }
        for number in 0..self.keys.len() {
            let key = keys.get(self.keys[number].id);
            let own = u32::try_from(number).unwrap_or(u32::MAX);
            self.keys[number].within = ancestors(key)
                .filter_map(|path| trees.get(&(key.kind.as_str(), path)).copied())
                .filter(|&tree| tree != own)
                .collect();
        }
    }

    pub(in crate::schedule) const fn len(&self) -> usize {
        self.keys.len()
    }

    pub(in crate::schedule) fn of(&self, call: u32) -> &[Mention] {
        let call = call as usize;
        &self.mentions[self.first[call] as usize..self.first[call + 1] as usize]
    }

    pub(in crate::schedule) fn is_tree(&self, key: u32) -> bool {
        self.keys[key as usize].tree
    }

    /// The trees of the turn that hold `key`, itself not included.
    pub(in crate::schedule) fn within(&self, key: u32) -> &[u32] {
        &self.keys[key as usize].within
    }

    pub(in crate::schedule) fn id(&self, key: u32) -> KeyId {
        self.keys[key as usize].id
    }

    /// Of two keys that can be the same resource, the inner one.
    pub(in crate::schedule) fn meet(&self, a: u32, b: u32) -> Option<u32> {
        if a == b || self.within(a).contains(&b) {
            Some(a)
        } else if self.within(b).contains(&a) {
            Some(b)
        } else {
            None
        }
    }

    pub(in crate::schedule) fn is_opaque(&self, call: u32) -> bool {
        self.opaque[call as usize]
    }

    /// True where the order of the two calls can matter.
    pub(in crate::schedule) fn conflict(&self, i: u32, j: u32) -> bool {
        self.opaque[i as usize]
            || self.opaque[j as usize]
            || self.of(i).iter().any(|x| {
                self.of(j)
                    .iter()
                    .any(|y| (x.write || y.write) && self.meet(x.key, y.key).is_some())
            })
    }
}

/// The roots of all trees that could hold `key`: its path, each folder above, the root folder,
/// and the kind as a whole. A key that is its kind alone is held by the tree of the kind.
fn ancestors(key: &Key) -> impl Iterator<Item = Option<&str>> {
    let mut path = key
        .path
        .as_deref()
        .map(|p| if key.tree { p.trim_end_matches('/') } else { p });
    let mut whole_kind = true;
    std::iter::from_fn(move || match path {
        Some(here) => {
            path = here.rfind('/').map(|cut| &here[..cut]);
            Some(Some(here))
        }
        None => std::mem::take(&mut whole_kind).then_some(None),
    })
}
