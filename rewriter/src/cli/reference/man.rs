//! Pages for `man`: one for the program, one for each command.

use super::{ENVIRONMENT, EXIT_CODES, commands, properties};
use crate::error::Error;
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::io;
use std::path::Path;

/// File names and contents.
pub fn pages(program: &Command) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let failed = |e: io::Error| Error::file(Path::new("man page"), e);
    let mut pages = vec![("racewire.1".to_owned(), main_page(program).map_err(failed)?)];
    for command in commands(program) {
        let name = format!("racewire-{}", command.get_name());
        let text = command_page(command.clone(), &name).map_err(failed)?;
        pages.push((format!("{name}.1"), text));
    }
    Ok(pages)
}

fn main_page(program: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let man = titled(Man::new(program.clone()));
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_subcommands_section(&mut page)?;
    let options = properties::of_runs();
    let options: Vec<(String, String)> = options
        .iter()
        .map(|p| (format!("racewire.{}", p.name), with_default(p.help, p.default)))
        .collect();
    let mut more = Roff::new();
    section(&mut more, "RUN-TIME OPTIONS", &options);
    section(&mut more, "ENVIRONMENT", &ENVIRONMENT);
    section(&mut more, "EXIT STATUS", &EXIT_CODES);
    more.to_writer(&mut page)?;
    Ok(page)
}

fn command_page(command: Command, name: &str) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let man = titled(Man::new(command.name(name.to_owned())));
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    let mut more = Roff::new();
    section(&mut more, "EXIT STATUS", &EXIT_CODES);
    more.to_writer(&mut page)?;
    Ok(page)
}

/// No date: the same program makes the same pages.
fn titled(man: Man) -> Man {
    man.manual("Racewire")
        .source(concat!("racewire ", env!("CARGO_PKG_VERSION")))
        .date("")
}

fn with_default(help: &str, default: &str) -> String {
    if default.is_empty() {
        help.to_owned()
    } else {
        format!("{help} [default: {default}]")
    }
}

fn section<S: AsRef<str>>(roff: &mut Roff, title: &str, rows: &[(S, S)]) {
    roff.control("SH", [title]);
    for (name, meaning) in rows {
        roff.control("TP", []);
        roff.text([bold(name.as_ref())]);
        roff.text([roman(meaning.as_ref())]);
    }
}
