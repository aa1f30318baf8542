//! From facts to numbers: the mirror image of [`super::read`].

use super::units::{put, put_list, put_option};
use super::{Field, HEAD, Member, Name, PARTS, Packed, Rare, flag, head, part};
use crate::facts::{
    Access, CallKind, ClassFacts, Cover, Element, Lambda, MethodFacts, Node, Op, OpId, Owner, Str, Uses,
};
use crate::world::SharedNames;
use std::cell::RefCell;

impl Packed {
    /// In a box: those of a whole program are moved several times before they are one list.
    pub fn of(facts: &ClassFacts, names: &SharedNames) -> Box<Packed> {
        thread_local! {
            static PACKER: RefCell<Packer> = RefCell::default();
        }
        Box::new(PACKER.with_borrow_mut(|packer| packer.class(facts, names)))
    }
}

/// Memory that is used again for every class.
#[derive(Default)]
struct Packer {
    units: Vec<u8>,
    /// Of one method, all that follows its head.
    parts: Vec<u8>,
    ops: Vec<u8>,
    uses: Vec<u8>,
    /// Accesses, then elements.
    rest: Vec<u8>,
    list: Vec<u8>,
    /// Where each operation of the method stands.
    places: Vec<u32>,
    /// The strings of the class that are still asked for by number when the world has been made, and by string its place
    /// among them.
    listed: Vec<Str>,
    place_of: Vec<u32>,
    /// By string: its number among all names, if somebody has asked.
    numbers: Vec<Name>,
}

/// No number yet.
const NONE: u32 = u32::MAX;

impl Packer {
    fn class(&mut self, facts: &ClassFacts, names: &SharedNames) -> Packed {
        self.units.clear();
        self.listed.clear();
        for by_string in [&mut self.place_of, &mut self.numbers] {
            by_string.clear();
            by_string.resize(facts.strings.len(), NONE);
        }
        let mut methods = Vec::with_capacity(facts.methods.len());
        let (mut finds, mut finds_types) = (facts.finds.clone(), facts.finds_types.clone());
        for name in finds.iter_mut().map(|(.., name)| name) {
            *name = self.listed(*name);
        }
        for name in finds_types.iter_mut().flat_map(|(.., types)| types) {
            *name = self.listed(*name);
        }
        for (index, method) in (0..).zip(&facts.methods) {
            methods.push(self.units.len() as u32);
            self.method(method);
            let own = finds.iter_mut().filter(|(method, ..)| *method == index);
            own.for_each(|(_, op, _)| *op = self.place(*op));
            let own = finds_types.iter_mut().filter(|(method, ..)| *method == index);
            own.for_each(|(_, op, _)| *op = self.place(*op));
        }
        let lambdas: Box<[Lambda]> = facts.lambdas.iter().map(|lambda| self.lambda(lambda)).collect();
        let is_rare = !(lambdas.is_empty() && finds.is_empty() && finds_types.is_empty());
        let rare = is_rare.then(|| Rare {
            lambdas,
            finds: finds.into(),
            finds_types: finds_types.into(),
        });
        let numbers = &mut self.numbers;
        let mut number = |string: Str| match numbers.get_mut(string as usize) {
            Some(number) if *number == NONE => {
                *number = names.number(facts.strings.get(string as usize).unwrap_or_default());
                *number
            }
            known => known.copied().unwrap_or_default(),
        };
        let mut strings: Vec<Name> = self.listed.iter().map(|string| number(*string)).collect();
        let first_interface = strings.len() as u32;
        strings.extend(facts.interfaces.iter().map(|interface| number(*interface)));
        let first_constant = strings.len() as u32;
        // What is asked of constants is whether a member has that name, and those of members have no such characters
        // (JVMS 4.2.2): the other constants are names of classes.
        let of_member = |constant: &&Str| {
            let text = facts.strings.get(**constant as usize).unwrap_or_default();
            !text.contains(['.', '/', ';', '['])
        };
        let constants = facts.constants.iter().filter(of_member);
        strings.extend(constants.map(|constant| number(*constant)));
        Packed {
            strings: strings.into(),
            first_interface,
            first_constant,
            members: facts
                .members
                .iter()
                .map(|member| Member {
                    owner: number(member.owner),
                    name: number(member.name),
                    descriptor: number(member.descriptor),
                })
                .collect(),
            name: number(facts.name),
            superclass: facts.superclass.map(&mut number),
            access: facts.access,
            fields: facts
                .fields
                .iter()
                .map(|field| Field {
                    name: number(field.name),
                    descriptor: number(field.descriptor),
                    access: field.access,
                    annotated: field.annotated,
                })
                .collect(),
            names: facts
                .methods
                .iter()
                .map(|method| (number(method.name), number(method.descriptor)))
                .collect(),
            methods: methods.into(),
            units: self.units.as_slice().into(),
            rare: rare.map(Box::new),
        }
    }

    /// The place of a string among those that are listed.
    fn listed(&mut self, string: Str) -> Str {
        let next = self.listed.len() as Str;
        match self.place_of.get_mut(string as usize) {
            Some(place) if *place == NONE => {
                self.listed.push(string);
                *place = next;
                next
            }
            // One that the class does not have is none here either.
            known => known.copied().unwrap_or(NONE),
        }
    }

    fn lambda(&mut self, lambda: &Lambda) -> Lambda {
        let mut lambda = lambda.clone();
        let names = [&mut lambda.interface, &mut lambda.name].into_iter();
        for name in names.chain(&mut lambda.markers).chain(&mut lambda.descriptors) {
            *name = self.listed(*name);
        }
        lambda
    }

    fn method(&mut self, facts: &MethodFacts) {
        self.ops(&facts.ops);
        let mut parts = std::mem::take(&mut self.parts);
        parts.clear();
        let mut ends = [0; PARTS];
        parts.extend_from_slice(&self.ops);
        ends[part::OPS] = parts.len();
        let parameters = facts.parameters.iter();
        parameters.for_each(|parameter| put_option(&mut parts, *parameter));
        ends[part::PARAMETERS] = parts.len();
        self.rest.clear();
        put(&mut self.rest, facts.parameter_uses.len() as u32);
        facts.parameter_uses.iter().for_each(|uses| self.put_uses(uses));
        parts.extend_from_slice(&self.rest);
        ends[part::PARAMETER_USES] = parts.len();
        parts.extend_from_slice(&self.uses);
        ends[part::USES] = parts.len();
        self.rest.clear();
        facts.accesses.iter().for_each(|access| self.access(access));
        parts.extend_from_slice(&self.rest);
        ends[part::ACCESSES] = parts.len();
        self.rest.clear();
        facts.elements.iter().for_each(|element| self.element(element));
        parts.extend_from_slice(&self.rest);
        ends[part::ELEMENTS] = parts.len();
        self.head(facts, ends);
        self.units.extend_from_slice(&parts);
        self.parts = parts;
    }

    fn head(&mut self, facts: &MethodFacts, ends: [usize; PARTS]) {
        let mut head = [0; HEAD];
        head[0] = facts.nodes;
        head[1] = facts.returned.map_or(0, |node| node.saturating_add(1));
        let mut start = 0;
        for (length, end) in head[2..].iter_mut().zip(ends) {
            *length = (end - start) as u32;
            start = end;
        }
        let largest = head.iter().fold(0, |largest, number| largest | *number);
        let width = match largest {
            0..=0xff => 0,
            0x100..=0xffff => flag::SHORT,
            _ => flag::LONG,
        };
        self.units.extend(facts.access.to_le_bytes());
        self.units.push(
            flag_if(facts.annotated, flag::ANNOTATED)
                | flag_if(facts.has_body, flag::HAS_BODY)
                | flag_if(facts.failed, flag::FAILED)
                | flag_if(facts.releases, flag::RELEASES)
                | width,
        );
        match width {
            0 => self.units.extend(head.iter().map(|number| *number as u8)),
            flag::SHORT => {
                let bytes = head.iter().flat_map(|number| (*number as u16).to_le_bytes());
                self.units.extend(bytes);
            }
            _ => self
                .units
                .extend(head.iter().flat_map(|number| number.to_le_bytes())),
        }
    }

    /// A call may be named before it comes: what names calls stands behind all operations, in `uses`.
    fn ops(&mut self, ops: &[Op]) {
        self.ops.clear();
        self.uses.clear();
        self.places.clear();
        let mut naming: Vec<(usize, &Uses)> = Vec::new();
        for op in ops {
            self.places.push(self.ops.len() as u32);
            let head = self.op(op);
            self.ops.push(head);
            match u8::try_from(self.list.len()) {
                Ok(length) if length < head::LONG => self.ops.push(length),
                _ => {
                    self.ops.push(head::LONG);
                    self.ops.extend((self.list.len() as u32).to_le_bytes());
                }
            }
            if let Op::New { uses, .. } | Op::Lambda { uses, .. } = op {
                naming.push((self.ops.len(), uses));
            }
            self.ops.extend_from_slice(&self.list);
        }
        for (at, uses) in naming {
            let place = self.uses.len() as u32;
            if let Some(slot) = self.ops.get_mut(at..at + 4) {
                slot.copy_from_slice(&place.to_le_bytes());
            }
            self.rest.clear();
            self.put_uses(uses);
            self.uses.extend_from_slice(&self.rest);
        }
    }

    /// Puts an operation into `list`, but for its head.
    fn op(&mut self, op: &Op) -> u8 {
        let named = match op {
            Op::New { class: name, .. } | Op::Unknown { bootstrap: name, .. } => self.listed(*name),
            _ => NONE,
        };
        let out = &mut self.list;
        out.clear();
        match op {
            Op::New { node, in_loop, .. } => {
                // Four bytes, whatever the place of its uses will be.
                out.extend([0; 4]);
                put_all(out, &[*node, named]);
                head::NEW | flag_if(*in_loop, head::IN_LOOP)
            }
            Op::Lambda {
                node,
                lambda,
                captured,
                in_loop,
                ..
            } => {
                out.extend([0; 4]);
                put_all(out, &[*node, *lambda]);
                captured.iter().for_each(|node| put_option(out, *node));
                head::LAMBDA | flag_if(*in_loop, head::IN_LOOP)
            }
            Op::Load { base, field, to } => plain(out, head::LOAD, &[*base, *field, *to]),
            Op::Store { base, field, from } => plain(out, head::STORE, &[*base, *field, *from]),
            Op::LoadStatic { field, to } => plain(out, head::LOAD_STATIC, &[*field, *to]),
            Op::StoreStatic { field, from } => plain(out, head::STORE_STATIC, &[*field, *from]),
            Op::LoadElement { base, to } => plain(out, head::LOAD_ELEMENT, &[*base, *to]),
            Op::StoreElement { base, from } => plain(out, head::STORE_ELEMENT, &[*base, *from]),
            Op::Call(call) => {
                put(out, call.target);
                put_option(out, call.result);
                call.arguments.iter().for_each(|node| put_option(out, *node));
                let kind = match call.kind {
                    CallKind::Virtual => head::VIRTUAL,
                    CallKind::Interface => head::INTERFACE,
                    CallKind::Special => head::SPECIAL,
                    CallKind::Static => head::STATIC,
                };
                kind | flag_if(call.in_loop, head::IN_LOOP)
            }
            Op::Describe { nodes } => plain(out, head::DESCRIBE, nodes),
            Op::Unknown { nodes, .. } => {
                put(out, named);
                plain(out, head::UNKNOWN, nodes)
            }
        }
    }

    fn put_uses(&mut self, uses: &Uses) {
        match uses {
            Uses::Leaked => put(&mut self.rest, 0),
            Uses::Calls { calls, again } => {
                self.passed(calls);
                let length = self.list.len() as u32;
                put(&mut self.rest, 1 + u32::from(*again) + 2 * length);
                self.rest.extend_from_slice(&self.list);
            }
        }
    }

    fn access(&mut self, access: &Access) {
        let proofs = &access.proofs;
        let acquires = proofs.covered.as_ref().is_some_and(|cover| cover.acquires);
        self.rest.push(
            flag_if(access.write, flag::WRITE)
                | flag_if(proofs.owned.is_some(), flag::OWNED)
                | flag_if(proofs.is_this, flag::IS_THIS)
                | flag_if(proofs.updated, flag::UPDATED)
                | flag_if(proofs.covered.is_some(), flag::COVERED)
                | flag_if(acquires, flag::ACQUIRES),
        );
        put(&mut self.rest, access.pc);
        put(&mut self.rest, access.field);
        put_option(&mut self.rest, access.base);
        self.owned(proofs.owned.as_deref());
        if let Some(cover) = &proofs.covered {
            self.cover(cover);
        }
    }

    fn cover(&mut self, cover: &Cover) {
        let calls: Vec<OpId> = cover.calls.iter().map(|op| self.place(*op)).collect();
        for numbers in [&cover.by, &calls, &cover.elsewhere] {
            self.list.clear();
            put_all(&mut self.list, numbers);
            put_list(&mut self.rest, &self.list);
        }
    }

    fn element(&mut self, element: &Element) {
        let owner: u8 = match element.owner {
            Owner::Itself => 0,
            Owner::Holder => 1,
            Owner::This => 2,
            Owner::Kept => 3,
        };
        self.rest.push(
            flag_if(element.write, flag::WRITE)
                | flag_if(element.owned.is_some(), flag::OWNED)
                | owner << flag::OWNER,
        );
        put(&mut self.rest, element.pc);
        put(&mut self.rest, element.array);
        self.owned(element.owned.as_deref());
    }

    fn owned(&mut self, owned: Option<&[(OpId, u8)]>) {
        if let Some(owned) = owned {
            self.passed(owned);
            put_list(&mut self.rest, &self.list);
        }
    }

    fn passed(&mut self, calls: &[(OpId, u8)]) {
        self.list.clear();
        for &(op, argument) in calls {
            let place = self.place(op);
            put(&mut self.list, place);
            self.list.push(argument);
        }
    }

    /// One that is not there is nowhere here either.
    fn place(&self, op: OpId) -> OpId {
        self.places.get(op as usize).copied().unwrap_or(OpId::MAX)
    }
}

fn flag_if(is_set: bool, flag: u8) -> u8 {
    if is_set { flag } else { 0 }
}

fn plain(out: &mut Vec<u8>, head: u8, numbers: &[u32]) -> u8 {
    put_all(out, numbers);
    head
}

fn put_all(out: &mut Vec<u8>, numbers: &[Node]) {
    numbers.iter().for_each(|number| put(out, *number));
}
