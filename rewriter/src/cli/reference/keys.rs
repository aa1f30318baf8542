//! The keys of `racewire.toml`, asked from the type that reads them.

use crate::cli::config::Config;
use clap::Arg;
use serde::Deserialize;
use serde::de::value::Error;
use serde::de::{Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;

/// A key, and the flag that says the same.
pub struct Key<'p> {
    pub name: &'static str,
    pub flag: Option<&'p Arg>,
}

pub fn keys(program: &clap::Command) -> Vec<Key<'_>> {
    let names = names();
    let flags: Vec<&Arg> = super::commands(program)
        .flat_map(clap::Command::get_arguments)
        .collect();
    let flag = |name: &str| {
        let negated = format!("no-{name}");
        let is = |long: &str| long == name || long == negated;
        flags.iter().copied().find(|a| a.get_long().is_some_and(is))
    };
    names
        .iter()
        .map(|&name| Key {
            name,
            flag: flag(name),
        })
        .collect()
}

fn names() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // Always an error: nothing is read.
    let _ = Config::deserialize(Names(&mut names));
    names
}

/// A deserializer that only listens to what is asked for.
struct Names<'n>(&'n mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Names<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("nothing to read"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        *self.0 = fields;
        Err(Error::custom("nothing to read"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_flag() {
        let program = crate::cli::reference::built(crate::cli::program());
        let keys = keys(&program);
        assert!(keys.iter().any(|key| key.name == "bundle-runtime"));
        let without: Vec<&str> = keys.iter().filter(|k| k.flag.is_none()).map(|k| k.name).collect();
        assert_eq!(without, [""; 0]);
    }
}
