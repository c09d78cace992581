//! A subject in a process of its own: it may hang, flood or die without harm to the run.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::protocol::{Answer, Hello, Request, Subject, SubjectError};
use crate::tree::clip;

/// What a subject may take.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// For one answer; four times that for the first, which holds the start of the process.
    pub time: Duration,
    /// Bytes of one line.
    pub line: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { time: Duration::from_secs(5), line: 16 << 20 }
    }
}

/// A command that speaks the protocol. It is started at the first hello, and again after each failure.
pub struct Process {
    command: Vec<String>,
    folder: Option<PathBuf>,
    bounds: Bounds,
    running: Option<Running>,
    next: u64,
    /// Failures since the last answer.
    silent: u32,
    said: Arc<Mutex<VecDeque<String>>>,
}

impl Process {
    /// The subject of this command line: program and arguments.
    pub fn new(command: Vec<String>, bounds: Bounds) -> Self {
        Self { command, folder: None, bounds, running: None, next: 1, silent: 0, said: Arc::default() }
    }

    /// The same, started in a folder to which the path of the program is relative.
    #[must_use]
    pub fn in_folder(mut self, folder: &Path) -> Self {
        self.folder = Some(folder.to_owned());
        self
    }

    /// The last lines of its standard error.
    pub fn said(&self) -> Vec<String> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    fn start(&mut self) -> Result<Hello, SubjectError> {
        let shown = self.command.join(" ");
        let (program, arguments) =
            self.command.split_first().ok_or_else(|| SubjectError::Unusable("no command is given".to_owned()))?;
        let mut command = match &self.folder {
            Some(folder) if program.contains('/') => Command::new(folder.join(program)),
            Some(_) | None => Command::new(program),
        };
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        let child = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| SubjectError::Unusable(format!("`{shown}` cannot be started: {error}")))?;
        let mut running = Running::new(child, self.bounds.line, &self.said)?;
        let hello = running.exchange(HELLO.to_owned(), self.bounds.time * 4).and_then(|line| {
            let text = String::from_utf8_lossy(&line);
            match serde_json::from_slice::<Hello>(&line) {
                Ok(hello) if hello.protocol == 1 => Ok(hello),
                Ok(hello) => Err(SubjectError::Garbled(format!("protocol {} where 1 is spoken", hello.protocol))),
                Err(error) => Err(SubjectError::Garbled(format!("{} ({error})", clip(text.trim_end(), 120)))),
            }
        });
        match hello {
            Ok(hello) => {
                self.running = Some(running);
                Ok(hello)
            }
            Err(error) => {
                running.end();
                Err(SubjectError::Unusable(format!("`{shown}` does not say hello: {error}")))
            }
        }
    }

    fn exchange(&mut self, request: &Request) -> Result<Answer, SubjectError> {
        if self.running.is_none() {
            self.start()?;
        }
        let Some(running) = &mut self.running else { return Err(SubjectError::GivenUp) };
        let id = self.next;
        self.next += 1;
        let line = running.exchange(request.to_line(id), self.bounds.time)?;
        Answer::from_line(&line, id).map_err(|reason| {
            SubjectError::Garbled(format!("{} ({reason})", clip(String::from_utf8_lossy(&line).trim_end(), 200)))
        })
    }
}

impl Subject for Process {
    fn hello(&mut self) -> Result<Hello, SubjectError> {
        self.start()
    }

    fn ask(&mut self, request: &Request) -> Result<Answer, SubjectError> {
        if self.silent >= PATIENCE {
            return Err(SubjectError::GivenUp);
        }
        let answer = self.exchange(request);
        if answer.is_ok() {
            self.silent = 0;
        } else {
            self.silent += 1;
            // What it says from now on would be taken for the answer to another question.
            if let Some(running) = self.running.take() {
                running.end();
            }
        }
        answer
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.end();
        }
    }
}

/// What the thread that reads has seen.
enum Seen {
    End,
    Line(Vec<u8>),
    TooLong,
}

struct Running {
    child: Child,
    requests: Sender<String>,
    answers: Receiver<Seen>,
    /// The longest line.
    line: usize,
}

impl Running {
    /// Starts the threads that write to the child and read from it, so that a child which does neither blocks nobody.
    fn new(mut child: Child, line: usize, said: &Arc<Mutex<VecDeque<String>>>) -> Result<Self, SubjectError> {
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(error)) = pipes else {
            return Err(SubjectError::Unusable("the process has no pipes".to_owned()));
        };
        let (requests, waiting) = channel();
        thread::spawn(move || write_all(input, &waiting));
        // Lines that nobody asked for wait here and in the pipe, not in memory.
        let (seen, answers) = sync_channel(4);
        thread::spawn(move || read_all(BufReader::new(output), line, &seen));
        let said = Arc::clone(said);
        thread::spawn(move || keep_last(BufReader::new(error), &said));
        Ok(Self { child, requests, answers, line })
    }

    fn exchange(&mut self, line: String, limit: Duration) -> Result<Vec<u8>, SubjectError> {
        // A process that has ended is noticed below.
        let _ = self.requests.send(line);
        match self.answers.recv_timeout(limit) {
            Ok(Seen::Line(line)) => Ok(line),
            Ok(Seen::TooLong) => Err(SubjectError::TooLong(self.line)),
            Ok(Seen::End) | Err(RecvTimeoutError::Disconnected) => Err(SubjectError::Died(self.how_it_ended())),
            Err(RecvTimeoutError::Timeout) => Err(SubjectError::Silent(limit)),
        }
    }

    fn how_it_ended(&mut self) -> String {
        for _ in 0..50 {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.to_string(),
                Ok(None) => thread::sleep(Duration::from_millis(10)),
                Err(error) => return error.to_string(),
            }
        }
        "its output is closed".to_owned()
    }

    fn end(mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write_all(mut input: ChildStdin, waiting: &Receiver<String>) {
    for mut line in waiting {
        line.push('\n');
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn read_all(mut output: impl BufRead, limit: usize, seen: &SyncSender<Seen>) {
    loop {
        let mut line = Vec::new();
        let told = match output.by_ref().take(limit as u64 + 1).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => Seen::End,
            Ok(_) if line.len() > limit => Seen::TooLong,
            Ok(_) => Seen::Line(line),
        };
        let last = !matches!(told, Seen::Line(_));
        if seen.send(told).is_err() || last {
            return;
        }
    }
}

fn keep_last(mut error: impl BufRead, said: &Mutex<VecDeque<String>>) {
    let mut line = Vec::new();
    while error.by_ref().take(LONGEST).read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.len() == SAID {
            said.pop_front();
        }
        said.push_back(clip(String::from_utf8_lossy(&line).trim_end(), 300));
        line.clear();
    }
}

const HELLO: &str = r#"{"protocol":1,"ask":"hello"}"#;
/// After so many failures in a row the subject is not started again.
const PATIENCE: u32 = 20;
/// Lines of standard error that are kept.
const SAID: usize = 10;
/// Bytes of standard error that are taken as one line.
const LONGEST: u64 = 64 << 10;
