//! From numbers to what they say: the mirror image of [`super::write`].

use super::units::Units;
use super::{Access, Body, Call, Cover, Element, HEAD, Op, Packed, Uses, flag, head, part};
use crate::facts::{CallKind, Node, OpId, Owner};

impl Packed {
    pub fn method_count(&self) -> usize {
        self.methods.len()
    }

    pub fn method(&self, index: u32) -> Option<Body<'_>> {
        let (access, flags, head, units) = self.head(index)?;
        let has = |flag| flags & flag != 0;
        let [nodes, returned, lengths @ ..] = head;
        let mut end = 0;
        Some(Body {
            access,
            annotated: has(flag::ANNOTATED),
            has_body: has(flag::HAS_BODY),
            failed: has(flag::FAILED),
            releases: has(flag::RELEASES),
            nodes,
            returned: returned.checked_sub(1),
            units,
            ends: lengths.map(|length| {
                end += length;
                end
            }),
        })
    }

    /// Access flags, other flags, the numbers at the beginning of a method, and what follows.
    #[inline]
    fn head(&self, index: u32) -> Option<(u16, u8, [u32; HEAD], Units<'_>)> {
        let start = *self.methods.get(index as usize)?;
        let units = self.units.get(start as usize..)?;
        let ([low, high, flags], units) = units.split_first_chunk()?;
        let access = u16::from_le_bytes([*low, *high]);
        let (head, units) = match flags & flag::WIDTH {
            0 => {
                let (head, units) = units.split_first_chunk::<HEAD>()?;
                (head.map(u32::from), units)
            }
            flag::SHORT => {
                let (head, units) = units.split_first_chunk::<{ 2 * HEAD }>()?;
                let number = |nth: usize| u16::from_le_bytes([head[2 * nth], head[2 * nth + 1]]).into();
                (std::array::from_fn(number), units)
            }
            _ => {
                let mut units = Units(units);
                let mut head = [0; HEAD];
                for number in &mut head {
                    *number = units.u32()?;
                }
                (head, units.0)
            }
        };
        Some((access, *flags, head, Units(units)))
    }

    /// A call of a method, without a look at the rest of the method.
    pub fn call(&self, index: u32, id: OpId) -> Option<Call<'_>> {
        let (.., units) = self.head(index)?;
        let (head, units) = read_head(&mut units.from(id))?;
        read_call(units, head, call_kind(head)?)
    }

    /// In the order of the class file.
    pub fn methods(&self) -> impl Iterator<Item = Body<'_>> {
        (0..self.methods.len() as u32).filter_map(|index| self.method(index))
    }
}

impl<'f> Body<'f> {
    #[inline]
    fn part(&self, nth: usize) -> Units<'f> {
        let end = |nth: usize| self.ends.get(nth).map_or(0, |end| *end as usize);
        let start = nth.checked_sub(1).map_or(0, end);
        Units(self.units.0.get(start..end(nth)).unwrap_or_default())
    }

    /// `this` and the parameters.
    pub fn parameters(&self) -> Nodes<'f> {
        Nodes(self.part(part::PARAMETERS))
    }

    /// With what each is known by.
    pub fn ops(&self) -> Ops<'f> {
        Ops {
            all: self.part(part::OPS).0.len(),
            rest: self.part(part::OPS),
            uses: self.part(part::USES),
        }
    }

    pub fn op(&self, id: OpId) -> Option<Op<'f>> {
        let (head, units) = read_head(&mut self.part(part::OPS).from(id))?;
        read_op(head, units, self.part(part::USES))
    }

    pub fn parameter_uses(&self) -> ParameterUses<'f> {
        let mut units = self.part(part::PARAMETER_USES);
        ParameterUses {
            count: units.next().unwrap_or(0),
            rest: units,
        }
    }

    pub fn accesses(&self) -> Accesses<'f> {
        Accesses(self.part(part::ACCESSES))
    }

    pub fn elements(&self) -> Elements<'f> {
        Elements(self.part(part::ELEMENTS))
    }
}

/// A list that has a node for some.
#[derive(Debug, Clone, Copy)]
pub struct Nodes<'f>(Units<'f>);

impl<'f> Nodes<'f> {
    pub fn iter(self) -> Nodes<'f> {
        self
    }

    pub fn get(self, nth: usize) -> Option<Option<Node>> {
        self.iter().nth(nth)
    }

    pub fn first(self) -> Option<Option<Node>> {
        self.get(0)
    }

    pub fn contains(self, node: Node) -> bool {
        self.iter().any(|other| other == Some(node))
    }

    pub fn is_empty(self) -> bool {
        self.0.0.is_empty()
    }
}

impl Iterator for Nodes<'_> {
    type Item = Option<Node>;

    #[inline]
    fn next(&mut self) -> Option<Option<Node>> {
        self.0.option()
    }
}

/// A list of numbers.
#[derive(Debug, Clone, Copy)]
pub struct Numbers<'f>(Units<'f>);

impl<'f> Numbers<'f> {
    pub fn iter(self) -> Numbers<'f> {
        self
    }

    pub fn contains(self, number: u32) -> bool {
        self.iter().any(|other| other == number)
    }

    pub fn is_empty(self) -> bool {
        self.0.0.is_empty()
    }
}

impl Iterator for Numbers<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        self.0.next()
    }
}

/// Calls, and which of their arguments something is passed as.
#[derive(Debug, Clone, Copy)]
pub struct Passed<'f>(Units<'f>);

impl<'f> Passed<'f> {
    pub fn iter(self) -> Passed<'f> {
        self
    }
}

impl Iterator for Passed<'_> {
    type Item = (OpId, u8);

    #[inline]
    fn next(&mut self) -> Option<(OpId, u8)> {
        Some((self.0.next()?, self.0.byte()?))
    }
}

#[derive(Debug, Clone)]
pub struct Ops<'f> {
    /// How many bytes there are.
    all: usize,
    rest: Units<'f>,
    uses: Units<'f>,
}

impl<'f> Ops<'f> {
    /// The calls alone.
    pub fn calls(mut self) -> impl Iterator<Item = (OpId, Call<'f>)> {
        std::iter::from_fn(move || {
            loop {
                let (id, head, units) = self.step()?;
                if let Some(kind) = call_kind(head) {
                    return Some((id, read_call(units, head, kind)?));
                }
            }
        })
    }

    /// What makes objects alone.
    pub fn makers(mut self) -> impl Iterator<Item = (OpId, Op<'f>)> {
        std::iter::from_fn(move || {
            loop {
                let (id, head, units) = self.step()?;
                if matches!(head & head::KIND, head::NEW | head::LAMBDA) {
                    return Some((id, read_op(head, units, self.uses)?));
                }
            }
        })
    }

    #[inline(always)]
    fn step(&mut self) -> Option<(OpId, u8, Units<'f>)> {
        let id = (self.all - self.rest.0.len()) as OpId;
        let (head, units) = read_head(&mut self.rest)?;
        Some((id, head, units))
    }
}

// Inlined wherever it is asked for: whoever matches on what it is reads no more than that.
impl<'f> Iterator for Ops<'f> {
    type Item = (OpId, Op<'f>);

    #[inline(always)]
    fn next(&mut self) -> Option<(OpId, Op<'f>)> {
        let (id, head, units) = self.step()?;
        Some((id, read_op(head, units, self.uses)?))
    }
}

/// What an operation begins with, and what follows.
#[inline(always)]
fn read_head<'f>(units: &mut Units<'f>) -> Option<(u8, Units<'f>)> {
    let head = units.byte()?;
    let length = match units.byte()? {
        head::LONG => units.u32()?,
        length => length.into(),
    };
    Some((head, units.take(length)?))
}

#[inline(always)]
fn read_op<'f>(head: u8, mut units: Units<'f>, uses: Units<'f>) -> Option<Op<'f>> {
    let in_loop = head & head::IN_LOOP != 0;
    if let Some(kind) = call_kind(head) {
        return Some(Op::Call(read_call(units, head, kind)?));
    }
    let units = &mut units;
    let op = match head & head::KIND {
        head::NEW => Op::New {
            uses: read_uses_at(units, uses)?,
            node: units.next()?,
            class: units.next()?,
            in_loop,
        },
        head::LAMBDA => Op::Lambda {
            uses: read_uses_at(units, uses)?,
            node: units.next()?,
            lambda: units.next()?,
            captured: Nodes(*units),
            in_loop,
        },
        head::LOAD => Op::Load {
            base: units.next()?,
            field: units.next()?,
            to: units.next()?,
        },
        head::STORE => Op::Store {
            base: units.next()?,
            field: units.next()?,
            from: units.next()?,
        },
        head::LOAD_STATIC => Op::LoadStatic {
            field: units.next()?,
            to: units.next()?,
        },
        head::STORE_STATIC => Op::StoreStatic {
            field: units.next()?,
            from: units.next()?,
        },
        head::LOAD_ELEMENT => Op::LoadElement {
            base: units.next()?,
            to: units.next()?,
        },
        head::STORE_ELEMENT => Op::StoreElement {
            base: units.next()?,
            from: units.next()?,
        },
        head::DESCRIBE => Op::Describe {
            nodes: Numbers(*units),
        },
        head::UNKNOWN => Op::Unknown {
            bootstrap: units.next()?,
            nodes: Numbers(*units),
        },
        _ => return None,
    };
    Some(op)
}

#[inline(always)]
fn call_kind(head: u8) -> Option<CallKind> {
    match head & head::KIND {
        head::VIRTUAL => Some(CallKind::Virtual),
        head::INTERFACE => Some(CallKind::Interface),
        head::SPECIAL => Some(CallKind::Special),
        head::STATIC => Some(CallKind::Static),
        _ => None,
    }
}

#[inline(always)]
fn read_call<'f>(mut units: Units<'f>, head: u8, kind: CallKind) -> Option<Call<'f>> {
    Some(Call {
        kind,
        target: units.next()?,
        result: units.option()?,
        arguments: Nodes(units),
        in_loop: head & head::IN_LOOP != 0,
    })
}

fn read_uses_at<'f>(units: &mut Units<'f>, uses: Units<'f>) -> Option<Uses<'f>> {
    read_uses(&mut uses.from(units.u32()?))
}

fn read_uses<'f>(units: &mut Units<'f>) -> Option<Uses<'f>> {
    Some(match units.next()?.checked_sub(1) {
        None => Uses::Leaked,
        Some(shape) => Uses::Calls {
            calls: Passed(units.take(shape / 2)?),
            again: shape % 2 != 0,
        },
    })
}

/// Of `this` and each parameter.
#[derive(Debug, Clone)]
pub struct ParameterUses<'f> {
    count: u32,
    rest: Units<'f>,
}

impl<'f> Iterator for ParameterUses<'f> {
    type Item = Uses<'f>;

    fn next(&mut self) -> Option<Uses<'f>> {
        self.count = self.count.checked_sub(1)?;
        read_uses(&mut self.rest)
    }
}

/// In the order of the code.
#[derive(Debug, Clone)]
pub struct Accesses<'f>(Units<'f>);

impl<'f> Iterator for Accesses<'f> {
    type Item = Access<'f>;

    #[inline]
    fn next(&mut self) -> Option<Access<'f>> {
        let units = &mut self.0;
        let flags = units.byte()?;
        let has = |flag| flags & flag != 0;
        Some(Access {
            pc: units.next()?,
            field: units.next()?,
            base: units.option()?,
            write: has(flag::WRITE),
            is_this: has(flag::IS_THIS),
            updated: has(flag::UPDATED),
            owned: read_owned(units, flags)?,
            covered: match has(flag::COVERED) {
                true => Some(Cover {
                    by: Numbers(units.list()?),
                    calls: Numbers(units.list()?),
                    elsewhere: Numbers(units.list()?),
                    acquires: has(flag::ACQUIRES),
                }),
                false => None,
            },
        })
    }
}

/// In the order of the code.
#[derive(Debug, Clone)]
pub struct Elements<'f>(Units<'f>);

impl<'f> Iterator for Elements<'f> {
    type Item = Element<'f>;

    #[inline]
    fn next(&mut self) -> Option<Element<'f>> {
        let units = &mut self.0;
        let flags = units.byte()?;
        Some(Element {
            pc: units.next()?,
            array: units.next()?,
            write: flags & flag::WRITE != 0,
            owned: read_owned(units, flags)?,
            owner: match flags >> flag::OWNER & 3 {
                0 => Owner::Itself,
                1 => Owner::Holder,
                2 => Owner::This,
                _ => Owner::Kept,
            },
        })
    }
}

#[inline]
fn read_owned<'f>(units: &mut Units<'f>, flags: u8) -> Option<Option<Passed<'f>>> {
    match flags & flag::OWNED {
        0 => Some(None),
        _ => units.list().map(|list| Some(Passed(list))),
    }
}
