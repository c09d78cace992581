//! One tool: its name, the schema of its arguments, the grants of its owner.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use super::by_member::ByMember;
use super::definition::Definition;
use super::findings::Findings;
use super::step::Names;
use super::{GrantError, Grants, Schema, SchemaError, TypeSet, Unjudged, Validator, Violation};
use crate::document::ValueRef;

/// A tool that a model may call. Cheap to clone and to share; everything is read once, when it is built.
#[derive(Clone)]
pub struct Tool {
    inner: Arc<Inner>,
}

#[derive(Clone)]
struct Inner {
    name: Arc<str>,
    /// `None`: opaque.
    schema: Option<Arc<Schema>>,
    validator: Option<Arc<dyn Validator>>,
    grants: Grants,
    /// Aliases with their canonical names, sorted by alias.
    canonical: Box<[Alias]>,
}

/// The name of the validator that every tool has.
const BUILT_IN: &str = "argseal";

const _: () = {
    const fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<Tool>();
};

/// One granted alias.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Alias {
    name: Box<str>,
    /// The declared member that it stands for.
    member: Box<str>,
}

impl Tool {
    /// The tool of this name whose arguments are described by a JSON Schema (draft 2020-12).
    ///
    /// # Errors
    /// The schema is malformed: a keyword's value is of the wrong type, a `$ref` leads nowhere, a type does not exist,
    /// or it is nested deeper than 256 levels. A keyword that is not judged is no error: see [`unjudged`](Self::unjudged).
    pub fn new(name: impl Into<Arc<str>>, schema: &Value) -> Result<Self, SchemaError> {
        Ok(Self::of(name.into(), Some(Arc::new(Schema::compile(schema)?))))
    }

    /// The tool of a definition as a provider takes it: Anthropic (`input_schema`), OpenAI Chat Completions
    /// (`function`) and Responses (flat), MCP (`inputSchema`), Gemini (upper-case types), Bedrock (`toolSpec`). Without a
    /// schema, as custom tools and those that a provider defines are (`bash_20250124`), it is opaque. One that is built in
    /// has no name and gets that of its kind: see [`built_in`](Self::built_in).
    ///
    /// # Errors
    /// There is neither a name nor a kind, or the schema is malformed: see [`new`](Self::new).
    pub fn from_json(definition: &Value) -> Result<Self, SchemaError> {
        match Definition::read(definition)? {
            Definition::Tool { name, schema: Some(schema) } => Self::new(name, schema),
            Definition::Tool { name, schema: None } | Definition::BuiltIn { kind: name } => Ok(Self::opaque(name)),
        }
    }

    /// The kind of a definition that switches on what a provider has built in, and that no call names: `web_search` of
    /// `{"type":"web_search"}`, `googleSearch` of `{"googleSearch":{}}`. `None` for every other one.
    pub fn built_in(definition: &Value) -> Option<&str> {
        match Definition::read(definition) {
            Ok(Definition::BuiltIn { kind }) => Some(kind),
            Ok(Definition::Tool { .. }) | Err(_) => None,
        }
    }

    /// A tool whose name is known and whose arguments are not judged.
    pub fn opaque(name: impl Into<Arc<str>>) -> Self {
        Self::of(name.into(), None)
    }

    fn of(name: Arc<str>, schema: Option<Arc<Schema>>) -> Self {
        let inner = Inner { name, schema, validator: None, grants: Grants::default(), canonical: Box::default() };
        Self { inner: Arc::new(inner) }
    }

    /// The same tool with the grants of its owner, in place of any before.
    ///
    /// # Errors
    /// The grants contradict each other or the schema: an alias of an alias, an alias that is a declared member, one
    /// alias for two members, a closable member that is not declared as a plain string (only type, annotations,
    /// `minLength`, `maxLength`), a payload that is not declared as a string. An opaque tool declares nothing to
    /// contradict.
    pub fn with_grants(mut self, grants: Grants) -> Result<Self, GrantError> {
        let canonical = self.check_aliases(&grants)?;
        if self.inner.schema.is_some() {
            self.check_members(&grants)?;
        }
        let inner = Arc::make_mut(&mut self.inner);
        inner.grants = grants;
        inner.canonical = canonical;
        Ok(self)
    }

    /// The same tool, judged by the host's own validator in place of the built-in one. The schema still says which
    /// members there are and of which types.
    #[must_use]
    pub fn with_validator(mut self, validator: Arc<dyn Validator>) -> Self {
        Arc::make_mut(&mut self.inner).validator = Some(validator);
        self
    }

    /// The tool's name.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// The keywords of the schema that the validator in force does not judge: left to the host. While there are any,
    /// nothing is repaired, and only blank text and granted aliases are normalized.
    pub fn unjudged(&self) -> &[Unjudged] {
        match (&self.inner.validator, &self.inner.schema) {
            (Some(validator), _) => validator.unjudged(),
            (None, Some(schema)) => &schema.unjudged,
            (None, None) => &[],
        }
    }

    /// The grants of its owner.
    pub fn grants(&self) -> &Grants {
        &self.inner.grants
    }

    /// The name of the validator in force: `argseal` for the built-in one.
    pub fn validator_name(&self) -> &str {
        self.inner.validator.as_ref().map_or(BUILT_IN, |validator| validator.name())
    }

    /// The same, owned: the name of the built-in validator costs no copy.
    pub(crate) fn validator_in_force(&self) -> Cow<'static, str> {
        self.inner.validator.as_ref().map_or(BUILT_IN.into(), |validator| validator.name().to_owned().into())
    }

    /// Whether the arguments are judged, by a schema or by the host's validator: those of an opaque tool are not.
    pub fn has_schema(&self) -> bool {
        self.inner.schema.is_some() || self.inner.validator.is_some()
    }

    /// Whether this is the same tool, not one that looks like it.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    pub(crate) fn name_shared(&self) -> Arc<str> {
        Arc::clone(&self.inner.name)
    }

    /// The required members of the root, in the order of the schema.
    pub(crate) fn required(&self) -> impl Iterator<Item = &str> {
        self.inner.schema.iter().flat_map(|schema| schema.required())
    }

    /// The declared members of the root, in the order in which `serde_json` holds them.
    pub(crate) fn properties(&self) -> impl Iterator<Item = &str> {
        self.inner.schema.iter().flat_map(|schema| &schema.members).map(|member| &*member.name)
    }

    pub(crate) fn declares(&self, name: &str) -> bool {
        self.inner.schema.as_ref().is_some_and(|schema| schema.member(name).is_some())
    }

    /// The types that the member's schema names, through references and alternatives; none where it names none.
    pub(crate) fn types_of(&self, member: &str) -> TypeSet {
        let member = self.inner.schema.as_ref().and_then(|schema| schema.member(member));
        member.map_or(TypeSet::NONE, |member| member.types)
    }

    /// Whether the schema leaves room for an object at the root.
    pub(crate) fn wants_object_root(&self) -> bool {
        let types = self.inner.schema.as_ref().map_or(TypeSet::NONE, |schema| schema.root_types);
        types.is_empty() || types.has(TypeSet::OBJECT)
    }

    /// Whether the member may be closed where it stops: granted, declared, a plain string.
    pub(crate) fn is_closable(&self, name: &str) -> bool {
        let is_plain = || self.inner.schema.as_ref()?.member(name).map(|member| member.is_plain);
        self.inner.grants.closable.iter().any(|closable| closable == name) && is_plain() == Some(true)
    }

    /// Whether a repair may leave the member out.
    pub(crate) fn may_be_absent(&self, name: &str) -> bool {
        let Grants { closable, may_lack, .. } = &self.inner.grants;
        closable.iter().chain(may_lack).any(|granted| granted == name)
    }

    /// Whether every declared member is there or may be absent: a member that would have followed must not vanish. Not
    /// where members may be declared in other places than the root's `properties`.
    pub(crate) fn gate(&self, have: impl Fn(&str) -> bool) -> bool {
        let declares_all = self.inner.schema.as_ref().is_none_or(|schema| schema.declares_all);
        declares_all && self.properties().all(|name| have(name) || self.may_be_absent(name))
    }

    /// The member that a granted alias stands for.
    pub(crate) fn canonical_of(&self, alias: &str) -> Option<&str> {
        let canonical = &self.inner.canonical;
        canonical.binary_search_by(|entry| (*entry.name).cmp(alias)).ok().map(|i| &*canonical[i].member)
    }

    /// Whether the validator in force judges every keyword of the schema.
    pub(crate) fn schema_is_fully_judged(&self) -> bool {
        self.unjudged().is_empty()
    }

    /// What the validator in force says against the value.
    pub(crate) fn findings<'v>(&'v self, value: ValueRef<'v>, names: Names) -> Findings<'v> {
        match (&self.inner.validator, &self.inner.schema) {
            (Some(validator), _) => Findings::of_host(&**validator, value),
            (None, Some(schema)) => Findings::of_schema(schema, value, names),
            (None, None) => Findings::nothing(value),
        }
    }

    /// All of it, ordered; at most 256 violations.
    pub(crate) fn violations(&self, value: ValueRef<'_>) -> Vec<Violation> {
        self.findings(value, Names::MayRepeat).violations()
    }

    /// How many violations there are, without a bound.
    pub(crate) fn count(&self, value: ValueRef<'_>) -> usize {
        self.findings(value, Names::MayRepeat).count()
    }

    /// The schema, where it judges the members of the root one by one.
    pub(crate) fn by_member(&self) -> Option<ByMember<'_>> {
        self.inner.schema.as_ref().filter(|_| self.inner.validator.is_none())?.by_member()
    }

    /// The aliases by name, sorted; whatever order they were granted in.
    fn check_aliases(&self, grants: &Grants) -> Result<Box<[Alias]>, GrantError> {
        let named = |canonical: &String| grants.aliases.get(canonical).is_some_and(|aliases| !aliases.is_empty());
        let mut canonical: Vec<Alias> = Vec::new();
        for (member, aliases) in &grants.aliases {
            let alias = |name: &String| Alias { name: name.as_str().into(), member: member.as_str().into() };
            canonical.extend(aliases.iter().map(alias));
        }
        canonical.sort();
        canonical.dedup();
        for Alias { name: alias, member } in &canonical {
            if self.declares(alias) {
                let reason = format!("an alias of `{member}` that is itself a declared member; remove the alias");
                return Err(GrantError::new(&**alias, reason));
            }
            if named(&alias.to_string()) {
                let reason = format!("an alias of `{member}` that has aliases itself; list them under `{member}`");
                return Err(GrantError::new(&**alias, reason));
            }
        }
        for pair in canonical.windows(2) {
            if let [Alias { name: first, member: a }, Alias { name: second, member: b }] = pair
                && first == second
            {
                let reason = format!("an alias of both `{a}` and `{b}`; keep one of them");
                return Err(GrantError::new(&**first, reason));
            }
        }
        Ok(canonical.into())
    }

    fn check_members(&self, grants: &Grants) -> Result<(), GrantError> {
        let member = |name: &str| self.inner.schema.as_ref().and_then(|schema| schema.member(name));
        let mut closable: Vec<&String> = grants.closable.iter().collect();
        closable.sort();
        for name in closable {
            // One that is not declared contradicts nothing: it can never apply, which is an issue of the tool.
            if member(name).is_some_and(|member| !member.is_plain) {
                let reason =
                    "closable, but not a plain string (only type, annotations, minLength, maxLength); remove the grant";
                return Err(GrantError::new(name, reason));
            }
        }
        if let Some(inner_call) = &grants.inner_call {
            let payload = &inner_call.payload;
            if member(payload).is_some_and(|member| !member.types.has(TypeSet::STRING)) {
                let reason = "the payload of `inner_call`, but not a string; name the member with the program";
                return Err(GrantError::new(payload, reason));
            }
        }
        Ok(())
    }
}

/// Prints the name and sizes.
impl std::fmt::Debug for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tool")
            .field("name", &self.inner.name)
            .field("members", &self.inner.schema.as_ref().map(|schema| schema.members.len()))
            .field("unjudged", &self.unjudged().len())
            .finish_non_exhaustive()
    }
}
