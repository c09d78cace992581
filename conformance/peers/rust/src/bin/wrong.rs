//! `wrong NAME`: subjects that are wrong on purpose, each in one way, for the tests of the runner.

use std::io::{Write, stdin, stdout};
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use argseal_conformance::exact::{self, Ending, Halves};
use argseal_conformance::tree::{Data, Tree};
use argseal_conformance::{Answer, Hello, Read, Request, Subject, SubjectError, serve};
use argseal_conformance_peers::Argseal;

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    if name == "speaks-no-protocol" {
        println!("ready.");
        return ExitCode::SUCCESS;
    }
    let mut wrong = Wrong { name };
    match serve(&mut wrong, stdin().lock(), stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// argseal, but for one thing.
struct Wrong {
    name: String,
}

impl Subject for Wrong {
    fn hello(&mut self) -> Result<Hello, SubjectError> {
        Ok(Hello { name: self.name.clone(), ..Argseal.hello()? })
    }

    fn ask(&mut self, request: &Request) -> Result<Answer, SubjectError> {
        let right = Argseal.ask(request)?;
        let (Request::Read { deltas, .. }, Answer::Read(read)) = (request, right.clone()) else {
            if self.name == "dies-always" {
                std::process::exit(3);
            }
            return Ok(right);
        };
        let text = deltas.concat();
        let is_trigger = text.windows(7).any(|part| part == b"trigger");
        Ok(match self.name.as_str() {
            "closes-everything" => closed(&text, read, |_| true),
            "dies" if is_trigger => dies(),
            "dies-always" => dies(),
            "drops-the-tail" => without_tail(&text, read),
            "floods" if is_trigger => floods(),
            "hangs" if is_trigger => loop {
                sleep(Duration::from_secs(60));
            },
            "picks-the-last" => changed(read, |tree| written(tree, 0, &Last)),
            "repairs-a-cut-string" => closed(&text, read, |tree| {
                tree.nodes.last().is_some_and(|last| matches!(last.data, Data::String(_)) && !last.closed)
            }),
            "shows-early-numbers" => early(deltas, read),
            "swaps-two-members" => changed(read, |tree| written(tree, 0, &Swapped)),
            _ => right,
        })
    }
}

fn dies() -> Answer {
    eprintln!("a bad day");
    std::process::exit(3);
}

fn floods() -> Answer {
    let block = [b'x'; 1 << 16];
    while stdout().write_all(&block).is_ok() {}
    std::process::exit(3);
}

fn changed(read: Read, change: impl Fn(&Tree) -> String) -> Answer {
    let tree = read.value.as_deref().and_then(|value| exact::value(value, Halves::Kept));
    Answer::Read(Read { value: tree.as_ref().map(change), ..read })
}

fn closed(text: &[u8], read: Read, is_chosen: impl Fn(&Tree) -> bool) -> Answer {
    let reading = exact::read(text, Halves::Refused);
    if reading.ending != Ending::Cut || !reading.tree.has_object_root() || !is_chosen(&reading.tree) {
        return Answer::Read(read);
    }
    Answer::Read(Read { accept: true, value: Some(written(&reading.tree, 0, &All)), place: None, ..read })
}

fn without_tail(text: &[u8], read: Read) -> Answer {
    let reading = exact::read(text, Halves::Refused);
    let tree = &reading.tree;
    if !matches!(reading.ending, Ending::Broken(_)) || !tree.has_object_root() || !tree.nodes[0].closed {
        return Answer::Read(read);
    }
    Answer::Read(Read { accept: true, value: Some(written(tree, 0, &All)), place: None, ..read })
}

/// Every value that stands in the text so far, numbers that may go on among them.
fn early(deltas: &[Vec<u8>], read: Read) -> Answer {
    let mut text = Vec::new();
    let shown = |delta: &Vec<u8>| {
        text.extend_from_slice(delta);
        let tree = exact::read(&text, Halves::Refused).tree;
        (!tree.is_empty()).then(|| written(&tree, 0, &All))
    };
    let views = read.views.as_ref().map(|_| deltas.iter().map(shown).collect());
    Answer::Read(Read { views, ..read })
}

/// Which children of an object are written.
trait Members {
    fn of(&self, tree: &Tree, node: usize) -> Vec<usize>;
}

struct All;

impl Members for All {
    fn of(&self, tree: &Tree, node: usize) -> Vec<usize> {
        tree.children(node).collect()
    }
}

struct Last;

impl Members for Last {
    fn of(&self, tree: &Tree, node: usize) -> Vec<usize> {
        let last = tree.by_name(node).into_values().filter_map(|same| same.last().copied());
        let mut found: Vec<usize> =
            last.chain(tree.children(node).filter(|&child| tree.nodes[child].name.is_none())).collect();
        found.sort_unstable();
        found
    }
}

struct Swapped;

impl Members for Swapped {
    fn of(&self, tree: &Tree, node: usize) -> Vec<usize> {
        let mut found: Vec<usize> = tree.children(node).collect();
        if node == 0 && found.len() > 1 {
            found.swap(0, 1);
        }
        found
    }
}

fn written(tree: &Tree, node: usize, members: &dyn Members) -> String {
    let children = || {
        let one = |child: usize| match &tree.nodes[child].name {
            Some(name) => format!("{name}:{}", written(tree, child, members)),
            None => written(tree, child, members),
        };
        members.of(tree, node).into_iter().map(one).collect::<Vec<_>>().join(",")
    };
    match &tree.nodes[node].data {
        Data::Null => "null".to_owned(),
        Data::Bool(value) => value.to_string(),
        Data::Number(text) => text.clone(),
        Data::String(text) => text.to_string(),
        Data::Array => format!("[{}]", children()),
        Data::Object => format!("{{{}}}", children()),
    }
}
