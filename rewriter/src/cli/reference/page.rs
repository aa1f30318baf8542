//! `docs/options.md`.

use super::keys::keys;
use super::properties::{self, Property};
use super::{ENVIRONMENT, EXIT_CODES, commands};
use clap::{Arg, Command};
use std::fmt::Write;

const HEAD: &str = "# Options

Made from the program itself (`racewire reference`); a test fails when this page is stale, and
`RACEWIRE_BLESS=1 cargo test --release --test e2e -- reference` writes it anew.
";

pub fn render(program: &Command) -> String {
    let mut out = HEAD.to_owned();
    for command in commands(program) {
        of_command(&mut out, command);
    }
    configuration(&mut out, program);
    let _ = write!(
        out,
        "\n## Of woven programs, at run time\n\n\
         `-Dracewire.NAME=VALUE` for the JVM, or `RACEWIRE_OPTIONS=NAME=VALUE:NAME=VALUE` in its environment.\n\n"
    );
    property_table(&mut out, &properties::of_runs());
    let _ = write!(
        out,
        "\n## Of builds\n\nProperties of the [Maven](maven.md) and [Gradle](gradle.md) plugins and of the listeners, \
         as `-Dracewire.NAME=VALUE`.\n\n"
    );
    property_table(&mut out, &properties::of_builds());
    pairs(&mut out, "Environment", "variable", &ENVIRONMENT);
    pairs(&mut out, "Exit codes", "code", &EXIT_CODES);
    out
}

fn of_command(out: &mut String, command: &Command) {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut named = command.clone();
    let usage = named.render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
    let _ = write!(
        out,
        "\n## {}\n\n{}.\n\n```\n{usage}\n```\n",
        command.get_name(),
        text(&about)
    );
    let args: Vec<&Arg> = command
        .get_arguments()
        .filter(|a| !a.is_hide_set() && !matches!(a.get_id().as_str(), "help" | "version"))
        .collect();
    if args.is_empty() {
        return;
    }
    out.push_str("\n| option | |\n|---|---|\n");
    for arg in args {
        let _ = writeln!(out, "| `{}` | {} |", spelled(arg), help(arg));
    }
}

/// `-o, --output FILE`.
fn spelled(arg: &Arg) -> String {
    let mut spelled: Vec<String> = arg.get_short().map(|c| format!("-{c}")).into_iter().collect();
    spelled.extend(arg.get_long().map(|long| format!("--{long}")));
    let values = arg.get_value_names().unwrap_or_default();
    let values: Vec<&str> = values.iter().map(clap::builder::Str::as_str).collect();
    if spelled.is_empty() {
        return values.join(" ");
    }
    let takes_value = arg.get_num_args().is_some_and(|n| n.takes_values());
    let value = if takes_value {
        format!(" {}", values.join(" "))
    } else {
        String::new()
    };
    spelled.join(", ") + &value
}

fn help(arg: &Arg) -> String {
    let mut help = text(&arg.get_help().map(ToString::to_string).unwrap_or_default());
    let choices: Vec<String> = arg
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    if arg.get_num_args().is_some_and(|n| n.takes_values()) && !choices.is_empty() {
        let _ = write!(help, " ({})", choices.join(", "));
    }
    let defaults: Vec<String> = arg
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy().into_owned())
        .collect();
    if arg.get_num_args().is_some_and(|n| n.takes_values()) && !defaults.is_empty() {
        let default = text(&format!("[default: {}]", defaults.join(", ")));
        let _ = write!(help, " {default}");
    }
    help
}

fn configuration(out: &mut String, program: &Command) {
    out.push_str("\n## `racewire.toml`\n\n| key | as |\n|---|---|\n");
    for key in keys(program) {
        let flag = key.flag.and_then(Arg::get_long).unwrap_or_default();
        let _ = writeln!(out, "| `{}` | `--{flag}` |", key.name);
    }
}

fn property_table(out: &mut String, properties: &[Property]) {
    out.push_str("| property | default | |\n|---|---|---|\n");
    for property in properties {
        let default = match property.default {
            "" => "–".to_owned(),
            value => format!("`{value}`"),
        };
        let _ = writeln!(
            out,
            "| `racewire.{}` | {default} | {} |",
            property.name,
            text(property.help)
        );
    }
}

fn pairs(out: &mut String, title: &str, first: &str, rows: &[(&str, &str)]) {
    let _ = write!(out, "\n## {title}\n\n| {first} | |\n|---|---|\n");
    for (name, meaning) in rows {
        let _ = writeln!(out, "| `{name}` | {} |", text(meaning));
    }
}

/// Plain text as Markdown shows it, on one line.
fn text(plain: &str) -> String {
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut escaped = String::with_capacity(line.len());
    for c in line.chars() {
        if matches!(c, '|' | '*' | '_' | '<' | '[' | ']') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
