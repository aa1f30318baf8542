//! What weaving has to know of a method's code beside its accesses to fields, so that it need not look at all of it
//! again: found by the scan, which goes over all code anyway.

use crate::code::instructions::{Wanted, select};
use crate::code::{ClassError, Insn, MAY_STORE_SLOT_0, Pool, access, op, stores_slot_0, tag};
use crate::observed;

/// Of one method. Most methods have no entry, as nothing of it is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MethodMarks {
    /// Its index in the class.
    pub method: u16,
    /// There are join points other than accesses to fields, even if nobody looks at happens-before: monitors, calls and
    /// method references that may be observed.
    pub has_other_points: bool,
    /// An instance method that may store something in the local variable in which `this` was.
    pub stores_slot_0: bool,
}

/// Finds the marks of the methods of one class.
#[derive(Debug)]
pub struct Finder {
    /// The constants of names and types of methods whose calls may be join points.
    observed: Vec<u16>,
}

impl Finder {
    pub fn new(pool: &Pool<'_>) -> Result<Finder, ClassError> {
        let mut observed = Vec::new();
        for index in 1..pool.len() as u16 {
            if pool.tag(index) == tag::NAME_AND_TYPE {
                let (name, descriptor) = pool.name_and_type_indices(index)?;
                if observed::may_be_observed(pool.utf8(name)?, pool.utf8(descriptor)?) {
                    observed.push(index);
                }
            }
        }
        Ok(Finder { observed })
    }

    /// A constant of the class names a method whose calls may be join points.
    pub fn names_observed(&self) -> bool {
        !self.observed.is_empty()
    }

    /// Goes over the code of a method, gives its marks, and shows its accesses to fields to `access`.
    pub fn find(
        &self,
        (method, flags): (usize, u16),
        bytecode: &[u8],
        pool: &Pool<'_>,
        mut access: impl FnMut(Insn) -> Result<(), ClassError>,
    ) -> Result<Option<MethodMarks>, ClassError> {
        let mut marks = MethodMarks {
            method: method as u16,
            ..MethodMarks::default()
        };
        let wanted = if self.names_observed() {
            &WITH_CALLS
        } else {
            &WITHOUT_CALLS
        };
        select(bytecode, wanted, |insn| {
            match insn.op {
                op::GETSTATIC..=op::PUTFIELD => access(insn)?,
                op::MONITORENTER | op::MONITOREXIT | op::INVOKEDYNAMIC => marks.has_other_points = true,
                op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => {
                    marks.has_other_points |= self.may_be_observed(&insn, bytecode, pool);
                }
                _ => marks.stores_slot_0 |= flags & access::STATIC == 0 && stores_slot_0(&insn, bytecode),
            }
            Ok(true)
        })?;
        Ok((marks.has_other_points || marks.stores_slot_0).then_some(marks))
    }

    /// Whether a call is to be looked at; if it names nothing, whoever looks at it says so.
    fn may_be_observed(&self, call: &Insn, bytecode: &[u8], pool: &Pool<'_>) -> bool {
        let named = || pool.member_ref_indices(call.operand(bytecode)?);
        call.op != op::INVOKESTATIC && named().map_or(true, |(_, named)| self.observed.contains(&named))
    }
}

/// Accesses to fields, monitors and what may store something in the local variable of `this`.
const ALWAYS: Wanted =
    MAY_STORE_SLOT_0.and(&[(op::GETSTATIC, op::PUTFIELD), (op::MONITORENTER, op::MONITOREXIT)]);
static WITHOUT_CALLS: Wanted = ALWAYS;
static WITH_CALLS: Wanted = ALWAYS.and(&[(op::INVOKEVIRTUAL, op::INVOKEDYNAMIC)]);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{Class, ClassEdit};

    /// A class with nothing in it but its pool: a reference to a field, to `Thread.start`, and to another method.
    fn with_references(names_observed: bool) -> (Vec<u8>, [u16; 3]) {
        let mut empty = vec![
            0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0, 5, 1, 0, 1, b'T', 7, 0, 1, 1, 0, 16,
        ];
        empty.extend(b"java/lang/Object");
        empty.extend([7, 0, 3, 0, 0x21, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0]);
        let class = Class::parse(&empty).unwrap();
        let mut edit = ClassEdit::new(&class);
        let field = edit.pool.field_ref("T", "f", "I").unwrap();
        let name = if names_observed { "start" } else { "begin" };
        let start = edit.pool.method_ref("java/lang/Thread", name, "()V").unwrap();
        let other = edit.pool.method_ref("T", "other", "()V").unwrap();
        (edit.finish().unwrap(), [field, start, other])
    }

    /// The marks of code in such a class, and how many accesses it has.
    fn marks(
        names_observed: bool,
        flags: u16,
        code: impl Fn([u16; 3]) -> Vec<u8>,
    ) -> (Option<MethodMarks>, usize) {
        let (bytes, references) = with_references(names_observed);
        let class = Class::parse(&bytes).unwrap();
        let finder = Finder::new(&class.pool).unwrap();
        assert_eq!(finder.names_observed(), names_observed);
        let mut accesses = 0;
        let count = |_| {
            accesses += 1;
            Ok(())
        };
        let found = finder.find((7, flags), &code(references), &class.pool, count);
        (found.unwrap(), accesses)
    }

    fn naming(opcode: u8, reference: u16) -> Vec<u8> {
        let [high, low] = reference.to_be_bytes();
        vec![opcode, high, low]
    }

    const POINTS: Option<MethodMarks> = Some(MethodMarks {
        method: 7,
        has_other_points: true,
        stores_slot_0: false,
    });

    #[test]
    fn monitors_and_calls_that_may_be_observed_are_join_points() {
        let field =
            |[field, _, _]: [u16; 3]| [naming(op::GETSTATIC, field), naming(op::PUTFIELD, field)].concat();
        assert_eq!(marks(true, 0, field), (None, 2));
        for opcode in [op::MONITORENTER, op::MONITOREXIT] {
            assert_eq!(marks(false, 0, |_| vec![opcode]), (POINTS, 0));
        }
        let start = |[_, start, _]: [u16; 3]| naming(op::INVOKEVIRTUAL, start);
        assert_eq!(marks(true, 0, start), (POINTS, 0));
        assert_eq!(marks(false, 0, start), (None, 0));
        assert_eq!(
            marks(true, 0, |[_, start, _]| naming(op::INVOKESTATIC, start)),
            (None, 0)
        );
        assert_eq!(
            marks(true, 0, |[_, _, other]| naming(op::INVOKEVIRTUAL, other)),
            (None, 0)
        );
        // A method reference that names one, and a call that names nothing.
        let dynamic = |_| vec![op::INVOKEDYNAMIC, 0, 1, 0, 0];
        assert_eq!(marks(true, 0, dynamic), (POINTS, 0));
        assert_eq!(marks(false, 0, dynamic), (None, 0));
        assert_eq!(marks(true, 0, |_| naming(op::INVOKEVIRTUAL, 60_000)), (POINTS, 0));
    }

    #[test]
    fn an_instance_method_that_stores_slot_0_is_found() {
        let stores: [&[u8]; 4] = [
            &[op::ASTORE_0],
            &[op::ISTORE_0],
            &[op::LSTORE, 0],
            &[op::WIDE, op::FSTORE, 0, 0],
        ];
        for code in stores {
            let wanted = MethodMarks {
                stores_slot_0: true,
                has_other_points: false,
                method: 7,
            };
            assert_eq!(marks(true, 0, |_| code.to_vec()), (Some(wanted), 0));
            assert_eq!(marks(true, access::STATIC, |_| code.to_vec()), (None, 0));
        }
        let others: [&[u8]; 3] = [
            &[op::ASTORE_0 + 1],
            &[op::LSTORE, 1],
            &[op::WIDE, op::FSTORE, 1, 0],
        ];
        for code in others {
            assert_eq!(marks(true, 0, |_| code.to_vec()), (None, 0));
        }
    }
}
