//! Files and standard input.

use std::fs::File;
use std::io::{BufRead, Read};
use std::path::Path;

use crate::failure::Failure;

/// The whole of a file, or of standard input where the path is `-`.
pub(crate) fn read(path: &Path, stdin: &mut dyn BufRead) -> Result<Vec<u8>, Failure> {
    if is_standard_input(path) {
        let mut bytes = Vec::new();
        stdin.read_to_end(&mut bytes).map_err(|error| Failure::unreadable_input(&error))?;
        return Ok(bytes);
    }
    std::fs::read(path).map_err(|error| Failure::unreadable(path, &error))
}

/// Gives a file, or standard input where the path is `-`, to `take`, piece by piece as it comes.
pub(crate) fn stream(path: &Path, stdin: &mut dyn BufRead, take: &mut dyn FnMut(&[u8])) -> Result<(), Failure> {
    if is_standard_input(path) {
        return pump(stdin, take).map_err(|error| Failure::unreadable_input(&error));
    }
    let unreadable = |error| Failure::unreadable(path, &error);
    pump(&mut File::open(path).map_err(unreadable)?, take).map_err(unreadable)
}

/// `-` stands for standard input.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

fn pump(source: &mut (impl Read + ?Sized), take: &mut dyn FnMut(&[u8])) -> std::io::Result<()> {
    let mut buffer = [0; 16 << 10];
    loop {
        match source.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(len) => take(&buffer[..len]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
