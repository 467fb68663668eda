//! Results for people: texts, pages for browsers, plots and drawings. All content is a function of results alone.

mod drawing;
mod first_choice;
pub mod html;
mod inspected;
pub mod markdown;
pub mod plot;
mod scenarios;
pub mod text;

pub use drawing::{dot, svg};
