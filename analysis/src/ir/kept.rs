//! What a constructor makes and keeps in a final field of its object, and nowhere else: a list that it fills, a table.
//!
//! Until the constructor ends nobody else can see it if nobody sees `this`, and who gets it by way of the final field
//! afterwards sees all that was done to it before (JLS 17.5.1): such accesses are nobody's business.
//!
//! In the constructor, whatever the field is read for gives this object: it is stored there once (or the field is null yet).

use super::phis::Phis;
use super::recording::{Recording, Source};
use super::values::Value;
use crate::facts::{MemberId, Op};

/// Reused from method to method.
#[derive(Debug, Default)]
pub struct Kept {
    /// What is stored in final fields of `this`; `None` if that may be anything.
    stored: Vec<(MemberId, Option<Value>)>,
    /// What was loaded from such a field, and the same by its own value.
    pub same: Vec<(Value, Value)>,
}

impl Kept {
    /// `this`: that of a constructor.
    pub fn find(&mut self, recording: &Recording, phis: &Phis, this: Option<Value>) {
        self.stored.clear();
        self.same.clear();
        let Some(this) = this else { return };
        for (value, base, field) in &recording.final_stores {
            if phis.resolve(*base) != this {
                continue;
            }
            match self.stored.iter_mut().find(|(known, _)| known == field) {
                Some((_, value)) => *value = None,
                None => {
                    let value = phis.resolve(*value);
                    let is_made_once = is_made_once(recording, value);
                    self.stored.push((*field, is_made_once.then_some(value)));
                }
            }
        }
        for (value, base, field) in &recording.final_loads {
            if phis.resolve(*base) == this
                && let Some(kept) = self.in_field(*field)
            {
                self.same.push((*value, kept));
            }
        }
    }

    fn in_field(&self, field: MemberId) -> Option<Value> {
        let found = self.stored.iter().find(|(known, _)| *known == field);
        found.and_then(|(_, value)| *value)
    }

    /// Whether the field keeps this value, and it alone.
    pub fn keeps(&self, value: Value, field: MemberId) -> bool {
        self.in_field(field) == Some(value)
    }

    pub fn values(&self) -> impl Iterator<Item = Value> {
        self.stored.iter().filter_map(|(_, value)| *value)
    }
}

/// By a `new` that no loop goes round: of several objects the field has one, and we would not know which.
fn is_made_once(recording: &Recording, value: Value) -> bool {
    let made = recording.followed.iter().find(|(followed, _)| *followed == value);
    let Some((_, Source::New { op, .. })) = made else {
        return false;
    };
    matches!(
        recording.ops.get(*op as usize),
        Some(Op::New { in_loop: false, .. })
    )
}
