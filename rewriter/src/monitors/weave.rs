//! Weaving the advice of monitors into one class, in three passes, each from class bytes to class bytes:
//! synchronized methods whose locks are observed get their locks as instructions ([`super::synchronized`]), methods whose
//! end is observed get a wrapper ([`super::executions`]), and then every other join point is woven where it stands.

use super::emit::{Call, Home, Item, Values};
use super::points::{Found, MethodCode, width};
use super::{Advice, Moment, PREFIX, executions, synchronized};
use crate::code::{Class, ClassEdit, ClassError, Code, CodeEdit, Insn, access, op, this_stays_in_slot_0};
use crate::shapes;
use crate::weave::asm::Asm;
use racewire_model::names::dotted;
use racewire_pointcuts::{
    Case, JoinPoint, Kind, MemberShape, Shape, Value, World, field_of, matches, method_of,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What all classes are woven with.
pub struct Weaving<'w> {
    pub world: &'w dyn World,
    pub advice: &'w [Advice],
}

/// What came of one class.
#[derive(Debug, Default)]
pub struct Account {
    /// Join points with advice, by kind.
    pub points: FxHashMap<Kind, u64>,
    /// `com.acme.Foo.bar(I)V: cause`
    pub unwoven: Vec<String>,
}

/// A join point that an expression matches, for those who only want to know.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Match {
    pub class: String,
    pub method: String,
    pub file: Option<String>,
    pub line: u16,
    pub kind: Kind,
    /// `com.acme.Bank.total`; empty for locks.
    pub member: String,
    pub is_constructor: bool,
    /// Whether a run-time test is left.
    pub tested: bool,
}

/// One pass over a class, which sees what the passes before it made of the class.
type Pass = fn(&mut ClassAdvisor<'_, '_>) -> Result<(), ClassError>;

/// `shared` says of an access (method, pc) whether two threads may share what it touches.
pub fn weave(
    weaving: &Weaving<'_>,
    bytes: &[u8],
    shared: &dyn Fn(usize, u32) -> bool,
) -> Result<(Option<Vec<u8>>, Account), ClassError> {
    let shape = Arc::new(shapes::shape_of(&Class::parse(bytes)?)?);
    let mut account = Account::default();
    if shape.is_interface() && Class::parse(bytes)?.major < 52 {
        // JVMS 4.6: no place for helper methods, and no code but the initialiser of constants.
        return Ok((None, account));
    }
    let mut woven: Option<Vec<u8>> = None;
    let mut wrapped = BTreeSet::new();
    let passes: [Pass; 3] = [synchronized::open_locks, executions::wrap, |advisor| {
        advisor.every_method()
    }];
    for pass in passes {
        let class = Class::parse(woven.as_deref().unwrap_or(bytes))?;
        let mut advisor = ClassAdvisor::new(weaving, &class, shape.clone(), shared)?;
        advisor.wrapped = std::mem::take(&mut wrapped);
        pass(&mut advisor)?;
        let ClassAdvisor {
            edit, account: more, ..
        } = advisor;
        wrapped = advisor.wrapped;
        for (kind, n) in more.points {
            *account.points.entry(kind).or_default() += n;
        }
        account.unwoven.extend(more.unwoven);
        if !edit.is_empty() {
            woven = Some(edit.finish()?);
        }
    }
    Ok((woven, account))
}

/// The join points of a class that the first advice matches.
pub fn matched(
    weaving: &Weaving<'_>,
    bytes: &[u8],
    shared: &dyn Fn(usize, u32) -> bool,
) -> Result<Vec<(usize, Match)>, ClassError> {
    let class = Class::parse(bytes)?;
    let shape = Arc::new(shapes::shape_of(&class)?);
    let advisor = ClassAdvisor::new(weaving, &class, shape.clone(), shared)?;
    let mut all = Vec::new();
    for index in 0..class.methods.len() {
        advisor.matches_in(index, &mut all)?;
    }
    Ok(all)
}

pub(super) struct ClassAdvisor<'c, 'a> {
    pub class: &'c Class<'a>,
    /// Of the class as it was.
    pub shape: Arc<Shape>,
    pub world: &'c dyn World,
    pub advice: &'c [Advice],
    pub edit: ClassEdit<'c, 'a>,
    /// Helpers by what they do.
    pub known: FxHashMap<String, u16>,
    /// Numbers them.
    pub helpers: usize,
    pub account: Account,
    /// The methods that are only wrappers by now: there is nothing of the source in them.
    pub wrapped: BTreeSet<usize>,
    source: String,
    shared: &'c dyn Fn(usize, u32) -> bool,
}

impl<'c, 'a> ClassAdvisor<'c, 'a> {
    fn new(
        weaving: &Weaving<'c>,
        class: &'c Class<'a>,
        shape: Arc<Shape>,
        shared: &'c dyn Fn(usize, u32) -> bool,
    ) -> Result<ClassAdvisor<'c, 'a>, ClassError> {
        Ok(ClassAdvisor {
            class,
            shape,
            world: weaving.world,
            advice: weaving.advice,
            edit: ClassEdit::new(class),
            known: FxHashMap::default(),
            // Beyond all helpers of earlier passes, and of weavings before this one.
            helpers: class.methods.len(),
            account: Account::default(),
            wrapped: BTreeSet::new(),
            source: class.source_file().unwrap_or_default(),
            shared,
        })
    }

    /// The number that the method had in the source: bodies that were moved carry it in their names.
    fn origin(&self, index: usize) -> Result<usize, ClassError> {
        let Some(member) = self.class.methods.get(index) else {
            return Ok(index);
        };
        let name = member.name(&self.class.pool)?;
        let moved = name
            .strip_prefix(PREFIX)
            .and_then(|rest| rest.strip_prefix("body$"));
        let number = moved.and_then(|rest| rest.split('$').next()?.parse().ok());
        Ok(number.unwrap_or(index))
    }

    pub(super) fn code_shape(&self, index: usize) -> Result<Option<MemberShape>, ClassError> {
        let origin = self.origin(index)?;
        Ok(self.shape.methods.get(origin).cloned())
    }

    /// All advice for a join point.
    pub(super) fn calls_at(
        &self,
        code: &MemberShape,
        index: usize,
        found: &Found,
    ) -> Result<Vec<Call>, ClassError> {
        let own = format!("L{};", self.shape.name);
        let origin = self.origin(index)?;
        let operand = |wanted: Value| {
            let found = found.operands.iter().find(|(value, _)| *value == wanted);
            found.map(|(_, descriptor)| descriptor.as_str())
        };
        let is_execution = found.kind == Kind::Execution;
        let this = found.has_this.then_some(own.as_str());
        let may_be_shared = || (self.shared)(origin, found.insn.pc);
        let args = found
            .operands
            .iter()
            .filter(|(value, _)| matches!(value, Value::Arg(_)));
        let point = JoinPoint {
            kind: found.kind,
            within: &self.shape,
            code,
            owner: &found.owner,
            name: &found.name,
            descriptor: &found.descriptor,
            this,
            target: if is_execution {
                this
            } else {
                operand(Value::Target)
            },
            args: args.map(|(_, descriptor)| descriptor.as_str()).collect(),
            may_be_shared: &may_be_shared,
        };
        let mut calls = Vec::new();
        for (nth, advice) in self.advice.iter().enumerate() {
            let cases = matches(&advice.expr, &point, self.world);
            if !cases.is_empty() {
                calls.push(Call { advice: nth, cases });
            }
        }
        Ok(calls)
    }

    pub(super) fn moment(&self, call: &Call) -> Moment {
        self.advice.get(call.advice).map_or(Moment::Before, |a| a.moment)
    }

    /// Bridge methods are the compiler's, and helpers ours.
    fn is_source(&self, index: usize) -> Result<bool, ClassError> {
        const BRIDGE: u16 = 0x0040;
        let Some(member) = self.class.methods.get(index) else {
            return Ok(false);
        };
        let is_bridge = member.access & BRIDGE != 0 && member.access & access::SYNTHETIC != 0;
        let name = member.name(&self.class.pool)?;
        let is_helper = name.starts_with(PREFIX) && !name.starts_with(&format!("{PREFIX}body$"));
        Ok(!is_bridge && !is_helper)
    }

    fn every_method(&mut self) -> Result<(), ClassError> {
        for index in 0..self.class.methods.len() {
            if !self.is_source(index)? || self.wrapped.contains(&index) {
                continue;
            }
            match self.method(index) {
                Ok(()) => {}
                Err(
                    cause @ (ClassError::CodeTooLarge { .. }
                    | ClassError::NeedsFrame { .. }
                    | ClassError::TooMany { .. }),
                ) => {
                    let label = self.label(index)?;
                    self.account.unwoven.push(format!("{label}: {cause}"));
                }
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    fn label(&self, index: usize) -> Result<String, ClassError> {
        let shape = self.code_shape(index)?.unwrap_or_default();
        Ok(format!(
            "{}.{}{}",
            dotted(&self.shape.name),
            shape.name,
            shape.descriptor
        ))
    }

    fn method(&mut self, index: usize) -> Result<(), ClassError> {
        let class = self.class;
        let (Some(member), Some(shape)) = (class.methods.get(index), self.code_shape(index)?) else {
            return Ok(());
        };
        let Some(body) = class.attribute(&member.attributes, "Code") else {
            return Ok(());
        };
        let code = Code::parse(body, &class.pool)?;
        let insns = code.instructions()?;
        let this_in_slot_0 = this_stays_in_slot_0(class, member, &code)?;
        let method = MethodCode {
            class,
            member,
            code: &code,
            insns: &insns,
            this_in_slot_0,
        };
        let found = method.found(self.world)?;
        let mut points = Vec::new();
        for found in found {
            let calls = self.calls_at(&shape, index, &found)?;
            if !calls.is_empty() {
                points.push((found, calls));
            }
        }
        let beginning = executions::beginning(self, &method, index, &shape)?;
        if points.is_empty() && beginning.is_none() {
            return Ok(());
        }
        let home = if this_in_slot_0 && shape.name != "<init>" && class.major >= 49 {
            Home::Instance
        } else {
            Home::Static
        };
        let mut place = CodePlace {
            edit: CodeEdit::new(&code, class),
            method: &method,
            shape: &shape,
            home,
            scratch: (0, 0),
        };
        if let Some(beginning) = beginning {
            executions::weave_beginning(self, &mut place, beginning)?;
        }
        for (found, calls) in &points {
            match found.kind {
                Kind::Lock | Kind::Unlock => self.lock_point(&mut place, found, calls)?,
                _ => self.instruction(&mut place, found, calls)?,
            }
        }
        if !place.edit.is_empty() {
            self.edit.edit_method(index, place.edit)?;
            for (found, _) in &points {
                *self.account.points.entry(found.kind).or_default() += 1;
            }
        }
        Ok(())
    }

    fn matches_in(&self, index: usize, all: &mut Vec<(usize, Match)>) -> Result<(), ClassError> {
        let class = self.class;
        let (Some(member), Some(shape)) = (class.methods.get(index), self.code_shape(index)?) else {
            return Ok(());
        };
        let body = class.attribute(&member.attributes, "Code");
        let (Some(body), true) = (body, self.is_source(index)?) else {
            return Ok(());
        };
        let code = Code::parse(body, &class.pool)?;
        let insns = code.instructions()?;
        let method = MethodCode {
            class,
            member,
            code: &code,
            insns: &insns,
            this_in_slot_0: this_stays_in_slot_0(class, member, &code)?,
        };
        let mut points = method.found(self.world)?;
        points.extend(executions::found(&method, &shape)?);
        if member.access & access::SYNCHRONIZED != 0 {
            points.extend(synchronized::found(&self.shape, &shape));
        }
        for found in points {
            for call in self.calls_at(&shape, index, &found)? {
                let member = if found.owner.is_empty() {
                    String::new()
                } else {
                    format!("{}.{}", dotted(&found.owner), found.name)
                };
                let one = Match {
                    class: self.shape.name.clone(),
                    method: shape.name.clone(),
                    file: class.source_file(),
                    line: code.line_at(found.insn.pc),
                    kind: found.kind,
                    is_constructor: found.name == "<init>",
                    member,
                    tested: call.cases.iter().all(|case| !case.tests.is_empty()),
                };
                all.push((call.advice, one));
            }
        }
        Ok(())
    }

    /// What the advice is told about the place; see `racewire.api.Site`.
    pub(super) fn site(&self, place: &MemberShape, code: &Code<'_>, found: &Found) -> String {
        let declared = match found.kind {
            Kind::Get | Kind::Set => field_of(self.world, &found.owner, &found.name, &found.descriptor),
            Kind::Call | Kind::Execution => {
                method_of(self.world, &found.owner, &found.name, &found.descriptor)
            }
            Kind::Lock | Kind::Unlock => None,
        };
        let owner = declared.map_or_else(|| found.owner.clone(), |(class, _)| class.name.clone());
        [
            found.kind.name(found.name == "<init>"),
            &self.source,
            &code.line_at(found.insn.pc).to_string(),
            &place.name,
            &dotted(&owner),
            &found.name,
            &found.descriptor,
        ]
        .join("\t")
    }
}

/// A method while it is woven.
pub(super) struct CodePlace<'p, 'a> {
    pub edit: CodeEdit<'p, 'a>,
    pub method: &'p MethodCode<'p, 'a>,
    pub shape: &'p MemberShape,
    pub home: Home,
    /// First local variable for values on their way, and how many there are.
    scratch: (u16, u16),
}

impl CodePlace<'_, '_> {
    /// So many local variables in a row, free until the next instruction.
    pub fn scratch(&mut self, wanted: u16) -> u16 {
        let (first, size) = self.scratch;
        if wanted > size {
            let more = self.edit.grow_locals(wanted - size);
            if size > 0 && more == first + size {
                self.scratch = (first, wanted);
            } else {
                // Others have taken what lies behind; what was asked for is too few by now.
                let rest = if size > 0 {
                    self.edit.grow_locals(size)
                } else {
                    more
                };
                self.scratch = (more.min(rest), wanted);
            }
        }
        self.scratch.0
    }
}

/// Whether advice wants to know a value of the stack.
pub(super) fn needs_operands(calls: &[Call]) -> bool {
    let of_case = |case: &Case| {
        let tested = case.tests.iter().map(|t| t.value);
        let bound = case.bindings.iter().map(|(_, value)| *value);
        tested.chain(bound).any(|value| value != Value::This)
    };
    calls.iter().any(|call| call.cases.iter().any(of_case))
}

/// Where the operands are once they are in local variables from `first` on.
pub(super) fn values_from(found: &Found, first: u16) -> Values {
    let mut values = Values::default();
    if found.has_this {
        // Its static type is the class's own, which needs no test.
        values.locals.push((Item::Of(Value::This), 0, String::new()));
    }
    let mut next = first;
    for (value, descriptor) in &found.operands {
        values.locals.push((Item::Of(*value), next, descriptor.clone()));
        next += width(descriptor);
    }
    values
}

/// The instruction at hand, copied: its opcode and operands.
pub(super) fn bytes_of<'a>(code: &Code<'a>, insn: &Insn) -> &'a [u8] {
    let start = insn.pc as usize;
    code.bytecode
        .get(start..start + insn.len as usize)
        .unwrap_or_default()
}

/// Stores operands into local variables from `first` on, the last one first.
pub(super) fn store(asm: &mut Asm, found: &Found, first: u16) {
    let mut end = first + total_width(found);
    for (_, descriptor) in found.operands.iter().rev() {
        end -= width(descriptor);
        asm.any_local(super::points::slot(descriptor).store(), end);
    }
}

pub(super) fn load(asm: &mut Asm, found: &Found, first: u16) {
    let mut next = first;
    for (_, descriptor) in &found.operands {
        asm.any_local(super::points::slot(descriptor).load(), next);
        next += width(descriptor);
    }
}

pub(super) fn total_width(found: &Found) -> u16 {
    found.operands.iter().map(|(_, d)| width(d)).sum()
}

/// Whether the instruction calls a method.
pub(super) fn is_call(insn: &Insn) -> bool {
    (op::INVOKEVIRTUAL..=op::INVOKEINTERFACE).contains(&insn.op)
}
