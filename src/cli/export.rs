//! `export`: a recording in another form.

use super::args::{ExportArgs, ExportFormat, PictureTheme};
use super::failure::Failure;
use super::load::load_run;
use super::output::print;
use super::plain::chosen;
use crate::analyze::{Totals, TurnCase, verdict, what_if_turn};
use crate::export::{SvgTheme, turn_svg};

pub(super) fn run(args: &ExportArgs) -> Result<(), Failure> {
    let ExportFormat::Svg = args.format;
    let run = load_run(&args.file, args.catalog.as_deref())?;
    let Some(at) = chosen(&run, args.turn)? else {
        return Err(Failure::Unreadable(format!(
            "{}: no turn to draw",
            args.file.display()
        )));
    };
    let options = args.switches.what_if(&[]);
    let turn = &run.turns[at];
    let case = TurnCase::of(&run, turn);
    let result = what_if_turn(&case, &run.keys, &options);
    let theme = match args.theme {
        PictureTheme::Auto => SvgTheme::Auto,
        PictureTheme::Light => SvgTheme::Light,
        PictureTheme::Dark => SvgTheme::Dark,
    };
    let mut totals = Totals::new(&options);
    totals.add(&case, &result, &run.keys);
    let svg = turn_svg(&run, turn, &result, (&verdict(&totals.finish()), theme));
    match &args.output {
        None => print(&svg),
        Some(path) => std::fs::write(path, svg).map_err(|error| {
            Failure::Unreadable(format!(
                "{}: cannot write the picture: {error}",
                path.display()
            ))
        }),
    }
}
