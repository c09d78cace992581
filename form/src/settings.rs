//! Settings, as the configuration file of a host holds them.

use argseal::Settings;
use serde::de::DeserializeSeed;
use serde_json::Value;

use crate::{FormError, reader};

/// Reads settings from JSON, laid over others: what the text leaves out stays as it is there.
///
/// The members are those of [`Settings`] as serde reads and writes them: `policy`, `with`, `without`, `judgement`,
/// `limits`, `any_root`, `suffix_edits_only`. `policy` replaces the rules of `base`.
///
/// # Errors
/// The text is not one JSON object, a member stands in it twice, is not known, or is of another type or unit: the error
/// names its path, what is allowed there, and the nearest name.
///
/// ```
/// use argseal::{Judgement, Rule, Settings};
/// use argseal_form::read_settings;
/// let base = Settings::default().with_judgement(Judgement::Schema);
/// let settings = read_settings(r#"{"policy":"full","with":["rename"]}"#, &base)?;
/// assert!(settings.allows(Rule::Rename) && settings.judgement() == Judgement::Schema);
/// let error = read_settings(r#"{"limits":{"text":"1 MiB"}}"#, &base).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "limits.text: a whole number of bytes, at most 4294967294 is expected, not string \"1 MiB\""
/// );
/// # Ok::<(), argseal_form::FormError>(())
/// ```
pub fn read_settings(text: &str, base: &Settings) -> Result<Settings, FormError> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| FormError::new("", format_args!("not JSON: {error}")))?;
    let settings = reader::read(base.clone(), &value)?;
    // A value holds each member once; only the text shows a second one.
    let mut members = serde_json::Deserializer::from_str(text);
    DeserializeSeed::deserialize(base.clone(), &mut members).map_err(|error| FormError::new("", error))?;
    Ok(settings)
}
