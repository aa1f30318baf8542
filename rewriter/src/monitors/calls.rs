//! Advice at field accesses and calls. Their operands wait in local variables while advice runs. Where the end of a call
//! by an exception matters, the call moves to a method of the same class, with the same access rights.

use super::emit::{Call, Home, Item, Values};
use super::points::{Found, slot, width};
use super::weave::{
    ClassAdvisor, CodePlace, bytes_of, is_call, load, needs_operands, store, total_width, values_from,
};
use super::{Moment, Source};
use crate::code::{ClassError, ExceptionEntry, access, op};
use crate::weave::asm::Asm;
use racewire_pointcuts::{Value, is_subtype, method_of};

/// JVMS 4.3.3: a method has at most 255 slots of parameters.
const MOST_SLOTS: u16 = 250;

impl ClassAdvisor<'_, '_> {
    pub(super) fn instruction(
        &mut self,
        place: &mut CodePlace<'_, '_>,
        found: &Found,
        calls: &[Call],
    ) -> Result<(), ClassError> {
        let on_throw = |call: &Call| matches!(self.moment(call), Moment::After | Moment::AfterThrowing);
        if is_call(&found.insn) && calls.iter().any(on_throw) && self.can_move(found) {
            return self.moved_call(place, found, calls);
        }
        let site = self.site(place.shape, place.method.code, found);
        let spills = needs_operands(calls);
        let first = if spills {
            place.scratch(total_width(found) + 2)
        } else {
            0
        };
        let mut values = values_of(found, first, &self.shape.name);
        if !spills {
            values.locals.retain(|(item, ..)| *item == Item::Of(Value::This));
        }
        let mut before = Asm::new();
        if spills {
            store(&mut before, found, first);
        }
        let mut stack = self.due(
            &mut before,
            (calls, &[Moment::Before]),
            &values,
            &site,
            place.home,
        )?;
        if spills {
            load(&mut before, found, first);
        }
        let mut after = Asm::new();
        let ends = [Moment::After, Moment::AfterReturning];
        let gives = |call: &Call| {
            let advice = self.advice.get(call.advice);
            advice.is_some_and(|a| ends.contains(&a.moment) && a.wants(Source::Returned).is_some())
        };
        if let (Some(result), true) = (&found.result, calls.iter().any(gives)) {
            let local = place.scratch(total_width(found) + 2) + total_width(found);
            after.any_local(slot(result).store(), local);
            values.locals.push((Item::Returned, local, result.clone()));
        }
        stack = stack.max(self.due(&mut after, (calls, &ends), &values, &site, place.home)?);
        if let Some((local, result)) = values.get(Item::Returned) {
            after.any_local(slot(result).load(), local);
        }
        if !before.bytes.is_empty() {
            place.edit.insert_before(found.insn.pc, &before.bytes);
        }
        if !after.bytes.is_empty() {
            place.edit.insert_after(found.insn.pc, &after.bytes);
        }
        place.edit.grow_stack(stack + 2);
        Ok(())
    }

    /// Whether another method of the class may make the call.
    fn can_move(&self, found: &Found) -> bool {
        if found.name == "<init>" || total_width(found) > MOST_SLOTS {
            return false;
        }
        let Some((declaring, method)) = method_of(self.world, &found.owner, &found.name, &found.descriptor)
        else {
            return true;
        };
        // JVMS 4.10.1.8: a protected method of another package is called on objects of the own class only, and a
        // parameter would show less than that.
        let package = |name: &str| name.rsplit_once('/').map_or(String::new(), |(p, _)| p.to_owned());
        method.access & access::PROTECTED == 0
            || package(&declaring.name) == package(&self.shape.name)
            || is_subtype(self.world, &found.owner, &self.shape.name) == Some(true)
    }

    fn moved_call(
        &mut self,
        place: &mut CodePlace<'_, '_>,
        found: &Found,
        calls: &[Call],
    ) -> Result<(), ClassError> {
        let site = self.site(place.shape, place.method.code, found);
        // A static method gets `this` as one more parameter.
        let extra = u16::from(found.has_this);
        let mut descriptor = String::from("(");
        if found.has_this && place.home == Home::Static {
            descriptor.push_str(&format!("L{};", self.shape.name));
        }
        for (_, kind) in &found.operands {
            descriptor.push_str(kind);
        }
        descriptor.push(')');
        descriptor.push_str(found.result.as_deref().unwrap_or("V"));
        let mut invoke = Asm::new();
        load(&mut invoke, found, extra);
        invoke
            .bytes
            .extend_from_slice(bytes_of(place.method.code, &found.insn));
        let values = values_of(found, extra, &self.shape.name);
        let next = extra + total_width(found);
        let around = self.around(
            calls,
            values,
            &invoke,
            (next, found.result.as_deref()),
            &site,
            place.home,
        )?;
        let frames = [(around.handler, Some("java/lang/Throwable"))];
        let sizes = (around.stack + total_width(found), next + 3);
        let method = self.add_method(
            "call",
            &descriptor,
            place.home,
            &around.asm,
            sizes,
            &around.exceptions,
            &frames,
        )?;
        let first = place.scratch(total_width(found) + 2);
        let mut asm = Asm::new();
        store(&mut asm, found, first);
        if found.has_this {
            asm.op(op::ALOAD_0);
        }
        load(&mut asm, found, first);
        asm.pooled(
            match place.home {
                Home::Static => op::INVOKESTATIC,
                Home::Instance => op::INVOKESPECIAL,
            },
            method,
        );
        place.edit.replace(found.insn.pc, &asm.bytes);
        place.edit.grow_stack(2);
        Ok(())
    }

    /// The code of a method that does something with advice before it and after it, however it ends. Local variables from
    /// `next` on are free; what is done leaves a `result`.
    pub(super) fn around(
        &mut self,
        calls: &[Call],
        mut values: Values,
        done: &Asm,
        (next, result): (u16, Option<&str>),
        site: &str,
        home: Home,
    ) -> Result<Around, ClassError> {
        let mut asm = Asm::new();
        let mut stack = self.due(&mut asm, (calls, &[Moment::Before]), &values, site, home)?;
        let start = asm.len();
        asm.bytes.extend_from_slice(&done.bytes);
        let end = asm.len();
        if let Some(result) = result {
            asm.any_local(slot(result).store(), next);
            values.locals.push((Item::Returned, next, result.to_owned()));
        }
        let ends = [Moment::After, Moment::AfterReturning];
        stack = stack.max(self.due(&mut asm, (calls, &ends), &values, site, home)?);
        match result {
            Some(result) => asm.any_local(slot(result).load(), next).op(slot(result).ret()),
            None => asm.op(op::RETURN),
        };
        values.locals.retain(|(item, ..)| *item != Item::Returned);
        let handler = asm.len();
        asm.any_local(op::ASTORE, next);
        values
            .locals
            .push((Item::Thrown, next, "Ljava/lang/Throwable;".to_owned()));
        let throws = [Moment::After, Moment::AfterThrowing];
        stack = stack.max(self.due(&mut asm, (calls, &throws), &values, site, home)?);
        asm.any_local(op::ALOAD, next).op(op::ATHROW);
        Ok(Around {
            exceptions: vec![ExceptionEntry {
                start,
                end,
                handler,
                catch_type: 0,
            }],
            stack: stack + 2 + result.map_or(1, width),
            asm,
            handler,
        })
    }
}

pub(super) struct Around {
    pub asm: Asm,
    pub stack: u16,
    pub exceptions: Vec<ExceptionEntry>,
    pub handler: u16,
}

/// With the static type of `this`.
pub(super) fn values_of(found: &Found, first: u16, class: &str) -> Values {
    let mut values = values_from(found, first);
    for (item, _, descriptor) in &mut values.locals {
        if *item == Item::Of(Value::This) {
            *descriptor = format!("L{class};");
        }
    }
    values
}
