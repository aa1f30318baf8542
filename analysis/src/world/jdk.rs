//! The JDK's classes as far as their headers go: their bodies are never looked into (see `models`).

use crate::jimage::{ImageError, JImage};
use racewire_classfile::Class;
use rustc_hash::FxHashMap;
use std::path::Path;

#[derive(Debug, Clone, Default)]
pub struct Header {
    pub access: u16,
    pub superclass: Option<String>,
    pub interfaces: Vec<String>,
    /// Name, descriptor and access flags.
    pub methods: Vec<(String, String, u16)>,
}

/// The image of the JDK that the program will run on.
#[derive(Debug)]
pub struct Jdk {
    image: JImage,
    /// Module of each package, in internal form.
    modules: FxHashMap<String, Option<String>>,
}

impl Jdk {
    pub fn open(home: &Path) -> Result<Jdk, ImageError> {
        Ok(Jdk {
            image: JImage::open(home)?,
            modules: FxHashMap::default(),
        })
    }

    /// What tells the JDK at `home` from others, and from what may be installed there later.
    pub fn stamp(home: &Path) -> String {
        let image = home.join("lib/modules");
        let meta = std::fs::metadata(&image).ok();
        let about = meta.map(|meta| (meta.len(), meta.modified().ok()));
        format!("{:?} {about:?}", image.canonicalize().unwrap_or(image))
    }

    /// The version of the JDK, by that of its class files (JVMS 4.1).
    pub fn feature_version(&mut self) -> Option<u16> {
        let bytes = self.class_file("java/lang/Object")?;
        Class::parse(&bytes).ok()?.major.checked_sub(44)
    }

    /// `None` for a class that the JDK does not have, or that cannot be read.
    pub fn header(&mut self, name: &str) -> Option<Header> {
        let bytes = self.class_file(name)?;
        let class = Class::parse(&bytes).ok()?;
        let pool = &class.pool;
        Some(Header {
            access: class.access,
            superclass: class.super_name().ok()?.map(|n| n.into_owned()),
            interfaces: class
                .interfaces
                .iter()
                .filter_map(|&i| pool.class_name(i).ok())
                .map(|n| n.into_owned())
                .collect(),
            methods: class
                .methods
                .iter()
                .filter_map(|m| {
                    let (name, descriptor) = (m.name(pool).ok()?, m.descriptor(pool).ok()?);
                    Some((name.into_owned(), descriptor.into_owned(), m.access))
                })
                .collect(),
        })
    }

    /// The bytes of a class.
    pub fn class_file(&mut self, name: &str) -> Option<Vec<u8>> {
        let (package, _) = name.rsplit_once('/')?;
        if !self.modules.contains_key(package) {
            let module = self.image.module_of(&package.replace('/', ".")).ok().flatten();
            self.modules.insert(package.to_owned(), module);
        }
        let module = self.modules.get(package)?.as_deref()?;
        self.image.read(module, &format!("{name}.class")).ok()?
    }
}
