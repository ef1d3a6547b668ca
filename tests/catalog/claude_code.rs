//! The shipped catalog for Claude Code.

use serde_json::{Value, json};
use turnlane::model::catalog::lint;
use turnlane::model::{Catalog, Source};

use crate::{Touched, touched_in};

fn call(tool: &str, args: &Value) -> Touched {
    let catalog = Catalog::claude_code().unwrap();
    let touched = touched_in(&catalog, tool, &args.to_string(), Some("/w"));
    if !touched.opaque {
        assert_eq!(touched.source, Source::Harness, "{tool}");
    }
    touched
}

#[test]
fn file_tools_touch_their_files_and_searches_their_trees() {
    let path = json!({"file_path": "src/A.rs", "notebook_path": "n.ipynb"});
    assert_eq!(call("Read", &path).reads, ["file:/w/src/a.rs"]);
    for tool in ["Edit", "MultiEdit", "Write"] {
        assert_eq!(call(tool, &path).writes, ["file:/w/src/a.rs"], "{tool}");
    }
    assert_eq!(call("NotebookEdit", &path).writes, ["file:/w/n.ipynb"]);
    for tool in ["Grep", "Glob", "LS"] {
        let src = call(tool, &json!({"path": "/w/src", "pattern": "x"}));
        assert_eq!(src.reads, ["file:/w/src/**"], "{tool}");
        assert_eq!(src.note, None);
        let all = call(tool, &json!({"pattern": "x"}));
        assert_eq!(all.reads, ["file:**"], "{tool}");
        assert!(all.note.is_some());
    }
    assert_eq!(call("LSP", &json!({"filePath": "a"})).reads, ["file:**"]);
}

#[test]
fn reads_without_a_resource_are_free_and_pages_have_their_address() {
    for tool in ["WebSearch", "ToolSearch"] {
        let touched = call(tool, &json!({"query": "x"}));
        assert!(!touched.opaque && touched.reads.is_empty() && touched.writes.is_empty());
    }
    let page = call("WebFetch", &json!({"url": "https://a.b/c", "prompt": "x"}));
    assert_eq!(page.reads, ["url:https://a.b/c"]);
}

#[test]
fn tasks_are_one_list_and_background_work_has_its_id() {
    for tool in ["TodoWrite", "TaskCreate", "TaskUpdate"] {
        assert_eq!(
            call(tool, &json!({"taskId": "1"})).writes,
            ["todo"],
            "{tool}"
        );
    }
    for tool in ["TaskList", "TaskGet"] {
        assert_eq!(call(tool, &json!({})).reads, ["todo"], "{tool}");
    }
    assert_eq!(
        call("TaskOutput", &json!({"task_id": "b1"})).reads,
        ["background:b1"]
    );
    assert_eq!(
        call("TaskStop", &json!({"task_id": "b1"})).writes,
        ["background:b1"]
    );
    assert_eq!(
        call("KillShell", &json!({"shell_id": "b1"})).writes,
        ["background:b1"]
    );
}

#[test]
fn a_shell_an_agent_and_a_question_are_opaque() {
    for tool in [
        "Bash",
        "Task",
        "Agent",
        "Skill",
        "AskUserQuestion",
        "ExitPlanMode",
        "EnterPlanMode",
    ] {
        let touched = call(tool, &json!({"command": "ls", "subagent_type": "Explore"}));
        assert!(touched.opaque, "{tool}");
        assert_eq!(touched.source, Source::Harness, "{tool}");
    }
}

#[test]
fn a_tool_of_an_mcp_server_is_unknown_whatever_its_name() {
    let touched = call("mcp__books__get_invoice", &json!({"id": 1}));
    assert!(touched.opaque);
    assert_eq!(touched.source, Source::Unknown);
}

#[test]
fn the_shipped_catalog_has_no_remarks() {
    let catalog = Catalog::claude_code().unwrap();
    assert!(catalog.is_harness);
    assert_eq!(lint(&catalog), []);
}
