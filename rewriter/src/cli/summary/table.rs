//! How many fields and accesses are monitored, and by which rules the others are not (the paper's table 1).

use crate::weave::Account;
use crate::woven_manifest::Fields;
use std::fmt::Write as _;

pub(super) fn render(fields: Fields, account: &Account) -> String {
    let left: u64 = account.left.values().sum();
    let before = account.accesses + left;
    let width = digits(before.max(fields.declared)).max("before".len());
    let mut out = String::new();
    let _ = writeln!(
        out,
        "            {:>width$}  {:>width$}  removed",
        "before", "after"
    );
    for (what, before, after) in [
        ("fields", fields.declared, fields.monitored),
        ("accesses", before, account.accesses),
    ] {
        let removed = percent(before.saturating_sub(after), before);
        let _ = writeln!(out, "  {what:<8}  {before:>width$}  {after:>width$}  {removed}");
    }
    for (nth, (reason, count)) in account.left.iter().enumerate() {
        let title = if nth == 0 { "removed" } else { "" };
        let removed = percent(*count, before);
        let rule = reason.explanation();
        let _ = writeln!(
            out,
            "   {title:<7}  {count:>width$}  {:>width$}  {removed}  {rule}",
            ""
        );
    }
    out
}

fn digits(number: u64) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}

/// ` 33.5 %`
fn percent(part: u64, of: u64) -> String {
    let share = if of == 0 {
        0.0
    } else {
        part as f64 * 100.0 / of as f64
    };
    format!("{share:>5.1} %")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::LeftAlone;

    #[test]
    fn numbers_stand_under_each_other() {
        let account = Account {
            accesses: 870_000,
            left: [(LeftAlone::Final, 450_000), (LeftAlone::Volatile, 7)].into(),
            ..Account::default()
        };
        let fields = Fields {
            declared: 260,
            monitored: 173,
        };
        let expected = "\
             \x20            before    after  removed\n\
             \x20 fields        260      173   33.5 %\n\
             \x20 accesses  1320007   870000   34.1 %\n\
             \x20  removed   450000            34.1 %  the field is final\n\
             \x20                 7             0.0 %  the field is volatile: its accesses are synchronisation, \
             not races (JLS 17.4.5)\n";
        assert_eq!(render(fields, &account), expected);
    }

    #[test]
    fn nothing_is_no_percent_of_nothing() {
        assert!(render(Fields::default(), &Account::default()).contains("0       0    0.0 %\n"));
    }
}
