//! Tables for a terminal and for Markdown alike.

/// A heading and rows of text; the first column is aligned left, the others right.
#[derive(Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(heading: &[&str]) -> Table {
        let heading = heading.iter().map(|h| (*h).to_owned()).collect();
        Table { rows: vec![heading] }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    pub fn print(&self) {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cell = |row: &Vec<String>, c: usize| row.get(c).cloned().unwrap_or_default();
        let width = |c: usize| self.rows.iter().map(|r| cell(r, c).chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|c| width(c).unwrap_or(0).max(3)).collect();
        for (number, row) in self.rows.iter().enumerate() {
            let mut line = String::from("|");
            for (c, &width) in widths.iter().enumerate() {
                let text = cell(row, c);
                line.push_str(&if c == 0 {
                    format!(" {text:<width$} |")
                } else {
                    format!(" {text:>width$} |")
                });
            }
            println!("{line}");
            if number == 0 {
                let rule = |(c, w): (usize, &usize)| {
                    let end = if c == 0 { '-' } else { ':' };
                    format!("{}{end}|", "-".repeat(w + 1))
                };
                let rules: String = widths.iter().enumerate().map(rule).collect();
                println!("|{rules}");
            }
        }
    }
}

/// What stands where nothing could be measured.
pub const NOTHING: &str = "–";

pub fn milliseconds(ns: Option<f64>) -> String {
    ns.map_or(NOTHING.to_owned(), |ns| format!("{:.0}", ns / 1e6))
}

pub fn ratio(value: Option<f64>) -> String {
    value.map_or(NOTHING.to_owned(), |v| format!("{v:.2}"))
}

/// A large number with three or so digits: `812`, `45.1k`, `3.20M`.
pub fn count(value: Option<u64>) -> String {
    let Some(value) = value else {
        return NOTHING.to_owned();
    };
    let float = value as f64;
    match value {
        0..10_000 => value.to_string(),
        10_000..1_000_000 => format!("{:.1}k", float / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1}M", float / 1e6),
        _ => format!("{:.2}G", float / 1e9),
    }
}
