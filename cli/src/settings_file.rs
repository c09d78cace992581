//! The file of settings.

use std::io::BufRead;
use std::path::Path;

use argseal::Settings;
use argseal_form::read_settings;

use crate::failure::Failure;
use crate::input;
use crate::printable::printable;

/// What the file says, laid over `base`; that alone if no file is named.
pub(crate) fn read(path: Option<&Path>, stdin: &mut dyn BufRead, base: Settings) -> Result<Settings, Failure> {
    let Some(path) = path else { return Ok(base) };
    let unusable = |reason: String| {
        Failure::Unusable(format!("{}: {}; correct the file of settings", path.display(), printable(&reason)))
    };
    let text =
        String::from_utf8(input::read(path, stdin)?).map_err(|error| unusable(error.utf8_error().to_string()))?;
    read_settings(&text, &base).map_err(|error| unusable(error.to_string()))
}
