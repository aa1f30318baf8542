//! Method references to join points. `t::start` is no call but a constant of an `invokedynamic`: the lambda
//! metafactory makes a class that calls `Thread.start` behind our back. The reference is pointed at the hook
//! instead, which makes the call.

use super::ClassWeaver;
use super::asm::{Asm, REF_INVOKE_STATIC, signature};
use super::bridges::{Form, receiver_type, states};
use super::calls;
use super::method::MethodContext;
use crate::code::{ClassError, CodeEdit, Insn, op};
use racewire_model::names;

const METAFACTORY: &str = "java/lang/invoke/LambdaMetafactory";
/// JVMS 4.4.8.
const REF_INVOKE_VIRTUAL: u8 = 5;
const REF_INVOKE_INTERFACE: u8 = 9;
/// `LambdaMetafactory.FLAG_SERIALIZABLE`
const FLAG_SERIALIZABLE: i32 = 1;

impl<'a> ClassWeaver<'_, 'a> {
    pub(super) fn method_ref(
        &mut self,
        context: &mut MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
        insn: &Insn,
    ) -> Result<(), ClassError> {
        let class = self.class;
        let pool = &class.pool;
        let (bootstrap, name, factory) = pool.invoke_dynamic(context.code.u16_at(insn.pc + 1)?)?;
        let Some((handle, arguments)) = class.bootstrap_method(bootstrap)? else {
            return Ok(());
        };
        let metafactory = pool.member_ref(pool.method_handle(handle)?.1)?;
        if metafactory.owner != METAFACTORY {
            return Ok(());
        }
        let Some(&implementation) = arguments.get(1) else {
            return Ok(());
        };
        let (kind, target) = pool.method_handle(implementation)?;
        let instruction = match kind {
            REF_INVOKE_VIRTUAL => op::INVOKEVIRTUAL,
            REF_INVOKE_INTERFACE => op::INVOKEINTERFACE,
            REF_INVOKE_STATIC => op::INVOKESTATIC,
            _ => return Ok(()),
        };
        let reference = target;
        let target = pool.member_ref(reference)?;
        let hooked = calls::model_of(self.program, &target).filter(|_| kind != REF_INVOKE_STATIC);
        let modelled = self.hooked.modelled(class, self.program, reference)?;
        if hooked.is_none() && (modelled.is_none() || !self.can_hold_bridge(&target)) {
            return Ok(());
        }
        let is_alt = metafactory.name == "altMetafactory";
        let serializable = is_alt
            && arguments
                .get(3)
                .is_none_or(|&i| pool.integer(i).is_none_or(|flags| flags & FLAG_SERIALIZABLE != 0));
        if serializable {
            // $deserializeLambda$ compares the implementation's name: another one would not be found again.
            let label = self.label(context.member);
            let what = format!("{label}: a serializable method reference to {}", target.name);
            self.account.unwoven.push(what);
            return Ok(());
        }
        // The metafactory wants a captured value in exactly the type of the implementation's parameter (its
        // "linkage invariants"): the receiver is captured as what the hook takes.
        let hook = match hooked {
            Some(model) => model.hook_descriptor(),
            None if kind == REF_INVOKE_STATIC => target.descriptor.to_string(),
            None => format!(
                "({}{}",
                receiver_type(&target),
                target.descriptor.get(1..).unwrap_or_default()
            ),
        };
        let factory = match signature(&factory).0.first() {
            Some(&(_, captured)) if kind != REF_INVOKE_STATIC => {
                let receiver = signature(&hook).0.first().map_or("", |&(_, receiver)| receiver);
                format!("({receiver}{}", factory.get(1 + captured.len()..).unwrap_or(")V"))
            }
            _ => factory.into_owned(),
        };
        let hook = match (hooked, modelled) {
            (Some(model), _) => {
                let hooks = format!("{}/Hooks", names::RUNTIME_PACKAGE);
                self.edit.pool.method_ref(&hooks, model.name, &hook)?
            }
            (None, Some(model)) => {
                let mut sites = [0; 2];
                for is_write in states(model) {
                    sites[usize::from(is_write)] =
                        self.state_site(context, insn, (reference, &target), is_write)?;
                }
                self.bridge(reference, &target, model, Form::Reference(instruction, sites))?
            }
            (None, None) => return Ok(()),
        };
        let handle_to_hook = self.edit.pool.method_handle(REF_INVOKE_STATIC, hook)?;
        let mut arguments = arguments;
        if let Some(slot) = arguments.get_mut(1) {
            *slot = handle_to_hook;
        }
        let bootstrap = self.edit.add_bootstrap_method(handle, &arguments)?;
        let constant = self.edit.pool.invoke_dynamic(bootstrap, &name, &factory)?;
        let mut asm = Asm::new();
        asm.pooled(op::INVOKEDYNAMIC, constant).op(0).op(0);
        edit.replace(insn.pc, &asm.bytes);
        self.account.method_refs += 1;
        Ok(())
    }
}
