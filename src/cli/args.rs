//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

#[cfg(feature = "run")]
pub(super) use super::args_run::{Approve, RecordArgs, ReplayArgs};
use crate::analyze::WhatIfOptions;
use crate::schedule::{OnFailure, Policy, Slots};
use crate::time::Nanos;

/// See, re-run and judge how the tool calls of an agent's turn execute.
///
/// Opening a file only reads it: no process is started, no socket opened, nothing written.
#[derive(Debug, Parser)]
#[command(
    name = "turnlane",
    version,
    args_conflicts_with_subcommands = true,
    max_term_width = 100
)]
pub struct Cli {
    /// The command; without one a file is opened.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What to open.
    #[command(flatten)]
    pub open: OpenArgs,
}

/// What turnlane can do beside opening a file.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open the bundled traces
    Demo(DemoArgs),
    /// Predict the turns of a file under every policy, in virtual time: nothing runs
    WhatIf(WhatIfArgs),
    /// Count replies and calls, and say where the time went
    Summary(SummaryArgs),
    /// Run a scenario's turns under a policy and record what happens
    #[cfg(feature = "run")]
    Record(RecordArgs),
    /// Run recorded turns again with stand-ins that take the recorded time, and measure
    #[cfg(feature = "run")]
    Replay(ReplayArgs),
    /// Draw a recorded turn as a picture
    Export(ExportArgs),
    /// Print the settings in force, and where each comes from
    #[cfg(feature = "tui")]
    Config(ConfigArgs),
    /// Say what each tool of a catalog declares, and what deserves a second look
    Tools(ToolsArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man(ManArgs),
}

/// Opening a file.
#[derive(Clone, Debug, Default, Args)]
pub struct OpenArgs {
    /// A turnlane trace, a scenario, or a session of another program; - for standard input.
    /// Without one the sessions found on this machine are listed, else the demo opens
    pub file: Option<PathBuf>,
    /// Go on reading the file while it grows, and show its newest turn as it happens
    #[cfg(feature = "tui")]
    #[arg(short, long, conflicts_with_all = ["plain", "turn"])]
    pub follow: bool,
    /// Print the same facts as text instead of opening the viewer
    #[arg(long)]
    pub plain: bool,
    /// Where to open it.
    #[command(flatten)]
    pub at: AtArgs,
    /// A catalog of your own; its tools stand over the built-in ones and a trace's own
    #[arg(long, value_name = "FILE")]
    pub catalog: Option<PathBuf>,
    /// The viewer's colours: dark, light, mono, high-contrast, colour-blind, or a theme file
    #[arg(long, value_name = "THEME")]
    pub theme: Option<String>,
}

/// A place in a recording.
#[derive(Clone, Debug, Default, Args)]
pub struct AtArgs {
    /// Open on this turn instead of the most telling one
    #[arg(long, value_name = "N")]
    pub turn: Option<u32>,
    /// Open on this call of the turn, counted from 0
    #[arg(long, value_name = "M", requires = "turn")]
    pub call: Option<u32>,
    /// The turn is one of this thread instead of main
    #[arg(long, value_name = "NAME", requires = "turn")]
    pub thread: Option<String>,
}

/// The bundled traces.
#[derive(Clone, Debug, Args)]
pub struct DemoArgs {
    /// Which: see --list
    #[arg(default_value = "invoice")]
    pub name: String,
    /// List the bundled traces
    #[arg(long)]
    pub list: bool,
    /// Print the facts as text instead of opening the viewer
    #[arg(long)]
    pub plain: bool,
    /// The viewer's colours, as for a file
    #[arg(long, value_name = "THEME")]
    pub theme: Option<String>,
    /// Where to open it.
    #[command(flatten)]
    pub at: AtArgs,
}

/// The switches that all policies share.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct SwitchArgs {
    /// How many calls of a turn run at once: a number from 1, or `unlimited`
    #[arg(long, default_value = "8", value_name = "N")]
    pub slots: Slots,
    /// What a failure does to the other calls of the turn
    #[arg(long, default_value = "independent", value_name = "MODE", value_parser = modes())]
    pub on_failure: OnFailure,
    /// How long a turn may take, such as 5s or 300ms
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub deadline: Option<Nanos>,
}

/// The what-if.
#[derive(Clone, Debug, Args)]
pub struct WhatIfArgs {
    /// A trace, a session or a scenario
    pub file: PathBuf,
    /// Print JSON, version 1, with every call of every turn
    #[arg(long)]
    pub json: bool,
    /// Which policies, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "LIST", value_parser = policies())]
    pub policies: Vec<Policy>,
    /// Show this turn of the main thread instead of the most telling one
    #[arg(long, value_name = "N")]
    pub turn: Option<u32>,
    /// The shared switches.
    #[command(flatten)]
    pub switches: SwitchArgs,
    /// A catalog of your own; its tools stand over the built-in ones and a trace's own
    #[arg(long, value_name = "FILE")]
    pub catalog: Option<PathBuf>,
}

/// How a summary is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SummaryFormat {
    /// Aligned columns.
    Table,
    /// JSON, version 1.
    Json,
    /// One row a thread.
    Csv,
    /// Markdown.
    Md,
    /// CSV, one row a call, for a database; the columns are in assets/sql/README.md.
    Calls,
    /// The same as Parquet.
    Parquet,
}

/// The summary.
#[derive(Clone, Debug, Args)]
pub struct SummaryArgs {
    /// Traces and sessions, or folders of them
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The format
    #[arg(long, value_enum, default_value = "table")]
    pub format: SummaryFormat,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Each file for itself, also where there are many
    #[arg(long)]
    pub each: bool,
    /// Where to; standard output without it
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The shared switches, for what other policies would have cost.
    #[command(flatten)]
    pub switches: SwitchArgs,
    /// A catalog of your own; its tools stand over the built-in ones and a trace's own
    #[arg(long, value_name = "FILE")]
    pub catalog: Option<PathBuf>,
}

impl SummaryArgs {
    /// The format that is asked for.
    #[must_use]
    pub const fn format(&self) -> SummaryFormat {
        if self.json {
            SummaryFormat::Json
        } else {
            self.format
        }
    }
}

/// What a recording can be exported as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// A picture of one turn, for light and dark pages.
    Svg,
}

/// The ground that a picture is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PictureTheme {
    /// That of the page, light or dark.
    #[default]
    Auto,
    /// A light one, drawn.
    Light,
    /// A dark one, drawn.
    Dark,
}

/// Exporting.
#[derive(Clone, Debug, Args)]
pub struct ExportArgs {
    /// A trace or a session
    pub file: PathBuf,
    /// The format
    #[arg(long, value_enum)]
    pub format: ExportFormat,
    /// The ground that the picture is made for
    #[arg(long, value_enum, default_value_t)]
    pub theme: PictureTheme,
    /// This turn of the main thread instead of the most telling one
    #[arg(long, value_name = "N")]
    pub turn: Option<u32>,
    /// Where to; standard output without it
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The shared switches, for what other policies would have cost.
    #[command(flatten)]
    pub switches: SwitchArgs,
    /// A catalog of your own; its tools stand over the built-in ones and a trace's own
    #[arg(long, value_name = "FILE")]
    pub catalog: Option<PathBuf>,
}

/// The settings.
///
/// The viewer reads them from a TOML file; this prints them as one, all of them, with where each
/// value comes from: the defaults, the file, the environment (TURNLANE_CONFIG names the file,
/// NO_COLOR and TERM choose the theme, PAGER the pager) or a flag. A broken file stops the viewer;
/// --plain and the list of sessions warn and go on without it; reports never read it.
#[cfg(feature = "tui")]
#[derive(Clone, Debug, Args)]
pub struct ConfigArgs {
    /// Print where the file is, or would be
    #[arg(long)]
    pub path: bool,
    /// The viewer's colours, as for a file
    #[arg(long, value_name = "THEME")]
    pub theme: Option<String>,
}

/// A catalog.
#[derive(Clone, Debug, Args)]
pub struct ToolsArgs {
    /// The catalog; the built-in one for Claude Code without it
    pub catalog: Option<PathBuf>,
}

/// Shell completions.
#[derive(Clone, Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// The manual.
#[derive(Clone, Debug, Args)]
pub struct ManArgs {
    /// The page of this command instead of the main page
    pub command: Option<String>,
}

impl SwitchArgs {
    /// The switches with these policies; with none given, the five that tables show.
    #[must_use]
    pub fn what_if(&self, policies: &[Policy]) -> WhatIfOptions {
        let shown = if policies.is_empty() {
            Policy::SHOWN.to_vec()
        } else {
            policies.to_vec()
        };
        WhatIfOptions {
            slots: self.slots,
            on_failure: self.on_failure,
            deadline: self.deadline,
            policies: shown,
        }
    }
}

pub(super) fn policies() -> impl clap::builder::TypedValueParser<Value = Policy> {
    use clap::builder::{PossibleValuesParser, TypedValueParser as _};
    PossibleValuesParser::new(Policy::ALL.map(Policy::name)).try_map(|name| name.parse::<Policy>())
}

fn modes() -> impl clap::builder::TypedValueParser<Value = OnFailure> {
    use clap::builder::{PossibleValuesParser, TypedValueParser as _};
    PossibleValuesParser::new(OnFailure::ALL.map(OnFailure::name))
        .try_map(|name| name.parse::<OnFailure>())
}

fn duration(text: &str) -> Result<Nanos, String> {
    match humantime::parse_duration(text) {
        Ok(time) if time.is_zero() => {
            Err("a time of nothing; use something like 5s or 300ms".to_owned())
        }
        Ok(time) => Ok(time.into()),
        Err(error) => Err(format!("{error}; use something like 5s or 300ms")),
    }
}
