//! Calls of advice as bytecode: straight where nothing has to be tested, by a helper method of the woven class else.

use super::points::{slot, width};
use super::weave::ClassAdvisor;
use super::{Advice, Moment, PREFIX, Source};
use crate::code::{ClassError, CodeBody, ExceptionEntry, access, op, tag};
use crate::weave::asm::{Asm, REF_INVOKE_STATIC};
use racewire_pointcuts::{Case, Value, is_subtype};

const SITE: &str = "Lracewire/api/Site;";

/// A value that an advice may get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    Of(Value),
    Returned,
    Thrown,
}

/// Where the values of a join point are while advice is called: local variable and static type.
#[derive(Debug, Default)]
pub(super) struct Values {
    pub locals: Vec<(Item, u16, String)>,
}

impl Values {
    pub fn get(&self, item: Item) -> Option<(u16, &str)> {
        let found = self.locals.iter().find(|(i, ..)| *i == item);
        found.map(|(_, local, descriptor)| (*local, descriptor.as_str()))
    }
}

/// How one advice is called at one join point.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub advice: usize,
    pub cases: Vec<Case>,
}

/// One way to call it: what to test first (a value, a type, whether it must not be that), then the parameters.
#[derive(Debug)]
struct Plan {
    tests: Vec<(Item, String, bool)>,
    items: Vec<Option<Item>>,
}

/// Where helpers are: as in the built-in weaver, an instance method's are instance methods, so that nobody waits for
/// the initialiser of the class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    Static,
    Instance,
}

impl<'c> ClassAdvisor<'c, '_> {
    /// Emits the call; gives the stack that it needs. `None` if a value that it wants cannot be had here.
    pub(super) fn call(
        &mut self,
        asm: &mut Asm,
        call: &Call,
        values: &Values,
        site: &str,
        home: Home,
    ) -> Result<Option<u16>, ClassError> {
        let all: &'c [Advice] = self.advice;
        let Some(advice) = all.get(call.advice) else {
            return Ok(None);
        };
        let mut plans = Vec::new();
        for case in &call.cases {
            match self.plan(advice, case, values) {
                Some(plan) => plans.push(plan),
                None => return Ok(None),
            }
        }
        let straight = matches!(plans.as_slice(), [plan] if plan.tests.is_empty()) && !advice.guarded;
        if let (true, Some(plan)) = (straight, plans.first()) {
            let stack = self.push_parameters(asm, advice, plan, values, &mut |this, asm| {
                this.push_site(asm, site)
            })?;
            self.invoke(asm, advice)?;
            return Ok(Some(stack));
        }
        let (method, items) = self.helper(call, advice, &plans, values, home)?;
        let mut stack = 2;
        if home == Home::Instance {
            asm.op(op::ALOAD_0);
        }
        for item in items {
            if let Some((local, descriptor)) = values.get(item) {
                asm.any_local(slot(descriptor).load(), local);
                stack += width(descriptor);
            }
        }
        if advice.wants(Source::Site).is_some() {
            self.push_site(asm, site)?;
            stack += 2;
        }
        asm.pooled(
            match home {
                Home::Static => op::INVOKESTATIC,
                Home::Instance => op::INVOKESPECIAL,
            },
            method,
        );
        Ok(Some(stack))
    }

    /// Emits the calls that are due at these moments, in order; gives the stack that they need.
    pub(super) fn due(
        &mut self,
        asm: &mut Asm,
        (calls, moments): (&[Call], &[Moment]),
        values: &Values,
        site: &str,
        home: Home,
    ) -> Result<u16, ClassError> {
        let mut stack = 2;
        for call in calls {
            if moments.contains(&self.moment(call)) {
                stack = stack.max(self.call(asm, call, values, site, home)?.unwrap_or(0));
            }
        }
        Ok(stack)
    }

    fn plan(&self, advice: &Advice, case: &Case, values: &Values) -> Option<Plan> {
        let mut plan = Plan {
            tests: Vec::new(),
            items: Vec::new(),
        };
        for test in &case.tests {
            let item = Item::Of(test.value);
            values.get(item)?;
            plan.tests.push((item, test.descriptor.clone(), test.negated));
        }
        for (source, wanted) in &advice.parameters {
            let item = match source {
                Source::Site => {
                    plan.items.push(None);
                    continue;
                }
                Source::Bound(n) => {
                    let (_, value) = case.bindings.iter().find(|(parameter, _)| parameter == n)?;
                    Item::Of(*value)
                }
                Source::Returned => Item::Returned,
                Source::Thrown => Item::Thrown,
            };
            let (_, has) = values.get(item)?;
            if matches!(item, Item::Returned | Item::Thrown) && !self.fits(has, wanted) {
                if !has.starts_with(['L', '[']) || !wanted.starts_with(['L', '[']) {
                    return None;
                }
                plan.tests.push((item, wanted.clone(), false));
            }
            plan.items.push(Some(item));
        }
        Some(plan)
    }

    /// Whether a value of the one type can be given as one of the other.
    fn fits(&self, has: &str, wanted: &str) -> bool {
        let class = |d: &str| {
            d.strip_prefix('L')
                .and_then(|d| d.strip_suffix(';'))
                .map(str::to_owned)
        };
        if has == wanted
            || wanted == super::points::OBJECT
            || boxed(has).is_some_and(|(b, _)| class(wanted).as_deref() == Some(b))
        {
            return true;
        }
        match (class(has), class(wanted)) {
            (Some(has), Some(wanted)) => is_subtype(self.world, &has, &wanted) == Some(true),
            _ => false,
        }
    }

    fn push_parameters(
        &mut self,
        asm: &mut Asm,
        advice: &Advice,
        plan: &Plan,
        values: &Values,
        site: &mut dyn FnMut(&mut Self, &mut Asm) -> Result<(), ClassError>,
    ) -> Result<u16, ClassError> {
        let mut stack = 0;
        for (item, (_, wanted)) in plan.items.iter().zip(&advice.parameters) {
            let Some(item) = item else {
                site(self, asm)?;
                stack += 2;
                continue;
            };
            let Some((local, has)) = values.get(*item) else {
                continue;
            };
            asm.any_local(slot(has).load(), local);
            stack += width(has).max(width(wanted));
            let pool = &mut self.edit.pool;
            let is_reference = |d: &str| d.starts_with(['L', '[']);
            match (boxed(has), boxed(wanted)) {
                (Some((class, _)), None) => {
                    let method = pool.method_ref(class, "valueOf", &format!("({has})L{class};"))?;
                    asm.pooled(op::INVOKESTATIC, method);
                }
                (None, Some((class, unbox))) => {
                    let method = pool.method_ref(class, unbox, &format!("(){wanted}"))?;
                    asm.pooled(op::INVOKEVIRTUAL, method);
                }
                _ if is_reference(wanted) && has != wanted && wanted != super::points::OBJECT => {
                    let class = pool.class(class_constant(wanted))?;
                    asm.pooled(op::CHECKCAST, class);
                }
                _ => {}
            }
        }
        Ok(stack + 2)
    }

    fn invoke(&mut self, asm: &mut Asm, advice: &Advice) -> Result<(), ClassError> {
        let pool = &mut self.edit.pool;
        let method = pool.method_ref(&advice.class, &advice.method, &advice.descriptor)?;
        asm.pooled(op::INVOKESTATIC, method);
        Ok(())
    }

    /// The site as a constant of the instruction (JVMS 4.4.10), or by a look-up where class files are too old.
    fn push_site(&mut self, asm: &mut Asm, site: &str) -> Result<(), ClassError> {
        let pool = &mut self.edit.pool;
        let text = pool.string(site)?;
        if self.class.major < 51 {
            let name = self.class.name()?;
            asm.class_object(&name, self.class.major, pool)?
                .pooled(op::LDC_W, text);
            asm.runtime(
                "Advice",
                "site",
                &format!("(Ljava/lang/Class;Ljava/lang/String;){SITE}"),
                pool,
            )?;
            return Ok(());
        }
        let bootstrap = pool.method_ref(
            "racewire/rt/Advice",
            "site",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/String;)\
             Ljava/lang/invoke/CallSite;",
        )?;
        let handle = pool.method_handle(REF_INVOKE_STATIC, bootstrap)?;
        let bootstrap = self.edit.add_bootstrap_method(handle, &[text])?;
        let constant = self
            .edit
            .pool
            .invoke_dynamic(bootstrap, "site", &format!("(){SITE}"))?;
        asm.pooled(op::INVOKEDYNAMIC, constant).op(0).op(0);
        Ok(())
    }

    /// A method that makes the tests, keeps the advice from running within itself, and calls it.
    fn helper(
        &mut self,
        call: &Call,
        advice: &Advice,
        plans: &[Plan],
        values: &Values,
        home: Home,
    ) -> Result<(u16, Vec<Item>), ClassError> {
        let mut items: Vec<Item> = Vec::new();
        let tested = plans.iter().flat_map(|p| p.tests.iter().map(|(item, ..)| *item));
        let given = plans.iter().flat_map(|p| p.items.iter().flatten().copied());
        for item in tested.chain(given) {
            if !items.contains(&item) {
                items.push(item);
            }
        }
        let mut inside = Values::default();
        let mut descriptor = String::from("(");
        let mut next = u16::from(home == Home::Instance);
        for item in &items {
            let (_, kind) = values.get(*item).unwrap_or((0, super::points::OBJECT));
            inside.locals.push((*item, next, kind.to_owned()));
            descriptor.push_str(kind);
            next += width(kind);
        }
        let site = next;
        if advice.wants(Source::Site).is_some() {
            descriptor.push_str(SITE);
            next += 1;
        }
        descriptor.push_str(")V");
        let key = format!("{} {home:?} {descriptor} {plans:?}", call.advice);
        if let Some(known) = self.known.get(&key) {
            return Ok((*known, items));
        }
        let mut asm = Asm::new();
        let mut ends = Vec::new();
        let mut ranges = Vec::new();
        let mut frames = Vec::new();
        let mut stack = 4;
        for plan in plans {
            let mut fails = Vec::new();
            for (item, wanted, negated) in &plan.tests {
                let Some((local, _)) = inside.get(*item) else {
                    continue;
                };
                let class = self.edit.pool.class(class_constant(wanted))?;
                asm.any_local(op::ALOAD, local).pooled(op::INSTANCEOF, class);
                fails.push(asm.branch(if *negated { op::IFNE } else { op::IFEQ }));
            }
            if advice.guarded {
                asm.runtime("Advice", "enter", "()Z", &mut self.edit.pool)?;
                ends.push(asm.branch(op::IFEQ));
            }
            let start = asm.len();
            let needs = self.push_parameters(&mut asm, advice, plan, &inside, &mut |_, asm| {
                asm.any_local(op::ALOAD, site);
                Ok(())
            })?;
            stack = stack.max(needs);
            self.invoke(&mut asm, advice)?;
            ranges.push((start, asm.len()));
            if advice.guarded {
                asm.runtime("Advice", "exit", "()V", &mut self.edit.pool)?;
            }
            asm.op(op::RETURN);
            if !fails.is_empty() {
                frames.push((asm.len(), None));
                fails.into_iter().for_each(|at| asm.land(at));
            } else {
                break;
            }
        }
        // Where the last case fails; the frame may be there already.
        if !ends.is_empty() && frames.last().map(|(pc, _)| *pc) != Some(asm.len()) {
            frames.push((asm.len(), None));
        }
        if frames.last().map(|(pc, _)| *pc) == Some(asm.len()) {
            ends.into_iter().for_each(|at| asm.land(at));
            asm.op(op::RETURN);
        }
        let mut exceptions = Vec::new();
        if advice.guarded {
            let handler = asm.len();
            frames.push((handler, Some("java/lang/Throwable")));
            exceptions.extend(ranges.iter().map(|&(start, end)| ExceptionEntry {
                start,
                end,
                handler,
                catch_type: 0,
            }));
            asm.runtime("Advice", "exit", "()V", &mut self.edit.pool)?
                .op(op::ATHROW);
        }
        let method = self.add_method(
            "advice",
            &descriptor,
            home,
            &asm,
            (stack, next),
            &exceptions,
            &frames,
        )?;
        self.known.insert(key, method);
        Ok((method, items))
    }

    /// Adds a private method; frames have the locals of the entry and at most one object on the stack.
    #[expect(clippy::too_many_arguments, reason = "what a method is made of")]
    pub(super) fn add_method(
        &mut self,
        what: &str,
        descriptor: &str,
        home: Home,
        asm: &Asm,
        (max_stack, max_locals): (u16, u16),
        exceptions: &[ExceptionEntry],
        frames: &[(u16, Option<&str>)],
    ) -> Result<u16, ClassError> {
        let name = format!("{PREFIX}{what}${}", self.helpers);
        self.helpers += 1;
        let table = self.frame_table(frames)?;
        let pool = &mut self.edit.pool;
        let (name, descriptor) = (pool.utf8(&name)?, pool.utf8(descriptor)?);
        let code = pool.utf8("Code")?;
        let attributes: Vec<(u16, &[u8])> = table
            .iter()
            .map(|(name, body)| (*name, body.as_slice()))
            .collect();
        let body = CodeBody {
            max_stack,
            max_locals,
            bytecode: &asm.bytes,
            exceptions,
            attributes: &attributes,
        };
        let is_static = if home == Home::Static { access::STATIC } else { 0 };
        let flags = is_static | access::PRIVATE | access::SYNTHETIC;
        let name_and_type = pool.name_and_type_at(name, descriptor)?;
        self.edit.add_code(flags, name, descriptor, (code, body))?;
        // JVMS 5.4.3.4: in an interface it must be an InterfaceMethodref.
        let kind = match self.class.access & access::INTERFACE {
            0 => tag::METHOD_REF,
            _ => tag::INTERFACE_METHOD_REF,
        };
        self.edit
            .pool
            .member_ref_at(kind, self.class.this_class, name_and_type)
    }

    /// JVMS 4.7.4; none where class files have none.
    pub(super) fn frame_table(
        &mut self,
        frames: &[(u16, Option<&str>)],
    ) -> Result<Option<(u16, Vec<u8>)>, ClassError> {
        if self.class.major < 50 || frames.is_empty() {
            return Ok(None);
        }
        let pool = &mut self.edit.pool;
        let mut table = (frames.len() as u16).to_be_bytes().to_vec();
        let mut before = None;
        for (pc, on_stack) in frames {
            let delta = before.map_or(*pc, |before: u16| pc - before - 1);
            before = Some(*pc);
            table.push(if on_stack.is_some() { 247 } else { 251 });
            table.extend_from_slice(&delta.to_be_bytes());
            if let Some(class) = on_stack {
                table.push(7);
                table.extend_from_slice(&pool.class(class)?.to_be_bytes());
            }
        }
        Ok(Some((pool.utf8("StackMapTable")?, table)))
    }
}

/// As a class constant names a type: arrays by their descriptor (JVMS 4.4.1).
pub(super) fn class_constant(descriptor: &str) -> &str {
    descriptor
        .strip_prefix('L')
        .and_then(|d| d.strip_suffix(';'))
        .unwrap_or(descriptor)
}

/// The class that boxes a primitive type, and its method that gives the value back.
fn boxed(descriptor: &str) -> Option<(&'static str, &'static str)> {
    Some(match descriptor {
        "Z" => ("java/lang/Boolean", "booleanValue"),
        "B" => ("java/lang/Byte", "byteValue"),
        "C" => ("java/lang/Character", "charValue"),
        "S" => ("java/lang/Short", "shortValue"),
        "I" => ("java/lang/Integer", "intValue"),
        "J" => ("java/lang/Long", "longValue"),
        "F" => ("java/lang/Float", "floatValue"),
        "D" => ("java/lang/Double", "doubleValue"),
        _ => return None,
    })
}
