//! What the report says of the build it measures and the compiler cannot tell it at run time.

use std::process::Command;

fn main() {
    let compiler = std::env::var("RUSTC").unwrap_or_default();
    let version = Command::new(compiler).arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    println!("cargo::rustc-env=BENCH_RUSTC={version}");
    for name in ["PROFILE", "OPT_LEVEL"] {
        println!("cargo::rustc-env=BENCH_{name}={}", std::env::var(name).unwrap_or_default());
    }
    println!("cargo::rerun-if-changed=build.rs");
}
