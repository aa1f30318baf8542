//! The classes of the program, of its class path and of the JDK as pointcuts look at them.

use crate::archive::Archive;
use crate::code::{Attributes, Class, ClassError, Member, bytes::Reader};
use crate::error::Error;
use racewire_analysis::world::Jdk;
use racewire_pointcuts::{MemberShape, Shape, World, access};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

pub struct Shapes {
    classes: FxHashMap<String, Arc<Shape>>,
    /// The JDK's classes are read when somebody asks for them.
    jdk: Mutex<JdkShapes>,
}

struct JdkShapes {
    jdk: Option<Jdk>,
    known: FxHashMap<String, Option<Arc<Shape>>>,
}

impl std::fmt::Debug for Shapes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shapes")
            .field("classes", &self.classes.len())
            .finish()
    }
}

impl Shapes {
    /// Of several definitions of a class the first counts. What cannot be read is not known.
    pub fn read(archives: &[&Archive], classpath: &[PathBuf], jdk: Option<&Path>) -> Result<Shapes, Error> {
        let mut classes = FxHashMap::default();
        let mut add = |archive: &Archive| {
            let found: Vec<Shape> = archive
                .classes()
                .par_iter()
                .filter_map(|entry| shape_of(&Class::parse(&archive.read(entry).ok()?).ok()?).ok())
                .collect();
            for shape in found {
                classes
                    .entry(shape.name.clone())
                    .or_insert_with(|| Arc::new(shape));
            }
        };
        archives.iter().for_each(|archive| add(archive));
        for path in classpath {
            add(&Archive::open(path)?);
        }
        Ok(Shapes {
            classes,
            jdk: Mutex::new(JdkShapes {
                // A JDK without an image (Java 8) is as good as none.
                jdk: jdk.and_then(|home| Jdk::open(home).ok()),
                known: FxHashMap::default(),
            }),
        })
    }
}

impl World for Shapes {
    fn shape(&self, name: &str) -> Option<Arc<Shape>> {
        if let Some(known) = self.classes.get(name) {
            return Some(known.clone());
        }
        let mut jdk = self.jdk.lock().unwrap_or_else(PoisonError::into_inner);
        let JdkShapes { jdk, known } = &mut *jdk;
        if let Some(known) = known.get(name) {
            return known.clone();
        }
        let bytes = jdk.as_mut().and_then(|jdk| jdk.class_file(name));
        let shape = bytes.and_then(|bytes| shape_of(&Class::parse(&bytes).ok()?).ok());
        let shape = shape.map(Arc::new);
        known.insert(name.to_owned(), shape.clone());
        shape
    }
}

pub fn shape_of(class: &Class<'_>) -> Result<Shape, ClassError> {
    let name = class.name()?.into_owned();
    let nesting = nesting(class, &name)?;
    let names = |indices: &[u16]| -> Result<Vec<String>, ClassError> {
        let name = |&index: &u16| Ok(class.pool.class_name(index)?.into_owned());
        indices.iter().map(name).collect()
    };
    let annotations = |attributes: &Attributes<'_>| -> Vec<String> {
        let types = class.annotation_types(attributes);
        let name = |d: &String| d.trim_start_matches('L').trim_end_matches(';').to_owned();
        types.iter().map(name).collect()
    };
    let member = |member: &Member<'_>| {
        let throws = class.attribute(&member.attributes, "Exceptions");
        let throws = throws.map(indices).transpose()?.unwrap_or_default();
        Ok(MemberShape {
            name: member.name(&class.pool)?.into_owned(),
            descriptor: member.descriptor(&class.pool)?.into_owned(),
            // JVMS 4.7.8: before version 49 there was an attribute instead of the flag.
            access: match class.attribute(&member.attributes, "Synthetic") {
                Some(_) => member.access | access::SYNTHETIC,
                None => member.access,
            },
            annotations: annotations(&member.attributes),
            throws: names(&throws)?,
        })
    };
    let members = |list: &[Member<'_>]| list.iter().map(member).collect::<Result<Vec<_>, ClassError>>();
    Ok(Shape {
        access: class.access,
        superclass: class.super_name()?.map(|n| n.into_owned()),
        interfaces: names(&class.interfaces)?,
        outer: nesting.outer,
        is_anonymous: nesting.is_anonymous,
        annotations: annotations(&class.attributes),
        fields: members(&class.fields)?,
        methods: members(&class.methods)?,
        name,
    })
}

#[derive(Default)]
struct Nesting {
    outer: Option<String>,
    is_anonymous: bool,
}

/// JVMS 4.7.6, 4.7.7.
fn nesting(class: &Class<'_>, name: &str) -> Result<Nesting, ClassError> {
    let mut found = Nesting::default();
    if let Some(body) = class.attribute(&class.attributes, "InnerClasses") {
        let mut reader = Reader::new(body, 0);
        for _ in 0..reader.u16()? {
            let [inner, outer, simple, _] = [reader.u16()?, reader.u16()?, reader.u16()?, reader.u16()?];
            if class.pool.class_name(inner)? == name {
                // Before Java 5 the name was all that told where a local class belongs.
                found.outer = name.rsplit_once('$').map(|(outer, _)| outer.to_owned());
                found.is_anonymous = simple == 0;
                if outer != 0 {
                    found.outer = Some(class.pool.class_name(outer)?.into_owned());
                }
            }
        }
    }
    if let Some(body) = class.attribute(&class.attributes, "EnclosingMethod") {
        let outer = Reader::new(body, 0).u16()?;
        found.outer = Some(class.pool.class_name(outer)?.into_owned());
    }
    Ok(found)
}

fn indices(body: &[u8]) -> Result<Vec<u16>, ClassError> {
    let mut reader = Reader::new(body, 0);
    (0..reader.u16()?).map(|_| reader.u16()).collect()
}
