//! Annotations with their values (JVMS 4.7.16), as far as they are texts.

use crate::code::{Attributes, Class, ClassError, bytes::Reader};

#[derive(Debug, Default)]
pub struct Annotation {
    /// `Lracewire/api/Before;`
    pub descriptor: String,
    /// Name and value of each element that is a text.
    texts: Vec<(String, String)>,
}

impl Annotation {
    pub fn text(&self, name: &str) -> &str {
        let found = self.texts.iter().find(|(n, _)| n == name);
        found.map_or("", |(_, value)| value)
    }
}

pub fn of(class: &Class<'_>, attributes: &Attributes<'_>) -> Result<Vec<Annotation>, ClassError> {
    let Some(attribute) = attributes.named(&class.pool, "RuntimeVisibleAnnotations") else {
        return Ok(Vec::new());
    };
    let mut reader = Reader::new(attribute.body, 0);
    let count = reader.u16()?;
    (0..count).map(|_| annotation(class, &mut reader, 0)).collect()
}

fn annotation(class: &Class<'_>, reader: &mut Reader<'_>, depth: usize) -> Result<Annotation, ClassError> {
    let mut found = Annotation {
        descriptor: class.pool.str(reader.u16()?)?.into_owned(),
        texts: Vec::new(),
    };
    for _ in 0..reader.u16()? {
        let name = class.pool.str(reader.u16()?)?.into_owned();
        if let Some(text) = value(class, reader, depth)? {
            found.texts.push((name, text));
        }
    }
    Ok(found)
}

/// Reads one value; gives it if it is a text.
fn value(class: &Class<'_>, reader: &mut Reader<'_>, depth: usize) -> Result<Option<String>, ClassError> {
    if depth > 64 {
        return Err(ClassError::BadAttribute {
            at: 0,
            reason: "annotations are nested too deep",
        });
    }
    match reader.u8()? {
        b's' => return Ok(Some(class.pool.str(reader.u16()?)?.into_owned())),
        b'e' => reader.skip(4)?,
        b'@' => {
            annotation(class, reader, depth + 1)?;
        }
        b'[' => {
            for _ in 0..reader.u16()? {
                value(class, reader, depth + 1)?;
            }
        }
        _ => reader.skip(2)?,
    }
    Ok(None)
}
