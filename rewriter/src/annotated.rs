//! The elements of a class that its source declares as no fault; see [`racewire_model::annotated`].

use crate::code::{Attributes, Class, ClassError, tag};
use racewire_model::annotated::ANNOTATION;
use racewire_model::names::dotted;

pub fn elements(class: &Class<'_>) -> Result<Vec<String>, ClassError> {
    // Nearly every class has no such annotation: its name would be a constant.
    if !names_annotation(class)? {
        return Ok(Vec::new());
    }
    let name = dotted(&class.name()?);
    let mut elements = Vec::new();
    if has_annotation(class, &class.attributes) {
        elements.push(format!("class {name}"));
    }
    for (what, members) in [("field", &class.fields), ("method", &class.methods)] {
        for member in members.iter().filter(|m| has_annotation(class, &m.attributes)) {
            elements.push(format!("{what} {name}.{}", member.name(&class.pool)?));
        }
    }
    Ok(elements)
}

fn names_annotation(class: &Class<'_>) -> Result<bool, ClassError> {
    let suffix = format!("{ANNOTATION};");
    for index in 1..class.pool.len() as u16 {
        if class.pool.tag(index) == tag::UTF8 && class.pool.utf8(index)?.ends_with(suffix.as_bytes()) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn has_annotation(class: &Class<'_>, attributes: &Attributes<'_>) -> bool {
    let types = class.annotation_types(attributes);
    types.iter().any(|descriptor| is_ours(descriptor))
}

/// `Lcom/acme/SuppressRaces;`, also nested in a class: `Lcom/acme/Marks$SuppressRaces;`.
fn is_ours(descriptor: &str) -> bool {
    let name = descriptor
        .strip_prefix('L')
        .and_then(|d| d.strip_suffix(';'))
        .unwrap_or_default();
    name.rsplit(['/', '$']).next() == Some(ANNOTATION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simple_name_decides() {
        assert!(
            is_ours("LSuppressRaces;") && is_ours("La/b/SuppressRaces;") && is_ours("La/B$SuppressRaces;")
        );
        assert!(!is_ours("La/NotSuppressRaces;") && !is_ours("La/SuppressRacesNot;"));
    }
}
