//! A text with what surrounds it: cuts, tool, settings, end.

use super::tools::owned;
use argseal::{End, Judgement, Limits, Numbers, Policy, Rule, Settings, Tool};

/// One text, and how it comes.
#[derive(Clone, Debug)]
pub struct Sample<'d> {
    /// The text.
    pub text: &'d [u8],
    /// Where it is cut.
    pub cuts: Vec<usize>,
    /// The tool, if it is known.
    pub tool: Option<&'static Tool>,
    /// What the host allows.
    pub settings: Settings,
    /// How it ends.
    pub end: End,
}

impl<'d> Sample<'d> {
    /// Reads the choices from the end of the bytes, so that whatever comes before is the text as it stands: a file of
    /// cases is a corpus.
    pub fn of(bytes: &'d [u8]) -> Self {
        let mut text = bytes;
        let mut last = || text.split_off_last().copied().unwrap_or_default();
        let (control, settings, tool) = (last(), last(), usize::from(last()));
        let cuts: Vec<usize> = (0..control % 8).map(|_| usize::from(last()) << 8 | usize::from(last())).collect();
        let length = text.len() + 1;
        let tools = owned();
        Self {
            text,
            cuts: cuts.into_iter().map(|cut| cut % length).collect(),
            // Unknown as often as known.
            tool: tools.get(tool % (2 * tools.len())).map(|owned| &owned.tool),
            settings: settings_of(settings),
            end: End::ALL[usize::from(control / 8) % End::ALL.len()],
        }
    }
}

fn settings_of(byte: u8) -> Settings {
    let bit = |bit: u8| byte >> bit & 1 == 1;
    let policy = match byte % 4 {
        0 => Policy::Strict,
        1 => Policy::Narrow,
        _ => Policy::Full,
    };
    let judgement = match byte >> 2 & 3 {
        0 => Judgement::Text,
        1 => Judgement::Shape,
        _ => Judgement::Schema,
    };
    let mut settings = Settings::default().with_policy(policy).with_judgement(judgement);
    if byte >> 2 & 3 == 3 {
        settings = settings.with_numbers(Numbers::Double);
    }
    if bit(4) {
        settings = settings.with_rule(Rule::Rename);
    }
    if bit(5) {
        settings = settings.suffix_edits_only();
    }
    if bit(6) {
        settings = settings.any_root();
    }
    if bit(7) {
        let limits = Limits::default().with_text(200).with_depth(6).with_members(20).with_trailing(16).with_event(400);
        settings = settings.with_limits(limits);
    }
    settings
}
