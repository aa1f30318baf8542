//! The monitors of a jar: classes that are not abstract and that have advice, their own or a superclass's.

use super::annotations::{self, Annotation};
use super::{Advice, Moment, Source, guards};
use crate::archive::Archive;
use crate::code::{Class, ClassError, Member, access, bytes::Reader};
use crate::error::Error;
use racewire_model::names::dotted;
use racewire_pointcuts::resolve::{Library, NamedPointcut, Standpoint, resolve};
use racewire_pointcuts::{World, parameters};
use std::collections::{BTreeMap, BTreeSet};

const SITE: &str = "Lracewire/api/Site;";

/// The classes of all monitor jars.
#[derive(Debug, Default)]
pub struct MonitorClasses {
    classes: BTreeMap<String, MonitorClass>,
}

#[derive(Debug)]
struct MonitorClass {
    location: String,
    bytes: Vec<u8>,
    superclass: Option<String>,
    is_abstract: bool,
    is_public: bool,
    advice: Vec<Declared>,
    pointcuts: Vec<Declared>,
}

/// A method with one of our annotations.
#[derive(Debug)]
struct Declared {
    name: String,
    descriptor: String,
    access: u16,
    moment: Option<Moment>,
    text: String,
    /// Names of the parameters that get what was given or thrown.
    returning: String,
    throwing: String,
    /// Empty names where they are not known.
    names: Vec<String>,
}

impl MonitorClasses {
    pub fn read(archives: &[Archive]) -> Result<MonitorClasses, Error> {
        let mut all = MonitorClasses::default();
        for archive in archives {
            for entry in archive.classes() {
                let bytes = archive.read(entry)?;
                let fail = |e| Error::class(entry.location(), e);
                let class = Class::parse(&bytes).map_err(fail)?;
                let name = class.name().map_err(fail)?.into_owned();
                if name.ends_with("module-info") {
                    continue;
                }
                let mut found = look(&class).map_err(fail)?;
                found.location = entry.location();
                drop(class);
                found.bytes = bytes.into_owned();
                all.classes.insert(name, found);
            }
        }
        Ok(all)
    }

    pub fn contains(&self, class: &str) -> bool {
        self.classes.contains_key(class)
    }

    pub fn bytes(&self, class: &str) -> Option<&[u8]> {
        self.classes.get(class).map(|c| c.bytes.as_slice())
    }

    /// All advice of all monitors. `bundled`: the weaver may change the monitors' own classes.
    pub fn advice(&self, world: &dyn World, bundled: bool) -> Result<Vec<Advice>, Error> {
        let mut all = Vec::new();
        for (name, _) in self.classes.iter().filter(|(_, c)| !c.is_abstract) {
            for (declaring, declared) in self.inherited(name, |class| &class.advice) {
                all.push(self.one(name, declaring, declared, world, bundled)?);
            }
        }
        // Where one can come to woven code, none may run there.
        let guarded = all.iter().any(|advice| advice.guarded);
        all.iter_mut().for_each(|advice| advice.guarded = guarded);
        Ok(all)
    }

    /// What a class declares and inherits; what it declares again hides what is above.
    fn inherited<'m>(
        &'m self,
        name: &'m str,
        of: impl Fn(&'m MonitorClass) -> &'m [Declared],
    ) -> Vec<(&'m str, &'m Declared)> {
        let mut found: Vec<(&str, &Declared)> = Vec::new();
        for (name, class) in self.chain(name) {
            for declared in of(class) {
                let hides = |(_, known): &(&str, &Declared)| {
                    known.name == declared.name && known.descriptor == declared.descriptor
                };
                if !found.iter().any(hides) {
                    found.push((name, declared));
                }
            }
        }
        found
    }

    /// The class and its superclasses, as far as they are monitors.
    fn chain<'m>(&'m self, name: &'m str) -> impl Iterator<Item = (&'m str, &'m MonitorClass)> {
        let first = self.classes.get_key_value(name);
        let next = |(_, class): &(&String, &'m MonitorClass)| {
            let above = class.superclass.as_ref()?;
            self.classes.get_key_value(above)
        };
        // No class file has so many superclasses; one may be its own.
        std::iter::successors(first, next)
            .take(256)
            .map(|(name, class)| (name.as_str(), class))
    }

    fn one(
        &self,
        monitor: &str,
        declaring: &str,
        declared: &Declared,
        world: &dyn World,
        bundled: bool,
    ) -> Result<Advice, Error> {
        let place = format!("{}.{}", dotted(declaring), declared.name);
        let bad = |cause: String| Error::File {
            file: place.clone(),
            cause,
        };
        let class = self.classes.get(declaring);
        if declared.access & access::STATIC == 0 || !declared.descriptor.ends_with(")V") {
            return Err(bad("advice is a static method that returns nothing".to_owned()));
        }
        let is_public = class.is_some_and(|c| c.is_public) && declared.access & access::PUBLIC != 0;
        if !bundled && !is_public {
            return Err(bad(
                "without --bundle-runtime advice and its class must be public".to_owned(),
            ));
        }
        let types = parameters(&declared.descriptor);
        let mut sources = Vec::new();
        let mut formals = Vec::new();
        for (nth, descriptor) in types.iter().enumerate() {
            let name = declared.names.get(nth).map_or("", String::as_str);
            let source = if *descriptor == SITE {
                Source::Site
            } else if name.is_empty() {
                let cause = "the names of its parameters are not in the class file: compile with -g or \
                             -parameters, or give argNames";
                return Err(bad(cause.to_owned()));
            } else if name == declared.returning {
                Source::Returned
            } else if name == declared.throwing {
                Source::Thrown
            } else {
                formals.push((name.to_owned(), (*descriptor).to_owned()));
                Source::Bound(formals.len() - 1)
            };
            sources.push((source, (*descriptor).to_owned()));
        }
        for (what, name, source) in [
            ("returning", &declared.returning, Source::Returned),
            ("throwing", &declared.throwing, Source::Thrown),
        ] {
            if !name.is_empty() && !sources.iter().any(|(s, _)| *s == source) {
                return Err(bad(format!("{what} names no parameter: {name}")));
            }
        }
        let stands = Standpoint {
            monitor,
            written_in: declaring,
        };
        let expr = resolve(&declared.text, stands, &formals, world, self)
            .map_err(|cause| Error::PointcutIn { place, cause })?;
        Ok(Advice {
            moment: declared.moment.unwrap_or(Moment::Before),
            class: declaring.to_owned(),
            method: declared.name.clone(),
            descriptor: declared.descriptor.clone(),
            expr,
            parameters: sources,
            guarded: guards::may_reach_program(self, declaring, &declared.name, &declared.descriptor),
        })
    }

    /// The classes as they go into the woven program: whatever the program calls is public.
    pub fn entries(&self, advice: &[Advice]) -> Result<Vec<(String, Vec<u8>)>, Error> {
        let called: BTreeSet<(&str, &str, &str)> = advice
            .iter()
            .map(|a| (a.class.as_str(), a.method.as_str(), a.descriptor.as_str()))
            .collect();
        let mut entries = Vec::new();
        for (name, monitor) in &self.classes {
            let fail = |e| Error::class(&*monitor.location, e);
            let public = make_public(&monitor.bytes, name, &called).map_err(fail)?;
            entries.push((format!("{name}.class"), public));
        }
        Ok(entries)
    }
}

fn make_public(
    bytes: &[u8],
    name: &str,
    called: &BTreeSet<(&str, &str, &str)>,
) -> Result<Vec<u8>, ClassError> {
    let class = Class::parse(bytes)?;
    let mut edit = crate::code::ClassEdit::new(&class);
    let hidden = access::PRIVATE | access::PROTECTED;
    for (index, method) in class.methods.iter().enumerate() {
        let (method_name, descriptor) = (method.name(&class.pool)?, method.descriptor(&class.pool)?);
        if called.contains(&(name, &*method_name, &*descriptor)) {
            edit.set_access(class.access | access::PUBLIC);
            edit.set_method_access(index, method.access & !hidden | access::PUBLIC);
        }
    }
    if edit.is_empty() {
        return Ok(bytes.to_vec());
    }
    edit.finish()
}

impl Library for MonitorClasses {
    fn find(&self, from: &str, class: Option<&str>, name: &str) -> Option<NamedPointcut> {
        let start = match class {
            None => from.to_owned(),
            Some(written) => {
                let package = from
                    .rsplit_once('/')
                    .map_or(String::new(), |(p, _)| format!("{p}/"));
                let internal = written.replace('.', "/");
                let nested = internal.replace('/', "$");
                [
                    format!("{package}{internal}"),
                    format!("{package}{nested}"),
                    internal,
                ]
                .into_iter()
                .find(|name| self.classes.contains_key(name))?
            }
        };
        let found = self.inherited(&start, |class| &class.pointcuts);
        let (declaring, declared) = found.into_iter().find(|(_, declared)| declared.name == name)?;
        let types = parameters(&declared.descriptor);
        let named = declared.names.iter().zip(types);
        Some(NamedPointcut {
            class: declaring.to_owned(),
            text: declared.text.clone(),
            parameters: named.map(|(n, t)| (n.clone(), t.to_owned())).collect(),
        })
    }
}

fn look(class: &Class<'_>) -> Result<MonitorClass, ClassError> {
    let mut found = MonitorClass {
        location: String::new(),
        bytes: Vec::new(),
        superclass: class.super_name()?.map(|n| n.into_owned()),
        is_abstract: class.access & access::ABSTRACT != 0,
        is_public: class.access & access::PUBLIC != 0,
        advice: Vec::new(),
        pointcuts: Vec::new(),
    };
    for method in &class.methods {
        for annotation in annotations::of(class, &method.attributes)? {
            let moment = match annotation.descriptor.as_str() {
                "Lracewire/api/Before;" => Some(Moment::Before),
                "Lracewire/api/After;" => Some(Moment::After),
                "Lracewire/api/AfterReturning;" => Some(Moment::AfterReturning),
                "Lracewire/api/AfterThrowing;" => Some(Moment::AfterThrowing),
                "Lracewire/api/Pointcut;" => None,
                _ => continue,
            };
            let declared = declared(class, method, &annotation, moment)?;
            match moment {
                Some(_) => found.advice.push(declared),
                None => found.pointcuts.push(declared),
            }
        }
    }
    Ok(found)
}

fn declared(
    class: &Class<'_>,
    method: &Member<'_>,
    annotation: &Annotation,
    moment: Option<Moment>,
) -> Result<Declared, ClassError> {
    let descriptor = method.descriptor(&class.pool)?.into_owned();
    let given: Vec<String> = annotation
        .text("argNames")
        .split(',')
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect();
    let names = if given.is_empty() {
        parameter_names(class, method, &descriptor)?
    } else {
        given
    };
    Ok(Declared {
        name: method.name(&class.pool)?.into_owned(),
        access: method.access,
        moment,
        text: annotation.text("value").to_owned(),
        returning: annotation.text("returning").to_owned(),
        throwing: annotation.text("throwing").to_owned(),
        names,
        descriptor,
    })
}

/// From MethodParameters (JVMS 4.7.24), else from LocalVariableTable (4.7.13). Abstract methods only have the former.
fn parameter_names(
    class: &Class<'_>,
    method: &Member<'_>,
    descriptor: &str,
) -> Result<Vec<String>, ClassError> {
    let types = parameters(descriptor);
    let mut names = vec![String::new(); types.len()];
    if let Some(body) = class.attribute(&method.attributes, "MethodParameters") {
        let mut reader = Reader::new(body, 0);
        let count = usize::from(reader.u8()?);
        for name in names.iter_mut().take(count) {
            let index = reader.u16()?;
            reader.skip(2)?;
            if index != 0 {
                *name = class.pool.str(index)?.into_owned();
            }
        }
        return Ok(names);
    }
    let Some(body) = class.attribute(&method.attributes, "Code") else {
        return Ok(names);
    };
    let code = crate::code::Code::parse(body, &class.pool)?;
    let Some(table) = code.attributes.named(&class.pool, "LocalVariableTable") else {
        return Ok(names);
    };
    let mut reader = Reader::new(table.body, 0);
    let mut variables = Vec::new();
    for _ in 0..reader.u16()? {
        let [start, _, name, _, slot] = [
            reader.u16()?,
            reader.u16()?,
            reader.u16()?,
            reader.u16()?,
            reader.u16()?,
        ];
        if start == 0 {
            variables.push((slot, name));
        }
    }
    let mut slot = u16::from(method.access & access::STATIC == 0);
    for (name, descriptor) in names.iter_mut().zip(types) {
        if let Some((_, index)) = variables.iter().find(|(s, _)| *s == slot) {
            *name = class.pool.str(*index)?.into_owned();
        }
        slot += if matches!(descriptor, "J" | "D") { 2 } else { 1 };
    }
    Ok(names)
}
