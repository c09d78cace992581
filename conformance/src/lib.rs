//! Cases for readers of streamed LLM tool-call arguments in any language, and the runner that judges them.
//!
//! A [`Subject`] is asked, by [`run`], each case in every way to cut its text; what it answers is compared with what the
//! small [`exact`] reader says. [`Process`] is a subject behind the protocol of `README.md`; a reader of this process
//! implements the trait.

pub mod cases;
pub mod check;
pub mod compare;
pub mod derive;
pub mod exact;
mod judge;
pub mod level;
mod nearest;
pub mod number;
pub mod peers;
pub mod picture;
pub mod protocol;
mod report;
pub mod results;
mod run;
mod serve;
mod subject;
pub mod tree;

pub use judge::{Failure, Verdict};
pub use level::{End, Level};
pub use protocol::{Answer, Call, Chunk, Hello, Read, Request, Subject, SubjectError, Tool};
pub use report::{Count, Outcome, Report};
pub use run::run;
pub use serve::serve;
pub use subject::{Bounds, Process};
