//! Everything that one run of the tool needs to answer questions.

pub mod batch;
pub mod views;
