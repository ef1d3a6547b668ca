//! turnlane on the command line: parse, run, exit code.

fn main() -> std::process::ExitCode {
    turnlane::cli::run()
}
