//! Logs of Inspect: one JSON document, or a zip archive with a member for each sample.
//!
//! A sample is a session of its own: the first one is the main thread, each other one has a thread
//! of its name.

mod archive;
mod document;
mod event;
mod outcome;
mod sample;

pub(super) use archive::read as read_archive;
pub(super) use document::read as read_document;
