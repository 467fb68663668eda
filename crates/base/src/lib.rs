//! Files, processes, limits and texts of autotune.

pub mod files;
pub mod index;
pub mod limits;
pub mod process;
pub mod text;
pub mod ticks;
pub mod user_error;
pub mod yaml;
