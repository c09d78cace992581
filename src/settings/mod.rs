//! What the host allows: policy, rules, judgement, limits.

mod form;
pub(crate) mod limits;

use crate::settings::limits::Limits;

/// A rule that may change a text. Each change names its rule in the audit.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[repr(u8)]
pub enum Rule {
    /// A granted alias becomes its canonical member.
    Alias,
    /// The open string of a closable member is closed, and the root after it.
    CloseDescription,
    /// A string that is exactly a number or boolean becomes it, where the schema wants that.
    Coerce,
    /// A string that is the wanted object or array becomes it.
    Decode,
    /// Blank text means no arguments.
    Empty,
    /// The line that the tool's owner granted after a completed inner call.
    Epilogue,
    /// The cut inner call of a program is completed.
    InnerCall,
    /// The members of a wrapper join their siblings.
    Merge,
    /// An undeclared member with a related name becomes the one that is missing.
    Rename,
    /// A wrapper's content takes its place.
    Unwrap,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Self; 10] = [
        Self::Alias,
        Self::CloseDescription,
        Self::Coerce,
        Self::Decode,
        Self::Empty,
        Self::Epilogue,
        Self::InnerCall,
        Self::Merge,
        Self::Rename,
        Self::Unwrap,
    ];

    /// The name used in edits and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alias => "alias",
            Self::CloseDescription => "close-description",
            Self::Coerce => "coerce",
            Self::Decode => "decode",
            Self::Empty => "empty",
            Self::Epilogue => "epilogue",
            Self::InnerCall => "inner-call",
            Self::Merge => "merge",
            Self::Rename => "rename",
            Self::Unwrap => "unwrap",
        }
    }

    /// The rule of this name, if it is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// A set of rules to start from.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Policy {
    /// `Narrow` and the rules that put valid JSON of the wrong shape right: decode, unwrap, merge, alias, coerce.
    Full,
    /// `Strict` and the repairs, where the tool's owner granted them.
    #[default]
    Narrow,
    /// Nothing but blank text, which means no arguments, is ever changed.
    Strict,
}

impl Policy {
    /// Every policy, the least first.
    pub const ALL: [Self; 3] = [Self::Strict, Self::Narrow, Self::Full];

    /// The name used on the command line and in configuration files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Narrow => "narrow",
            Self::Strict => "strict",
        }
    }

    /// The policy of this name (`strict`, `narrow`, `full`), if it is one.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "full" => Some(Self::Full),
            "narrow" => Some(Self::Narrow),
            "strict" => Some(Self::Strict),
            _ => None,
        }
    }

    const fn rules(self) -> u16 {
        let strict = Rule::Empty.bit();
        let narrow = strict | Rule::CloseDescription.bit() | Rule::InnerCall.bit() | Rule::Epilogue.bit();
        match self {
            Self::Strict => strict,
            Self::Narrow => narrow,
            Self::Full => {
                narrow
                    | Rule::Alias.bit()
                    | Rule::Coerce.bit()
                    | Rule::Decode.bit()
                    | Rule::Merge.bit()
                    | Rule::Unwrap.bit()
            }
        }
    }
}

/// What acceptance demands of a call whose tool has a schema.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Judgement {
    /// No violation of the schema at all.
    Schema,
    /// Required members and types; other violations are notes.
    #[default]
    Shape,
    /// One strict JSON text with an object root.
    Text,
}

impl Judgement {
    /// Every judgement, the least first.
    pub const ALL: [Self; 3] = [Self::Text, Self::Shape, Self::Schema];

    /// The name used on the command line and in configuration files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Shape => "shape",
            Self::Text => "text",
        }
    }

    /// The judgement of this name (`text`, `shape`, `schema`), if it is one.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "schema" => Some(Self::Schema),
            "shape" => Some(Self::Shape),
            "text" => Some(Self::Text),
            _ => None,
        }
    }
}

/// What the host's readers hold of a number.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Numbers {
    /// Doubles alone, as in JavaScript, jq and many stores. A number that a double alters
    /// ([`Held::Altered`](crate::Held::Altered)) is rejected as soon as it is complete; a fraction may be rounded.
    Double,
    /// Every digit, at least where it matters: numbers are not looked at.
    #[default]
    Exact,
}

impl Numbers {
    /// Every setting.
    pub const ALL: [Self; 2] = [Self::Double, Self::Exact];

    /// The name used in a file of settings and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Double => "double",
            Self::Exact => "exact",
        }
    }

    /// The setting of this name, if it is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|numbers| numbers.name() == name)
    }
}

/// What the host allows and demands. Starts from [`Policy::Narrow`] and [`Judgement::Shape`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Settings {
    rules: u16,
    judgement: Judgement,
    numbers: Numbers,
    limits: Limits,
    any_root: bool,
    suffix_only: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rules: Policy::default().rules(),
            judgement: Judgement::default(),
            numbers: Numbers::default(),
            limits: Limits::default(),
            any_root: false,
            suffix_only: false,
        }
    }
}

impl Settings {
    /// The kill switch: strict JSON with an object root is accepted, blank text means no arguments where the tool
    /// requires none, nothing else is judged or changed.
    pub fn passthrough() -> Self {
        Self::default().with_policy(Policy::Strict).with_judgement(Judgement::Text)
    }

    /// The same with the rules of `policy` and no others.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        Self { rules: policy.rules(), ..self }
    }

    /// The same with one more rule. The epilogue comes with the inner call.
    #[must_use]
    pub fn with_rule(self, rule: Rule) -> Self {
        Self { rules: self.rules | rule.bit(), ..self }
    }

    /// The same without a rule.
    #[must_use]
    pub fn without_rule(self, rule: Rule) -> Self {
        Self { rules: self.rules & !rule.bit(), ..self }
    }

    /// The same with another judgement.
    #[must_use]
    pub fn with_judgement(self, judgement: Judgement) -> Self {
        Self { judgement, ..self }
    }

    /// The same for readers that hold numbers otherwise.
    #[must_use]
    pub fn with_numbers(self, numbers: Numbers) -> Self {
        Self { numbers, ..self }
    }

    /// The same with other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Only edits at the very end of the text are applied: what a proxy that has forwarded every delta can still do.
    /// A repair or plan that would change anything else is not tried.
    #[must_use]
    pub fn suffix_edits_only(self) -> Self {
        Self { suffix_only: true, ..self }
    }

    /// Any JSON value may be the root: for structured output rather than arguments.
    #[must_use]
    pub fn any_root(self) -> Self {
        Self { any_root: true, ..self }
    }

    /// Whether a rule is on.
    pub fn allows(&self, rule: Rule) -> bool {
        self.rules & rule.bit() != 0
    }

    /// What acceptance demands.
    pub fn judgement(&self) -> Judgement {
        self.judgement
    }

    /// What the host's readers hold of a number.
    pub fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// The bounds.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Whether any JSON value may be the root.
    pub fn allows_any_root(&self) -> bool {
        self.any_root
    }

    /// Whether only edits at the very end of the text are applied.
    pub fn allows_suffix_only(&self) -> bool {
        self.suffix_only
    }
}
