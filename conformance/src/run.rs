//! Puts cases to a subject.

use crate::cases::Case;
use crate::judge::judge;
use crate::protocol::{Subject, SubjectError};
use crate::report::{Outcome, Report};

/// Puts every case to a subject and reports what became of each.
///
/// # Errors
/// The subject cannot be used at all: it did not say who it is.
pub fn run(cases: &[Case], subject: &mut dyn Subject) -> Result<Report, SubjectError> {
    let hello = subject.hello()?;
    let outcomes = cases.iter().map(|case| Outcome::new(case, judge(case, subject, &hello))).collect();
    Ok(Report { hello, outcomes })
}
