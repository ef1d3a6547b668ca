//! The catalogs that turnlane ships for known harnesses.

use super::error::CatalogError;
use super::tools::Catalog;

macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        &[$((
            $name,
            concat!("assets/catalogs/", $name, ".json"),
            include_str!(concat!("../../../assets/catalogs/", $name, ".json")),
        )),+]
    };
}

/// Name, file and text of each.
const SHIPPED: &[(&str, &str, &str)] = shipped![
    "claude-code",
    "codex",
    "gemini-cli",
    "openhands",
    "swe-agent",
    "tau-retail",
    "tau-airline",
    "tau-telecom",
];

impl Catalog {
    /// Claude Code's own tools. Tools of its MCP servers are not in it, so they are opaque.
    ///
    /// # Errors
    /// None as shipped, which a test keeps; the text is read like any other catalog.
    pub fn claude_code() -> Result<Self, CatalogError> {
        Self::for_harness("claude-code")
    }

    /// The own tools of the harness of that name, as [`Catalog::harnesses`] lists them; no tools
    /// for any other.
    ///
    /// # Errors
    /// As [`Catalog::claude_code`].
    pub fn for_harness(name: &str) -> Result<Self, CatalogError> {
        let found = SHIPPED.iter().find(|(shipped, _, _)| *shipped == name);
        found.map_or_else(
            || Ok(Self::default()),
            |(_, file, text)| Self::parse(text, file),
        )
    }

    /// The harnesses whose tools turnlane ships a catalog of.
    pub fn harnesses() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|(name, _, _)| *name)
    }
}
