//! Names of threads, each one once.

use std::collections::HashMap;

use crate::trace::{Run, Thread};

/// Adds threads with these names to the run. Two threads never have one name, whatever the file
/// calls them: a name that is taken gets a number.
pub(super) fn add_threads<'a>(run: &mut Run, given: impl Iterator<Item = &'a str>) {
    let mut taken: HashMap<String, u32> = HashMap::new();
    for given in given {
        let mut name = given.to_owned();
        while taken.contains_key(&name) {
            let copies = taken.entry(given.to_owned()).or_insert(1);
            *copies += 1;
            name = format!("{given}-{copies}");
        }
        taken.entry(name.clone()).or_insert(1);
        run.threads.push(Thread {
            name,
            ..Thread::default()
        });
    }
}
