//! Small questions that readers of a class ask.

use super::bytes::{Reader, u16_at};
use super::type_annotations::annotation;
use super::{Attributes, Class, ClassError, Code, Pool, tag};

/// A bootstrap method: its handle and its static arguments, as pool indices.
pub type BootstrapMethod = (u16, Vec<u16>);

impl Class<'_> {
    /// The SourceFile attribute.
    pub fn source_file(&self) -> Option<String> {
        let body = self.attribute(&self.attributes, "SourceFile")?;
        let index = u16::from_be_bytes([*body.first()?, *body.get(1)?]);
        self.pool.str(index).ok().map(|name| name.into_owned())
    }

    /// Types of the annotations in `attributes` (JVMS 4.7.16, 4.7.17), as field descriptors. An attribute that cannot
    /// be read has none: no Java virtual machine checks these when it loads a class.
    pub fn annotation_types(&self, attributes: &Attributes<'_>) -> Vec<String> {
        ["RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations"]
            .into_iter()
            .filter_map(|name| attributes.named(&self.pool, name))
            .flat_map(|attribute| types_in(attribute.body).unwrap_or_default())
            .filter_map(|index| Some(self.pool.str(index).ok()?.into_owned()))
            .collect()
    }

    /// Entry `index` of the BootstrapMethods attribute (JVMS 4.7.23), if there is one.
    pub fn bootstrap_method(&self, index: u16) -> Result<Option<BootstrapMethod>, ClassError> {
        let Some(body) = self.attribute(&self.attributes, "BootstrapMethods") else {
            return Ok(None);
        };
        let mut reader = Reader::new(body, 0);
        let count = reader.u16()?;
        for nth in 0..count {
            let handle = reader.u16()?;
            let arguments = reader.u16()?;
            let arguments = (0..arguments)
                .map(|_| reader.u16())
                .collect::<Result<Vec<u16>, _>>()?;
            if nth == index {
                return Ok(Some((handle, arguments)));
            }
        }
        Ok(None)
    }
}

impl Code<'_> {
    /// The two-byte operand at `pc`.
    #[inline]
    pub fn u16_at(&self, pc: u32) -> Result<u16, ClassError> {
        let at = pc as usize;
        match self.bytecode.get(at..at + 2) {
            Some(&[high, low]) => Ok(u16::from_be_bytes([high, low])),
            _ => Err(ClassError::BadCode {
                pc,
                reason: "operand is cut off",
            }),
        }
    }
}

impl Pool<'_> {
    /// Index of the Utf8 constant of a Class, String or MethodType.
    pub fn text_index(&self, index: u16) -> Result<u16, ClassError> {
        match self.tag(index) {
            tag::CLASS | tag::STRING | tag::METHOD_TYPE => self.operand(index, 1),
            _ => Err(ClassError::BadConstant {
                index,
                reason: "is not a Class, String or MethodType constant",
            }),
        }
    }

    /// Index in BootstrapMethods and index of the NameAndType of a Dynamic or InvokeDynamic constant.
    pub fn dynamic_indices(&self, index: u16) -> Result<(u16, u16), ClassError> {
        match self.tag(index) {
            tag::DYNAMIC | tag::INVOKE_DYNAMIC => Ok((self.operand(index, 1)?, self.operand(index, 3)?)),
            _ => Err(ClassError::BadConstant {
                index,
                reason: "is not a dynamic constant",
            }),
        }
    }

    /// The value of an Integer constant.
    pub fn integer(&self, index: u16) -> Option<i32> {
        let raw = self.raw(index).filter(|_| self.tag(index) == tag::INTEGER)?;
        Some(i32::from_be_bytes([
            *raw.get(1)?,
            *raw.get(2)?,
            *raw.get(3)?,
            *raw.get(4)?,
        ]))
    }
}

/// The type indices of a table of annotations.
fn types_in(body: &[u8]) -> Result<Vec<u16>, ClassError> {
    let mut reader = Reader::new(body, 0);
    let mut types = Vec::new();
    for _ in 0..reader.u16()? {
        types.push(u16_at(body, reader.at())?);
        annotation(&mut reader, 0)?;
    }
    Ok(types)
}
