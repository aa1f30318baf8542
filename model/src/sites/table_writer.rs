//! Writing a site table, line by line.

#[cfg(doc)]
use super::ClassSites;
use super::{AccessKind, HEADER, Site, share_repeats};

/// The site table of a class while it is woven: what a site names is a line of the text at once, since nobody asks for
/// it again. Texts are UTF-8, but nobody has to show that they are. Gives the same text as [`ClassSites::encode`].
#[derive(Debug, Clone, Default)]
pub struct TableWriter {
    fields: Lines,
    methods: Lines,
    pub sites: Vec<Site>,
}

impl TableWriter {
    /// Forgets the table, keeps its memory.
    pub fn clear(&mut self) {
        self.fields.truncate(0);
        self.truncate(0, 0);
    }

    /// The number of the field with this owner, name, descriptor and numbering, in the table from now on.
    pub fn field(&mut self, columns: [&[u8]; 4], is_static: bool) -> u32 {
        self.fields.find_or_add(&field_columns(columns, is_static))
    }

    /// A line for a field, whether there is one or not.
    pub(super) fn add_field(&mut self, columns: [&[u8]; 4], is_static: bool) -> u32 {
        self.fields.add(&field_columns(columns, is_static))
    }

    /// The number of a method that is new to the table.
    pub fn add_method(&mut self, name: &[u8], descriptor: &[u8]) -> u32 {
        self.methods.add(&[b"M", name, descriptor])
    }

    pub fn methods(&self) -> usize {
        self.methods.ends.len()
    }

    /// Forgets all but the first so many methods and sites.
    pub fn truncate(&mut self, methods: usize, sites: usize) {
        self.methods.truncate(methods);
        self.sites.truncate(sites);
    }

    /// See [`ClassSites::share_repeats`].
    pub fn share_repeats(&mut self) {
        share_repeats(&mut self.sites);
    }

    /// Writes the whole table; `header` has the class, its source and [`ClassSites::valid_for`].
    pub fn encode(&self, header: [&[u8]; 3], out: &mut Vec<u8>) {
        self.encode_with(header, &self.sites, out);
    }

    pub(super) fn encode_with(
        &self,
        [class, source, valid_for]: [&[u8]; 3],
        sites: &[Site],
        out: &mut Vec<u8>,
    ) {
        line(out, &[HEADER.as_bytes(), class, source, valid_for]);
        out.extend_from_slice(&self.fields.text);
        out.extend_from_slice(&self.methods.text);
        out.reserve(sites.len() * SITE_LINE);
        let (mut method, mut beginning) = (None, Short::default());
        for site in sites {
            if method != Some(site.method) {
                method = Some(site.method);
                beginning = beginning_of_sites(site.method);
            }
            push_site(out, site, beginning);
        }
    }
}

fn field_columns([owner, name, descriptor, numbering]: [&[u8]; 4], is_static: bool) -> [&[u8]; 6] {
    let holder: &[u8] = if is_static { b"s" } else { b"i" };
    [b"F", owner, name, descriptor, holder, numbering]
}

/// Lines of one kind.
#[derive(Debug, Clone, Default)]
struct Lines {
    text: Vec<u8>,
    /// Where each ends in the text.
    ends: Vec<usize>,
}

impl Lines {
    fn add(&mut self, columns: &[&[u8]]) -> u32 {
        line(&mut self.text, columns);
        self.ends.push(self.text.len());
        self.ends.len() as u32 - 1
    }

    fn find_or_add(&mut self, columns: &[&[u8]]) -> u32 {
        let start = self.text.len();
        line(&mut self.text, columns);
        let (old, new) = self.text.split_at(start);
        let mut from = 0;
        let known = self.ends.iter().position(|end| {
            let line = old.get(std::mem::replace(&mut from, *end)..*end);
            line == Some(new)
        });
        match known {
            Some(known) => {
                self.text.truncate(start);
                known as u32
            }
            None => {
                self.ends.push(self.text.len());
                self.ends.len() as u32 - 1
            }
        }
    }

    fn truncate(&mut self, lines: usize) {
        self.ends.truncate(lines);
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
    }
}

fn line(out: &mut Vec<u8>, columns: &[&[u8]]) {
    out.reserve(columns.iter().map(|column| column.len() + 1).sum());
    for (nth, column) in columns.iter().enumerate() {
        if nth > 0 {
            out.push(b'\t');
        }
        out.extend_from_slice(column);
    }
    out.push(b'\n');
}

/// Room for the line of a site without repeats.
const SITE_LINE: usize = 40;

/// How the lines of a method's sites begin, which stand together.
fn beginning_of_sites(method: u32) -> Short {
    let mut line = Short::default();
    line.put(b'S');
    line.put(b'\t');
    line.number(method);
    line
}

fn push_site(out: &mut Vec<u8>, site: &Site, mut line: Short) {
    for number in [u32::from(site.line), site.field] {
        line.put(b'\t');
        line.number(number);
    }
    line.put(b'\t');
    line.put(match site.kind {
        AccessKind::Read if site.observes => b'r',
        AccessKind::Read => b'u',
        AccessKind::Write if site.observes => b'o',
        AccessKind::Write if site.updates => b'b',
        AccessKind::Write => b'w',
    });
    line.put(b'\t');
    line.number(u32::from(site.ordinal));
    for (nth, repeated) in site.repeated_at.iter().enumerate() {
        line.write(out);
        line = Short::default();
        line.put(if nth == 0 { b'\t' } else { b',' });
        line.number(u32::from(*repeated));
    }
    line.put(b'\n');
    line.write(out);
}

/// In decimal.
pub fn push_number(out: &mut Vec<u8>, number: u32) {
    let mut text = Short::default();
    text.number(number);
    text.write(out);
}

/// Some bytes that are put together without asking for memory each time: a class has a line for every woven place. What
/// does not fit is left out, which no line of a site can be.
#[derive(Clone, Copy)]
struct Short {
    bytes: [u8; SITE_LINE],
    len: usize,
}

impl Default for Short {
    fn default() -> Short {
        Short {
            bytes: [0; SITE_LINE],
            len: 0,
        }
    }
}

impl Short {
    #[inline]
    fn put(&mut self, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(self.len) {
            *slot = byte;
            self.len += 1;
        }
    }

    #[inline]
    fn number(&mut self, number: u32) {
        if number < 10 {
            self.put(b'0' + number as u8);
        } else {
            self.long_number(number);
        }
    }

    fn long_number(&mut self, mut number: u32) {
        let digits = number.checked_ilog10().unwrap_or(0) as usize + 1;
        let end = self.len + digits;
        for slot in self
            .bytes
            .get_mut(self.len..end)
            .unwrap_or_default()
            .iter_mut()
            .rev()
        {
            *slot = b'0' + (number % 10) as u8;
            number /= 10;
        }
        self.len = end.min(self.bytes.len());
    }

    /// Copies all the bytes there is room for, which takes a few instructions, and keeps those that count.
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        let end = out.len() + self.len;
        out.extend_from_slice(&self.bytes);
        out.truncate(end);
    }
}
