//! The steps of a model as bytecode: calls of the runtime with values that lie in local variables. Straight-line, so
//! that they can stand anywhere.

use super::asm::{Asm, Slot};
use super::{ClassWeaver, Home};
use crate::code::{ClassError, op};
use racewire_models::{Condition, Helper, Keep, Moment, Operand, Step};

/// Where the values of a call are.
#[derive(Debug, Default)]
pub(super) struct Values<'d> {
    /// Of the receiver; none in a static call.
    pub this: Option<u16>,
    /// With the descriptors of their types.
    pub arguments: Vec<(Slot, &'d str, u16)>,
    pub result: Option<(Slot, u16)>,
    pub token: u16,
    pub thrown: u16,
    /// Where the sites of reads and writes of containers are.
    pub sites: [SiteFrom; 2],
    pub home: Option<Home>,
    pub name: &'d str,
}

/// Where the site of a container's access is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum SiteFrom {
    #[default]
    Nowhere,
    Local(u16),
    Constant(i32),
}

/// A value that helpers may be given.
enum Value {
    Local(Slot, u16),
    CurrentThread,
    MethodName,
}

impl Values<'_> {
    /// `None`: the call has no such value.
    fn add(&self, operand: Operand, given: &mut Vec<Value>) -> Option<()> {
        let object = |slot| Value::Local(Slot::Ref, slot);
        let one = match operand {
            Operand::This => object(self.this?),
            Operand::Argument(n) => {
                let (slot, _, local) = self.arguments.get(usize::from(n))?;
                Value::Local(*slot, *local)
            }
            Operand::Result => {
                let (slot, local) = self.result?;
                Value::Local(slot, local)
            }
            Operand::Thread => Value::CurrentThread,
            Operand::Token => object(self.token),
            Operand::Thrown => object(self.thrown),
            Operand::Name => Value::MethodName,
            Operand::Coordinates(values) => {
                let count = self.arguments.len().checked_sub(usize::from(values))?;
                let coordinates = self.arguments.get(..count)?;
                // None for a static field, an object for others, an array or a buffer with an index; what else there
                // is goes by its first.
                let known = match coordinates {
                    [(Slot::Ref, ..), (Slot::Int, ..)] => coordinates,
                    [first @ (Slot::Ref, ..), ..] => std::slice::from_ref(first),
                    _ => &[],
                };
                given.extend(known.iter().map(|(slot, _, at)| Value::Local(*slot, *at)));
                return Some(());
            }
        };
        given.push(one);
        Some(())
    }
}

impl ClassWeaver<'_, '_> {
    /// Emits those of the steps that are due; `false` if one does not fit the call.
    pub(super) fn steps<'s>(
        &mut self,
        asm: &mut Asm,
        steps: impl IntoIterator<Item = &'s Step>,
        due: &[Moment],
        values: &Values<'_>,
    ) -> Result<bool, ClassError> {
        let mut all_fit = true;
        for step in steps.into_iter().filter(|s| due.contains(&s.moment)) {
            all_fit &= self.step(asm, step, values)?;
        }
        Ok(all_fit)
    }

    fn step(&mut self, asm: &mut Asm, step: &Step, values: &Values<'_>) -> Result<bool, ClassError> {
        let mut given = Vec::with_capacity(4);
        for operand in &step.operands {
            if values.add(*operand, &mut given).is_none() {
                return Ok(false);
            }
        }
        let (class, name) = match &step.helper {
            Helper::Method { class, name } => (class, name),
            Helper::State { is_write, part } => {
                return self.state_step(asm, *is_write, *part, &given, values);
            }
        };
        // The helpers that users can ask for take nothing but objects.
        let is_object = |value: &Value| !matches!(value, Value::Local(slot, _) if *slot != Slot::Ref);
        if OF_OBJECTS.contains(&class.as_str()) && !given.iter().all(is_object) {
            return Ok(false);
        }
        let mut descriptor = String::with_capacity(96);
        descriptor.push('(');
        for (nth, value) in given.iter().enumerate() {
            self.push(asm, value, values)?;
            descriptor.push_str(type_of(value));
            if nth == 0
                && let Some(condition) = step.condition
                && !self.push_condition(asm, condition, values)?
            {
                asm.op(op::POP);
                asm.op(op::ACONST_NULL);
            }
        }
        descriptor.push_str(if step.keep == Keep::Nothing {
            ")V"
        } else {
            ")Ljava/lang/Object;"
        });
        asm.runtime(class, name, &descriptor, &mut self.edit.pool)?;
        match step.keep {
            Keep::Nothing => {}
            Keep::Token => {
                asm.any_local(op::ASTORE, values.token);
            }
            Keep::Argument(n) => {
                let Some((Slot::Ref, type_name, slot)) = values.arguments.get(usize::from(n)) else {
                    asm.op(op::POP);
                    return Ok(false);
                };
                let class = self.edit.pool.class(class_of(type_name))?;
                asm.pooled(op::CHECKCAST, class).any_local(op::ASTORE, *slot);
            }
        }
        Ok(true)
    }

    fn push(&mut self, asm: &mut Asm, value: &Value, values: &Values<'_>) -> Result<(), ClassError> {
        match value {
            Value::Local(slot, local) => {
                asm.any_local(slot.load(), *local);
            }
            Value::CurrentThread => {
                let method =
                    self.edit
                        .pool
                        .method_ref("java/lang/Thread", "currentThread", "()Ljava/lang/Thread;")?;
                asm.pooled(op::INVOKESTATIC, method);
            }
            Value::MethodName => {
                let name = self.edit.pool.string(values.name)?;
                asm.pooled(op::LDC_W, name);
            }
        }
        Ok(())
    }

    /// Turns the object on the stack into null unless the result is as it should be.
    fn push_condition(
        &mut self,
        asm: &mut Asm,
        condition: Condition,
        values: &Values<'_>,
    ) -> Result<bool, ClassError> {
        let Some((slot, local)) = values.result else {
            return Ok(false);
        };
        let name = match (condition, slot) {
            (Condition::True, Slot::Int) => "isTrue",
            (Condition::False, Slot::Int) => "isFalse",
            (Condition::NonNull, Slot::Ref) => "isThere",
            (Condition::NonZero, Slot::Int | Slot::Long) => "isNotZero",
            (Condition::Natural, Slot::Int | Slot::Long) => "isNatural",
            _ => return Ok(false),
        };
        asm.any_local(slot.load(), local);
        let descriptor = format!(
            "(Ljava/lang/Object;{})Ljava/lang/Object;",
            type_of(&Value::Local(slot, local))
        );
        asm.runtime("When", name, &descriptor, &mut self.edit.pool)?;
        Ok(true)
    }

    fn state_step(
        &mut self,
        asm: &mut Asm,
        is_write: bool,
        part: Option<&str>,
        given: &[Value],
        values: &Values<'_>,
    ) -> Result<bool, ClassError> {
        let [Value::Local(Slot::Ref, container), bounds @ ..] = given else {
            return Ok(false);
        };
        if !bounds.iter().all(|v| matches!(v, Value::Local(Slot::Int, _))) {
            return Ok(false);
        }
        let Some(home) = values.home else {
            return Ok(false);
        };
        if home == Home::Instance {
            asm.op(op::ALOAD_0);
        }
        asm.any_local(op::ALOAD, *container);
        if let Some(name) = part {
            for bound in bounds {
                self.push(asm, bound, values)?;
            }
            let bounds = "I".repeat(bounds.len());
            let descriptor = format!("(Ljava/lang/Object;{bounds})Ljava/lang/Object;");
            asm.runtime("Part", name, &descriptor, &mut self.edit.pool)?;
        }
        match values.sites[usize::from(is_write)] {
            SiteFrom::Nowhere => return Ok(false),
            SiteFrom::Local(slot) => {
                asm.any_local(op::ILOAD, slot);
            }
            SiteFrom::Constant(site) => {
                asm.push_int(site, &mut self.edit.pool)?;
            }
        }
        let method = self.state_path(home)?;
        asm.pooled(home.invoke(), method);
        Ok(true)
    }
}

const OF_OBJECTS: [&str; 6] = ["Sync", "Locks", "Tasks", "Elements", "Views", "Interrupts"];

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Local(Slot::Int, _) => "I",
        Value::Local(Slot::Long, _) => "J",
        Value::Local(Slot::Float, _) => "F",
        Value::Local(Slot::Double, _) => "D",
        Value::MethodName => "Ljava/lang/String;",
        Value::Local(Slot::Ref, _) | Value::CurrentThread => "Ljava/lang/Object;",
    }
}

/// As a CONSTANT_Class names it: `a/B` for `La/B;`, but `[La/B;` as it is.
pub(super) fn class_of(descriptor: &str) -> &str {
    let inner = descriptor.strip_prefix('L').and_then(|d| d.strip_suffix(';'));
    inner.unwrap_or(descriptor)
}
