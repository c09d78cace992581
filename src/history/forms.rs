//! The calls and results of one message, in the forms of the providers.

use crate::document::{Kind, ValueRef};

/// One message, as far as calls are concerned.
pub(super) struct Message<'d> {
    pub(super) calls: Vec<CallSite<'d>>,
    pub(super) results: Vec<ResultSite<'d>>,
    pub(super) part: Part<'d>,
}

/// What a message is to those around it.
#[derive(Clone, Copy)]
pub(super) enum Part<'d> {
    /// An Anthropic or Chat message of the user, and its content.
    User(Option<ValueRef<'d>>),
    /// A Chat message that is a result.
    ChatResult,
    /// A Responses item that is a call.
    ItemCall,
    /// A Responses item that stands for one that the provider keeps.
    Reference,
    Other,
}

/// The form of a call, and of the result that answers it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Form {
    /// A block of an Anthropic message.
    Block,
    /// A call of a Chat message.
    Chat,
    /// A Responses item.
    Item,
    /// A Responses item of a custom tool.
    CustomItem,
}

/// One call.
pub(super) struct CallSite<'d> {
    pub(super) id: Option<&'d str>,
    pub(super) name: &'d str,
    pub(super) form: Form,
    /// The value that carries the arguments; none where they are free text.
    pub(super) arguments: Option<(ValueRef<'d>, Carrier)>,
}

/// How a value carries arguments.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Carrier {
    /// They are the content of a string.
    Content,
    /// They are the value itself.
    Source,
}

/// One result.
pub(super) struct ResultSite<'d> {
    pub(super) id: Option<&'d str>,
    pub(super) form: Form,
    /// The block, message or item.
    pub(super) whole: ValueRef<'d>,
    pub(super) content: Option<ValueRef<'d>>,
}

impl<'d> Message<'d> {
    /// Reads one message or item. What is of no known form holds nothing.
    pub(super) fn read(root: ValueRef<'d>) -> Self {
        let mut message = Self { calls: Vec::new(), results: Vec::new(), part: Part::Other };
        match string(root, "type") {
            Some("function_call") => message.item_call(root, Form::Item),
            Some("custom_tool_call") => message.item_call(root, Form::CustomItem),
            Some("function_call_output") => message.item_result(root, Form::Item),
            Some("custom_tool_call_output") => message.item_result(root, Form::CustomItem),
            Some("item_reference") => message.part = Part::Reference,
            Some(_) | None => match string(root, "role") {
                Some("assistant") => message.assistant(root),
                Some("tool") => {
                    message.part = Part::ChatResult;
                    let id = id(root, "tool_call_id");
                    let content = only(root, "content");
                    message.results.push(ResultSite { id, form: Form::Chat, whole: root, content });
                }
                Some("user") => message.user(root),
                Some(_) | None => {}
            },
        }
        message
    }

    fn item_call(&mut self, item: ValueRef<'d>, form: Form) {
        self.part = Part::ItemCall;
        let arguments = only(item, "arguments").filter(|_| form == Form::Item);
        let Some(name) = string(item, "name") else { return };
        self.calls.push(CallSite { id: id(item, "call_id"), name, form, arguments: arguments.map(carried) });
    }

    fn item_result(&mut self, item: ValueRef<'d>, form: Form) {
        let content = only(item, "output");
        self.results.push(ResultSite { id: id(item, "call_id"), form, whole: item, content });
    }

    fn assistant(&mut self, message: ValueRef<'d>) {
        for call in only(message, "tool_calls").into_iter().flat_map(ValueRef::elements) {
            let (body, arguments) = match only(call, "function") {
                Some(function) => (Some(function), only(function, "arguments")),
                None => (only(call, "custom"), None),
            };
            let Some(name) = body.and_then(|body| string(body, "name")) else { continue };
            let arguments = arguments.map(carried);
            self.calls.push(CallSite { id: id(call, "id"), name, form: Form::Chat, arguments });
        }
        for block in only(message, "content").into_iter().flat_map(ValueRef::elements) {
            let Some(name) = string(block, "name").filter(|_| string(block, "type") == Some("tool_use")) else {
                continue;
            };
            let arguments = only(block, "input").map(|input| (input, Carrier::Source));
            self.calls.push(CallSite { id: id(block, "id"), name, form: Form::Block, arguments });
        }
    }

    fn user(&mut self, message: ValueRef<'d>) {
        let content = only(message, "content");
        self.part = Part::User(content);
        for block in content.into_iter().flat_map(ValueRef::elements) {
            if string(block, "type") == Some("tool_result") {
                let content = only(block, "content");
                let id = id(block, "tool_use_id");
                self.results.push(ResultSite { id, form: Form::Block, whole: block, content });
            }
        }
    }
}

/// Chat and Responses carry arguments as text; some hosts record the object.
fn carried(value: ValueRef<'_>) -> (ValueRef<'_>, Carrier) {
    match value.kind() {
        // No text at all.
        Kind::String | Kind::Null => (value, Carrier::Content),
        Kind::Array | Kind::Boolean | Kind::Number | Kind::Object => (value, Carrier::Source),
    }
}

/// The member of this name, if there is exactly one: of two, providers take one or the other.
fn only<'d>(object: ValueRef<'d>, name: &str) -> Option<ValueRef<'d>> {
    let mut named = object.members().filter(|member| member.name == name);
    let value = named.next()?.value;
    named.next().is_none().then_some(value)
}

fn string<'d>(object: ValueRef<'d>, name: &str) -> Option<&'d str> {
    only(object, name)?.as_str()
}

/// An id; an empty one names nothing.
fn id<'d>(object: ValueRef<'d>, name: &str) -> Option<&'d str> {
    string(object, name).filter(|id| !id.is_empty())
}
