//! Running the program.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What one run gave.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_argseal"));
    command.args(args).env_remove("NO_COLOR");
    command
}

/// Runs the program to its end with this standard input.
pub(crate) fn run(args: &[&str], input: &[u8]) -> Ran {
    let mut child = program(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let output = std::thread::scope(|scope| {
        // A program that refuses its arguments reads nothing.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("the program ends")
    });
    Ran {
        code: output.status.code().expect("an exit code"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// A folder of material that may stand beside the checkout.
#[allow(dead_code)]
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(name);
    if !path.exists() {
        println!("skipped: ../shared/{name} is not there");
        return None;
    }
    Some(path)
}

/// A file of this test run, with these contents.
#[allow(dead_code)]
pub(crate) fn file(name: &str, contents: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, contents).expect("a writable folder");
    path.to_str().expect("a plain path").to_owned()
}
