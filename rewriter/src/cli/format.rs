//! The formats of a report, where each goes, and when text has colours.

use serde::Deserialize;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    #[default]
    Text,
    Json,
    Sarif,
    Html,
    Junit,
    Github,
}

const FORMATS: [(&str, Format); 6] = [
    ("text", Format::Text),
    ("json", Format::Json),
    ("sarif", Format::Sarif),
    ("html", Format::Html),
    ("junit", Format::Junit),
    ("github", Format::Github),
];

/// `sarif`, or `sarif=out.sarif`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Target {
    pub format: Format,
    pub file: Option<PathBuf>,
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Target, String> {
        let (name, file) = match text.split_once('=') {
            Some((name, file)) => (name, Some(file)),
            None => (text, None),
        };
        let Some((_, format)) = FORMATS.iter().find(|(known, _)| *known == name) else {
            let all: Vec<&str> = FORMATS.iter().map(|(known, _)| *known).collect();
            return Err(format!(
                "no such format; there are {} (with a file: html=report.html)",
                all.join(", ")
            ));
        };
        if file == Some("") {
            return Err("the name of the file is missing".to_owned());
        }
        Ok(Target {
            format: *format,
            file: file.map(PathBuf::from),
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    Always,
    Never,
}

impl Color {
    pub fn wanted(self, terminal: bool) -> bool {
        match self {
            // The convention of no-color.org: set and not empty.
            Color::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            Color::Always => true,
            Color::Never => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_may_name_its_file() {
        let plain: Target = "sarif".parse().unwrap();
        assert_eq!((plain.format, plain.file), (Format::Sarif, None));
        let html: Target = "html=a=b.html".parse().unwrap();
        assert_eq!((html.format, html.file), (Format::Html, Some("a=b.html".into())));
        assert!("pdf".parse::<Target>().unwrap_err().contains("text, json, sarif"));
        assert!("html=".parse::<Target>().is_err());
    }
}
