//! The real terminal: modes that are always undone, and frames that are written in one piece.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once, OnceLock};

use crossterm::clipboard::CopyToClipboard;
use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste};
use crossterm::style::{Print, ResetColor};
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, style};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use super::model::Model;
use super::pager;
use super::runtime::{Gate, PagerText, Stage};
use super::view::view;

/// True from before the first mode is set until all are undone.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// True while the mouse is ours too.
static MOUSE: AtomicBool = AtomicBool::new(false);

/// Presses, drags and the wheel, with coordinates of any size. Mere motion is not asked for: it
/// would wake the loop for nothing.
const TAKE_MOUSE: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";

/// Gives the terminal back as it was. Does nothing where it was not taken or was given back
/// already: quit, error, panic and signal all come through here, some of them together.
pub fn restore() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // Nothing can be done about a terminal that is gone.
        if MOUSE.swap(false, Ordering::SeqCst) {
            let _ = execute!(io::stdout(), DisableMouseCapture);
        }
        let _ = execute!(
            io::stdout(),
            DisableBracketedPaste,
            ResetColor,
            LeaveAlternateScreen,
            Show
        );
        let _ = disable_raw_mode();
    }
}

/// Takes the terminal. The flag is set first, so that a failure half-way is undone too.
fn take() -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(
        io::stdout(),
        EnterAlternateScreen,
        EnableBracketedPaste,
        Hide
    )
}

/// Says of a panic whether it is somebody's answer and none of the viewer's business.
static ELSEWHERE: OnceLock<fn() -> bool> = OnceLock::new();

/// Panics for which `elsewhere` is true on their thread leave the terminal as it is. Counts once.
pub fn leave_screen_to(elsewhere: fn() -> bool) {
    let _ = ELSEWHERE.set(elsewhere);
}

/// Makes panics restore the terminal before their message is printed.
fn restore_on_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let is_elsewhere = ELSEWHERE.get().is_some_and(|elsewhere| elsewhere());
            if !is_elsewhere {
                restore();
            }
            print(info);
        }));
    });
}

/// The terminal while it is ours; dropping it gives it back.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<Frames>>,
    /// True where the mouse is wanted, also while the process is stopped.
    mouse: bool,
    gate: Arc<Gate>,
}

impl Screen {
    /// Takes the terminal.
    pub(super) fn take(gate: Arc<Gate>) -> io::Result<Self> {
        restore_on_panic();
        // Without this the library writes resets in place of colours where NO_COLOR is set, and
        // loses bold and reversed with them. The skin is what leaves colours out.
        style::force_color_output(true);
        let terminal = take().and_then(|()| fresh());
        terminal
            .map(|terminal| Self {
                terminal,
                mouse: false,
                gate,
            })
            .inspect_err(|_| restore())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

impl Stage for Screen {
    fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.terminal.size()?;
        Ok((size.width, size.height))
    }

    fn draw(&mut self, model: &Model) -> io::Result<()> {
        self.terminal.draw(|frame| view(model, frame))?;
        Ok(())
    }

    fn forget(&mut self) -> io::Result<()> {
        self.terminal = fresh()?;
        execute!(
            io::stdout(),
            crossterm::terminal::Clear(crossterm::terminal::ClearType::All)
        )
    }

    fn mouse(&mut self, take: bool) -> io::Result<()> {
        self.mouse = take;
        if !TAKEN.load(Ordering::SeqCst) {
            return Ok(());
        }
        if MOUSE.swap(take, Ordering::SeqCst) == take {
            return Ok(());
        }
        if take {
            execute!(io::stdout(), Print(TAKE_MOUSE))
        } else {
            execute!(io::stdout(), DisableMouseCapture)
        }
    }

    fn suspend(&mut self) -> io::Result<()> {
        restore();
        stop()?;
        take()?;
        self.mouse(self.mouse)?;
        self.forget()
    }

    fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(io::stdout(), CopyToClipboard::to_clipboard_from(text))
    }

    fn page(&mut self, program: &str, write: PagerText<'_>) -> io::Result<Option<String>> {
        restore();
        let said = pager::show(program, write);
        take()?;
        self.mouse(self.mouse)?;
        self.forget()?;
        Ok(said)
    }

    fn taken_in(&mut self) {
        self.gate.taken_in();
    }
}

/// A terminal that remembers nothing of what is on the screen, so that all of it is drawn.
fn fresh() -> io::Result<Terminal<CrosstermBackend<Frames>>> {
    Terminal::new(CrosstermBackend::new(Frames::default()))
}

/// Stops the process until the shell continues it.
#[cfg(unix)]
fn stop() -> io::Result<()> {
    signal_hook::low_level::raise(signal_hook::consts::SIGSTOP)
}

#[cfg(not(unix))]
fn stop() -> io::Result<()> {
    Ok(())
}

/// Collects a frame and writes it at once. What was not written when the terminal was given
/// back is dropped: half a frame after a panic would be drawn over the message.
#[derive(Debug, Default)]
struct Frames {
    pending: Vec<u8>,
}

impl Write for Frames {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let frame = std::mem::take(&mut self.pending);
        if frame.is_empty() || !TAKEN.load(Ordering::SeqCst) {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        out.write_all(&frame)?;
        out.flush()
    }
}
