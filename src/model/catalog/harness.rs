//! The catalogs that turnlane ships for known harnesses.

use super::error::CatalogError;
use super::tools::Catalog;

const CLAUDE_CODE: &str = include_str!("../../../assets/catalogs/claude-code.json");

impl Catalog {
    /// Claude Code's own tools. Tools of its MCP servers are not in it, so they are opaque.
    ///
    /// # Errors
    /// None as shipped, which a test keeps; the text is read like any other catalog.
    pub fn claude_code() -> Result<Self, CatalogError> {
        Self::parse(CLAUDE_CODE, "assets/catalogs/claude-code.json")
    }
}
