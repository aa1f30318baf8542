//! The site table of one woven class. The weaver embeds it in the class itself, as a string constant, so
//! that it is there wherever the class is: in a nested jar, behind any class loader, after a hot swap.
//!
//! The text form is line based: a header, then `F` lines (fields), `M` lines (methods) and `S` lines
//! (sites), each kind numbered from 0 in order of appearance. It is read here and by `racewire.rt.Sites`.

mod table_writer;

pub use table_writer::{TableWriter, push_number};

/// Highest ordinal that has a bit of its own in the state word; [`OVERFLOW_ORDINAL`] has none.
pub const MAX_ORDINAL: u8 = 30;

/// In the table: the ordinal of all sites of a field that has more than 31 of them, which have no bit (hooks are given a
/// number of their own for each), and of those that have no ordinal.
pub const OVERFLOW_ORDINAL: u8 = 31;

/// Sites beyond those with a bit are told apart up to this ordinal; the rest share the next one.
pub const LAST_ORDINAL: u16 = (1 << OVERFLOW_BITS) - 2;

const ORDINAL_BITS: u32 = 6;
const OVERFLOW_BITS: u32 = 12;

/// The `int` that hooks receive: a site's index in its class above its ordinal, which takes 6 bits (a shift looks at no
/// more of its distance) or, for ordinals without a bit in the word, 12 bits of the complement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookSite(pub i32);

impl HookSite {
    pub fn new(index: u32, ordinal: u16) -> HookSite {
        let (index, ordinal) = (index as i32, i32::from(ordinal));
        HookSite(if ordinal <= i32::from(MAX_ORDINAL) {
            index << ORDINAL_BITS | ordinal
        } else {
            !(index << OVERFLOW_BITS | ordinal)
        })
    }

    /// Of the site in its class.
    pub fn index(self) -> u32 {
        if self.0 >= 0 {
            (self.0 >> ORDINAL_BITS) as u32
        } else {
            (!self.0 >> OVERFLOW_BITS) as u32
        }
    }

    pub fn ordinal(self) -> u16 {
        let (value, bits) = if self.0 >= 0 {
            (self.0, ORDINAL_BITS)
        } else {
            (!self.0, OVERFLOW_BITS)
        };
        (value & ((1 << bits) - 1)) as u16
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AccessKind {
    Read,
    Write,
}

/// A monitored field: `owner` is the class that declares it, in internal form.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FieldRef {
    pub owner: String,
    pub name: String,
    pub descriptor: String,
    pub is_static: bool,
    /// Names how the sites of the field are numbered, over all classes that were woven together: what has the same
    /// ordinals elsewhere (one library woven into two programs) need not be the same places. Empty where sites have no
    /// ordinals, or where the field is known by its name only.
    pub numbering: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MethodRef {
    pub name: String,
    pub descriptor: String,
}

/// One woven access. `line` is 0 where the class file does not say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    pub method: u32,
    pub line: u16,
    pub field: u32,
    pub kind: AccessKind,
    /// Whether what others did is looked at here. Not by a read whose value only goes into the field's next one, as in
    /// `count++`; also by a call that changes a container and whose result is used, as in `queue.poll()`.
    pub observes: bool,
    /// A write that stands for the read its value was computed from, as in `count++`; that has no hook of its own.
    pub updates: bool,
    pub ordinal: u8,
    /// Lines of the same method that repeat the access without anything being released in between: they are not woven.
    pub repeated_at: Vec<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClassSites {
    /// Internal name of the class that holds the code.
    pub class: String,
    /// The SourceFile attribute.
    pub source: Option<String>,
    /// The detectors whose findings are right with what is woven here, separated by commas, or [`EVERY_DETECTOR`]:
    /// the weaver may leave out what one detector does not need and another does.
    pub valid_for: String,
    pub fields: Vec<FieldRef>,
    pub methods: Vec<MethodRef>,
    pub sites: Vec<Site>,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("bad site table, line {line}: {reason}")]
pub struct SiteTableError {
    pub line: usize,
    pub reason: &'static str,
}

const HEADER: &str = "racewire-sites 4";

/// In [`ClassSites::valid_for`]: all accesses are woven, and all that orders them, for whatever detector.
pub const EVERY_DETECTOR: &str = "*";

/// All accesses are woven, but only locks and threads besides: not for happens-before. `sharing` is the log of what
/// threads share.
pub const EVERY_ACCESS: &str = "racer,eraser,sharing";

impl ClassSites {
    /// What repeats one access of a line repeats the line: a reader knows no other place.
    pub fn share_repeats(&mut self) {
        share_repeats(&mut self.sites);
    }

    pub fn encode(&self) -> String {
        let mut writer = TableWriter::default();
        for f in &self.fields {
            let columns = [&f.owner, &f.name, &f.descriptor, &f.numbering].map(String::as_bytes);
            writer.add_field(columns, f.is_static);
        }
        for m in &self.methods {
            writer.add_method(m.name.as_bytes(), m.descriptor.as_bytes());
        }
        let source = self.source.as_deref().unwrap_or("");
        let mut text = Vec::new();
        let header = [&*self.class, source, &*self.valid_for].map(str::as_bytes);
        writer.encode_with(header, &self.sites, &mut text);
        // Put together from texts alone.
        String::from_utf8(text).unwrap_or_default()
    }

    pub fn decode(text: &str) -> Result<ClassSites, SiteTableError> {
        let mut table = ClassSites::default();
        for (number, line) in text.lines().enumerate() {
            let bad = |reason| SiteTableError {
                line: number + 1,
                reason,
            };
            let mut parts = line.split('\t');
            let tag = parts.next().unwrap_or("");
            let mut next = || parts.next().ok_or(bad("a column is missing"));
            match tag {
                HEADER if number == 0 => {
                    table.class = next()?.to_owned();
                    table.source = Some(next()?.to_owned()).filter(|s| !s.is_empty());
                    table.valid_for = next()?.to_owned();
                }
                _ if number == 0 => return Err(bad("not a site table of this version")),
                "F" => table.fields.push(FieldRef {
                    owner: next()?.to_owned(),
                    name: next()?.to_owned(),
                    descriptor: next()?.to_owned(),
                    is_static: next()? == "s",
                    numbering: next()?.to_owned(),
                }),
                "M" => table.methods.push(MethodRef {
                    name: next()?.to_owned(),
                    descriptor: next()?.to_owned(),
                }),
                "S" => {
                    let method = next()?.parse().map_err(|_| bad("method is not a number"))?;
                    let line = next()?.parse().map_err(|_| bad("line is not a number"))?;
                    let field = next()?.parse().map_err(|_| bad("field is not a number"))?;
                    let (kind, observes, updates) = match next()? {
                        "r" => (AccessKind::Read, true, false),
                        "u" => (AccessKind::Read, false, false),
                        "o" => (AccessKind::Write, true, false),
                        "b" => (AccessKind::Write, false, true),
                        "w" => (AccessKind::Write, false, false),
                        _ => return Err(bad("access is neither r, u, o, b nor w")),
                    };
                    let site = Site {
                        method,
                        line,
                        field,
                        kind,
                        observes,
                        updates,
                        ordinal: next()?.parse().map_err(|_| bad("ordinal is not a number"))?,
                        repeated_at: match next() {
                            Ok(lines) => lines
                                .split(',')
                                .map(|line| line.parse().map_err(|_| bad("line is not a number")))
                                .collect::<Result<_, _>>()?,
                            Err(_) => Vec::new(),
                        },
                    };
                    if site.method as usize >= table.methods.len()
                        || site.field as usize >= table.fields.len()
                    {
                        return Err(bad("site names a method or field that is not there"));
                    }
                    if site.ordinal > OVERFLOW_ORDINAL {
                        return Err(bad("ordinal out of range"));
                    }
                    table.sites.push(site);
                }
                _ => return Err(bad("unknown line")),
            }
        }
        if table.class.is_empty() {
            return Err(SiteTableError {
                line: 1,
                reason: "empty",
            });
        }
        Ok(table)
    }
}

fn share_repeats(sites: &mut [Site]) {
    let mut lines: std::collections::BTreeMap<(u32, u16, u32), Vec<u16>> = std::collections::BTreeMap::new();
    for site in sites.iter().filter(|s| !s.repeated_at.is_empty()) {
        let known = lines.entry((site.method, site.line, site.field)).or_default();
        known.extend(&site.repeated_at);
    }
    if lines.is_empty() {
        return;
    }
    for known in lines.values_mut() {
        known.sort_unstable();
        known.dedup();
    }
    for site in sites {
        if let Some(known) = lines.get(&(site.method, site.line, site.field)) {
            site.repeated_at.clone_from(known);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> ClassSites {
        ClassSites {
            class: "com/acme/Bank".into(),
            source: Some("Bank.java".into()),
            valid_for: "racer,eraser".into(),
            fields: vec![FieldRef {
                owner: "com/acme/Account".into(),
                name: "balance".into(),
                descriptor: "J".into(),
                is_static: false,
                numbering: "2f".into(),
            }],
            methods: vec![MethodRef {
                name: "transfer".into(),
                descriptor: "(I)V".into(),
            }],
            sites: vec![Site {
                method: 0,
                line: 17,
                field: 0,
                kind: AccessKind::Write,
                observes: false,
                updates: false,
                ordinal: 3,
                repeated_at: vec![18, 21],
            }],
        }
    }

    #[test]
    fn hooks_are_told_index_and_ordinal() {
        assert_eq!(HookSite::new(5, 3), HookSite(5 << 6 | 3));
        assert_eq!(HookSite::new(5, 31), HookSite(!(5 << 12 | 31)));
        for ordinal in [0, 30, 31, 63, 64, LAST_ORDINAL, LAST_ORDINAL + 1] {
            assert_eq!(HookSite::new(70_000, ordinal).ordinal(), ordinal);
            assert_eq!(HookSite::new(70_000, ordinal).index(), 70_000);
        }
    }

    #[test]
    fn decoding_gives_back_what_was_encoded() {
        assert_eq!(ClassSites::decode(&sample().encode()).unwrap(), sample());
    }

    #[test]
    fn the_text_form_is_lines_of_columns() {
        let mut table = sample();
        table.sites[0].line = 10_307;
        let text = "racewire-sites 4\tcom/acme/Bank\tBank.java\tracer,eraser\n\
            F\tcom/acme/Account\tbalance\tJ\ti\t2f\n\
            M\ttransfer\t(I)V\n\
            S\t0\t10307\t0\tw\t3\t18,21\n";
        assert_eq!(table.encode(), text);
    }

    #[test]
    fn a_table_that_is_written_line_by_line_is_the_same() {
        let wanted = sample();
        let mut writer = TableWriter::default();
        let account: [&[u8]; 4] = [b"com/acme/Account", b"balance", b"J", b"2f"];
        assert_eq!(writer.field(account, false), 0);
        assert_eq!(
            writer.field([b"com/acme/Account", b"balance", b"J", b""], true),
            1
        );
        assert_eq!(writer.field(account, false), 0);
        for (nth, name) in ["transfer", "given up"].iter().enumerate() {
            assert_eq!(writer.add_method(name.as_bytes(), b"(I)V"), nth as u32);
            writer.sites.extend(wanted.sites.clone());
        }
        assert_eq!(writer.methods(), 2);
        writer.truncate(1, 1);
        let mut both = wanted.clone();
        both.fields.push(FieldRef {
            is_static: true,
            numbering: String::new(),
            ..wanted.fields[0].clone()
        });
        let mut text = Vec::new();
        writer.encode([b"com/acme/Bank", b"Bank.java", b"racer,eraser"], &mut text);
        assert_eq!(str::from_utf8(&text), Ok(&*both.encode()));
        // The next class begins anew.
        writer.clear();
        assert_eq!(writer.add_method(b"other", b"()V"), 0);
        text.clear();
        writer.encode([b"A", b"", b"*"], &mut text);
        assert_eq!(text, b"racewire-sites 4\tA\t\t*\nM\tother\t()V\n");
    }

    #[test]
    fn the_longest_line_of_a_site_is_written_whole() {
        let mut writer = TableWriter::default();
        let site = Site {
            method: u32::MAX,
            line: u16::MAX,
            field: u32::MAX,
            ordinal: u8::MAX,
            ..sample().sites[0].clone()
        };
        for method in [u32::MAX, u32::MAX, 10, 9] {
            writer.sites.push(Site {
                method,
                ..site.clone()
            });
        }
        let mut text = Vec::new();
        writer.encode([b"A", b"", b"*"], &mut text);
        let rest = "\t65535\t4294967295\tw\t255\t18,21\n";
        let longest = format!("S\t4294967295{rest}");
        let wanted = format!("racewire-sites 4\tA\t\t*\n{longest}{longest}S\t10{rest}S\t9{rest}");
        assert_eq!(str::from_utf8(&text), Ok(&*wanted));
    }

    #[test]
    fn both_accesses_of_an_increment_are_repeated_where_one_is() {
        let mut table = sample();
        let mut read = table.sites[0].clone();
        read.kind = AccessKind::Read;
        read.observes = false;
        read.repeated_at = vec![];
        let elsewhere = Site {
            line: 99,
            ..read.clone()
        };
        table.sites.extend([read, elsewhere]);
        table.share_repeats();
        let repeated: Vec<usize> = table.sites.iter().map(|s| s.repeated_at.len()).collect();
        assert_eq!(repeated, [2, 2, 0]);
        assert_eq!(ClassSites::decode(&table.encode()).unwrap(), table);
    }

    #[test]
    fn a_site_that_names_a_missing_method_is_refused() {
        let text = sample().encode().replace("S\t0\t", "S\t9\t");
        assert_eq!(
            ClassSites::decode(&text).unwrap_err().reason,
            "site names a method or field that is not there"
        );
    }

    #[test]
    fn another_version_is_refused() {
        let old = ClassSites::decode("racewire-sites 1\tA\t\tunit\n").unwrap_err();
        assert_eq!(old.reason, "not a site table of this version");
        assert!(ClassSites::decode("").is_err());
    }

    #[test]
    fn a_table_that_does_not_say_what_it_is_valid_for_is_refused() {
        let text = sample().encode().replace("\tracer,eraser", "");
        assert_eq!(
            ClassSites::decode(&text),
            Err(SiteTableError {
                line: 1,
                reason: "a column is missing"
            })
        );
    }
}
