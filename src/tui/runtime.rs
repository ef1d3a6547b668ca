//! The loop: waits, takes in everything that is there, draws once if anything came of it.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event};

use super::model::Model;
use super::msg::{Cmd, Msg};
use super::terminal::Screen;
use super::update::{begin, update};
use crate::time::Nanos;
use crate::trace::{BodyRef, Run};

/// Why the viewer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The user wanted it.
    Quit,
    /// This signal wanted it; a shell expects 128 more as the exit code.
    Signal(i32),
}

/// Something that reaches the loop.
#[derive(Debug)]
pub enum Input {
    /// From the terminal, or why nothing can be read from it any more.
    Terminal(io::Result<Event>),
    /// An answer to a command, or news.
    Msg(Msg),
    /// End: this signal came.
    End(i32),
    /// Stop until continued.
    Stop,
    /// The process was continued; nobody knows what is on the screen.
    Continued,
}

/// Where answers to commands go; cheap to clone and to send from another thread.
#[derive(Clone, Debug)]
pub struct Replies(Sender<Input>);

impl Replies {
    /// Answers that go into `inputs`.
    #[must_use]
    pub const fn new(inputs: Sender<Input>) -> Self {
        Self(inputs)
    }

    /// Sends an answer. One that comes after the end of the viewer is dropped.
    pub fn send(&self, msg: Msg) {
        let _ = self.0.send(Input::Msg(msg));
    }
}

/// What carries out commands: the only way from the viewer to files.
pub trait Host {
    /// Carries out `command` for the run on the screen and sends what comes of it to `replies`,
    /// now or later.
    fn handle(&mut self, command: Cmd, run: &Arc<Run>, replies: &Replies);

    /// The program that shows long texts, with its arguments.
    fn pager(&self) -> String {
        "less".to_owned()
    }

    /// Writes a body of the run as a whole, safe to show, for a pager.
    ///
    /// # Errors
    /// Where it cannot be read or written.
    fn write_body(
        &mut self,
        _run: &Arc<Run>,
        _body: BodyRef,
        _out: &mut dyn io::Write,
    ) -> io::Result<()> {
        Ok(())
    }
}

/// What frames are drawn on.
pub trait Stage {
    /// Columns and rows.
    fn size(&self) -> io::Result<(u16, u16)>;
    /// Draws the state.
    fn draw(&mut self, model: &Model) -> io::Result<()>;
    /// Forgets what is on the screen, so that the next frame is drawn in full.
    fn forget(&mut self) -> io::Result<()>;
    /// Takes the mouse from the terminal, or gives it back.
    fn mouse(&mut self, take: bool) -> io::Result<()> {
        let _ = take;
        Ok(())
    }
    /// Gives the terminal back, stops the process, and takes the terminal again once continued.
    fn suspend(&mut self) -> io::Result<()>;
    /// Puts a text on the clipboard, where the terminal allows it; nobody hears whether it does.
    fn copy(&mut self, _text: &str) -> io::Result<()> {
        Ok(())
    }
    /// Gives the terminal to this pager, which shows what `write` writes, and takes it again once the
    /// pager has ended. What the user should know of it comes back in words.
    fn page(&mut self, _pager: &str, _write: PagerText<'_>) -> io::Result<Option<String>> {
        Ok(None)
    }
    /// Called when an event of the terminal has had its effect: until then nobody else reads
    /// the keyboard.
    fn taken_in(&mut self) {}
}

/// What writes the text for a pager.
pub type PagerText<'a> = &'a mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>;

/// Shows the viewer on the terminal until it ends. The terminal is given back before this
/// returns, on every way out.
///
/// A thread goes on waiting for keys afterwards: the process should end soon.
///
/// # Errors
/// Where the terminal cannot be taken, read or written.
pub fn show(mut model: Model, host: &mut dyn Host) -> io::Result<Exit> {
    let gate = Arc::new(Gate::default());
    let mut screen = Screen::take(Arc::clone(&gate))?;
    let (sender, inputs) = channel();
    #[cfg(unix)]
    signals::watch(sender.clone())?;
    let replies = Replies::new(sender.clone());
    std::thread::Builder::new()
        .name("keys".to_owned())
        .spawn(move || read_events(&sender, &gate))?;
    run_loop(&mut screen, &mut model, &inputs, host, &replies)
}

/// Reads events until there is an error or nobody listens. Waits for the keyboard only while
/// every event so far has had its effect: a pager that one of them starts has it to itself.
fn read_events(inputs: &Sender<Input>, gate: &Gate) {
    loop {
        let event = event::read();
        let failed = event.is_err();
        gate.sent();
        if inputs.send(Input::Terminal(event)).is_err() || failed {
            return;
        }
        let more = event::poll(Duration::ZERO).unwrap_or(false);
        if !more {
            gate.wait();
        }
    }
}

/// Counts the events of the terminal that were read and have had no effect yet.
#[derive(Debug, Default)]
pub(super) struct Gate {
    waiting: Mutex<usize>,
    empty: Condvar,
}

impl Gate {
    fn sent(&self) {
        *self.lock() += 1;
    }

    pub(super) fn taken_in(&self) {
        let mut waiting = self.lock();
        *waiting = waiting.saturating_sub(1);
        if *waiting == 0 {
            self.empty.notify_all();
        }
    }

    fn wait(&self) {
        let mut waiting = self.lock();
        while *waiting > 0 {
            let woken = self.empty.wait(waiting);
            waiting = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one input leads to.
enum Then {
    /// Nothing to see.
    Nothing,
    /// The state changed.
    Draw,
    /// This is the end.
    End(Exit),
}

/// Runs the viewer on any stage. Waits without waking up while nothing happens.
///
/// # Errors
/// Where the stage or the source of inputs fails.
pub fn run_loop(
    stage: &mut dyn Stage,
    model: &mut Model,
    inputs: &Receiver<Input>,
    host: &mut dyn Host,
    replies: &Replies,
) -> io::Result<Exit> {
    /// Inputs taken in before a frame is drawn, so that a flood of them shows something.
    const AT_ONCE: usize = 1_000;
    let (columns, rows) = stage.size()?;
    update(model, Msg::Resize(columns, rows));
    let commands = begin(model);
    if let Then::End(exit) = carry_out(commands, stage, model, host, replies)? {
        return Ok(exit);
    }
    stage.draw(model)?;
    let mut clock = Clock::default();
    loop {
        let first = clock.next(inputs, model.wants_ticks())?;
        let mut draw = false;
        let rest = inputs.try_iter().take(AT_ONCE);
        for input in std::iter::once(first).chain(rest) {
            let event = matches!(input, Input::Terminal(_));
            let then = take_in(input, stage, model, host, replies)?;
            if event {
                stage.taken_in();
            }
            match then {
                Then::Nothing => {}
                Then::Draw => draw = true,
                Then::End(exit) => return Ok(exit),
            }
        }
        if draw {
            stage.draw(model)?;
        }
    }
}

/// Time between two ticks while something moves on the screen.
const TICK: Duration = Duration::from_millis(33);

/// Waits for inputs, and makes ticks while they are wanted.
#[derive(Default)]
struct Clock {
    last: Option<Instant>,
}

impl Clock {
    fn next(&mut self, inputs: &Receiver<Input>, ticks: bool) -> io::Result<Input> {
        let gone = || io::Error::other("no more input from the terminal");
        if !ticks {
            self.last = None;
            return inputs.recv().map_err(|_| gone());
        }
        let last = *self.last.get_or_insert_with(Instant::now);
        match inputs.recv_timeout(TICK.saturating_sub(last.elapsed())) {
            Ok(input) => Ok(input),
            Err(RecvTimeoutError::Disconnected) => Err(gone()),
            Err(RecvTimeoutError::Timeout) => {
                self.last = Some(Instant::now());
                let passed = u64::try_from(last.elapsed().as_nanos()).unwrap_or(u64::MAX);
                Ok(Input::Msg(Msg::Tick(Nanos(passed))))
            }
        }
    }
}

fn take_in(
    input: Input,
    stage: &mut dyn Stage,
    model: &mut Model,
    host: &mut dyn Host,
    replies: &Replies,
) -> io::Result<Then> {
    let msg = match input {
        Input::Terminal(event) => model.keymap.msg(&event?, model.mode()),
        Input::Msg(msg) => Some(msg),
        Input::End(signal) => return Ok(Then::End(Exit::Signal(signal))),
        Input::Stop => return suspend(stage, model),
        Input::Continued => {
            stage.forget()?;
            return Ok(Then::Draw);
        }
    };
    let Some(msg) = msg else {
        return Ok(Then::Nothing);
    };
    let commands = update(model, msg);
    carry_out(commands, stage, model, host, replies)
}

fn carry_out(
    commands: Vec<Cmd>,
    stage: &mut dyn Stage,
    model: &mut Model,
    host: &mut dyn Host,
    replies: &Replies,
) -> io::Result<Then> {
    for command in commands {
        match command {
            Cmd::Quit => return Ok(Then::End(Exit::Quit)),
            Cmd::Suspend => return suspend(stage, model),
            Cmd::Redraw => stage.forget()?,
            Cmd::Mouse(take) => stage.mouse(take)?,
            Cmd::Copy(text) => stage.copy(&text)?,
            Cmd::Page { body } => page(body, stage, model, host)?,
            // The sentences of a verdict are for the screen; everything else needs the whole run.
            command @ (Cmd::Judge | Cmd::JudgeAgain(_)) => {
                host.handle(command, &model.run, replies);
            }
            command => host.handle(command, model.whole_run(), replies),
        }
    }
    Ok(Then::Draw)
}

/// Gives the terminal to a pager and comes back, perhaps to one of another size.
fn page(
    body: BodyRef,
    stage: &mut dyn Stage,
    model: &mut Model,
    host: &mut dyn Host,
) -> io::Result<()> {
    let run = Arc::clone(model.whole_run());
    let pager = host.pager();
    let said = stage.page(&pager, &mut |out| host.write_body(&run, body, out))?;
    let (columns, rows) = stage.size()?;
    update(model, Msg::Resize(columns, rows));
    if let Some(said) = said {
        update(model, Msg::Notice(said));
    }
    Ok(())
}

/// Stops and comes back, perhaps to a terminal of another size.
fn suspend(stage: &mut dyn Stage, model: &mut Model) -> io::Result<Then> {
    stage.suspend()?;
    let (columns, rows) = stage.size()?;
    update(model, Msg::Resize(columns, rows));
    Ok(Then::Draw)
}

#[cfg(unix)]
mod signals {
    use std::io;
    use std::sync::mpsc::Sender;

    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
    use signal_hook::iterator::Signals;

    use super::Input;
    use crate::tui::pager::is_paging;
    use crate::tui::terminal::restore;

    /// Turns signals into inputs. A second request to end does not wait for the loop.
    pub(super) fn watch(inputs: Sender<Input>) -> io::Result<()> {
        let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT])?;
        let watch = move || {
            let mut asked = false;
            for signal in signals.forever() {
                let input = match signal {
                    // A pager has the terminal: what is typed there is for it.
                    SIGINT if is_paging() => continue,
                    SIGTSTP if is_paging() => {
                        let _ = signal_hook::low_level::raise(signal_hook::consts::SIGSTOP);
                        continue;
                    }
                    SIGTSTP => Input::Stop,
                    SIGCONT => Input::Continued,
                    signal if asked => {
                        restore();
                        signal_hook::low_level::exit(128 + signal);
                    }
                    signal => {
                        asked = true;
                        Input::End(signal)
                    }
                };
                if inputs.send(input).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(watch)?;
        Ok(())
    }
}
