//! Names and members of a class, numbered, and what its constants mean: each constant is looked at once per class.

use hashbrown::HashTable;
use racewire_classfile::access::{FINAL, VOLATILE};
use racewire_classfile::{Class, ClassError, mutf8};
use rustc_hash::FxHashMap;
use std::hash::Hasher;

use super::indy::{Bootstraps, Site};
use super::kinds::{Kind, signature};
use crate::facts::{Lambda, Member, MemberId, Str, Strings};

/// Whose field it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declared {
    Elsewhere,
    Here,
    HereFinal,
    HereVolatile,
}

#[derive(Debug, Clone, Copy)]
pub struct FieldRef {
    pub member: MemberId,
    pub kind: Kind,
    pub declared: Declared,
    /// It holds the class of a primitive type.
    pub is_type: bool,
}

/// Kinds of parameters, in [`Names::kinds`].
#[derive(Debug, Clone, Copy)]
pub struct Signature {
    first: u32,
    end: u32,
    pub result: Kind,
}

#[derive(Debug, Clone, Copy)]
pub struct MethodRef {
    pub member: MemberId,
    pub signature: Signature,
    /// Its class is one of those among which the JDK's containers are.
    pub of_container: bool,
    pub finds: Finds,
}

/// What a call looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finds {
    Nothing,
    /// A method, by its name.
    Method,
    /// A constructor, by the types of its parameters: all arguments from this one on.
    Typed(usize),
}

#[derive(Debug, Clone, Copy)]
enum Known {
    Nothing,
    Field(FieldRef),
    Method(MethodRef),
    Class(Kind),
    Site(Site, Signature),
}

const UNKNOWN: u32 = u32::MAX;

pub struct Names<'c, 'a> {
    pub class: &'c Class<'a>,
    pub strings: Strings,
    by_text: HashTable<Str>,
    /// By index of the Utf8 constant.
    by_constant: Vec<Str>,
    pub members: Vec<Member>,
    by_member: FxHashMap<(Str, Str, Str), MemberId>,
    /// By index of the constant.
    known: Vec<Known>,
    kinds: Vec<Kind>,
    pub lambdas: Vec<Lambda>,
    pub bootstraps: Bootstraps,
    this_class: &'a [u8],
}

impl<'c, 'a> Names<'c, 'a> {
    pub fn new(class: &'c Class<'a>) -> Result<Self, ClassError> {
        let constants = class.pool.len();
        Ok(Self {
            class,
            strings: Strings::default(),
            by_text: HashTable::new(),
            by_constant: vec![UNKNOWN; constants],
            members: Vec::new(),
            by_member: FxHashMap::default(),
            known: vec![Known::Nothing; constants],
            kinds: Vec::new(),
            lambdas: Vec::new(),
            bootstraps: Bootstraps::default(),
            this_class: class.pool.class_name_bytes(class.this_class)?,
        })
    }

    pub fn text(&mut self, text: &str) -> Str {
        let strings = &self.strings;
        let at = |index: &Str| strings.get(*index as usize).unwrap_or_default();
        let entry = self.by_text.entry(
            hash(text.as_bytes()),
            |index| at(index) == text,
            |index| hash(at(index).as_bytes()),
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(found) => *found.get(),
            hashbrown::hash_table::Entry::Vacant(free) => {
                let index = strings.len() as Str;
                free.insert(index);
                self.strings.push(text);
                index
            }
        }
    }

    /// The Utf8 constant `index`.
    pub fn utf8(&mut self, index: u16) -> Result<Str, ClassError> {
        if let Some(known) = self.by_constant.get(usize::from(index))
            && *known != UNKNOWN
        {
            return Ok(*known);
        }
        let text = self.class.pool.utf8(index)?;
        let number = self.text(&mutf8::decode(text));
        if let Some(slot) = self.by_constant.get_mut(usize::from(index)) {
            *slot = number;
        }
        Ok(number)
    }

    /// The name in Class constant `index`.
    pub fn class_name(&mut self, index: u16) -> Result<Str, ClassError> {
        let name = self.class.pool.text_index(index)?;
        self.utf8(name)
    }

    fn known(&self, index: u16) -> Known {
        self.known
            .get(usize::from(index))
            .copied()
            .unwrap_or(Known::Nothing)
    }

    fn remember(&mut self, index: u16, known: Known) {
        if let Some(slot) = self.known.get_mut(usize::from(index)) {
            *slot = known;
        }
    }

    /// The member that constant `index` names, and the index of its descriptor.
    pub fn member(&mut self, index: u16) -> Result<(MemberId, u16), ClassError> {
        let pool = &self.class.pool;
        let (owner, name_and_type) = pool.member_ref_indices(index)?;
        let (name, descriptor) = pool.name_and_type_indices(name_and_type)?;
        let key = (self.class_name(owner)?, self.utf8(name)?, self.utf8(descriptor)?);
        let members = &mut self.members;
        let id = *self.by_member.entry(key).or_insert_with(|| {
            let (owner, name, descriptor) = key;
            members.push(Member {
                owner,
                name,
                descriptor,
            });
            members.len() as MemberId - 1
        });
        Ok((id, descriptor))
    }

    pub fn field(&mut self, index: u16) -> Result<FieldRef, ClassError> {
        if let Known::Field(field) = self.known(index) {
            return Ok(field);
        }
        let (member, descriptor) = self.member(index)?;
        let pool = &self.class.pool;
        let (owner, name_and_type) = pool.member_ref_indices(index)?;
        let name = pool.utf8(pool.name_and_type_indices(name_and_type)?.0)?;
        let descriptor = pool.utf8(descriptor)?;
        let mut declared = Declared::Elsewhere;
        if pool.class_name_bytes(owner)? == self.this_class {
            let is_it = |field: &&racewire_classfile::Member<'_>| {
                pool.utf8(field.name).is_ok_and(|found| found == name)
                    && pool.utf8(field.descriptor).is_ok_and(|found| found == descriptor)
            };
            declared = match self.class.fields.iter().find(is_it) {
                Some(field) if field.access & VOLATILE != 0 => Declared::HereVolatile,
                Some(field) if field.access & FINAL != 0 => Declared::HereFinal,
                Some(_) => Declared::Here,
                None => Declared::Elsewhere,
            };
        }
        let field = FieldRef {
            member,
            kind: Kind::of(descriptor),
            declared,
            is_type: name == b"TYPE" && super::literals::primitive(pool, index).is_some(),
        };
        self.remember(index, Known::Field(field));
        Ok(field)
    }

    fn signature(&mut self, descriptor: u16) -> Result<Signature, ClassError> {
        let first = self.kinds.len() as u32;
        let result = signature(self.class.pool.utf8(descriptor)?, &mut self.kinds)?;
        Ok(Signature {
            first,
            end: self.kinds.len() as u32,
            result,
        })
    }

    pub fn parameters(&self, signature: Signature) -> &[Kind] {
        self.kinds
            .get(signature.first as usize..signature.end as usize)
            .unwrap_or_default()
    }

    pub fn method(&mut self, index: u16) -> Result<MethodRef, ClassError> {
        if let Known::Method(method) = self.known(index) {
            return Ok(method);
        }
        let (member, descriptor) = self.member(index)?;
        let named = self.class.pool.member_ref(index)?;
        let method = MethodRef {
            member,
            signature: self.signature(descriptor)?,
            of_container: is_container(named.owner.as_bytes()),
            finds: finds(&named.owner, &named.name),
        };
        self.remember(index, Known::Method(method));
        Ok(method)
    }

    /// What instances of Class constant `index` are.
    pub fn class_kind(&mut self, index: u16) -> Result<Kind, ClassError> {
        if let Known::Class(kind) = self.known(index) {
            return Ok(kind);
        }
        let kind = Kind::of_class(self.class.pool.class_name_bytes(index)?);
        self.remember(index, Known::Class(kind));
        Ok(kind)
    }

    /// What a Dynamic or InvokeDynamic constant does.
    pub fn site(&mut self, index: u16) -> Result<(Site, Signature), ClassError> {
        if let Known::Site(site, signature) = self.known(index) {
            return Ok((site, signature));
        }
        let pool = &self.class.pool;
        let (bootstrap, name_and_type) = pool.dynamic_indices(index)?;
        let (name, descriptor) = pool.name_and_type_indices(name_and_type)?;
        // The type of a dynamic constant is a field's (JVMS 4.4.10).
        let is_call = pool.tag(index) == racewire_classfile::tag::INVOKE_DYNAMIC;
        let signature = if is_call {
            self.signature(descriptor)?
        } else {
            let first = self.kinds.len() as u32;
            Signature {
                first,
                end: first,
                result: Kind::of(pool.utf8(descriptor)?),
            }
        };
        let captured = self.parameters(signature).len();
        let site = super::indy::site(self, bootstrap, name, descriptor, captured, signature.result)?;
        self.remember(index, Known::Site(site, signature));
        Ok((site, signature))
    }
}

fn hash(text: &[u8]) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(text);
    hasher.finish()
}

/// Whether a string constant could name a member or a class: Java identifiers (JLS 3.8; anything beyond ASCII is
/// taken for a letter), perhaps joined by `.` or `/`.
pub fn is_name(text: &[u8]) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80;
    let mut at_start = true;
    for byte in text {
        match *byte {
            b'.' | b'/' if !at_start => at_start = true,
            byte if is_part(byte) && !(at_start && byte.is_ascii_digit()) => at_start = false,
            _ => return false,
        }
    }
    !at_start
}

/// The methods that are declared as `finds-named`, which have one string among their arguments, and as `finds-typed` in
/// `jdk-effects.toml`.
fn finds(owner: &str, name: &str) -> Finds {
    match (owner, name) {
        ("java/lang/Class", "getMethod" | "getDeclaredMethod")
        | ("java/lang/invoke/MethodHandles$Lookup", "findVirtual" | "findStatic" | "findSpecial" | "bind") => {
            Finds::Method
        }
        ("java/lang/Class", "getConstructor" | "getDeclaredConstructor") => Finds::Typed(0),
        // The first is what is returned.
        ("java/lang/invoke/MethodType", "methodType") => Finds::Typed(1),
        _ => Finds::Nothing,
    }
}

fn is_container(class: &[u8]) -> bool {
    class.starts_with(b"java/util/") || class == b"java/lang/StringBuilder"
}
