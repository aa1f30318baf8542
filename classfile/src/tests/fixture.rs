//! Classes made by hand.

use crate::{Class, ClassEdit, ClassError, Code, CodeEdit, PoolBuilder};

/// `public class T` with nothing in it.
pub fn empty_class(major: u16) -> Vec<u8> {
    let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0];
    bytes.extend(major.to_be_bytes());
    bytes.extend([0, 5, 1, 0, 1, b'T', 7, 0, 1, 1, 0, 16]);
    bytes.extend(b"java/lang/Object");
    bytes.extend([7, 0, 3]);
    bytes.extend([0, 0x21, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

/// A Code attribute body.
#[derive(Default, Clone)]
pub struct Body {
    pub stack: u16,
    pub locals: u16,
    pub code: Vec<u8>,
    pub exceptions: Vec<[u16; 4]>,
    pub attributes: Vec<(&'static str, Vec<u8>)>,
}

impl Body {
    fn bytes(&self, pool: &mut PoolBuilder<'_, '_>) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(self.stack.to_be_bytes());
        out.extend(self.locals.to_be_bytes());
        out.extend((self.code.len() as u32).to_be_bytes());
        out.extend(&self.code);
        out.extend((self.exceptions.len() as u16).to_be_bytes());
        out.extend(
            self.exceptions
                .iter()
                .flatten()
                .flat_map(|value| value.to_be_bytes()),
        );
        out.extend((self.attributes.len() as u16).to_be_bytes());
        for (name, body) in &self.attributes {
            out.extend(pool.utf8(name).unwrap().to_be_bytes());
            out.extend((body.len() as u32).to_be_bytes());
            out.extend(body);
        }
        out
    }
}

/// `T` with one method; static unless it is a constructor.
pub fn class_with(
    major: u16,
    name: &str,
    descriptor: &str,
    body: impl FnOnce(&mut PoolBuilder<'_, '_>) -> Body,
) -> Vec<u8> {
    let empty = empty_class(major);
    let class = Class::parse(&empty).unwrap();
    let mut edit = ClassEdit::new(&class);
    let body = body(&mut edit.pool);
    let bytes = body.bytes(&mut edit.pool);
    let [code, name_index, descriptor] = ["Code", name, descriptor].map(|text| edit.pool.utf8(text).unwrap());
    let access = if name == "<init>" { 1 } else { 9 };
    edit.add_method(access, name_index, descriptor, (code, &bytes))
        .unwrap();
    edit.finish().unwrap()
}

/// What came out of an edit of [`class_with`]'s method.
pub struct Edited {
    pub bytecode: Vec<u8>,
    pub exceptions: Vec<[u16; 4]>,
    pub max_stack: u16,
    pub max_locals: u16,
    attributes: Vec<(String, Vec<u8>)>,
    pub class: Vec<u8>,
}

impl Edited {
    pub fn attribute(&self, name: &str) -> Option<&[u8]> {
        self.attributes
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, body)| body.as_slice())
    }
}

/// Edits the method of a class made by [`class_with`], and reads the result back.
pub fn try_edit(bytes: &[u8], plan: impl FnOnce(&mut CodeEdit<'_, '_>)) -> Result<Edited, ClassError> {
    let class = Class::parse(bytes)?;
    let body = class.attribute(&class.methods[0].attributes, "Code").unwrap();
    let code = Code::parse(body, &class.pool)?;
    let mut class_edit = ClassEdit::new(&class);
    let mut edit = CodeEdit::new(&code, &class);
    plan(&mut edit);
    let body = edit.finish(&mut class_edit.pool)?;
    class_edit.set_method_code(0, &body);
    let out = class_edit.finish()?;
    let class = Class::parse(&out)?;
    let code = Code::parse(
        class.attribute(&class.methods[0].attributes, "Code").unwrap(),
        &class.pool,
    )?;
    code.instructions()?;
    Ok(Edited {
        bytecode: code.bytecode.to_vec(),
        exceptions: code
            .exceptions
            .iter()
            .map(|e| [e.start, e.end, e.handler, e.catch_type])
            .collect(),
        max_stack: code.max_stack,
        max_locals: code.max_locals,
        attributes: (code.attributes.into_iter())
            .map(|a| (class.pool.str(a.name).unwrap().into_owned(), a.body.to_vec()))
            .collect(),
        class: out.clone(),
    })
}

pub fn edit(bytes: &[u8], plan: impl FnOnce(&mut CodeEdit<'_, '_>)) -> Edited {
    try_edit(bytes, plan).unwrap()
}
