//! The session: the answers to questions, one by one or in batches.

pub mod batch;
