//! Pipes and threads around a [`Session`]: one thread reads, one thinks, this one speaks.

use super::{Interruption, LONGEST_LINE, Next, Question, Session, Thought};
use engine::{Engine, Limits, Stop};
use std::{
    collections::VecDeque,
    io::{self, BufRead, Write},
    sync::mpsc::{self, Receiver, Sender},
    thread,
    time::Duration,
};

/// After the other side has hung up, a search gets this long to finish.
const AFTER_THE_END: Duration = Duration::from_secs(10);

enum Event {
    Line(String),
    /// The other side has hung up.
    End,
    /// It has hung up, and its time is over.
    Late,
    Progress(Thought),
    Answer(Thought),
    Done,
}

/// A thread that owns an engine and thinks about what it is given.
struct Thinking {
    questions: Sender<(Vec<Question>, Stop)>,
    stop: Stop,
}

impl Thinking {
    fn start(mut engine: Engine, events: Sender<Event>) -> Thinking {
        let (questions, asked) = mpsc::channel::<(Vec<Question>, Stop)>();
        thread::spawn(move || {
            for (list, stop) in asked {
                for (question, asked) in list.into_iter().enumerate() {
                    // a search that is no longer wanted
                    if question > 0 && stop.is_set() {
                        break;
                    }
                    let limits = Limits { stop: stop.clone(), ..asked.limits };
                    let analysis = engine.search(&asked.position, &limits, &mut |analysis| {
                        let square = analysis.best().map(|best| best.square);
                        let thought = Thought { question, square, analysis: analysis.clone() };
                        let _ = events.send(Event::Progress(thought));
                    });
                    let square = match asked.level {
                        Some((level, seed)) => level.pick(&analysis, &asked.position, seed),
                        None => analysis.best().map(|best| best.square),
                    };
                    let _ = events.send(Event::Answer(Thought { question, square, analysis }));
                }
                let _ = events.send(Event::Done);
            }
        });
        Thinking { questions, stop: Stop::default() }
    }

    fn ask(&mut self, list: Vec<Question>) {
        self.stop = Stop::default();
        let _ = self.questions.send((list, self.stop.clone()));
    }
}

/// Holds a conversation until the other side ends it.
///
/// # Errors
///
/// When nobody listens any more.
pub(crate) fn talk(
    session: &mut dyn Session,
    engine: Engine,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
) -> io::Result<()> {
    let (sender, events) = mpsc::channel();
    read(input, sender.clone());
    let mut thinking = Thinking::start(engine, sender.clone());
    converse(session, &mut thinking, &events, &sender, output)
}

fn converse(
    session: &mut dyn Session,
    thinking: &mut Thinking,
    events: &Receiver<Event>,
    sender: &Sender<Event>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut say = |lines: Vec<String>| {
        for line in lines {
            writeln!(output, "{line}")?;
        }
        output.flush()
    };
    let mut waiting: VecDeque<String> = VecDeque::new();
    let (mut busy, mut abandoned, mut ended, mut late) = (false, false, false, false);
    loop {
        while !busy {
            let Some(line) = waiting.pop_front() else { break };
            let reply = session.hear(&line);
            say(reply.lines)?;
            match reply.next {
                Next::Listen => {}
                Next::Quit => return Ok(()),
                Next::Think(questions) => {
                    (busy, abandoned) = (true, false);
                    thinking.ask(questions);
                    if late {
                        thinking.stop.now();
                    }
                    // lines that came earlier are as urgent as later ones
                    for line in &waiting {
                        abandoned |= interrupt(session.interrupts(line), &thinking.stop);
                    }
                }
            }
        }
        if ended && !busy && waiting.is_empty() {
            return Ok(());
        }
        match events.recv() {
            Ok(Event::Line(line)) => {
                if busy {
                    abandoned |= interrupt(session.interrupts(&line), &thinking.stop);
                }
                waiting.push_back(line);
            }
            Ok(Event::End) => {
                ended = true;
                let sender = sender.clone();
                thread::spawn(move || {
                    thread::sleep(AFTER_THE_END);
                    let _ = sender.send(Event::Late);
                });
            }
            Ok(Event::Late) => {
                late = true;
                thinking.stop.now();
            }
            Ok(Event::Progress(thought)) if !abandoned => say(session.progress(&thought))?,
            Ok(Event::Answer(thought)) if !abandoned => say(session.answer(&thought))?,
            Ok(Event::Progress(_) | Event::Answer(_)) => {}
            Ok(Event::Done) => {
                busy = false;
                say(session.done())?;
            }
            Err(_) => return Ok(()),
        }
    }
}

/// Stops a search that a line interrupts; whether it is to be forgotten.
fn interrupt(how: Interruption, stop: &Stop) -> bool {
    if how != Interruption::Wait {
        stop.now();
    }
    how == Interruption::Abandon
}

/// Sends on what is read, line by line, whatever bytes it is made of.
fn read(mut input: impl BufRead + Send + 'static, events: Sender<Event>) {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match line(&mut input, &mut bytes) {
                Ok(true) => {
                    let line = String::from_utf8_lossy(&bytes).into_owned();
                    if events.send(Event::Line(line)).is_err() {
                        return;
                    }
                }
                Ok(false) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        let _ = events.send(Event::End);
    });
}

/// Reads a line of which no more than [`LONGEST_LINE`] bytes are kept; `false` at the end.
fn line(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<bool> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(!bytes.is_empty());
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        let room = LONGEST_LINE.saturating_sub(bytes.len());
        bytes.extend_from_slice(&part[..part.len().min(room)]);
        let read = end.map_or(buffer.len(), |end| end + 1);
        input.consume(read);
        if end.is_some() {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_never_lost() {
        let long = [vec![b'x'; LONGEST_LINE + 10], b"\nnext\r\n\nlast".to_vec()].concat();
        let mut input = io::BufReader::with_capacity(1000, &long[..]);
        let mut lines = Vec::new();
        let mut bytes = Vec::new();
        while line(&mut input, &mut bytes).unwrap() {
            lines.push(std::mem::take(&mut bytes));
        }
        assert_eq!(lines[0].len(), LONGEST_LINE);
        assert_eq!(lines[1..], [b"next\r".to_vec(), b"".to_vec(), b"last".to_vec()]);
    }
}
