//! All sorts of code: every method of the JDK's java.util and java.xml can be followed, and comes out well formed.

use racewire_checks::body::{Assertions, Def, class_body};
use racewire_classfile::Class;
use std::path::Path;
use std::process::Command;

fn each_class(folder: &Path, check: &mut dyn FnMut(&[u8])) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            each_class(&path, check);
        } else {
            check(&std::fs::read(&path).unwrap());
        }
    }
}

#[test]
fn every_method_can_be_followed() {
    let folder = tempfile::tempdir().unwrap();
    let home = super::java::home();
    let status = Command::new(home.join("bin/jimage"))
        .args([
            "extract",
            "--include",
            "regex:/java.base/java/util/.*class,regex:/java.xml/com/sun/org/apache/xerces/.*class",
            "--dir",
        ])
        .arg(folder.path())
        .arg(home.join("lib/modules"))
        .status()
        .unwrap();
    assert!(status.success());
    let mut followed = 0;
    each_class(folder.path(), &mut |bytes| {
        let class = Class::parse(bytes).unwrap();
        let read = class_body(&class, Assertions::LeftOut);
        for (method, read) in class.methods.iter().zip(&read.methods) {
            let has_code = method.attributes.named(&class.pool, "Code").is_some();
            let name = method.name(&class.pool).unwrap();
            assert_eq!(has_code, read.body.is_some(), "{}.{name}", class.name().unwrap());
            let Some(body) = &read.body else { continue };
            followed += 1;
            for (id, instr) in (0..).zip(&body.instrs) {
                assert!(
                    body.args(instr)
                        .iter()
                        .all(|arg| (*arg as usize) < body.values.len())
                );
                assert!(
                    body.args(instr)
                        .iter()
                        .all(|arg| !matches!(body.def(*arg), Def::Alias(_)))
                );
                assert!(
                    instr
                        .result
                        .is_none_or(|result| body.def(result) == Def::Instr(id))
                );
            }
            for phi in body.blocks.iter().flat_map(|block| &block.phis) {
                assert!(body.inputs(*phi).len() > 1, "{}.{name}", class.name().unwrap());
            }
        }
    });
    assert!(followed > 10_000, "{followed}");
}
