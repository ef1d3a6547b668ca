//! A program on a pseudo-terminal of its own, and what its screen shows.

use std::io::Read as _;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use rustix::process::Pid;

/// Longer than anything takes that works.
const PATIENCE: Duration = Duration::from_secs(30);
pub const LEAVE: &str = "\x1b[?1049l";

/// A program on a terminal of its own.
pub struct Terminal {
    pub master: Box<dyn MasterPty + Send>,
    pub child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn std::io::Write + Send>,
    pub output: Arc<Mutex<Vec<u8>>>,
}

impl Terminal {
    pub fn start(mut command: CommandBuilder) -> Self {
        let size = PtySize {
            rows: 30,
            cols: 110,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        if command.get_cwd().is_none() {
            command.cwd(env!("CARGO_MANIFEST_DIR"));
        }
        command.env("TERM", "xterm-256color");
        command.env("RUST_BACKTRACE", "0");
        // Nobody's settings.
        command.env_remove("COLORFGBG");
        if command.get_env("TURNLANE_CONFIG").is_none() {
            command.env("XDG_CONFIG_HOME", "/nonexistent");
        }
        let child = pair.slave.spawn_command(command).unwrap();
        // The reader would never end while this process holds the other side open.
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let output = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&output);
        std::thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(n @ 1..) = reader.read(&mut chunk) {
                sink.lock().unwrap().extend_from_slice(&chunk[..n]);
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Self {
            master: pair.master,
            child,
            keys,
            output,
        }
    }

    pub fn open(file: &str, no_color: bool) -> Self {
        Self::open_with(&[file], no_color, None)
    }

    pub fn open_with(args: &[&str], no_color: bool, pager: Option<&str>) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_turnlane"));
        command.args(args);
        if let Some(pager) = pager {
            command.env("PAGER", pager);
        }
        command.env_remove("NO_COLOR");
        if no_color {
            command.env("NO_COLOR", "1");
        }
        Self::start(command)
    }

    pub fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    pub fn raw(&self) -> String {
        String::from_utf8_lossy(&self.output.lock().unwrap()).into_owned()
    }

    /// The screen as a terminal shows it now.
    pub fn parser(&self) -> vt100::Parser {
        let rows = 30.try_into().unwrap();
        let mut parser = vt100::Parser::new(rows, 110.try_into().unwrap(), 0);
        parser.process(&self.output.lock().unwrap());
        parser
    }

    pub fn wait_for(&self, what: &str) {
        self.wait_until(what, |terminal| {
            terminal.parser().screen().contents().contains(what)
        });
    }

    pub fn wait_until(&self, what: &str, mut done: impl FnMut(&Self) -> bool) {
        let begin = Instant::now();
        while !done(self) {
            let screen = self.parser().screen().contents();
            assert!(begin.elapsed() < PATIENCE, "no {what:?} in\n{screen}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn pid(&self) -> Pid {
        let pid = self.child.process_id().unwrap();
        Pid::from_raw(i32::try_from(pid).unwrap()).unwrap()
    }

    pub fn end(&mut self) -> ExitStatus {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(begin.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// True where the terminal echoes and waits for whole lines, as a shell needs it.
    pub fn is_cooked(&self) -> bool {
        let modes = self.master.get_termios().unwrap();
        let flags = format!("{:?}", modes.local_flags);
        flags.contains("ECHO ") && flags.contains("ICANON")
    }

    /// Nothing of the viewer is left: its screen, its cursor, its modes.
    pub fn assert_restored(&self) {
        self.wait_until("the main screen", |t| {
            !t.parser().screen().alternate_screen()
        });
        let raw = self.raw();
        assert!(
            raw.contains(LEAVE) && raw.contains("\x1b[?2004l"),
            "{raw:?}"
        );
        assert!(!self.parser().screen().hide_cursor(), "{raw:?}");
        assert!(self.is_cooked(), "the terminal is still in raw mode");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}
