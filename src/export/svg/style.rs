//! Colours for light and dark pages.

/// Which ground a picture is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SvgTheme {
    /// That of the page, whichever it is.
    #[default]
    Auto,
    /// A light one, drawn.
    Light,
    /// A dark one, drawn.
    Dark,
}

const FONT: &str = "
  text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace }
  .title { font-weight: 600; font-size: 13px }
  .open { fill: none; stroke-dasharray: 3 2 } .bound { stroke-dasharray: 2 2 }
  .path { stroke-width: 1.5 }
";

const LIGHT: &str = "
  text { fill: #24292f } .dim { fill: #6e7781 } .race { fill: #b3261e } .grid { stroke: #d0d7de }
  .wait { fill: #afb8c1 } .run { fill: #2f6feb } .failed { fill: #b3261e } .late { fill: #b58900 }
  .open { stroke: #2f6feb } .bound { fill: #c6dcff; stroke: #2f6feb } .what { fill: #54aeff }
  .measured { fill: #2f6feb } .unsafe { fill: #e5a39c } .path { stroke: #bf8700 } .ground { fill: #ffffff }
";

const DARK: &str = "
  text { fill: #e6edf3 } .dim { fill: #8b949e } .race { fill: #ff8f85 } .grid { stroke: #30363d }
  .wait { fill: #57606a } .run { fill: #58a6ff } .failed { fill: #ff8f85 } .late { fill: #d4a72c }
  .open { stroke: #58a6ff } .bound { fill: #1f3a5f; stroke: #58a6ff } .what { fill: #316dca }
  .measured { fill: #58a6ff } .unsafe { fill: #8e3b36 } .path { stroke: #d4a72c } .ground { fill: #0d1117 }
";

impl SvgTheme {
    /// The style sheet.
    pub(super) fn style(self) -> String {
        match self {
            Self::Auto => {
                format!("{FONT}{LIGHT}  @media (prefers-color-scheme: dark) {{{DARK}  }}\n")
            }
            Self::Light => format!("{FONT}{LIGHT}"),
            Self::Dark => format!("{FONT}{DARK}"),
        }
    }

    /// What lies under everything; a picture for any page lets the page through.
    pub(super) const fn ground(self) -> &'static str {
        match self {
            Self::Auto => "",
            Self::Light | Self::Dark => "<rect width=\"100%\" height=\"100%\" class=\"ground\"/>\n",
        }
    }
}
