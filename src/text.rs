//! The one sanitiser: text of a file reaches a screen, a report or an error only through here.
