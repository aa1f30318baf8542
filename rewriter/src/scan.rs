//! First look at a class: what the whole-program plan needs to know of it, and nothing else. A pure function
//! of the class bytes.

use crate::annotated;
use crate::code::constructor::{self, ConstructorFacts};
use crate::code::{Class, ClassError, Code, Insn, Pool, access, op, tag};
use crate::marks::{Finder, MethodMarks};
use crate::observed;
use crate::texts::Texts;
use racewire_analysis::strings::Strings;
use racewire_model::names;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64_with_seed;

#[derive(Debug, Clone)]
pub struct FieldFacts {
    pub name: Arc<str>,
    pub descriptor: Arc<str>,
    pub access: u16,
}

/// A CONSTANT_Fieldref that code of the class uses, and how often.
#[derive(Debug, Clone)]
pub struct RefFacts {
    pub index: u16,
    pub owner: Arc<str>,
    pub name: Arc<str>,
    pub descriptor: Arc<str>,
    /// Whether `getstatic`/`putstatic` use it. (A class file that uses one both ways does not link.)
    pub is_static: bool,
    pub accesses: u32,
    /// Numbered in the order of the code, see [`Places`].
    pub sites: u32,
}

/// One access in the code. A large program has a million: numbers are no larger than a class file has them (JVMS 4.1, 4.7.3).
#[derive(Debug, Clone, Copy)]
pub struct FieldAccess {
    /// Index of the method in its class.
    pub method: u16,
    pub pc: u16,
    pub place: Place,
}

/// The places of one method at which fields are accessed. Accesses of one kind to one field on one line are one place
/// to a reader, and so one site; where the lines are unknown, each is a place.
#[derive(Debug, Default)]
pub struct Places {
    /// The first few, as numbers; most methods have no more.
    few: Vec<(u64, u32)>,
    more: FxHashMap<Place, u32>,
}

/// So many places are looked through faster than they are hashed.
const FEW: usize = 12;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// Index of the CONSTANT_Fieldref.
    pub reference: u16,
    /// 0 if it is not known.
    pub line: u16,
    pub is_write: bool,
}

impl Place {
    pub fn of(insn: &Insn, reference: u16, code: &Code<'_>) -> Place {
        Place {
            reference,
            line: code.line_at(insn.pc),
            is_write: matches!(insn.op, op::PUTSTATIC | op::PUTFIELD),
        }
    }

    /// What is compared at once.
    fn number(self) -> u64 {
        u64::from(self.is_write) << 32 | u64::from(self.reference) << 16 | u64::from(self.line)
    }
}

impl Places {
    /// What [`Places::add`] has kept for this place.
    #[inline]
    pub fn get(&self, place: Place) -> Option<u32> {
        let number = place.number();
        match self.few.iter().find(|(known, _)| *known == number) {
            Some((_, value)) => Some(*value),
            None if self.more.is_empty() => None,
            None => self.more.get(&place).copied(),
        }
    }

    /// Keeps a value for a place that has none yet.
    #[inline]
    pub fn add(&mut self, place: Place, value: u32) {
        if place.line == 0 {
            return;
        }
        if self.few.len() < FEW {
            self.few.push((place.number(), value));
        } else {
            self.more.insert(place, value);
        }
    }

    /// For the next method.
    pub fn clear(&mut self) {
        self.few.clear();
        self.more.clear();
    }
}

#[derive(Debug, Clone)]
pub struct Constructor {
    /// Index of the method in its class.
    pub method: usize,
    pub descriptor: String,
    pub facts: ConstructorFacts,
}

#[derive(Debug, Clone)]
pub struct ClassFacts {
    pub name: String,
    pub superclass: Option<String>,
    pub interfaces: Vec<String>,
    pub access: u16,
    pub major: u16,
    pub pool_len: usize,
    /// Name and descriptor of each method that accesses fields, is static or initialises the class; nothing for others.
    pub method_names: Strings,
    /// It declares a method that a JVM can begin with.
    pub has_main: bool,
    pub longest_method_name: usize,
    /// A hash of the static members that other classes may name.
    pub static_members: u64,
    /// Whether the class has a `clone()` of its own.
    pub declares_clone: bool,
    pub fields: Vec<FieldFacts>,
    /// In order of the constant pool.
    pub refs: Vec<RefFacts>,
    /// In order of methods and code.
    pub accesses: Vec<FieldAccess>,
    /// Those that could be analysed, in order of the methods.
    pub constructors: Vec<Constructor>,
    /// There are synchronized methods.
    pub synchronizes: bool,
    /// In order of the methods.
    pub marks: Box<[MethodMarks]>,
    /// A constant names a method whose calls may be join points.
    pub names_observed: bool,
    /// A constant names a class of pipes.
    pub names_pipes: bool,
    /// Racewire's own members were found: the class has been woven before.
    pub woven: bool,
    /// See [`racewire_model::annotated::Annotated`].
    pub annotated: Vec<String>,
}

impl ClassFacts {
    /// Whether the class has an initialiser that is told of. The fields of an interface must be final (JVMS 4.5).
    pub fn has_initialiser(&self) -> bool {
        self.access & access::INTERFACE == 0 && self.method_names.iter().any(|m| m == "<clinit>()V")
    }

    /// Whether there are join points other than accesses to fields, even if nobody looks at happens-before.
    pub fn has_other_points(&self) -> bool {
        self.synchronizes || self.marks.iter().any(|marks| marks.has_other_points)
    }

    pub fn marks_of(&self, method: usize) -> MethodMarks {
        let known = self
            .marks
            .binary_search_by_key(&method, |marks| usize::from(marks.method));
        let marks = known.ok().and_then(|at| self.marks.get(at));
        marks.copied().unwrap_or_default()
    }
}

/// `texts`: of all classes that are looked at together.
pub fn scan(class: &Class<'_>, texts: &Texts) -> Result<ClassFacts, ClassError> {
    let pool = &class.pool;
    let mut fields = class
        .fields
        .iter()
        .map(|f| {
            Ok(FieldFacts {
                name: texts.get(&pool.str(f.name)?),
                descriptor: texts.get(&pool.str(f.descriptor)?),
                access: f.access,
            })
        })
        .collect::<Result<Vec<_>, ClassError>>()?;
    let mut woven = fields.iter().any(|f| f.name.starts_with(names::PREFIX));
    let (mut longest_method_name, mut declares_clone, mut has_main) = (0, false, false);
    let mut uses = FieldUses::new(pool.len());
    let mut constructors = Vec::new();
    let mut places = Places::default();
    let mut accesses = Vec::new();
    let mut synchronizes = false;
    let finder = Finder::new(pool)?;
    let mut marks = Vec::new();
    let mut method_names = Strings::default();
    for (index, method) in class.methods.iter().enumerate() {
        let name = pool.utf8(method.name)?;
        woven |= name.starts_with(names::PREFIX.as_bytes());
        longest_method_name = longest_method_name.max(name.len());
        has_main |= name == b"main" && is_main(pool.utf8(method.descriptor)?, method.access, class.major);
        declares_clone |= name == b"clone" && pool.utf8(method.descriptor)? == b"()Ljava/lang/Object;";
        synchronizes |= method.access & access::SYNCHRONIZED != 0;
        let is_asked_for = method.access & access::STATIC != 0 || name == b"<clinit>";
        let signature = || -> Result<String, ClassError> {
            Ok(pool.str(method.name)?.into_owned() + &pool.str(method.descriptor)?)
        };
        let Some(body) = class.attribute(&method.attributes, "Code") else {
            let name = is_asked_for.then(signature).transpose()?;
            method_names.push(name.as_deref().unwrap_or_default());
            continue;
        };
        let accesses_before = accesses.len();
        let code = Code::parse(body, pool)?;
        if name == b"<init>"
            && let Ok(facts) = constructor::analyse(class, method, &code)
        {
            constructors.push(Constructor {
                method: index,
                descriptor: pool.str(method.descriptor)?.into_owned(),
                facts,
            });
        }
        places.clear();
        let found = finder.find((index, method.access), code.bytecode, pool, |insn| {
            let reference = insn.operand(code.bytecode)?;
            let uses = uses.of(reference)?;
            uses.accesses += 1;
            let place = Place::of(&insn, reference, &code);
            accesses.push(FieldAccess {
                method: index as u16,
                pc: insn.pc as u16,
                place,
            });
            if places.get(place).is_none() {
                places.add(place, uses.sites);
                uses.sites += 1;
            }
            uses.is_static = insn.op <= op::PUTSTATIC;
            Ok(())
        })?;
        marks.extend(found);
        let is_asked_for = is_asked_for || accesses.len() > accesses_before;
        let name = is_asked_for.then(signature).transpose()?;
        method_names.push(name.as_deref().unwrap_or_default());
    }
    let mut refs = uses
        .in_order()
        .into_iter()
        .map(|uses| {
            let member = pool.member_ref(uses.reference)?;
            Ok(RefFacts {
                index: uses.reference,
                owner: texts.get(&member.owner),
                name: texts.get(&member.name),
                descriptor: texts.get(&member.descriptor),
                is_static: uses.is_static,
                accesses: uses.accesses,
                sites: uses.sites,
            })
        })
        .collect::<Result<Vec<_>, ClassError>>()?;
    // Of all classes together they are in memory from now on.
    method_names.shrink();
    accesses.shrink_to_fit();
    constructors.shrink_to_fit();
    fields.shrink_to_fit();
    refs.shrink_to_fit();
    Ok(ClassFacts {
        name: class.name()?.to_string(),
        superclass: class.super_name()?.map(|s| s.to_string()),
        interfaces: class
            .interfaces
            .iter()
            .map(|&i| Ok(pool.class_name(i)?.into_owned()))
            .collect::<Result<_, ClassError>>()?,
        access: class.access,
        major: class.major,
        pool_len: pool.len(),
        method_names,
        has_main,
        longest_method_name,
        static_members: static_members(class)?,
        declares_clone,
        fields,
        refs,
        accesses,
        constructors,
        synchronizes,
        marks: marks.into(),
        names_observed: finder.names_observed(),
        names_pipes: names_pipes(pool)?,
        woven,
        annotated: annotated::elements(class)?,
    })
}

fn static_members(class: &Class<'_>) -> Result<u64, ClassError> {
    // Nobody else names what the compiler made for the class alone: bodies of lambdas.
    let is_named = |flags: u16| {
        let hidden = access::PRIVATE | access::SYNTHETIC;
        flags & access::STATIC != 0 && flags & hidden != hidden
    };
    let mut hash = 0;
    for member in class
        .fields
        .iter()
        .chain(&class.methods)
        .filter(|m| is_named(m.access))
    {
        hash = xxh3_64_with_seed(class.pool.utf8(member.name)?, hash);
        hash = xxh3_64_with_seed(class.pool.utf8(member.descriptor)?, hash);
    }
    Ok(hash)
}

/// Whether a method called `main` is one to begin with: JLS 12.1.4, since Java 25 (before that, a preview) also without
/// `public`, `static` or arguments.
fn is_main(descriptor: &[u8], flags: u16, major: u16) -> bool {
    const JAVA_21: u16 = 65;
    let takes_arguments = descriptor == b"([Ljava/lang/String;)V";
    takes_arguments && flags & access::STATIC != 0 && flags & access::PUBLIC != 0
        || major >= JAVA_21 && (takes_arguments || descriptor == b"()V") && flags & access::PRIVATE == 0
}

/// How code uses one CONSTANT_Fieldref.
#[derive(Debug)]
struct Uses {
    reference: u16,
    accesses: u32,
    sites: u32,
    is_static: bool,
}

#[derive(Debug)]
struct FieldUses {
    /// For each constant, one more than its place in `uses`; 0 if it is not used.
    places: Vec<u16>,
    uses: Vec<Uses>,
}

impl FieldUses {
    fn new(pool_len: usize) -> FieldUses {
        FieldUses {
            places: vec![0; pool_len],
            uses: Vec::new(),
        }
    }

    fn of(&mut self, reference: u16) -> Result<&mut Uses, ClassError> {
        let missing = ClassError::BadConstant {
            index: reference,
            reason: "there is no such constant",
        };
        let Some(place) = self.places.get_mut(usize::from(reference)) else {
            return Err(missing);
        };
        if *place == 0 {
            self.uses.push(Uses {
                reference,
                accesses: 0,
                sites: 0,
                is_static: false,
            });
            *place = self.uses.len() as u16;
        }
        self.uses.get_mut(usize::from(*place) - 1).ok_or(missing)
    }

    /// By index of the constant.
    fn in_order(mut self) -> Vec<Uses> {
        self.uses.sort_unstable_by_key(|uses| uses.reference);
        self.uses
    }
}

fn names_pipes(pool: &Pool<'_>) -> Result<bool, ClassError> {
    for index in 1..pool.len() as u16 {
        if pool.tag(index) == tag::CLASS && observed::is_pipe(&pool.class_name(index)?) {
            return Ok(true);
        }
    }
    Ok(false)
}
