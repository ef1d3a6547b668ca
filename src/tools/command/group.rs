//! A child process together with everything it starts: one process group, ended as one.

use std::io;
use std::process::ExitStatus;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::process::{Child, Command};
use tokio::signal::unix::{SignalKind, signal};

/// The leader of a process group of its own. However this value goes, the whole group is killed.
#[derive(Debug)]
pub(super) struct Group {
    child: Child,
    id: i32,
    killed: bool,
}

impl Group {
    pub(super) fn spawn(command: &mut Command) -> io::Result<Self> {
        let child = command.process_group(0).spawn()?;
        // A child that was not waited for has an id; 0 is refused where it would be used.
        let id = child
            .id()
            .and_then(|id| i32::try_from(id).ok())
            .unwrap_or(0);
        Ok(Self {
            child,
            id,
            killed: false,
        })
    }

    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Asks every member to end. A stopped one is woken, for it cannot hear while it is stopped.
    pub(super) fn ask_to_end(&self) {
        let _ = send(self.id, Signal::TERM);
        let _ = send(self.id, Signal::CONT);
    }

    /// Waits for the leader and kills what is left of the group.
    ///
    /// The group is killed before the leader is reaped: until then its id cannot have passed to
    /// a stranger. Cancel-safe.
    pub(super) async fn end(&mut self) -> io::Result<ExitStatus> {
        let mut changes = signal(SignalKind::child())?;
        while self.leader_runs() {
            if changes.recv().await.is_none() {
                break;
            }
        }
        self.kill();
        self.child.wait().await
    }

    fn leader_runs(&self) -> bool {
        let Some(pid) = Pid::from_raw(self.id) else {
            return false;
        };
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        loop {
            match waitid(WaitId::Pid(pid), look) {
                Ok(ended) => return ended.is_none(),
                Err(Errno::INTR) => {}
                Err(_) => return false,
            }
        }
    }

    fn kill(&mut self) {
        if !self.killed {
            self.killed = true;
            let _ = send(self.id, Signal::KILL);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The only place that signals a group. To the kernel group 0 is our own and group 1 is every
/// process of the user, so neither is ever meant.
fn send(group: i32, signal: Signal) -> io::Result<()> {
    if group <= 1 {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{group} is no process group of a tool"),
        ));
    }
    match Pid::from_raw(group).map(|pid| kill_process_group(pid, signal)) {
        None | Some(Ok(()) | Err(Errno::SRCH)) => Ok(()),
        Some(Err(error)) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_group_that_is_not_a_tools_is_never_signalled() {
        // Window changes are ignored by default: harmless should the refusal ever break.
        for group in [i32::MIN, -12_345, -1, 0, 1] {
            let error = send(group, Signal::WINCH).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{group}");
        }
    }
}
