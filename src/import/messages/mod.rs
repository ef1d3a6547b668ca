//! Messages of chat APIs: a conversation as a list, an answer of the API, or a log of requests
//! with their answers. Without a logger's stamps there are no times.
//!
//! `read` tells the shapes apart, `conversation` reads messages and items, `log` a request with
//! its answer and when it was made.

mod conversation;
mod log;
mod read;

pub(super) use read::read;
