//! STUB
use crate::code::Code; use crate::document::ValueRef;
#[derive(Clone, Debug)] pub struct Tool(String);
#[derive(Clone, Debug, Default)] pub struct Tools;
pub struct Unjudged(String);
impl Unjudged { pub fn keyword(&self)->&str {&self.0} }
pub struct Violation { pub code: Code, pub pointer: String, pub at: Option<u32>, pub expected: Vec<String> }
impl Tool {
 pub fn opaque(n: impl Into<String>) -> Self { Self(n.into()) }
 pub fn name(&self)->&str {&self.0}
 pub(crate) fn canonical_of(&self, _:&str)->Option<&str>{None}
 pub(crate) fn is_closable(&self,_:&str)->bool{false}
 pub(crate) fn gate(&self,_:impl Fn(&str)->bool)->bool{false}
 pub(crate) fn violations(&self,_:ValueRef<'_>)->Vec<Violation>{vec![]}
 pub fn unjudged(&self)->&[Unjudged]{&[]}
 pub(crate) fn schema_is_fully_judged(&self)->bool{true}
 pub(crate) fn has_schema(&self)->bool{false}
 pub(crate) fn validator_name(&self)->&str{""}
}
#[derive(Default)] pub struct InnerCallGrant { pub payload: String, pub object: String, pub epilogue: Option<String> }
#[derive(Default)] pub struct Grants { pub inner_call: Option<InnerCallGrant> }
static G: Grants = Grants { inner_call: None };
impl Tool { pub fn grants(&self)->&Grants{&G} pub(crate) fn required(&self)->impl Iterator<Item=&str>{ std::iter::empty() } }
