//! The timing summary as CSV: one row a thread.

use super::FileSummary;
use crate::model::Timing;

/// Heading and rows. Unknown figures are empty fields.
///
/// # Errors
/// Where the writer fails, which it does not in memory.
pub fn summary_csv(files: &[FileSummary]) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "file",
        "thread",
        "policy",
        "replies",
        "with_calls",
        "with_several",
        "max_calls",
        "calls",
        "timed_calls",
        "failed_calls",
        "model_seconds",
        "model_unknown",
        "tool_wall_seconds",
        "tool_wall_timing",
        "best_policy",
        "saved_seconds_predicted",
        "saved_timing",
        "recorded_hazards",
    ])?;
    for file in files {
        for thread in &file.threads {
            let best = thread.totals.best();
            let saved = best.and_then(|b| b.savings);
            writer.write_record([
                crate::text::clean(&file.file).into_owned(),
                crate::text::clean(&thread.thread).into_owned(),
                crate::text::clean(&file.policy).into_owned(),
                thread.replies.to_string(),
                thread.with_calls.to_string(),
                thread.with_several.to_string(),
                thread.max_calls.to_string(),
                thread.calls.to_string(),
                thread.timed_calls.to_string(),
                thread.failed_calls.to_string(),
                match thread.model_timing {
                    Timing::Unknown => String::new(),
                    _ => format!("{:.3}", thread.model.as_secs_f64()),
                },
                thread.model_unknown.to_string(),
                thread
                    .tool_wall
                    .map_or_else(String::new, |w| format!("{:.6}", w.as_secs_f64())),
                thread.wall_timing.word().to_owned(),
                best.map_or_else(String::new, |b| b.policy.name().to_owned()),
                saved.map_or_else(String::new, |s| format!("{:.6}", s.amount().as_secs_f64())),
                saved.map_or_else(String::new, |s| s.timing.word().to_owned()),
                thread
                    .recorded_hazards
                    .map_or_else(String::new, |n| n.to_string()),
            ])?;
        }
    }
    let bytes = writer
        .into_inner()
        .map_err(|e| csv::Error::from(e.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
