//! First look at a class: what the whole-program plan needs to know of it, and nothing else. A pure function
//! of the class bytes.

use crate::code::constructor::{self, ConstructorFacts};
use crate::code::{Class, ClassError, Code, op};
use racewire_model::names;
use rustc_hash::FxHashMap;

#[derive(Debug, Clone)]
pub struct FieldFacts {
    pub name: String,
    pub descriptor: String,
    pub access: u16,
}

/// A CONSTANT_Fieldref that code of the class uses, and how often.
#[derive(Debug, Clone)]
pub struct RefFacts {
    pub index: u16,
    pub owner: String,
    pub name: String,
    pub descriptor: String,
    /// Whether `getstatic`/`putstatic` use it. (A class file that uses one both ways does not link.)
    pub is_static: bool,
    pub sites: u32,
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
    pub methods: usize,
    pub longest_method_name: usize,
    /// Whether the class has a `clone()` of its own.
    pub declares_clone: bool,
    pub fields: Vec<FieldFacts>,
    /// In order of the constant pool.
    pub refs: Vec<RefFacts>,
    /// Those that could be analysed.
    pub constructors: Vec<Constructor>,
    /// Racewire's own members were found: the class has been woven before.
    pub woven: bool,
}

pub fn scan(class: &Class<'_>) -> Result<ClassFacts, ClassError> {
    let pool = &class.pool;
    let fields = class
        .fields
        .iter()
        .map(|f| {
            Ok(FieldFacts {
                name: pool.str(f.name)?.into_owned(),
                descriptor: pool.str(f.descriptor)?.into_owned(),
                access: f.access,
            })
        })
        .collect::<Result<Vec<_>, ClassError>>()?;
    let mut woven = fields.iter().any(|f| f.name.starts_with(names::PREFIX));
    let (mut longest_method_name, mut declares_clone) = (0, false);
    let mut uses: FxHashMap<u16, (u32, bool)> = FxHashMap::default();
    let mut constructors = Vec::new();
    for (index, method) in class.methods.iter().enumerate() {
        let name = pool.utf8(method.name)?;
        woven |= name.starts_with(names::PREFIX.as_bytes());
        longest_method_name = longest_method_name.max(name.len());
        declares_clone |= name == b"clone" && pool.utf8(method.descriptor)? == b"()Ljava/lang/Object;";
        let Some(body) = class.attribute(&method.attributes, "Code") else {
            continue;
        };
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
        for insn in code.instructions()? {
            if (op::GETSTATIC..=op::PUTFIELD).contains(&insn.op) {
                let used = uses.entry(code.u16_at(insn.pc + 1)?).or_default();
                used.0 += 1;
                used.1 = insn.op <= op::PUTSTATIC;
            }
        }
    }
    let mut refs = uses
        .into_iter()
        .map(|(index, (sites, is_static))| {
            let member = pool.member_ref(index)?;
            Ok(RefFacts {
                index,
                owner: member.owner.into_owned(),
                name: member.name.into_owned(),
                descriptor: member.descriptor.into_owned(),
                is_static,
                sites,
            })
        })
        .collect::<Result<Vec<_>, ClassError>>()?;
    refs.sort_by_key(|r| r.index);
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
        methods: class.methods.len(),
        longest_method_name,
        declares_clone,
        fields,
        refs,
        constructors,
        woven,
    })
}
