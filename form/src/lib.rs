//! The outside form of argseal: what a request, a verdict, a tool with its grants, settings, a signal of a stream and a
//! finding in a history look like as JSON.
//!
//! It is defined here once. The command line and the bindings for other languages write and read these types and none of
//! their own; `docs/form.md` describes the form, `docs/form.schema.json` is its JSON Schema, and a test compares the two.
//! What is written borrows from what the library gives, and text of the model's stands in it verbatim: numbers keep their
//! digits, strings their escapes.
//!
//! ```
//! use argseal::Settings;
//! use argseal_form::{Answer, Request};
//! let request = Request::read(br#"{"id":1,"text":"{\"n\":3305118820117000003}"}"#)?;
//! let verdict = request.prepare(&Settings::default())?.judge();
//! let answer = serde_json::to_string(&Answer::new(request.id(), &verdict))?;
//! assert!(answer.contains(r#""arguments":{"n":3305118820117000003}"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
pub mod finding;
mod json;
mod reader;
pub mod request;
pub mod settings;
pub mod signal;
pub mod tool;
pub mod tool_list;
pub mod verdict;

pub use error::FormError;
pub use finding::{FindingForm, HistoryForm};
pub use json::{compact, compacted};
pub use reader::read;
pub use request::{Ready, Request};
pub use settings::read_settings;
pub use signal::{CallForm, SignalForm, StreamForm};
pub use tool_list::{ToolList, grants_by_name};
pub use verdict::{Answer, Refusal, VerdictForm};
