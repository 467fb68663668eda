//! Launches a kernel with the parameters that the build script took from autotune.

/// The fastest configuration of the kernel in `scale.yaml`.
mod launch {
    include!(concat!(env!("OUT_DIR"), "/launch.rs"));
}

fn main() {
    println!("work groups of {} work items, {} elements each", launch::WG, launch::ITEMS);
}
