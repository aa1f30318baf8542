//! What `read` and `write` are of: a container or all elements of an array, or some of them.

use super::parse::operand;
use super::{Helper, Moment, Operand, Step};
use serde::Deserialize;
use toml::Value;

/// `{ of = 0, from = 1, to = 2 }`. A call that is given elements which do not exist throws and touches none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Elements {
    of: Value,
    /// The only one; `of` may be a list that shows an array.
    at: Option<Value>,
    from: Option<Value>,
    /// The end (exclusive).
    to: Option<Value>,
    /// The end, or that of the array if that is nearer.
    up_to: Option<Value>,
    count: Option<Value>,
}

pub(super) fn access(value: &Value, is_write: bool) -> Result<Step, String> {
    let (moment, part, operands) = if value.is_table() {
        some(value)?
    } else {
        (Moment::Before, None, vec![operand(value)?])
    };
    Ok(Step {
        helper: Helper::State { is_write, part },
        ..Step::call(moment, "", operands)
    })
}

/// When these are accessed, how they are found, and with what.
type Access = (Moment, Option<&'static str>, Vec<Operand>);

fn some(value: &Value) -> Result<Access, String> {
    let e: Elements = value
        .clone()
        .try_into()
        .map_err(|e: toml::de::Error| e.message().replace('\n', " "))?;
    // Whether they exist is known once the call has returned.
    let (moment, part, bounds) = match (&e.at, &e.from, &e.to, &e.up_to, &e.count) {
        (None, None, None, None, None) => (Moment::After, None, vec![]),
        (Some(at), None, None, None, None) => (Moment::Before, Some("at"), vec![at]),
        (None, Some(from), Some(to), None, None) => (Moment::After, Some("between"), vec![from, to]),
        (None, Some(from), None, Some(to), None) => (Moment::After, Some("upTo"), vec![from, to]),
        (None, None, None, Some(to), None) => (Moment::After, Some("upTo"), vec![to]),
        (None, Some(from), None, None, Some(count)) => (Moment::After, Some("counted"), vec![from, count]),
        _ => return Err("elements are `at`, or `from` with `to`, `up-to` or `count`, or `up-to`".into()),
    };
    let operands = std::iter::once(&e.of).chain(bounds).map(operand);
    Ok((moment, part, operands.collect::<Result<_, _>>()?))
}
