//! Pipes and threads around a [`Session`]: one thread reads, an analyst thinks, this one speaks.

use super::{Interruption, LONGEST_LINE, Next, Question, Session, Thought};
use analyst::{Analyst, Ask, Control, Owner, Purpose, Updates};
use engine::Analysis;
use std::{
    collections::VecDeque,
    io::{self, BufRead, Write},
    sync::mpsc::{self, Receiver, Sender},
    thread,
    time::{Duration, Instant},
};

/// After the other side has hung up, a search gets this long to finish.
const AFTER_THE_END: Duration = Duration::from_secs(10);

enum Event {
    Line(String),
    /// The other side has hung up.
    End,
    /// It has hung up, and its time is over.
    Late,
    Progress(Analysis),
    /// The question is answered; not at all if the search failed.
    Answer(Option<Analysis>),
}

/// The questions of one line, asked of an analyst one after another.
struct Thinking {
    analyst: Analyst,
    events: Sender<Event>,
    questions: VecDeque<Question>,
    /// The question under way, and what steers its search.
    current: Option<(Question, Option<Control>)>,
    /// Questions answered so far.
    answered: usize,
    /// The answer is wanted now, and what is not begun is not wanted any more.
    hurried: bool,
}

impl Thinking {
    fn new(analyst: Analyst, events: Sender<Event>) -> Thinking {
        Thinking { analyst, events, questions: VecDeque::new(), current: None, answered: 0, hurried: false }
    }

    fn ask(&mut self, questions: Vec<Question>) {
        self.questions = questions.into();
        (self.answered, self.hurried) = (0, false);
        self.begin();
    }

    /// Asks the next question, if there is one.
    fn begin(&mut self) {
        let Some(question) = self.questions.pop_front() else { return };
        let Question { position, limits, .. } = question.clone();
        // Where a clock runs, what it takes until the search begins is a part of it.
        let start_by = limits.time.map(|time| Instant::now() + time);
        let ask = Ask { start_by, ..Ask::new(Owner::of(0), Purpose::Analysis, position, limits) };
        let control = match self.analyst.ask(ask) {
            Ok(job) => {
                let (control, updates) = job.split();
                forward(updates, self.events.clone());
                Some(control)
            }
            // never with one question at a time; but whoever waits is to have an answer
            Err(_) => {
                let _ = self.events.send(Event::Answer(None));
                None
            }
        };
        self.current = Some((question, control));
    }

    fn is_busy(&self) -> bool {
        self.current.is_some()
    }

    /// The answer to the question under way; after it the next one is begun.
    fn answer(&mut self, found: Option<Analysis>) -> Option<Thought> {
        let (asked, _) = self.current.take()?;
        let analysis = found.unwrap_or_default();
        let square = match asked.level {
            Some((level, seed)) => level.pick(&analysis, &asked.position, seed),
            None => analysis.best().map(|best| best.square),
        };
        // a game must go on, even where the search failed
        let thought = Thought { question: self.answered, square: square.or(asked.position.legal().first()), analysis };
        self.answered += 1;
        if !self.hurried {
            self.begin();
        }
        Some(thought)
    }

    /// What the search has found so far.
    fn progress(&self, analysis: Analysis) -> Thought {
        let square = analysis.best().map(|best| best.square);
        Thought { question: self.answered, square, analysis }
    }

    /// Ends the search with what it has.
    fn hurry(&mut self) {
        self.hurried = true;
        if let Some((_, Some(control))) = &self.current {
            control.answer_now();
        }
    }

    /// Ends a search that a line interrupts; whether it is to be forgotten.
    fn interrupt(&mut self, how: Interruption) -> bool {
        if how != Interruption::Wait {
            self.hurry();
        }
        how == Interruption::Abandon
    }
}

/// Sends on what comes from a search.
fn forward(mut updates: Updates, events: Sender<Event>) {
    thread::spawn(move || {
        let mut last = None;
        while let Some(analysis) = updates.blocking_next() {
            last = Some(analysis.clone());
            let _ = events.send(Event::Progress(analysis));
        }
        let _ = events.send(Event::Answer(last));
    });
}

/// Holds a conversation until the other side ends it.
///
/// # Errors
///
/// When nobody listens any more.
pub(crate) fn talk(
    session: &mut dyn Session,
    analyst: Analyst,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
) -> io::Result<()> {
    let (sender, events) = mpsc::channel();
    read(input, sender.clone());
    let mut thinking = Thinking::new(analyst, sender.clone());
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
    let (mut abandoned, mut ended, mut late) = (false, false, false);
    loop {
        while !thinking.is_busy() {
            let Some(line) = waiting.pop_front() else { break };
            let reply = session.hear(&line);
            say(reply.lines)?;
            match reply.next {
                Next::Listen => {}
                Next::Quit => return Ok(()),
                Next::Think(questions) => {
                    abandoned = false;
                    thinking.ask(questions);
                    if late {
                        thinking.hurry();
                    }
                    // lines that came earlier are as urgent as later ones
                    for line in &waiting {
                        abandoned |= thinking.interrupt(session.interrupts(line));
                    }
                }
            }
        }
        if ended && !thinking.is_busy() && waiting.is_empty() {
            return Ok(());
        }
        match events.recv() {
            Ok(Event::Line(line)) => {
                if thinking.is_busy() {
                    abandoned |= thinking.interrupt(session.interrupts(&line));
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
                thinking.hurry();
            }
            Ok(Event::Progress(_)) if abandoned => {}
            Ok(Event::Progress(analysis)) => say(session.progress(&thinking.progress(analysis)))?,
            Ok(Event::Answer(found)) => {
                let Some(thought) = thinking.answer(found) else { continue };
                if !abandoned {
                    say(session.answer(&thought))?;
                }
                if !thinking.is_busy() {
                    say(session.done())?;
                }
            }
            Err(_) => return Ok(()),
        }
    }
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
