//! One request of the NDJSON interface, read.

use std::fmt;

use argseal::{Accepted, Call, End, Rejected, Settings};
use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::GeneralPurposeConfig;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::{FormError, reader, tool};

/// The members of a request, not yet read any further, so that a request with a bad member is answered under its id.
///
/// ```
/// use argseal::{Policy, Settings};
/// use argseal_form::{Answer, Request};
/// let request = Request::read(br#"{"id":7,"text":"{\"a\":tru","end":"truncated"}"#)?;
/// let verdict = request.prepare(&Settings::default())?.judge();
/// let answer = serde_json::to_value(Answer::new(request.id(), &verdict))?;
/// assert_eq!((&answer["id"], &answer["diagnosis"]["code"]), (&7.into(), &"truncated-in-literal".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Deserialize)]
pub struct Request<'r> {
    #[serde(borrow)]
    id: Option<&'r RawValue>,
    tool: Option<&'r RawValue>,
    text: Option<&'r RawValue>,
    deltas: Option<&'r RawValue>,
    deltas_b64: Option<&'r RawValue>,
    end: Option<&'r RawValue>,
    r#final: Option<&'r RawValue>,
    settings: Option<&'r RawValue>,
}

/// A call that is ready to be judged.
#[derive(Debug)]
pub struct Ready {
    /// The call, fed with all of its text.
    pub call: Call,
    /// How its text ended.
    pub end: End,
    /// The full value of the done event; empty if there is none.
    r#final: String,
}

impl Ready {
    /// The verdict.
    ///
    /// # Errors
    /// The rejection, with its diagnosis.
    pub fn judge(self) -> Result<Accepted, Rejected> {
        self.call.finish_with(self.end, &self.r#final)
    }
}

impl<'r> Request<'r> {
    /// The members of one line, or of any text that is one JSON object. Members that are not known are ignored.
    ///
    /// # Errors
    /// The text is not UTF-8, not JSON, or not an object.
    pub fn read(line: &'r [u8]) -> Result<Self, FormError> {
        Self::members(line).map_err(|reason| FormError::new("", reason))
    }

    fn members(line: &'r [u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(line).map_err(|error| format!("not UTF-8 at byte {}", error.valid_up_to()))?;
        if !text.trim_start().starts_with('{') {
            return Err(match serde_json::from_str::<&RawValue>(text) {
                Ok(_) => "not a JSON object".to_owned(),
                Err(error) => format!("not JSON: {error}"),
            });
        }
        serde_json::from_str(text).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => format!("not a request: {error}"),
            _ => format!("not JSON: {error}"),
        })
    }

    /// The id, as it stands in the text.
    pub fn id(&self) -> Option<&'r RawValue> {
        self.id
    }

    /// The call that it describes, fed with all of its text. Its own settings are laid over these.
    ///
    /// # Errors
    /// A member of another type, an end that is none, base64 that is none, a tool or settings that cannot be used; or
    /// there is not exactly one of `text`, `deltas` and `deltas_b64`, and no `final`.
    pub fn prepare(&self, settings: &Settings) -> Result<Ready, FormError> {
        let mut call = match self.tool {
            Some(tool) => {
                Call::new(&tool::of_definition(&member("tool", tool)?).map_err(|error| FormError::new("tool", error))?)
            }
            None => Call::default(),
        };
        call = match self.settings {
            Some(own) => {
                let own: Value = member("settings", own)?;
                call.with_settings(&reader::read(settings.clone(), &own).map_err(|error| error.below("settings"))?)
            }
            None => call.with_settings(settings),
        };
        let end = match self.end {
            Some(end) => named_end(&member::<String>("end", end)?)?,
            None => End::Complete,
        };
        let r#final = self.r#final.map_or(Ok(String::new()), |text| member("final", text))?;
        match (self.text, self.deltas, self.deltas_b64) {
            (Some(text), None, None) => {
                call.feed(&member::<String>("text", text)?);
            }
            (None, Some(deltas), None) => {
                for delta in member::<Vec<String>>("deltas", deltas)? {
                    call.feed(&delta);
                }
            }
            (None, None, Some(deltas)) => {
                for (i, delta) in member::<Vec<String>>("deltas_b64", deltas)?.iter().enumerate() {
                    let bytes =
                        BASE64.decode(delta).map_err(|error| FormError::new(&format!("deltas_b64[{i}]"), error))?;
                    call.feed_bytes(&bytes);
                }
            }
            (None, None, None) if self.r#final.is_some() => {}
            (None, None, None) => {
                return Err(FormError::new("", "none of text, deltas, deltas_b64 and final is there"));
            }
            (Some(_), Some(_), _) | (Some(_), _, Some(_)) | (_, Some(_), Some(_)) => {
                return Err(FormError::new("", "more than one of text, deltas and deltas_b64 is there"));
            }
        }
        Ok(Ready { call, end, r#final })
    }
}

/// Prints which members are there, never contents.
impl fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("tool", &self.tool.is_some())
            .field("text", &self.text.map(|text| text.get().len()))
            .field("deltas", &self.deltas.is_some())
            .field("deltas_b64", &self.deltas_b64.is_some())
            .finish_non_exhaustive()
    }
}

/// Standard base64; the padding may be left out.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

fn named_end(name: &str) -> Result<End, FormError> {
    let unknown = || format!("unknown end {name:?}; one of {} is expected", End::ALL.map(End::name).join(", "));
    End::from_name(name).ok_or_else(|| FormError::new("", unknown()))
}

fn member<'r, T: Deserialize<'r>>(name: &str, text: &'r RawValue) -> Result<T, FormError> {
    serde_json::from_str(text.get()).map_err(|error| FormError::new(name, error))
}
